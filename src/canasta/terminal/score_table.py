"""The score sheet of a hand as a table of text, typed or on the whole screen."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from rich import box
from rich.style import Style
from rich.table import Table

from canasta.notation.errors import printable
from canasta.table.wire import SheetView
from canasta.words import Voice
from canasta.words.scores import score_line


class SheetLook(NamedTuple):
    """How it is written."""

    head: str | Style
    this_hand: str | Style
    before: str | Style
    total: str | Style
    points: Callable[[int], str] = str


def score_table(sheet: SheetView, sides: Sequence[str], voice: Voice, look: SheetLook) -> Table:
    """The points line by line, then the hand, what was there before, and the total; `sides` by name."""

    def points(numbers: Sequence[int]) -> list[str]:
        return [look.points(number) if number else "–" for number in numbers]

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style=look.head)
    table.add_column("")
    for name in sides:
        table.add_column(name, justify="right", min_width=8)
    for line in sheet.lines[0] if sheet.lines else ():
        table.add_row(
            printable(score_line(line, voice)), *points([side.get(line, 0) for side in sheet.lines])
        )
    table.add_section()
    table.add_row(voice.say("scores.this_hand"), *points(sheet.totals), style=look.this_hand)
    before = [score - total for score, total in zip(sheet.scores, sheet.totals, strict=True)]
    if any(before):
        table.add_row(voice.say("scores.before"), *points(before), style=look.before)
    table.add_row(voice.say("scores.total"), *points(sheet.scores), style=look.total)
    if sheet.victory:
        table.add_row(voice.say("scores.victory_points"), *map(str, sheet.victory), style=look.total)
    return table
