"""Asking the rules about the chosen cards before the action bar offers anything."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from canasta.engine.law.reasons import FIRST_MELD_LACKS
from canasta.engine.moves.refusals import REASON_NAMES
from canasta.table.selection import Interpretation, MeldPart, interpret, joinable
from canasta.table.wire import WhyNot
from canasta.terminal.model import Possible, StagedMelds, TableModel

TOO_LITTLE: Final = frozenset(REASON_NAMES[reason] for reason in FIRST_MELD_LACKS)
"""Reasons of refusals that more melds in the same move would cure."""

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
    """Return the readings of the chosen cards, likeliest first.

    Cards without a reading are returned as a single meld, which the rules refuse with the best reason.
    """
    cards, own, welcome = model.chosen_cards(), model.own(), model.welcome
    if own is None or welcome is None:
        return []
    if not cards:
        return [Interpretation(())]
    return interpret(cards, own.melds, welcome.game) or [Interpretation((MeldPart(tuple(cards)),))]


def take_ways(model: TableModel) -> list[list[str]]:
    """Return the moves that take the pile with the chosen cards: some go with its top card, the others are
    melded."""
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


async def judge(model: TableModel, check: Check) -> Possible:
    """Ask the table what can be done with the chosen cards."""
    state, own, cards = model.state, model.own(), model.chosen_cards()
    if state is None or own is None:
        return Possible()
    if state.phase == "draw" and not model.staged:
        return Possible(take=await _best(check, [moves[0] for moves in take_ways(model)]))
    readings = interpretations_of(model)
    if own.opened and not model.staged:
        meld = await _best(check, [plan.moves()[0] for plan in readings])
        # A further meld can't lack points: the first one has been made.
        meld = "" if meld == "stage" else meld
    else:
        meld = await _best(check, [staged_with(model, plan).move() for plan in readings])
    discard = len(cards) == 1 and not model.staged and await check(f"discard {cards[0]}") is None
    return Possible(meld=meld, discard=discard)


async def _best(check: Check, moves: list[str]) -> str:
    """Return `now` if one of these moves is allowed, `stage` if one lacks only points, else an empty text."""
    best = ""
    for move in moves:
        why = await check(move)
        if why is None:
            return "now"
        if why.reason in TOO_LITTLE:
            best = "stage"
    return best
