"""The pile: whether it is frozen, and when and how it may be taken. `rule_tables` lists the ways to take
it."""

from canasta.engine.cards import NATURAL_CARD
from canasta.engine.compiled_rules import WILDS_IN_OPENING, CompiledRules
from canasta.engine.law.american import is_dead, why_not_on_set
from canasta.engine.law.going_out import has_canastas
from canasta.engine.law.melding import (
    lengthens_a_run,
    set_can_grow,
    slot_to_join,
    why_not_cards,
    why_not_extend_run,
    why_not_set,
)
from canasta.engine.law.reasons import (
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
from canasta.engine.melds import NEW, NOT_A_CANASTA, SAMBA, run_length
from canasta.engine.rule_tables import (
    ONTO_CANASTA,
    ONTO_RUN,
    ONTO_SAMBA,
    ONTO_SET,
    WITH_NATURAL_AND_WILD,
    place_of,
)
from canasta.engine.state import HandState


def is_frozen(state: HandState) -> bool:
    """Return whether the pile is frozen, by a card in it (PILE-8) or because it always is (PILE-9).

    Code that runs at every step reads `HandState.frozen` and `CompiledRules.always_frozen` directly.
    """
    return state.frozen or state.compiled.always_frozen


def why_not_touch_pile(state: HandState) -> int:
    """Return why the player to move can't take the pile in any way at all, or `OK`."""
    if state.pile_size() == 0:
        return PILE_IS_EMPTY
    if state.took_back:
        return PUT_BACK_BEFORE
    if state.compiled.role_of[state.top_card()] != NATURAL_CARD:
        return TOP_CARD_CANNOT_BE_TAKEN
    if state.compiled.dead_ranks:
        if is_dead(state, state.side_of[state.turn], state.compiled.rank_of[state.top_card()]):
            return DEAD_TOP_CARD
    if state.frozen and state.pile_is_from_deal and state.compiled.bars_first_player:
        return FROZEN_AT_THE_DEAL
    if state.compiled.one_card_not_single and state.pile_size() == 1:
        if bars_single_pile(state.compiled, state.size(state.turn), state.at == state.deck_size()):
            return ONE_CARD_AND_SINGLE
    return OK


def bars_single_pile(compiled: CompiledRules, hand: int, stock_is_out: bool) -> bool:
    """Return whether a player with `hand` cards is barred from a one-card pile (PILE-11)."""
    return compiled.one_card_not_single and hand == 1 and not (stock_is_out and compiled.single_at_stock_end)


def why_not_take_as_it_lies(state: HandState) -> int:
    """Return why the player to move may not take the whole pile, in games that allow it, or `OK` (PILE-16).

    This does not check whether the top card can be used.
    """
    if state.pile_size() == 0:
        return PILE_IS_EMPTY
    # Once the stock is out, taking the pile cannot prolong the hand (END-9).
    return PILE_DOES_NOT_GO_ON if state.compiled.last_draw_ends and state.stock_is_out() else OK


def why_not_take_with(state: HandState, naturals: int, wilds: int) -> int:
    """Return why the top card may not be taken with these naturals and wilds from the hand, or `OK`."""
    compiled = state.compiled
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
    row = state.compiled.rank_of[state.top_card()]
    slot = slot_to_join(state, side, row)
    reason = why_not_set(state, side, row, slot, naturals + 1, wilds)
    if reason == OK:
        if wilds > 0 and compiled.rank_wilds[row] == WILDS_IN_OPENING and state.wilds(side, row) == 0:
            return RANK_STAYS_PURE
        reason = why_not_on_set(state, row, naturals + 1, wilds)
    if reason == OK and wilds > 0 and naturals + wilds > 2 and slot != NEW and not compiled.wilds_on_canasta:
        return _why_not_wilds_later(state, slot, naturals, wilds)
    return reason


def _why_not_wilds_later(state: HandState, slot: int, naturals: int, wilds: int) -> int:
    """Return why wilds may not join this set with the top card, if none may join a canasta, or `OK` (MELD-4).

    The cards that take the pile go first: two naturals, or a natural and a wild if that is allowed. Together
    with the top card they may complete a canasta; the remaining wilds may then not join it.
    """
    compiled = state.compiled
    side = state.side_of[state.turn]
    there = state.naturals(side, slot)
    wilds_there = state.wilds(side, slot)
    if why_not_take_with(state, 1, 1) == OK:
        if why_not_cards(compiled, 0, there + 2, wilds_there + 1, naturals - 1, wilds - 1) == OK:
            return OK
    if naturals < 2:
        return NO_WILDS_ON_CANASTA
    return why_not_cards(compiled, 0, there + 3, wilds_there, naturals - 2, wilds)


def why_not_take_onto_set(state: HandState, slot: int) -> int:
    """Return why the top card may not be taken onto this set of its rank, or `OK`."""
    side = state.side_of[state.turn]
    compiled = state.compiled
    is_canasta = state.size_of_set(side, slot) >= compiled.canasta_size
    reason = why_not_by(state, ONTO_CANASTA if is_canasta else ONTO_SET)
    if reason != OK:
        return reason
    row = state.compiled.rank_of[state.top_card()]
    reason = why_not_set(state, side, row, slot, 1, 0)
    if reason == OK and compiled.one_card_must_go_out and state.size(state.turn) == 1:
        naturals = state.naturals(side, slot)
        wilds = state.wilds(side, slot)
        lost = state.canasta_kind(naturals, wilds)
        if not has_canastas(state, side, lost, state.canasta_kind(naturals + 1, wilds)):
            return ONE_CARD_AND_NOT_OUT
    return reason


def why_not_take_onto_run(state: HandState, run: int) -> int:
    """Return why the top card may not be taken onto this run, or `OK`."""
    compiled = state.compiled
    reason = why_not_by(state, ONTO_SAMBA if run_length(run) >= compiled.canasta_size else ONTO_RUN)
    if reason != OK:
        return reason
    top = state.top_card()
    reason = why_not_extend_run(state, run, state.compiled.rank_of[top], top & 3)
    if reason == OK and compiled.one_card_must_go_out and state.size(state.turn) == 1:
        done = run_length(run) + 1 == compiled.canasta_size
        side = state.side_of[state.turn]
        if not has_canastas(state, side, NOT_A_CANASTA, SAMBA if done else NOT_A_CANASTA):
            return ONE_CARD_AND_NOT_OUT
    return reason


def why_not_by(state: HandState, way: int) -> int:
    """Return why this way of taking the pile (see `rule_tables`) is closed, whatever the cards, or `OK`."""
    opened = state.opened(state.side_of[state.turn])
    return state.compiled.ways_of_taking[place_of(way, state.frozen, opened)]


def fits_a_meld(state: HandState) -> bool:
    """Return whether the rules about the pile allow adding the top card to some meld of the side."""
    if why_not_touch_pile(state) != OK:
        return False
    side = state.side_of[state.turn]
    rank = state.compiled.rank_of[state.top_card()]
    rows = state.compiled.slots.rows
    for number in range(state.number_of_sets(side)):
        slot = state.slot_of_set(side, number)
        if rows[slot] == rank and why_not_take_onto_set(state, slot) == OK:
            return True
    return any(why_not_take_onto_run(state, run) == OK for run in state.runs[side])


def could_take_onto_meld(state: HandState, side: int, rank: int) -> bool:
    """Return whether a side could take the pile by adding a top card of this rank to one of its melds.

    The side has opened and the pile is not frozen. The card may have any suit.
    """
    compiled = state.compiled
    ways = compiled.ways_of_taking
    slot = compiled.slots.first_slot(rank)
    for _ in range(compiled.slots.per_row):
        size = state.size_of_set(side, slot)
        if size == 0:
            break
        way = ONTO_CANASTA if size >= compiled.canasta_size else ONTO_SET
        if ways[place_of(way, False, True)] == OK and set_can_grow(state, side, slot):
            return True
        slot += 1
    return ways[place_of(ONTO_RUN, False, True)] == OK and lengthens_a_run(state, side, rank)


def must_take_top_card(state: HandState) -> bool:
    """Return whether the stock is out and the top card must be taken alone, as it fits a meld (END-6)."""
    return (
        state.compiled.top_card_alone
        and state.stock_is_out()
        and not state.frozen
        and not state.compiled.always_frozen
        and fits_a_meld(state)
    )


def why_not_put_back(state: HandState) -> int:
    """Return why the player may not put back the pile just taken, or `OK` (PILE-12)."""
    if not state.compiled.put_back:
        return NO_PUT_BACK
    if state.stock_size() == 0:
        return PUT_BACK_WITHOUT_STOCK
    # Until the first meld reaches its minimum the pile is not taken yet, and the meld can still be completed.
    if state.before_take is None or state.is_opening():
        return NOTHING_TO_PUT_BACK
    return OK
