"""Observations: the part of each state that a transcript keeps, and the order in which states can follow."""

from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import UNSET, Struct, UnsetType, field

from canasta.engine.events import EVENT_KINDS
from canasta.errors import CanastaError
from canasta.table.wire import EventView, TableState

GAME_EVENTS: Final = frozenset(("dealt", *(kind.tag for kind in EVENT_KINDS.values())))
"""Events of moves and of the deal. All others, such as chat, have nothing to do with the cards."""

MeldCards = dict[str, list[str]]
"""Sorted cards by the name of the meld."""


class FairnessError(CanastaError):
    """A transcript, or an event in it, that can't be true. The message is a verdict or the name of a text."""


class SeenEvent(Struct, kw_only=True, omit_defaults=True, frozen=True):
    """A game event without its text."""

    what: str
    seat: int = -1
    count: int = 0
    cards: list[str] = field(default_factory=list)
    meld: str = ""
    move: int = 0


class Observation(Struct, kw_only=True):
    """Everything that one state shows of the cards."""

    state: int
    chain: str
    phase: str
    cards: list[str] | None
    """The viewer's own, sorted; None if the state doesn't show them."""
    talon: list[str]
    """The viewer's own talon, sorted."""
    held: list[int]
    """Number of cards in hand, by seat."""
    feet: list[int]
    talons: list[int]
    stock: int
    pots: list[int]
    pile: list[str]
    """Cards from bottom to top; cards that nobody may see are empty texts."""
    melds: list[MeldCards]
    """Melds by side."""
    bonus: list[list[str]]
    """Bonus cards by side, sorted."""
    shows: list[list[str]]
    """The cards of each seat, sorted, once the hand is over."""
    events: list[SeenEvent] = field(default_factory=list)
    """Events since the observation before."""
    log: list[SeenEvent] = field(default_factory=list)
    """All events of the hand so far, if the state had them; then `events` is empty."""


class ObservedChange(Struct, kw_only=True, omit_defaults=True):
    """An observation as saved: the fields that differ from the observation before."""

    state: int
    chain: str | UnsetType = UNSET
    phase: str | UnsetType = UNSET
    cards: list[str] | UnsetType | None = UNSET
    talon: list[str] | UnsetType = UNSET
    held: list[int] | UnsetType = UNSET
    feet: list[int] | UnsetType = UNSET
    talons: list[int] | UnsetType = UNSET
    stock: int | UnsetType = UNSET
    pots: list[int] | UnsetType = UNSET
    pile: list[str] | UnsetType = UNSET
    melds: list[MeldCards] | UnsetType = UNSET
    bonus: list[list[str]] | UnsetType = UNSET
    shows: list[list[str]] | UnsetType = UNSET
    events: list[SeenEvent] = field(default_factory=list)
    log: list[SeenEvent] = field(default_factory=list)


_EVENTS: Final = ("state", "events", "log")
SHOWN: Final = tuple(name for name in Observation.__struct_fields__ if name not in _EVENTS)
"""The fields that describe the table, not the events."""


def observe(state: TableState) -> Observation:
    """Return what a state shows of the cards."""
    you = state.you
    log = _game_events(state.log)
    return Observation(
        state=state.state,
        chain=state.chain,
        phase=state.phase,
        cards=None if you is None else sorted(you.cards),
        talon=[] if you is None else sorted(you.talon),
        held=[seat.cards for seat in state.seats],
        feet=[seat.foot for seat in state.seats],
        talons=[seat.talon for seat in state.seats],
        stock=state.stock,
        pots=list(state.pots),
        pile=[] if state.pile is None else list(state.pile.cards),
        melds=[{meld.name: sorted(meld.cards) for meld in side.melds} for side in state.sides],
        bonus=[sorted(side.bonus) for side in state.sides],
        shows=[sorted(seat.shows) for seat in state.seats],
        events=[] if state.log else _game_events(state.events),
        log=log,
    )


def _game_events(events: Sequence[EventView]) -> list[SeenEvent]:
    return [
        SeenEvent(
            what=event.what,
            seat=event.seat,
            count=event.count,
            cards=list(event.cards),
            meld=event.meld,
            move=event.move,
        )
        for event in events
        if event.what in GAME_EVENTS
    ]


def change_between(before: Observation | None, after: Observation) -> ObservedChange | None:
    """Return the change between two observations, as saved; `None` if only the number of the state
    differs."""
    change = ObservedChange(state=after.state, events=after.events, log=after.log)
    is_new = bool(after.events or after.log)
    for name in SHOWN:
        value = getattr(after, name)
        if before is None or value != getattr(before, name):
            setattr(change, name, value)
            is_new = True
    return change if is_new else None


def observation_after(before: Observation | None, change: ObservedChange) -> Observation:
    """Return the observation that results from a saved change. Raises `ValueError` if a field is missing."""
    values: dict[str, object] = {}
    for name in SHOWN:
        value = getattr(change, name)
        if value is not UNSET:
            values[name] = value
        elif before is not None:
            values[name] = getattr(before, name)
        else:
            raise ValueError(f"the first observation has no {name!r}")
    return msgspec.convert(
        {"state": change.state, "events": change.events, "log": change.log, **values},
        Observation,
        from_attributes=True,
    )


def shows_cards(state: TableState) -> bool:
    """Return whether any cards are on the table or in the hands, or have been moved."""
    return bool(
        state.stock
        or any(state.pots)
        or (state.pile is not None and state.pile.cards)
        or (state.you is not None and (state.you.cards or state.you.talon))
        or any(seat.cards or seat.foot or seat.talon or seat.shows for seat in state.seats)
        or any(side.melds or side.bonus for side in state.sides)
        or any(event.what in GAME_EVENTS for event in (*state.events, *state.log))
    )


class HandOrderCheck:
    """Checks the order of hands: a finished hand never continues, and later hands follow one by one."""

    def __init__(self) -> None:
        self.hand = 0
        self._is_over = False

    def fault(self, state: TableState, *, may_skip: bool) -> str:
        """Return why this state can't follow the earlier ones: `gap` or `early_seed`; empty if it can.

        may_skip: hands may have been played that the viewer hasn't seen, because the connection was broken.
        """
        if state.hand < self.hand or (state.hand > self.hand + 1 and not may_skip):
            return "gap"
        if shows_cards(state) and (state.hand < 1 or state.phase == "none" or state.seat >= len(state.seats)):
            return "gap"
        if any(len({meld.name for meld in side.melds}) < len(side.melds) for side in state.sides):
            return "gap"
        if state.hand == self.hand and self._is_over and state.phase != "over":
            return "early_seed"
        return ""

    def note(self, state: TableState) -> None:
        """Record a state in which no fault was found."""
        if state.hand != self.hand:
            self.hand, self._is_over = state.hand, False
        self._is_over |= state.phase == "over"
