"""Laying cards on the table: sets, sequences and bonus cards. The caller must have checked the rules."""

from canasta.engine.cards import WILD_CARD
from canasta.engine.events import BonusLaid, CanastaMade, CardsMelded
from canasta.engine.layout import FOOT_PLAYED, HAS_MELDED
from canasta.engine.melds import NEW, NO_SUIT, ROW_RUN, SAMBA, pack_run, run_length, run_low, run_suit
from canasta.engine.sequences import NO_RUN, kinds_in
from canasta.engine.state import HandState


def lay_on_set(state: HandState, seat: int, row: int, slot: int, kinds: list[int]) -> int:
    """Lay cards, already removed from the hand, on a set and return its slot."""
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


def _lay_on_long_run(state: HandState, seat: int, index: int, before: int, kinds: list[int]) -> None:
    side = state.side_of[seat]
    compiled = state.compiled
    _enter_run_cards(state, seat, index, kinds, before == NO_RUN)
    family = compiled.family
    kind_before = family.canasta_of_run(compiled, before)
    kind_now = family.canasta_of_run(compiled, state.runs[side][index])
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


def lay_out_bonus_card(state: HandState, seat: int, kind: int) -> None:
    side = state.side_of[seat]
    state.bonus[side] = [*state.bonus[side], kind]
    state.changes += 1
    if state.log is not None:
        state.log.append(BonusLaid(seat, kind))
