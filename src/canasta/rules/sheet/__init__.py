"""Rule sheets: a table's rules as lines of codes and facts. `text` turns them into sentences."""

from typing import NamedTuple


class Phrase(NamedTuple):
    """A part of a sentence with facts of its own."""

    code: str
    facts: dict[str, int]


SheetFact = int | Phrase | tuple[Phrase, ...]
"""A number, a part of a sentence, or several parts to be listed: “a, b and
c”, or with “or” if the fact's name starts with `any_`."""


class RuleLine(NamedTuple):
    """A line of a rule sheet, one or two sentences long."""

    clause: str
    code: str
    facts: dict[str, SheetFact]


def line(clause: str, code: str, **facts: SheetFact) -> RuleLine:
    return RuleLine(clause, code, facts)


def phrase(code: str, **facts: int) -> Phrase:
    return Phrase(code, facts)
