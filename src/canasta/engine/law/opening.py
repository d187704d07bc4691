"""Can the first meld of a side still reach its minimum?

A search or a learner lays a first meld step by step, so every step must leave a way to the minimum that
also leaves a way to end the turn. Laying as much as possible is worth most: `OpeningHand.most_points` gives
that optimum in closed form for sets, `RunSearch` tries the runs that could add to it. Only when the closed
form does not cover the hand, or when a canasta or going out could replace the minimum, does `SetSearch` try
every way. What cannot be worth enough, with the cards that must be kept, is not tried.

The answer is exact for every small hand (`OpeningHand.is_small`), and for any hand where the closed form
is clear and neither runs, canastas nor going out come into it. Of a larger hand fewer ways are looked at:
sets by the closed form, or less than it, and one run more; or one canasta. While such a way is laid step by
step it stays one of those that are looked at, and a small hand stays small: so here, too, no step that is
allowed leads into a dead end. A first meld laid at once, as a person lays it, is judged by what it is and
not searched for.
"""

from mypy_extensions import i64

from canasta.engine.cards import BLACK_THREE, JOKER, NATURAL_RANKS, TWO
from canasta.engine.law.contract import ContractHand
from canasta.engine.law.last_way_out import WayOut
from canasta.engine.law.opening_canastas import has_other_ways, opens_by_one_canasta
from canasta.engine.law.opening_hand import UNCLEAR, OpeningHand
from canasta.engine.law.opening_runs import RunSearch
from canasta.engine.law.opening_sets import SetSearch
from canasta.engine.meld_names import SMALLEST_MELD
from canasta.engine.offsets import SEAT_SIZE
from canasta.engine.state import HandState


def can_open(state: HandState) -> bool:
    """Starting with what is laid already, some legal continuation opens and then ends the turn."""
    if state.prepared.exacting:
        return ContractHand(state).can_open() or WayOut(state).exists()
    return not _is_out_of_reach(state) and can_open_with(OpeningHand(state))


def _is_out_of_reach(state: HandState) -> bool:
    """Nothing is laid yet, and all that could be laid of the hand is worth less than the minimum.

    The usual answer of a hand that cannot open yet, found without looking at melds.
    """
    prepared = state.prepared
    if state.melded_now or prepared.concealed_suffices:
        return False
    packed = state.packed
    first: i64 = state.turn * SEAT_SIZE
    values = prepared.values
    twos: int = packed[first + TWO]
    jokers: int = packed[first + JOKER]
    black_threes = state.stop_cards(state.turn)
    wilds = twos + jokers
    points = twos * values[TWO] + jokers * values[JOKER]
    if black_threes >= SMALLEST_MELD:
        points += black_threes * values[BLACK_THREE]
    fewest = 1 if prepared.runs else SMALLEST_MELD - min(wilds, 1)
    longest = 0
    rank: i64
    for rank in range(NATURAL_RANKS):
        count: int = packed[first + rank]
        if count >= fewest:
            points += count * values[rank]
        longest = max(longest, count)
    if prepared.canasta_suffices or prepared.canasta_bonus_counts:
        # A canasta may stand in for points, or bring them: of one rank, of wilds, of a sequence.
        if prepared.runs or longest + wilds >= prepared.canasta_size:
            return False
    return points < state.minimum(state.side_of[state.turn]) + state.opening_extra


def can_open_with(hand: OpeningHand) -> bool:
    """The same question, put to a hand in mind."""
    need = hand.need
    if need <= 0:
        return True
    if hand.size < SMALLEST_MELD and not hand.sets and not hand.runs:
        return False
    if hand.state.prepared.runs:
        return _can_open_with_runs(hand)
    points = hand.most_points()
    if points >= need and (hand.can_stop_with(hand.size - hand.used) or hand.keeps_enough(need)):
        return True
    if points != UNCLEAR and not has_other_ways(hand, points >= need):
        return False
    if hand.opens_plainly(need) or opens_by_one_canasta(hand, need):
        return True
    return hand.is_small() and SetSearch(hand).succeeds(need, 0)


def _can_open_with_runs(hand: OpeningHand) -> bool:
    points = hand.most_points()
    if points >= hand.need and hand.can_stop_with(hand.size - hand.used):
        return True
    search = RunSearch(hand)
    if not hand.runs and UNCLEAR < points < hand.need:
        # The usual answer of a hand that cannot open yet.
        search.sets_fail = True
        if not search.worth_trying(hand.need) and not has_other_ways(hand, search.is_tight):
            return False
    if opens_by_one_canasta(hand, hand.need):
        return True
    if not hand.is_small():
        return search.succeeds_with_one(hand.need)
    if search.succeeds(hand.need, 0):
        return True
    return has_other_ways(hand, search.is_tight) and RunSearch(hand, every_way=True).succeeds(hand.need, 0)
