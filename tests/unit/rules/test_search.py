"""Games are found by their names in any language and by their values."""

import pytest

from canasta.rules import load_ruleset, preset_names
from canasta.rules.games import Traits, by_family, family_names, find_games, names_of, traits_of
from canasta.rules.preset_files import preset


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("Hand & Fuß", "hand-and-foot"),
        ("hand and foot", "hand-and-foot"),
        ("MAO E PE", "hand-and-foot"),
        ("mão e pé", "hand-and-foot"),
        ("uruguai", "uruguay"),
        ("boliviana", "bolivia"),
        ("clásica", "jaques"),
        ("clasica original", "original"),
        ("  ", "caliente"),
        ("samba-common", "samba-common"),
    ],
)
def test_a_name_in_any_language(words: str, found: str) -> None:
    assert found in find_games(words)


def test_every_word_must_be_there() -> None:
    assert find_games("bolivia hoyle") == ["bolivia-common"]
    assert find_games("bolivia whist") == []


@pytest.mark.parametrize("name", preset_names())
def test_a_game_is_found_by_each_of_its_titles(name: str) -> None:
    for title in (name, preset(name).title, *preset(name).titles.values(), *preset(name).names):
        assert name in find_games(title)


@pytest.mark.parametrize("name", preset_names())
def test_the_answers_are_those_of_the_rules(name: str) -> None:
    rules = load_ruleset(name)
    assert traits_of(rules).decks == rules.deck.decks
    assert traits_of(rules).sequences == rules.melds.runs
    decks, sequences, second_hand = traits_of(rules)
    assert name in find_games(decks=decks, sequences=sequences, second_hand=second_hand)
    assert name not in find_games(sequences=not sequences)
    assert name not in find_games(second_hand=not second_hand)
    assert name not in find_games(decks=decks + 1)


def test_a_house_rule_changes_the_answers() -> None:
    assert traits_of(load_ruleset("caliente")) == Traits(2, sequences=False, second_hand=False)
    changed = load_ruleset("caliente", options={"melds.runs": True, "deal.foot_size": 11, "deck.decks": 4})
    assert traits_of(changed) == Traits(4, sequences=True, second_hand=True)


def test_families_keep_every_game_once() -> None:
    families = by_family(preset_names())
    assert sorted(name for members in families.values() for name in members) == sorted(preset_names())
    assert families["Samba"][0] == "caliente-samba"


def test_a_family_has_names_in_other_languages() -> None:
    assert family_names("Canasta") == {"pt": "Canastra"}
    assert set(family_names("Hand & Foot")) == {"de", "es", "fr", "it", "pt"}
    assert "canastra" in names_of("two-player")
