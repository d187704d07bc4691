"""What is wrong in a file of ours: in a record, in a position, in scenarios, or with what came of them.

It is a code with facts; the sentences are in the part `files` of the catalogues, in every language.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from canasta.engine.moves.refusals import Facts, Refusal
from canasta.english import in_english
from canasta.errors import CanastaError
from canasta.notation.errors import NotationError
from canasta.rules.defects import Defect


@dataclass(frozen=True)
class Wrong:
    """One thing that is wrong, and where."""

    code: str
    """A message of the part `files`; empty where the defects of the rules say it all."""
    facts: Facts = field(default_factory=dict)
    line: int = 0
    """Counted from 1; 0 where no line is at fault."""
    path: str = ""
    """The keys of a scenario that lead there: `given.hands[0]`."""
    refusal: Refusal | None = None
    """Set where the rules refuse a move."""
    defects: tuple[Defect, ...] = ()
    """Set where the rules that were asked for make no game."""

    @classmethod
    def unreadable(cls, error: NotationError, path: str = "") -> "Wrong":
        """Text that is no card or no move."""
        return cls("UNREADABLE", error.facts, path=path)

    def at(self, line: int) -> "Wrong":
        return replace(self, line=line)

    def facts_with(self, told: str) -> Facts:
        """The facts, and what the refusal says."""
        if self.refusal is None:
            return self.facts
        clauses = ", ".join(self.refusal.clauses)
        return {**self.facts, "name": self.refusal.clause, "choices": clauses, "text": told}

    @property
    def message(self) -> str:
        """In English; a refusal by its reason and facts."""
        if self.defects:
            return "; ".join(map(str, self.defects))
        told = "" if self.refusal is None else str(self.refusal).partition(": ")[2]
        return in_english("files", self.code, self.facts_with(told)).rstrip(".")

    def __str__(self) -> str:
        return f"line {self.line}: {self.located}" if self.line else self.located

    @property
    def located(self) -> str:
        """The message behind the keys that lead there."""
        return f"{self.path}: {self.message}" if self.path else self.message


class WrongText(CanastaError, ValueError):
    """A text that cannot be read, or tells what cannot be; `wrongs` says all of it."""

    def __init__(self, wrongs: Iterable[Wrong]) -> None:
        self.wrongs = list(wrongs)
        super().__init__("; ".join(map(str, self.wrongs)))

    def __reduce__(self) -> tuple[type["WrongText"], tuple[list[Wrong]]]:
        return (WrongText, (self.wrongs,))
