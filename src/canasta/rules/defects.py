"""Defects of a choice of rules, all reported at once.

A defect is a code with facts. Its sentences are in the catalogue part `defects`, in every language.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from canasta.errors import CanastaError
from canasta.i18n import Facts, Message, MessageText
from canasta.i18n.safe_text import closest, short, shown


@dataclass(frozen=True)
class Defect:
    """One problem with the requested rules, and its remedy."""

    path: str
    """The field or option at fault; `rules` for the preset, `players` for the number of players."""
    value: Any  # `object` in a dataclass does not survive compilation
    code: str
    """Key of the message in the catalogue part `defects`."""
    facts: Facts = field(default_factory=dict)
    """Numbers, names and, for some facts, a field by its path or a setting `path=value`."""
    remedy_code: str = ""
    """Key of the remedy's message. Empty means the remedy of `code`, if it has one."""
    file: str = ""
    line: int = 0
    """The location, if the value comes from a file."""

    @property
    def message(self) -> Message:
        return Message(f"defects.{self.code}", self.facts, self.remedy_code and f"defects.{self.remedy_code}")

    @property
    def named(self) -> str:
        """The field and its value."""
        path = short(self.path, 80)
        return path if self.value is None else f"{path} = {shown(self.value)}"

    @property
    def problem(self) -> str:
        """The problem, in English."""
        return self.message.text().message

    @property
    def remedy(self) -> str:
        """The remedy, in English; empty if it is obvious."""
        return self.message.text().remedy

    def text(self, lang: str = "en") -> MessageText:
        """Return the problem and its remedy in a language."""
        return self.message.text(lang)

    def line_in(self, lang: str = "en") -> str:
        """Return the location, the field, the problem and its remedy as one sentence."""
        line = self._joined(lang)
        return line if line.endswith(("?", ".")) else f"{line}."

    def _joined(self, lang: str) -> str:
        from canasta.i18n.voice import Voice  # noqa: PLC0415 - text is wanted only when a defect is read

        voice = Voice(lang)
        line = voice.say("defects.line", {"number": self.line}) if self.line else ""
        place = ", ".join(part for part in (short(self.file, 80), line) if part)
        problem, remedy = voice.tell(self.message)
        text = f"{voice.blank}: ".join(part for part in (place, self.named, problem) if part)
        return f"{text}{voice.blank}; {remedy}" if remedy else text

    def __str__(self) -> str:
        return self._joined("en")


class RulesetError(CanastaError, ValueError):
    """The requested rules are not a valid game. `defects` contains every reason."""

    def __init__(self, defects: list[Defect]) -> None:
        super().__init__(defects)
        self.defects = defects

    def __str__(self) -> str:
        return "\n".join(map(str, self.defects))


def suggest_spelling(word: str, words: Iterable[str]) -> tuple[str, Facts]:
    """Return the remedy `did you mean …?` for a misspelt word, with its facts; empty if no word is close."""
    near = closest(word, words)
    return ("DID_YOU_MEAN", {"written": near}) if near else ("", {})
