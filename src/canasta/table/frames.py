"""Frames for viewers: a shared part, built once per state, plus each viewer's own part."""

from collections.abc import Callable, Collection, Sequence
from typing import Final

import msgspec

from canasta.engine.events import EVENT_KINDS, Asked, Event, seat_of
from canasta.engine.fairness import FairRound
from canasta.engine.match import Match
from canasta.notation.cards import format_card
from canasta.table.commands import MOST_TAKEN_BACK
from canasta.table.event_views import MOVE_STARTS, Change, events_for
from canasta.table.log import Laid
from canasta.table.player_view import resting_view, your_view
from canasta.table.practice import practice_view
from canasta.table.rematch import again_view, session_view
from canasta.table.seats import FACE_OF, LEVELS, STAND_IN
from canasta.table.table import Table
from canasta.table.views import (
    empty_table,
    game_view,
    last_sheet,
    score_history,
    table_state,
)
from canasta.table.wire import (
    AnyFrame,
    ClockView,
    CutView,
    EventView,
    FairPart,
    FairRoundView,
    FairView,
    PracticeView,
    SeatView,
    TableState,
    Welcome,
    YourView,
)

_encode: Final = msgspec.json.Encoder().encode


def encode_frame(frame: AnyFrame) -> str:
    return _encode(frame).decode()


def welcome(table: Table, name: str) -> Welcome:
    return Welcome(
        table=table.name,
        link=f"/t/{table.name}",
        public=table.created.public,
        you=name,
        game=game_view(table.rules),
        clock=table.created.clock,
        spectators=table.created.spectators,
        levels=list(LEVELS),
        one_seat=table.created.one_seat,
        day=table.created.day,
        counts=table.created.counts,
    )


class Frames:
    """The frames of one state of a table, built on demand."""

    def __init__(
        self,
        table: Table,
        change: Change,
        *,
        present: Collection[int],
        watching: int = 0,
        clock: ClockView | None = None,
        same_address: Collection[int] = (),
        withholds_deal: bool = False,
        open_for: Callable[[int], float] | None = None,
    ) -> None:
        """Build the part that all viewers see.

        present: seats whose players are connected. same_address: seats of players who share a network
        address. withholds_deal: others may still play these cards, so neither the server's seed nor other
        players' cards are shown when the hand is over. open_for: returns the seconds for which the list of
        commitments stays open to a seat.
        """
        self._table = table
        self._change = change
        self._texts: dict[tuple[int | None, bool, bool, int | None], str] = {}
        self._first_texts: dict[tuple[int | None, bool, bool, int | None], str] = {}
        self._events = _events(change, None, table.names)
        self._all = _public_state(table, present, same_address, withholds_deal=withholds_deal)
        self._open_for = open_for
        self._all.watching = watching
        self._all.clock = clock

    def text_for(self, player: str) -> str:
        """Return this player's frame. The only hand in it is one that was dealt to them."""
        return self._text(*self._seen_by(player))

    def state_for(self, player: str) -> TableState:
        """Return this player's state, for a viewer in the same process. The next call may change it in
        place."""
        return self._state(*self._seen_by(player))

    def first_state_for(self, player: str) -> TableState:
        """Return this player's state, like `state_for`, with all events of this hand that they may see, for a
        new viewer."""
        state = self.state_for(player)
        sees = state.seat if self._table.viewing_seat(player) is not None else None
        state.log = _events(self._table.hand_events, sees, self._table.names)
        return state

    def first_text_for(self, player: str) -> str:
        """Return the frame with the state of `first_state_for`, built once for all viewers who see the
        same."""
        key = self._seen_by(player)
        text = self._first_texts.get(key)
        if text is None:
            text = self._first_texts[key] = encode_frame(self.first_state_for(player))
        return text

    def text(self, seat: int | None, *, is_host: bool) -> str:
        """Return the frame for a viewer on this seat; `None` for a spectator."""
        return self._text(seat, is_host, seat is not None, None)

    def _seen_by(self, player: str) -> tuple[int | None, bool, bool, int | None]:
        table = self._table
        is_host = bool(player) and player == table.host
        sees_cards = table.viewing_seat(player) is not None
        return table.seat_of(player), is_host, sees_cards, table.joining_seat(player)

    def _text(self, seat: int | None, is_host: bool, sees_cards: bool, joins: int | None) -> str:
        key = (seat, is_host, sees_cards, joins)
        text = self._texts.get(key)
        if text is None:
            text = self._texts[key] = encode_frame(self._state(*key))
        return text

    def _state(self, seat: int | None, is_host: bool, sees_cards: bool, joins: int | None) -> TableState:
        state = self._all
        match = self._table.match
        sees = seat if sees_cards else None
        state.seat = -1 if seat is None else seat
        state.joins = -1 if joins is None else joins
        state.host = is_host
        if state.fair is not None and state.fair.next is not None:
            state.fair.next.seconds = self._seconds_open(seat)
        state.events = self._events_for(sees)
        state.you = None if sees is None or match is None else _private_view(match, sees)
        if state.you is not None and self._table.taken_back >= MOST_TAKEN_BACK:
            state.you.can = [move for move in state.you.can if move != "undo"]
        return state

    def _seconds_open(self, seat: int | None) -> int:
        if seat is None or self._open_for is None or not self._table.shuffling.may_commit(seat):
            return 0
        return int(max(0.0, self._open_for(seat)))

    def _events_for(self, seat: int | None) -> list[EventView]:
        if seat is None or not any(_differs_for(part, seat) for part in self._change):
            return self._events
        return _events(self._change, seat, self._table.names)


def _differs_for(part: EventView | Event, seat: int) -> bool:
    """Return whether this seat's version of an event differs from the other viewers'."""
    if isinstance(part, EventView):
        return False
    kind = EVENT_KINDS[type(part)]
    if kind.private or kind.squared:
        return seat_of(part) == seat
    return isinstance(part, Asked) and part.partner == seat


def _events(change: Change, seat: int | None, names: Sequence[str]) -> list[EventView]:
    """Return the events of a change for one viewer. Events of different moves are never combined."""
    views: list[EventView] = []
    together: list[Event] = []
    move = 0

    def flush() -> None:
        for event in events_for(together, seat, names):
            event.move = move
            views.append(event)
        together.clear()

    for part in change:
        if not isinstance(part, EventView):
            together.append(part)
            continue
        flush()
        if part.what == MOVE_STARTS:
            move = part.count
        else:
            views.append(part)
    flush()
    return views


def _private_view(match: Match, seat: int) -> YourView | None:
    hand = match.hand
    if seat in match.sitting_out:
        return None
    if hand.over or hand.turn != seat:
        return resting_view(hand, seat)
    return your_view(hand, hand.view(seat))


def seat_views(table: Table, present: Collection[int], same_address: Collection[int] = ()) -> list[SeatView]:
    open_seats, names = table.open_seats(), table.names
    return [
        SeatView(
            name=chair.name or (names[seat] if chair.player else ""),
            who="person" if chair.player else "bot" if chair.level else "free",
            level=STAND_IN if chair.away else chair.level,
            connected=not chair.player or seat in present,
            away=chair.away,
            ready=chair.ready,
            host=bool(chair.player) and chair.player == table.host,
            account=chair.account,
            face=chair.face or ("" if chair.player else FACE_OF.get(chair.name, "")),
            joins="" if chair.newcomer is None else chair.newcomer.name,
            same_address=seat in same_address,
            open=seat in open_seats,
        )
        for seat, chair in enumerate(table.chairs)
    ]


def _public_state(
    table: Table, present: Collection[int], same_address: Collection[int], *, withholds_deal: bool
) -> TableState:
    """Return the part of a state that is the same for all viewers."""
    occupants = seat_views(table, present, same_address)
    match = table.match
    if match is None:
        state = empty_table(table.rules, table.side_of, occupants, state=table.state)
        state.chain = table.chain
        if table.is_fair:
            state.fair = FairView(void=_voids(table.shuffling.voids), next=_open_round(table))
        state.cut = _cut(table)
        state.evening = session_view(table)
        return state
    state = table_state(match, occupants, state=table.state)
    state.status = "over" if table.status == "over" else "playing"
    state.history = score_history(table.match)
    if match.hand.over:
        state.sheet = last_sheet(match)
        for shown in state.seats if not withholds_deal else ():
            shown.shows = [format_card(card) for card in match.hand.hand_cards(shown.seat)]
    state.chain = table.chain
    state.fair = _fair(table, match)
    if withholds_deal and state.fair is not None and table.fair is not None:
        state.fair.dealt = _in_play(table.fair)
    if match.hand_number == 1:
        state.cut = _cut(table)
    if table.laid is not None:
        state.practice = _practice(table, table.laid)
    elif match.over:
        state.again, state.evening = again_view(table), session_view(table)
    return state


def _practice(table: Table, laid: Laid) -> PracticeView:
    """Return the progress of a practice. Its only player sees all of it."""
    return practice_view(table.created.practice, laid.goals, laid.avoid, laid.turns, table.goal_attempt(laid))


def _fair(table: Table, match: Match) -> FairView | None:
    if not table.is_fair:
        return None
    fair = table.fair
    view = FairView(void=_voids(table.voids))
    if fair is not None:
        view.dealt = round_view(fair) if match.hand.over else _in_play(fair)
    if table.hand_is_over:
        view.next = _open_round(table)
        if table.is_dealing:
            view.void += _voids(table.shuffling.voids)
    return view


def round_view(fair: FairRound) -> FairRoundView:
    """Return a round with all of its revealed seeds."""
    return FairRoundView(
        hand=fair.hand,
        round=fair.number,
        commitment=fair.commitment,
        seats=[FairPart(seat=part.seat, commitment=part.commitment, seed=part.seed) for part in fair.parts],
        closed=True,
        server_seed=fair.server_seed,
    )


def _in_play(fair: FairRound) -> FairRoundView:
    """Return the round of the hand in play without the server's seed, which would give away all cards."""
    return FairRoundView(hand=fair.hand, round=fair.number, commitment=fair.commitment, closed=True)


def _voids(rounds: Sequence[FairRound]) -> list[FairRoundView]:
    return [round_view(fair) for fair in rounds]


def _open_round(table: Table) -> FairRoundView:
    shuffling = table.shuffling
    return FairRoundView(
        hand=shuffling.hand,
        round=shuffling.number,
        commitment=shuffling.server_commitment,
        seats=[
            FairPart(seat=seat, commitment=commitment)
            for seat, commitment in sorted(shuffling.commitments.items())
        ],
        asked=shuffling.asked,
        closed=shuffling.closed,
        allowed=None if shuffling.allowed is None else sorted(shuffling.allowed),
    )


def _cut(table: Table) -> CutView | None:
    if table.cut is None or table.cut_round is None:
        return None
    before = table.cut.seating.players
    return CutView(
        cards=[[format_card(card) for card in table.cut.cards[seat]] for seat in before],
        before=list(before),
        dealer=table.cut.seating.dealer,
        round=round_view(table.cut_round),
        void=_voids(table.cut_voids),
    )
