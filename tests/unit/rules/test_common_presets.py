"""Games without a booklet: their differences from related games, written a second time."""

from typing import Any

import pytest

from canasta.rules import default_players, load_ruleset, player_numbers
from canasta.rules.loader import values_of
from canasta.rules.preset_files import preset

ABOUT = {"name", "title", "version"}

ORIGINAL_BESIDE_CALIENTE: dict[str, Any] = {
    "deck.caliente_names": False,
    "seats.first_dealer": "cut",
    "seats.cut_order": "ace_high_suits",
    "deal.cover_black_three": True,
    "pile.one_card_hand": "not_single_while_stock",
    "melds.wilds_to_naturals": "free",
    "opening.below_zero": 15,
    "opening.concealed_suffices": True,
    "scoring.forgotten_red_three": 500,
}
ORIGINAL_BESIDE_JAQUES: dict[str, Any] = {
    "seats.may_advise": False,
    "seats.cut_order": "ace_high_suits",
    "deal.reshuffle_second": False,
    "pile.add_to_canasta": True,
    "pile.one_card_hand": "not_single_while_stock",
    "pile.bars_first_player": False,
    "pile.look_through": True,
    "melds.wilds_by_size": (),
    "opening.below_zero": 15,
    "opening.above_score": False,
    "opening.canasta_suffices": False,
    "opening.concealed_suffices": True,
    "stock_end.after_last_card": "play_on",
    "stock_end.forced": True,
    "stock_end.last_red_three": "ends",
    "scoring.red_threes_minus": "no_first_meld",
}

SAMBA_BESIDE_CALIENTE_SAMBA: dict[str, Any] = ORIGINAL_BESIDE_CALIENTE | {"melds.same_suit_runs": True}
SAMBA_BESIDE_CALIENTE_SAMBA.pop("melds.wilds_to_naturals")
SAMBA_BESIDE_CALIENTE_SAMBA.pop("opening.below_zero")
BOLIVIA_BESIDE_BOLIVIA: dict[str, Any] = ORIGINAL_BESIDE_JAQUES | {
    "pile.add_to_run": True,
    "scoring.concealed": 0,
    "scoring.red_threes_minus": "few_canastas",
    "match.target": 15000,
}
for same in ("pile.add_to_canasta", "melds.wilds_by_size", "opening.above_score"):
    BOLIVIA_BESIDE_BOLIVIA.pop(same)
BOLIVIA_BESIDE_SAMBA: dict[str, Any] = {
    "melds.wild_melds": True,
    "going_out.sequence": 1,
    "scoring.wild_canasta": 2500,
    "scoring.black_three_in_hand": 100,
    "match.target": 15000,
}
URUGUAY_BESIDE_ORIGINAL: dict[str, Any] = {
    "pile.always_frozen": True,
    "pile.add_to_meld": False,
    "pile.add_to_canasta": False,
    "pile.natural_and_wild": False,
    "melds.wild_melds": True,
    "scoring.wild_canasta": 2000,
}

BESIDE: list[tuple[str, str, dict[str, Any]]] = [
    ("original", "caliente", ORIGINAL_BESIDE_CALIENTE),
    ("original", "jaques", ORIGINAL_BESIDE_JAQUES),
    ("samba-common", "caliente-samba", SAMBA_BESIDE_CALIENTE_SAMBA),
    ("bolivia-common", "bolivia", BOLIVIA_BESIDE_BOLIVIA),
    ("bolivia-common", "samba-common", BOLIVIA_BESIDE_SAMBA),
    ("uruguay", "original", URUGUAY_BESIDE_ORIGINAL),
]


def changed(name: str, other: str, players: int = 4, **options: object) -> dict[str, Any]:
    left, right = values_of(load_ruleset(name, players, options)), values_of(load_ruleset(other, players))
    return {path: value for path, value in left.items() if right[path] != value and path not in ABOUT}


@pytest.mark.parametrize(("name", "other", "expected"), BESIDE)
def test_what_sets_a_game_apart(name: str, other: str, expected: dict[str, Any]) -> None:
    assert changed(name, other) == expected


def test_the_original_game_is_for_two_to_six() -> None:
    assert player_numbers("original") == (2, 3, 4, 5, 6)
    assert default_players("original") == 4
    for players, (hand, draw, canastas) in {
        2: (15, 2, 2),
        3: (13, 1, 1),
        4: (11, 1, 1),
        5: (11, 1, 1),
        6: (11, 1, 1),
    }.items():
        rules = load_ruleset("original", players)
        assert (rules.deal.hand_size, rules.turn.draw, rules.going_out.canastas) == (hand, draw, canastas)


def test_six_with_three_decks() -> None:
    assert changed("original", "original", 6, extra_deck=True) == {
        "deck.decks": 3,
        "seats.sit_out": False,
        "deal.hand_size": 13,
        "opening.scores": (0, 1500, 3000, 7000),
        "opening.minimums": (50, 90, 120, 150),
        "going_out.canastas": 2,
        "scoring.three_scale": (100, 200, 300, 400, 1000, 1000),
        "match.target": 10000,
    }


def test_a_house_rule_brings_its_bonus_along() -> None:
    assert load_ruleset("original", options={"melds.runs": True}).scoring.samba == 1500
    assert load_ruleset("original", options={"wild_melds": True}).scoring.wild_canasta == 2000


@pytest.mark.parametrize(
    ("name", "family"),
    [("original", "Canasta"), ("samba-common", "Samba"), ("bolivia-common", "Samba"), ("uruguay", "Canasta")],
)
def test_the_family_of_a_game(name: str, family: str) -> None:
    assert preset(name).family == family


@pytest.mark.parametrize("name", ["samba-common", "bolivia-common", "uruguay"])
def test_the_books_know_them_for_four(name: str) -> None:
    assert player_numbers(name) == (4,)
    assert default_players(name) == 4
