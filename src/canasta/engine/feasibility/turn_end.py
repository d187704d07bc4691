"""Check that a turn can still be ended, so that no move leads into a dead end."""

from canasta.engine.cards import BLACK_THREE, WILD_CARD
from canasta.engine.law.going_out import (
    black_threes_can_be_last,
    others_than_black_threes,
    why_not_out,
)
from canasta.engine.law.melding import why_not_set
from canasta.engine.law.reasons import (
    BELOW_MINIMUM,
    BLACK_THREES_ONLY_OUT,
    OK,
)
from canasta.engine.sequences import NO_RUN
from canasta.engine.state import HandState


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
