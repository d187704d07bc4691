"""The pile: when it may be taken, and taking it; `ways_to_take` has which ways are open."""

from canasta.engine.cards import BONUS_CARD, NATURAL_CARD
from canasta.engine.cards_in_play import NOT_A_CANASTA, SAMBA
from canasta.engine.events import BonusLaid, PileTaken
from canasta.engine.law.exacting import is_dead, why_not_on_set
from canasta.engine.law.going_out import has_canastas
from canasta.engine.law.melding import (
    lengthens_a_run,
    set_can_grow,
    slot_to_join,
    why_not_cards,
    why_not_extend_run,
    why_not_set,
)
from canasta.engine.law.ways_to_take import (
    ONTO_CANASTA,
    ONTO_RUN,
    ONTO_SAMBA,
    ONTO_SET,
    WITH_NATURAL_AND_WILD,
    place_of,
)
from canasta.engine.law.why_not import (
    DEAD_TOP_CARD,
    FROZEN_AT_THE_DEAL,
    MUST_TAKE_TOP_CARD,
    NEEDS_NATURAL_PAIR,
    NEEDS_PAIR,
    NO_NATURAL_AND_WILD,
    NO_PUT_BACK,
    NO_WILDS_ON_CANASTA,
    NOTHING_TO_PUT_BACK,
    OK,
    ONE_CARD_AND_NOT_OUT,
    ONE_CARD_AND_SINGLE,
    PILE_DOES_NOT_GO_ON,
    PILE_IS_EMPTY,
    PUT_BACK_BEFORE,
    PUT_BACK_WITHOUT_STOCK,
    RANK_STAYS_PURE,
    TOP_CARD_CANNOT_BE_TAKEN,
)
from canasta.engine.meld_names import NEW
from canasta.engine.prepared import WILDS_IN_OPENING, PreparedRules
from canasta.engine.runs import run_length
from canasta.engine.state import HandState


def why_not_touch_pile(state: HandState) -> int:
    """What keeps the player to move from taking the pile in any way at all."""
    if state.pile_size() == 0:
        return PILE_IS_EMPTY
    if state.took_back:
        return PUT_BACK_BEFORE
    if state.prepared.role_of[state.top_card()] != NATURAL_CARD:
        return TOP_CARD_CANNOT_BE_TAKEN
    if state.prepared.dead_ranks:
        if is_dead(state, state.side_of[state.turn], state.prepared.rank_of[state.top_card()]):
            return DEAD_TOP_CARD
    if state.frozen and state.pile_is_from_deal and state.prepared.bars_first_player:
        return FROZEN_AT_THE_DEAL
    if state.prepared.one_card_not_single and state.pile_size() == 1:
        if bars_single_pile(state.prepared, state.size(state.turn), state.at == state.deck_size()):
            return ONE_CARD_AND_SINGLE
    return OK


def bars_single_pile(prepared: PreparedRules, hand: int, stock_is_out: bool) -> bool:
    """May a player with so many cards not take a pile of one card (PILE-11)?"""
    return prepared.one_card_not_single and hand == 1 and not (stock_is_out and prepared.single_at_stock_end)


def why_not_take_as_it_lies(state: HandState) -> int:
    """May the player to move take the pile as it lies, where that is the way (PILE-16)? Whether its top card
    can be used is another question."""
    if state.pile_size() == 0:
        return PILE_IS_EMPTY
    # Once the stock is out the pile does not keep the hand going (END-9).
    return PILE_DOES_NOT_GO_ON if state.prepared.last_draw_ends and state.stock_is_out() else OK


def why_not_take_with(state: HandState, naturals: int, wilds: int) -> int:
    """May the top card be taken with so many cards of its rank and wilds from the hand?"""
    prepared = state.prepared
    side = state.side_of[state.turn]
    if naturals < 2:
        reason = why_not_by(state, WITH_NATURAL_AND_WILD)
        if naturals == 0 or wilds == 0:
            if reason == OK:
                return NEEDS_PAIR
            if reason == NO_NATURAL_AND_WILD:
                return NEEDS_NATURAL_PAIR
        if reason != OK:
            return reason
    if must_take_top_card(state):
        return MUST_TAKE_TOP_CARD
    row = state.prepared.rank_of[state.top_card()]
    slot = slot_to_join(state, side, row)
    reason = why_not_set(state, side, row, slot, naturals + 1, wilds)
    if reason == OK and prepared.exacting:
        if wilds > 0 and prepared.rank_wilds[row] == WILDS_IN_OPENING and state.wilds(side, row) == 0:
            return RANK_STAYS_PURE
        reason = why_not_on_set(state, row, naturals + 1, wilds)
    if reason == OK and wilds > 0 and naturals + wilds > 2 and slot != NEW and not prepared.wilds_on_canasta:
        return _why_not_wilds_later(state, slot, naturals, wilds)
    return reason


def _why_not_wilds_later(state: HandState, slot: int, naturals: int, wilds: int) -> int:
    """May wilds join this set together with the top card, where none may join a canasta (MELD-4)?

    The cards that take the pile come first: two naturals, or a natural and a wild where they may. Together
    with the top card they may complete a canasta, and then the wilds that are left come too late.
    """
    prepared = state.prepared
    side = state.side_of[state.turn]
    there = state.naturals(side, slot)
    wilds_there = state.wilds(side, slot)
    if why_not_take_with(state, 1, 1) == OK:
        if why_not_cards(prepared, 0, there + 2, wilds_there + 1, naturals - 1, wilds - 1) == OK:
            return OK
    if naturals < 2:
        return NO_WILDS_ON_CANASTA
    return why_not_cards(prepared, 0, there + 3, wilds_there, naturals - 2, wilds)


def why_not_take_onto_set(state: HandState, slot: int) -> int:
    """May the top card be taken by adding it to this set of its rank?"""
    side = state.side_of[state.turn]
    prepared = state.prepared
    is_canasta = state.set_size(side, slot) >= prepared.canasta_size
    reason = why_not_by(state, ONTO_CANASTA if is_canasta else ONTO_SET)
    if reason != OK:
        return reason
    row = state.prepared.rank_of[state.top_card()]
    reason = why_not_set(state, side, row, slot, 1, 0)
    if reason == OK and prepared.one_card_must_go_out and state.size(state.turn) == 1:
        naturals = state.naturals(side, slot)
        wilds = state.wilds(side, slot)
        lost = state.canasta_kind(naturals, wilds)
        if not has_canastas(state, side, lost, state.canasta_kind(naturals + 1, wilds)):
            return ONE_CARD_AND_NOT_OUT
    return reason


def why_not_take_onto_run(state: HandState, run: int) -> int:
    """May the top card be taken by adding it to this run?"""
    prepared = state.prepared
    reason = why_not_by(state, ONTO_SAMBA if run_length(run) >= prepared.canasta_size else ONTO_RUN)
    if reason != OK:
        return reason
    top = state.top_card()
    reason = why_not_extend_run(state, run, state.prepared.rank_of[top], top & 3)
    if reason == OK and prepared.one_card_must_go_out and state.size(state.turn) == 1:
        done = run_length(run) + 1 == prepared.canasta_size
        side = state.side_of[state.turn]
        if not has_canastas(state, side, NOT_A_CANASTA, SAMBA if done else NOT_A_CANASTA):
            return ONE_CARD_AND_NOT_OUT
    return reason


def why_not_by(state: HandState, way: int) -> int:
    """What keeps the player to move from this way of taking the pile (`ways_to_take`), whatever the cards."""
    opened = state.opened(state.side_of[state.turn])
    return state.prepared.ways_of_taking[place_of(way, state.frozen, opened)]


def fits_a_meld(state: HandState) -> bool:
    """The top card may be taken by adding it to some meld of the side, as far as the pile's rules go."""
    if why_not_touch_pile(state) != OK:
        return False
    side = state.side_of[state.turn]
    rank = state.prepared.rank_of[state.top_card()]
    rows = state.prepared.slots.rows
    for number in range(state.set_count(side)):
        slot = state.slot_of_set(side, number)
        if rows[slot] == rank and why_not_take_onto_set(state, slot) == OK:
            return True
    return any(why_not_take_onto_run(state, run) == OK for run in state.runs[side])


def could_take_onto_meld(state: HandState, side: int, rank: int) -> bool:
    """A side that has opened could add a top card of this rank, whatever its suit, to a meld of its own and
    so take a pile that no card freezes."""
    prepared = state.prepared
    ways = prepared.ways_of_taking
    slot = prepared.slots.first_slot(rank)
    for _ in range(prepared.slots.per_row):
        size = state.set_size(side, slot)
        if size == 0:
            break
        way = ONTO_CANASTA if size >= prepared.canasta_size else ONTO_SET
        if ways[place_of(way, False, True)] == OK and set_can_grow(state, side, slot):
            return True
        slot += 1
    return ways[place_of(ONTO_RUN, False, True)] == OK and lengthens_a_run(state, side, rank)


def must_take_top_card(state: HandState) -> bool:
    """The stock is out and the top card, fitting a meld, must be taken alone (END-6)."""
    return (
        state.prepared.top_card_alone
        and state.stock_is_out()
        and not state.frozen
        and not state.prepared.always_frozen
        and fits_a_meld(state)
    )


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


def lay_out_bonus_card(state: HandState, seat: int, kind: int) -> None:
    side = state.side_of[seat]
    state.bonus[side] = [*state.bonus[side], kind]
    state.changes += 1
    if state.log is not None:
        state.log.append(BonusLaid(seat, kind))


def pick_up_pile(state: HandState, seat: int) -> None:
    """The pile under the top card comes into the hand; red threes are laid out and not replaced."""
    state.pile_due = False
    if state.log is not None:
        state.log.append(PileTaken(seat, state.taken_top, tuple(state.pile)))
    for kind in state.pile:
        if state.prepared.role_of[kind] == BONUS_CARD:
            lay_out_bonus_card(state, seat, kind)
        else:
            state.give(seat, kind)
            state.note_known(seat, kind, 1)
    state.set_pile([])
    state.frozen = False
