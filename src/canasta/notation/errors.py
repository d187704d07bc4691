"""Errors of the text: the place, what is wrong there and what to write instead.

They carry a code and facts; the sentences are in the part `notation` of the catalogues, in every language.
"""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

from canasta.engine.moves.refusals import Facts
from canasta.english import in_english
from canasta.errors import CanastaError

_WIDEST: Final = 100
"""Characters of a faulty line that are shown; a longer line is cut out around the place."""


class NotationError(CanastaError, ValueError):
    """Text that is no card or no move.

    >>> print(NotationError("take K W", 7, "NOT_A_CARD", {"text": "W", "how": "WILD_CARD"}))
    take K W
           ^ "W" is not a card: a wild card is 2 or Jo
    """

    def __init__(self, text: str, column: int, code: str, facts: Facts | None = None) -> None:
        super().__init__(text, column, code, facts)
        self.text = text
        self.column = max(0, min(column, len(text) + 1))
        """Counted from 0; one behind the last character where something is missing there."""
        self.code = code
        """A message of the part `notation`."""
        self.facts: Facts = {"unreadable": code, **(facts or {})}
        """What the refusal `UNREADABLE` says: the code, the word at fault, what may stand there."""

    @property
    def summary(self) -> str:
        """What is wrong and what to write instead, in one line of English without a full stop."""
        return in_english("notation", self.code, self.facts).rstrip(".")

    def shown(self, widest: int = _WIDEST) -> tuple[str, str]:
        """The text around the place, in so many columns, and the line under it up to the caret."""
        start = max(0, self.column - widest // 2) if len(self.text) >= widest else 0
        return printable(self.text[start : start + widest]), " " * (self.column - start) + "^ "

    def __str__(self) -> str:
        text, caret = self.shown()
        return f"{text}\n{caret}{self.summary}"


_NO_BREAK: Final = "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"
"""Blanks that Python does not call printable; French writes one before a colon."""


def printable(text: str) -> str:
    """The same number of characters, without any that would move the cursor or break the line.

    >>> printable("pioche\\N{NO-BREAK SPACE}: 2\\n")
    'pioche\\xa0: 2\N{REPLACEMENT CHARACTER}'
    """
    return "".join(
        character if character.isprintable() or character in _NO_BREAK else "\N{REPLACEMENT CHARACTER}"
        for character in text
    )


def quoted(text: str) -> str:
    """A piece of someone's text inside a sentence: one line, never long.

    >>> print(quoted("dsicard"))
    "dsicard"
    """
    return f'"{short(text)}"'


def short(text: str) -> str:
    """The same without the quotation marks, which each language writes in its own way."""
    shown = printable(text)
    return shown if len(shown) <= 40 else f"{shown[:37]}..."


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word that is meant, perhaps, whatever its capitals; empty where nothing is near."""
    words = {other.lower(): other for other in known}
    return next((words[match] for match in get_close_matches(word.lower(), words, n=1, cutoff=0.6)), "")
