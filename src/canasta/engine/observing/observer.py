"""Observations as bytes, kept up to date step by step.

Only what lies open, what was seen to happen and the viewer's own cards go into an observation. What happened
(discards, top cards let lie) is remembered here: the state of a hand does not hold it.

An observation is put together from blocks: one for each seat, one for each side, one for the pile. A step
changes a few numbers in the blocks of the player who made it.
"""

from typing import Final

from librt.strings import BytesWriter

from canasta.engine.cards import KINDS, KINDS_OF, RANKS
from canasta.engine.law.pile import why_not_touch_pile
from canasta.engine.law.why_not import OK
from canasta.engine.meld_names import ROWS
from canasta.engine.observing.pieces import ANSWERS, MOST_SEATS, PHASES, RUN_NUMBERS, Layout
from canasta.engine.observing.rule_numbers import rule_numbers
from canasta.engine.prepared import PreparedRules
from canasta.engine.state import ANSWER, DRAW, HandState, run_length, run_low, run_suit
from canasta.engine.steps.codec import DRAW_STOCK, PASS, PLAY_CALIENTE, RUN_SLOTS, is_discard

FLAGS: Final = 12
ALL_FLAGS: Final = [bytes([number >> bit & 1 for bit in range(FLAGS)]) for number in range(1 << FLAGS)]
NEXT_CARDS: Final = 8
"""Cards of the stock that a judge is told."""
HIDDEN_NUMBERS: Final = (MOST_SEATS - 1 + NEXT_CARDS) * RANKS
NOTHING_SEEN: Final = -2

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


class Marks:
    """What all tables under one ruleset share, for the cache's sake."""

    def __init__(self, tables: PreparedRules, side_of: list[int], layout: Layout) -> None:
        seats = len(side_of)
        sides = tables.rules.seats.sides
        self.layout: Layout = layout
        self.tables: PreparedRules = tables
        self.side_of: list[int] = side_of
        self.sides: int = sides
        self.by_kind: bool = layout.by_kind and tables.same_suit
        """Suits matter, and are told."""
        self.set_at: list[int] = [
            slot // tables.slots * layout.slots + slot % tables.slots for slot in range(ROWS * tables.slots)
        ]
        """Where each set lies in a side's block."""
        self.heads: list[bytes] = _heads(layout.seats)
        self.flags: list[bytes] = ALL_FLAGS
        self.seats_from: list[list[int]] = _rounds(seats)
        self.sides_from: list[list[int]] = _rounds(sides)
        self.empty_seat: bytes = bytes(layout.seat_block)
        self.empty_side: bytes = bytes(layout.side_block)
        self.empty_pile: bytes = bytes(2 * layout.width + 1)
        self.no_kinds: bytes = bytes(KINDS if layout.by_kind and not tables.same_suit else 0)
        self.no_ranks: bytes = bytes(RANKS)
        self.no_seats: bytes = bytes((layout.seats - seats) * layout.seat_block)
        self.no_sides: bytes = bytes((layout.sides - sides) * layout.side_block)
        self.ends: list[bytes] = [b""] * seats
        """The last numbers of an observation, by viewer: who sits with whom, and the rules."""
        if layout.rule_numbers > 0:
            rules = rule_numbers(tables)
            for viewer in range(seats):
                places = [(side_of[seat] - side_of[viewer]) % sides + 1 for seat in self.seats_from[viewer]]
                self.ends[viewer] = bytes(places + [0] * (layout.seats - seats)) + rules


class Observer:
    """The table as all see it, in bytes; `observe` adds what one seat sees."""

    def __init__(self, marks: Marks) -> None:
        layout = marks.layout
        self.layout: Layout = layout
        self.size: int = layout.size
        self._marks: Marks = marks
        self._tables: PreparedRules = marks.tables
        self._side_of: list[int] = marks.side_of
        self._seats: int = len(marks.side_of)
        self._sides: int = marks.sides
        self._width: int = layout.width
        self._by_rank: bool = layout.by_rank
        self._by_kind: bool = marks.by_kind
        self._at_kinds: int = layout.at_kinds
        # As attributes, since a compiled module looks a global list up by its name at every use.
        self._kinds_of: list[list[int]] = KINDS_OF
        self._rank_of: list[int] = marks.tables.rank_of
        self._scores: list[int] = [0] * marks.sides
        self._no_opening: bytes = bytes(3)
        """The last numbers of an observation while no first meld is under way."""
        self._row: BytesWriter = BytesWriter()
        # The blocks, and what they were when they were last complete.
        self._of_seat: list[BytesWriter] = [_block(marks.empty_seat) for _ in range(self._seats)]
        self._of_side: list[BytesWriter] = [_block(marks.empty_side) for _ in range(marks.sides)]
        self._of_pile: BytesWriter = _block(marks.empty_pile)
        self._seat_bytes: list[bytes] = [marks.empty_seat] * self._seats
        self._side_bytes: list[bytes] = [marks.empty_side] * marks.sides
        self._pile_bytes: bytes = marks.empty_pile
        # What the blocks tell already, so that only what is new need be written.
        self._known_seen: list[list[int]] = [[] for _ in range(self._seats)]
        self._laid_seen: list[int] = [0] * marks.sides
        self._bonus_seen: list[int] = [0] * marks.sides
        self._caliente_seen: list[int] = [0] * marks.sides
        self._put_backs_seen: list[int] = [0] * marks.sides
        self._pile_seen: int = NOTHING_SEEN

    def copy(self) -> "Observer":
        """An independent copy."""
        new = Observer(self._marks)
        new._scores = self._scores
        new._no_opening = self._no_opening
        new._of_seat = [_block(block.getvalue()) for block in self._of_seat]
        new._of_side = [_block(block.getvalue()) for block in self._of_side]
        new._of_pile = _block(self._pile_bytes)
        new._seat_bytes = self._seat_bytes.copy()
        new._side_bytes = self._side_bytes.copy()
        new._pile_bytes = self._pile_bytes
        new._known_seen = self._known_seen.copy()
        new._laid_seen = self._laid_seen.copy()
        new._bonus_seen = self._bonus_seen.copy()
        new._caliente_seen = self._caliente_seen.copy()
        new._put_backs_seen = self._put_backs_seen.copy()
        new._pile_seen = self._pile_seen
        return new

    def remembered(self) -> list[bytes]:
        """What was seen to happen, by seat; all else is read from the state."""
        return self._seat_bytes.copy()

    def begin_again(
        self, state: HandState, scores: list[int], hand_number: int, remembered: list[bytes]
    ) -> None:
        """Go on from a state with what another observer has remembered."""
        self._scores = scores.copy()
        self._no_opening = bytes([0, 0, min(255, hand_number)])
        self._of_seat = [_block(numbers) for numbers in remembered]
        self.look(state)

    # -- following a hand -----------------------------------------------------------------------------

    def begin(self, state: HandState, scores: list[int], hand_number: int) -> None:
        """A hand has been dealt: nothing has been seen to happen yet."""
        for block in self._of_seat:
            block.truncate(0)
            block.write(self._marks.empty_seat)
        self._scores = scores.copy()
        self._no_opening = bytes([0, 0, min(255, hand_number)])
        self.look(state)

    def look(self, state: HandState) -> None:
        """Read everything that lies open anew; what was seen to happen stays."""
        for seat in range(self._seats):
            block = self._of_seat[seat]
            block[PLAYS] = 1 if seat in state.order else 0
            self._set_all_known(block, state.known[seat])
            self._set_seat(block, state, seat)
        for side in range(self._sides):
            self._set_scores(state, side)
            self._laid_seen[side] = NOTHING_SEEN
            self._set_side(state, side)
        self._pile_seen = NOTHING_SEEN
        self._set_pile(state.pile)

    def before_step(self, state: HandState, step: int) -> None:
        """Remember what everyone sees of a step that is about to be made."""
        if is_discard(step):
            rank = state.prepared.layout.decoded[step].row
            self._count(state.turn, self.layout.discarded + rank)
        elif state.phase == DRAW and (step == DRAW_STOCK or step == PASS or step == PLAY_CALIENTE):
            if why_not_touch_pile(state) == OK:
                self._count(state.turn, self.layout.let_pass + self._rank_of[state.pile[-1]])

    def after_step(self, state: HandState, seat: int) -> None:
        """Read what a step of this seat may have changed: its own blocks, its side's, the pile."""
        side = self._side_of[seat]
        laid = state.laid[side]
        block = self._of_seat[seat]
        known = state.known[seat]
        pile = state.pile
        there = len(pile)
        if self._known_seen[seat] is not known:
            laid_seen = self._laid_seen[side]
            if self._put_backs_seen[side] != state.put_backs[side]:
                self._set_all_known(block, known)
            elif there == self._pile_seen + 1:  # a discard
                self._set_known(block, known, pile[there - 1])
            elif there == self._pile_seen and len(laid) > laid_seen:  # cards laid out of the hand
                for index in range(laid_seen, len(laid)):
                    self._set_known(block, known, laid[index] & 63)
            else:
                self._set_all_known(block, known)
        self._set_seat(block, state, seat)
        if there != self._pile_seen:
            self._set_pile(pile)
        if (
            self._laid_seen[side] != len(laid)
            or self._bonus_seen[side] != len(state.bonus[side])
            or self._caliente_seen[side] != state.caliente_played[side]
            or self._put_backs_seen[side] != state.put_backs[side]
        ):
            self._set_side(state, side)

    # -- observing ------------------------------------------------------------------------------------

    def observe(self, state: HandState, viewer: int) -> bytes:
        """What this seat sees, hears and remembers."""
        row = self._row
        row.truncate(0)
        self.write_to(row, state, viewer)
        return row.getvalue()

    def write_to(self, row: BytesWriter, state: HandState, viewer: int) -> None:
        """Append the observation of this seat."""
        marks = self._marks
        turn = state.turn
        side_of = self._side_of
        from_viewer = turn - viewer if turn >= viewer else turn - viewer + self._seats
        acts = from_viewer
        if state.phase == ANSWER:
            acts = (state.answering - viewer) % self._seats
        if self._by_rank:
            for number in state.counts[viewer]:
                row.append(number)
        if self._by_kind:
            for number in state.cards[viewer]:
                row.append(number)
        row.write(marks.no_kinds)
        for seat in marks.seats_from[viewer]:
            row.write(self._seat_bytes[seat])
        row.write(marks.no_seats)
        for side in marks.sides_from[side_of[viewer]]:
            row.write(self._side_bytes[side])
        row.write(marks.no_sides)
        row.write(self._pile_bytes)
        head = (state.phase * ANSWERS + state.asked) * self.layout.seats + from_viewer
        row.write(marks.heads[head * self.layout.seats + acts])
        flags = 0
        if state.frozen:
            flags += 1
        if state.pile_is_from_deal:
            flags += 2
        if state.fresh:
            flags += 4
        if state.melded_now:
            flags += 8
            if not state.opened[side_of[turn]]:
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
        row.write(marks.flags[flags])
        row.append(min(255, len(state.deck) - state.at))
        if state.opening_points == 0 and state.opening_extra == 0:
            row.write(self._no_opening)
        else:
            row.append(min(255, state.opening_points // 5))
            row.append(min(255, state.opening_extra // 5))
            row.append(self._no_opening[2])
        row.write(marks.ends[viewer])

    def write_hidden_to(self, row: BytesWriter, state: HandState, viewer: int) -> None:
        """Append what this seat does not see, `HIDDEN_NUMBERS` of it: for a judge in training, for no player.

        The hands of the others by rank, in turn order, then the next cards of the stock, one-hot by rank.
        """
        empty = self._marks.no_ranks
        for ahead in range(1, MOST_SEATS):
            if ahead < self._seats:
                for number in state.counts[(viewer + ahead) % self._seats]:
                    row.append(number)
            else:
                row.write(empty)
        for at in range(state.at, state.at + NEXT_CARDS):
            first = len(row)
            row.write(empty)
            if at < len(state.deck):
                row[first + self._rank_of[state.deck[at]]] = 1

    # -- blocks ---------------------------------------------------------------------------------------

    def _count(self, seat: int, offset: int) -> None:
        block = self._of_seat[seat]
        number = block[offset]
        if number < 255:
            block[offset] = number + 1

    def _set_seat(self, block: BytesWriter, state: HandState, seat: int) -> None:
        """What a seat's block tells beside the cards; with it the block is complete."""
        block[SIZE] = min(255, state.size[seat])
        if self._tables.has_foot:
            block[FOOT_WAITS] = 1 if state.foot_waits[seat] else 0
            block[FOOT_PLAYED] = 1 if state.foot_played[seat] else 0
        block[HAS_MELDED] = 1 if state.has_melded[seat] else 0
        self._known_seen[seat] = state.known[seat]
        self._seat_bytes[seat] = block.getvalue()

    def _set_known(self, block: BytesWriter, known: list[int], kind: int) -> None:
        """How many cards like this one a seat is known to hold."""
        at = self.layout.known
        if self._by_kind:
            block[at + self._at_kinds + kind] = known[kind]
        if self._by_rank:
            rank = self._rank_of[kind]
            number = 0
            for each in self._kinds_of[rank]:
                number += known[each]
            block[at + rank] = number

    def _set_all_known(self, block: BytesWriter, known: list[int]) -> None:
        if self._by_kind:
            for kind in range(KINDS):
                self._set_known(block, known, kind)
        else:
            for rank in range(RANKS):
                self._set_known(block, known, self._kinds_of[rank][0])

    def _set_side(self, state: HandState, side: int) -> None:
        """A side's block from the cards that it has laid since; all of them after a pile was put back."""
        block = self._of_side[side]
        laid = state.laid[side]
        naturals = state.naturals[side]
        wilds = state.wilds[side]
        slots = len(naturals)
        rows = self.layout.rows
        set_at = self._marks.set_at
        at = self.layout.side_numbers
        since = self._laid_seen[side]
        if since < 0 or self._put_backs_seen[side] != state.put_backs[side]:
            since = 0
            for offset in range(at):
                block[offset] = 0
        for index in range(since, len(laid)):
            meld = laid[index] >> 6
            if meld < slots:
                block[set_at[meld]] = naturals[meld]
                block[rows + set_at[meld]] = wilds[meld]
                if self._by_kind:
                    kind_at = self.layout.set_kinds + (laid[index] & 63)
                    block[kind_at] = block[kind_at] + 1
            elif meld < slots + RUN_SLOTS:
                run = state.runs[side][meld - slots]
                run_at = 2 * rows + RUN_NUMBERS * (meld - slots)
                block[run_at] = run_suit(run) + 1
                block[run_at + 1] = run_low(run)
                block[run_at + 2] = run_length(run)
        canastas = state.canastas[side]
        for kind in range(4):
            block[at + CANASTAS + kind] = canastas[kind]
        points = state.points[side]
        block[at + RED_THREES] = len(state.bonus[side])
        block[at + MELDED_HUNDREDS] = min(255, points // 100)
        block[at + MELDED_FIVES] = points % 100 // 5
        block[at + OPENED] = 1 if state.opened[side] else 0
        block[at + CALIENTE_PLAYED] = min(255, state.caliente_played[side])
        block[at + PUT_BACK] = min(255, state.put_backs[side])
        self._laid_seen[side] = len(laid)
        self._bonus_seen[side] = len(state.bonus[side])
        self._caliente_seen[side] = state.caliente_played[side]
        self._put_backs_seen[side] = state.put_backs[side]
        self._side_bytes[side] = block.getvalue()

    def _set_scores(self, state: HandState, side: int) -> None:
        """What stays as it is for the whole hand."""
        block = self._of_side[side]
        score = self._scores[side]
        at = self.layout.side_numbers
        block[at + MINIMUM] = min(255, state.minimum[side] // 5)
        block[at + SCORE_HUNDREDS] = min(max(score // 100 + 50, 0), 255)
        block[at + SCORE_FIVES] = score % 100 // 5
        team = 0
        for seat in state.order:
            if self._side_of[seat] == side:
                team += 1
        block[at + TEAMMATES] = team

    def _set_pile(self, pile: list[int]) -> None:
        """The counts of the pile, its top card, its size."""
        block = self._of_pile
        width = self._width
        there = len(pile)
        if there == self._pile_seen + 1:
            if there > 1:
                self._set_top(pile[there - 2], 0)
            self._count_in_pile(pile[there - 1])
        else:
            block.truncate(0)
            block.write(self._marks.empty_pile)
            for kind in pile:
                self._count_in_pile(kind)
        if there > 0:
            self._set_top(pile[there - 1], 1)
        block[2 * width] = min(255, there)
        self._pile_seen = there
        self._pile_bytes = block.getvalue()

    def _count_in_pile(self, kind: int) -> None:
        block = self._of_pile
        if self._by_rank:
            rank = self._rank_of[kind]
            block[rank] = block[rank] + 1
        if self._by_kind:
            at = self._at_kinds + kind
            block[at] = block[at] + 1

    def _set_top(self, kind: int, is_top: int) -> None:
        block = self._of_pile
        if self._by_rank:
            block[self._width + self._rank_of[kind]] = is_top
        if self._by_kind:
            block[self._width + self._at_kinds + kind] = is_top


def _block(numbers: bytes) -> BytesWriter:
    """Bytes that can be changed."""
    block = BytesWriter()
    block.write(numbers)
    return block


def _one_hot(at: int, length: int) -> bytes:
    numbers = [0] * length
    numbers[at] = 1
    return bytes(numbers)


def _heads(seats: int) -> list[bytes]:
    """Phase, answer, whose turn it is and who acts, one-hot, for every combination in this order."""
    return [
        _one_hot(phase, PHASES) + _one_hot(asked, ANSWERS) + _one_hot(turn, seats) + _one_hot(acts, seats)
        for phase in range(PHASES)
        for asked in range(ANSWERS)
        for turn in range(seats)
        for acts in range(seats)
    ]


def _rounds(count: int) -> list[list[int]]:
    """From each one on, round the table."""
    return [[(first + ahead) % count for ahead in range(count)] for first in range(count)]
