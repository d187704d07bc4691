"""Coded messages: the form of everything that any part of canasta says to a person."""

from dataclasses import dataclass, field
from typing import NamedTuple

Fact = int | str
"""A number, or a short text in notation (`K`, `Jo`, `Kh Ks`, `natural`); never a phrase."""
Facts = dict[str, Fact]
"""Parameters of a message. `catalogue.fact_kinds` lists every name with its kind."""


class MessageText(NamedTuple):
    """A message in one language, with its remedy if it has one."""

    message: str
    remedy: str = ""

    def __str__(self) -> str:
        return f"{self.message} {self.remedy}".rstrip()


@dataclass(frozen=True)
class Message:
    """A message code with its facts; the catalogue of a language turns it into text.

    >>> below = Message("refusals.BELOW_MINIMUM", {"needed": 90, "have": 75})
    >>> below.text("de").message
    'Die Erstmeldung deiner Seite muss mindestens 90 Punkte wert sein; das hier zählt 75.'
    """

    code: str
    """`PART.KEY` in the catalogue."""
    facts: Facts = field(default_factory=dict)
    remedy: str = ""
    """Code of the text that says what to do instead. Empty means `CODE.remedy`, if the catalogue has it."""

    @property
    def key(self) -> str:
        """The code without its part, as it is sent to clients."""
        return self.code.partition(".")[2]

    def text(self, lang: str = "en", *, caliente: bool = False) -> MessageText:
        """Return the message in a language. With `caliente`, use the card names of the Caliente booklets."""
        from canasta.i18n.voice import Voice  # noqa: PLC0415 - load no catalogue before one is read

        return Voice(lang, caliente).tell(self)

    def __str__(self) -> str:
        return str(self.text())
