"""Decide whether the first meld of a side can still reach its minimum.

Searching and learning programs lay a first meld step by step, so every step must leave a way to the minimum
that also leaves a way to end the turn. Laying as much as possible is worth the most:
`OpeningHand.most_points` computes that optimum in closed form for sets, and `RunSearch` tries the runs that
could add to it. `SetSearch` tries every way only if the closed form does not cover the hand, or if a canasta
or going out could replace the minimum. Branches that cannot be worth enough, given the cards that must be
kept, are pruned.

The answer is exact for every small hand (`OpeningHand.is_small`), and for any hand for which the closed form
applies and neither runs, canastas nor going out matter. For a larger hand fewer ways are tried: the closed
form for sets, or a lower bound of it, plus one run; or a single canasta. While such a way is laid step by
step it remains among the ways that are tried, and a small hand stays small, so no allowed step leads into a
dead end. A first meld that a person lays at once is checked directly, without a search.
"""

from mypy_extensions import i64

from canasta.engine.cards import BLACK_THREE, JOKER, NATURAL_RANKS, TWO
from canasta.engine.feasibility.opening_hand import UNCLEAR, OpeningHand
from canasta.engine.feasibility.opening_sequences import RunSearch
from canasta.engine.feasibility.opening_sets import SetSearch, has_other_ways, opens_by_one_canasta
from canasta.engine.layout import SEAT_SIZE
from canasta.engine.melds import SMALLEST_MELD
from canasta.engine.state import HandState


def is_out_of_reach(state: HandState) -> bool:
    """Return whether nothing is laid yet and everything that could be laid is worth less than the minimum.

    This is the usual case of a hand that cannot open yet, decided without looking at melds.
    """
    compiled = state.compiled
    if state.melded_now or compiled.concealed_suffices:
        return False
    packed = state.packed
    first: i64 = state.turn * SEAT_SIZE
    values = compiled.values
    twos: int = packed[first + TWO]
    jokers: int = packed[first + JOKER]
    black_threes = state.stop_cards(state.turn)
    wilds = twos + jokers
    points = twos * values[TWO] + jokers * values[JOKER]
    if black_threes >= SMALLEST_MELD:
        points += black_threes * values[BLACK_THREE]
    fewest = 1 if compiled.runs else SMALLEST_MELD - min(wilds, 1)
    longest = 0
    rank: i64
    for rank in range(NATURAL_RANKS):
        count: int = packed[first + rank]
        if count >= fewest:
            points += count * values[rank]
        longest = max(longest, count)
    if compiled.canasta_suffices or compiled.canasta_bonus_counts:
        # A canasta (of a rank, of wilds, or a sequence) may replace the points or add to them.
        if compiled.runs or longest + wilds >= compiled.canasta_size:
            return False
    return points < state.minimum(state.side_of[state.turn]) + state.minimum_surcharge


def can_open_with(hand: OpeningHand) -> bool:
    """Return `Family.can_open` for a hypothetical hand."""
    need = hand.need
    if need <= 0:
        return True
    if hand.size < SMALLEST_MELD and not hand.sets and not hand.runs:
        return False
    if hand.state.compiled.runs:
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
        # The usual case of a hand that cannot open yet.
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
