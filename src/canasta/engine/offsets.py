"""Memory layout of a hand in progress: the offsets of every field in its byte buffer.

The buffer is copied in one go, and fields that are read together are close together, because programs run
thousands of tables. No count of a kind or rank exceeds one byte; larger numbers have two or three bytes, low
byte first.
"""

from typing import Final

from mypy_extensions import i64

from canasta.engine.cards import KINDS, RANKS

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
