"""The discard that ends a turn, and keeping the last card instead."""

from canasta.engine.cards import BONUS_CARD, RANKS, WILD_CARD
from canasta.engine.feasibility.contract import why_not_contract
from canasta.engine.law.american import why_not_banned
from canasta.engine.law.going_out import why_not_out
from canasta.engine.law.reasons import (
    BELOW_MINIMUM,
    BLACK_THREES_LAST,
    KEEP_BUT_CAN_GO_OUT,
    KEEP_NOT_ALLOWED,
    KEEP_WITH_MORE_CARDS,
    NO_DISCARD_AFTER_LAST_RED_THREE,
    NOT_THROWN_BACK,
    OK,
    RED_THREE_DISCARD,
    THREE_DISCARD,
    TOP_CARD_FIRST,
    WILD_CANNOT_BE_LAST,
)
from canasta.engine.melds import ROW_BLACK_THREES, SMALLEST_MELD
from canasta.engine.state import HandState


def why_not_discard(state: HandState, rank: int) -> int:
    """Return why the player to move may not discard a card of this rank, or `OK`."""
    seat = state.turn
    if state.compiled.american:
        return _why_not_american(state, rank)
    if state.compiled.role_of_rank[rank] == BONUS_CARD:
        return RED_THREE_DISCARD
    if state.no_discard:
        return NO_DISCARD_AFTER_LAST_RED_THREE
    if state.is_opening():
        return BELOW_MINIMUM
    if state.top_due:
        return TOP_CARD_FIRST
    if state.black_threes_now and (state.size(seat) >= 2 or _black_threes_laid(state) < SMALLEST_MELD):
        return BLACK_THREES_LAST
    if state.size(seat) >= 2:
        return OK
    return OK if state.foot_waits(seat) else why_not_out(state, seat)


def why_not_throw(state: HandState, kind: int) -> int:
    """Return why the player to move may not discard this particular card, or `OK`."""
    compiled = state.compiled
    reason = why_not_discard(state, compiled.rank_of[kind])
    if reason != OK:
        return reason
    if kind == state.not_returned:
        return NOT_THROWN_BACK
    seat = state.turn
    if compiled.natural_last and state.size(seat) == 1 and not state.foot_waits(seat):
        return WILD_CANNOT_BE_LAST if compiled.role_of[kind] == WILD_CARD else OK
    return OK


def _why_not_american(state: HandState, rank: int) -> int:
    """Return `why_not_discard` for games that forbid some discards (DISC-6 to DISC-8)."""
    seat = state.turn
    if state.is_opening():
        return why_not_contract(state)
    if state.size(seat) == 1:
        reason = why_not_out(state, seat)
        if reason == OK:
            return THREE_DISCARD if state.compiled.role_of_rank[rank] == BONUS_CARD else OK
        if state.talon_due == 0:
            return reason
    return why_not_banned(state, rank)


def can_discard(state: HandState) -> bool:
    """Return whether any card of the hand may be discarded now."""
    for rank in range(RANKS):
        if state.count(state.turn, rank) > 0 and why_not_discard(state, rank) == OK:
            return True
    return False


def _black_threes_laid(state: HandState) -> int:
    return state.size_of_set(state.side_of[state.turn], state.compiled.slots.first_slot(ROW_BLACK_THREES))


def why_not_keep(state: HandState) -> int:
    """Return why the player may not keep the last card instead of discarding it, or `OK` (DISC-5)."""
    if not state.compiled.keep_last_card:
        return KEEP_NOT_ALLOWED
    if state.size(state.turn) != 1:
        return KEEP_WITH_MORE_CARDS
    if state.is_opening():
        return BELOW_MINIMUM
    return KEEP_BUT_CAN_GO_OUT if why_not_out(state, state.turn) == OK else OK
