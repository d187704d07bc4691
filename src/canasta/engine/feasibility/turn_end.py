"""Check that a turn can still be ended, so that no move leads into a dead end.

Most of the code decides whether the first meld of a side can still reach its minimum.

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

from canasta.engine.cards import BLACK_THREE, JOKER, NATURAL_RANKS, TWO, WILD_CARD
from canasta.engine.feasibility.opening_hand import UNCLEAR, OpeningHand
from canasta.engine.feasibility.opening_sequences import RunSearch
from canasta.engine.feasibility.opening_sets import SetSearch, has_other_ways, opens_by_one_canasta
from canasta.engine.law.going_out import black_threes_can_be_last, others_than_black_threes, why_not_out
from canasta.engine.law.melding import why_not_set
from canasta.engine.law.reasons import BELOW_MINIMUM, BLACK_THREES_ONLY_OUT, OK
from canasta.engine.layout import SEAT_SIZE
from canasta.engine.melds import SMALLEST_MELD
from canasta.engine.sequences import NO_RUN
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


def last_card_goes_out(state: HandState, seat: int) -> bool:
    """Return whether the one card in hand can be melded and thereby lets the player go out (DISC-4)."""
    side = state.side_of[seat]
    if state.compiled.out_by_discard and not state.foot_waits(seat):
        return False
    rank = 0
    while state.count(seat, rank) == 0:
        rank += 1
    rows = state.compiled.slots.rows
    wild = 1 if state.compiled.role_of_rank[rank] == WILD_CARD else 0
    for number in range(state.number_of_sets(side)):
        slot = state.slot_of_set(side, number)
        row = rows[slot]
        if state.compiled.rank_of_row[row] != rank and not wild:
            continue
        if why_not_set(state, side, row, slot, 1 - wild, wild) != OK:
            continue
        naturals = state.naturals(side, slot)
        wilds = state.wilds(side, slot)
        lost = state.canasta_kind(naturals, wilds)
        gained = state.canasta_kind(naturals + 1 - wild, wilds + wild)
        if state.foot_waits(seat) or why_not_out(state, seat, lost, gained) == OK:
            return True
    if not state.runs[side]:
        return False
    family = state.compiled.family
    kind = state.any_kind(seat, rank)
    for run in state.runs[side]:
        after = family.run_with(state, run, kind)
        if after == NO_RUN:
            continue
        lost = family.canasta_of_run(state.compiled, run)
        gained = family.canasta_of_run(state.compiled, after)
        if state.foot_waits(seat) or why_not_out(state, seat, lost, gained) == OK:
            return True
    return False


def why_not_end_with_black_threes(state: HandState) -> int:
    """Return why a turn in which black threes were laid cannot end, or `OK`.

    Only more of them and a last discard can follow.
    """
    seat = state.turn
    if not black_threes_can_be_last(state):
        return BLACK_THREES_ONLY_OUT
    no_minimum = state.compiled.concealed_suffices and not (state.pile_due and state.pile_size() > 0)
    if state.is_opening() and not no_minimum:
        more = state.stop_cards(seat)
        if state.compiled.out_by_discard and others_than_black_threes(state) == 0:
            more -= 1  # the last discard
        more *= state.compiled.values[BLACK_THREE]
        if state.opening_points + more < state.minimum(state.side_of[seat]) + state.minimum_surcharge:
            return BELOW_MINIMUM
    return why_not_out(state, seat)
