"""Find games by name and by what people remember of their rules, and compare two games field by field."""

import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from canasta.i18n.voice import Voice
from canasta.rules.clauses import clause_of
from canasta.rules.loader import load_ruleset, values_of
from canasta.rules.model import FIELDS, Ruleset
from canasta.rules.preset_files import preset, preset_names, title_of

_NOT_RULES = ("name", "title", "version")


class Traits(NamedTuple):
    """Traits that a newcomer may remember: the number of decks, sequences, and a second hand."""

    decks: int
    sequences: bool
    second_hand: bool


def traits_of(rules: Ruleset) -> Traits:
    """Return the traits of a ruleset.

    >>> traits_of(load_ruleset("hand-and-foot"))
    Traits(decks=5, sequences=False, second_hand=True)
    >>> traits_of(load_ruleset("burraco"))
    Traits(decks=2, sequences=True, second_hand=True)
    """
    second_hand = rules.deal.foot_size > 0 or len(rules.deal.pots) > 0
    return Traits(rules.deck.decks, rules.melds.runs, second_hand)


def find_games(
    words: str = "",
    *,
    decks: int | None = None,
    sequences: bool | None = None,
    second_hand: bool | None = None,
) -> list[str]:
    """Return the games whose names contain all of these words. A question left as `None` excludes nothing.

    >>> find_games("mano pie")
    ['hand-and-foot']
    >>> find_games(decks=3, sequences=True)[:2]
    ['caliente-samba', 'jaques-samba']
    """
    answers = (decks, sequences, second_hand)
    return [
        name
        for name in preset_names()
        if all(word in names_of(name) for word in fold_accents(words).split())
        and all(
            answer in (None, trait)
            for answer, trait in zip(answers, traits_of(load_ruleset(name)), strict=True)
        )
    ]


def names_of(name: str) -> str:
    """Return all names of a game in every language, normalised by `fold_accents`."""
    read = preset(name)
    family = (read.family, *family_names(read.family).values())
    return fold_accents(" ".join([name, read.title, *read.titles.values(), *read.names, *family]))


def fold_accents(text: str) -> str:
    """Return a text in lower case without accents, the way people type searches.

    >>> fold_accents("Hand & Fuß, Mão e Pé")
    'hand & fuss, mao e pe'
    """
    apart = unicodedata.normalize("NFD", text.casefold())
    return "".join(sign for sign in apart if not unicodedata.combining(sign))


def by_family(names: Iterable[str]) -> dict[str, list[str]]:
    """Group games by family, ordered by each family's first game.

    >>> [*by_family(preset_names())][:3]
    ['Canasta', 'Samba', 'Hand & Foot']
    """
    families: dict[str, list[str]] = {}
    for name in names:
        families.setdefault(preset(name).family, []).append(name)
    return families


def family_names(family: str) -> dict[str, str]:
    """Return a family's names in other languages, collected from its games.

    >>> family_names("Hand & Foot")["it"]
    'Mano e Piede'
    """
    names: dict[str, str] = {}
    for name in by_family(preset_names())[family]:
        names = preset(name).families | names
    return names


# -- comparison ---------------------------------------------------------------------------------------------


class FieldDifference(NamedTuple):
    """One field with its value on either side, in words."""

    path: str
    label: str
    clause: str
    left: str
    right: str


class RulesComparison(NamedTuple):
    """Two rulesets and the fields in which they differ, in model order."""

    left: str
    right: str
    rows: tuple[FieldDifference, ...]
    lang: str = "en"

    @property
    def head(self) -> tuple[str, str]:
        """The titles of the first two columns: clause and rule."""
        voice = Voice(self.lang)
        return voice.say("sheets.list.clause"), voice.say("sheets.list.rule")

    def text(self) -> str:
        """Return the comparison as a plain-text table."""
        if not self.rows:
            return Voice(self.lang).say("sheets.alike", {"left": self.left, "right": self.right}) + "\n"
        table = [(*self.head, self.left, self.right)]
        table += [(row.clause, row.label, row.left, row.right) for row in self.rows]
        widths = [max(len(line[column]) for line in table) for column in range(3)]
        table.insert(1, ("-" * widths[0], "-" * widths[1], "-" * widths[2], "-" * len(self.right)))
        return "".join(
            f"{line[0]:<{widths[0]}}  {line[1]:<{widths[1]}}  {line[2]:<{widths[2]}}  {line[3]}".rstrip()
            + "\n"
            for line in table
        )

    def markdown(self) -> str:
        return markdown_table(
            (*self.head, self.left, self.right),
            [(row.clause, row.label, row.left, row.right) for row in self.rows],
        )


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "".join(f"| {' | '.join(line)} |\n" for line in (head, ["---" for _ in head], *rows))


def differences(left: Ruleset, right: Ruleset, lang: str = "en") -> tuple[FieldDifference, ...]:
    """Return the fields in which two rulesets differ.

    >>> from canasta.rules.loader import load_ruleset
    >>> rows = differences(load_ruleset("jaques-samba"), load_ruleset("bolivia"))
    >>> [(row.label, row.left, row.right) for row in rows][-1]
    ('black three left in hand', '5', '100')
    """
    ours, theirs = values_of(left), values_of(right)
    return tuple(
        FieldDifference(path, field.label, clause, field.show(ours[path]), field.show(theirs[path]))
        for path in FIELDS
        if path not in _NOT_RULES and ours[path] != theirs[path]
        for field, clause in [(FIELDS[path].in_language(lang), clause_of(FIELDS[path], left.seats.players))]
    )


def compare(left: Ruleset, right: Ruleset, lang: str = "en") -> RulesComparison:
    """Return the differences of two rulesets under their titles, ready to print."""
    names = [title_of(left, lang), title_of(right, lang)]
    if left.seats.players != right.seats.players or left.title == right.title:
        names = [
            Voice(lang).say("sheets.title_players", {"title": title, "players": rules.seats.players})
            for title, rules in zip(names, (left, right), strict=True)
        ]
    return RulesComparison(names[0], names[1], differences(left, right, lang), lang)
