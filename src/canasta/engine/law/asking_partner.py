"""Asking the partner for permission to go out."""

from canasta.engine.law.going_out import no_would_strand
from canasta.engine.law.reasons import (
    ASK_BEFORE_MELDING,
    ASKED_BEFORE,
    ASKED_TOO_OFTEN,
    ASKING_STRANDS,
    NO_ASKING,
    NOBODY_TO_ASK,
    OK,
)
from canasta.engine.state import NOT_ASKED, HandState


def why_not_ask(state: HandState) -> int:
    """Return why the player may not ask the partner "may I go out?", or `OK` (OUT-3)."""
    if not state.compiled.may_ask:
        return NO_ASKING
    if state.melded_now:
        return ASK_BEFORE_MELDING
    if state.asked != NOT_ASKED:
        return ASKED_BEFORE
    if 0 < state.compiled.ask_limit <= state.asks(state.side_of[state.turn]):
        return ASKED_TOO_OFTEN
    if state.partner[state.turn] < 0:
        return NOBODY_TO_ASK
    return ASKING_STRANDS if not state.compiled.must_ask and no_would_strand(state) else OK
