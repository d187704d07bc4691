"""The review of a hand above its replay: expected points, luck and play, and turning points."""

from typing import ClassVar, Final

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
from canasta.review.client import NotReviewed, reviewed
from canasta.review.data import HandTold
from canasta.review.evaluation import FEWEST_CLEAR
from canasta.review.narrative import TurningPoint, foremost, tell
from canasta.review.worker import ReviewedHand, ReviewRequest
from canasta.terminal.canvas import wrapped
from canasta.terminal.theme import BRASS, QUIET, points_text

_MARKS: Final = "ox+*=#"
"""Marks of the sides in the graph."""
_HEIGHT: Final = 9
_PARTS: Final = ("ahead", "deal", "draws", "lay", "play", "others")


class ReviewSheet(ModalScreen[int | None]):
    """Shows the progress of a review, then its result. Returns the move of the turning point that was
    chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,g", "leave", show=False)]

    def __init__(
        self, wanted: ReviewRequest, known: dict[int, ReviewedHand], speaker: Speaker, sides: list[list[int]]
    ) -> None:
        super().__init__()
        self._wanted = wanted
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
        hand = self._wanted.hand
        try:
            if hand not in self._known:
                self._known[hand] = await reviewed(self._wanted, self._went)
        except NotReviewed:
            self.query_one("#far", Static).update(self._speaker.voice.say("problems.NOT_REVIEWED"))
            return
        self._show(self._known[hand].hand)

    def _went(self, done: int, of: int) -> None:
        self.query_one("#far", Static).update(self._far(done, of))

    def _far(self, done: int, of: int) -> str:
        facts = {"number": self._wanted.hand, "count": done, "most": of}
        return self._speaker.voice.say("review.progress", facts)

    def _show(self, hand: HandTold) -> None:
        say = self._speaker.voice.say
        self.points = foremost(hand.turning_points, self._speaker.you)
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
            told = " ".join([f"{point.turn}.", *tell(point, self._speaker)])
            choices.add_option(Option(Text("\n".join(wrapped(told, width)))))
        choices.display = bool(self.points)
        if self.points:
            choices.focus()

    def _shares(self, hand: HandTold, names: list[str]) -> Table:
        """Return luck and play by side, which add up to the side's lead."""
        table = Table.grid(padding=(0, 2))
        say = self._speaker.voice.say
        table.add_row("", *(Text(say(f"review.head.{part}"), style=QUIET) for part in _PARTS))
        for name, shares in zip(names, hand.sides, strict=True):
            told = [round(getattr(shares, part)) for part in _PARTS]
            table.add_row(name, *(points_text(points) for points in told))
        return table

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        _ = self.dismiss(self.points[event.option_index].move)

    def action_leave(self) -> None:
        _ = self.dismiss(None)


def drawing(hand: HandTold, width: int) -> str:
    """Return a graph of expected points from the deal to the end, with a mark for each side; the first side's
    on top."""
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
