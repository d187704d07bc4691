"""What is wrong with a choice of rules, told all at once."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from canasta.errors import CanastaError


@dataclass(frozen=True)
class Defect:
    """One thing that is wrong, and what to do about it."""

    path: str
    """The field or option at fault; `rules` for the preset, `players` for the number of players."""
    value: Any  # `object` in a dataclass does not survive compilation
    problem: str
    remedy: str = ""
    file: str = ""
    line: int = 0
    """Where it stands, if it stands in a file."""

    def __str__(self) -> str:
        file, path = _printable(self.file), _printable(self.path)
        where = ", ".join(part for part in (file, f"line {self.line}" if self.line else "") if part)
        named = path if self.value is None else f"{path} = {shown(self.value)}"
        text = ": ".join(part for part in (where, named, self.problem) if part)
        return f"{text}; {self.remedy}" if self.remedy else text


def _printable(text: str) -> str:
    """A name that a stranger wrote: nothing in it clears a screen or begins a line."""
    return "".join(sign if sign.isprintable() else "�" for sign in text)


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
    """`did you mean …?` for a misspelt word, or nothing."""
    from difflib import get_close_matches  # noqa: PLC0415 - slow to import and rarely needed

    word = word[:80].lower()
    known = {other.lower(): other for other in words}
    # a bare field name is the commonest slip: `put_back_penalty` for `scoring.put_back_penalty`
    by_name = [other for other in known.values() if other.rpartition(".")[2] == word]
    near = by_name or [known[match] for match in get_close_matches(word, known, n=1, cutoff=0.6)]
    return f"did you mean {near[0]}?" if near else ""
