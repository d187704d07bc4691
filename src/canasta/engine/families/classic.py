"""Classic Canasta and the games close to it: sets, and sequences without wild cards."""

from canasta.engine.actions.codec import EXTEND_RUN, START_BLACK_THREES, START_RUN
from canasta.engine.actions.legal import play_steps
from canasta.engine.actions.make import turn_can_end_after_trial
from canasta.engine.actions.space import possible_steps
from canasta.engine.cards import BONUS_CARD, NATURAL_RANKS
from canasta.engine.compiled_rules import CompiledRules
from canasta.engine.family import Family
from canasta.engine.feasibility.last_discard import LastDiscardSearch
from canasta.engine.feasibility.opening_hand import OpeningHand
from canasta.engine.feasibility.turn_end import (
    can_open_with,
    is_out_of_reach,
    last_card_goes_out,
    why_not_end_with_black_threes,
)
from canasta.engine.law.american import MeldContext
from canasta.engine.law.going_out import can_stop, why_not_out
from canasta.engine.law.melding import why_not_extend_run
from canasta.engine.law.reasons import (
    BELOW_MINIMUM,
    BLACK_THREES_LAST,
    NO_DISCARD_AFTER_LAST_RED_THREE,
    OK,
    OUT_ONLY_BY_DISCARD,
    RED_THREE_DISCARD,
    TOP_CARD_FIRST,
)
from canasta.engine.melds import (
    MIXED,
    NOT_A_CANASTA,
    ROW_BLACK_THREES,
    SAMBA,
    SMALLEST_MELD,
    pack_run,
    run_length,
    run_low,
    run_suit,
)
from canasta.engine.moves.melding import add_to_set_or_run, lay_sets_and_runs
from canasta.engine.moves.referee import Referee, looks_like_run
from canasta.engine.moves.types import Add
from canasta.engine.position import lay_set_or_run
from canasta.engine.sequences import NO_RUN
from canasta.engine.state import PLAY, HandState


class Classic(Family):
    def __init__(self) -> None:
        self.name = "classic"

    # -- the law --------------------------------------------------------------------------------------

    def why_not_discard(self, state: HandState, rank: int) -> int:
        seat = state.turn
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

    def refusal_would_block_turn_end(self, state: HandState) -> bool:
        seat = state.turn
        return state.phase == PLAY and not can_stop(state, state.size(seat), state.bonus_cards(seat), False)

    def why_not_open(self, state: HandState) -> int:
        compiled = state.compiled
        seat = state.turn
        side = state.side_of[seat]
        if state.opening_points >= state.minimum(side) + state.minimum_surcharge:
            return OK
        canastas = state.canasta_counts(side)
        if compiled.canasta_suffices and canastas[0] + canastas[1] + canastas[2] + canastas[3] > 0:
            return OK
        goes_out = (
            compiled.concealed_suffices
            and not (state.pile_due and state.pile_size() > 0)
            and state.size(seat) <= 1
            and not (state.size(seat) == 0 and compiled.out_by_discard)
            and not state.foot_waits(seat)
            and why_not_out(state, seat) == OK
        )
        return OK if goes_out else BELOW_MINIMUM

    def meld_context(self, state: HandState) -> MeldContext | None:
        return None

    def canasta_of_run(self, compiled: CompiledRules, run: int) -> int:
        return SAMBA if run_length(run) == compiled.canasta_size else NOT_A_CANASTA

    def in_order(self, run: int, kinds: list[int]) -> list[int]:
        return sorted(kinds)

    def run_with(self, state: HandState, run: int, kind: int) -> int:
        rank = state.compiled.rank_of[kind]
        if rank >= NATURAL_RANKS or why_not_extend_run(state, run, rank, kind & 3) != OK:
            return NO_RUN
        return pack_run(run_suit(run), min(run_low(run), rank), run_length(run) + 1)

    # -- whether the turn can end ---------------------------------------------------------------------

    def first_meld_search(self, state: HandState) -> LastDiscardSearch | None:
        return None

    def can_open(self, state: HandState) -> bool:
        return not is_out_of_reach(state) and can_open_with(OpeningHand(state))

    def why_not_end(self, state: HandState) -> int:
        if state.stuck != OK:
            return state.stuck
        if state.phase != PLAY:
            return OK
        seat = state.turn
        if state.black_threes_now:
            return why_not_end_with_black_threes(state)
        if state.is_opening():
            return OK if self.can_open(state) else BELOW_MINIMUM
        size = state.size(seat)
        red_threes = state.bonus_cards(seat)
        reason = why_not_out(state, seat)
        if can_stop(state, size, red_threes, reason == OK):
            return OK
        if state.compiled.out_by_discard:
            return OUT_ONLY_BY_DISCARD if reason == OK else reason
        if size == 1 and red_threes == 0 and last_card_goes_out(state, seat):
            return OK
        return reason

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
        seat = state.turn
        side = state.side_of[seat]
        if state.compiled.by_hand and state.bonus_cards(seat) > 0:
            return turn_can_end_after_trial(state, step)
        if not state.opened(side):
            if left >= 2 and state.opening_points + points >= state.minimum(side) + state.minimum_surcharge:
                # If the top card does not count, taking the pile raises the minimum: only a trial can decide.
                if state.phase == PLAY or state.compiled.top_card_counts:
                    return True
            if state.phase == PLAY and gained == NOT_A_CANASTA:
                return _can_open_after(state, step)
            return turn_can_end_after_trial(state, step)
        if left >= 2 or state.foot_waits(seat):
            return True
        if left == 1 and (state.no_discard or state.compiled.keep_last_card):
            return True
        if (left == 1 or not state.compiled.out_by_discard) and why_not_out(state, seat, lost, gained) == OK:
            return True
        return left == 1 and _nears_a_canasta(state, side, joining) and turn_can_end_after_trial(state, step)

    def turn_surely_ends(self, state: HandState, left: int) -> bool:
        if left < 2 or not state.opened(state.side_of[state.turn]):
            return False
        return not state.compiled.by_hand or state.bonus_cards(state.turn) == 0

    # -- steps and moves ------------------------------------------------------------------------------

    def play_steps(self, state: HandState, steps: list[int]) -> None:
        play_steps(state, steps)

    def possible_steps(self, compiled: CompiledRules) -> list[int]:
        return possible_steps(compiled)

    def looks_like_run(self, group: tuple[int, ...]) -> bool:
        return looks_like_run(group)

    def lay_groups(self, referee: Referee, groups: list[list[int]]) -> None:
        lay_sets_and_runs(referee, groups)

    def add_cards(self, referee: Referee, move: Add, index: int) -> None:
        add_to_set_or_run(referee, move, index)

    def lay_given(self, state: HandState, seat: int, kinds: list[int]) -> None:
        lay_set_or_run(state, seat, kinds)


def _black_threes_laid(state: HandState) -> int:
    return state.size_of_set(state.side_of[state.turn], state.compiled.slots.first_slot(ROW_BLACK_THREES))


def _can_open_after(state: HandState, step: int) -> bool:
    """Return whether the first meld can still reach its minimum after this step, which lays cards."""
    decoded = state.compiled.layout.decoded[step]
    what = decoded.what
    if what == EXTEND_RUN or what == START_BLACK_THREES:
        return turn_can_end_after_trial(state, step)
    hand = OpeningHand(state)
    if what == START_RUN:
        hand.lay_run(decoded.row, SMALLEST_MELD, decoded.suit)
    else:
        hand.lay_on_set(decoded.row, decoded.slot, decoded.suits, decoded.twos, decoded.jokers)
    return can_open_with(hand) if hand.need > 0 else turn_can_end_after_trial(state, step)


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
