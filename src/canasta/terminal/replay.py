"""A replay of a record by move, turn and hand, with all cards open or as one seat saw it, and its review."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import ClassVar, Final

import msgspec
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from canasta.i18n.events import Speaker
from canasta.i18n.voice import Voice
from canasta.review.data import HandReport
from canasta.review.evaluation import FEWEST_CLEAR
from canasta.review.hand import WORLDS
from canasta.review.narrative import TurningPoint, most_important, tell
from canasta.review.worker import ReviewedHand, ReviewError, ReviewRequest, run_review
from canasta.table.replay_frames import Positions, as_seen_by
from canasta.table.wire import TableState, Welcome
from canasta.terminal.board import BoardScreen
from canasta.terminal.canvas import CanvasWidget, wrapped
from canasta.terminal.dialogs import hands_dialog
from canasta.terminal.hand import ActionBar, ActionItem, StagedLine
from canasta.terminal.model import LogLine
from canasta.terminal.theme import BRASS, QUIET, TextStyle, points_text

_NICE: Final = 5
"""Niceness of a review's process: low, because its reader is waiting."""
PACE: Final = 0.8
"""Seconds per move when the replay runs by itself."""


EVERYBODY: Final = -1

_MARKS: Final = "ox+*=#"
"""Marks of the sides in the graph."""
_HEIGHT: Final = 9
_PARTS: Final = ("ahead", "deal", "draws", "lay", "play", "others")

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
        """Seat and text of the move that led to each page; a placeholder for the first page of a hand."""
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
        self.problem = self._positions.problem_text(self._voice)

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
        Binding("q,escape", "leave", show=False),
    ]

    def __init__(self, course: ReplayPositions, look: TextStyle) -> None:
        super().__init__(look)
        self.model.watches = True
        self.course = course
        self.at = 0
        self.sight = EVERYBODY
        """The seat whose view is shown. With `EVERYBODY`, the hand of the player to move is open."""
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
        model.log = self._move_lines()
        model.arrange()
        model.notice = self.course.problem if self.at == len(self.course) - 1 else ""
        self.show_all()
        if not self.has_parts:
            return
        last = len(self.course) - 1
        line = self.query_one(StagedLine)
        over = state.phase == "over"
        status = say("replay.over") if over else say("replay.to_move", {"name": model.name(state.turn)})
        all_open = self.sight == EVERYBODY
        sight = say("replay.all_open") if all_open else say("replay.sight", {"name": model.name(self.sight)})
        line.prompt = f"{say('replay.move', {'number': self.at, 'most': last})} {status} {sight}"
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

    def _move_lines(self) -> list[LogLine]:
        """Return the moves of this hand so far, one line per turn."""
        lines: list[LogLine] = []
        for seat, move in self.course.moves[self.course.hands[self._hand()] : self.at + 1]:
            if seat < 0:
                continue
            if lines and lines[-1].seat == seat:
                lines[-1].doing.append(move)
            else:
                lines.append(LogLine(seat, [move], name=f"{self.model.name(seat)}:"))
        return lines

    def _hand(self) -> int:
        """Return the index of the hand on the table, counted from 0."""
        return max(place for place, start in enumerate(self.course.hands) if start <= self.at)

    def action_step(self, step: int) -> None:
        self.at = max(0, min(self.at + step, len(self.course) - 1))
        self.show_page()

    def action_turn(self, step: int) -> None:
        """Go to the start of the next, current or previous turn, or to the last page."""
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
            _ = self.app.push_screen(hands_dialog(self.model, self.course.page(self.at)))

    def _is_over(self) -> bool:
        """Return whether the hand on the table was played to its end."""
        ends = [*self.course.hands, len(self.course)][self._hand() + 1]
        return self.course.page(ends - 1).phase == "over"

    def action_review(self) -> None:
        """Show the review of this hand, then go to the turning point that the reader chooses in it."""
        if not self._is_over():
            return
        hand = self._hand()
        you = None if self.sight == EVERYBODY else self.sight
        page = self.course.page(0)
        speaker = Speaker([seat.name for seat in page.seats], you, self.model.voice)
        request = ReviewRequest(text=self.course.text, hand=hand + 1, worlds=self.worlds, nice=_NICE)

        def chosen(move: int | None) -> None:
            if move is not None:
                self.at = min(self.course.hands[hand] + move, len(self.course) - 1)
                self.show_page()

        sheet = ReviewSheet(request, self._reviews, speaker, [side.seats for side in page.sides])
        _ = self.app.push_screen(sheet, chosen)

    def action_hand(self, step: int) -> None:
        """Go to the start of the next, current or previous hand."""
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


# -- reviews ------------------------------------------------------------------------------------------------


class ReviewSheet(ModalScreen[int | None]):
    """Shows the progress of a review, then its result. The dialog's result is the move of the chosen
    turning point.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,g", "leave", show=False)]

    def __init__(
        self, request: ReviewRequest, known: dict[int, ReviewedHand], speaker: Speaker, sides: list[list[int]]
    ) -> None:
        super().__init__()
        self._request = request
        self._known = known
        """Finished reviews by hand."""
        self._speaker = speaker
        self._sides = sides
        self.points: list[TurningPoint] = []

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="sheet paper") as sheet:
            sheet.border_title = self._speaker.voice.say("screens.bar.review")
            sheet.border_subtitle = self._speaker.voice.say("screens.sign.choose")
            yield Static(self._far(0, 0), id="far", markup=False)
            yield OptionList()

    def on_mount(self) -> None:
        self.query_one(OptionList).display = False
        # Closing the sheet cancels the worker and ends its process.
        self.run_worker(self._work(), exclusive=True)

    async def _work(self) -> None:
        hand = self._request.hand
        try:
            if hand not in self._known:
                self._known[hand] = await run_review(self._request, self._went)
        except ReviewError:
            self.query_one("#far", Static).update(self._speaker.voice.say("problems.NOT_REVIEWED"))
            return
        self._show(self._known[hand].hand)

    def _went(self, done: int, of: int) -> None:
        self.query_one("#far", Static).update(self._far(done, of))

    def _far(self, done: int, of: int) -> str:
        facts = {"number": self._request.hand, "count": done, "most": of}
        return self._speaker.voice.say("review.progress", facts)

    def _show(self, hand: HandReport) -> None:
        say = self._speaker.voice.say
        self.points = most_important(hand.turning_points, self._speaker.you)
        names = [self._speaker.side_name(seats) for seats in self._sides]
        width = max(20, self.app.size.width * 9 // 10 - 20)
        title = "turning_points" if self.points else "no_turning_points"
        if hand.worlds < FEWEST_CLEAR:
            title = "too_few"
        drawn: list[RenderableType] = [
            Text(drawing(hand, min(width, 90))),
            Text(
                "   ".join(f"{mark} {name}" for mark, name in zip(_MARKS, names, strict=False)), style=QUIET
            ),
            Text(""),
            self._shares(hand, names),
            Text(""),
            Text(say(f"review.{title}", {"count": hand.worlds}), style=BRASS),
        ]
        self.query_one("#far", Static).update(Group(*drawn))
        choices = self.query_one(OptionList)
        for point in self.points:
            text = " ".join([f"{point.turn}.", *tell(point, self._speaker)])
            choices.add_option(Option(Text("\n".join(wrapped(text, width)))))
        choices.display = bool(self.points)
        if self.points:
            choices.focus()

    def _shares(self, hand: HandReport, names: list[str]) -> Table:
        """Return a table of luck and play by side, which add up to the side's lead."""
        table = Table.grid(padding=(0, 2))
        say = self._speaker.voice.say
        table.add_row("", *(Text(say(f"review.head.{part}"), style=QUIET) for part in _PARTS))
        for name, shares in zip(names, hand.sides, strict=True):
            points_by_part = [round(getattr(shares, part)) for part in _PARTS]
            table.add_row(name, *(points_text(points) for points in points_by_part))
        return table

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        _ = self.dismiss(self.points[event.option_index].move)

    def action_leave(self) -> None:
        _ = self.dismiss(None)


def drawing(hand: HandReport, width: int) -> str:
    """Return a graph of expected points from the deal to the end. Each side has a mark; the first side's
    is on top.
    """
    course = [hand.dealt, *(point.expected for point in hand.course)]
    low, high = min(map(min, course)), max(map(max, course))
    span = max(1.0, high - low)
    width = min(width, 2 * len(course))
    rows = [[" "] * width for _ in range(_HEIGHT)]
    for column in range(width):
        points = course[column * (len(course) - 1) // max(1, width - 1)]
        for side in reversed(range(len(points))):
            row = round((high - points[side]) / span * (_HEIGHT - 1))
            rows[row][column] = _MARKS[side % len(_MARKS)]
    labels = {0: f"{high:.0f}", _HEIGHT - 1: f"{low:.0f}"}
    edge = max(map(len, labels.values()))
    return "\n".join(f"{labels.get(at, ''):>{edge}} |{''.join(row)}" for at, row in enumerate(rows))
