"""Render the table as text and as a small picture."""

from typing import Final

import numpy as np
import numpy.typing as npt

from canasta.engine.cards import RANK_OF, RANKS
from canasta.engine.moves.find_cards import cards_held
from canasta.engine.state import ANSWER, OVER, HandState
from canasta.engine.view import PHASE_NAMES, melds_of
from canasta.notation.cards import format_card, format_cards
from canasta.research.episode import Episode

Picture = npt.NDArray[np.uint8]

_RANK_TEXTS: Final = (*"456789TJQKA", "2", "*", "3", "3", "!")
_GLYPHS: Final = {
    "2": "110001010100111",
    "3": "110001010001110",
    "4": "101101111001001",
    "5": "111100110001110",
    "6": "011100110101010",
    "7": "111001010010010",
    "8": "010101010101010",
    "9": "010101011001110",
    "T": "111010010010010",
    "J": "001001001101010",
    "Q": "010101101011001",
    "K": "101101110101101",
    "A": "010101111101101",
    "*": "101010111010101",
    "!": "010010010000010",
    "x": "000101010101000",
}
"""Three by five points each, row by row."""
_BAIZE: Final = (33, 94, 67)
_PAPER: Final = (250, 247, 238)
_INK: Final = (34, 34, 34)
_RED: Final = (190, 40, 40)
_BACK: Final = (58, 84, 140)
_GOLD: Final = (201, 154, 58)
_SCALE: Final = 2
_CARD: Final = (9, 14)
"""Width and height of a card in points."""


def as_text(episode: Episode, viewer: int) -> str:
    """Return the table as this seat sees it."""
    state = episode.state
    game = episode.game
    lines = [f"{game.rules.title}: hand {episode.hand_number}, scores {episode.scores}"]
    for side in range(game.sides):
        seats = [seat for seat in state.order if game.side_of[seat] == side]
        sizes = ", ".join(f"seat {seat}: {state.size(seat)} cards" for seat in seats)
        lines.append(f"side {side} ({sizes}), {len(state.bonus[side])} red threes")
        lines += [f"  {format_cards(meld.cards)}" for meld in melds_of(state, side)]
    top = format_card(state.top_card()) if state.pile else "none"
    frozen = ", frozen" if state.frozen else ""
    lines.append(f"stock {state.stock_size()}, pile {state.pile_size()}{frozen}, top card {top}")
    lines.append(f"seat {viewer} holds {format_cards(cards_held(state, viewer)) or 'nothing'}")
    if state.phase == OVER:
        lines.append(f"the hand is over: {episode.points}")
    else:
        lines.append(f"seat {episode.to_act()} to act ({PHASE_NAMES[state.phase]})")
    return "\n".join(lines)


def as_picture(episode: Episode, viewer: int) -> Picture:
    """Draw the table as this seat sees it: rows of melds for each side, the centre, the viewer's hand."""
    state = episode.state
    width, height = _CARD
    rows = 2 * episode.game.sides + 2
    wide = 16 * (width + 1) + 3
    picture = np.empty((rows * (height + 2) + 2, wide, 3), np.uint8)
    picture[:] = _BAIZE
    for side in range(episode.game.sides):
        _draw_side(picture, state, side, 2 * side)
    _draw_middle(picture, state, 2 * episode.game.sides)
    for rank in range(RANKS):
        if state.count(viewer, rank) > 0:
            _draw_card(picture, rank, state.count(viewer, rank), rank, 2 * episode.game.sides + 1)
    acting = state.answering if state.phase == ANSWER else state.turn
    if acting == viewer and state.phase != OVER:
        picture[-2:, :] = _GOLD
    return picture.repeat(_SCALE, 0).repeat(_SCALE, 1)


def _draw_side(picture: Picture, state: HandState, side: int, row: int) -> None:
    melds = melds_of(state, side)
    for index, meld in enumerate(melds[:32]):
        ranks = [RANK_OF[kind] for kind in meld.cards]
        _draw_card(picture, min(ranks), len(ranks), index % 16, row + index // 16)


def _draw_middle(picture: Picture, state: HandState, row: int) -> None:
    x, y = _corner(0, row)
    if state.stock_size() > 0:
        picture[y : y + _CARD[1], x : x + _CARD[0]] = _BACK
    if state.pile:
        _draw_card(picture, RANK_OF[state.top_card()], state.pile_size(), 2, row)
        if state.frozen:
            x, y = _corner(3, row)
            picture[y : y + _CARD[1], x : x + 2] = _GOLD


def _corner(column: int, row: int) -> tuple[int, int]:
    return 2 + column * (_CARD[0] + 1), 2 + row * (_CARD[1] + 2)


def _draw_card(picture: Picture, rank: int, count: int, column: int, row: int) -> None:
    """Draw a card with its rank above and one bar per card below."""
    x, y = _corner(column, row)
    picture[y : y + _CARD[1], x : x + _CARD[0]] = _PAPER
    _draw_glyph(picture, _RANK_TEXTS[rank], x + 3, y + 1, _RED if rank >= 11 else _INK)
    for bar in range(min(count, 18)):
        across, down = bar % 6, bar // 6
        picture[y + 8 + 2 * down, x + 1 + across + (across > 2)] = _INK


def _draw_glyph(picture: Picture, text: str, x: int, y: int, colour: tuple[int, int, int]) -> None:
    for at, point in enumerate(_GLYPHS[text]):
        if point == "1":
            picture[y + at // 3, x + at % 3] = colour
