"""What a line of a rule sheet is: the clause that it states, a code, and facts."""

from typing import NamedTuple


class Phrase(NamedTuple):
    """A part of a sentence with facts of its own."""

    code: str
    facts: dict[str, int]


SheetFact = int | Phrase | tuple[Phrase, ...]
"""A number, a part of a sentence, or several that the language lists: “a, b and c”, or “or” where the fact's
name begins with `any_`."""


class Line(NamedTuple):
    """One sentence or two of a rule sheet."""

    clause: str
    code: str
    facts: dict[str, SheetFact]


def line(clause: str, code: str, **facts: SheetFact) -> Line:
    return Line(clause, code, facts)


def phrase(code: str, **facts: int) -> Phrase:
    return Phrase(code, facts)
