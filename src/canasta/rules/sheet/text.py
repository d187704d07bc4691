"""The text of a rule sheet: a ruleset as sentences with its own numbers, in a language."""

import textwrap
from typing import NamedTuple

from canasta.i18n import Fact
from canasta.i18n.voice import Voice
from canasta.rules.model import Ruleset
from canasta.rules.preset_files import title_of
from canasta.rules.sheet import Phrase, RuleLine, SheetFact
from canasta.rules.sheet.sections import Picture, pictures_of, sheet_sections


class TranslatedLine(NamedTuple):
    """A line of a rule sheet, one or two sentences long, with the clause that it states."""

    clause: str
    text: str


class TranslatedSection(NamedTuple):
    title: str
    lines: tuple[TranslatedLine, ...]
    pictures: tuple[tuple[str, Picture], ...]
    """Pictures to show next to the lines, each with its caption."""


class RuleSheet(NamedTuple):
    """A table's rules, in order of play."""

    title: str
    subtitle: str
    intro: str
    """The subtitle as a sentence."""
    sections: tuple[TranslatedSection, ...]

    def text(self, width: int = 100) -> str:
        """Return the sheet as wrapped plain text, with the clause in front of each line."""
        parts = [f"{self.title}, {self.subtitle}"]
        for section in self.sections:
            parts += ["", section.title]
            for line in section.lines:
                head = f"  {line.clause:<8} "
                parts += textwrap.wrap(
                    line.text, max(width, 40), initial_indent=head, subsequent_indent=" " * len(head)
                )
        return "\n".join(parts) + "\n"

    def markdown(self) -> str:
        parts = [f"# {self.title}", "", self.intro]
        for section in self.sections:
            parts += ["", f"## {section.title}", ""]
            parts += [f"- {line.text} ({line.clause})" if line.clause else f"- {line.text}"
                      for line in section.lines]  # fmt: skip
        return "\n".join(parts) + "\n"


def section_title(section: str, rules: Ruleset, lang: str = "en") -> str:
    """Return the title of a section of the rule sheet.

    >>> from canasta.rules.loader import load_ruleset
    >>> section_title("going_out", load_ruleset("jaques"))
    'Going out'
    """
    return Voice(lang, rules.deck.caliente_names).say(f"sheets.section.{section}")


def rule_sheet(rules: Ruleset, lang: str = "en") -> RuleSheet:
    """Return the rule sheet of a ruleset."""
    voice = Voice(lang, rules.deck.caliente_names)
    team = "player" if rules.seats.players < 4 else "side"
    sections = [
        TranslatedSection(
            voice.say(f"sheets.section.{section.key}"),
            tuple(TranslatedLine(line.clause, _line_text(voice, line, team)) for line in section.lines),
            tuple((_phrase(voice, picture.label), picture) for picture in pictures_of(section.key, rules)),
        )
        for section in sheet_sections(rules)
    ]
    players = {"players": rules.seats.players}
    subtitle, intro = voice.say("sheets.players", players), voice.say("sheets.for", players)
    return RuleSheet(title_of(rules, lang), subtitle, intro, tuple(sections))


def _line_text(voice: Voice, line: RuleLine, team: str) -> str:
    facts = {name: _fact(voice, name, fact) for name, fact in line.facts.items()}
    return voice.say(f"sheets.{line.code}", {"team": team, **facts})


def _fact(voice: Voice, name: str, fact: SheetFact) -> Fact:
    if isinstance(fact, int):
        return fact
    if isinstance(fact, Phrase):
        return _phrase(voice, fact)
    parts = [_phrase(voice, one) for one in fact]
    return voice.listed(parts, "or" if name.startswith("any_") else "and")


def _phrase(voice: Voice, phrase: Phrase) -> str:
    return voice.say(f"sheets.{phrase.code}", phrase.facts)
