"""Frames for viewers: what all see is built once for each state, then each viewer's own part is added."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from canasta.engine.events import Asked, Drew, Event, FootPickedUp, PileTaken, PotTaken, TalonDealt
from canasta.engine.fair import FairRound
from canasta.engine.match import Match
from canasta.notation.cards import format_card
from canasta.table.chairs import LEVELS, STAND_IN
from canasta.table.evening import again_view, evening_view
from canasta.table.fair_wire import CutView, FairPart, FairRoundView, FairView
from canasta.table.figures import FACE_OF
from canasta.table.goals import practice_view
from canasta.table.happenings import happened
from canasta.table.log import Laid
from canasta.table.orders import MOST_TAKEN_BACK
from canasta.table.own_view import resting_view, your_view
from canasta.table.views import (
    Seen,
    Sitting,
    empty_table,
    game_view,
    last_sheet,
    score_history,
    table_state,
)
from canasta.table.wire import AnyFrame, ClockView, Happened, PracticeView, TableState, Welcome, YourView

if TYPE_CHECKING:
    from canasta.table.table import Table

Change = list[Happened | Event]
"""What entries of the log led to, in order."""

_encode: Final = msgspec.json.Encoder().encode


def encode_frame(frame: AnyFrame) -> str:
    return _encode(frame).decode()


def welcome(table: "Table", name: str) -> Welcome:
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
    """The frames of one state of a table, made when somebody needs them."""

    def __init__(
        self,
        table: "Table",
        change: Change,
        *,
        present: Collection[int],
        watching: int,
        clock: ClockView | None,
        same_address: Collection[int] = (),
    ) -> None:
        """`present`: seats whose people are connected; `same_address`: those of people who share one."""
        self._table = table
        self._change = change
        self._texts: dict[tuple[int | None, bool, bool, int | None], str] = {}
        self._events = _events(change, None, table.names)
        self._all = _public_state(table, present, same_address)
        self._all.watching = watching
        self._all.clock = clock

    def text_for(self, player: str) -> str:
        """The frame for this person, with the cards that were dealt to them and no others."""
        return self._text(*self._seen_by(player))

    def state_for(self, player: str) -> TableState:
        """As above, for somebody who sits in the same program; the next call may change it."""
        return self._state(*self._seen_by(player))

    def first_state_for(self, player: str) -> TableState:
        """As above, with all that has happened in this hand as far as they saw it: they have just come."""
        state = self.state_for(player)
        sees = state.seat if self._table.viewing_seat(player) is not None else None
        state.log = _events(self._table.told, sees, self._table.names)
        return state

    def text(self, seat: int | None, *, is_host: bool) -> str:
        """The frame for a viewer on this seat; None for a spectator."""
        return self._text(seat, is_host, seat is not None, None)

    def _seen_by(self, player: str) -> tuple[int | None, bool, bool, int | None]:
        table = self._table
        is_host = bool(player) and player == table.host
        sees_cards = table.viewing_seat(player) is not None
        return table.seat_of(player), is_host, sees_cards, table.joining_seat(player)

    def _text(self, seat: int | None, is_host: bool, sees_cards: bool, joins: int | None) -> str:
        key = (seat, is_host, sees_cards, joins)
        found = self._texts.get(key)
        if found is None:
            found = self._texts[key] = encode_frame(self._state(*key))
        return found

    def _state(self, seat: int | None, is_host: bool, sees_cards: bool, joins: int | None) -> TableState:
        state = self._all
        match = self._table.match
        sees = seat if sees_cards else None
        state.seat = -1 if seat is None else seat
        state.joins = -1 if joins is None else joins
        state.host = is_host
        state.events = self._events_for(sees)
        state.you = None if sees is None or match is None else _yours(match, sees)
        if state.you is not None and self._table.taken_back >= MOST_TAKEN_BACK:
            state.you.can = [move for move in state.you.can if move != "undo"]
        return state

    def _events_for(self, seat: int | None) -> list[Happened]:
        if seat is None or not any(_is_told_apart(part, seat) for part in self._change):
            return self._events
        return _events(self._change, seat, self._table.names)


def _is_told_apart(part: Happened | Event, seat: int) -> bool:
    """Does this seat see more of it than the others, or is it spoken of as `you`?"""
    if isinstance(part, (Drew, FootPickedUp, PileTaken, PotTaken, TalonDealt)):
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


def sittings(table: "Table", present: Collection[int], same_address: Collection[int] = ()) -> list[Sitting]:
    open_seats, names = table.open_seats(), table.names
    return [
        Sitting(
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


def _public_state(table: "Table", present: Collection[int], same_address: Collection[int]) -> TableState:
    """What everybody sees."""
    seen = Seen(sittings(table, present, same_address))
    match = table.match
    if match is None:
        state = empty_table(table.rules, table.side_of, seen, state=table.state)
        if table.is_fair:
            state.fair = FairView(void=_voids(table.shuffling.voids), next=_open_round(table))
        state.cut = _cut(table)
        state.evening = evening_view(table)
        return state
    state = table_state(match, seen, state=table.state)
    state.status = "over" if table.status == "over" else "playing"
    state.history = score_history(table.match)
    if match.hand.over:
        state.sheet = last_sheet(match)
        for shown in state.seats:
            shown.shows = [format_card(card) for card in match.hand.hand_cards(shown.seat)]
    state.fair = _fair(table, match)
    if match.hand_number == 1:
        state.cut = _cut(table)
    if table.laid is not None:
        state.practice = _practice(table, table.laid)
    elif match.over:
        state.again, state.evening = again_view(table), evening_view(table)
    return state


def _practice(table: "Table", laid: Laid) -> PracticeView:
    """Its one person has all of it in sight."""
    return practice_view(table.created.practice, laid.goals, laid.avoid, laid.turns, table.tried(laid))


def _fair(table: "Table", match: Match) -> FairView | None:
    if not table.is_fair:
        return None
    fair = table.fair
    view = FairView(version=1)
    if isinstance(fair, FairRound):
        view = FairView(
            dealt=round_view(fair) if match.hand.over else _in_play(fair), void=_voids(table.voids)
        )
    if table.hand_is_over:
        view.next = _open_round(table)
        if table.is_dealing:
            view.void = _voids(table.shuffling.voids)
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


def _open_round(table: "Table") -> FairRoundView:
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


def _cut(table: "Table") -> CutView | None:
    if table.cut is None or table.cut_round is None:
        return None
    before = table.cut.seating.players
    return CutView(
        cards=[[format_card(card) for card in table.cut.cards[seat]] for seat in before],
        before=list(before),
        dealer=table.cut.seating.dealer,
        round=round_view(table.cut_round),
    )
