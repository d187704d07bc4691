"""Notation errors: the location, what is wrong there, and what to write instead.

They contain a code and facts. The sentences are in the catalogue part `notation`, in every language.
"""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

from canasta.engine.moves.refusals import Facts
from canasta.english import in_english
from canasta.errors import CanastaError

_WIDEST: Final = 100
"""Maximum width of a faulty line when it is shown. A longer line is cropped around the error."""


class NotationError(CanastaError, ValueError):
    """The text is not a valid card or move.

    >>> print(NotationError("take K W", 7, "NOT_A_CARD", {"text": "W", "how": "WILD_CARD"}))
    take K W
           ^ "W" is not a card: a wild card is 2 or Jo
    """

    def __init__(self, text: str, column: int, code: str, facts: Facts | None = None) -> None:
        super().__init__(text, column, code, facts)
        self.text = text
        self.column = max(0, min(column, len(text) + 1))
        """Column of the error, from 0. It is just past the last character if something is missing there."""
        self.code = code
        """A message code of the catalogue part `notation`."""
        self.facts: Facts = {"unreadable": code, **(facts or {})}
        """The facts of the refusal `UNREADABLE`: the code, the faulty word, and what may be written there."""

    @property
    def summary(self) -> str:
        """The problem and its remedy, in one line of English without a full stop."""
        return in_english("notation", self.code, self.facts).rstrip(".")

    def shown(self, widest: int = _WIDEST) -> tuple[str, str]:
        """Return the text around the error, at most `widest`
        columns, and the line below it up to the caret."""
        start = max(0, self.column - widest // 2) if len(self.text) >= widest else 0
        return printable(self.text[start : start + widest]), " " * (self.column - start) + "^ "

    def __str__(self) -> str:
        text, caret = self.shown()
        return f"{text}\n{caret}{self.summary}"


_NO_BREAK: Final = "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"
"""Spaces that Python does not consider printable; French puts one before a colon."""


def printable(text: str) -> str:
    """Replace every character that would move the cursor or break the line; the length stays the same.

    >>> printable("pioche\\N{NO-BREAK SPACE}: 2\\n")
    'pioche\\xa0: 2\N{REPLACEMENT CHARACTER}'
    """
    return "".join(
        character if character.isprintable() or character in _NO_BREAK else "\N{REPLACEMENT CHARACTER}"
        for character in text
    )


def quoted(text: str) -> str:
    """Quote someone's text inside a sentence: on one line and never long.

    >>> print(quoted("dsicard"))
    "dsicard"
    """
    return f'"{short(text)}"'


def short(text: str) -> str:
    """Shorten someone's text like `quoted`, but without quotation marks, which differ by language."""
    shown = printable(text)
    return shown if len(shown) <= 40 else f"{shown[:37]}..."


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the known word that is probably meant, ignoring case; empty if none is close."""
    words = {other.lower(): other for other in known}
    return next((words[match] for match in get_close_matches(word.lower(), words, n=1, cutoff=0.6)), "")
