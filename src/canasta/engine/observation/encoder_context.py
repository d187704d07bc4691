"""The part of observations shared by all tables under one ruleset: offsets and constants."""

from typing import Final

from mypy_extensions import i64

from canasta.engine.cards import KINDS, RANKS
from canasta.engine.compiled_rules import CompiledRules
from canasta.engine.observation.layout import ANSWERS, PHASES, Layout, is_american
from canasta.engine.observation.rule_features import later_rule_numbers, rule_numbers

FLAGS: Final = 12
ALL_FLAGS: Final = [bytes([number >> bit & 1 for bit in range(FLAGS)]) for number in range(1 << FLAGS)]

# Notes after the blocks record how much the blocks already contain, so that only new facts are written: the
# number of the hand, cards in the pile (two bytes), cards melded (two), and changes (the low byte is enough,
# since a step makes only a few). Then, for each side, the Caliente cards played and the piles put back (low
# bytes).
HAND_NUMBER: Final = 0
PILE_SEEN: Final = 1
LAID_SEEN: Final = 3
CHANGES_SEEN: Final = 5
SIDES_SEEN: Final = 6
CALIENTES: Final = 0
PUT_BACKS: Final = 1
SEEN: Final = 2


class Marks:
    """The data that all tables under one ruleset share. Sharing keeps it in the processor's cache."""

    def __init__(self, tables: CompiledRules, side_of: list[int], layout: Layout) -> None:
        seats = len(side_of)
        sides = tables.rules.seats.sides
        self.layout: Layout = layout
        self.tables: CompiledRules = tables
        self.side_of: list[int] = side_of
        self.seats: int = seats
        self.sides: int = sides
        self.by_kind: bool = layout.by_kind and tables.same_suit
        """Whether suits matter and are part of the observation."""
        self.set_at: list[int] = [
            layout.slots.slot_of(tables.slots.row_of(slot), tables.slots.number_of(slot))
            for slot in range(tables.slots.count)
        ]
        """Offset of each set within a side's block."""
        self.heads: list[bytes] = _heads(layout.seats)
        # An attribute, because compiled code looks up a global list by name on every use.
        self.flags: list[bytes] = ALL_FLAGS
        self.at_sides: i64 = seats * layout.seat_block
        """Offset of the sides' blocks, which follow one another."""
        self.at_pile: i64 = self.at_sides + sides * layout.side_block
        self.at_notes: i64 = self.at_pile + 2 * layout.width + 1
        self.empty: bytes = bytes(self.at_notes + SIDES_SEEN + SEEN * sides)
        """The blocks of a table at which nothing has been seen yet."""
        self.no_kinds: bytes = bytes(KINDS if layout.by_kind and not tables.same_suit else 0)
        self.no_ranks: bytes = bytes(RANKS)
        self.no_opening: bytes = bytes(2)
        """The first-meld numbers while no first meld is in progress."""
        self.no_seats: bytes = bytes((layout.seats - seats) * layout.seat_block)
        self.no_sides: bytes = bytes((layout.sides - sides) * layout.side_block)
        self.ends: list[bytes] = [b""] * seats
        """The last numbers of an observation, by viewer: the sides of the seats, and the rules."""
        self.long_runs: bool = tables.long_runs
        self.american: bool = is_american(tables)
        self.tells_later: bool = self.long_runs or self.american
        """Whether this game has features of the later families of games."""
        self.no_long_numbers: bytes = bytes(layout.long_numbers)
        self.no_american_numbers: bytes = bytes(layout.american_numbers)
        self.others_change: bool = tables.starts_turn or tables.has_pots
        """Whether a step may change more than the blocks of the player who made it."""
        if layout.rule_numbers > 0:
            rules = rule_numbers(tables) + later_rule_numbers(tables)
            for viewer in range(seats):
                around = [(viewer + ahead) % seats for ahead in range(seats)]
                places = [(side_of[seat] - side_of[viewer]) % sides + 1 for seat in around]
                self.ends[viewer] = bytes(places + [0] * (layout.seats - seats)) + rules
                if not self.tells_later:
                    self.ends[viewer] += self.no_long_numbers + self.no_american_numbers


def _one_hot(at: int, length: int) -> bytes:
    numbers = [0] * length
    numbers[at] = 1
    return bytes(numbers)


def _heads(seats: int) -> list[bytes]:
    """Return phase, answer, turn and actor, one-hot, for every combination in this order."""
    return [
        _one_hot(phase, PHASES) + _one_hot(asked, ANSWERS) + _one_hot(turn, seats) + _one_hot(acts, seats)
        for phase in range(PHASES)
        for asked in range(ANSWERS)
        for turn in range(seats)
        for acts in range(seats)
    ]
