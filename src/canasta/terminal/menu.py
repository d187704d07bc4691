"""The player's possible actions with the chosen cards, the action bar, and the prompt."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from canasta.engine.law.reasons import FIRST_MELD_LACKS
from canasta.engine.moves.refusals import REASON_NAMES
from canasta.i18n import Facts
from canasta.table.selection import Interpretation, MeldPart, interpret, joinable
from canasta.table.wire import WhyNot, YourView
from canasta.terminal.hand import ActionItem
from canasta.terminal.model import Possible, StagedMelds, TableModel

# -- asking the rules --------------------------------------------------------------------------------------


TOO_LITTLE: Final = frozenset(REASON_NAMES[reason] for reason in FIRST_MELD_LACKS)
"""Reasons of refusals that go away if more is melded in the same move."""

Check = Callable[[str], Awaitable[WhyNot | None]]
"""Asks the table why a move would be refused; None if it wouldn't be."""


@dataclass(frozen=True)
class ProbeQuestion:
    """The chosen cards and the state of the table that they were chosen in."""

    state: int
    cards: tuple[str, ...]
    staged: str

    @classmethod
    def of(cls, model: TableModel) -> "ProbeQuestion | None":
        """Return the question, or None if nothing is chosen or the viewer can't choose now."""
        state = model.state
        if state is None or not model.is_your_turn or not (model.chosen or model.staged):
            return None
        staged = model.staged.move() if model.staged else ""
        return cls(state.state, tuple(model.chosen_cards()), staged)


def interpretations_of(model: TableModel) -> list[Interpretation]:
    """Return the possible readings of the chosen cards, likeliest first.

    If there is none, return the cards as a single meld, which the rules refuse with the best reason.
    """
    cards, own, welcome = model.chosen_cards(), model.own(), model.welcome
    if own is None or welcome is None:
        return []
    if not cards:
        return [Interpretation(())]
    return interpret(cards, own.melds, welcome.game) or [Interpretation((MeldPart(tuple(cards)),))]


def take_ways(model: TableModel) -> list[list[str]]:
    """Return the ways to take the pile with the chosen cards.

    Some cards form a meld with the top card; the rest become separate melds.
    """
    cards, top = model.chosen_cards(), model.top()
    assert model.welcome is not None
    game = model.welcome.game
    if game.takes == "free":
        return [["take"]]
    if game.takes == "use_top":
        own = " ".join(cards)
        onto = [[f"take {own} onto {meld.name}"] for meld in joinable([*cards, top], model.own_melds())]
        return [[f"take {own}"], *onto] if len(cards) >= 2 or not onto else onto
    readings = interpret([*cards, top], model.own_melds(), game) if top else []
    ways = [moves for plan in readings if (moves := plan.take_moves(top))]
    return ways or [["take " + " ".join(cards)]]


def staged_with(model: TableModel, plan: Interpretation) -> StagedMelds:
    """Return the staged melds with these melds added."""
    return StagedMelds(
        [*model.staged.groups, *(part.cards for part in plan.parts)], model.staged.take, model.staged.top
    )


async def probe(model: TableModel, check: Check) -> Possible:
    """Ask the table what can be done with the chosen cards."""
    state, own, cards = model.state, model.own(), model.chosen_cards()
    if state is None or own is None:
        return Possible()
    if state.phase == "draw" and not model.staged:
        return Possible(take=await _best(check, [moves[0] for moves in take_ways(model)]))
    readings = interpretations_of(model)
    if own.opened and not model.staged:
        meld = await _best(check, [plan.moves()[0] for plan in readings])
        # Later melds have no minimum: the first one has been made.
        meld = "" if meld == "stage" else meld
    else:
        meld = await _best(check, [staged_with(model, plan).move() for plan in readings])
    discard = len(cards) == 1 and not model.staged and await check(f"discard {cards[0]}") is None
    return Possible(meld=meld, discard=discard)


async def _best(check: Check, moves: list[str]) -> str:
    """Return `now` if a move is allowed, `stage` if one lacks only points, otherwise an empty text."""
    best = ""
    for move in moves:
        why = await check(move)
        if why is None:
            return "now"
        if why.reason in TOO_LITTLE:
            best = "stage"
    return best


# -- the action bar and the prompt -------------------------------------------------------------------------


_RARE = {"pass": "p", "keep": "k", "caliente": "c", "ask": "g", "putback": "b", "lay 3r": "l", "lay 3b": "l"}


def bar_items(model: TableModel, *, is_local: bool) -> tuple[ActionItem, ...]:
    """Return the items of the action bar: possible actions first, the main one brightest."""
    state, you, say = model.state, model.you, model.say
    items: list[ActionItem] = []
    if state is None:
        pass
    elif state.status == "waiting":
        if model.your_seat < 0:
            items.append(ActionItem("⏎", say("bar.sit"), "do:sit", main=True))
        if state.host:
            items.append(ActionItem("⏎", say("bar.start"), "do:start", main=not items))
    elif state.phase == "over":
        over = state.status == "over"
        if model.can_want_rematch(is_local=is_local):
            again = say("bar.again_now" if model.wants_rematch else "bar.again")
            items.append(ActionItem("⏎", again, "do:again", main=True))
        label = say("bar.scores") if over else say("bar.next_hand")
        if not items:
            items.append(ActionItem("⏎", label, "do:main", main=not over))
    elif you is None:
        if model.your_seat < 0 and state.joins < 0 and not is_local:
            items.append(ActionItem("⏎", say("bar.sit"), "do:sit"))
    elif not you.turn:
        if is_local:
            items.append(ActionItem("⏎", say("bar.hurry"), "do:main"))
    else:
        items += _turn_items(model, you)
    items += [
        ActionItem("h", say("bar.hint"), "do:hint", able=you is not None and you.turn),
        ActionItem("r", say("bar.rules"), "rules"),
        ActionItem("s", say("bar.scores"), "scores"),
        ActionItem("q", say("bar.leave"), "leave"),
        ActionItem("?", say("bar.help"), "help"),
    ]
    return tuple(items)


def main_action(model: TableModel, *, is_local: bool) -> str:
    """Return the action of the Enter key."""
    state, you = model.state, model.you
    assert state is not None
    if state.status == "waiting":
        return "sit" if model.your_seat < 0 else "start"
    if state.phase == "over":
        if model.can_want_rematch(is_local=is_local):
            return "again"
        return "scores" if state.status == "over" else "next"
    if you is None:
        return "sit" if model.your_seat < 0 and not is_local else "hurry"
    if not you.turn:
        return "hurry"
    if state.phase == "answer":
        return "answer yes"
    if model.staged or len(model.chosen) > 1:
        return "meld" if state.phase == "play" or model.staged else "take"
    if state.phase == "draw":
        return "draw" if "draw" in you.can else "pass" if "pass" in you.can else "take"
    return "discard"


def _turn_items(model: TableModel, you: YourView) -> list[ActionItem]:
    assert model.state is not None
    phase, say = model.state.phase, model.say
    chosen = len(model.chosen)
    items: list[ActionItem] = []
    if phase == "answer":
        items.append(ActionItem("y", say("bar.yes"), "do:answer yes", main=True))
        items.append(ActionItem("n", say("bar.no"), "do:answer no"))
        return items
    if phase == "draw":
        draws = "draw" in you.can
        staged = bool(model.staged)
        items.append(ActionItem("d", say("bar.draw"), "do:draw", able=draws, main=draws and not staged))
        takes = bool(model.possible.take) if chosen and not staged else bool(you.takes)
        items.append(ActionItem("t", say("bar.take"), "do:take", able=takes))
        if staged:
            items.append(_meld_item(model))
    else:
        items.append(_meld_item(model))
        discards = chosen == 1 and model.possible.discard
        items.append(ActionItem("d", say("bar.discard"), "do:discard", able=discards, main=discards))
    if model.special():
        items.append(ActionItem("v", say("bar.special"), "do:special", main=not chosen))
    for move, key in _RARE.items():
        if move in you.can:
            items.append(ActionItem(key, say(f"bar.{move.split()[0]}"), f"do:{move}"))
    if "undo" in you.can or model.staged:
        items.append(ActionItem("u", say("bar.undo"), "do:undo"))
    return items


def _meld_item(model: TableModel) -> ActionItem:
    """Return the meld action, which is enabled if the rules accept the chosen cards or they lack only
    points."""
    meld = model.possible.meld
    if meld == "stage" and model.chosen:
        return ActionItem("m", model.say("bar.stage"), "do:meld", main=len(model.chosen) > 1)
    able = meld == "now"
    return ActionItem(
        "m",
        model.say("bar.meld"),
        "do:meld",
        able=able,
        main=able and (len(model.chosen) > 1 or bool(model.staged)),
    )


def prompt_text(model: TableModel) -> str:
    """Return a prompt for the player, or the name of the player that the table is waiting for."""
    state, you, say = model.state, model.you, model.say
    if state is None:
        return say("prompt.no_table")
    if state.status == "waiting":
        free = sum(seat.who == "free" for seat in state.seats)
        start = say("prompt.host_starts") if state.host else say("prompt.host_waited_for")
        return f"{say('prompt.free', {'count': free})} {start}"
    if state.status == "over":
        return _after_the_game(model)
    if state.phase == "over":
        return say("prompt.hand_over")
    clock = ""
    if state.clock is not None and state.clock.seat == state.turn:
        clock = f" {state.clock.left:.0f} s"
    if you is None or not you.turn:
        who: Facts = {"name": model.name(state.turn), "partner": model.name(state.asked)}
        if state.phase == "answer":
            is_yours = state.asked == model.your_seat
            return say("prompt.asked_for_you" if is_yours else "prompt.asked", who) + clock
        joins = f" {say('prompt.joins')}" if state.joins >= 0 else ""
        talon = f" {say('prompt.talon', {'text': model.look.cards(you.talon)})}" if you and you.talon else ""
        return f"{say('prompt.playing', who)}{clock}{joins}{talon}"
    if state.phase == "answer":
        return say("prompt.asks", {"name": model.name(state.asked)}) + clock
    ways = _draw_options(model, you) if state.phase == "draw" else _play_options(model, you)
    return say("prompt.turn", {"text": ways}) + clock


def _after_the_game(model: TableModel) -> str:
    state = model.state
    over = model.say("prompt.game_over")
    if state is None or state.again is None or not state.again.yes:
        return over
    names = model.voice.listed([model.name(seat) for seat in state.again.yes], "and")
    return f"{over} {model.say('prompt.again', {'text': names})}"


def _draw_options(model: TableModel, you: YourView) -> str:
    able = {"draw": "draw" in you.can, "take": bool(you.takes)}
    able |= {move: move in you.can for move in ("caliente", "pass")}
    ways = [move for move, is_able in able.items() if is_able] or ["take"]
    return model.voice.listed([model.voice.word(f"move.{move}") for move in ways], "or")


def _play_options(model: TableModel, you: YourView) -> str:
    chosen, possible, say = len(model.chosen), model.possible, model.say
    if model.special() and not chosen:
        return say("prompt.special", {"special": model.special()})
    if chosen == 1:
        ways = [say("prompt.discards_it")] * possible.discard + [say("prompt.adds_it")] * bool(possible.meld)
        return ", ".join(ways) or say("prompt.neither")
    if chosen > 1:
        if possible.meld == "stage":
            return say("prompt.stages", {"count": chosen})
        return say("prompt.melds", {"count": chosen}) if possible.meld else say("prompt.no_meld")
    return say("prompt.choose") if you.can_discard else say("prompt.choose_to_meld")
