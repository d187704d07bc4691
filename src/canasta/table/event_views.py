"""The engine's events and hints in wire form, as one viewer may see them."""

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any, Final

import msgspec

from canasta.bots.protocol import Hint
from canasta.engine.events import (
    EVENT_KINDS,
    Answered,
    Asked,
    CanastaMade,
    CardsMelded,
    Discarded,
    Drew,
    Event,
    HandEnded,
    PileTaken,
    SpecialLaid,
    seat_of,
    seen_by,
)
from canasta.engine.melds import KIND_NAMES, MeldName
from canasta.i18n.events import Speaker, is_sentence
from canasta.notation.cards import format_card
from canasta.table.wire import EventView, HintView, ReasonView

Change = list[EventView | Event]
"""The results of log entries, in order."""

MOVE_STARTS: Final = "move_starts"
"""A marker in a change: the events after it belong to the move numbered `count`. Clients never receive it."""


def _names_top_card(event: Any) -> bool:
    return any(field.name in ("card", "top") for field in fields(event))


OPEN_CARDS: Final = {
    kind.tag: int(_names_top_card(event))
    for event, kind in EVENT_KINDS.items()
    if kind.private or kind.squared
}
"""Events with cards that only the acting player sees, and how many cards at the end of each event's list
everybody sees."""


def events_for(events: Sequence[Event], seat: int | None, names: Sequence[str]) -> list[EventView]:
    """Return events as this viewer may see them, with draws combined and the pile before the melds it went
    into."""
    views = [_event_view(event, seat) for event in in_order([seen_by(event, seat) for event in events])]
    return _with_texts(views, Speaker(names, seat))


def open_events(events: Sequence[Event], names: Sequence[str]) -> list[EventView]:
    """Return events with all of their cards, for viewers of a finished game."""
    return _with_texts(
        [_event_view(event, seat_of(event)) for event in in_order(events)], Speaker(names, None)
    )


def event_for(event: EventView, seat: int) -> EventView:
    """Return an event with all of its cards as this seat saw it."""
    if event.seat == seat or event.what not in OPEN_CARDS:
        return event
    hidden = max(0, len(event.cards) - OPEN_CARDS[event.what])
    return msgspec.structs.replace(event, cards=event.cards[hidden:], text="")


def _with_texts(views: list[EventView], speaker: Speaker) -> list[EventView]:
    for event in views:
        text = speaker.phrase(event)
        event.text = "" if is_sentence(text) else text
    return views


def hint_view(hint: Hint) -> HintView:
    """Return a suggested move with its reasons."""
    reasons = [ReasonView(code=reason.code, facts=reason.facts) for reason in hint.reason.reasons]
    return HintView(move=str(hint.move), text=hint.reason.text, numbers=hint.reason.numbers, reasons=reasons)


def _event_view(event: Event, seat: int | None) -> EventView:
    kind = EVENT_KINDS[type(event)]
    if isinstance(event, HandEnded):
        return EventView(what=kind.tag, seat=event.out, phrase="special" if event.special else "")
    view = EventView(what=kind.tag, seat=event.seat, count=getattr(event, "count", 0))
    cards: list[int] = (
        [] if "cards" in kind.squared and event.seat != seat else [*getattr(event, "cards", ())]
    )
    cards += [getattr(event, name) for name in ("card", "top") if hasattr(event, name)]
    view.cards = [format_card(card) for card in cards]
    if isinstance(event, (CardsMelded, CanastaMade)):
        view.meld = str(MeldName(event.row, event.number))
    if isinstance(event, CardsMelded):
        view.started = event.started
    elif isinstance(event, CanastaMade):
        view.canasta = KIND_NAMES[event.kind]
    elif isinstance(event, SpecialLaid):
        view.phrase = event.name
    elif isinstance(event, PileTaken):
        view.count = len(event.cards) + 1
    elif isinstance(event, Discarded):
        view.froze = event.froze
    elif isinstance(event, Answered):
        view.yes = event.yes
    elif isinstance(event, Asked):
        view.partner = event.partner
    return view


def in_order(events: Sequence[Event]) -> list[Event]:
    """Return the events in the order in which they are shown: draws combined, the pile before the melds it
    went into."""
    ordered: list[Event] = []
    for event in events:
        last = ordered[-1] if ordered else None
        if isinstance(event, Drew) and isinstance(last, Drew) and last.seat == event.seat:
            ordered[-1] = Drew(event.seat, last.count + event.count, last.cards + event.cards)
        elif isinstance(event, CardsMelded) and isinstance(last, CardsMelded) and _extends(last, event):
            ordered[-1] = replace(last, cards=last.cards + event.cards)
        elif isinstance(event, PileTaken):
            at = len(ordered)
            while (
                at
                and isinstance(ordered[at - 1], (CardsMelded, CanastaMade))
                and seat_of(ordered[at - 1]) == event.seat
            ):
                at -= 1
            ordered.insert(at, event)
        else:
            ordered.append(event)
    return ordered


def _extends(last: CardsMelded, event: CardsMelded) -> bool:
    """Return whether an event adds to the meld of the one before it."""
    meld = (last.seat, last.row, last.number)
    return not event.started and meld == (event.seat, event.row, event.number)
