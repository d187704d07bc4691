"""Cards with rules of their own: black threes, red threes, Caliente cards."""

from canasta.engine.cards import BONUS_CARD, CALIENTE
from canasta.engine.law.going_out import (
    black_threes_can_be_last,
    can_discard,
    can_stop,
    either_answer_ends,
    why_not_out,
)
from canasta.engine.law.reasons import (
    AHEAD_IN_MELDS,
    BELOW_MINIMUM,
    BLACK_THREES_BEFORE_FOOT,
    BLACK_THREES_ONLY_OUT,
    CALIENTE_STOCK_OUT,
    CALIENTE_STRANDS,
    LAYING_STRANDS,
    NO_CALIENTE_CARD,
    NO_RED_THREE,
    NO_THREE,
    NOTHING_TO_LAY_OUT,
    OK,
    RED_THREES_LAY_THEMSELVES,
)
from canasta.engine.state import PLAY, HandState


def why_not_lay_black_threes(state: HandState) -> int:
    """Return why the player, who holds three or more, may not meld black threes now, or `OK` (MELD-8).

    They must be the last meld: along with at most one more card they must empty the hand.
    """
    seat = state.turn
    if state.foot_waits(seat):
        return BLACK_THREES_BEFORE_FOOT
    return OK if black_threes_can_be_last(state) else BLACK_THREES_ONLY_OUT


def why_not_caliente(state: HandState) -> int:
    """Return why the player may not play a Caliente card instead of drawing, or `OK` (CALI-1)."""
    seat = state.turn
    if state.count(seat, CALIENTE) == 0:
        return NO_CALIENTE_CARD
    stock = state.stock_size()
    if stock == 0:
        return CALIENTE_STOCK_OUT
    side = state.side_of[seat]
    melds = state.number_of_sets(side) + len(state.runs[side])
    for other in range(state.sides):
        if other != side and state.number_of_sets(other) + len(state.runs[other]) < melds:
            return AHEAD_IN_MELDS
    left = state.size(seat) - 1
    # If the last card is a red three, its own rule applies; otherwise at least one other card is drawn.
    drawn = max(1, stock - _bonus_cards_unseen(state))
    if max(left, min(state.compiled.caliente_hand, left + drawn)) < 2:
        if not can_stop(state, 1, 0, why_not_out(state, seat) == OK or either_answer_ends(state, seat)):
            return CALIENTE_STRANDS
    return OK


def _bonus_cards_unseen(state: HandState) -> int:
    """Return how many bonus cards the player to move has not seen; the stock may contain them."""
    unseen = state.bonus_in_game - state.bonus_cards(state.turn)
    for bonus in state.bonus:
        unseen -= len(bonus)
    for kind in state.pile:
        if state.compiled.role_of[kind] == BONUS_CARD:
            unseen -= 1
    return unseen


def why_not_lay_bonus(state: HandState) -> int:
    """Return why the player may not lay out a red three kept in the hand, or `OK` (TURN-4)."""
    seat = state.turn
    if state.compiled.keep_three:
        return _why_not_lay_three(state)
    if state.compiled.natural_threes:
        return NOTHING_TO_LAY_OUT
    if not state.compiled.by_hand:
        return RED_THREES_LAY_THEMSELVES
    if state.bonus_cards(seat) == 0:
        return NO_RED_THREE
    if state.is_opening():
        return BELOW_MINIMUM
    if state.stock_size() > 0:
        return OK
    if state.phase != PLAY:
        return OK
    left = state.size(seat) - 1
    can_go_out = why_not_out(state, seat) == OK or (left > 0 and either_answer_ends(state, seat))
    return OK if can_stop(state, left, state.bonus_cards(seat) - 1, can_go_out) else LAYING_STRANDS


def _why_not_lay_three(state: HandState) -> int:
    """Return why the player may not lay out the three that was kept, or `OK` (TURN-6)."""
    if state.bonus_cards(state.turn) == 0:
        return NO_THREE
    if state.is_opening():
        return BELOW_MINIMUM
    if state.stock_size() > 0 or state.phase != PLAY:
        return OK
    trial = state.copy()
    trial.remove(trial.turn, trial.any_bonus_card(trial.turn))
    return OK if trial.size(trial.turn) > 0 and can_discard(trial) else LAYING_STRANDS
