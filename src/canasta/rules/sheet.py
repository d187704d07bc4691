"""Rule sheets: a ruleset as sentences with its own numbers, for people to read."""

import textwrap
from typing import NamedTuple

from canasta.rules.fields import FIELDS, SECTION_TITLES
from canasta.rules.loader import values_of
from canasta.rules.model import Ruleset
from canasta.rules.sheet_play import deal_lines, deck_lines, meld_lines, pile_lines, seat_lines, turn_lines
from canasta.rules.sheet_score import (
    caliente_lines,
    game_lines,
    going_out_lines,
    opening_lines,
    scoring_lines,
    stock_end_lines,
)
from canasta.rules.wording import Line, counted, names_of


class Section(NamedTuple):
    title: str
    lines: tuple[Line, ...]


class RuleSheet(NamedTuple):
    """What a table plays, in order of play."""

    title: str
    subtitle: str
    sections: tuple[Section, ...]

    def text(self, width: int = 100) -> str:
        """As plain text, wrapped, the clause in front of each line."""
        parts = [f"{self.title}, {self.subtitle}"]
        for section in self.sections:
            parts += ["", section.title]
            for line in section.lines:
                head = f"  {line.clause:<8} "
                parts += textwrap.wrap(
                    line.text, max(width, 40), initial_indent=head, subsequent_indent=" " * len(head)
                )
        return "\n".join(parts) + "\n"

    def markdown(self) -> str:
        parts = [f"# {self.title}", "", f"For {self.subtitle}."]
        for section in self.sections:
            parts += ["", f"## {section.title}", ""]
            parts += [f"- {line.text} ({line.clause})" if line.clause else f"- {line.text}"
                      for line in section.lines]  # fmt: skip
        return "\n".join(parts) + "\n"


def rule_sheet(rules: Ruleset, *, every_value: bool = False) -> RuleSheet:
    """The rule sheet of a ruleset; `every_value` appends the bare list of all fields."""
    names = names_of(rules)
    sections = [
        ("deck", deck_lines(rules, names)),
        ("seats", seat_lines(rules)),
        ("deal", deal_lines(rules, names)),
        ("turn", turn_lines(rules, names)),
        ("pile", pile_lines(rules, names)),
        ("melds", meld_lines(rules, names)),
        ("opening", opening_lines(rules, names)),
        ("going_out", going_out_lines(rules, names)),
        ("stock_end", stock_end_lines(rules, names)),
        ("caliente", caliente_lines(rules, names)),
        ("scoring", scoring_lines(rules, names)),
        ("match", game_lines(rules, names)),
    ]
    made = [
        Section(SECTION_TITLES[key].replace("stock", names.stock), tuple(lines))
        for key, lines in sections
        if lines
    ]
    if every_value:
        made.append(Section("Every value", tuple(_value_lines(rules))))
    return RuleSheet(rules.title, counted(rules.seats.players, "player"), tuple(made))


def _value_lines(rules: Ruleset) -> list[Line]:
    """What no option changes is told in words, the rest as it can be typed."""
    lines: list[Line] = []
    for path, value in values_of(rules).items():
        field = FIELDS[path]
        text = f"{path}: {field.show(value)}" if field.fixed else field.typed(value)
        lines.append(Line(field.clauses[0] if field.clauses else "", text))
    return lines
