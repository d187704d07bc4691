"""The options of a table: names, dotted paths, further fields they set, and text from a command line."""

from typing import Any

import pytest

from canasta.rules import RulesetError, load_ruleset, player_numbers, preset_names, resolve_ruleset
from canasta.rules.loader import options_of, parse_option, ruleset_from, table_options, values_of


def changed(name: str, players: int | None, options: dict[str, Any]) -> dict[str, Any]:
    """Return the fields that the options change, with their new values."""
    usual = values_of(load_ruleset(name, players))
    return {
        path: value
        for path, value in values_of(load_ruleset(name, players, options)).items()
        if usual[path] != value
    }


@pytest.mark.parametrize(
    ("name", "option", "value", "path"),
    [
        ("caliente", "caliente_cards", True, "deck.caliente_cards"),
        ("caliente", "always_frozen", True, "pile.always_frozen"),
        ("hand-and-foot", "always_frozen", False, "pile.always_frozen"),
        ("caliente-samba", "same_suit_runs", True, "melds.same_suit_runs"),
        ("jaques-samba", "same_suit_runs", False, "melds.same_suit_runs"),
        ("jaques", "lay_bonus_by_hand", True, "turn.lay_bonus_by_hand"),
        ("two-player", "top_card_counts", False, "opening.top_card_counts"),
        ("two-player", "canasta_bonus_counts", True, "opening.canasta_bonus_counts"),
        ("two-player", "canasta_for_positive_score", True, "scoring.canasta_for_positive_score"),
        ("two-player", "wild_melds", True, "melds.wild_melds"),
        ("two-player", "put_back", True, "pile.put_back"),
        ("two-player", "canastas_to_go_out", 1, "going_out.canastas"),
        ("caliente", "hand_size", 13, "deal.hand_size"),
        ("jaques", "target", 3000, "match.target"),
    ],
)
def test_a_named_option_sets_its_field(name: str, option: str, value: object, path: str) -> None:
    assert changed(name, None, {option: value}) == {path: value}
    assert changed(name, None, {path: value}) == {path: value}


def test_equal_wilds() -> None:
    assert changed("caliente", None, {"equal_wilds": True}) == {"melds.wilds_to_naturals": "equal"}
    assert changed("hand-and-foot", None, {"equal_wilds": True}) == {"melds.wilds_to_naturals": "equal"}
    assert changed("two-player", None, {"equal_wilds": False}) == {"melds.wilds_to_naturals": "fewer"}
    assert changed("two-player", None, {"equal_wilds": True}) == {}


@pytest.mark.parametrize("name", ["caliente-samba", "jaques", "jaques-samba", "bolivia"])
def test_equal_wilds_where_nothing_is_compared(name: str) -> None:
    with pytest.raises(RulesetError, match=r"melds\.wilds_to_naturals=free"):
        load_ruleset(name, 4, {"equal_wilds": True})


def test_canastas_to_go_out_replaces_the_list_of_hand_and_foot() -> None:
    assert changed("hand-and-foot", None, {"canastas_to_go_out": 3}) == {
        "going_out.canastas": 3,
        "going_out.natural": 0,
        "going_out.mixed": 0,
        "going_out.wild": 0,
    }
    assert changed("hand-and-foot", None, {"canastas_to_go_out": 3, "going_out.wild": 1}) == {
        "going_out.canastas": 3,
        "going_out.natural": 0,
        "going_out.mixed": 0,
    }
    # the bare field changes nothing else
    assert changed("hand-and-foot", None, {"going_out.canastas": 6}) == {"going_out.canastas": 6}


def test_bolivia_keeps_its_sequence() -> None:
    assert changed("bolivia", None, {"canastas_to_go_out": 3}) == {"going_out.canastas": 3}
    assert load_ruleset("bolivia", options={"canastas_to_go_out": 1}).going_out.sequence == 1


@pytest.mark.parametrize(
    ("name", "bonus"),
    [
        ("caliente", 1500),
        ("caliente-samba", 1500),
        ("jaques", 2500),
        ("jaques-samba", 2500),
        ("two-player", 1000),
    ],
)
def test_wild_melds_bring_their_bonus(name: str, bonus: int) -> None:
    assert load_ruleset(name, options={"wild_melds": True}).scoring.wild_canasta == bonus
    own = {"wild_melds": True, "scoring.wild_canasta": 700}
    assert load_ruleset(name, options=own).scoring.wild_canasta == 700


@pytest.mark.parametrize("name", ["caliente", "hand-and-foot", "jaques", "two-player"])
def test_sequences_bring_their_bonus(name: str) -> None:
    assert load_ruleset(name, options={"melds.runs": True}).scoring.samba == 1500


def test_target_replaces_the_rounds_of_hand_and_foot() -> None:
    assert changed("hand-and-foot", None, {"target": 8000}) == {"match.target": 8000, "match.rounds": 0}
    assert changed("caliente", None, {"target": 0, "match.rounds": 3}) == {
        "match.target": 0,
        "match.rounds": 3,
    }


@pytest.mark.parametrize(
    ("options", "sides", "sit_out"),
    [
        ({}, 2, True),
        ({"sit_out": True}, 2, True),
        ({"sit_out": False}, 2, False),
        ({"sides": 2}, 2, False),
        ({"sides": 3}, 3, False),
        ({"sides": 2, "sit_out": True}, 2, True),
        ({"sides": 3, "sit_out": False}, 3, False),
        ({"extra_deck": True}, 2, False),
        ({"extra_deck": True, "sides": 3}, 3, False),
        ({"extra_deck": False}, 2, True),
        ({"seats.sides": 3}, 3, False),
    ],
)
@pytest.mark.parametrize("name", [name for name in preset_names() if 6 in player_numbers(name)])
def test_six_players(name: str, options: dict[str, object], sides: int, sit_out: bool) -> None:
    seats = load_ruleset(name, 6, options).seats
    assert (seats.sides, seats.sit_out) == (sides, sit_out)


def test_a_choice_beats_the_extra_deck() -> None:
    rules = load_ruleset("caliente", 6, {"extra_deck": True, "target": 5000, "deck.decks": 4})
    assert (rules.match.target, rules.deck.decks, rules.deal.hand_size) == (5000, 4, 13)


def test_harmless_options_pass() -> None:
    assert changed("caliente", 4, {"extra_deck": False, "sit_out": False, "same_suit_runs": False}) == {}
    assert changed("caliente", 5, {"sit_out": True}) == {}


def test_lists_are_as_good_as_tuples() -> None:
    options = {"opening.scores": [0, 2000], "opening.minimums": [60, 100]}
    opening = load_ruleset("caliente", options=options).opening
    assert (opening.scores, opening.minimums) == ((0, 2000), (60, 100))


def test_the_same_field_twice() -> None:
    same = {"hand_size": 12, "deal.hand_size": 12}
    assert load_ruleset("caliente", options=same).deal.hand_size == 12
    with pytest.raises(RulesetError, match="contradicts hand_size"):
        load_ruleset("caliente", options={"hand_size": 12, "deal.hand_size": 13})


@pytest.mark.parametrize(
    ("name", "players", "options"),
    [
        ("caliente", 4, {}),
        ("caliente", 6, {"extra_deck": True, "sides": 3}),
        ("caliente", 6, {"extra_deck": True, "target": 5000}),
        ("hand-and-foot", 4, {"canastas_to_go_out": 3, "target": 9000}),
        ("jaques", 2, {"hand_size": 13}),
        ("jaques", 2, {"hand_size": 13, "canastas_to_go_out": 2}),
        ("caliente", 4, {"wild_melds": True, "scoring.wild_canasta": 0}),
        ("two-player", 2, {"equal_wilds": False}),
    ],
)
def test_rules_tell_the_options_that_lead_to_them(
    name: str, players: int, options: dict[str, object]
) -> None:
    rules = load_ruleset(name, players, options)
    assert load_ruleset(name, players, options_of(rules)) == rules
    assert bool(options_of(rules)) == bool(options)


def test_no_options_lead_to_rules_that_claim_another_version() -> None:
    values = values_of(load_ruleset("caliente"))
    with pytest.raises(RulesetError, match="no option leads here"):
        options_of(ruleset_from(values | {"version": 99}))


def test_untyped_input_resolves_to_the_same() -> None:
    assert resolve_ruleset("bolivia", 3, {"target": 7000}) == load_ruleset("bolivia", 3, {"target": 7000})


def test_a_form_offers_what_has_a_meaning() -> None:
    four = [option.name for option in table_options("caliente", 4)]
    assert "equal_wilds" in four
    assert not {"sides", "sit_out", "extra_deck", "same_suit_runs"} & set(four)
    six = [option.name for option in table_options("caliente-samba", 6)]
    assert {"sides", "sit_out", "extra_deck", "same_suit_runs"} <= set(six)
    assert "equal_wilds" not in six


def test_what_the_kind_of_game_excludes_is_not_offered() -> None:
    burraco = [option.name for option in table_options("burraco")]
    assert burraco == [
        *("hand_size", "wild_moves", "canastas_to_go_out", "canasta_for_positive_score"),
        *("target", "victory_points"),
    ]
    american = {option.name for option in table_options("american")}
    assert not {"put_back", "caliente_cards", "lay_bonus_by_hand", "top_card_counts"} & american
    assert {"always_frozen", "wild_melds", "target"} <= american
    for name in ("caliente", "jaques-samba", "hand-and-foot"):
        assert "put_back" in [option.name for option in table_options(name)]
        assert "wild_moves" not in [option.name for option in table_options(name)]


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("hand_size=13", "hand_size", 13),
        (" hand_size = 13 ", "hand_size", 13),
        ("put_back=yes", "put_back", True),
        ("put_back=On", "put_back", True),
        ("put_back=TRUE", "put_back", True),
        ("put_back=1", "put_back", True),
        ("put_back=no", "put_back", False),
        ("put_back=0", "put_back", False),
        ("equal_wilds=false", "equal_wilds", False),
        ("extra_deck=yes", "extra_deck", True),
        ("pile.one_card_hand=free", "pile.one_card_hand", "free"),
        ("opening.scores=0,1500,3000", "opening.scores", (0, 1500, 3000)),
        ("opening.scores=[0, 1500]", "opening.scores", (0, 1500)),
        ("opening.scores=", "opening.scores", ()),
    ],
)
def test_options_from_a_command_line(text: str, name: str, value: object) -> None:
    assert parse_option(text) == (name, value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("hand_size", "must read name=value"),
        ("=13", "must read name=value"),
        ("hand_sise=13", "did you mean hand_size?"),
        ("hand_size=many", "must be a whole number"),
        ("hand_size=1.5", "must be a whole number"),
        ("hand_size=" + "9" * 5000, "must be a whole number"),
        ("put_back=perhaps", "must be true or false"),
        ("pile.one_card_hand=fre", "did you mean free?"),
        ("opening.scores=0,x", "must be a list of at most 12 whole numbers"),
        ("seats.players=4", "can’t be changed by an option"),
        ("title=Mine", "can’t be changed by an option"),
    ],
)
def test_bad_text_from_a_command_line(text: str, says: str) -> None:
    with pytest.raises(RulesetError) as caught:
        parse_option(text)
    assert says in str(caught.value)
    assert len(caught.value.defects) == 1
