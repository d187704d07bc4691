"""What differs between two rulesets, field by field."""

from typing import NamedTuple

from canasta.rules.fields import FIELDS
from canasta.rules.loader import values_of
from canasta.rules.model import Ruleset

_NOT_RULES = ("name", "title", "version")


class Difference(NamedTuple):
    """One field with its values on either side, in words."""

    path: str
    label: str
    clause: str
    left: str
    right: str


class Comparison(NamedTuple):
    """Two rulesets and the fields in which they differ, in the order of the model."""

    left: str
    right: str
    rows: tuple[Difference, ...]

    def text(self) -> str:
        """As a table in plain text."""
        if not self.rows:
            return f"{self.left} and {self.right} are played alike.\n"
        table = [("clause", "rule", self.left, self.right)]
        table += [(row.clause, row.label, row.left, row.right) for row in self.rows]
        widths = [max(len(line[column]) for line in table) for column in range(3)]
        table.insert(1, ("-" * widths[0], "-" * widths[1], "-" * widths[2], "-" * len(self.right)))
        return "".join(
            f"{line[0]:<{widths[0]}}  {line[1]:<{widths[1]}}  {line[2]:<{widths[2]}}  {line[3]}".rstrip()
            + "\n"
            for line in table
        )

    def markdown(self) -> str:
        lines = [f"| clause | rule | {self.left} | {self.right} |", "| --- | --- | --- | --- |"]
        lines += [f"| {row.clause} | {row.label} | {row.left} | {row.right} |" for row in self.rows]
        return "\n".join(lines) + "\n"


def differences(left: Ruleset, right: Ruleset) -> tuple[Difference, ...]:
    """The fields in which two rulesets differ.

    >>> from canasta.rules.loader import load_ruleset
    >>> rows = differences(load_ruleset("jaques-samba"), load_ruleset("bolivia"))
    >>> [(row.label, row.left, row.right) for row in rows][-1]
    ('black three left in hand', '5', '100')
    """
    ours, theirs = values_of(left), values_of(right)
    return tuple(
        Difference(path, field.label, field.clauses[0], field.show(ours[path]), field.show(theirs[path]))
        for path, field in FIELDS.items()
        if path not in _NOT_RULES and ours[path] != theirs[path]
    )


def compare(left: Ruleset, right: Ruleset) -> Comparison:
    """The differences of two rulesets under their titles, ready to print."""
    names = [left.title, right.title]
    if left.seats.players != right.seats.players or left.title == right.title:
        names = [f"{rules.title}, {rules.seats.players} players" for rules in (left, right)]
    return Comparison(names[0], names[1], differences(left, right))
