"""Estimate what the other players hold from what they have melded, discarded and left on the pile.

A uniform deal of the hidden cards is wrong about people and computer players alike: they keep pairs, discard
single cards, and meld whatever fits. The correction factors were counted in games of `club` and `master` on
`caliente` (see `docs/learned-player.md`).
"""

from math import comb
from typing import Final

from canasta.engine.cards import BONUS_CARD, KINDS, NATURAL_RANKS, RANK_OF, RANKS
from canasta.engine.determinize import NUMBERS, unseen_kinds
from canasta.engine.state import DRAW, HandState
from canasta.engine.view import View

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


_LEAST = 0.02
"""Bound on the weights, so that no holding is ever impossible or certain."""


def believed_hands(belief: list[float], view: View) -> list[list[float]]:
    """Return weights for `determinize`: the belief of a network relative to a uniform deal."""
    state = view.state
    viewer = view.seat
    assert viewer is not None, "a spectator believes nothing"
    seats = len(state.side_of)
    unseen = unseen_kinds(state, viewer)
    compiled = state.compiled
    rank_of = compiled.rank_of
    of_rank = [0] * RANKS
    laid_out = [False] * RANKS
    whole = 0
    for kind in range(KINDS):
        if compiled.role_of[kind] == BONUS_CARD and not compiled.by_hand:
            # Red threes are laid out at once, so they are in no hand.
            laid_out[rank_of[kind]] = True
        else:
            of_rank[rank_of[kind]] += unseen[kind]
            whole += unseen[kind]
    likely: list[list[float]] = []
    for seat in range(seats):
        rows: list[float] = []
        if seat != viewer and seat in state.order:
            known = [0] * RANKS
            for kind in range(KINDS):
                known[rank_of[kind]] += state.known(seat, kind)
            hidden = min(whole, state.size(seat) - sum(known))
            at = ((seat - viewer) % seats - 1) * RANKS * NUMBERS
            for rank in range(RANKS):
                if laid_out[rank]:
                    rows.extend([1.0] * NUMBERS)
                    continue
                uniform = _uniform(known[rank], of_rank[rank], hidden, whole)
                for number in range(NUMBERS):
                    more = belief[at + rank * NUMBERS + number] / max(uniform[number], _LEAST * _LEAST)
                    rows.append(min(max(more, _LEAST), 1 / _LEAST))
        likely.append(rows)
    return likely


def _uniform(known: int, unseen: int, hidden: int, whole: int) -> list[float]:
    """Return the chances of holding none, one, two or more cards of a rank in a uniform deal.

    The hand contains `known` cards of the rank, plus `hidden` cards drawn from `whole` unseen cards, of which
    `unseen` have the rank.

    >>> [round(likely, 3) for likely in _uniform(1, 2, 5, 10)]
    [0.0, 0.222, 0.556, 0.222]
    """
    found = [0.0] * NUMBERS
    ways = comb(whole, hidden)
    for drawn in range(min(unseen, hidden) + 1):
        likely = comb(unseen, drawn) * comb(whole - unseen, hidden - drawn) / ways
        found[min(known + drawn, NUMBERS - 1)] += likely
    return found
