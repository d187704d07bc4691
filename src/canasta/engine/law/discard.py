"""The discard that ends a turn, and keeping the last card instead."""

from canasta.engine.cards import RANKS, WILD_CARD
from canasta.engine.law.going_out import why_not_out
from canasta.engine.law.reasons import (
    BELOW_MINIMUM,
    KEEP_BUT_CAN_GO_OUT,
    KEEP_NOT_ALLOWED,
    KEEP_WITH_MORE_CARDS,
    NOT_THROWN_BACK,
    OK,
    WILD_CANNOT_BE_LAST,
)
from canasta.engine.state import HandState


def why_not_throw(state: HandState, kind: int) -> int:
    """Return why the player to move may not discard this particular card, or `OK`."""
    compiled = state.compiled
    reason = compiled.family.why_not_discard(state, compiled.rank_of[kind])
    if reason != OK:
        return reason
    if kind == state.not_returned:
        return NOT_THROWN_BACK
    seat = state.turn
    if compiled.natural_last and state.size(seat) == 1 and not state.foot_waits(seat):
        return WILD_CANNOT_BE_LAST if compiled.role_of[kind] == WILD_CARD else OK
    return OK


def can_discard(state: HandState) -> bool:
    """Return whether any card of the hand may be discarded now."""
    family = state.compiled.family
    for rank in range(RANKS):
        if state.count(state.turn, rank) > 0 and family.why_not_discard(state, rank) == OK:
            return True
    return False


def why_not_keep(state: HandState) -> int:
    """Return why the player may not keep the last card instead of discarding it, or `OK` (DISC-5)."""
    if not state.compiled.keep_last_card:
        return KEEP_NOT_ALLOWED
    if state.size(state.turn) != 1:
        return KEEP_WITH_MORE_CARDS
    if state.is_opening():
        return BELOW_MINIMUM
    return KEEP_BUT_CAN_GO_OUT if why_not_out(state, state.turn) == OK else OK
