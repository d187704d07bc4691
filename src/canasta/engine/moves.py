"""The moves as a person makes them.

A card in a move is a kind, or `ANY + rank` for "any card of that rank": the engine then chooses the suit.
"""

from dataclasses import dataclass
from typing import Final

ROW_WILD: Final = 11
ROW_BLACK_THREES: Final = 12
ROW_RUN: Final = 13
ROWS: Final = 13
"""Rows of sets: eleven natural ranks, wilds, black threes; runs come after them."""


@dataclass(frozen=True)
class MeldName:
    """One meld of the moving side: `K`, `K#2`, `W`, `3b`, `run#1`.

    `row` is the rank (0 to 10), `ROW_WILD`, `ROW_BLACK_THREES` or `ROW_RUN`; `number` counts from 1 in the
    order laid, open and closed melds alike.
    """

    row: int
    number: int = 1


@dataclass(frozen=True)
class Draw:
    """`draw`"""


@dataclass(frozen=True)
class Take:
    """`take K K`, `take onto K`, `take Q Q + A A Jo`: `cards` is empty exactly when `onto` is given."""

    cards: tuple[int, ...] = ()
    onto: MeldName | None = None
    melds: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True)
class Meld:
    """`meld K K K + 9 9 2`"""

    melds: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Add:
    """`add K 2 to K`"""

    cards: tuple[int, ...]
    to: MeldName


@dataclass(frozen=True)
class Discard:
    """`discard 7`"""

    card: int


@dataclass(frozen=True)
class Keep:
    """`keep`"""


@dataclass(frozen=True)
class Pass:
    """`pass`"""


@dataclass(frozen=True)
class PlayCaliente:
    """`caliente`"""


@dataclass(frozen=True)
class LayBonus:
    """`lay 3r`"""

    card: int


@dataclass(frozen=True)
class Ask:
    """`ask`"""


@dataclass(frozen=True)
class Answer:
    """`answer yes`, `answer no`"""

    yes: bool


@dataclass(frozen=True)
class PutBack:
    """`putback`"""


@dataclass(frozen=True)
class Undo:
    """`undo`"""


Move = (
    Draw | Take | Meld | Add | Discard | Keep | Pass | PlayCaliente | LayBonus | Ask | Answer | PutBack | Undo
)
