"""American Canasta: a turn must leave a card to discard, and a first meld must fulfil a contract.

American games have at most one set per rank, which is closed as a canasta, and no sequences or feet; threes
are bonus cards. The rules for sets and discards are in `law.american`.
"""

from canasta.engine.actions.make import turn_can_end_after_trial
from canasta.engine.cards import ACE, BONUS_CARD, JOKER, NATURAL_RANKS, SEVEN, TWO
from canasta.engine.families.classic import Classic
from canasta.engine.feasibility.contract import why_not_contract
from canasta.engine.feasibility.last_discard import LastDiscardSearch
from canasta.engine.law.american import MeldContext, is_dead, why_not_banned
from canasta.engine.law.going_out import can_discard, why_not_out
from canasta.engine.law.reasons import NOTHING_TO_DISCARD, OK, THREE_DISCARD
from canasta.engine.melds import NOT_A_CANASTA
from canasta.engine.state import PLAY, HandState


class American(Classic):
    def __init__(self) -> None:
        self.name = "american"

    def why_not_discard(self, state: HandState, rank: int) -> int:
        """Return why the player to move may not discard a card of this rank, or `OK` (DISC-6 to DISC-8)."""
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

    def refusal_would_block_turn_end(self, state: HandState) -> bool:
        # A player who has not melded can always discard the least bad card, but must also keep one.
        return state.phase == PLAY and state.size(state.turn) < 2

    def why_not_open(self, state: HandState) -> int:
        return why_not_contract(state)

    def meld_context(self, state: HandState) -> MeldContext | None:
        return MeldContext(state)

    def first_meld_search(self, state: HandState) -> LastDiscardSearch | None:
        return LastDiscardSearch(state)

    def can_open(self, state: HandState) -> bool:
        return LastDiscardSearch(state).can_end()

    def why_not_end(self, state: HandState) -> int:
        if state.stuck != OK:
            return state.stuck
        if state.phase != PLAY:
            return OK
        if state.is_opening():
            if self.can_open(state):
                return OK
            reason = why_not_contract(state)
            return reason if reason != OK else NOTHING_TO_DISCARD
        if can_discard(state) or LastDiscardSearch(state).exists():
            return OK
        # With a talon due, or with only a three left, missing canastas are not the reason.
        if state.size(state.turn) > 1 or state.talon_due > 0 or state.bonus_cards(state.turn) > 0:
            return NOTHING_TO_DISCARD
        reason = why_not_out(state, state.turn)
        return reason if reason != OK else NOTHING_TO_DISCARD

    def turn_can_end_after(
        self,
        state: HandState,
        step: int,
        left: int,
        points: int,
        lost: int = NOT_A_CANASTA,
        gained: int = NOT_A_CANASTA,
        joining: int = 1,
        hand: LastDiscardSearch | None = None,
    ) -> bool:
        if state.opened(state.side_of[state.turn]):
            return _leaves_a_discard(state, step, left) or turn_can_end_after_trial(state, step)
        return _ends_with_contract(LastDiscardSearch(state) if hand is None else hand, step)

    def turn_surely_ends(self, state: HandState, left: int) -> bool:
        return False


def _leaves_a_discard(state: HandState, step: int, left: int) -> bool:
    """Return whether this step of an open side surely leaves a card that may be discarded.

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


def _ends_with_contract(hand: LastDiscardSearch, step: int) -> bool:
    """Return whether the turn can be ended after a step of a side that has not opened.

    `hand` can't be used again after a step that takes the pile.
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
    return turn_can_end_after_trial(hand.state, step) if is_met else ends
