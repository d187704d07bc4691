"""Melds: which cards may be melded together, and laying them."""

from canasta.engine.cards import NATURAL_RANKS, WILD_CARD
from canasta.engine.cards_in_play import MIXED, NATURAL, NOT_A_CANASTA, SAMBA
from canasta.engine.compiled_rules import CompiledRules
from canasta.engine.events import CanastaMade, CardsMelded
from canasta.engine.families.burraco import NO_RUN, kinds_in, wild_in
from canasta.engine.law.reasons import (
    NO_RUNS,
    NO_WILD_MELDS,
    OK,
    RUN_DOES_NOT_FIT,
    RUN_TOO_LONG,
    TOO_FEW_CARDS,
    WILD_SET_IS_FULL,
)
from canasta.engine.law.rule_tables import why_not_naturals
from canasta.engine.layout import FOOT_PLAYED, HAS_MELDED
from canasta.engine.melds import (
    NEW,
    NO_SUIT,
    ROW_RUN,
    ROW_WILD,
    SMALLEST_MELD,
    pack_run,
    run_length,
    run_low,
    run_suit,
)
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
    wanted = run_suit(run)
    if wanted not in (NO_SUIT, suit):
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


def lay_on_set(state: HandState, seat: int, row: int, slot: int, kinds: list[int]) -> int:
    """Lay cards, already removed from the hand, on a set and return its slot.

    The caller must have checked the rules.
    """
    compiled = state.compiled
    side = state.side_of[seat]
    started = slot == NEW
    if started:
        slot = compiled.slots.first_slot(row)
        while state.naturals(side, slot) + state.wilds(side, slot) > 0:
            slot += 1
        state.begin_set(side, slot)
    naturals = state.naturals(side, slot)
    wilds = state.wilds(side, slot)
    kind_before = state.canasta_kind(naturals, wilds)
    points = 0
    for kind in kinds:
        state.note_laid(side, slot, kind)
        rank = state.compiled.rank_of[kind]
        points += compiled.values[rank]
        if compiled.role_of[kind] == WILD_CARD:
            wilds += 1
        else:
            naturals += 1
    if state.top_due and state.taken_top in kinds:
        state.top_due = False
    if state.not_returned in kinds:
        state.not_returned = -1
    state.write_set(side, slot, naturals, wilds)
    if state.log is not None:
        named = compiled.name_of_row[row]
        state.log.append(CardsMelded(seat, named, compiled.slots.number_of(slot), tuple(kinds), started))
    if row != compiled.stop_row:
        kind_now = state.canasta_kind(naturals, wilds)
        if kind_now != kind_before:
            if kind_before >= 0:
                state.count_canasta(side, kind_before, -1)
            named = compiled.name_of_row[row]
            _count_canasta(state, seat, kind_now, kind_before < 0, named, compiled.slots.number_of(slot))
    _note_laid(state, seat, points)
    return slot


def lay_run(state: HandState, seat: int, kinds: list[int]) -> None:
    """Lay a new run, its cards from low to high."""
    side = state.side_of[seat]
    suit = kinds[0] & 3 if state.compiled.same_suit else NO_SUIT
    state.runs[side].append(pack_run(suit, state.compiled.rank_of[kinds[0]], len(kinds)))
    _lay_run_cards(state, seat, len(state.runs[side]) - 1, kinds, True)


def extend_run(state: HandState, seat: int, index: int, kind: int) -> None:
    """Lay one card on the end of a run where it fits."""
    runs = state.runs[state.side_of[seat]]
    run = runs[index]
    low = run_low(run)
    if state.compiled.rank_of[kind] < low:
        low -= 1
    runs[index] = pack_run(run_suit(run), low, run_length(run) + 1)
    _lay_run_cards(state, seat, index, [kind], False)


def lay_long_run(state: HandState, seat: int, run: int) -> None:
    """Lay a new long sequence."""
    runs = state.runs[state.side_of[seat]]
    runs.append(run)
    _lay_on_long_run(state, seat, len(runs) - 1, NO_RUN, kinds_in(run))


def extend_long_run(state: HandState, seat: int, index: int, after: int, kinds: list[int]) -> None:
    """Lay cards on a long sequence, whose reading becomes `after`."""
    runs = state.runs[state.side_of[seat]]
    before = runs[index]
    runs[index] = after
    _lay_on_long_run(state, seat, index, before, kinds)


def canasta_of_run(compiled: CompiledRules, run: int) -> int:
    """Return the kind of canasta that a long sequence is, or `NOT_A_CANASTA` if it is too short."""
    if run_length(run) < compiled.canasta_size:
        return NOT_A_CANASTA
    return MIXED if wild_in(run) > 0 else NATURAL


def _lay_on_long_run(state: HandState, seat: int, index: int, before: int, kinds: list[int]) -> None:
    side = state.side_of[seat]
    compiled = state.compiled
    _enter_run_cards(state, seat, index, kinds, before == NO_RUN)
    kind_before = canasta_of_run(compiled, before)
    kind_now = canasta_of_run(compiled, state.runs[side][index])
    if kind_now != kind_before:
        if kind_before >= 0:
            state.count_canasta(side, kind_before, -1)
        _count_canasta(state, seat, kind_now, kind_before < 0, ROW_RUN, index + 1)


def _lay_run_cards(state: HandState, seat: int, index: int, kinds: list[int], started: bool) -> None:
    _enter_run_cards(state, seat, index, kinds, started)
    if run_length(state.runs[state.side_of[seat]][index]) == state.compiled.canasta_size:
        _count_canasta(state, seat, SAMBA, True, ROW_RUN, index + 1)


def _enter_run_cards(state: HandState, seat: int, index: int, kinds: list[int], started: bool) -> None:
    compiled = state.compiled
    side = state.side_of[seat]
    points = 0
    for kind in kinds:
        state.note_laid(side, compiled.slots.count + index, kind)
        points += compiled.values[compiled.rank_of[kind]]
    if state.top_due and state.taken_top in kinds:
        state.top_due = False
    if state.not_returned in kinds:
        state.not_returned = -1
    if state.log is not None:
        state.log.append(CardsMelded(seat, ROW_RUN, index + 1, tuple(kinds), started))
    _note_laid(state, seat, points)


def _count_canasta(state: HandState, seat: int, kind: int, is_new: bool, row: int, number: int) -> None:
    side = state.side_of[seat]
    state.count_canasta(side, kind, 1)
    if is_new:
        if state.compiled.canasta_bonus_counts and not state.opened(side):
            state.opening_points += state.compiled.canasta_bonus[kind]
        if state.log is not None:
            state.log.append(CanastaMade(seat, row, number, kind))


def _note_laid(state: HandState, seat: int, points: int) -> None:
    side = state.side_of[seat]
    state.set_points(side, state.points(side) + points)
    state.changes += 1
    if not state.opened(side):
        state.opening_points += points
    state.melded_now = True
    if not state.has_melded(seat):
        state.mark_seat(seat, HAS_MELDED, True)
    if state.compiled.second_hand and not state.foot_waits(seat):
        state.mark_seat(seat, FOOT_PLAYED, True)
