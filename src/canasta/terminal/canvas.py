"""A grid of characters with named clickable zones, and the widgets that show one."""

from typing import ClassVar, Final

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.events import Click
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from canasta.i18n.voice import say
from canasta.terminal.model import TableModel
from canasta.terminal.theme import FELT


class Canvas:
    """A grid of cells. Text outside it is clipped."""

    def __init__(self, width: int, height: int, base: Style = FELT) -> None:
        self.width = width
        self.height = height
        self._base = base
        self._cells: list[list[tuple[str, Style]]] = [[(" ", base)] * width for _ in range(height)]
        self._zones: list[list[str]] = [[""] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, style: Style | None = None, zone: str = "") -> int:
        """Write a text and return the column after it."""
        chosen = self._base if style is None else self._base + style
        for letter in text.replace("\u00a0", " "):
            # Skip control characters, which a terminal would obey: the text may come from anyone.
            wide = 0 if not letter.isprintable() else 1 if letter.isascii() else cell_len(letter)
            if wide == 0:
                continue
            if 0 <= y < self.height and x >= 0 and x + wide <= self.width:
                self._cells[y][x] = (letter, chosen)
                self._zones[y][x] = zone
                if wide == 2:
                    self._cells[y][x + 1] = ("", chosen)
                    self._zones[y][x + 1] = zone
            x += wide
        return x

    def fill(self, x: int, y: int, width: int, height: int, style: Style, zone: str = "") -> None:
        for line in range(height):
            self.put(x, y + line, " " * width, style, zone)

    def zone_at(self, x: int, y: int) -> str:
        """Return the name of the zone in this cell; empty if nothing can be clicked there."""
        return self._zones[y][x] if 0 <= y < self.height and 0 <= x < self.width else ""

    def strip(self, y: int) -> Strip:
        if not 0 <= y < self.height:
            return Strip.blank(self.width, self._base)
        segments: list[Segment] = []
        run, style = "", self._base
        for letter, own in self._cells[y]:
            if own is not style and own != style:
                if run:
                    segments.append(Segment(run, style))
                run, style = "", own
            run += letter
        if run:
            segments.append(Segment(run, style))
        return Strip(segments, self.width)

    def lines_unlike(self, other: "Canvas") -> list[int]:
        """Return the indexes of the lines in which two canvases of the same size differ."""
        return [y for y in range(self.height) if self._cells[y] != other._cells[y]]

    def text(self) -> str:
        """Return the text without its colours."""
        return "\n".join("".join(letter for letter, _ in line).rstrip() for line in self._cells)


def fitted(text: str, width: int) -> str:
    """Return the text cut to a width in cells, with an ellipsis if something is missing."""
    if cell_len(text) <= width:
        return text
    kept = ""
    for letter in text:
        if cell_len(kept) + cell_len(letter) > width - 1:
            break
        kept += letter
    return kept + "…" if width > 0 else ""


def wrapped(text: str, width: int) -> list[str]:
    """Return the text in lines of at most this many cells. Longer words are cut."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if cell_len(longer) <= width:
            line = longer
            continue
        if line:
            lines.append(line)
        line = fitted(word, width)
    return [*lines, line] if line else lines


SMALLEST: Final = (80, 20)
"""Minimum number of columns and rows for the table."""


def too_small(width: int, height: int, language: str) -> str:
    """Return a message for a window that is too small for the table; empty if it is large enough."""
    if width >= SMALLEST[0] and height >= SMALLEST[1]:
        return ""
    sizes = {"needed": SMALLEST[0], "most": SMALLEST[1], "have": width, "room": height}
    return say("screens.small", sizes, language)


class CanvasWidget(Widget):
    """A widget that draws itself on a canvas."""

    can_focus = False
    ALLOW_SELECT: ClassVar[bool] = False

    class Pressed(Message):
        """A named zone was clicked."""

        def __init__(self, zone: str) -> None:
            super().__init__()
            self.zone = zone

    _canvas: Canvas | None = None

    def draw(self, canvas: Canvas) -> None:
        raise NotImplementedError

    def redraw(self) -> None:
        """Draw everything, but refresh only the changed lines, because sending a line over SSH is slow."""
        before = self._canvas
        if before is None or (before.width, before.height) != self.size:
            self._canvas = None
            self.refresh()
            return
        self._canvas = after = Canvas(before.width, before.height)
        self.draw(after)
        changed = after.lines_unlike(before)
        if changed:
            first, last = changed[0], changed[-1]
            self.refresh(Region(0, first, after.width, last - first + 1))

    def canvas(self) -> Canvas:
        width, height = self.size
        if self._canvas is None or (self._canvas.width, self._canvas.height) != (width, height):
            self._canvas = Canvas(width, height)
            self.draw(self._canvas)
        return self._canvas

    def render_line(self, y: int) -> Strip:
        return self.canvas().strip(y)

    def on_click(self, event: Click) -> None:
        zone = self.canvas().zone_at(event.x, event.y)
        if zone:
            event.stop()
            self.post_message(self.Pressed(zone))


class ModelWidget(CanvasWidget):
    """A part of the table that draws the model."""

    def __init__(self, model: TableModel, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002 - Textual's word
        super().__init__(id=id, classes=classes)
        self.model = model
