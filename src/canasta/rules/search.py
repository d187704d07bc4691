"""Search for games, by any name people use for them and by three questions about their rules."""

import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

from canasta.rules.loader import load_ruleset
from canasta.rules.model import Ruleset
from canasta.rules.preset_files import preset, preset_names


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
    asked = (decks, sequences, second_hand)
    return [
        name
        for name in preset_names()
        if all(word in names_of(name) for word in folded(words).split())
        and all(
            wanted in (None, trait)
            for wanted, trait in zip(asked, traits_of(load_ruleset(name)), strict=True)
        )
    ]


def names_of(name: str) -> str:
    """Return all names of a game in every language, normalised by `folded`."""
    read = preset(name)
    family = (read.family, *family_names(read.family).values())
    return folded(" ".join([name, read.title, *read.titles.values(), *read.names, *family]))


def folded(text: str) -> str:
    """Return a text in lower case without accents, the way people type searches.

    >>> folded("Hand & Fuß, Mão e Pé")
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
    told: dict[str, str] = {}
    for name in by_family(preset_names())[family]:
        told = preset(name).families | told
    return told
