"""Memory layout of a hand in progress: byte buffers, the offsets of the fields in them, the slots of sets.

The buffer is copied in one go, and fields that are read together are close together, because programs run
thousands of tables. No count of a kind or rank exceeds one byte; larger numbers have two or three bytes, low
byte first.
"""

import copyreg
from collections.abc import Callable
from typing import Final

from librt.strings import BytesWriter
from mypy_extensions import i64, u8

from canasta.engine.cards import KINDS, RANKS
from canasta.engine.melds import ROWS, MeldName

# A seat's part: its counts by rank and by kind, the publicly known counts by kind, its hand size (two bytes),
# and three flags.
CARDS_AT: Final = RANKS
KNOWN_AT: Final = CARDS_AT + KINDS
SIZE_AT: Final = KNOWN_AT + KINDS
FOOT_WAITS: Final = SIZE_AT + 2
FOOT_PLAYED: Final = FOOT_WAITS + 1
HAS_MELDED: Final = FOOT_PLAYED + 1
SEAT_SIZE: Final = HAS_MELDED + 1

# A side's part, after those of the seats: single numbers, naturals by slot, wilds by slot, canastas by kind,
# the number of sets, and the slots of those sets.
OPENED: Final = 0
POT_TAKER: Final = 1
CALIENTES: Final = 2
ASKS: Final = 3
MINIMUM_AT: Final = 4
PUT_BACKS_AT: Final = 6
POINTS_AT: Final = 8
LAID_AT: Final = 11
SIDE_NUMBERS: Final = 13
CANASTA_KINDS: Final = 4

ENTRY: Final = 3
"""Bytes of a melded card: meld and kind (two bytes), and the side (one)."""


class Offsets:
    """Offsets that depend on the rules. All hands under the same rules share one instance."""

    def __init__(self, seats: int, sides: int, slots: int, cards: int) -> None:
        self.seats: int = seats
        self.sides: int = sides
        self.slots: i64 = slots
        self.cards: i64 = cards
        """Total number of cards in the game."""
        self.melds_at: i64 = seats * SEAT_SIZE + SIDE_NUMBERS
        """Offset of the first side's sets."""
        self.sets_from: i64 = 2 * self.slots + CANASTA_KINDS
        """Offset, within a side's sets, of the number of sets and their slots."""
        self.side_size: i64 = self.sets_from + 1 + self.slots + SIDE_NUMBERS
        """Distance from one side's sets to the next side's."""
        self.deck_size_at: i64 = seats * SEAT_SIZE + sides * self.side_size
        self.pile_size_at: i64 = self.deck_size_at + 2
        self.deck_at: i64 = self.pile_size_at + 2
        self.pile_at: i64 = self.deck_at + self.cards
        self.laid_from: i64 = self.pile_at + self.cards
        """Offset of the first melded card; melded cards are appended from here on."""
        self.most: i64 = self.laid_from + ENTRY * self.cards
        """Size of the buffer in bytes when every card has been melded."""

    def __reduce__(self) -> tuple[object, ...]:
        return (Offsets, (self.seats, self.sides, self.slots, self.cards))


TOO_LARGE: Final = "a number of two bytes is at least 0 and at most 65535"


def bytes_writer(written: bytes) -> BytesWriter:
    """Return a mutable buffer that initially contains these bytes."""
    writer = BytesWriter()
    writer.write(written)
    return writer


def two_bytes(row: BytesWriter, at: i64) -> i64:
    """Read a two-byte number, low byte first."""
    return i64(row[at]) + (i64(row[at + 1]) << 8)


def set_two_bytes(row: BytesWriter, at: i64, number: i64) -> None:
    if number >> 16 != 0:
        raise ValueError(TOO_LARGE)
    row[at] = u8(number & 255)
    row[at + 1] = u8(number >> 8)


def append_two_bytes(row: BytesWriter, number: i64) -> None:
    if number >> 16 != 0:
        raise ValueError(TOO_LARGE)
    row.append(u8(number & 255))
    row.append(u8(number >> 8))


def _reduced(writer: BytesWriter) -> tuple[Callable[[bytes], BytesWriter], tuple[bytes]]:
    return (bytes_writer, (writer.getvalue(),))


# Register a reducer, so that states can be pickled and deep-copied.
copyreg.pickle(BytesWriter, _reduced)


class Slots:
    """The slots of one side, with `per_row` slots in each row."""

    def __init__(self, per_row: int) -> None:
        self.per_row: int = per_row
        self.count: int = ROWS * per_row
        """Number of slots in all rows. The numbers of sequences continue after them."""
        self.rows: bytes = bytes([slot // per_row for slot in range(self.count)])
        """The row of each slot, as bytes for hot loops that avoid calling `row_of`."""

    def first_slot(self, row: int) -> int:
        """Return the slot of the row's first set; the row's other sets follow in the order laid."""
        return row * self.per_row

    def slot_of(self, row: int, number: int) -> int:
        """Return the slot of a set by its number in the row, counting from 1."""
        return row * self.per_row + number - 1

    def row_of(self, slot: int) -> int:
        return self.rows[slot]

    def number_of(self, slot: int) -> int:
        """Return the number of the set in its row, from 1 in the order laid."""
        return slot % self.per_row + 1

    def name_of(self, slot: int) -> MeldName:
        return MeldName(self.row_of(slot), self.number_of(slot))
