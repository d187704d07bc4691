"""Melds: which cards may be melded together, and where they belong."""

from canasta.engine.cards import NATURAL_RANKS
from canasta.engine.compiled_rules import CompiledRules
from canasta.engine.law.reasons import (
    NO_RUNS,
    NO_WILD_MELDS,
    OK,
    RUN_DOES_NOT_FIT,
    RUN_TOO_LONG,
    TOO_FEW_CARDS,
    WILD_SET_IS_FULL,
)
from canasta.engine.melds import NEW, NO_SUIT, ROW_WILD, SMALLEST_MELD, run_length, run_low, run_suit
from canasta.engine.rule_tables import why_not_naturals
from canasta.engine.state import HandState


def why_not_set(state: HandState, side: int, row: int, slot: int, naturals: int, wilds: int) -> int:
    """Return why these cards may not join this set of the side (`NEW`: start one), or `OK`."""
    there = 0
    wilds_there = 0
    if slot != NEW:
        there = state.naturals(side, slot)
        wilds_there = state.wilds(side, slot)
    return why_not_cards(state.compiled, row, there, wilds_there, naturals, wilds)


def why_not_cards(
    compiled: CompiledRules, row: int, naturals_there: int, wilds_there: int, naturals: int, wilds: int
) -> int:
    """Return why these numbers of naturals and wilds may not join a set with those already there, or `OK`.

    With no cards there, they start a new set.
    """
    if row == ROW_WILD or row == compiled.stop_row:
        size = naturals_there + wilds_there + naturals + wilds
        if size < SMALLEST_MELD:
            return TOO_FEW_CARDS
        if row == compiled.stop_row:
            return OK
        if not compiled.wild_melds:
            return NO_WILD_MELDS
        return OK if size <= compiled.largest_wild_meld else WILD_SET_IS_FULL
    return why_not_naturals(
        compiled.rules.melds, compiled.wild_room, naturals_there, wilds_there, naturals, wilds
    )


def may_start_set(state: HandState, side: int, row: int) -> bool:
    """Return whether the side may start another set of this row (MELD-5)."""
    compiled = state.compiled
    if compiled.any_sets:
        return True
    if compiled.one_set:
        return state.size_of_set(side, row) == 0
    return open_set(state, side, row) == NEW


def open_set(state: HandState, side: int, row: int) -> int:
    """Return the side's first set of this row that isn't a canasta yet, or `NEW`."""
    compiled = state.compiled
    per_row = compiled.slots.per_row
    first = compiled.slots.first_slot(row)
    for slot in range(first, first + per_row):
        size = state.size_of_set(side, slot)
        if size == 0:
            return NEW
        if size < compiled.canasta_size:
            return slot
    return NEW


def slot_to_join(state: HandState, side: int, row: int) -> int:
    """Return the slot for a new group of this row: the set that must take it, or `NEW`."""
    compiled = state.compiled
    if compiled.any_sets:
        return NEW
    if compiled.one_set:
        return row if state.size_of_set(side, row) > 0 else NEW
    return open_set(state, side, row)


def why_not_run(state: HandState, low: int, length: int) -> int:
    """Return why `length` cards in sequence from rank `low` up are not a run, or `OK`; ignores suits."""
    compiled = state.compiled
    if not compiled.runs:
        return NO_RUNS
    if length < SMALLEST_MELD:
        return TOO_FEW_CARDS
    if length > compiled.canasta_size:
        return RUN_TOO_LONG
    return OK if low >= 0 and low + length <= NATURAL_RANKS else RUN_DOES_NOT_FIT


def why_not_extend_run(state: HandState, run: int, rank: int, suit: int) -> int:
    """Return why a card of this rank and suit may not extend the run at either end, or `OK`."""
    length = run_length(run)
    if length >= state.compiled.canasta_size:
        return RUN_TOO_LONG
    suit_of_run = run_suit(run)
    if suit_of_run not in (NO_SUIT, suit):
        return RUN_DOES_NOT_FIT
    low = run_low(run)
    return OK if rank == low - 1 or rank == low + length else RUN_DOES_NOT_FIT


def set_can_grow(state: HandState, side: int, slot: int) -> bool:
    """Return whether this set may take one more card of its rank."""
    growing = state.compiled.growing
    place = state.naturals(side, slot) * growing.stride + state.wilds(side, slot)
    return growing.by_natural[place] == OK


def lengthens_a_run(state: HandState, side: int, rank: int) -> bool:
    """Return whether a card of this rank, in some suit, may extend a run of the side."""
    return any(why_not_extend_run(state, run, rank, run_suit(run)) == OK for run in state.runs[side])
