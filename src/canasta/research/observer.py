"""Observations as bytes, kept up to date step by step.

Only what lies open, what was seen to happen and the viewer's own cards go into an observation. What happened
(discards, top cards let lie) is remembered here: the state of a hand does not hold it.

An observation is put together from bytes that are at hand: a block of each seat and of each side, every block
kept twice in a row, so that "from the viewer on, round the table" is one slice.
"""

from typing import Final

from canasta.engine.cards import KINDS, RANKS
from canasta.engine.pile import why_not_touch_pile
from canasta.engine.reasons import OK
from canasta.engine.state import ANSWER, DRAW, HandState, run_length, run_low, run_suit
from canasta.engine.steps import DISCARD, DRAW_STOCK, PASS, PLAY_CALIENTE, RUN_SLOTS, START_RUN
from canasta.engine.tables import Tables
from canasta.research.pieces import ANSWERS, PHASES, Layout

Part = bytes | bytearray | memoryview

FLAGS: Final = 12
NOTHING_SEEN: Final = -2


class Marks:
    """Bytes that observations are made of. All tables share them, for the cache's sake."""

    def __init__(self, tables: Tables) -> None:
        layout = Layout(tables)
        self.layout: Layout = layout
        self.heads: list[bytes] = _heads(layout.seats)
        self.flags: list[bytes] = [
            bytes([number >> bit & 1 for bit in range(FLAGS)]) for number in range(1 << FLAGS)
        ]
        self.singles: list[bytes] = [bytes([number]) for number in range(256)]


class Observer:
    """The table as all see it, in bytes; `observe` adds what one seat sees."""

    def __init__(self, tables: Tables, side_of: list[int], marks: Marks) -> None:
        layout = marks.layout
        self.tables: Tables = tables
        self.side_of: list[int] = side_of
        self.layout: Layout = layout
        self._marks: Marks = marks
        self.size: int = layout.size
        self._seats: int = layout.seats
        self._sides: int = layout.sides
        self._seat_block: int = layout.seat_block
        self._side_block: int = layout.side_block
        self._known_at: int = layout.known
        self._discarded_at: int = layout.discarded
        self._let_pass_at: int = layout.let_pass
        self._width: int = layout.width
        self._by_kind: bool = layout.by_kind
        self._has_foot: bool = tables.has_foot
        self._heads: list[bytes] = marks.heads
        self._flags: list[bytes] = marks.flags
        self._singles: list[bytes] = marks.singles
        self._by_seat: bytearray = bytearray(2 * layout.seats * layout.seat_block)
        self._by_side: bytearray = bytearray(2 * layout.sides * layout.side_block)
        self._pile: bytearray = bytearray(2 * layout.width + 1)
        self._hands: list[bytearray] = [bytearray(layout.width) for _ in range(layout.seats)]
        self._from_seat: list[memoryview] = _rounds(self._by_seat, layout.seats, layout.seat_block)
        self._from_side: list[memoryview] = _rounds(self._by_side, layout.sides, layout.side_block)
        self._scores: list[int] = [0] * layout.sides
        self._no_opening: bytes = bytes(3)
        """The last numbers of an observation while no first meld is under way."""
        # What the bytes tell, as numbers: reading and comparing those is quick, writing a byte is not.
        self._held: list[list[int]] = [[0] * layout.width for _ in range(layout.seats)]
        self._known: list[list[int]] = [[0] * layout.width for _ in range(layout.seats)]
        self._melds: list[list[int]] = [[0] * layout.side_block for _ in range(layout.sides)]
        self._piled: list[int] = [0] * layout.width
        self._known_seen: list[list[int]] = [[] for _ in range(layout.seats)]
        self._melded_seen: list[bool] = []
        self._laid_seen: list[int] = [0] * layout.sides
        self._bonus_seen: list[int] = [0] * layout.sides
        self._caliente_seen: list[int] = [0] * layout.sides
        self._put_backs_seen: list[int] = [0] * layout.sides
        self._pile_seen: int = NOTHING_SEEN

    def copy(self) -> "Observer":
        """An independent copy."""
        new = Observer(self.tables, self.side_of, self._marks)
        new._by_seat[:] = self._by_seat
        new._by_side[:] = self._by_side
        new._pile[:] = self._pile
        new._scores = self._scores
        new._no_opening = self._no_opening
        new._known = [known.copy() for known in self._known]
        new._melds = [melds.copy() for melds in self._melds]
        new._piled = self._piled.copy()
        new._known_seen = self._known_seen.copy()
        new._melded_seen = self._melded_seen
        new._laid_seen = self._laid_seen.copy()
        new._bonus_seen = self._bonus_seen.copy()
        new._caliente_seen = self._caliente_seen.copy()
        new._put_backs_seen = self._put_backs_seen.copy()
        new._pile_seen = self._pile_seen
        return new

    # -- following a hand -----------------------------------------------------------------------------

    def begin(self, state: HandState, scores: list[int], hand_number: int) -> None:
        """A hand has been dealt: nothing has been seen to happen yet."""
        self._by_seat[:] = bytes(len(self._by_seat))
        self._known = [[0] * self._width for _ in range(self._seats)]
        self._scores = scores.copy()
        self._no_opening = bytes([0, 0, min(255, hand_number)])
        self.look(state)

    def look(self, state: HandState) -> None:
        """Read everything that lies open anew; what was seen to happen stays."""
        self._pile_seen = NOTHING_SEEN
        for seat in range(self._seats):
            self._set_seat(seat, 0, 1 if seat in state.order else 0)
            self._set_seat(seat, 1, state.size[seat])
            if self._has_foot:
                self._set_feet(state, seat)
            self._set_known(state, seat)
        self._set_melded(state)
        for side in range(self._sides):
            self._set_side(state, side)
            self._set_scores(state, side)
        self._set_pile(state)

    def before_step(self, state: HandState, step: int) -> None:
        """Remember what everyone sees of a step that is about to be made."""
        if step >= DISCARD:
            if step < START_RUN:
                self._count(state.turn, self._discarded_at + (step - DISCARD) // 5)
        elif state.phase == DRAW and (step == DRAW_STOCK or step == PASS or step == PLAY_CALIENTE):
            if why_not_touch_pile(state) == OK:
                self._count(state.turn, self._let_pass_at + self.tables.rank_of[state.pile[-1]])

    def after_step(self, state: HandState, seat: int) -> None:
        """Read what a step of this seat may have changed."""
        by_seat = self._by_seat
        at = seat * self._seat_block + 1
        size = state.size[seat]
        by_seat[at] = size
        by_seat[at + self._seats * self._seat_block] = size
        if self._has_foot:
            self._set_feet(state, seat)
        if self._known_seen[seat] is not state.known[seat]:
            self._set_known(state, seat)
        if self._melded_seen is not state.has_melded:
            self._set_melded(state)
        if self._pile_seen != len(state.pile):
            self._set_pile(state)
        side = self.side_of[seat]
        if (
            self._laid_seen[side] != len(state.laid[side])
            or self._bonus_seen[side] != len(state.bonus[side])
            or self._caliente_seen[side] != state.caliente_played[side]
            or self._put_backs_seen[side] != state.put_backs[side]
        ):
            self._set_side(state, side)

    # -- observing ------------------------------------------------------------------------------------

    def observe(self, state: HandState, viewer: int) -> bytes:
        """What this seat sees, hears and remembers."""
        parts: list[Part] = []
        self.add_to(parts, state, viewer)
        return b"".join(parts)

    def add_to(self, parts: list[Part], state: HandState, viewer: int) -> None:
        """The observation in parts, to be joined before the next step is made."""
        turn = state.turn
        seats = self._seats
        from_viewer = turn - viewer if turn >= viewer else turn - viewer + seats
        acts = from_viewer
        if state.phase == ANSWER:
            acts = (state.answering - viewer) % seats
        cards = state.cards[viewer] if self._by_kind else state.counts[viewer]
        held = self._held[viewer]
        hand = self._hands[viewer]
        for at in range(self._width):
            count = cards[at]
            if held[at] != count:
                held[at] = count
                hand[at] = count
        parts.append(hand)
        parts.append(self._from_seat[viewer])
        parts.append(self._from_side[self.side_of[viewer]])
        parts.append(self._pile)
        parts.append(self._heads[((state.phase * 3 + state.asked) * seats + from_viewer) * seats + acts])
        flags = 0
        if state.frozen:
            flags += 1
        if state.pile_is_from_deal:
            flags += 2
        if state.fresh:
            flags += 4
        if state.melded_now:
            flags += 8
            if not state.opened[self.side_of[turn]]:
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
        parts.append(self._flags[flags])
        stock = len(state.deck) - state.at
        parts.append(self._singles[min(255, stock)])
        if state.opening_points == 0 and state.opening_extra == 0:
            parts.append(self._no_opening)
            return
        parts.append(
            bytes([min(255, state.opening_points // 5), state.opening_extra // 5, self._no_opening[2]])
        )

    # -- blocks ---------------------------------------------------------------------------------------

    def _set_seat(self, seat: int, offset: int, number: int) -> None:
        """Every block is kept twice, one round of the table apart."""
        at = seat * self._seat_block + offset
        self._by_seat[at] = number
        self._by_seat[at + self._seats * self._seat_block] = number

    def _count(self, seat: int, offset: int) -> None:
        number = self._by_seat[seat * self._seat_block + offset]
        if number < 255:
            self._set_seat(seat, offset, number + 1)

    def _set_feet(self, state: HandState, seat: int) -> None:
        self._set_seat(seat, 2, 1 if state.foot_waits[seat] else 0)
        self._set_seat(seat, 3, 1 if state.foot_played[seat] else 0)

    def _set_melded(self, state: HandState) -> None:
        self._melded_seen = state.has_melded
        for seat in range(self._seats):
            self._set_seat(seat, 4, 1 if state.has_melded[seat] else 0)

    def _set_known(self, state: HandState, seat: int) -> None:
        known = state.known[seat]
        self._known_seen[seat] = known
        told = known if self._by_kind else _by_rank(known, self.tables.rank_of)
        before = self._known[seat]
        for at in range(self._width):
            if before[at] != told[at]:
                before[at] = told[at]
                self._set_seat(seat, self._known_at + at, told[at])

    def _set_side(self, state: HandState, side: int) -> None:
        self._laid_seen[side] = len(state.laid[side])
        self._bonus_seen[side] = len(state.bonus[side])
        self._caliente_seen[side] = state.caliente_played[side]
        self._put_backs_seen[side] = state.put_backs[side]
        naturals = state.naturals[side]
        wilds = state.wilds[side]
        before = self._melds[side]
        rows = len(naturals)
        for row in range(rows):
            if before[row] != naturals[row]:
                self._put(side, row, naturals[row])
            if before[rows + row] != wilds[row]:
                self._put(side, rows + row, wilds[row])
        at = 2 * rows
        if self.tables.runs:
            for number in _runs(state.runs[side]):
                self._put(side, at, number)
                at += 1
        for number in state.canastas[side]:
            self._put(side, at, number)
            at += 1
        points = state.points[side]
        self._put(side, at, len(state.bonus[side]))
        self._put(side, at + 1, min(points // 100, 255))
        self._put(side, at + 2, points % 100 // 5)
        self._put(side, at + 3, 1 if state.opened[side] else 0)
        self._put(side, at + 7, state.caliente_played[side])
        self._put(side, at + 8, state.put_backs[side])

    def _set_scores(self, state: HandState, side: int) -> None:
        """What stays as it is for the whole hand."""
        score = self._scores[side]
        at = self._side_block - 6
        self._put(side, at, state.minimum[side] // 5)
        self._put(side, at + 1, min(max(score // 100 + 50, 0), 255))
        self._put(side, at + 2, score % 100 // 5)
        team = 0
        for seat in state.order:
            if self.side_of[seat] == side:
                team += 1
        self._put(side, at + 5, team)

    def _put(self, side: int, offset: int, number: int) -> None:
        """A number of a side's block, which is kept twice, where it has changed."""
        before = self._melds[side]
        if before[offset] != number:
            before[offset] = number
            at = side * self._side_block + offset
            self._by_side[at] = number
            self._by_side[at + self._sides * self._side_block] = number

    def _set_pile(self, state: HandState) -> None:
        """The counts of the pile, its top card, its size."""
        pile = state.pile
        there = len(pile)
        width = self._width
        told = self._pile
        counts = self._piled
        if there != self._pile_seen + 1:
            self._piled = [0] * width
            for kind in pile:
                self._piled[self._place(kind)] += 1
            told[:] = bytes(2 * width + 1)
            for at in range(width):
                if self._piled[at] > 0:
                    told[at] = self._piled[at]
            if there > 0:
                told[width + self._place(pile[-1])] = 1
        else:
            top = self._place(pile[-1])
            counts[top] += 1
            told[top] = counts[top]
            if there > 1:
                told[width + self._place(pile[-2])] = 0
            told[width + top] = 1
        told[2 * width] = min(255, there)
        self._pile_seen = there

    def _place(self, kind: int) -> int:
        """Where a card counts in a bundle."""
        return kind if self._by_kind else self.tables.rank_of[kind]


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


def _rounds(blocks: bytearray, count: int, size: int) -> list[memoryview]:
    """One round of the table from each block on; the blocks are there twice."""
    whole = memoryview(blocks)
    return [whole[first * size : (first + count) * size] for first in range(count)]


def _by_rank(cards: list[int], rank_of: list[int]) -> list[int]:
    counts = [0] * RANKS
    for kind in range(KINDS):
        if cards[kind] > 0:
            counts[rank_of[kind]] += cards[kind]
    return counts


def _runs(runs: list[int]) -> list[int]:
    numbers: list[int] = []
    for index in range(min(len(runs), RUN_SLOTS)):
        run = runs[index]
        numbers += [run_suit(run) + 1, run_low(run), run_length(run)]
    return numbers + [0] * (3 * RUN_SLOTS - len(numbers))
