"""Observations as bytes, updated step by step.

An observation contains only open cards, visible events and the viewer's own cards. The observer itself
remembers past events (discards, top cards that were left), because the state of a hand does not.

An observation is assembled from blocks: one for each seat, one for each side, one for the pile. A step
changes a few numbers in the blocks of the player who made it.
"""

from typing import Final

from librt.strings import BytesWriter
from mypy_extensions import i64

from canasta.engine.actions.codec import DRAW_STOCK, PASS, PLAY_CALIENTE, RUN_SLOTS, is_discard
from canasta.engine.cards import CALIENTE_KIND, KINDS, NATURAL_RANKS, RANKS
from canasta.engine.law.going_out import why_not_out
from canasta.engine.law.pile import why_not_take_as_it_lies, why_not_touch_pile
from canasta.engine.law.reasons import OK
from canasta.engine.layout import CANASTA_KINDS, KNOWN_AT, SEAT_SIZE, bytes_writer, set_two_bytes, two_bytes
from canasta.engine.melds import run_length, run_low, run_suit
from canasta.engine.observation.layout import (
    ANSWERS,
    CALIENTES,
    CHANGES_SEEN,
    HAND_NUMBER,
    LAID_SEEN,
    MOST_SEATS,
    PILE_SEEN,
    PUT_BACKS,
    RUN_NUMBERS,
    SEEN,
    SIDES_SEEN,
    Layout,
    Marks,
    write_american,
    write_long_runs,
)
from canasta.engine.state import ANSWER, DRAW, OVER, HandState

NEXT_CARDS: Final = 8
"""Number of stock cards shown to a critic in training."""
HIDDEN_NUMBERS: Final = (MOST_SEATS - 1 + NEXT_CARDS) * RANKS

# Offsets within a seat's block.
PLAYS: Final = 0
SIZE: Final = 1
FOOT_WAITS: Final = 2
FOOT_PLAYED: Final = 3
HAS_MELDED: Final = 4

# Offsets within a side's block, from its single numbers on.
CANASTAS: Final = 0
RED_THREES: Final = 4
MELDED_HUNDREDS: Final = 5
MELDED_FIVES: Final = 6
OPENED: Final = 7
MINIMUM: Final = 8
SCORE_HUNDREDS: Final = 9
SCORE_FIVES: Final = 10
CALIENTE_PLAYED: Final = 11
PUT_BACK: Final = 12
TEAMMATES: Final = 13


class Observer:
    """The public part of a table's observations, in bytes; `observe` adds what one seat sees.

    Call `begin` at the deal, then `before_step` and `after_step` around every step.
    """

    def __init__(self, marks: Marks) -> None:
        self._marks: Marks = marks
        self.blocks: BytesWriter = bytes_writer(marks.empty)
        """The blocks of the seats, sides and pile, then the notes. Callers may append
        data of their own after these (`Marks.empty` has their size)."""

    @property
    def layout(self) -> Layout:
        return self._marks.layout

    @property
    def size(self) -> int:
        return self._marks.layout.size

    def copy(self) -> "Observer":
        """Return an independent copy."""
        new = Observer(self._marks)
        new.blocks = bytes_writer(self.blocks.getvalue())
        return new

    def __copy__(self) -> "Observer":
        return self.copy()

    def remembered(self) -> list[bytes]:
        """Return the remembered events by seat; everything else can be read from the state."""
        written = self.blocks.getvalue()
        block = self.layout.seat_block
        return [written[seat * block : (seat + 1) * block] for seat in range(self._marks.seats)]

    def begin_again(
        self, state: HandState, scores: list[int], hand_number: int, remembered: list[bytes]
    ) -> None:
        """Continue from a state with the events that another observer has remembered."""
        self._begin(
            b"".join(remembered) + self._marks.empty[self._marks.at_sides :], state, scores, hand_number
        )

    # -- following a hand -----------------------------------------------------------------------------

    def begin(self, state: HandState, scores: list[int], hand_number: int) -> None:
        """Start observing a hand that has just been dealt."""
        self._begin(self._marks.empty, state, scores, hand_number)

    def _begin(self, written: bytes, state: HandState, scores: list[int], hand_number: int) -> None:
        blocks = self.blocks
        blocks.truncate(0)
        blocks.write(written)
        blocks[self._marks.at_notes + HAND_NUMBER] = min(255, hand_number)
        for side in range(self._marks.sides):
            self._set_scores(state, side, scores[side])
        self.look(state)

    def look(self, state: HandState) -> None:
        """Re-read all public information from the state; keep the remembered events."""
        marks = self._marks
        for seat in range(marks.seats):
            self.blocks[seat * marks.layout.seat_block + PLAYS] = 1 if seat in state.order else 0
            self._set_all_known(state, seat)
            self._set_seat(state, seat)
        for side in range(marks.sides):
            self._set_side(state, side, 0)
        self._note(LAID_SEEN, state.total_laid())
        self.blocks[marks.at_notes + CHANGES_SEEN] = state.changes & 255
        self._set_whole_pile(state, state.pile_size() - 1 if state.face_down else state.pile_size())

    def before_step(self, state: HandState, step: int) -> None:
        """Remember the public part of a step that is about to be made."""
        if is_discard(step):
            is_last = state.size(state.turn) == 1 and not state.foot_waits(state.turn)
            if state.compiled.last_face_down and is_last and why_not_out(state, state.turn) == OK:
                return  # face down: nobody sees it
            rank = state.compiled.layout.decoded[step].row
            self._count(state.turn, self._marks.layout.discarded + rank)
        elif state.phase == DRAW and (step == DRAW_STOCK or step == PASS or step == PLAY_CALIENTE):
            at_once = state.compiled.takes_at_once
            if (why_not_take_as_it_lies(state) if at_once else why_not_touch_pile(state)) == OK:
                rank = state.compiled.rank_of[state.top_card()]
                if rank < NATURAL_RANKS:
                    self._count(state.turn, self._marks.layout.let_pass + rank)

    def after_step(self, state: HandState, seat: int) -> None:
        """Update what a step of this seat may have changed: its own blocks, its side's, the pile."""
        if state.phase == OVER:
            # At the end of a hand, a discard may be face down or a whole hand laid out.
            self.look(state)
            return
        there = state.pile_size()
        seen = self._noted(PILE_SEEN)
        if state.changes & 255 != self.blocks[self._marks.at_notes + CHANGES_SEEN]:
            self._read_changes(state, seat)
        elif there == seen + 1:  # a discard
            self._one_less_known(state, seat, state.pile_card(there - 1))
        elif there != seen:
            self._set_all_known(state, seat)
        self._set_seat(state, seat)
        if there == seen + 1:
            self._add_to_pile(state, there)
        elif there != seen:
            self._set_whole_pile(state, there)
        if self._marks.others_change:
            # The next player may have picked up a talon; a pot taken is no longer available to its side.
            for other in state.order:
                self._set_seat(state, other)

    def _read_changes(self, state: HandState, seat: int) -> None:
        """Update the blocks after cards were laid out on the table or taken back."""
        marks = self._marks
        side = marks.side_of[seat]
        blocks = self.blocks
        at: i64 = marks.at_notes + SIDES_SEEN + SEEN * side
        since = self._noted(LAID_SEEN)
        if blocks[at + PUT_BACKS] != state.put_backs(side) & 255 or state.pile_size() != self._noted(
            PILE_SEEN
        ):
            self._set_all_known(state, seat)
        else:
            for index in range(since, state.total_laid()):
                self._one_less_known(state, seat, state.laid_card(index) & 63)
            if blocks[at + CALIENTES] != state.caliente_played(side) & 255:
                self._one_less_known(state, seat, CALIENTE_KIND)
        if blocks[at + PUT_BACKS] != state.put_backs(side) & 255:
            since = 0
        self._set_side(state, side, since)
        if state.turn != seat:  # threes were laid out at the start of a turn
            self._set_all_known(state, state.turn)
            self._set_side(state, marks.side_of[state.turn], since)
        self._note(LAID_SEEN, state.total_laid())
        blocks[marks.at_notes + CHANGES_SEEN] = state.changes & 255

    # -- observing ------------------------------------------------------------------------------------

    def observe(self, state: HandState, viewer: int) -> bytes:
        """Return the observation of this seat."""
        row = BytesWriter()
        self.write_to(row, state, viewer)
        return row.getvalue()

    def write_to(self, row: BytesWriter, state: HandState, viewer: int) -> None:
        """Append the observation of this seat."""
        marks = self._marks
        layout = marks.layout
        turn = state.turn
        from_viewer = turn - viewer if turn >= viewer else turn - viewer + marks.seats
        acts = from_viewer
        if state.phase == ANSWER:
            acts = (state.answering - viewer) % marks.seats
        if layout.by_rank:
            state.write_counts_to(row, viewer)
        if marks.by_kind:
            state.write_cards_to(row, viewer)
        if len(marks.no_kinds) > 0:
            row.write(marks.no_kinds)
        self._write_blocks_to(row, viewer)
        head = (state.phase * ANSWERS + state.asked) * layout.seats + from_viewer
        row.write(marks.heads[head * layout.seats + acts])
        row.write(marks.flags[_flags(state)])
        row.append(min(255, state.deck_size() - state.at))
        if state.opening_points == 0 and state.minimum_surcharge == 0:
            row.write(marks.no_opening)
        else:
            row.append(min(255, state.opening_points // 5))
            row.append(min(255, state.minimum_surcharge // 5))
        row.append(self.blocks[marks.at_notes + HAND_NUMBER])
        if layout.rule_numbers > 0:
            row.write(marks.ends[viewer])
        if marks.has_appended:
            if marks.has_places:
                write_long_runs(row, state, viewer, layout.sides)
            else:
                row.write(marks.no_long_numbers)
            if marks.has_american:
                write_american(row, state, viewer, layout.seats, layout.sides)
            else:
                row.write(marks.no_american_numbers)

    def _write_blocks_to(self, row: BytesWriter, viewer: int) -> None:
        """Append the blocks in table order, starting with the viewer's seat and side."""
        marks = self._marks
        layout = marks.layout
        side = marks.side_of[viewer]
        blocks = self.blocks.getvalue()
        own: i64 = viewer * layout.seat_block
        row.write(blocks[own : marks.at_sides])
        if own > 0:
            row.write(blocks[:own])
        if len(marks.no_seats) > 0:
            row.write(marks.no_seats)
        if side == 0 and len(marks.no_sides) == 0:
            row.write(blocks[marks.at_sides : marks.at_notes])
        else:
            own = marks.at_sides + side * layout.side_block
            row.write(blocks[own : marks.at_pile])
            row.write(blocks[marks.at_sides : own])
            row.write(marks.no_sides)
            row.write(blocks[marks.at_pile : marks.at_notes])

    def write_hidden_to(self, row: BytesWriter, state: HandState, viewer: int) -> None:
        """Append `HIDDEN_NUMBERS` numbers that this seat cannot see: for a critic in training, never for a
        player.

        They are the other hands by rank, in turn order, then the next cards of the stock, one-hot by rank.
        """
        marks = self._marks
        empty = marks.no_ranks
        for ahead in range(1, MOST_SEATS):
            if ahead < marks.seats:
                state.write_counts_to(row, (viewer + ahead) % marks.seats)
            else:
                row.write(empty)
        for at in range(state.at, state.at + NEXT_CARDS):
            first = len(row)
            row.write(empty)
            if at < state.deck_size():
                row[first + state.compiled.rank_of[state.deck_card(at)]] = 1

    # -- blocks ---------------------------------------------------------------------------------------

    def _count(self, seat: int, offset: int) -> None:
        at: i64 = seat * self._marks.layout.seat_block + offset
        number = self.blocks[at]
        if number < 255:
            self.blocks[at] = number + 1

    def _set_seat(self, state: HandState, seat: int) -> None:
        """Update the numbers of a seat's block other than cards."""
        blocks = self.blocks
        at: i64 = seat * self._marks.layout.seat_block
        blocks[at + SIZE] = min(255, state.size(seat))
        if state.compiled.second_hand:
            blocks[at + FOOT_WAITS] = 1 if state.foot_waits(seat) else 0
            blocks[at + FOOT_PLAYED] = 1 if state.foot_played(seat) else 0
        blocks[at + HAS_MELDED] = 1 if state.has_melded(seat) else 0

    def _one_less_known(self, state: HandState, seat: int, kind: int) -> None:
        """Update the known cards after a card left a hand. Usually that card was not a known one."""
        marks = self._marks
        layout = marks.layout
        at: i64 = seat * layout.seat_block + layout.known
        at += layout.at_kinds + kind if marks.by_kind else state.compiled.rank_of[kind]
        if self.blocks[at] > 0:
            self._set_known(state, seat, kind)

    def _set_known(self, state: HandState, seat: int, kind: int) -> None:
        """Update how many cards like this one the seat is known to hold."""
        marks = self._marks
        layout = marks.layout
        at: i64 = seat * layout.seat_block + layout.known
        if marks.by_kind:
            self.blocks[at + layout.at_kinds + kind] = state.known(seat, kind)
        if layout.by_rank:
            rank = state.compiled.rank_of[kind]
            number = 0
            for each in state.compiled.kinds_of[rank]:
                number += state.known(seat, each)
            self.blocks[at + rank] = number

    def _set_all_known(self, state: HandState, seat: int) -> None:
        marks = self._marks
        blocks = self.blocks
        packed = state.packed
        rank_of = state.compiled.rank_of
        known_at: i64 = seat * SEAT_SIZE + KNOWN_AT
        at: i64 = seat * marks.layout.seat_block + marks.layout.known
        kinds_at: i64 = at + marks.layout.at_kinds
        place: i64
        if marks.layout.by_rank:
            for place in range(at, at + RANKS):
                blocks[place] = 0
        kind: i64
        for kind in range(KINDS):
            number = packed[known_at + kind]
            if marks.by_kind:
                blocks[kinds_at + kind] = number
            if number > 0 and marks.layout.by_rank:
                place = at + rank_of[kind]
                blocks[place] = blocks[place] + number

    def _set_side(self, state: HandState, side: int, since: int) -> None:
        """Update a side's block with the melded cards from index `since` on; 0 rebuilds it."""
        marks = self._marks
        layout = marks.layout
        blocks = self.blocks
        slots = state.compiled.slots.count
        rows = layout.rows
        block: i64 = marks.at_sides + side * layout.side_block
        at: i64 = block + layout.side_numbers
        if since == 0:
            for offset in range(block, at):
                blocks[offset] = 0
        for index in range(since, state.total_laid()):
            if state.side_of_laid(index) != side:
                continue
            laid = state.laid_card(index)
            meld = laid >> 6
            if meld < slots:
                set_at: i64 = block + marks.set_at[meld]
                blocks[set_at] = state.naturals(side, meld)
                blocks[rows + set_at] = state.wilds(side, meld)
                if marks.by_kind:
                    kind_at: i64 = block + layout.set_kinds + (laid & 63)
                    blocks[kind_at] = blocks[kind_at] + 1
            elif meld < slots + RUN_SLOTS:
                run = state.runs[side][meld - slots]
                run_at: i64 = block + 2 * rows + RUN_NUMBERS * (meld - slots)
                blocks[run_at] = run_suit(run) + 1
                blocks[run_at + 1] = run_low(run)
                blocks[run_at + 2] = run_length(run)
        for kind in range(CANASTA_KINDS):
            blocks[at + CANASTAS + kind] = state.canastas(side, kind)
        points = state.points(side)
        blocks[at + RED_THREES] = len(state.bonus[side])
        blocks[at + MELDED_HUNDREDS] = min(255, points // 100)
        blocks[at + MELDED_FIVES] = points % 100 // 5
        blocks[at + OPENED] = 1 if state.opened(side) else 0
        blocks[at + CALIENTE_PLAYED] = min(255, state.caliente_played(side))
        blocks[at + PUT_BACK] = min(255, state.put_backs(side))
        at = marks.at_notes + SIDES_SEEN + SEEN * side
        blocks[at + CALIENTES] = state.caliente_played(side) & 255
        blocks[at + PUT_BACKS] = state.put_backs(side) & 255

    def _set_scores(self, state: HandState, side: int, score: int) -> None:
        """Set the numbers of a side that stay the same for the whole hand."""
        marks = self._marks
        blocks = self.blocks
        at: i64 = marks.at_sides + side * marks.layout.side_block + marks.layout.side_numbers
        blocks[at + MINIMUM] = min(255, state.minimum(side) // 5)
        blocks[at + SCORE_HUNDREDS] = min(max(score // 100 + 50, 0), 255)
        blocks[at + SCORE_FIVES] = score % 100 // 5
        team = 0
        for seat in state.order:
            if marks.side_of[seat] == side:
                team += 1
        blocks[at + TEAMMATES] = team

    def _set_whole_pile(self, state: HandState, there: int) -> None:
        """Rebuild the pile's block from its first `there` cards: counts, top card and size."""
        blocks = self.blocks
        for at in range(self._marks.at_pile, self._marks.at_notes):
            blocks[at] = 0
        for index in range(there):
            self._count_in_pile(state.pile_card(index))
        if there > 0:
            self._set_top(state.pile_card(there - 1), 1)
        self._set_pile_size(there)

    def _add_to_pile(self, state: HandState, there: int) -> None:
        """Add the card that was discarded as the pile's card number `there`."""
        if there > 1:
            self._set_top(state.pile_card(there - 2), 0)
        top = state.pile_card(there - 1)
        self._count_in_pile(top)
        self._set_top(top, 1)
        self._set_pile_size(there)

    def _set_pile_size(self, there: int) -> None:
        self.blocks[self._marks.at_pile + 2 * self._marks.layout.width] = min(255, there)
        self._note(PILE_SEEN, there)

    def _noted(self, what: i64) -> i64:
        """Return a note: `PILE_SEEN` or `LAID_SEEN`."""
        return two_bytes(self.blocks, self._marks.at_notes + what)

    def _note(self, what: i64, number: i64) -> None:
        set_two_bytes(self.blocks, self._marks.at_notes + what, number)

    def _count_in_pile(self, kind: int) -> None:
        marks = self._marks
        blocks = self.blocks
        if marks.layout.by_rank:
            at: i64 = marks.at_pile + marks.tables.rank_of[kind]
            blocks[at] = blocks[at] + 1
        if marks.by_kind:
            at = marks.at_pile + marks.layout.at_kinds + kind
            blocks[at] = blocks[at] + 1

    def _set_top(self, kind: int, is_top: int) -> None:
        marks = self._marks
        layout = marks.layout
        at: i64 = marks.at_pile + layout.width
        if layout.by_rank:
            self.blocks[at + marks.tables.rank_of[kind]] = is_top
        if marks.by_kind:
            self.blocks[at + layout.at_kinds + kind] = is_top


def _flags(state: HandState) -> int:
    """Return the yes-or-no facts about the pile and the turn, one bit each."""
    flags: i64 = 0
    if state.frozen:
        flags += 1
    if state.pile_is_from_deal:
        flags += 2
    if state.fresh:
        flags += 4
    if state.melded_now:
        flags += 8
        if not state.opened(state.side_of[state.turn]):
            flags += 16
    if state.pile_due:
        flags += 32
    if state.took_back:
        flags += 64
    if state.caliente_now:
        flags += 128
    if state.black_threes_now:
        flags += 256
    if state.no_discard:
        flags += 512
    if state.last_discard:
        flags += 1024
    if state.before_take is not None:
        flags += 2048
    return flags
