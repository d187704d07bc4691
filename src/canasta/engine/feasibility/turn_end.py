"""Check that a turn can still be ended, so that no move leads into a dead end."""

from canasta.engine.cards import BLACK_THREE, NATURAL_RANKS, WILD_CARD
from canasta.engine.feasibility.contract import why_not_contract
from canasta.engine.feasibility.last_discard import WayOut
from canasta.engine.feasibility.opening import can_open
from canasta.engine.law.discard import can_discard, why_not_throw
from canasta.engine.law.going_out import (
    black_threes_can_be_last,
    can_stop,
    others_than_black_threes,
    why_not_out,
)
from canasta.engine.law.melding import canasta_of_run, why_not_extend_run, why_not_set
from canasta.engine.law.reasons import (
    BELOW_MINIMUM,
    BLACK_THREES_ONLY_OUT,
    NOTHING_TO_DISCARD,
    OK,
    OUT_ONLY_BY_DISCARD,
)
from canasta.engine.melds import NOT_A_CANASTA, SAMBA, run_length
from canasta.engine.sequences import EITHER_END, NO_RUN, run_with
from canasta.engine.state import PLAY, HandState


def _last_card_goes_out(state: HandState, seat: int) -> bool:
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
    if state.compiled.long_runs:
        return _last_card_on_run(state, seat, state.any_kind(seat, rank))
    if rank < NATURAL_RANKS and state.runs[side]:
        kind = state.any_kind(seat, rank)
        for run in state.runs[side]:
            if why_not_extend_run(state, run, rank, kind & 3) == OK:
                done = run_length(run) + 1 == state.compiled.canasta_size
                if why_not_out(state, seat, NOT_A_CANASTA, SAMBA if done else NOT_A_CANASTA) == OK:
                    return True
    return False


def _last_card_on_run(state: HandState, seat: int, kind: int) -> bool:
    compiled = state.compiled
    for run in state.runs[state.side_of[seat]]:
        after = run_with(compiled.run_rules, run, [kind], EITHER_END)
        if after == NO_RUN:
            continue
        lost = canasta_of_run(compiled, run)
        if state.foot_waits(seat) or why_not_out(state, seat, lost, canasta_of_run(compiled, after)) == OK:
            return True
    return False


def _why_not_end_with_last_card(state: HandState, seat: int) -> int:
    """Return why a turn with one card left cannot end, in games that
    forbid some discards, or `OK` (DISC-8, DISC-9)."""
    rank = 0
    while state.count(seat, rank) == 0:
        rank += 1
    reason = why_not_throw(state, state.any_kind(seat, rank))
    return OK if reason == OK or _last_card_goes_out(state, seat) else reason


def why_not_end(state: HandState) -> int:
    """Return why the player to move cannot bring this turn to a legal end, or `OK` (DISC-4).

    The answer is exact: `OK` if and only if some sequence of further melds and a discard (or going out, or
    keeping the last card if allowed) is legal, whatever cards the stock may still give.
    """
    if state.stuck != OK:
        return state.stuck
    if state.phase != PLAY:
        return OK
    seat = state.turn
    if state.compiled.american:
        return _why_not_end_exactly(state)
    if state.black_threes_now:
        return _why_not_end_with_black_threes(state)
    if state.is_opening():
        return OK if can_open(state) else BELOW_MINIMUM
    size = state.size(seat)
    if state.compiled.long_runs and size == 1 and not state.top_due:
        return _why_not_end_with_last_card(state, seat)
    red_threes = state.bonus_cards(seat)
    reason = why_not_out(state, seat)
    if can_stop(state, size, red_threes, reason == OK):
        return OK
    if state.compiled.out_by_discard:
        return OUT_ONLY_BY_DISCARD if reason == OK else reason
    if size == 1 and red_threes == 0 and _last_card_goes_out(state, seat):
        return OK
    return reason


def _why_not_end_exactly(state: HandState) -> int:
    """Return `why_not_end` for games that forbid some discards and put conditions on the first meld."""
    if state.is_opening():
        if can_open(state):
            return OK
        reason = why_not_contract(state)
        return reason if reason != OK else NOTHING_TO_DISCARD
    if can_discard(state) or WayOut(state).exists():
        return OK
    # With a talon due, or with only a three left, missing canastas are not the reason.
    if state.size(state.turn) > 1 or state.talon_due > 0 or state.bonus_cards(state.turn) > 0:
        return NOTHING_TO_DISCARD
    reason = why_not_out(state, state.turn)
    return reason if reason != OK else NOTHING_TO_DISCARD


def _why_not_end_with_black_threes(state: HandState) -> int:
    """Return `why_not_end` once black threes are laid: only more of them and a last discard can follow."""
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
