"""The glossary of the browser's page agrees with the rules about which games use which word."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from canasta.lessons import lessons
from canasta.rules import Ruleset, load_ruleset, player_numbers, preset_names

WEB: Final = Path(__file__).parents[2] / "web" / "src"
LANGUAGES: Final = ("en", "de", "es", "fr", "it", "pt")


def _has_caliente_names(rules: Ruleset) -> bool:
    return rules.deck.caliente_names


def _has_special_threes(rules: Ruleset) -> bool:
    return rules.deck.threes == "special"


def _freezes(rules: Ruleset) -> bool:
    return rules.pile.take == "meld_top"


def _has_minimum(rules: Ruleset) -> bool:
    return any(rules.opening.minimums)


def _is_bolivia(rules: Ruleset) -> bool:
    return rules.melds.wild_melds and rules.melds.runs


def _has_partners(rules: Ruleset) -> bool:
    return max(player_numbers(rules.name)) > 3


PLAYED_WHERE: Final[dict[str, Callable[[Ruleset], object]]] = {
    "ask": lambda rules: rules.going_out.ask != "no" and _has_partners(rules),
    "big-wild": _has_caliente_names,
    "black-three": _has_special_threes,
    "bolivia": _is_bolivia,
    "bonus-card": _has_caliente_names,
    "caliente-card": _has_caliente_names,
    "closed-rank": lambda rules: rules.melds.dead_ranks,
    "concealed": lambda rules: rules.scoring.concealed,
    "cut": lambda rules: rules.seats.first_dealer.startswith("cut"),
    "draw-pile": _has_caliente_names,
    "escalera": _is_bolivia,
    "first-meld": _has_minimum,
    "foot": lambda rules: rules.deal.foot_size,
    "freeze": lambda rules: (
        _freezes(rules) and rules.discards.wilds == "free" and not rules.pile.always_frozen
    ),
    "frozen": _freezes,
    "little-wild": _has_caliente_names,
    "minimum": _has_minimum,
    "partner": _has_partners,
    "pass": lambda rules: rules.stock_end.after_last_card != "ends",
    "pot": lambda rules: rules.deal.pots,
    "prize-pile": _has_caliente_names,
    "pure-meld": lambda rules: rules.opening.pure_meld != "no",
    "red-three": _has_special_threes,
    "run": lambda rules: rules.melds.runs,
    "samba": lambda rules: rules.melds.runs and not rules.melds.run_most,
    "semi-clean": lambda rules: rules.scoring.semi_clean,
    "set": lambda rules: rules.melds.set_ranks != "none",
    "sit-out": lambda rules: 5 in player_numbers(rules.name),
    "special-hand": lambda rules: rules.going_out.special_hands != "none",
    "splash": lambda rules: rules.opening.splash,
    "stop-card": _has_caliente_names,
    "suit": lambda rules: rules.melds.same_suit_runs,
    "talon": lambda rules: rules.turn.talon,
    "target": lambda rules: not rules.match.rounds,
    "up-card": lambda rules: rules.pile.take != "free",
    "wild-canasta": lambda rules: rules.melds.wild_melds,
}
"""A word that is not listed here belongs to every game."""


def _words() -> dict[str, dict[str, object]]:
    words: dict[str, dict[str, object]] = json.loads((WEB / "lib" / "glossary_words.json").read_text("utf-8"))
    return words


def test_each_word_leads_to_a_lesson_that_is_there() -> None:
    taught = {told["lesson"] for told in _words().values()} - {""}
    assert taught <= lessons().keys()
    assert len(taught) > 10


def test_each_word_names_the_games_that_use_it() -> None:
    words = _words()
    assert PLAYED_WHERE.keys() <= words.keys()
    rules = [load_ruleset(name) for name in preset_names()]
    for word, told in words.items():
        uses = PLAYED_WHERE.get(word)
        assert told["games"] == ([] if uses is None else [each.name for each in rules if uses(each)]), word


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_word_is_told_and_leads_to_words_that_are_there(lang: str) -> None:
    texts = json.loads((WEB / "messages" / "glossary" / f"{lang}.json").read_text("utf-8"))
    words = _words().keys()
    assert {key for key in texts if key.startswith("word.")} == {
        f"word.{word}{part}" for word in words for part in ("", ".text")
    }
    titles = [texts[f"word.{word}"] for word in words]
    assert len(titles) == len(set(titles)), "no two words are called the same"
    for word in words:
        text = texts[f"word.{word}.text"]
        leads_to = re.findall(r"\[\[([a-z-]+)(?:\|[^\[\]|]+)?\]\]", text)
        assert set(leads_to) <= words - {word}, word
        assert text.count("[[") == len(leads_to), word
        assert len(re.findall(r"[.?!](?= |$)", text)) <= 3, word
