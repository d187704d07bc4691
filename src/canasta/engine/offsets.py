"""Where things lie in the row of bytes that a hand in progress is kept in.

It is copied at once, and what a step asks for lies close together, which is what thousands of tables need. No
kind or rank has as many cards as a byte can count; what can be more has two bytes, the lower first, or three.
"""

from typing import Final

from mypy_extensions import i64

from canasta.engine.cards import KINDS, RANKS

# A seat's part: what it holds by rank and by kind, what everyone knows it to hold, how many cards it holds
# (two bytes), and three flags.
CARDS_AT: Final = RANKS
KNOWN_AT: Final = CARDS_AT + KINDS
SIZE_AT: Final = KNOWN_AT + KINDS
FOOT_WAITS: Final = SIZE_AT + 2
FOOT_PLAYED: Final = FOOT_WAITS + 1
HAS_MELDED: Final = FOOT_PLAYED + 1
SEAT_SIZE: Final = HAS_MELDED + 1

# A side's part, after those of the seats: single numbers, naturals by slot, wilds by slot, canastas by kind,
# how many sets there are, and in which slots.
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
"""Bytes of a melded card: which meld and kind (two), and the side."""


class Offsets:
    """Those that depend on the rules; all hands under the same rules share them."""

    def __init__(self, seats: int, sides: int, slots: int, cards: int) -> None:
        self.seats: int = seats
        self.sides: int = sides
        self.slots: i64 = slots
        self.cards: i64 = cards
        """How many cards are in the game."""
        self.melds_at: i64 = seats * SEAT_SIZE + SIDE_NUMBERS
        """Where the sets of the first side begin."""
        self.sets_from: i64 = 2 * self.slots + CANASTA_KINDS
        """Where it is said which sets there are, counted from a side's sets."""
        self.side_size: i64 = self.sets_from + 1 + self.slots + SIDE_NUMBERS
        """From a side's sets to those of the next."""
        self.deck_size_at: i64 = seats * SEAT_SIZE + sides * self.side_size
        self.pile_size_at: i64 = self.deck_size_at + 2
        self.deck_at: i64 = self.pile_size_at + 2
        self.pile_at: i64 = self.deck_at + self.cards
        self.laid_from: i64 = self.pile_at + self.cards
        """What is laid is appended from here on."""
        self.most: i64 = self.laid_from + ENTRY * self.cards
        """Bytes when all cards are laid."""

    def __reduce__(self) -> tuple[object, ...]:
        return (Offsets, (self.seats, self.sides, self.slots, self.cards))
