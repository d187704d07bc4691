"""Plots as inline SVG. Colours come from the page's style sheet, so that they follow light and dark."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import floor, log10
from typing import Final

from canasta.arena.intervals import Estimate
from canasta.arena.wording import number

WIDTH: Final = 860
LABELS: Final = 190
"""Room on the left for the names of the rows."""
ROW: Final = 40
RIGHT: Final = 210
"""Room on the right for numbers or names."""
MOST_POINTS: Final = 300
"""Of a line; more cannot be told apart."""
SERIES: Final = 6
"""Colours for lines in the style sheet; after the last one they begin again."""


@dataclass(frozen=True)
class Row:
    label: str
    estimate: Estimate
    text: str
    """The numbers, written out at the right."""


@dataclass(frozen=True)
class Line:
    label: str
    values: Sequence[float]


def ticks(low: float, high: float, about: int = 6) -> list[float]:
    """Round numbers that cover a range.

    >>> ticks(-3, 57)
    [-10.0, 0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0]
    >>> ticks(0, 0)
    [-1.0, 0.0, 1.0]
    """
    if high <= low:
        low, high = low - 1, high + 1
        about = 2
    rough = (high - low) / about
    power = 10.0 ** floor(log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)
    first = floor(low / step + 1e-9)
    found = [first * step]
    while found[-1] < high - step * 1e-9:
        first += 1
        found.append(round(first * step, 10))
    return found


def interval_plot(rows: Sequence[Row], *, title: str, unit: str, middle: float = 0.0) -> str:
    """A dot and its interval for each row; `middle` is where nobody is better."""
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
        parts.append(f'<line class="grid" x1="{x(mark):.1f}" y1="4" x2="{x(mark):.1f}" y2="{bottom}"/>')
        parts.append(_text(x(mark), bottom + 18, number(mark), "tick middle"))
    parts.append(_text((left + right) / 2, bottom + 36, unit, "tick middle"))
    parts.append(f'<line class="zero" x1="{x(middle):.1f}" y1="4" x2="{x(middle):.1f}" y2="{bottom}"/>')
    for at, row in enumerate(rows):
        y = 4 + ROW * at + ROW / 2 - 2
        estimate = row.estimate
        parts.append(_text(left - 14, y + 5, row.label, "label end"))
        if estimate.low is not None and estimate.high is not None:
            low, high = x(estimate.low), x(estimate.high)
            parts.append(f'<line class="whisker" x1="{low:.1f}" y1="{y}" x2="{high:.1f}" y2="{y}"/>')
            for end in (low, high):
                parts.append(
                    f'<line class="whisker" x1="{end:.1f}" y1="{y - 6}" x2="{end:.1f}" y2="{y + 6}"/>'
                )
        parts.append(
            f'<circle class="dot" cx="{x(estimate.value):.1f}" cy="{y}" r="6">'
            f"<title>{escape(row.label)}: {escape(row.text)}</title></circle>"
        )
        parts.append(_text(right + 16, y + 5, row.text, "label"))
    return "".join([*parts, "</svg>"])


def line_plot(lines: Sequence[Line], *, title: str, across: str, unit: str) -> str:
    """Lines over the same numbers 1, 2, 3, …, each named at its end."""
    height, top, left, right = 380, 28, 78, WIDTH - RIGHT
    bottom = height - 48
    every = [value for line in lines for value in line.values] + [0.0]
    marks = ticks(min(every), max(every))
    longest = max((len(line.values) for line in lines), default=1)

    def x(at: float) -> float:
        return left + at / max(longest, 1) * (right - left)

    def y(value: float) -> float:
        return bottom - (value - marks[0]) / (marks[-1] - marks[0]) * (bottom - top)

    parts = _open(height, title)
    parts.append(_text(left, 14, unit, "tick"))
    for mark in marks:
        kind = "zero" if mark == 0 else "grid"
        parts.append(f'<line class="{kind}" x1="{left}" y1="{y(mark):.1f}" x2="{right}" y2="{y(mark):.1f}"/>')
        parts.append(_text(left - 10, y(mark) + 5, number(mark), "tick end"))
    for mark in ticks(0, longest):
        if mark <= longest and mark == round(mark):
            parts.append(_text(x(mark), bottom + 20, number(mark), "tick middle"))
    parts.append(_text((left + right) / 2, bottom + 40, across, "tick middle"))
    names = _apart([y(line.values[-1]) if line.values else y(0) for line in lines], least=18)
    for at, line in enumerate(lines):
        points = [f"{x(0):.1f},{y(0):.1f}"]
        points += [f"{x(index + 1):.1f},{y(line.values[index]):.1f}" for index in _some(len(line.values))]
        colour = at % SERIES
        parts.append(f'<polyline class="line s{colour}" points="{" ".join(points)}"/>')
        parts.append(
            f'<circle class="key s{colour}" cx="{right + 18}" cy="{names[at]:.1f}" r="5"/>'
            + _text(right + 30, names[at] + 5, line.label, "label")
        )
    return "".join([*parts, "</svg>"])


def _some(count: int) -> list[int]:
    """Evenly spread places of a line, its last one included."""
    if count <= MOST_POINTS:
        return list(range(count))
    return [round(at * (count - 1) / (MOST_POINTS - 1)) for at in range(MOST_POINTS)]


def _apart(places: Sequence[float], least: float) -> list[float]:
    """The same places in the same order, moved down where two would cover each other."""
    moved = list(places)
    before: float | None = None
    for at in sorted(range(len(places)), key=lambda at: places[at]):
        if before is not None:
            moved[at] = max(moved[at], before + least)
        before = moved[at]
    return moved


def _open(height: float, title: str) -> list[str]:
    return [
        f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{escape(title, quote=True)}">',
    ]


def _text(x: float, y: float, text: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'
