"""A replay of a record by move, turn and hand, with all cards open or as one seat saw it."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import ClassVar, Final

import msgspec
from textual.binding import Binding, BindingType

from canasta.i18n import Voice
from canasta.i18n.events import Speaker
from canasta.review.hand import WORLDS
from canasta.review.worker import ReviewedHand, ReviewRequest
from canasta.table.replay_frames import Positions, as_seen_by
from canasta.table.wire import TableState, Welcome
from canasta.terminal.canvas import CanvasWidget
from canasta.terminal.hand import ActionBar, ActionItem, StagedLine
from canasta.terminal.model import LogLine
from canasta.terminal.review import ReviewSheet
from canasta.terminal.table_screen import BoardScreen
from canasta.terminal.text_panels import hands_paper
from canasta.terminal.theme import TextStyle

_NICE: Final = 5
"""Niceness of a review's process; low, as its reader is waiting for it."""
PACE: Final = 0.8
"""Seconds per move when the replay runs by itself."""


EVERYBODY: Final = -1

_ENCODER: Final = msgspec.msgpack.Encoder()
_DECODER: Final = msgspec.msgpack.Decoder(TableState)


class ReplayPositions:
    """All positions of a record, encoded to save memory: a long game has thousands."""

    def __init__(self, text: str, voice: Voice | None = None) -> None:
        self._voice = voice or Voice()
        self.text = text
        self._positions = Positions(text)
        self._pages: list[bytes] = []
        self.moves: list[tuple[int, str]] = []
        """Seat and text of the move that led to each page; the first page of a hand has none."""
        self.hands: list[int] = []
        """The page at which each hand starts."""
        self.turns: list[int] = []
        """The pages at which a turn starts."""
        self.problem = ""

    def __len__(self) -> int:
        return len(self._pages)

    def page(self, number: int) -> TableState:
        """Return a page with all cards open."""
        return _DECODER.decode(self._pages[number])

    def read(self) -> Iterator[int]:
        """Play the record to its end or its first problem, and yield the number of positions so far."""
        turn = -1
        for page in self._positions.pages():
            if page is None:
                continue
            if page.seat < 0:
                self.hands.append(len(self._pages))
            if page.seat < 0 or (page.state.phase == "draw" and page.state.turn != turn):
                self.turns.append(len(self._pages))
                turn = page.state.turn
            self._pages.append(_ENCODER.encode(page.state))
            self.moves.append((page.seat, page.move))
            yield len(self._pages)
        self.problem = self._positions.told_problem(self._voice)

    def welcome(self) -> Welcome:
        return self._positions.welcome()


class ReplayScreen(BoardScreen):
    """A screen that steps through a record."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,enter", "step(1)", show=False),
        Binding("left,backspace", "step(-1)", show=False),
        Binding("down,shift+right", "turn(1)", show=False),
        Binding("up,shift+left", "turn(-1)", show=False),
        Binding("home", "step(-1000000)", show=False),
        Binding("end", "step(1000000)", show=False),
        Binding("n,pagedown", "hand(1)", show=False),
        Binding("p,pageup", "hand(-1)", show=False),
        Binding("a,space", "run", show=False),
        Binding("v", "look(1)", show=False),
        Binding("c", "read('hands')", show=False),
        Binding("g", "review", show=False),
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

    def __init__(self, course: ReplayPositions, look: TextStyle) -> None:
        super().__init__(look)
        self.model.watches = True
        self.course = course
        self.at = 0
        self.sight = EVERYBODY
        """The seat whose view is shown; with `EVERYBODY`, the hand of the player to move is open."""
        self._runs = False
        self.worlds = WORLDS
        """Number of possible deals in which a review evaluates a decision."""
        self._reviews: dict[int, ReviewedHand] = {}
        """Finished reviews by hand."""

    def on_mount(self) -> None:
        self.model.greet(self.course.welcome())
        self.call_after_refresh(self.show_page)
        self.set_interval(PACE, self._tick)

    def _tick(self) -> None:
        if self._runs:
            self.action_step(1)
            self._runs = self.at < len(self.course) - 1

    def show_page(self) -> None:
        """Draw the table after `at` moves."""
        model, say = self.model, self.model.say
        whole = self.course.page(self.at)
        mover = max(0, whole.turn if whole.turn >= 0 else self.course.moves[self.at][0])
        model.state = state = as_seen_by(whole, mover if self.sight == EVERYBODY else self.sight)
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
        open_to = {"name": model.name(self.sight)} if self.sight != EVERYBODY else None
        sight = say("replay.all_open") if open_to is None else say("replay.sight", open_to)
        line.prompt = f"{say('replay.move', {'number': self.at, 'most': last})} {told} {sight}"
        self.query_one(ActionBar).items = (
            ActionItem("→", say("bar.next"), "step:1", able=self.at < last, main=self.at < last),
            ActionItem("←", say("bar.back"), "step:-1", able=self.at > 0),
            ActionItem("n", say("bar.next_hand"), "hand:1", able=self._hand() < len(self.course.hands) - 1),
            ActionItem("p", say("bar.hand_before"), "hand:-1", able=self.at > 0),
            ActionItem("a", say("bar.stop" if self._runs else "bar.run"), "run", able=self.at < last),
            ActionItem("g", say("bar.review"), "review", able=self._is_over()),
            ActionItem("v", say("bar.sight"), "look:1"),
            ActionItem("c", say("bar.hands"), "hands", able=self.sight == EVERYBODY),
            ActionItem("s", say("bar.scores"), "scores"),
            ActionItem("q", say("bar.leave"), "leave"),
        )
        line.redraw()
        self.query_one(ActionBar).redraw()

    def _told(self) -> list[LogLine]:
        """Return the moves of this hand so far, one line per turn."""
        told: list[LogLine] = []
        for seat, move in self.course.moves[self.course.hands[self._hand()] : self.at + 1]:
            if seat < 0:
                continue
            if told and told[-1].seat == seat:
                told[-1].doing.append(move)
            else:
                told.append(LogLine(seat, [move], name=f"{self.model.name(seat)}:"))
        return told

    def _hand(self) -> int:
        """Return the index of the hand on the table, counted from 0."""
        return max(place for place, start in enumerate(self.course.hands) if start <= self.at)

    def action_step(self, step: int) -> None:
        self.at = max(0, min(self.at + step, len(self.course) - 1))
        self.show_page()

    def action_turn(self, step: int) -> None:
        """Go to the start of the next turn, of this one or of the one before, or to the last page."""
        turns = [*self.course.turns, len(self.course) - 1]
        place = bisect_right(turns, self.at) if step > 0 else bisect_left(turns, self.at) - 1
        self.at = turns[max(0, min(place, len(turns) - 1))]
        self.show_page()

    def action_look(self, step: int) -> None:
        """Switch to the next player's view; after the last player, to everybody's."""
        players = len(self.course.page(0).seats)
        self.sight = (self.sight + 1 + step) % (players + 1) - 1
        self.show_page()

    def action_read(self, what: str) -> None:
        if what != "hands":
            super().action_read(what)
        elif self.sight == EVERYBODY:
            _ = self.app.push_screen(hands_paper(self.model, self.course.page(self.at)))

    def _is_over(self) -> bool:
        """Return whether the hand on the table was played to its end."""
        ends = [*self.course.hands, len(self.course)][self._hand() + 1]
        return self.course.page(ends - 1).phase == "over"

    def action_review(self) -> None:
        """Show the review of this hand, and go to the turning point that is chosen in it."""
        if not self._is_over():
            return
        hand = self._hand()
        you = None if self.sight == EVERYBODY else self.sight
        page = self.course.page(0)
        speaker = Speaker([seat.name for seat in page.seats], you, self.model.voice)
        wanted = ReviewRequest(text=self.course.text, hand=hand + 1, worlds=self.worlds, nice=_NICE)

        def chosen(move: int | None) -> None:
            if move is not None:
                self.at = min(self.course.hands[hand] + move, len(self.course) - 1)
                self.show_page()

        sheet = ReviewSheet(wanted, self._reviews, speaker, [side.seats for side in page.sides])
        _ = self.app.push_screen(sheet, chosen)

    def action_hand(self, step: int) -> None:
        """Go to the start of the next hand, of this one, or of the one before."""
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

    def on_canvas_widget_pressed(self, event: CanvasWidget.Pressed) -> None:
        zone, _, number = event.zone.partition(":")
        match zone:
            case "step":
                self.action_step(int(number))
            case "hand":
                self.action_hand(int(number))
            case "review":
                self.action_review()
            case "run":
                self.action_run()
            case "look":
                self.action_look(int(number))
            case "leave":
                self.action_leave()
            case "inside":
                self.action_read("pile")
            case "log" | "rules" | "scores" | "hands":
                self.action_read(zone)
