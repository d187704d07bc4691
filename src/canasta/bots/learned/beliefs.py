"""What the network believes the others to hold, as a deal can be made by it."""

from math import comb

from canasta.bots.learned.trained import Trained
from canasta.engine.cards import BONUS_CARD, KINDS, RANKS
from canasta.engine.observing.observer import Observer
from canasta.engine.resample import NUMBERS, unseen_kinds
from canasta.engine.view import View

_LEAST = 0.02
"""Nothing is so unlikely that a deal can never have it, and nothing so likely that it must."""


def believed_hands(trained: Trained, view: View, observer: Observer) -> list[list[float]]:
    """As `resample` reads it: what the network says, against what a uniform deal would."""
    state = view.state
    viewer = view.seat
    assert viewer is not None, "a spectator believes nothing"
    seats = len(state.side_of)
    said = trained.network.believe(observer.observe(state, viewer))
    unseen = unseen_kinds(state, viewer)
    prepared = state.prepared
    rank_of = prepared.rank_of
    of_rank = [0] * RANKS
    laid_out = [False] * RANKS
    whole = 0
    for kind in range(KINDS):
        if prepared.role_of[kind] == BONUS_CARD and not prepared.by_hand:
            # Red threes that are laid out at once are in no hand.
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
    """How likely a hand has none, one, two or more cards of a rank: some are known, and so many hidden cards
    are drawn from the whole of those that nobody sees.

    >>> [round(likely, 3) for likely in _uniform(1, 2, 5, 10)]
    [0.0, 0.222, 0.556, 0.222]
    """
    found = [0.0] * NUMBERS
    ways = comb(whole, hidden)
    for drawn in range(min(unseen, hidden) + 1):
        likely = comb(unseen, drawn) * comb(whole - unseen, hidden - drawn) / ways
        found[min(known + drawn, NUMBERS - 1)] += likely
    return found
