"""The network's belief about the other hands, as weights for dealing."""

from math import comb

from canasta.bots.learned.coverage import TrainedNetwork
from canasta.engine.cards import BONUS_CARD, KINDS, RANKS
from canasta.engine.determinize import NUMBERS, unseen_kinds
from canasta.engine.observation.encoder import Observer
from canasta.engine.view import View

_LEAST = 0.02
"""Bound on the weights, so that no holding is ever impossible or certain."""


def believed_hands(trained: TrainedNetwork, view: View, observer: Observer) -> list[list[float]]:
    """Return weights for `determinize`: the network's belief relative to a uniform deal."""
    state = view.state
    viewer = view.seat
    assert viewer is not None, "a spectator believes nothing"
    seats = len(state.side_of)
    said = trained.network.believe(observer.observe(state, viewer))
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
                    more = said[at + rank * NUMBERS + number] / max(uniform[number], _LEAST * _LEAST)
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
