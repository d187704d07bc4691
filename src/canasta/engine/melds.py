"""Names of melds, and sequences packed into a number."""

from dataclasses import dataclass
from typing import Final

from canasta.engine.cards import RANK_TEXTS
from canasta.rules.model import PlainData

ROW_WILD: Final = 11
ROW_BLACK_THREES: Final = 12
ROW_RUN: Final = 13
ROW_THREES: Final = 14
"""Used only in names: sets of threes, in games whose threes are
natural cards. They share the row of black threes."""
ROWS: Final = 13
"""Number of rows of sets: eleven natural ranks, wilds, black threes. Sequences come after them."""
NO_ROW: Final = -1
SMALLEST_MELD: Final = 3
NEW: Final = -1
"""Used instead of a slot for a set that is still to be laid."""


@dataclass(frozen=True)
class MeldName(PlainData):
    """The name of one of the moving side's melds: `K`, `K#2`, `W`, `3b`, `3`, `run#1`.

    `row` is the rank (0 to 10) or `ROW_WILD`, `ROW_BLACK_THREES`, `ROW_THREES`, `ROW_RUN`; `number` counts
    from 1 in the order laid, open and closed melds alike.
    """

    row: int
    number: int = 1

    def __str__(self) -> str:
        """Return the name in notation; parsing it gives an equal name."""
        if self.row == ROW_RUN:
            return f"run#{self.number}"
        if self.row == ROW_WILD:
            text = "W"
        elif self.row == ROW_BLACK_THREES:
            text = "3b"
        elif self.row == ROW_THREES:
            text = "3"
        else:
            text = RANK_TEXTS[self.row]
        return text if self.number == 1 else f"{text}#{self.number}"


NATURAL: Final = 0
MIXED: Final = 1
WILD: Final = 2
SAMBA: Final = 3
NOT_A_CANASTA: Final = -1

KIND_NAMES: Final = ("natural", "mixed", "wild", "samba")
"""The names of the kinds of canastas, in the order in which a side's canastas are counted."""


NO_SUIT: Final = 4
"""The suit of a run whose cards need not share one."""


def run_suit(run: int) -> int:
    return (run >> 8) & 7


def run_low(run: int) -> int:
    return (run >> 4) & 15


def run_length(run: int) -> int:
    return run & 15


def pack_run(suit: int, low: int, length: int) -> int:
    return (suit << 8) | (low << 4) | length
