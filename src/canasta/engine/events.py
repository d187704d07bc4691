"""Events: what happened at the table.

Events name only cards that everyone at the table can see. The exceptions are `Drew`, `TalonDealt`,
`FootPickedUp` and `PotTaken`, whose cards only the acting player may see: call `seen_by` to get the version
for a viewer.
"""

from dataclasses import dataclass, fields
from typing import Any

from canasta.engine.cards import card_text, cards_text
from canasta.rules.copyable import PlainData


class BaseEvent(PlainData):
    """Something that happened. Card numbers are shown in notation by `repr`."""

    def __repr__(self) -> str:
        event: Any = self
        told: list[str] = []
        for field in fields(event):
            value: Any = getattr(event, field.name)
            if field.name == "cards":
                value = cards_text(value)
            elif field.name in ("card", "top"):
                value = card_text(value)
            told.append(f"{field.name}={value!r}")
        return f"{type(self).__name__}({', '.join(told)})"


@dataclass(frozen=True, repr=False)
class Drew(BaseEvent):
    """A seat drew from the stock. `cards` is empty in the version for other viewers."""

    seat: int
    count: int
    cards: tuple[int, ...]


@dataclass(frozen=True, repr=False)
class BonusLaid(BaseEvent):
    seat: int
    card: int


@dataclass(frozen=True, repr=False)
class PileTaken(BaseEvent):
    """The pile came into the hand. `cards` are those under the top card.

    The top card was melded, or (`top_melded` false) came into the hand too.
    """

    seat: int
    top: int
    cards: tuple[int, ...]
    top_melded: bool = True


@dataclass(frozen=True, repr=False)
class TopCardTaken(BaseEvent):
    """The top card of the pile was taken and melded; the rest of the pile stays (END-6)."""

    seat: int
    card: int


@dataclass(frozen=True, repr=False)
class CardsMelded(BaseEvent):
    """Cards were laid on one meld of the side. `started` if the meld is new."""

    seat: int
    row: int
    number: int
    cards: tuple[int, ...]
    started: bool


@dataclass(frozen=True, repr=False)
class CanastaMade(BaseEvent):
    seat: int
    row: int
    number: int
    kind: int


@dataclass(frozen=True, repr=False)
class Discarded(BaseEvent):
    """A seat discarded. `froze` if this discard froze the pile."""

    seat: int
    card: int
    froze: bool


@dataclass(frozen=True, repr=False)
class DiscardedFaceDown(BaseEvent):
    """A player discarded the last card face down in going out; nobody else sees it (DISC-8)."""

    seat: int


@dataclass(frozen=True, repr=False)
class TalonDealt(BaseEvent):
    """A player was dealt talon cards for the first meld.

    `cards` is empty in the version for other viewers.
    """

    seat: int
    count: int
    cards: tuple[int, ...]


@dataclass(frozen=True, repr=False)
class TalonPickedUp(BaseEvent):
    """A player took the talon into the hand at the start of the turn."""

    seat: int
    count: int


@dataclass(frozen=True, repr=False)
class SpecialLaid(BaseEvent):
    """A player laid down a whole hand as a special hand."""

    seat: int
    name: str
    cards: tuple[int, ...]


@dataclass(frozen=True, repr=False)
class CardKept(BaseEvent):
    seat: int


@dataclass(frozen=True, repr=False)
class Passed(BaseEvent):
    seat: int


@dataclass(frozen=True, repr=False)
class CalientePlayed(BaseEvent):
    seat: int


@dataclass(frozen=True, repr=False)
class Asked(BaseEvent):
    seat: int
    partner: int


@dataclass(frozen=True, repr=False)
class Answered(BaseEvent):
    seat: int
    yes: bool


@dataclass(frozen=True, repr=False)
class PilePutBack(BaseEvent):
    seat: int


@dataclass(frozen=True, repr=False)
class MeldTakenBack(BaseEvent):
    seat: int


@dataclass(frozen=True, repr=False)
class FootPickedUp(BaseEvent):
    seat: int
    count: int
    cards: tuple[int, ...]
    """The foot's cards; empty in the version for other viewers."""


@dataclass(frozen=True, repr=False)
class PotTaken(BaseEvent):
    """A player without cards took a pot for the side."""

    seat: int
    count: int
    cards: tuple[int, ...]
    """The pot's cards; empty in the version for other viewers."""


@dataclass(frozen=True, repr=False)
class HandEnded(BaseEvent):
    """The hand ended. `out` is the seat that went out, or -1 if the stock or a special hand ended it."""

    out: int
    special: bool = False


Event = (
    Drew
    | BonusLaid
    | PileTaken
    | TopCardTaken
    | CardsMelded
    | CanastaMade
    | Discarded
    | DiscardedFaceDown
    | TalonDealt
    | TalonPickedUp
    | SpecialLaid
    | CardKept
    | Passed
    | CalientePlayed
    | Asked
    | Answered
    | PilePutBack
    | MeldTakenBack
    | FootPickedUp
    | PotTaken
    | HandEnded
)


def seen_by(event: Event, seat: int | None) -> Event:
    """Return the event as this seat may see it; `None` is a spectator.

    >>> seen_by(Drew(0, 1, (52,)), 1)
    Drew(seat=0, count=1, cards='')
    """
    if isinstance(event, Drew) and event.seat != seat:
        return Drew(event.seat, event.count, ())
    if isinstance(event, TalonDealt) and event.seat != seat:
        return TalonDealt(event.seat, event.count, ())
    if isinstance(event, FootPickedUp) and event.seat != seat:
        return FootPickedUp(event.seat, event.count, ())
    if isinstance(event, PotTaken) and event.seat != seat:
        return PotTaken(event.seat, event.count, ())
    return event
