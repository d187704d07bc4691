"""Can the first meld of a side still reach its minimum? The exact answer, quickly.

A search or a learner lays a first meld step by step, so every step must leave a way to the minimum that
also leaves a way to end the turn. Laying as much as possible is worth most: `OpeningHand.most_points` gives
that optimum in closed form for sets, `RunSearch` tries the runs around it. Only when the optimum would use
up the hand, or when a canasta or going out could replace the minimum, does `SetSearch` try every way.
"""

from canasta.engine.opening_hand import UNCLEAR, OpeningHand
from canasta.engine.opening_search import RunSearch, SetSearch
from canasta.engine.state import HandState


def can_open(state: HandState) -> bool:
    """Starting with what is laid already, some legal continuation opens and then ends the turn."""
    return can_open_with(OpeningHand(state))


def can_open_with(hand: OpeningHand) -> bool:
    """The same question, put to a hand in mind."""
    if hand.need <= 0:
        return True
    if hand.state.tables.runs:
        search = RunSearch(hand)
        if search.succeeds(hand.need, 0):
            return True
        if not search.is_tight and not hand.has_other_ways():
            return False
        return RunSearch(hand, every_way=True).succeeds(hand.need, 0)
    points = hand.most_points()
    if points >= hand.need and hand.can_stop_with(hand.size - hand.used):
        return True
    if points != UNCLEAR and points < hand.need and not hand.has_other_ways():
        return False
    return SetSearch(hand).succeeds(hand.need, 0)
