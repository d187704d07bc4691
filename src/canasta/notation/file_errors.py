"""Problems in files: in a record, a position or scenarios, or in their results.

A problem is a code with facts. The sentences are in the catalogue part `files`, in every language.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from canasta.engine.moves.refusals import Facts, Refusal
from canasta.english import in_english
from canasta.errors import CanastaError
from canasta.notation.errors import NotationError
from canasta.rules.defects import Defect


@dataclass(frozen=True)
class FileProblem:
    """One problem and its location."""

    code: str
    """A message code of the catalogue part `files`; empty if `defects` explain the problem."""
    facts: Facts = field(default_factory=dict)
    line: int = 0
    """Line number, from 1; 0 if no line is at fault."""
    path: str = ""
    """The keys of a scenario that lead to the problem, as in `given.hands[0]`."""
    refusal: Refusal | None = None
    """Set if the rules refuse a move."""
    defects: tuple[Defect, ...] = ()
    """Set if the requested rules are not a valid game."""

    @classmethod
    def unreadable(cls, error: NotationError, path: str = "") -> "FileProblem":
        """Create the problem for text that is not a valid card or move."""
        return cls("UNREADABLE", error.facts, path=path)

    def at(self, line: int) -> "FileProblem":
        return replace(self, line=line)

    def facts_with(self, told: str) -> Facts:
        """Return the facts, extended by the text `told` of the refusal if there is one."""
        if self.refusal is None:
            return self.facts
        clauses = ", ".join(self.refusal.clauses)
        return {**self.facts, "name": self.refusal.clause, "choices": clauses, "text": told}

    @property
    def message(self) -> str:
        """The message in English; a refusal is shown by its reason and facts."""
        if self.defects:
            return "; ".join(map(str, self.defects))
        told = "" if self.refusal is None else str(self.refusal).partition(": ")[2]
        return in_english("files", self.code, self.facts_with(told)).rstrip(".")

    def __str__(self) -> str:
        return f"line {self.line}: {self.located}" if self.line else self.located

    @property
    def located(self) -> str:
        """The message, preceded by the keys that lead to the problem."""
        return f"{self.path}: {self.message}" if self.path else self.message


class WrongText(CanastaError, ValueError):
    """The text cannot be read or describes something impossible. `wrongs` lists every problem."""

    def __init__(self, wrongs: Iterable[FileProblem]) -> None:
        self.wrongs = list(wrongs)
        super().__init__("; ".join(map(str, self.wrongs)))

    def __reduce__(self) -> tuple[type["WrongText"], tuple[list[FileProblem]]]:
        return (WrongText, (self.wrongs,))
