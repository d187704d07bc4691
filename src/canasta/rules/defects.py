"""What is wrong with a choice of rules, told all at once.

A defect is a code with facts; its sentences are in the part `defects` of the catalogues, in every language.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from canasta.english import in_english
from canasta.errors import CanastaError

Facts = dict[str, int | str]
"""Numbers, names, and in some of them a field by its path or a setting, `path=value`: see `canasta.words`."""


@dataclass(frozen=True)
class Defect:
    """One thing that is wrong, and what to do about it."""

    path: str
    """The field or option at fault; `rules` for the preset, `players` for the number of players."""
    value: Any  # `object` in a dataclass does not survive compilation
    code: str
    """A message of the part `defects`."""
    facts: Facts = field(default_factory=dict)
    cure: str = ""
    """The message with what to do, filled with the same facts; empty for the one that belongs to the code, if
    there is one."""
    file: str = ""
    line: int = 0
    """Where it stands, if it stands in a file."""

    @property
    def problem(self) -> str:
        """What is wrong, in English."""
        return in_english("defects", self.code, self.facts)

    @property
    def remedy(self) -> str:
        """What to do about it, in English; empty where that is plain."""
        return in_english("defects", self.cure or f"{self.code}.remedy", self.facts)

    @property
    def named(self) -> str:
        """The field and its value."""
        path = _printable(self.path)
        return path if self.value is None else f"{path} = {shown(self.value)}"

    def line_of(self, line: str, problem: str, remedy: str, blank: str = "") -> str:
        """All of it on a line, from its parts in a language; `blank` stands before signs of two parts."""
        where = ", ".join(part for part in (_printable(self.file), line if self.line else "") if part)
        text = f"{blank}: ".join(part for part in (where, self.named, problem) if part)
        return f"{text}{blank}; {remedy}" if remedy else text

    def __str__(self) -> str:
        return self.line_of(f"line {self.line}", self.problem, self.remedy)


def _printable(text: str) -> str:
    """A name that a stranger wrote: nothing in it clears a screen or begins a line."""
    text = "".join(sign if sign.isprintable() else "�" for sign in text)
    return text if len(text) <= 80 else text[:79] + "…"


class RulesetError(CanastaError, ValueError):
    """The rules asked for do not make a game. `defects` holds every reason."""

    def __init__(self, defects: list[Defect]) -> None:
        super().__init__("\n".join(str(defect) for defect in defects))
        self.defects = defects

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.defects,))


def shown(value: object) -> str:
    """A value in a few characters, whatever it is.

    >>> shown("many"), shown(True), len(shown("x" * 1000))
    ("'many'", 'true', 57)
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - numbers of thousands of digits and broken objects have no repr
        return f"<{type(value).__name__}>"
    text = "".join(char if char.isprintable() else "?" for char in text)
    return text if len(text) <= 57 else text[:56] + "…"


def closest(word: str, words: Iterable[str]) -> str:
    """The word that a misspelt one stands for, or nothing."""
    from difflib import get_close_matches  # noqa: PLC0415 - slow to import and rarely needed

    word = word[:80].lower()
    known = {other.lower(): other for other in words}
    # a bare field name is the commonest slip: `put_back_penalty` for `scoring.put_back_penalty`
    by_name = [other for other in known.values() if other.rpartition(".")[2] == word]
    near = by_name or [known[match] for match in get_close_matches(word, known, n=1, cutoff=0.6)]
    return near[0] if near else ""


def meant(word: str, words: Iterable[str]) -> tuple[str, Facts]:
    """The cure `did you mean …?` for a misspelt word, with its facts; none where nothing is near."""
    near = closest(word, words)
    return ("DID_YOU_MEAN", {"written": near}) if near else ("", {})
