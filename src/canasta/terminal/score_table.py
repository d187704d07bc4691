"""The score sheet of a hand as a text table, for typed output and the full screen."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from rich import box
from rich.style import Style
from rich.table import Table

from canasta.i18n import Voice
from canasta.i18n.scores import score_line
from canasta.notation.errors import printable
from canasta.table.wire import SheetView


class SheetLook(NamedTuple):
    """The style of a score sheet."""

    head: str | Style
    this_hand: str | Style
    before: str | Style
    total: str | Style
    points: Callable[[int], str] = str


def score_table(sheet: SheetView, sides: Sequence[str], voice: Voice, look: SheetLook) -> Table:
    """Return the points line by line, the hand's sum, the score before, and the total; `sides` are names."""

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
