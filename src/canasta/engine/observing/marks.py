"""What the observations of all tables under one ruleset share: where what stands, and what never changes."""

from typing import Final

from mypy_extensions import i64

from canasta.engine.cards import KINDS, RANKS
from canasta.engine.observing.pieces import ANSWERS, PHASES, Layout, is_exacting_table
from canasta.engine.observing.rule_numbers import later_rule_numbers, rule_numbers
from canasta.engine.prepared import PreparedRules

FLAGS: Final = 12
ALL_FLAGS: Final = [bytes([number >> bit & 1 for bit in range(FLAGS)]) for number in range(1 << FLAGS)]

# What is noted after the blocks, so that only what is new need be written: how much they tell already. The
# number of the hand, cards in the pile (two bytes), cards laid (two), and changes (the lowest byte, since a
# step makes a few); then by side the Caliente cards played and the piles put back (their lowest bytes).
HAND_NUMBER: Final = 0
PILE_SEEN: Final = 1
LAID_SEEN: Final = 3
CHANGES_SEEN: Final = 5
SIDES_SEEN: Final = 6
CALIENTES: Final = 0
PUT_BACKS: Final = 1
SEEN: Final = 2


class Marks:
    """What all tables under one ruleset share, for the cache's sake."""

    def __init__(self, tables: PreparedRules, side_of: list[int], layout: Layout) -> None:
        seats = len(side_of)
        sides = tables.rules.seats.sides
        self.layout: Layout = layout
        self.tables: PreparedRules = tables
        self.side_of: list[int] = side_of
        self.seats: int = seats
        self.sides: int = sides
        self.by_kind: bool = layout.by_kind and tables.same_suit
        """Suits matter, and are told."""
        self.set_at: list[int] = [
            layout.slots.slot_of(tables.slots.row_of(slot), tables.slots.number_of(slot))
            for slot in range(tables.slots.count)
        ]
        """Where each set lies in a side's block."""
        self.heads: list[bytes] = _heads(layout.seats)
        # As an attribute, since a compiled module looks a global list up by its name at every use.
        self.flags: list[bytes] = ALL_FLAGS
        self.at_sides: i64 = seats * layout.seat_block
        """Where in the blocks those of the sides begin; they are written one after the other."""
        self.at_pile: i64 = self.at_sides + sides * layout.side_block
        self.at_notes: i64 = self.at_pile + 2 * layout.width + 1
        self.empty: bytes = bytes(self.at_notes + SIDES_SEEN + SEEN * sides)
        """Of a table at which nothing has been seen."""
        self.no_kinds: bytes = bytes(KINDS if layout.by_kind and not tables.same_suit else 0)
        self.no_ranks: bytes = bytes(RANKS)
        self.no_opening: bytes = bytes(2)
        """What is told of a first meld while none is under way."""
        self.no_seats: bytes = bytes((layout.seats - seats) * layout.seat_block)
        self.no_sides: bytes = bytes((layout.sides - sides) * layout.side_block)
        self.ends: list[bytes] = [b""] * seats
        """The last numbers of an observation, by viewer: who sits with whom, and the rules."""
        self.long_runs: bool = tables.long_runs
        self.exacting: bool = is_exacting_table(tables)
        self.tells_later: bool = self.long_runs or self.exacting
        """There is more to tell than in older games."""
        self.no_long_numbers: bytes = bytes(layout.long_numbers)
        self.no_exacting_numbers: bytes = bytes(layout.exacting_numbers)
        self.others_change: bool = tables.starts_turn or tables.has_pots
        """A step may change more than the blocks of the player who made it."""
        if layout.rule_numbers > 0:
            rules = rule_numbers(tables) + later_rule_numbers(tables)
            for viewer in range(seats):
                around = [(viewer + ahead) % seats for ahead in range(seats)]
                places = [(side_of[seat] - side_of[viewer]) % sides + 1 for seat in around]
                self.ends[viewer] = bytes(places + [0] * (layout.seats - seats)) + rules
                if not self.tells_later:
                    self.ends[viewer] += self.no_long_numbers + self.no_exacting_numbers


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
