"""Plots as SVG, within a page or as standalone pictures.

Colours come from the style sheet, so that they adapt to light and dark mode.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import floor, log10
from typing import Final

from canasta.arena.intervals import Estimate, number

WIDTH: Final = 860
LABELS: Final = 190
"""Width of the row labels on the left."""
ROW: Final = 40
RIGHT: Final = 210
"""Width of the numbers or names on the right."""
MOST_POINTS: Final = 300
"""Maximum number of points drawn for a line; more cannot be distinguished."""
SERIES: Final = 6
"""Number of line colours in the style sheet, after which they repeat."""
HEIGHT: Final = 380
"""Height of a line plot."""
LEAST_RANGE: Final = 1e-9
"""Values closer together than this count as equal."""
MOST_DOTS: Final = 40
"""Maximum number of points of a line that are marked with dots."""

COLOURS: Final = """\
:root { color-scheme: light dark; --paper: #faf7f0; --card: #ffffff; --ink: #23211d; --quiet: #6b665c;
  --rule: #e2dccd; --zero: #8d8676; --accent: #b3432c; --s0: #b3432c; --s1: #2f6f8f; --s2: #8a6a12;
  --s3: #4d7a3a; --s4: #7a4a8c; --s5: #5b5b5b; }
@media (prefers-color-scheme: dark) { :root { --paper: #191b1a; --card: #222524; --ink: #ece7db;
  --quiet: #a39d90; --rule: #383c3a; --zero: #7f7a6e; --accent: #ec8469; --s0: #ec8469;
  --s1: #6fb7d9; --s2: #e0b54c;
  --s3: #93c47d; --s4: #c79bdb; --s5: #b5b5b5; } }
"""
PLOT_STYLE: Final = """svg text { fill: var(--ink); }
svg .tick { fill: var(--quiet); font-size: 12.5px; }
svg .middle { text-anchor: middle; }
svg .end { text-anchor: end; }
svg .grid { stroke: var(--rule); }
svg .zero { stroke: var(--zero); stroke-width: 1.5; }
svg .whisker { stroke: var(--accent); stroke-width: 2; }
svg .dot { fill: var(--accent); }
svg .line { fill: none; stroke-width: 2; stroke-linejoin: round; }
""" + "".join(
    f".line.s{at} {{ stroke: var(--s{at}); }} .key.s{at} {{ fill: var(--s{at}); }}\n" for at in range(SERIES)
)
PICTURE_STYLE: Final = """svg { font: 14px system-ui, "DejaVu Sans", sans-serif; }
.card { fill: var(--card); }
.break { stroke: var(--zero); stroke-dasharray: 2 4; }
"""
"""Additional styles for a standalone picture."""


@dataclass(frozen=True)
class Row:
    label: str
    estimate: Estimate
    text: str
    """The numbers, written out on the right."""


@dataclass(frozen=True)
class PlotLine:
    label: str
    values: Sequence[float]
    places: Sequence[float] = ()
    """Horizontal positions of the values, ascending; by default
    they are 1, 2, … and the line starts at zero."""


@dataclass(frozen=True)
class Panel:
    """Lines over a common axis, each labelled at its end."""

    lines: Sequence[PlotLine]
    across: str
    unit: str
    breaks: Sequence[float] = ()
    """Horizontal positions of vertical rules, such as the restarts of a run."""
    height: int = HEIGHT


def ticks(low: float, high: float, about: int = 6) -> list[float]:
    """Return round numbers that cover a range.

    >>> ticks(-3, 57)
    [-10.0, 0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0]
    >>> ticks(0, 0), ticks(0, 1e-300)
    ([-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0])
    """
    if high - low < LEAST_RANGE:
        low, high = low - 1, high + 1
        about = 2
    rough = (high - low) / about
    power = 10.0 ** floor(log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)
    first = floor(low / step + 1e-9)
    marks = [first * step]
    while marks[-1] < high - step * 1e-9:
        first += 1
        marks.append(round(first * step, 10))
    return marks


def interval_plot(rows: Sequence[Row], *, title: str, unit: str, middle: float = 0.0) -> str:
    """Draw a dot and its interval for each row. `middle` is the value that favours neither side."""
    bounds = [middle]
    for row in rows:
        bounds += [
            bound for bound in (row.estimate.value, row.estimate.low, row.estimate.high) if bound is not None
        ]
    marks = ticks(min(bounds), max(bounds))
    left, right = LABELS, WIDTH - RIGHT
    height = ROW * len(rows) + 48
    bottom = height - 40

    def x(value: float) -> float:
        return left + (value - marks[0]) / (marks[-1] - marks[0]) * (right - left)

    parts = _open(height, title)
    for mark in marks:
        parts.append(_line("grid", x(mark), 4, x(mark), bottom))
        parts.append(_text(x(mark), bottom + 18, number(mark), "tick middle"))
    parts.append(_text((left + right) / 2, bottom + 36, unit, "tick middle"))
    parts.append(_line("zero", x(middle), 4, x(middle), bottom))
    for at, row in enumerate(rows):
        y = 4 + ROW * at + ROW / 2 - 2
        estimate = row.estimate
        parts.append(_text(left - 14, y + 5, row.label, "label end"))
        if estimate.low is not None and estimate.high is not None:
            low, high = x(estimate.low), x(estimate.high)
            parts.append(_line("whisker", low, y, high, y))
            parts += [_line("whisker", end, y - 6, end, y + 6) for end in (low, high)]
        parts.append(
            f'<circle class="dot" cx="{x(estimate.value):.1f}" cy="{y}" r="6">'
            f"<title>{escape(row.label)}: {escape(row.text)}</title></circle>"
        )
        parts.append(_text(right + 16, y + 5, row.text, "label"))
    return "".join([*parts, "</svg>"])


def line_plot(lines: Sequence[PlotLine], *, title: str, across: str, unit: str) -> str:
    """Draw lines over the numbers 1, 2, 3, …, each labelled at its end."""
    return "".join([*_open(HEIGHT, title), *_panel(Panel(lines, across, unit), _reach(lines)), "</svg>"])


def picture(panels: Sequence[Panel], *, title: str) -> str:
    """Draw panels below each other with a common horizontal axis, as a standalone SVG file."""
    margin = 12
    height = sum(panel.height + margin for panel in panels) + margin
    reach = _reach([line for panel in panels for line in panel.lines])
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}"',
        f'viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(title, quote=True)}">',
        f"<title>{escape(title)}</title>",
        f"<style>{COLOURS}{PLOT_STYLE}{PICTURE_STYLE}</style>",
        f'<rect class="card" width="{WIDTH}" height="{height}" rx="10"/>',
    ]
    top = margin
    for panel in panels:
        parts += [f'<g transform="translate(0 {top})">', *_panel(panel, reach), "</g>"]
        top += panel.height + margin
    return "\n".join([*parts, "</svg>\n"])


def _reach(lines: Sequence[PlotLine]) -> tuple[float, float]:
    """Return the smallest and largest horizontal position; a smallest one close to zero becomes zero."""
    places = [place for line in lines for place in (line.places or (0.0, len(line.values)))]
    first, last = min(places, default=0.0), max(places, default=1.0)
    return (0.0 if 0 < first < last / 8 else first), last


def _panel(panel: Panel, reach: tuple[float, float]) -> list[str]:
    lines = panel.lines
    first, last = reach
    top, left, right = 28, 78, WIDTH - RIGHT
    bottom = panel.height - 48
    every = [value for line in lines for value in line.values] + [0.0]
    marks = ticks(min(every), max(every), about=max(2, round((bottom - top) / 50)))
    is_counted = not any(line.places for line in lines)

    def x(at: float) -> float:
        return left + (at - first) / ((last - first) or 1) * (right - left)

    def y(value: float) -> float:
        return bottom - (value - marks[0]) / (marks[-1] - marks[0]) * (bottom - top)

    parts = [_text(left, 14, panel.unit, "tick")]
    for mark in marks:
        parts.append(_line("zero" if mark == 0 else "grid", left, y(mark), right, y(mark)))
        parts.append(_text(left - 10, y(mark) + 5, number(mark), "tick end"))
    for mark in ticks(first, last):
        if first <= mark <= last and (mark == round(mark) or not is_counted):
            parts.append(_text(x(mark), bottom + 20, number(mark), "tick middle"))
    parts.append(_text((left + right) / 2, bottom + 40, panel.across, "tick middle"))
    parts += [_line("break", x(at), top, x(at), bottom) for at in panel.breaks if first <= at <= last]
    ends = [y(line.values[-1]) if line.values else y(0) for line in lines]
    names = _apart(ends, least=18, most=None if is_counted else bottom)
    for at, line in enumerate(lines):
        points = [(x(place), y(value)) for place, value in _points(line)]
        drawn = " ".join(f"{across:.1f},{up:.1f}" for across, up in points)
        colour = at % SERIES
        parts.append(f'<polyline class="line s{colour}" points="{drawn}"/>')
        if line.places and len(points) <= MOST_DOTS:
            parts += [_dot(colour, across, up, 3) for across, up in points]
        name = _text(right + 30, names[at] + 5, line.label, "label")
        parts.append(_dot(colour, right + 18, names[at], 5) + name)
    return parts


def _points(line: PlotLine) -> list[tuple[float, float]]:
    """Return horizontal positions and values. Without positions, the line starts at zero."""
    some = _some(len(line.values))
    if line.places:
        return [(line.places[at], line.values[at]) for at in some]
    return [(0.0, 0.0), *((at + 1.0, line.values[at]) for at in some)]


def _some(count: int) -> list[int]:
    """Return evenly spaced indexes of a line's points, including the last."""
    if count <= MOST_POINTS:
        return list(range(count))
    return [round(at * (count - 1) / (MOST_POINTS - 1)) for at in range(MOST_POINTS)]


def _apart(places: Sequence[float], least: float, most: float | None = None) -> list[float]:
    """Return the positions in input order, spaced at least `least` apart.

    Overlapping ones move down, or up if they would pass `most`.
    """
    moved = list(places)
    order = sorted(range(len(places)), key=lambda at: places[at])
    before: float | None = None
    for at in order:
        if before is not None:
            moved[at] = max(moved[at], before + least)
        before = moved[at]
    if most is not None:
        for at in reversed(order):
            moved[at] = min(moved[at], most)
            most = moved[at] - least
    return moved


def _open(height: float, title: str) -> list[str]:
    return [f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{escape(title, quote=True)}">']


def _line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    start = f'x1="{round(x1, 1)}" y1="{round(y1, 1)}"'
    return f'<line class="{kind}" {start} x2="{round(x2, 1)}" y2="{round(y2, 1)}"/>'


def _dot(colour: int, x: float, y: float, radius: int) -> str:
    return f'<circle class="key s{colour}" cx="{round(x, 1)}" cy="{y:.1f}" r="{radius}"/>'


def _text(x: float, y: float, text: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'
