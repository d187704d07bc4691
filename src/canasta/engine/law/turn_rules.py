"""The smaller questions of a turn: discard, keep, ask, Caliente and Bonus cards, putting back."""

from canasta.engine.cards import CALIENTE, RANK_OF, RED_THREE
from canasta.engine.law.going_out import (
    black_threes_can_be_last,
    can_stop,
    either_answer_ends,
    no_would_strand,
    why_not_out,
)
from canasta.engine.law.melding import SMALLEST_MELD
from canasta.engine.law.why_not import (
    AHEAD_IN_MELDS,
    ASK_BEFORE_MELDING,
    ASKED_BEFORE,
    ASKING_STRANDS,
    BELOW_MINIMUM,
    BLACK_THREES_BEFORE_FOOT,
    BLACK_THREES_LAST,
    BLACK_THREES_ONLY_OUT,
    CALIENTE_STOCK_OUT,
    CALIENTE_STRANDS,
    KEEP_BUT_CAN_GO_OUT,
    KEEP_NOT_ALLOWED,
    KEEP_WITH_MORE_CARDS,
    LAYING_STRANDS,
    NO_ASKING,
    NO_CALIENTE_CARD,
    NO_DISCARD_AFTER_LAST_RED_THREE,
    NO_PUT_BACK,
    NO_RED_THREE,
    NOBODY_TO_ASK,
    NOTHING_TO_PUT_BACK,
    OK,
    PUT_BACK_WITHOUT_STOCK,
    RED_THREE_DISCARD,
    RED_THREES_LAY_THEMSELVES,
)
from canasta.engine.meld_names import ROW_BLACK_THREES
from canasta.engine.state import NOT_ASKED, PLAY, HandState


def why_not_discard(state: HandState, rank: int) -> int:
    """May the player to move end the turn with a card of this rank?"""
    seat = state.turn
    if rank == RED_THREE:
        return RED_THREE_DISCARD
    if state.no_discard:
        return NO_DISCARD_AFTER_LAST_RED_THREE
    if state.is_opening():
        return BELOW_MINIMUM
    if state.black_threes_now and (state.size[seat] >= 2 or _black_threes_laid(state) < SMALLEST_MELD):
        return BLACK_THREES_LAST
    if state.size[seat] >= 2:
        return OK
    return OK if state.foot_waits[seat] else why_not_out(state, seat)


def _black_threes_laid(state: HandState) -> int:
    return state.set_size(state.side_of[state.turn], ROW_BLACK_THREES * state.prepared.slots)


def why_not_keep(state: HandState) -> int:
    """May the player keep the last card instead of discarding it (DISC-5)?"""
    if not state.prepared.keep_last_card:
        return KEEP_NOT_ALLOWED
    if state.size[state.turn] != 1:
        return KEEP_WITH_MORE_CARDS
    if state.is_opening():
        return BELOW_MINIMUM
    return KEEP_BUT_CAN_GO_OUT if why_not_out(state, state.turn) == OK else OK


def why_not_lay_black_threes(state: HandState) -> int:
    """May the player, who holds three or more, meld black threes now (MELD-8)?

    They are the last meld: with them and at most one more card the hand must be played out.
    """
    seat = state.turn
    if state.foot_waits[seat]:
        return BLACK_THREES_BEFORE_FOOT
    return OK if black_threes_can_be_last(state) else BLACK_THREES_ONLY_OUT


def why_not_ask(state: HandState) -> int:
    """May the player ask "may I go out?" (OUT-3)"""
    if not state.prepared.may_ask:
        return NO_ASKING
    if state.melded_now:
        return ASK_BEFORE_MELDING
    if state.asked != NOT_ASKED:
        return ASKED_BEFORE
    if state.partner[state.turn] < 0:
        return NOBODY_TO_ASK
    return ASKING_STRANDS if not state.prepared.must_ask and no_would_strand(state) else OK


def why_not_caliente(state: HandState) -> int:
    """May the player, instead of drawing, play a Caliente card (CALI-1)?"""
    seat = state.turn
    if state.count(seat, CALIENTE) == 0:
        return NO_CALIENTE_CARD
    stock = state.stock_size()
    if stock == 0:
        return CALIENTE_STOCK_OUT
    side = state.side_of[seat]
    melds = len(state.sets[side]) + len(state.runs[side])
    for other in range(state.sides):
        if other != side and len(state.sets[other]) + len(state.runs[other]) < melds:
            return AHEAD_IN_MELDS
    left = state.size[seat] - 1
    # A red three as the last card has its own rule; otherwise at least one other card is drawn.
    drawn = max(1, stock - _red_threes_unseen(state))
    if max(left, min(state.prepared.caliente_hand, left + drawn)) < 2:
        if not can_stop(state, 1, 0, why_not_out(state, seat) == OK or either_answer_ends(state, seat)):
            return CALIENTE_STRANDS
    return OK


def _red_threes_unseen(state: HandState) -> int:
    """How many red threes may lie in the stock, as far as the player to move can know."""
    unseen = state.red_threes - state.count(state.turn, RED_THREE)
    for bonus in state.bonus:
        unseen -= len(bonus)
    for kind in state.pile:
        if RANK_OF[kind] == RED_THREE:
            unseen -= 1
    return unseen


def why_not_lay_bonus(state: HandState) -> int:
    """May the player lay out a red three kept in the hand (TURN-4)?"""
    seat = state.turn
    if not state.prepared.by_hand:
        return RED_THREES_LAY_THEMSELVES
    if state.count(seat, RED_THREE) == 0:
        return NO_RED_THREE
    if state.is_opening():
        return BELOW_MINIMUM
    if state.stock_size() > 0:
        return OK
    if state.phase != PLAY:
        return OK
    left = state.size[seat] - 1
    can_go_out = why_not_out(state, seat) == OK or (left > 0 and either_answer_ends(state, seat))
    return OK if can_stop(state, left, state.count(seat, RED_THREE) - 1, can_go_out) else LAYING_STRANDS


def why_not_put_back(state: HandState) -> int:
    """May the player restore the pile just taken (PILE-12)?"""
    if not state.prepared.put_back:
        return NO_PUT_BACK
    if state.stock_size() == 0:
        return PUT_BACK_WITHOUT_STOCK
    # While a first meld is short of its minimum the pile is not taken yet, and the meld can be completed.
    if state.before_take is None or state.is_opening():
        return NOTHING_TO_PUT_BACK
    return OK
