"""Special hands: how near a hand is to one, and which cards it wants for that."""

from canasta.engine.cards import JOKER, NATURAL_RANKS, RANK_TEXTS, RANKS, TWO
from canasta.engine.state import HandState
from canasta.rules.special_hands import SpecialHand


class Aim:
    """The special hand that a hand is nearest to."""

    def __init__(self, name: str, missing: int, wanted: list[int], points: int) -> None:
        self.name: str = name
        self.missing: int = missing
        """How many cards it lacks."""
        self.wanted: list[int] = wanted
        """How many cards of each rank belong to it; of threes either colour serves."""
        self.points: int = points


def nearest(state: HandState, seat: int) -> Aim:
    """The special hand that lacks the fewest cards, of several the dearest."""
    counts = state.counts_of(seat)
    best = Aim("", RANKS, [0] * RANKS, 0)
    for hand in state.prepared.special_hands:
        wanted = _wanted(state, hand, counts)
        missing = sum([max(0, wanted[rank] - counts[rank]) for rank in range(RANKS)])
        if hand.each and state.bonus_cards(seat) == 0:
            missing += 1
        if missing < best.missing or (missing == best.missing and hand.points > best.points):
            best = Aim(hand.name, missing, wanted, hand.points)
    return best


def _wanted(state: HandState, hand: SpecialHand, counts: list[int]) -> list[int]:
    """Which cards make this hand of those that are held: the largest groups where most are held."""
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
        # Four jokers are all that there are.
        wanted[rank] = min(size, state.prepared.of_rank[rank])
    return wanted
