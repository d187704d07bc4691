"""A record on the table: step by step forward and back, hand by hand, all cards of the mover open."""

from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

import msgspec
from textual.binding import Binding, BindingType

from canasta.engine.match import Match
from canasta.notation.errors import printable
from canasta.notation.replay import Replayer
from canasta.notation.seat_names import SEAT_NAMES
from canasta.table.frames import last_sheet
from canasta.table.views import Seen, Sitting, game_view, table_state
from canasta.table.wire import TableState, Welcome
from canasta.terminal.canvas import Painted
from canasta.terminal.faces import Look
from canasta.terminal.hand import ActionBar, ActionItem, StagedLine
from canasta.terminal.model import Told
from canasta.terminal.table_screen import BoardScreen
from canasta.words import Voice
from canasta.words.files import tell_wrong

PACE: Final = 0.8
"""Seconds a move when the replay runs by itself."""


_ENCODER: Final = msgspec.msgpack.Encoder()
_DECODER: Final = msgspec.msgpack.Decoder(TableState)


class Course:
    """All positions of a record, packed: a long game has thousands."""

    def __init__(self, text: str, voice: Voice | None = None) -> None:
        self._voice = voice or Voice()
        self._replayer = Replayer(text)
        self._pages: list[bytes] = []
        self.moves: list[tuple[int, str]] = []
        """Seat and text of the move that led to each page; the first page has none."""
        self.hands: list[int] = []
        """The page at which each hand begins."""
        self.problem = ""

    @property
    def match(self) -> Match | None:
        return self._replayer.replay.match

    def __len__(self) -> int:
        return len(self._pages)

    def page(self, number: int) -> TableState:
        return _DECODER.decode(self._pages[number])

    def read(self) -> Iterator[int]:
        """Plays the record to its end or its first problem; yields the number of moves so far."""
        match = self.match
        if match is not None:
            self._begin(match)
            history: list[list[int]] = []
            while (made := self._replayer.step()) is not None:
                if match.hand_number > len(self.hands):
                    # The hand was dealt and its first move made in one step.
                    self.hands.append(len(self._pages))
                if match.hand.over:
                    history.append(list(match.scores))
                self._add(match, made.seat, str(made.move), history)
                yield len(self._pages)
        replay = self._replayer.replay
        if replay.problem is not None:
            told = tell_wrong(replay.problem, self._voice.language)
            self.problem = self._voice.say(
                "screens.replay.stops", {"number": replay.problem.line, "text": told}
            )
        elif replay.breaks_off is not None:
            self.problem = self._voice.say("screens.replay.breaks_off", {"number": replay.breaks_off.line})

    def _begin(self, match: Match) -> None:
        self.hands.append(0)
        self._add(match, -1, "", [])

    def _add(self, match: Match, seat: int, move: str, history: Sequence[Sequence[int]]) -> None:
        hand = match.hand
        viewer = hand.turn if not hand.over else max(seat, 0)
        state = table_state(match, Seen(self._sittings(match), viewer), state=len(self._pages))
        state.sheet = last_sheet(match) if hand.over else None
        state.history = [list(scores) for scores in history]
        self._pages.append(_ENCODER.encode(state))
        self.moves.append((seat, move))

    def _sittings(self, match: Match) -> list[Sitting]:
        header = self._replayer.replay.header
        named = header.names if header is not None else {}
        usual = SEAT_NAMES[match.rules.seats.players]
        return [
            Sitting(name=printable(named.get(seat, usual[seat])), who="bot") for seat in range(len(usual))
        ]

    def welcome(self) -> Welcome:
        match = self.match
        assert match is not None
        return Welcome(
            table="record",
            link="",
            public=False,
            you="",
            game=game_view(match.rules),
            clock=0,
            spectators=False,
            levels=[],
        )


class ReplayScreen(BoardScreen):
    """Steps through a record."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,space,enter", "step(1)", show=False),
        Binding("left,backspace", "step(-1)", show=False),
        Binding("down,pagedown", "step(10)", show=False),
        Binding("up,pageup", "step(-10)", show=False),
        Binding("home", "step(-1000000)", show=False),
        Binding("end", "step(1000000)", show=False),
        Binding("n", "hand(1)", show=False),
        Binding("p", "hand(-1)", show=False),
        Binding("a", "run", show=False),
        Binding("i", "read('pile')", show=False),
        Binding("r", "read('rules')", show=False),
        Binding("s", "read('scores')", show=False),
        Binding("w", "read('log')", show=False),
        Binding("left_square_bracket", "melds('ours',-1)", show=False),
        Binding("right_square_bracket", "melds('ours',1)", show=False),
        Binding("left_curly_bracket", "melds('theirs',-1)", show=False),
        Binding("right_curly_bracket", "melds('theirs',1)", show=False),
        Binding("q,escape", "leave", show=False),
    ]

    def __init__(self, course: Course, look: Look) -> None:
        super().__init__(look)
        self.model.watches = True
        self.course = course
        self.at = 0
        self._runs = False

    def on_mount(self) -> None:
        self.model.greet(self.course.welcome())
        self.call_after_refresh(self.show_page)
        self.set_interval(PACE, self._tick)

    def _tick(self) -> None:
        if self._runs:
            self.action_step(1)
            self._runs = self.at < len(self.course) - 1

    def show_page(self) -> None:
        """Draws the table after `at` moves."""
        model, say = self.model, self.model.say
        model.state = state = self.course.page(self.at)
        model.log = self._told()
        model.arrange()
        model.notice = self.course.problem if self.at == len(self.course) - 1 else ""
        self.show_all()
        if not self.has_parts:
            return
        last = len(self.course) - 1
        line = self.query_one(StagedLine)
        over = state.phase == "over"
        told = say("replay.over") if over else say("replay.to_move", {"name": model.name(state.turn)})
        line.prompt = f"{say('replay.move', {'number': self.at, 'most': last})} {told}"
        self.query_one(ActionBar).items = (
            ActionItem("→", say("bar.next"), "step:1", able=self.at < last, main=self.at < last),
            ActionItem("←", say("bar.back"), "step:-1", able=self.at > 0),
            ActionItem("n", say("bar.next_hand"), "hand:1", able=self._hand() < len(self.course.hands) - 1),
            ActionItem("p", say("bar.hand_before"), "hand:-1", able=self.at > 0),
            ActionItem("a", say("bar.stop" if self._runs else "bar.run"), "run", able=self.at < last),
            ActionItem("s", say("bar.scores"), "scores"),
            ActionItem("q", say("bar.leave"), "leave"),
        )
        line.redraw()
        self.query_one(ActionBar).redraw()

    def _told(self) -> list[Told]:
        """The moves of this hand up to here, those of one turn on a line."""
        told: list[Told] = []
        for seat, move in self.course.moves[self.course.hands[self._hand()] : self.at + 1]:
            if seat < 0:
                continue
            if told and told[-1].seat == seat:
                told[-1].doing.append(move)
            else:
                told.append(Told(seat, [move], name=f"{self.model.name(seat)}:"))
        return told

    def _hand(self) -> int:
        """Which hand is on the table, counted from 0."""
        return max(place for place, start in enumerate(self.course.hands) if start <= self.at)

    def action_step(self, step: int) -> None:
        self.at = max(0, min(self.at + step, len(self.course) - 1))
        self.show_page()

    def action_hand(self, step: int) -> None:
        """To the beginning of the next hand, of this one, or of the one before."""
        hand = self._hand()
        if step < 0 and self.at > self.course.hands[hand]:
            step = 0
        self.at = self.course.hands[max(0, min(hand + step, len(self.course.hands) - 1))]
        self.show_page()

    def action_run(self) -> None:
        self._runs = not self._runs
        self.show_page()

    def action_leave(self) -> None:
        self.app.exit()

    def on_painted_pressed(self, event: Painted.Pressed) -> None:
        zone, _, number = event.zone.partition(":")
        match zone:
            case "step":
                self.action_step(int(number))
            case "hand":
                self.action_hand(int(number))
            case "run":
                self.action_run()
            case "leave":
                self.action_leave()
            case "inside":
                self.action_read("pile")
            case "log" | "rules" | "scores":
                self.action_read(zone)
