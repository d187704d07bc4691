"""The differences between two rulesets, field by field, in a language."""

from collections.abc import Sequence
from typing import NamedTuple

from canasta.i18n.catalogue import Voice
from canasta.i18n.fields import field_in
from canasta.i18n.sheets import title_of
from canasta.rules.clauses import clause_of
from canasta.rules.loader import values_of
from canasta.rules.model import FIELDS, Ruleset

_NOT_RULES = ("name", "title", "version")


class FieldDifference(NamedTuple):
    """One field with its value on either side, in words."""

    path: str
    label: str
    clause: str
    left: str
    right: str


class RulesComparison(NamedTuple):
    """Two rulesets and the fields in which they differ, in model order."""

    left: str
    right: str
    rows: tuple[FieldDifference, ...]
    lang: str = "en"

    @property
    def head(self) -> tuple[str, str]:
        """The titles of the first two columns: clause and rule."""
        voice = Voice(self.lang)
        return voice.say("sheets.list.clause"), voice.say("sheets.list.rule")

    def text(self) -> str:
        """Return the comparison as a plain-text table."""
        if not self.rows:
            return Voice(self.lang).say("sheets.alike", {"left": self.left, "right": self.right}) + "\n"
        table = [(*self.head, self.left, self.right)]
        table += [(row.clause, row.label, row.left, row.right) for row in self.rows]
        widths = [max(len(line[column]) for line in table) for column in range(3)]
        table.insert(1, ("-" * widths[0], "-" * widths[1], "-" * widths[2], "-" * len(self.right)))
        return "".join(
            f"{line[0]:<{widths[0]}}  {line[1]:<{widths[1]}}  {line[2]:<{widths[2]}}  {line[3]}".rstrip()
            + "\n"
            for line in table
        )

    def markdown(self) -> str:
        return markdown_table(
            (*self.head, self.left, self.right),
            [(row.clause, row.label, row.left, row.right) for row in self.rows],
        )


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "".join(f"| {' | '.join(line)} |\n" for line in (head, ["---" for _ in head], *rows))


def differences(left: Ruleset, right: Ruleset, lang: str = "en") -> tuple[FieldDifference, ...]:
    """Return the fields in which two rulesets differ.

    >>> from canasta.rules.loader import load_ruleset
    >>> rows = differences(load_ruleset("jaques-samba"), load_ruleset("bolivia"))
    >>> [(row.label, row.left, row.right) for row in rows][-1]
    ('black three left in hand', '5', '100')
    """
    ours, theirs = values_of(left), values_of(right)
    return tuple(
        FieldDifference(path, field.label, clause, field.show(ours[path]), field.show(theirs[path]))
        for path in FIELDS
        if path not in _NOT_RULES and ours[path] != theirs[path]
        for field, clause in [(field_in(FIELDS[path], lang), clause_of(FIELDS[path], left.seats.players))]
    )


def compare(left: Ruleset, right: Ruleset, lang: str = "en") -> RulesComparison:
    """Return the differences of two rulesets under their titles, ready to print."""
    names = [title_of(left, lang), title_of(right, lang)]
    if left.seats.players != right.seats.players or left.title == right.title:
        names = [
            Voice(lang).say("sheets.title_players", {"title": title, "players": rules.seats.players})
            for title, rules in zip(names, (left, right), strict=True)
        ]
    return RulesComparison(names[0], names[1], differences(left, right, lang), lang)
