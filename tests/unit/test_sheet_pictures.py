"""The pictures of rule sheets: the engine allows the moves they show, and their values match the rules."""

from typing import Final

import pytest

from canasta.engine.moves.types import Meld
from canasta.notation.moves import parse_move
from canasta.rules import Ruleset, load_ruleset, preset_names, resolve_ruleset
from canasta.rules.sheet.sections import Picture, pictures_of, rule_sheet, values_by_card
from canasta.scenarios.positions import match_from_position
from canasta.table.views import game_view, meld_view

GAMES: Final = sorted(preset_names())


def shown(rules: Ruleset, section: str) -> dict[str, Picture]:
    return {picture.label.code: picture for picture in pictures_of(section, rules)}


@pytest.mark.parametrize("game", GAMES)
def test_the_melds_lie_as_a_table_would_show_them(game: str) -> None:
    for picture in pictures_of("melds", load_ruleset(game)):
        for meld in picture.melds[-1:]:
            match, _ = match_from_position(f"{{rules: {game}, melds: {{0: [{' '.join(meld.cards)}]}}}}")
            (lying,) = match.hand.melds(0)
            seen = meld_view(match.hand.state, 0, lying)
            assert (seen.canasta, seen.grade, seen.wild, seen.stands_for) == (
                meld.canasta,
                meld.grade,
                meld.wild,
                meld.stands_for,
            ), picture
            assert (seen.name, sorted(seen.cards)) == (meld.name, sorted(meld.cards))


@pytest.mark.parametrize("game", GAMES)
def test_a_side_may_open_with_what_is_shown(game: str) -> None:
    for picture in pictures_of("opening", load_ruleset(game)):
        score, turn_in = picture.label.facts.get("score", 0), picture.label.facts.get("round", 1)
        scores = [score + 5 * (picture.label.code == "score.above"), 0]
        cards = " ".join(card for meld in picture.melds for card in meld.cards)
        hands = f"hands: {{0: {cards} 4h 5h 6h}}"
        match, _ = match_from_position(
            f"{{rules: {game}, round: {turn_in}, scores: {scores}, {hands}, phase: play}}"
        )
        move = parse_move("meld " + " + ".join(" ".join(meld.cards) for meld in picture.melds))
        assert isinstance(move, Meld)
        assert match.check(move) is None, (picture.label, str(match.check(move)))
        assert match.hand.minimum(0) == picture.label.facts["points"]


@pytest.mark.parametrize("game", GAMES)
def test_cards_are_shown_with_what_the_engine_counts(game: str) -> None:
    rules = load_ruleset(game)
    counted = game_view(rules).values
    for card, value in values_by_card(rules).items():
        rank = "3r" if card == "3d" else "3b" if card == "3c" else card if card == "Jo" else card[0]
        assert counted[rank] == value
    assert all(section.pictures for section in rule_sheet(rules).sections if section.title == "The cards")


def test_house_rules_show_theirs() -> None:
    rules = resolve_ruleset(
        "caliente",
        4,
        {
            "scoring.natural_canasta": 700,
            "deck.joker_value": 60,
            "opening.minimums": [70, 90, 120],
            "caliente_cards": True,
        },
    )
    assert shown(rules, "melds")["picture.natural"].label.facts == {"points": 700}
    assert pictures_of("deck", rules)[0].label.facts == {"points": 60}
    assert pictures_of("opening", rules)[0].label.facts == {"points": 70, "score": 0}
    assert shown(rules, "caliente")["picture.caliente"].cards == ("Ca",)


def test_each_family_shows_what_makes_it() -> None:
    def codes(game: str) -> set[str]:
        rules = load_ruleset(game)
        sections = ("deal", "turn", "pile", "melds", "scoring")
        return {code.removeprefix("picture.") for section in sections for code in shown(rules, section)}

    assert {"natural", "mixed", "frozen", "stopped", "red_three"} <= codes("jaques")
    assert {"run", "samba"} <= codes("jaques-samba") - codes("jaques")
    assert "wild" in codes("bolivia")
    assert "foot" in codes("hand-and-foot")
    assert "talon" in codes("american")
    assert {"pots", "run", "clean", "dirty"} <= codes("burraco")
    assert not codes("burraco") & {"frozen", "stopped", "red_three"}


@pytest.mark.parametrize("lang", ["en", "de", "es", "fr", "it", "pt"])
def test_captions_are_said_in_each_language(lang: str) -> None:
    for game in GAMES:
        for section in rule_sheet(load_ruleset(game), lang).sections:
            assert all(caption and "{" not in caption for caption, _ in section.pictures)
