"""The types of moves that people make.

A card in a move is a kind, or `ANY + rank` for "any card of that rank"; the engine then chooses the suit.
"""

from dataclasses import dataclass
from typing import Final

from canasta.engine.cards import ANY, KINDS, THREES, card_text, cards_text
from canasta.engine.melds import ROW_THREES, MeldName
from canasta.engine.sequences import HIGH_END
from canasta.rules.model import PlainData


class BaseMove(PlainData):
    """A move as a typed value: `parse_move` returns it and `Match.push` accepts it.

    | move | in its notation |
    | --- | --- |
    | `Draw` | `draw` |
    | `Take` | `take K K`, `take onto K`, `take Q Q + A A Jo` |
    | `Meld` | `meld K K K + 9 9 2` |
    | `Add` | `add K 2 to K` |
    | `Discard` | `discard 7` |
    | `Keep`, `Pass` | `keep`, `pass`: keep the last card; leave the pile when the stock is out |
    | `PlayCaliente` | `caliente` |
    | `LayBonus` | `lay 3r` |
    | `Special` | `special straight`: the whole hand at once |
    | `Ask`, `Answer` | `ask`, `answer yes`, `answer no` |
    | `PutBack` | `putback` |
    | `Undo` | `undo` |

    Moves are hashable, and equal moves have equal notation. `str` of a move is its notation. To the engine a
    move is one of these classes (`Move`); `isinstance` works with either name."""

    def __repr__(self) -> str:
        try:
            return f"parse_move({str(self)!r})"
        except (TypeError, ValueError, IndexError):  # built directly from things that are not cards or melds
            return f"<{type(self).__name__} that is no move>"


@dataclass(frozen=True, repr=False)
class Draw(BaseMove):
    """`draw`"""

    def __str__(self) -> str:
        return "draw"


END_TEXTS: Final = ("", " low", " high")
"""Either end of a sequence, the low one, the high one."""


@dataclass(frozen=True, repr=False)
class Take(BaseMove):
    """`take K K`, `take onto K`, `take Q Q + A A Jo`; plain `take` in games where the whole pile is taken.

    If the top card must be used, cards from the hand may join it on a meld: `take 7h onto run#1`.
    """

    cards: tuple[int, ...] = ()
    onto: MeldName | None = None
    melds: tuple[tuple[int, ...], ...] = ()
    end: int = 0
    """The end of the sequence for a wild card that could be at either: `LOW_END`, `HIGH_END`, or 0."""

    def __str__(self) -> str:
        start = " ".join(["take", *[card_text(card) for card in self.cards]])
        if self.onto is not None:
            start += f" onto {self.onto}{END_TEXTS[self.end]}"
        return " + ".join([start, *[cards_text(meld) for meld in self.melds]])


@dataclass(frozen=True, repr=False)
class Meld(BaseMove):
    """`meld K K K + 9 9 2`"""

    melds: tuple[tuple[int, ...], ...]

    def __str__(self) -> str:
        return "meld " + " + ".join([cards_text(meld) for meld in self.melds])


@dataclass(frozen=True, repr=False)
class Add(BaseMove):
    """`add K 2 to K`; `add 6h to run#1 low`"""

    cards: tuple[int, ...]
    to: MeldName
    end: int = 0
    """The end to which a wild that becomes free in a long sequence goes: `LOW_END`, `HIGH_END`, or 0."""

    def __str__(self) -> str:
        return f"add {cards_text(self.cards)} to {self.to}{END_TEXTS[self.end]}"


@dataclass(frozen=True, repr=False)
class Discard(BaseMove):
    """`discard 7`"""

    card: int

    def __str__(self) -> str:
        return f"discard {card_text(self.card)}"


@dataclass(frozen=True, repr=False)
class Keep(BaseMove):
    """`keep`"""

    def __str__(self) -> str:
        return "keep"


@dataclass(frozen=True, repr=False)
class Pass(BaseMove):
    """`pass`"""

    def __str__(self) -> str:
        return "pass"


@dataclass(frozen=True, repr=False)
class PlayCaliente(BaseMove):
    """`caliente`"""

    def __str__(self) -> str:
        return "caliente"


@dataclass(frozen=True, repr=False)
class LayBonus(BaseMove):
    """`lay 3r`"""

    card: int

    def __str__(self) -> str:
        return f"lay {card_text(self.card)}"


@dataclass(frozen=True, repr=False)
class Special(BaseMove):
    """`special straight`"""

    name: str

    def __str__(self) -> str:
        return f"special {self.name}".rstrip()


@dataclass(frozen=True, repr=False)
class Ask(BaseMove):
    """`ask`"""

    def __str__(self) -> str:
        return "ask"


@dataclass(frozen=True, repr=False)
class Answer(BaseMove):
    """`answer yes`, `answer no`"""

    yes: bool

    def __str__(self) -> str:
        return "answer yes" if self.yes else "answer no"


@dataclass(frozen=True, repr=False)
class PutBack(BaseMove):
    """`putback`"""

    def __str__(self) -> str:
        return "putback"


@dataclass(frozen=True, repr=False)
class Undo(BaseMove):
    """`undo`"""

    def __str__(self) -> str:
        return "undo"


Move = (
    Draw
    | Take
    | Meld
    | Add
    | Discard
    | Keep
    | Pass
    | PlayCaliente
    | LayBonus
    | Special
    | Ask
    | Answer
    | PutBack
    | Undo
)


def defect_of(move: Move) -> str:
    """Return what makes a move malformed, or an empty string if it is well formed.

    `cards`: no cards are laid. `card`, `name`: such a card or meld name does not exist.
    """
    if isinstance(move, Take):
        if not 0 <= move.end <= HIGH_END or (move.end and move.onto is None):
            return "name"
        groups = (move.cards, *move.melds) if move.cards else move.melds
        return _defect_of_name(move.onto) or _defect_of_groups(groups)
    if isinstance(move, Meld):
        return _defect_of_groups(move.melds) if move.melds else "cards"
    if isinstance(move, Add):
        if not 0 <= move.end <= HIGH_END:
            return "name"
        return _defect_of_name(move.to) or _defect_of_groups((move.cards,))
    if isinstance(move, (Discard, LayBonus)):
        return _defect_of_groups(((move.card,),))
    return ""


def _defect_of_groups(groups: tuple[tuple[int, ...], ...]) -> str:
    for group in groups:
        if not group:
            return "cards"
        for card in group:
            if not (0 <= card < KINDS or ANY <= card <= ANY + THREES):
                return "card"
    return ""


def _defect_of_name(name: MeldName | None) -> str:
    if name is not None and not (0 <= name.row <= ROW_THREES and name.number >= 1):
        return "name"
    return ""
