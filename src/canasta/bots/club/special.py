"""Special hands: how close a hand is to one, and which cards it needs."""

from canasta.engine.cards import JOKER, NATURAL_RANKS, RANK_TEXTS, RANKS, TWO
from canasta.engine.state import HandState
from canasta.rules.special_hands import SpecialHand


class Aim:
    """The special hand that a hand is closest to."""

    def __init__(self, name: str, missing: int, wanted: list[int], points: int) -> None:
        self.name: str = name
        self.missing: int = missing
        """Number of cards that are missing."""
        self.wanted: list[int] = wanted
        """Number of cards of each rank that belong to it; for threes either colour will do."""
        self.points: int = points


def nearest(state: HandState, seat: int) -> Aim:
    """Return the special hand that lacks the fewest cards; on a tie, the most valuable one."""
    counts = state.counts_of(seat)
    best = Aim("", RANKS, [0] * RANKS, 0)
    for hand in state.compiled.special_hands:
        wanted = _wanted(state, hand, counts)
        missing = sum([max(0, wanted[rank] - counts[rank]) for rank in range(RANKS)])
        if hand.each and state.bonus_cards(seat) == 0:
            missing += 1
        if missing < best.missing or (missing == best.missing and hand.points > best.points):
            best = Aim(hand.name, missing, wanted, hand.points)
    return best


def _wanted(state: HandState, hand: SpecialHand, counts: list[int]) -> list[int]:
    """Return the cards that make this hand, with its largest groups
    in the ranks of which most cards are held."""
    wanted = [0] * RANKS
    if hand.each:
        for rank in range(JOKER + 1):
            wanted[rank] = 1
        return wanted
    free = list(range(NATURAL_RANKS))
    for rank in range(NATURAL_RANKS):
        if RANK_TEXTS[rank] in hand.must:
            wanted[rank] = 2
            free.remove(rank)
    which, number = hand.wilds
    if which == "groups":
        free += [TWO, JOKER]
    elif which == "both":
        wanted[TWO] = wanted[JOKER] = number
    elif which == "mixed":
        wanted[JOKER] = min(number, counts[JOKER])
        wanted[TWO] = number - wanted[JOKER]
    elif which == "alike" and counts[JOKER] > counts[TWO]:
        wanted[JOKER] = number
    else:
        wanted[TWO] = number
    held = sorted([(-counts[rank], rank) for rank in free])
    for place, size in enumerate(sorted(hand.groups, reverse=True)):
        rank = held[place][1]
        # There may be only four jokers.
        wanted[rank] = min(size, state.compiled.of_rank[rank])
    return wanted
