"""Replays of a record as frames: every position from the first deal on, with all cards open.

The frames look like those of a game in play, so code that draws a table can draw a replay. `as_seen_by`
reduces a frame to what one seat saw at the time.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from canasta.engine.events import Event
from canasta.engine.match import Match
from canasta.engine.moves.refusals import RefusedMove
from canasta.engine.moves.types import Move
from canasta.engine.position import PositionError
from canasta.engine.state import DRAW
from canasta.i18n.safe_text import printable
from canasta.i18n.voice import SEAT_NAMES, Voice
from canasta.notation.cards import format_card
from canasta.notation.errors import FileProblem, NotationError
from canasta.notation.moves import parse_move
from canasta.notation.record import MoveMade
from canasta.notation.replay import Replayer
from canasta.scenarios.positions import format_position
from canasta.table.errors import input_error
from canasta.table.event_views import event_for, open_events
from canasta.table.seats import FACE_OF
from canasta.table.views import game_view, last_sheet, score_history, table_state
from canasta.table.wire import EventView, SeatView, TableState, Welcome, YourView

MOST_FRAMES: Final = 4_000
"""Maximum number of frames of one hand; the longest hands that people play have a few hundred moves."""


@dataclass(frozen=True)
class Page:
    """A position and the move that led to it. The first position of a hand has no move."""

    state: TableState
    seat: int = -1
    move: str = ""


class ReplayedHand(Struct, kw_only=True):
    """One hand of a record, position by position, with all cards open."""

    welcome: Welcome
    hand: int
    frames: list[TableState]
    """Positions from the deal to the last move; the cards of each seat are its `shows`."""
    movers: list[int]
    """The seat whose move led to each frame; -1 for the deal."""
    moves: list[str]
    """The moves that led to each frame, in our notation."""
    lengths: list[int]
    """The number of frames of each hand in the record."""
    history: list[list[int]]
    """Scores by side after each finished hand."""
    problem: str = ""
    """The reason why the record stops before its end."""
    line: int = 0
    """The line of the problem."""


class Instead(Struct, kw_only=True, forbid_unknown_fields=True):
    """Alternative moves from a position of a hand on."""

    after: Annotated[int, Meta(ge=0, le=MOST_FRAMES)]
    """The number of moves of the hand before the position."""
    moves: Annotated[list[Annotated[str, Meta(max_length=300)]], Meta(max_length=40)]


class Positions:
    """The positions of a record, which is replayed once, from start to end."""

    def __init__(self, text: str) -> None:
        self._replayer = Replayer(text)
        self._replayer.on_deal = self._dealt
        self._waiting: list[Page] = []
        self._wanted = 0
        self._deal: Match | None = None
        """The requested hand as dealt."""
        self._occupants = self._seat_views()
        self.lengths: list[int] = []
        """Number of positions of each hand so far."""

    @property
    def match(self) -> Match | None:
        return self._replayer.replay.match

    @property
    def problem(self) -> FileProblem | None:
        """The reason why the record stops where it does; only known once all of it has been read."""
        replay = self._replayer.replay
        return replay.problem or replay.breaks_off

    def pages(self, hand: int = 0) -> Iterator[Page | None]:
        """Play the record to its end or its first problem, and yield its positions.

        With a `hand`, positions of other hands are yielded as None.
        """
        self._wanted = hand
        match = self.match
        if match is None:
            return
        while (made := self._replayer.step()) is not None:
            dealt, self._waiting = self._waiting, []
            yield from dealt
            yield self._page(match, made)
        if not self.lengths:
            self._dealt()
        yield from self._waiting

    def instead(self, moves: Sequence[str], at: int) -> list[Page]:
        """Return the positions that alternative moves lead to.

        The caller must have read the pages of the hand up to number `at`. Raises `InputError`.
        """
        match = self.match if at else self._deal
        assert match is not None
        pages: list[Page] = []
        for text in moves:
            try:
                made = MoveMade(match.hand.turn, parse_move(text))
                self._replayer.events = match.apply(made.move)
            except (NotationError, RefusedMove):
                raise input_error("NOT_PLAYED_ON") from None
            page = self._page(match, made)
            if page is None:
                raise input_error("NOT_PLAYED_ON")
            pages.append(page)
        return pages

    def welcome(self) -> Welcome:
        match = self.match
        assert match is not None
        return position_welcome(match)

    def problem_text(self, voice: Voice) -> str:
        problem = self.problem
        if problem is None:
            return ""
        if self._replayer.replay.problem is None:
            return voice.say("screens.replay.breaks_off", {"number": problem.line})
        text = printable(problem.message_in(voice.language))
        return voice.say("screens.replay.stops", {"number": problem.line, "text": text})

    def _dealt(self) -> None:
        match = self.match
        assert match is not None
        self.lengths.append(1)
        if self._is_wanted(match):
            dealt = EventView(what="dealt", seat=match.dealer, count=match.hand_number)
            self._waiting.append(Page(self._frame(match, [dealt])))
            self._deal = match.copy()

    def _is_wanted(self, match: Match) -> bool:
        return self._wanted in (0, match.hand_number) and self.lengths[-1] <= MOST_FRAMES

    def _page(self, match: Match, made: MoveMade) -> Page | None:
        self.lengths[-1] += 1
        if not self._is_wanted(match):
            return None
        events: list[Event] = self._replayer.events
        views = open_events(events, [occupant.name for occupant in self._occupants])
        return Page(self._frame(match, views), made.seat, str(made.move))

    def _frame(self, match: Match, events: list[EventView]) -> TableState:
        hand = match.hand
        state = table_state(match, self._occupants, state=self.lengths[-1] - 1, events=events)
        for seat, shown in enumerate(state.seats):
            shown.shows = [format_card(card) for card in hand.hand_cards(seat)]
        state.sheet = last_sheet(match) if hand.over else None
        state.history = score_history(match)
        return state

    def _seat_views(self) -> list[SeatView]:
        replay = self._replayer.replay
        if replay.header is None or replay.match is None:
            return []
        usual = SEAT_NAMES[replay.match.rules.seats.players]
        names = [printable(replay.header.names.get(seat, name)) for seat, name in enumerate(usual)]
        # A record doesn't show which seats were computer players; assume it of seats with a default name.
        return [
            SeatView(name=name, who="bot" if name == usual[seat] else "person", face=FACE_OF.get(name, ""))
            for seat, name in enumerate(names)
        ]


def position_welcome(match: Match) -> Welcome:
    """Return the welcome for a position that is only viewed."""
    return Welcome(
        table="",
        link="",
        public=False,
        you="",
        game=game_view(match.rules),
        clock=0,
        spectators=False,
        levels=[],
    )


def as_seen_by(state: TableState, seat: int) -> TableState:
    """Return the position as the player on this seat saw it."""
    own = state.seats[seat]
    return msgspec.structs.replace(
        state,
        seat=seat,
        seats=[msgspec.structs.replace(one, shows=[]) for one in state.seats],
        you=None if own.sits_out else YourView(seat=seat, cards=own.shows, turn=state.turn == seat),
        events=[event_for(event, seat) for event in state.events],
    )


def replayed_hand(
    text: str, hand: int, language: str, is_late: Callable[[], bool], instead: Instead | None = None
) -> ReplayedHand | str:
    """Return one hand of a record, or an error message if none can be shown.

    With `instead`, the hand continues with the alternative moves and stops there. Raises `TimeoutError` and
    `InputError`.
    """
    course = Positions(text)
    voice = Voice(language)
    shown: list[Page] = []
    for page in course.pages(hand):
        if page is not None:
            shown.append(page)
        if is_late():
            raise TimeoutError
        if instead is not None and len(shown) > instead.after:
            break
    match = course.match
    if instead is not None and shown:
        if len(shown) <= instead.after:
            raise input_error("NOT_PLAYED_ON")
        shown += course.instead(instead.moves, instead.after)
    problem = course.problem_text(voice)
    if match is None or not course.lengths:
        return problem
    return ReplayedHand(
        welcome=course.welcome(),
        hand=hand,
        frames=[page.state for page in shown],
        movers=[page.seat for page in shown],
        moves=[page.move for page in shown],
        lengths=[min(length, MOST_FRAMES) for length in course.lengths],
        history=score_history(match),
        problem=problem,
        line=0 if course.problem is None else course.problem.line,
    )


def position_in(text: str, hand: int, after: int, is_late: Callable[[], bool]) -> str:
    """Return a position of a record as text, with all its cards. Raises `InputError` and `TimeoutError`."""
    replayer = Replayer(text)
    match = replayer.replay.match
    start: Match | None = None
    since: list[Move] = []

    def dealt() -> None:
        nonlocal start
        assert match is not None
        start = match.copy() if match.hand_number == hand else None

    replayer.on_deal = dealt
    made = 0
    while start is None or made < after:
        step = replayer.step()
        if is_late():
            raise TimeoutError
        if match is None or step is None or match.hand_number > hand:
            raise input_error("NOT_PLAYED_ON")
        if start is None:
            continue
        made += 1
        if match.hand.over and made <= after:
            raise input_error("NOT_PLAYED_ON")
        since.append(step.move)
        # A position starts at the beginning of a turn and lists the moves made since.
        if match.hand.state.phase == DRAW and match.hand.turn != start.hand.turn and made <= after:
            start, since = match.copy(), []
    try:
        return format_position(start, since if after else [])
    except PositionError:
        raise input_error("NOT_PLAYED_ON") from None
