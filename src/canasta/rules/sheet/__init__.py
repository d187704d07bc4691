"""Rule sheets: a table's rules as lines of codes and facts. `canasta.i18n` turns them into sentences."""

from typing import Final, NamedTuple

from canasta.rules.model import Ruleset
from canasta.rules.sheet.lines import RuleLine
from canasta.rules.sheet.play import (
    deal_lines,
    deck_lines,
    discard_lines,
    meld_lines,
    pile_lines,
    seat_lines,
    turn_lines,
)
from canasta.rules.sheet.score import (
    ace_lines,
    caliente_lines,
    game_lines,
    going_out_lines,
    opening_lines,
    scoring_lines,
    seven_lines,
    stock_end_lines,
)

_SECTIONS: Final = {
    "deck": deck_lines,
    "seats": seat_lines,
    "deal": deal_lines,
    "turn": turn_lines,
    "pile": pile_lines,
    "melds": meld_lines,
    "sevens": seven_lines,
    "aces": ace_lines,
    "opening": opening_lines,
    "discards": discard_lines,
    "going_out": going_out_lines,
    "stock_end": stock_end_lines,
    "caliente": caliente_lines,
    "scoring": scoring_lines,
    "match": game_lines,
}


class SheetSection(NamedTuple):
    """The lines about one part of the game, named after that section of the ruleset."""

    key: str
    lines: tuple[RuleLine, ...]


def sheet_sections(rules: Ruleset) -> tuple[SheetSection, ...]:
    """Return all lines of a rule sheet, in order of play.

    >>> from canasta.rules.loader import load_ruleset
    >>> sheet_sections(load_ruleset("bolivia"))[-1].lines[0]
    RuleLine(clause='GAME-1', code='match.target', facts={'target': 10000})
    """
    told = ((key, lines_of(rules)) for key, lines_of in _SECTIONS.items())
    return tuple(SheetSection(key, tuple(lines)) for key, lines in told if lines)
