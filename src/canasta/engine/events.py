"""What happened, in the past tense. An event names cards only where everyone at the table sees them, or in
`Drew`, whose cards only the drawer may see: `seen_by` gives the version for a viewer."""

from dataclasses import dataclass

from canasta.rules.plain_data import PlainData


@dataclass(frozen=True)
class Drew(PlainData):
    """A seat drew from the stock; `cards` is empty in the version for others."""

    seat: int
    count: int
    cards: tuple[int, ...]


@dataclass(frozen=True)
class BonusLaid(PlainData):
    seat: int
    card: int


@dataclass(frozen=True)
class PileTaken(PlainData):
    """The pile came into the hand; `cards` are those under the top card, which was melded."""

    seat: int
    top: int
    cards: tuple[int, ...]


@dataclass(frozen=True)
class TopCardTaken(PlainData):
    """The top card was taken off the pile and melded, and the rest of the pile stays (END-6)."""

    seat: int
    card: int


@dataclass(frozen=True)
class CardsMelded(PlainData):
    """Cards laid on one meld of the side; `started` when the meld is new."""

    seat: int
    row: int
    number: int
    cards: tuple[int, ...]
    started: bool


@dataclass(frozen=True)
class CanastaMade(PlainData):
    seat: int
    row: int
    number: int
    kind: int


@dataclass(frozen=True)
class Discarded(PlainData):
    """`froze` when the pile was not frozen before."""

    seat: int
    card: int
    froze: bool


@dataclass(frozen=True)
class CardKept(PlainData):
    seat: int


@dataclass(frozen=True)
class Passed(PlainData):
    seat: int


@dataclass(frozen=True)
class CalientePlayed(PlainData):
    seat: int


@dataclass(frozen=True)
class Asked(PlainData):
    seat: int
    partner: int


@dataclass(frozen=True)
class Answered(PlainData):
    seat: int
    yes: bool


@dataclass(frozen=True)
class PilePutBack(PlainData):
    seat: int


@dataclass(frozen=True)
class MeldTakenBack(PlainData):
    seat: int


@dataclass(frozen=True)
class FootPickedUp(PlainData):
    seat: int
    count: int
    cards: tuple[int, ...]
    """The foot's cards; empty in the version for others."""


@dataclass(frozen=True)
class HandEnded(PlainData):
    """`out` is the seat that went out, -1 when the stock ended the hand."""

    out: int


Event = (
    Drew
    | BonusLaid
    | PileTaken
    | TopCardTaken
    | CardsMelded
    | CanastaMade
    | Discarded
    | CardKept
    | Passed
    | CalientePlayed
    | Asked
    | Answered
    | PilePutBack
    | MeldTakenBack
    | FootPickedUp
    | HandEnded
)


def seen_by(event: Event, seat: int | None) -> Event:
    """The event as this seat may see it; None is a spectator.

    >>> seen_by(Drew(0, 1, (52,)), 1)
    Drew(seat=0, count=1, cards=())
    """
    if isinstance(event, Drew) and event.seat != seat:
        return Drew(event.seat, event.count, ())
    if isinstance(event, FootPickedUp) and event.seat != seat:
        return FootPickedUp(event.seat, event.count, ())
    return event
