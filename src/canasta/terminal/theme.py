"""Colours of the table, and the appearance of cards and score sheets."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from rich import box
from rich.style import Style
from rich.table import Table

from canasta.i18n.catalogue import texts
from canasta.i18n.safe_text import printable
from canasta.i18n.voice import Voice
from canasta.table.selection import RANKS, rank_of
from canasta.table.wire import SheetView

FELT_COLOUR: Final = "#103d33"
CREAM: Final = "#fbf6ea"

FELT: Final = Style.parse(f"#f1e9d8 on {FELT_COLOUR}")
EDGE: Final = Style.parse("#f1e9d8 on #0a2621")
QUIET: Final = Style.parse("#a9c2b4")
TITLE: Final = Style.parse("bold #f1e9d8")
BRASS: Final = Style.parse("bold #e3bf6f")
ACCENT: Final = Style.parse("bold #f09a82")
FROZEN: Final = Style.parse("bold #b5dcf0")
BUTTON: Final = Style.parse("bold #201c18 on #e0785f")
READY: Final = Style.parse("#f1e9d8 on #1d5a4b")
ASLEEP: Final = Style.parse("#86a596")

CARD: Final = Style.parse(f"bold #201c18 on {CREAM}")
RED_CARD: Final = Style.parse(f"bold #b3261e on {CREAM}")
CLOSED_CARD: Final = Style.parse("bold #201c18 on #b9b2a4")
CARD_EDGE: Final = Style.parse(f"#a39a86 on {CREAM}")
NEW_EDGE: Final = Style.parse(f"bold #9a6a00 on {CREAM}")
CURSOR_EDGE: Final = Style.parse(f"bold #c8553d on {CREAM}")
CHOSEN: Final = Style.parse("bold #201c18 on #f2b8a4")
RED_CHOSEN: Final = Style.parse("bold #8f1510 on #f2b8a4")
CHOSEN_EDGE: Final = Style.parse("bold #8f2a14 on #f2b8a4")
BACK: Final = Style.parse("#d9a08f on #7d3325")
BAND: Final = Style.parse("bold #201c18 on #d9b15c")
DULL_BAND: Final = Style.parse("bold #201c18 on #b9b2a4")
ICE: Final = Style.parse("bold #12323f on #9cc7de")

_SYMBOLS: Final = str.maketrans("cdhs", "♣♦♥♠")
_LETTERS: Final = str.maketrans("♣♦♥♠", "cdhs")
_TEN: Final = re.compile(r"\bT(?=[♣♦♥♠])")
ANY_THREE: Final = "3"
"""The rank of threes in games in which they are natural cards."""


def is_red(card: str) -> bool:
    return card[1:] in ("d", "h", "r")


@dataclass(frozen=True)
class TextStyle:
    """The reader's preferences: the language, and suits as symbols or letters."""

    letters: bool = False
    language: str = "en"

    def card(self, card: str, *, short: bool = False) -> str:
        """Return a card as displayed: `K♥`, `10♠`, `Jo`; two cells if `short`."""
        if card in ("Jo", "Ca"):
            return card
        rank = "10" if card[0] == "T" and not short else card[0]
        return rank + self.suit(card)

    def suit(self, card: str) -> str:
        """Return the suit alone; empty for a card without one."""
        if card in ("Jo", "Ca"):
            return ""
        return card[1:] if self.letters else card[1:].translate(_SYMBOLS)

    def cards(self, cards: Iterable[str]) -> str:
        return " ".join(self.card(card) for card in cards)

    def words(self, sentence: str) -> str:
        """Return a sentence with its cards in the reader's style."""
        shown = _TEN.sub("10", sentence)
        return shown.translate(_LETTERS) if self.letters else shown


def card_style(card: str, *, chosen: bool = False) -> Style:
    if chosen:
        return RED_CHOSEN if is_red(card) else CHOSEN
    return RED_CARD if is_red(card) else CARD


def points_text(points: int) -> str:
    """Return a number with separated thousands: `12,340`."""
    return f"{points:,}".replace("-", "\N{MINUS SIGN}")


def rank_name(rank: str) -> str:
    """Return a rank as displayed."""
    return "10" if rank == "T" else rank


def in_hand_order(cards: Iterable[str], *, by_suit: bool = False, natural_threes: bool = False) -> list[str]:
    """Return a hand from low to high, with wild cards and threes at the end.

    Threes are sorted by rank if they are natural cards. `by_suit` groups the cards by suit, for players who
    collect sequences.
    """

    def place(card: str) -> tuple[int, int, int]:
        rank = rank_of(card)
        suit = "cdhs".find(card[1:])
        height = -1 if natural_threes and card[0] == ANY_THREE else RANKS.find(rank)
        if height < 0 and not (natural_threes and card[0] == ANY_THREE):
            return (9, ("2", "Jo", "3r", "3b", "Ca").index(rank), suit)
        return (suit, height, 0) if by_suit else (0, height, suit)

    return sorted(cards, key=place)


# -- score sheets ------------------------------------------------------------------------------------------


class ScoreSheetStyle(NamedTuple):
    """The style of a score sheet."""

    head: str | Style
    this_hand: str | Style
    before: str | Style
    total: str | Style
    points: Callable[[int], str] = str


def score_line(line: str, voice: Voice) -> str:
    """Return the text of a score-sheet line. A line that this client doesn't know is shown by its code."""
    return voice.say(f"scores.{line}") if line in texts(voice.language, "scores") else line.replace("_", " ")


def score_table(sheet: SheetView, sides: Sequence[str], voice: Voice, look: ScoreSheetStyle) -> Table:
    """Return a table of the points line by line, the hand's sum, the score before, and the total; `sides`
    are names.
    """

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
