"""Defects of a choice of rules, all reported at once.

A defect is a code with facts. Its sentences are in the catalogue part `defects`, in every language.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from canasta.english import in_english
from canasta.errors import CanastaError

Facts = dict[str, int | str]
"""Numbers, names and, for some facts, a field by its path or a setting `path=value`; see `canasta.i18n`."""


@dataclass(frozen=True)
class Defect:
    """One thing that is wrong, and its remedy."""

    path: str
    """The field or option at fault; `rules` for the preset, `players` for the number of players."""
    value: Any  # `object` in a dataclass does not survive compilation
    code: str
    """A message code of the catalogue part `defects`."""
    facts: Facts = field(default_factory=dict)
    cure: str = ""
    """The code of the remedy's message, filled with the same facts.
    Empty means the remedy of `code`, if any."""
    file: str = ""
    line: int = 0
    """The location, if the value comes from a file."""

    @property
    def problem(self) -> str:
        """The problem, in English."""
        return in_english("defects", self.code, self.facts)

    @property
    def remedy(self) -> str:
        """The remedy, in English; empty if it is obvious."""
        return in_english("defects", self.cure or f"{self.code}.remedy", self.facts)

    @property
    def named(self) -> str:
        """The field and its value."""
        path = _printable(self.path)
        return path if self.value is None else f"{path} = {shown(self.value)}"

    def line_of(self, line: str, problem: str, remedy: str, blank: str = "") -> str:
        """Format as one line, from its parts in some language.

        `blank` is the space French puts before `:` and `;`.
        """
        where = ", ".join(part for part in (_printable(self.file), line if self.line else "") if part)
        text = f"{blank}: ".join(part for part in (where, self.named, problem) if part)
        return f"{text}{blank}; {remedy}" if remedy else text

    def __str__(self) -> str:
        return self.line_of(f"line {self.line}", self.problem, self.remedy)


def _printable(text: str) -> str:
    """Make a stranger's name safe to print: it can't clear the screen or break the line."""
    text = "".join(sign if sign.isprintable() else "�" for sign in text)
    return text if len(text) <= 80 else text[:79] + "…"


class RulesetError(CanastaError, ValueError):
    """The requested rules are not a valid game. `defects` contains every reason."""

    def __init__(self, defects: list[Defect]) -> None:
        super().__init__("\n".join(str(defect) for defect in defects))
        self.defects = defects

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.defects,))


def shown(value: object) -> str:
    """Return any value in a few characters.

    >>> shown("many"), shown(True), len(shown("x" * 1000))
    ("'many'", 'true', 57)
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - huge numbers and broken objects have no repr
        return f"<{type(value).__name__}>"
    text = "".join(char if char.isprintable() else "?" for char in text)
    return text if len(text) <= 57 else text[:56] + "…"


def closest(word: str, words: Iterable[str]) -> str:
    """Return the word that was probably meant, or an empty string."""
    from difflib import get_close_matches  # noqa: PLC0415 - slow to import and rarely needed

    word = word[:80].lower()
    known = {other.lower(): other for other in words}
    # A bare field name is the commonest mistake: `put_back_penalty` for `scoring.put_back_penalty`.
    by_name = [other for other in known.values() if other.rpartition(".")[2] == word]
    near = by_name or [known[match] for match in get_close_matches(word, known, n=1, cutoff=0.6)]
    return near[0] if near else ""


def meant(word: str, words: Iterable[str]) -> tuple[str, Facts]:
    """Return the remedy `did you mean …?` for a misspelt word, with its facts; empty if no word is close."""
    near = closest(word, words)
    return ("DID_YOU_MEAN", {"written": near}) if near else ("", {})
