"""How a meld is named: its row and its number in the order laid."""

from dataclasses import dataclass
from typing import Final

from canasta.rules.plain_data import PlainData

ROW_WILD: Final = 11
ROW_BLACK_THREES: Final = 12
ROW_RUN: Final = 13
ROWS: Final = 13
"""Rows of sets: eleven natural ranks, wilds, black threes; runs come after them."""
SMALLEST_MELD: Final = 3
NEW: Final = -1
"""In place of a set on the table: one that is still to be laid."""


@dataclass(frozen=True)
class MeldName(PlainData):
    """One meld of the moving side: `K`, `K#2`, `W`, `3b`, `run#1`.

    `row` is the rank (0 to 10), `ROW_WILD`, `ROW_BLACK_THREES` or `ROW_RUN`; `number` counts from 1 in the
    order laid, open and closed melds alike.
    """

    row: int
    number: int = 1
