"""How a meld is named: its row and its number in the order laid."""

from dataclasses import dataclass
from typing import Final

from canasta.engine.cards import RANK_TEXTS
from canasta.rules.plain_data import PlainData

ROW_WILD: Final = 11
ROW_BLACK_THREES: Final = 12
ROW_RUN: Final = 13
ROW_THREES: Final = 14
"""In a name alone: sets of threes, where threes are natural cards. They lie in the row of black threes."""
ROWS: Final = 13
"""Rows of sets: eleven natural ranks, wilds, black threes; runs come after them."""
NO_ROW: Final = -1
SMALLEST_MELD: Final = 3
NEW: Final = -1
"""In place of a set on the table: one that is still to be laid."""


@dataclass(frozen=True)
class MeldName(PlainData):
    """One meld of the moving side: `K`, `K#2`, `W`, `3b`, `3`, `run#1`.

    `row` is the rank (0 to 10) or `ROW_WILD`, `ROW_BLACK_THREES`, `ROW_THREES`, `ROW_RUN`; `number` counts
    from 1 in the order laid, open and closed melds alike.
    """

    row: int
    number: int = 1

    def __str__(self) -> str:
        """As the notation writes it: reading it gives the same name."""
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


KIND_NAMES: Final = ("natural", "mixed", "wild", "samba")
"""The kinds of canastas, in the order in which those of a side are counted."""
