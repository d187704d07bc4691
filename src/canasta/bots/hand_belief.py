"""Estimate what the other players hold from what they have melded, discarded and left on the pile.

A uniform deal of the hidden cards is wrong about people and computer players alike: they keep pairs, discard
single cards, and meld whatever fits. The correction factors were counted in games of `club` and `master` on
`caliente` (see `docs/learned-player.md`).
"""

from typing import Final

from canasta.engine.cards import NATURAL_RANKS, RANK_OF, RANKS
from canasta.engine.determinize import NUMBERS
from canasta.engine.state import DRAW, HandState

MELDED: Final = 4
"""Index offset in `LIKELIER`: the player's side has a set of the rank. The marks are bits and add up."""
THROWN: Final = 2
LET_LIE: Final = 1

LIKELIER: Final = (
    (0.68, 0.93, 1.98, 0.71),
    (1.16, 0.78, 1.27, 0.51),
    (1.08, 0.51, 2.18, 0.67),
    (1.36, 0.32, 0.62, 0.57),
    (1.32, 0.19, 0.31, 0.53),
    (1.24, 0.23, 0.38, 0.46),
    (1.22, 0.13, 0.82, 0.63),
    (1.21, 0.14, 0.15, 0.67),
)
"""Likelihood of holding none, one, two or more cards of a rank,
relative to a uniform deal; one entry per mark."""


def likely_hands(state: HandState, viewer: int, marks: list[list[int]]) -> list[list[float]]:
    """Return weights for `determinize`.

    `marks` has, by seat and rank, what the player has discarded and left.
    """
    likely: list[list[float]] = []
    for seat in range(len(state.side_of)):
        rows: list[float] = []
        # With long sequences nobody keeps pairs, so the cards are dealt uniformly.
        if seat != viewer and seat in state.order and not state.compiled.long_runs:
            naturals = state.naturals_of(state.side_of[seat])
            slots = state.compiled.slots
            for rank in range(NATURAL_RANKS):
                # The first set of a rank is in its first slot.
                mark = marks[seat][rank] + (MELDED if naturals[slots.first_slot(rank)] > 0 else 0)
                rows.extend(LIKELIER[mark])
            rows.extend([1.0] * (NUMBERS * (RANKS - NATURAL_RANKS)))
        likely.append(rows)
    return likely


def marks_in_pile(state: HandState) -> list[list[int]]:
    """Return, by seat and rank, what the players have discarded and left, as far as the pile shows it.

    Assume one discard per turn: a card's position then identifies the player. After a turn without a discard,
    the cards below are attributed to the neighbouring player; that is rare and has little effect.
    """
    marks = [[0] * NATURAL_RANKS for _ in state.side_of]
    order = state.order
    players = len(order)
    pile = state.pile
    at = order.index(state.turn)
    for back in range(len(pile)):
        rank = RANK_OF[pile[len(pile) - 1 - back]]
        if rank < NATURAL_RANKS:
            thrower = order[(at - 1 - back) % players]
            follower = order[(at - back) % players]
            marks[thrower][rank] |= THROWN
            # The player in turn may still take the top card.
            if back > 0 or state.phase != DRAW:
                marks[follower][rank] |= LET_LIE
    return marks
