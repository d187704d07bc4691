"""The moves as a person makes them.

A card in a move is a kind, or `ANY + rank` for "any card of that rank": the engine then chooses the suit.
"""

from dataclasses import dataclass

from canasta.engine.cards import ANY, KINDS, RANKS
from canasta.engine.meld_names import ROW_RUN, MeldName
from canasta.rules.plain_data import PlainData


class BaseMove(PlainData):
    """A move as a typed value, as `parse_move` reads it and `Match.push` takes it.

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
    | `Ask`, `Answer` | `ask`, `answer yes`, `answer no` |
    | `PutBack` | `putback` |
    | `Undo` | `undo` |

    Moves are equal that say the same, and can be kept in a set. To the engine a move is one of these
    classes, `Move`; `isinstance` may be asked about either.
    """


@dataclass(frozen=True)
class Draw(BaseMove):
    """`draw`"""


@dataclass(frozen=True)
class Take(BaseMove):
    """`take K K`, `take onto K`, `take Q Q + A A Jo`: `cards` is empty exactly when `onto` is given."""

    cards: tuple[int, ...] = ()
    onto: MeldName | None = None
    melds: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True)
class Meld(BaseMove):
    """`meld K K K + 9 9 2`"""

    melds: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Add(BaseMove):
    """`add K 2 to K`"""

    cards: tuple[int, ...]
    to: MeldName


@dataclass(frozen=True)
class Discard(BaseMove):
    """`discard 7`"""

    card: int


@dataclass(frozen=True)
class Keep(BaseMove):
    """`keep`"""


@dataclass(frozen=True)
class Pass(BaseMove):
    """`pass`"""


@dataclass(frozen=True)
class PlayCaliente(BaseMove):
    """`caliente`"""


@dataclass(frozen=True)
class LayBonus(BaseMove):
    """`lay 3r`"""

    card: int


@dataclass(frozen=True)
class Ask(BaseMove):
    """`ask`"""


@dataclass(frozen=True)
class Answer(BaseMove):
    """`answer yes`, `answer no`"""

    yes: bool


@dataclass(frozen=True)
class PutBack(BaseMove):
    """`putback`"""


@dataclass(frozen=True)
class Undo(BaseMove):
    """`undo`"""


Move = (
    Draw | Take | Meld | Add | Discard | Keep | Pass | PlayCaliente | LayBonus | Ask | Answer | PutBack | Undo
)


def defect_of(move: Move) -> str:
    """What makes a move no move at all; empty when it is well formed.

    `take`: neither cards nor a meld for the top card, or both; `cards`: nothing laid; `card`, `name`: there
    is no such card, no such meld.
    """
    if isinstance(move, Take):
        if (move.onto is None) == (not move.cards):
            return "take"
        groups = (move.cards, *move.melds) if move.cards else move.melds
        return _defect_of_name(move.onto) or _defect_of_groups(groups)
    if isinstance(move, Meld):
        return _defect_of_groups(move.melds) if move.melds else "cards"
    if isinstance(move, Add):
        return _defect_of_name(move.to) or _defect_of_groups((move.cards,))
    if isinstance(move, (Discard, LayBonus)):
        return _defect_of_groups(((move.card,),))
    return ""


def _defect_of_groups(groups: tuple[tuple[int, ...], ...]) -> str:
    for group in groups:
        if not group:
            return "cards"
        for card in group:
            if not (0 <= card < KINDS or ANY <= card < ANY + RANKS):
                return "card"
    return ""


def _defect_of_name(name: MeldName | None) -> str:
    if name is not None and not (0 <= name.row <= ROW_RUN and name.number >= 1):
        return "name"
    return ""
