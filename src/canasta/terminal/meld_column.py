"""A meld as a column: its cards, or a stack with a brass band if it is a canasta."""

from collections.abc import Sequence
from typing import Final

from rich.style import Style

from canasta.table.wire import MeldView
from canasta.terminal.canvas import Canvas
from canasta.terminal.model import TableModel
from canasta.terminal.selection import is_run, rank_of_meld, run_ends
from canasta.terminal.theme import (
    BAND,
    CARD,
    DULL_BAND,
    RANKS,
    RED_CARD,
    TextStyle,
    card_style,
    is_red,
    is_wild,
    rank_name,
)

WIDTH: Final = 5
PITCH: Final = WIDTH + 1


def in_table_order(melds: Sequence[MeldView]) -> list[MeldView]:
    """Return sequences first, then sets from low to high, wilds and black threes last; otherwise in the order
    laid."""

    def place(meld: MeldView) -> tuple[int, int]:
        if is_run(meld):
            return (0, 0)
        rank = rank_of_meld(meld)
        return (1, RANKS.index(rank) if rank in RANKS else len(RANKS))

    return sorted(melds, key=place)


def draw_meld(canvas: Canvas, x: int, meld: MeldView, model: TableModel, *, packed: bool, zone: str) -> None:
    """Draw a meld from the second line of the canvas down, card by card or `packed`."""
    if meld.canasta:
        _draw_canasta(canvas, x, meld, model, zone)
    elif packed:
        _draw_packed(canvas, x, meld, model.look, zone)
    else:
        _line(canvas, x, 1, _head(meld), CARD, zone)
        for row, card in enumerate(_natural_first(meld)):
            stands = f"={rank_name(meld.stands_for[0])}" if row == meld.wild else ""
            text = f"{'' if stands else ' '}{model.look.card(card)}{stands}"
            _line(canvas, x, row + 2, text, card_style(card), zone)


def _head(meld: MeldView) -> str:
    """Return rank and number of cards, or the two ends of a sequence, in at most five cells."""
    if is_run(meld):
        low, high = run_ends(meld)
        head = f"{rank_name(low[0])}–{rank_name(high[0])}"
    else:
        name = rank_name(rank_of_meld(meld))
        head = f"{name} ×{len(meld.cards)}" if len(name) == 1 else f"{name}×{len(meld.cards)}"
    return head if len(head) == WIDTH else f" {head}"


def _line(canvas: Canvas, x: int, y: int, text: str, style: Style, zone: str) -> None:
    canvas.put(x, y, text[:WIDTH].ljust(WIDTH), style, zone)


def _natural_first(meld: MeldView) -> list[str]:
    """Return the cards of a set with its wilds at the end; a sequence in its own order."""
    return list(meld.cards) if is_run(meld) else sorted(meld.cards, key=is_wild)


def _draw_packed(canvas: Canvas, x: int, meld: MeldView, look: TextStyle, zone: str) -> None:
    """Draw the rank with the number of cards, and the suits below, three to a line."""
    _line(canvas, x, 1, _head(meld), CARD, zone)
    cards = _natural_first(meld)
    for row in range((len(cards) + 2) // 3):
        _line(canvas, x, 2 + row, "", CARD, zone)
        for column, card in enumerate(cards[row * 3 : row * 3 + 3]):
            canvas.put(x + 1 + column, 2 + row, _sign(card, look), card_style(card), zone)


def _sign(card: str, look: TextStyle) -> str:
    """Return one cell for a card whose rank is known from the meld: its suit, or the kind of wild card."""
    if is_wild(card):
        return "W" if card == "Jo" else "2"
    return look.suit(card)


def _draw_canasta(canvas: Canvas, x: int, meld: MeldView, model: TableModel, zone: str) -> None:
    """Draw a stack with a brass band: a red card on top of a natural canasta, a black card on a mixed one."""
    cards = _natural_first(meld)
    wants_red = meld.canasta == "natural"
    if is_run(meld):
        top, style = _head(meld), CARD
    elif meld.canasta == "wild":
        top, style = "  W", CARD
    else:
        shown = next((card for card in cards if is_red(card) == wants_red and not is_wild(card)), cards[0])
        top, style = f" {model.look.card(shown)}", RED_CARD if wants_red else CARD
    rows = 5 if canvas.height > 7 else 3
    for row in range(rows):
        _line(canvas, x, 1 + row, "", CARD, zone)
    _line(canvas, x, 1, top, style, zone)
    band = BAND if meld.grade != "dirty" else DULL_BAND
    _line(canvas, x, 1 + rows // 2, model.say(f"band.{meld.grade or meld.canasta}").center(WIDTH), band, zone)
    if meld.wild >= 0 and rows > 3:
        wild = model.look.card(meld.cards[meld.wild])
        _line(canvas, x, rows - 1, f"{wild}={rank_name(meld.stands_for[0])}", CARD, zone)
    _line(canvas, x, rows, f" ×{len(cards)}", CARD, zone)
