"""What the rules would say to the chosen cards, asked before the bar offers anything."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from canasta.engine.law.why_not import FIRST_MELD_LACKS
from canasta.engine.moves.refusals import REASON_NAMES
from canasta.table.wire import WhyNot
from canasta.terminal.grouping import Part, Plan, joinable, plans
from canasta.terminal.model import Possible, Staged, TableModel

TOO_LITTLE: Final = frozenset(REASON_NAMES[reason] for reason in FIRST_MELD_LACKS)
"""The reasons of a refusal that more melds in the same move would lift."""

Check = Callable[[str], Awaitable[WhyNot | None]]
"""Asks the table why a move would be refused; None: it would not."""


@dataclass(frozen=True)
class Question:
    """What is chosen at which state of the table."""

    state: int
    cards: tuple[str, ...]
    staged: str

    @classmethod
    def of(cls, model: TableModel) -> "Question | None":
        """None where nothing is chosen, or it is not the viewer's turn to choose."""
        state = model.state
        if state is None or not model.is_your_turn or not (model.chosen or model.staged):
            return None
        staged = model.staged.move() if model.staged else ""
        return cls(state.state, tuple(model.chosen_cards()), staged)


def readings_of(model: TableModel) -> list[Plan]:
    """What the chosen cards can mean, the likeliest first; cards that mean nothing as one meld, which the
    rules refuse with the best reason."""
    cards, own, welcome = model.chosen_cards(), model.own(), model.welcome
    if own is None or welcome is None:
        return []
    if not cards:
        return [Plan(())]
    return plans(cards, own.melds, welcome.game) or [Plan((Part(tuple(cards)),))]


def take_ways(model: TableModel) -> list[list[str]]:
    """Moves that take the pile with the chosen cards: those that go with its top card, others as melds."""
    cards, top = model.chosen_cards(), model.top()
    assert model.welcome is not None
    game = model.welcome.game
    if game.takes == "free":
        return [["take"]]
    if game.takes == "use_top":
        own = " ".join(cards)
        onto = [[f"take {own} onto {meld.name}"] for meld in joinable([*cards, top], model.own_melds())]
        return [[f"take {own}"], *onto] if len(cards) >= 2 or not onto else onto
    readings = plans([*cards, top], model.own_melds(), game) if top else []
    ways = [moves for plan in readings if (moves := plan.take_moves(top))]
    return ways or [["take " + " ".join(cards)]]


def staged_with(model: TableModel, plan: Plan) -> Staged:
    """What is staged, with these melds more."""
    return Staged(
        [*model.staged.groups, *(part.cards for part in plan.parts)], model.staged.take, model.staged.top
    )


async def judge(model: TableModel, check: Check) -> Possible:
    """Asks the table what can be done with the chosen cards."""
    state, own, cards = model.state, model.own(), model.chosen_cards()
    if state is None or own is None:
        return Possible()
    if state.phase == "draw" and not model.staged:
        return Possible(take=await _best(check, [moves[0] for moves in take_ways(model)]))
    readings = readings_of(model)
    if own.opened and not model.staged:
        meld = await _best(check, [plan.moves()[0] for plan in readings])
        # Too little is said of a first meld alone, and that is made.
        meld = "" if meld == "stage" else meld
    else:
        meld = await _best(check, [staged_with(model, plan).move() for plan in readings])
    discard = len(cards) == 1 and not model.staged and await check(f"discard {cards[0]}") is None
    return Possible(meld=meld, discard=discard)


async def _best(check: Check, moves: list[str]) -> str:
    """`now` if one of these moves is allowed, `stage` if one lacks only points, else nothing."""
    best = ""
    for move in moves:
        why = await check(move)
        if why is None:
            return "now"
        if why.reason in TOO_LITTLE:
            best = "stage"
    return best
