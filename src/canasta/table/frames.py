"""Frames for viewers: what all see is built once for each state, then each viewer's own part is added."""

from collections.abc import Collection, Sequence
from typing import Final

import msgspec

from canasta.engine.events import Asked, Drew, Event, FootPickedUp, PileTaken
from canasta.engine.fair import FairRound
from canasta.engine.match import Match
from canasta.notation.cards import format_card
from canasta.table.room import LEVELS, MOST_TAKEN_BACK, STAND_IN, Change, Room
from canasta.table.views import (
    Seen,
    Sitting,
    empty_table,
    game_view,
    happened,
    resting_view,
    sheet_view,
    table_state,
    your_view,
)
from canasta.table.wire import (
    AnyFrame,
    ClockView,
    CutView,
    FairPart,
    FairRoundView,
    FairView,
    Happened,
    SheetView,
    TableState,
    Welcome,
    YourView,
)

_encode: Final = msgspec.json.Encoder().encode


def encode_frame(frame: AnyFrame) -> str:
    return _encode(frame).decode()


def welcome(room: Room, name: str) -> Welcome:
    return Welcome(
        table=room.table,
        link=f"/t/{room.table}",
        public=room.created.public,
        you=name,
        game=game_view(room.rules),
        clock=room.created.clock,
        spectators=room.created.spectators,
        levels=list(LEVELS),
        one_seat=room.created.one_seat,
    )


class Frames:
    """The frames of one state of a table, made when somebody needs them."""

    def __init__(
        self,
        room: Room,
        change: Change,
        *,
        present: Collection[int],
        watching: int,
        clock: ClockView | None,
        same_address: Collection[int] = (),
    ) -> None:
        """`present`: seats whose people are connected; `same_address`: those of people who share one."""
        self._room = room
        self._change = change
        self._texts: dict[tuple[int | None, bool, bool, int | None], str] = {}
        self._events = _events(change, None, room.names)
        self._all = _public_state(room, present, same_address)
        self._all.watching = watching
        self._all.clock = clock

    def text_for(self, player: str) -> str:
        """The frame for this person, with the cards that were dealt to them and no others."""
        room = self._room
        seat = room.seat_of(player)
        return self.text(
            seat,
            is_host=bool(player) and player == room.host,
            sees_cards=room.viewing_seat(player) is not None,
            joins=room.joining_seat(player),
        )

    def text(
        self, seat: int | None, *, is_host: bool, sees_cards: bool = True, joins: int | None = None
    ) -> str:
        """The frame for a viewer on this seat; None for a spectator."""
        key = (seat, is_host, sees_cards, joins)
        found = self._texts.get(key)
        if found is None:
            state = self._state(seat, is_host=is_host, sees_cards=sees_cards, joins=joins)
            found = self._texts[key] = encode_frame(state)
        return found

    def _state(self, seat: int | None, *, is_host: bool, sees_cards: bool, joins: int | None) -> TableState:
        state = self._all
        match = self._room.match
        sees = seat if sees_cards else None
        state.seat = -1 if seat is None else seat
        state.joins = -1 if joins is None else joins
        state.host = is_host
        state.events = self._events_for(sees)
        state.you = None if sees is None or match is None else _yours(match, sees)
        if state.you is not None and self._room.taken_back >= MOST_TAKEN_BACK:
            state.you.can = [move for move in state.you.can if move != "undo"]
        return state

    def _events_for(self, seat: int | None) -> list[Happened]:
        if seat is None or not any(_is_told_apart(part, seat) for part in self._change):
            return self._events
        return _events(self._change, seat, self._room.names)


def _is_told_apart(part: Happened | Event, seat: int) -> bool:
    """Does this seat see more of it than the others, or is it spoken of as `you`?"""
    if isinstance(part, (Drew, FootPickedUp, PileTaken)):
        return part.seat == seat
    return isinstance(part, Asked) and part.partner == seat


def _events(change: Change, seat: int | None, names: Sequence[str]) -> list[Happened]:
    told: list[Happened] = []
    together: list[Event] = []
    for part in change:
        if isinstance(part, Happened):
            told += happened(together, seat, names)
            together = []
            told.append(part)
        else:
            together.append(part)
    return told + happened(together, seat, names)


def _yours(match: Match, seat: int) -> YourView | None:
    hand = match.hand
    if seat in match.sitting_out:
        return None
    if hand.over or hand.turn != seat:
        return resting_view(hand, seat)
    return your_view(hand, hand.view(seat))


def sittings(room: Room, present: Collection[int], same_address: Collection[int] = ()) -> list[Sitting]:
    open_seats, names = room.open_seats(), room.names
    return [
        Sitting(
            name=chair.name or (names[seat] if chair.player else ""),
            who="person" if chair.player else "bot" if chair.level else "free",
            level=STAND_IN if chair.away else chair.level,
            connected=not chair.player or seat in present,
            away=chair.away,
            ready=chair.ready,
            host=bool(chair.player) and chair.player == room.host,
            account=chair.account,
            joins="" if chair.newcomer is None else chair.newcomer.name,
            same_address=seat in same_address,
            open=seat in open_seats,
        )
        for seat, chair in enumerate(room.chairs)
    ]


def _public_state(room: Room, present: Collection[int], same_address: Collection[int]) -> TableState:
    """What everybody sees."""
    seen = Seen(sittings(room, present, same_address))
    match = room.match
    if match is None:
        state = empty_table(room.rules, room.side_of, seen, state=room.state)
        state.fair = FairView(void=_voids(room.shuffling.voids), next=_open_round(room))
        state.cut = _cut(room)
        return state
    state = table_state(match, seen, state=room.state)
    state.history = room.history()
    if match.hand.over:
        state.sheet = last_sheet(match)
    state.fair = _fair(room, match)
    if match.hand_number == 1:
        state.cut = _cut(room)
    return state


def last_sheet(match: Match) -> SheetView:
    return sheet_view(match.hand_number, match.sheets[-1], match.scores, match.hand.out)


def _fair(room: Room, match: Match) -> FairView | None:
    fair = room.fair
    view = FairView(version=1)
    if isinstance(fair, FairRound):
        view = FairView(
            dealt=round_view(fair) if match.hand.over else _in_play(fair), void=_voids(room.voids)
        )
    if room.hand_is_over:
        view.next = _open_round(room)
        if room.is_dealing:
            view.void = _voids(room.shuffling.voids)
    return view


def round_view(fair: FairRound) -> FairRoundView:
    """A round with all of its seeds that were revealed."""
    return FairRoundView(
        hand=fair.hand,
        round=fair.number,
        commitment=fair.commitment,
        seats=[FairPart(seat=part.seat, commitment=part.commitment, seed=part.seed) for part in fair.parts],
        closed=True,
        server_seed=fair.server_seed,
    )


def _in_play(fair: FairRound) -> FairRoundView:
    """Who knew the server's seed would know all cards."""
    return FairRoundView(hand=fair.hand, round=fair.number, commitment=fair.commitment, closed=True)


def _voids(rounds: Sequence[FairRound]) -> list[FairRoundView]:
    return [round_view(fair) for fair in rounds]


def _open_round(room: Room) -> FairRoundView:
    shuffling = room.shuffling
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


def _cut(room: Room) -> CutView | None:
    if room.cut is None or room.cut_round is None:
        return None
    before = room.cut.seating.players
    return CutView(
        cards=[[format_card(card) for card in room.cut.cards[seat]] for seat in before],
        before=list(before),
        dealer=room.cut.seating.dealer,
        round=round_view(room.cut_round),
    )
