"""Decide cheaply whether a turn can still be ended after a step."""

from canasta.engine.actions.codec import EXTEND_RUN, START_BLACK_THREES, START_RUN
from canasta.engine.actions.make import make_step
from canasta.engine.cards import ACE, JOKER, NATURAL_RANKS, SEVEN, TWO
from canasta.engine.feasibility.last_discard import WayOut
from canasta.engine.feasibility.opening import can_open_with
from canasta.engine.feasibility.opening_hand import OpeningHand
from canasta.engine.feasibility.turn_end import why_not_end
from canasta.engine.law.american import is_dead
from canasta.engine.law.going_out import why_not_out
from canasta.engine.law.reasons import OK
from canasta.engine.melds import MIXED, NOT_A_CANASTA, SMALLEST_MELD, run_length
from canasta.engine.state import PLAY, HandState


def turn_can_end_after(
    state: HandState,
    step: int,
    left: int,
    points: int,
    lost: int = NOT_A_CANASTA,
    gained: int = NOT_A_CANASTA,
    joining: int = 1,
    hand: WayOut | None = None,
) -> bool:
    """Return whether the turn can be ended after this step.

    The step leaves `left` cards in hand, is worth `points`, changes a canasta from kind `lost` to kind
    `gained`, and lays `joining` cards on one meld. Most steps are decided by these numbers; the rest are
    tried on a copy. `hand` saves time if first melds have a contract: it is that of a player who has drawn
    and whose side has not opened.
    """
    seat = state.turn
    side = state.side_of[seat]
    if state.compiled.american:
        if state.opened(side):
            return _leaves_a_discard(state, step, left) or _trial(state, step)
        return _ends_with_contract(WayOut(state) if hand is None else hand, step)
    if state.compiled.by_hand and state.bonus_cards(seat) > 0:
        return _trial(state, step)
    if not state.opened(side):
        if left >= 2 and state.opening_points + points >= state.minimum(side) + state.minimum_surcharge:
            # If the top card does not count, taking the pile raises the minimum: only a trial can decide.
            if state.phase == PLAY or state.compiled.top_card_counts:
                return True
        if state.phase == PLAY and gained == NOT_A_CANASTA:
            return _can_open_after(state, step)
        return _trial(state, step)
    if left >= 2 or state.foot_waits(seat):
        return True
    if left == 1 and (state.no_discard or state.compiled.keep_last_card):
        return True
    if (left == 1 or not state.compiled.out_by_discard) and why_not_out(state, seat, lost, gained) == OK:
        return True
    return left == 1 and _nears_a_canasta(state, side, joining) and _trial(state, step)


def long_turn_can_end(state: HandState, step: int, left: int) -> bool:
    """Return whether the turn can end after a step that leaves fewer than two cards, with long sequences."""
    # A pot is unseen until it is taken: a player without cards continues with it.
    if state.foot_waits(state.turn) and (left == 0 or state.not_returned < 0):
        return True
    return _trial(state, step)


def turn_surely_ends(state: HandState, left: int) -> bool:
    """Return whether the turn can be ended after any step of an
    open side that leaves this many cards in hand."""
    if left < 2 or state.compiled.american or not state.opened(state.side_of[state.turn]):
        return False
    return not state.compiled.by_hand or state.bonus_cards(state.turn) == 0


def _leaves_a_discard(state: HandState, step: int, left: int) -> bool:
    """Return whether a step of an open side surely leaves a card that may be discarded, if some may not.

    A natural card is barred only from an empty pile, and then only if it is a seven, an ace or dead (see
    `why_not_banned`).
    """
    seat = state.turn
    side = state.side_of[seat]
    if left < 2:
        return False
    if state.phase == PLAY and state.pile_size() > 0:
        naturals = (
            state.size(seat) - state.count(seat, TWO) - state.count(seat, JOKER) - state.bonus_cards(seat)
        )
        return naturals > state.size(seat) - left
    # The pile is empty, or is about to be taken. The step may close the rank that it lays.
    laid = state.compiled.layout.decoded[step].row
    if state.phase != PLAY:
        laid = state.compiled.rank_of[state.top_card()]
    for rank in range(NATURAL_RANKS):
        if rank != laid and rank != SEVEN and rank != ACE and state.count(seat, rank) > 0:
            if not is_dead(state, side, rank):
                return True
    return False


def _ends_with_contract(hand: WayOut, step: int) -> bool:
    """Return whether the turn can be ended after a step of a side that has not opened.

    After a step that takes the pile, the hand can't be used again.
    """
    decoded = hand.compiled.layout.decoded[step]
    row = decoded.row
    if decoded.takes:
        hand.lift_top_card()
        row = hand.top_row
    naturals = len(decoded.suits)
    hand.lay(row, naturals, decoded.twos, decoded.jokers)
    is_met = hand.is_met()
    ends = not is_met and hand.can_end()
    hand.lay(row, -naturals, -decoded.twos, -decoded.jokers)
    return _trial(hand.state, step) if is_met else ends


def _trial(state: HandState, step: int) -> bool:
    trial = state.copy()
    make_step(trial, step)
    return why_not_end(trial) == OK


def _can_open_after(state: HandState, step: int) -> bool:
    """Return whether the first meld can still reach its minimum after this step, which lays cards."""
    decoded = state.compiled.layout.decoded[step]
    what = decoded.what
    if what == EXTEND_RUN or what == START_BLACK_THREES:
        return _trial(state, step)
    hand = OpeningHand(state)
    if what == START_RUN:
        hand.lay_run(decoded.row, SMALLEST_MELD, decoded.suit)
    else:
        hand.lay_on_set(decoded.row, decoded.slot, decoded.suits, decoded.twos, decoded.jokers)
    return can_open_with(hand) if hand.need > 0 else _trial(state, step)


def _nears_a_canasta(state: HandState, side: int, joining: int) -> bool:
    """Return whether the card left after this step might complete a canasta or change its kind."""
    compiled = state.compiled
    if compiled.kinds_needed[MIXED] > 0 or compiled.canasta_size <= SMALLEST_MELD + 1:
        return True
    least = compiled.canasta_size - 1 - joining
    for number in range(state.number_of_sets(side)):
        slot = state.slot_of_set(side, number)
        if least <= state.size_of_set(side, slot) < compiled.canasta_size:
            return True
    return any(least <= run_length(run) < compiled.canasta_size for run in state.runs[side])
