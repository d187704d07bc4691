"""Finding a game: by any name that people have for it, and by three questions that its values answer."""

import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

from canasta.rules.loader import load_ruleset
from canasta.rules.model import Ruleset
from canasta.rules.preset_files import preset, preset_names


class Traits(NamedTuple):
    """What a newcomer can tell of a game: how many decks, are there sequences, is there a second hand?"""

    decks: int
    sequences: bool
    second_hand: bool


def traits_of(rules: Ruleset) -> Traits:
    """
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
    """The games with all of these words in their names; a question that is left open rules nothing out.

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
    """All that a game is called, in every language, as `folded` writes it."""
    read = preset(name)
    family = (read.family, *family_names(read.family).values())
    return folded(" ".join([name, read.title, *read.titles.values(), *read.names, *family]))


def folded(text: str) -> str:
    """Small letters without accents, as people type when they search.

    >>> folded("Hand & Fuß, Mão e Pé")
    'hand & fuss, mao e pe'
    """
    apart = unicodedata.normalize("NFD", text.casefold())
    return "".join(sign for sign in apart if not unicodedata.combining(sign))


def by_family(names: Iterable[str]) -> dict[str, list[str]]:
    """The games, each among those of its family; families stand in the order of their first games.

    >>> [*by_family(preset_names())][:3]
    ['Canasta', 'Samba', 'Hand & Foot']
    """
    families: dict[str, list[str]] = {}
    for name in names:
        families.setdefault(preset(name).family, []).append(name)
    return families


def family_names(family: str) -> dict[str, str]:
    """What a family is called in other languages, as its games tell.

    >>> family_names("Hand & Foot")["it"]
    'Mano e Piede'
    """
    told: dict[str, str] = {}
    for name in by_family(preset_names())[family]:
        told = preset(name).families | told
    return told
