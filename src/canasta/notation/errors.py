"""Errors in texts: in one card or move, or in a line of a record or of scenarios.

Every problem is a message of the catalogue part `notation` or `files`, and its location.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from canasta.engine.moves.refusals import Refusal
from canasta.errors import CanastaError
from canasta.i18n import Facts, Message
from canasta.i18n.safe_text import printable
from canasta.i18n.voice import Voice
from canasta.rules.defects import Defect

_WIDEST: Final = 100
"""Maximum width of a faulty line when it is shown. A longer line is cropped around the error."""


class NotationError(CanastaError, ValueError):
    """The text is not a valid card or move.

    >>> print(NotationError("take K W", 7, "NOT_A_CARD", {"text": "W", "how": "WILD_CARD"}))
    take K W
           ^ "W" isn’t a card: a wild card is 2 or Jo
    """

    def __init__(self, text: str, column: int, code: str, facts: Facts | None = None) -> None:
        super().__init__(text, column, code, facts)
        self.text = text
        """The whole text."""
        self.column = max(0, min(column, len(text) + 1))
        """Column of the error, from 0. It is just past the last character if something is missing there."""
        self.code = code
        """Key of the message in the catalogue part `notation`."""
        self.facts: Facts = {"unreadable": code, **(facts or {})}
        """The facts of the refusal `UNREADABLE`: the code, the faulty word, and what may be written there."""

    def summary(self, lang: str = "en") -> str:
        """Return the problem and its remedy, in one line without a full stop."""
        return Message(f"notation.{self.code}", self.facts).text(lang).message.rstrip(".")

    def shown(self, widest: int = _WIDEST) -> tuple[str, str]:
        """Return the text around the error, at most `widest` columns, and the line with the caret."""
        start = max(0, self.column - widest // 2) if len(self.text) >= widest else 0
        return printable(self.text[start : start + widest]), " " * (self.column - start) + "^ "

    def __str__(self) -> str:
        text, caret = self.shown()
        return f"{text}\n{caret}{self.summary()}"


@dataclass(frozen=True)
class FileProblem:
    """One problem in a record, a position or scenarios, or in their results, and its location."""

    code: str
    """Key of the message in the catalogue part `files`; empty if `defects` explain the problem."""
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

    def message_in(self, lang: str = "en") -> str:
        """Return the keys and the problem, without the line and without a full stop.

        >>> FileProblem("WANTS_NUMBER", {"instead": "LIST"}, line=3, path="given.turn").message_in("de")
        'given.turn: eine ganze Zahl wird gebraucht, nicht eine Liste'
        """
        voice = Voice(lang)
        if self.defects:
            text = " ".join(defect.line_in(lang) for defect in self.defects)
        else:
            text = voice.say(f"files.{self.code}", self._all_facts(lang))
        return (f"{self.path}{voice.blank}: {text}" if self.path else text).rstrip(".")

    def line_in(self, lang: str = "en") -> str:
        """Return the problem, with its line if it has one."""
        if not self.line:
            return self.message_in(lang)
        voice = Voice(lang)
        return f"{voice.say('defects.line', {'number': self.line})}{voice.blank}: {self.message_in(lang)}"

    def _all_facts(self, lang: str) -> Facts:
        """Return the facts, with those of the refusal if there is one."""
        if self.refusal is None:
            return self.facts
        clauses = ", ".join(self.refusal.clauses)
        refusal = {"name": self.refusal.clause, "choices": clauses, "text": str(self.refusal.text(lang))}
        return {**self.facts, **refusal}

    def __str__(self) -> str:
        return self.line_in("en")


class ScenarioError(CanastaError, ValueError):
    """The text cannot be read or describes something impossible. `problems` lists everything."""

    def __init__(self, problems: Iterable[FileProblem]) -> None:
        self.problems = list(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "; ".join(map(str, self.problems))
