"""Events: what happened at the table.

`EVENT_KINDS` declares every event: its name on the wire and the fields that are private to the acting player.
Call `seen_by` to get the version for a viewer. Everything that redacts events reads this declaration, in the
browser too.
"""

from dataclasses import dataclass, fields, replace
from typing import Any, Final

from canasta.engine.cards import card_text, cards_text
from canasta.rules.model import PlainData


class BaseEvent(PlainData):
    """Something that happened. Card numbers are shown in notation by `repr`."""

    def __repr__(self) -> str:
        event: Any = self
        parts: list[str] = []
        for field in fields(event):
            value: Any = getattr(event, field.name)
            if field.name == "cards":
                value = cards_text(value)
            elif field.name in ("card", "top"):
                value = card_text(value)
            parts.append(f"{field.name}={value!r}")
        return f"{type(self).__name__}({', '.join(parts)})"


@dataclass(frozen=True, repr=False)
class Drew(BaseEvent):
    """A seat drew from the stock."""

    seat: int
    count: int
    cards: tuple[int, ...]


@dataclass(frozen=True, repr=False)
class BonusLaid(BaseEvent):
    seat: int
    card: int


@dataclass(frozen=True, repr=False)
class PileTaken(BaseEvent):
    """A player took the pile. `cards` are the cards under its top card.

    The top card was melded, or went into the hand if `top_melded` is false.
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
    """A player melded cards onto one meld. `started` is true if the meld is new."""

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
    """A player discarded. `froze` is true if this discard froze the pile."""

    seat: int
    card: int
    froze: bool


@dataclass(frozen=True, repr=False)
class DiscardedFaceDown(BaseEvent):
    """A player went out by discarding the last card face down; nobody else sees it (DISC-8)."""

    seat: int


@dataclass(frozen=True, repr=False)
class TalonDealt(BaseEvent):
    """A player was dealt talon cards for the first meld."""

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


@dataclass(frozen=True, repr=False)
class PotTaken(BaseEvent):
    """A player without cards took a pot for the side."""

    seat: int
    count: int
    cards: tuple[int, ...]


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


@dataclass(frozen=True)
class EventKind(PlainData):
    """The declaration of an event."""

    tag: str
    """The event's name on the wire and in the catalogues. It must not change."""
    private: tuple[str, ...]
    """Fields that only the acting player may know. They are empty in the version for other viewers."""
    squared: tuple[str, ...] = ()
    """Fields with cards that everyone has already seen one by one. Other viewers don't get them again, since
    that would be a second look through the pile."""


_NONE: Final[tuple[str, ...]] = ()
_CARDS: Final = ("cards",)

EVENT_KINDS: Final[dict[type[BaseEvent], EventKind]] = {
    Drew: EventKind("drew", private=_CARDS),
    BonusLaid: EventKind("bonus_laid", private=_NONE),
    PileTaken: EventKind("pile_taken", private=_NONE, squared=_CARDS),
    TopCardTaken: EventKind("top_card_taken", private=_NONE),
    CardsMelded: EventKind("cards_melded", private=_NONE),
    CanastaMade: EventKind("canasta_made", private=_NONE),
    Discarded: EventKind("discarded", private=_NONE),
    DiscardedFaceDown: EventKind("discarded_face_down", private=_NONE),
    TalonDealt: EventKind("talon_dealt", private=_CARDS),
    TalonPickedUp: EventKind("talon_picked_up", private=_NONE),
    SpecialLaid: EventKind("special_laid", private=_NONE),
    CardKept: EventKind("card_kept", private=_NONE),
    Passed: EventKind("passed", private=_NONE),
    CalientePlayed: EventKind("caliente_played", private=_NONE),
    Asked: EventKind("asked", private=_NONE),
    Answered: EventKind("answered", private=_NONE),
    PilePutBack: EventKind("pile_put_back", private=_NONE),
    MeldTakenBack: EventKind("meld_taken_back", private=_NONE),
    FootPickedUp: EventKind("foot_picked_up", private=_CARDS),
    PotTaken: EventKind("pot_taken", private=_CARDS),
    HandEnded: EventKind("hand_ended", private=_NONE),
}
"""The declaration of each event. Private fields must be tuples: `seen_by` hides them by emptying them."""


def seat_of(event: Event) -> int:
    """Return the acting seat; -1 if the stock or a special hand ended the hand."""
    return event.out if isinstance(event, HandEnded) else event.seat


def seen_by(event: Event, seat: int | None) -> Event:
    """Return the event as this seat may see it; `None` is a spectator.

    >>> seen_by(Drew(0, 1, (52,)), 1)
    Drew(seat=0, count=1, cards='')
    """
    private = EVENT_KINDS[type(event)].private
    if not private or seat_of(event) == seat:
        return event
    nothing: dict[str, Any] = dict.fromkeys(private, ())
    return replace(event, **nothing)
