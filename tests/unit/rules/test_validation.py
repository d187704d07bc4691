"""For each kind of defect, a choice of rules that triggers it."""

from typing import Any

import pytest
from unit.rules.by_hand import defects_of

from canasta.i18n.safe_text import shown
from canasta.rules import Defect, RulesetError, load_ruleset, player_numbers, preset_names, resolve_ruleset
from canasta.rules.loader import ruleset_from, values_of
from canasta.rules.model import FIELDS
from canasta.rules.preset_files import read_preset

HUGE = pytest.param(10**5000, id="huge")  # too many decimal digits for Python to print


def defects(name: object = "caliente", players: object = None, options: object = None) -> list[Defect]:
    with pytest.raises(RulesetError) as caught:
        resolve_ruleset(name, players, options)
    assert str(caught.value) == "\n".join(str(defect) for defect in caught.value.defects)
    return caught.value.defects


def only_defect(name: object = "caliente", players: object = None, options: object = None) -> Defect:
    found = defects(name, players, options)
    assert len(found) == 1, found
    return found[0]


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("calliente", "did you mean caliente?"),
        ("Bolivia", "did you mean bolivia?"),
        ("poker", "one of caliente, "),
        (None, "one of caliente, "),
        (["caliente"], "one of caliente, "),
        (7, "one of caliente, "),
    ],
)
def test_no_such_preset(name: object, remedy: str) -> None:
    defect = only_defect(name)
    assert defect.path == "rules"
    assert defect.remedy.startswith(remedy)


def test_no_such_preset_for_the_small_questions() -> None:
    with pytest.raises(RulesetError, match="did you mean jaques"):
        player_numbers("jaqes")


@pytest.mark.parametrize("players", [1, 7, 0, -4, True, 4.0, "4", [4], {"n": 4}, float("nan"), HUGE])
def test_bad_number_of_players(players: object) -> None:
    defect = only_defect("caliente", players)
    assert (defect.path, defect.problem) == ("players", "must be a whole number from 2 to 6")


def test_two_player_is_for_two() -> None:
    assert only_defect("two-player", 4).problem == "must be 2"


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("put_back", 1),
        ("put_back", None),
        ("put_back", "yes"),
        ("hand_size", True),
        ("hand_size", 13.0),
        ("hand_size", float("nan")),
        ("hand_size", 0),
        ("hand_size", 31),
        ("opening.scores", list(range(13))),
        ("opening.minimums", [10_000]),
        ("hand_size", -1),
        pytest.param("hand_size", 10**6000, id="hand_size-huge"),
        ("hand_size", [13]),
        ("target", "5000"),
        ("sides", 4),
        ("extra_deck", "yes"),
        ("equal_wilds", "equal"),
        ("melds.wilds_to_naturals", True),
        ("pile.one_card_hand", "anything"),
        ("pile.one_card_hand", []),
        ("opening.scores", 50),
        ("opening.scores", "0"),
        ("opening.scores", [0, True]),
        ("opening.scores", [0, None]),
        ("opening.scores", [[0]]),
        ("opening.scores", {0: 1}),
        ("opening.scores", [0, -5]),
        ("deck.decks", {"a": {"b": 1}}),
    ],
)
def test_wrong_types_and_ranges(option: str, value: object) -> None:
    defect = only_defect("caliente", 6, {option: value})
    assert defect.path == option
    assert defect.value is value
    assert defect.problem.startswith("must be ")


def test_text_for_a_number_has_a_remedy() -> None:
    assert only_defect(options={"hand_size": "13"}).remedy == "write it without quotation marks"
    assert only_defect(options={"melds.sets_per_rank": "one-open"}).remedy == "did you mean one_open?"


@pytest.mark.parametrize(
    ("option", "remedy"),
    [
        ("handsize", "did you mean hand_size?"),
        ("pile.put_bak", "did you mean pile.put_back?"),
        ("put_back_penalty", "did you mean scoring.put_back_penalty?"),
        ("Target", "did you mean target?"),
        ("xyzzy", "see the fields of the rule sheet"),
        ("", "see the fields of the rule sheet"),
    ],
)
def test_unknown_options(option: str, remedy: str) -> None:
    defect = only_defect(options={option: 1})
    assert (defect.path, defect.problem) == (option, "this option doesn’t exist")
    assert defect.remedy == remedy


@pytest.mark.parametrize("option", ["name", "title", "version", "seats.players"])
def test_fields_that_no_option_changes(option: str) -> None:
    assert only_defect(options={option: 4}).problem == "can’t be changed by an option"


@pytest.mark.parametrize("options", [[1], "hand_size", 5, True])
def test_options_that_are_no_options(options: object) -> None:
    assert only_defect(options=options).path == "options"


@pytest.mark.parametrize("name", [None, 3, ("a",)])
def test_names_that_are_no_names(name: object) -> None:
    assert only_defect(options={name: 1}).problem == "isn’t the name of an option"


@pytest.mark.parametrize(
    ("name", "players", "options", "path", "says"),
    [
        # seats
        ("caliente", 4, {"extra_deck": True}, "extra_deck", "is for six players, not 4"),
        ("two-player", 2, {"extra_deck": True}, "extra_deck", "is for six players, not 2"),
        ("caliente", 4, {"sides": 2}, "sides", "is for six players, not 4"),
        ("caliente", 4, {"sides": 3}, "sides", "is for six players, not 4"),
        ("caliente", 3, {"seats.sides": 2}, "seats.sides", "is for six players, not 3"),
        ("caliente", 4, {"sit_out": True}, "sit_out", "at a table of 4 nobody sits out"),
        ("caliente", 5, {"sit_out": False}, "sit_out", "at a table of 5 one player sits out"),
        ("caliente", 6, {"sides": 3, "sit_out": True}, "sit_out", "three sides of two need all six"),
        ("caliente", 6, {"extra_deck": True, "sit_out": True}, "sit_out", "all six play"),
        ("caliente", 4, {"seats.first_dealer": "alternate"}, "seats.first_dealer", "only two players"),
        # enough cards
        ("caliente", 4, {"hand_size": 30}, "hand_size", "need 145 cards, but 2 decks have 108"),
        ("caliente", 6, {"sides": 2, "hand_size": 15}, "hand_size", "decks have 108"),
        ("hand-and-foot", 6, {"sit_out": False, "deck.decks": 3}, "deck.decks", "3 decks have 162"),
        (
            "jaques",
            4,
            {"deck.decks": 1, "scoring.red_three_extra_from": 2},
            "deck.decks",
            "1 deck has 54",
        ),
        ("two-player", 2, {"deck.decks": 1}, "deck.decks", "only 2 red threes"),
        ("caliente", 4, {"deal.foot_size": 30}, "deal.foot_size", "41 cards each"),
        ("caliente", 4, {"hand_size": 22, "turn.draw": 5}, "hand_size", "need"),
        # melds
        ("caliente", 4, {"melds.largest_set": 5}, "melds.largest_set", "can never become a canasta of 7"),
        (
            "caliente",
            4,
            {"melds.sets_per_rank": "one_open"},
            "melds.sets_per_rank",
            "must close as a canasta",
        ),
        ("jaques", 4, {"melds.wilds_by_size": [3, 2]}, "melds.wilds_by_size", "must not decrease"),
        ("jaques", 4, {"melds.wilds_by_size": [1, 3]}, "melds.wilds_by_size", "increase only by one"),
        ("caliente", 4, {"same_suit_runs": True}, "same_suit_runs", "has no effect with melds.runs=no"),
        ("caliente", 4, {"pile.add_to_run": True}, "pile.add_to_run", "has no effect with melds.runs=no"),
        ("caliente", 4, {"going_out.sequence": 1}, "going_out.sequence", "there are no sequences"),
        ("bolivia", 4, {"melds.runs": False}, "melds.runs", "going out requires a sequence"),
        ("caliente", 4, {"going_out.wild": 1}, "going_out.wild", "no melds of wild cards"),
        ("hand-and-foot", 4, {"wild_melds": False}, "wild_melds", "going out requires a wild canasta"),
        ("hand-and-foot", 4, {"melds.wilds_by_size": [0]}, "melds.wilds_by_size", "mixed canasta"),
        (
            "two-player",
            2,
            {"deck.decks": 1, "scoring.red_three_extra_from": 0, "going_out.natural": 1},
            "going_out.natural",
            "too few cards of a rank",
        ),
        ("caliente", 4, {"canastas_to_go_out": 15}, "canastas_to_go_out", "too few cards for the canastas"),
        ("bolivia", 4, {"going_out.wild": 3}, "going_out.wild", "too few cards for the canastas"),
        # first meld
        ("caliente", 4, {"opening.scores": [0, 1500]}, "opening.scores", "2 scores and 3 minimums"),
        ("caliente", 4, {"opening.minimums": [50]}, "opening.minimums", "3 scores and 1 minimum"),
        ("caliente", 4, {"opening.scores": [0, 3000, 1500]}, "opening.scores", "the scores must increase"),
        ("caliente", 4, {"opening.scores": [0, 0, 1500]}, "opening.scores", "the scores must increase"),
        ("caliente", 4, {"opening.scores": [5, 10, 15]}, "opening.scores", "must start at 0"),
        ("caliente", 4, {"opening.minimums": [90, 50, 120]}, "opening.minimums", "must not decrease"),
        ("hand-and-foot", 4, {"opening.minimums": []}, "opening.minimums", "at least one minimum"),
        ("hand-and-foot", 4, {"opening.scores": [0]}, "opening.scores", "the minimum depends on the round"),
        ("caliente", 4, {"opening.by_round": True}, "opening.by_round", "the minimum depends on the round"),
        ("hand-and-foot", 4, {"opening.by_round": False}, "opening.by_round", "0 scores and 4 minimums"),
        (
            "caliente",
            4,
            {"opening.below_zero": 700},
            "opening.below_zero",
            "can’t make a first meld of 700 points",
        ),
        (
            "caliente",
            4,
            {"hand_size": 1},
            "hand_size",
            "can’t make a first meld of 120 points",
        ),
        # the end of the stock, scoring, the game
        ("two-player", 2, {"turn.keep_last_card": False}, "turn.keep_last_card", "can’t be discarded"),
        (
            "caliente",
            4,
            {"stock_end.last_red_three": "goes_on"},
            "stock_end.last_red_three",
            "can’t be discarded",
        ),
        ("two-player", 2, {"stock_end.forced": False}, "stock_end.forced", "taking it must be forced"),
        (
            "caliente",
            4,
            {"scoring.red_threes_minus": "few_canastas"},
            "scoring.red_threes_minus",
            "decides, but it is 0",
        ),
        (
            "caliente",
            4,
            {"scoring.red_three_extra_from": 5},
            "scoring.red_three_extra_from",
            "only 4 red threes",
        ),
        ("caliente", 4, {"target": 0}, "target", "would never end"),
        ("hand-and-foot", 4, {"match.rounds": 0}, "match.rounds", "would never end"),
        (
            "caliente",
            4,
            {
                **{f"deck.{card}_value": 0 for card in ("joker", "two", "ace", "high", "low", "black_three")},
                **{
                    f"scoring.{bonus}": 0
                    for bonus in ("natural_canasta", "mixed_canasta", "going_out", "concealed", "red_three")
                },
                "scoring.red_three_extra": 0,
                "opening.minimums": (0,),
                "opening.scores": (0,),
                "opening.below_zero": 0,
                "target": 100_000,
            },
            "target",
            "at most 0 points a hand",
        ),
        ("caliente", 4, {"match.rounds": 3}, "match.rounds", "not both"),
        ("hand-and-foot", 4, {"match.target": 3000}, "match.target", "not both"),
    ],
)
def test_fields_that_do_not_fit(
    name: str, players: int, options: dict[str, Any], path: str, says: str
) -> None:
    defect = only_defect(name, players, options)
    assert defect.path == path
    assert says in defect.problem
    assert defect.remedy


def test_an_idle_value_of_the_preset_itself_is_no_defect() -> None:
    rules = load_ruleset("jaques-samba", options={"melds.runs": False})
    assert rules.melds.same_suit_runs
    assert not rules.melds.runs


def test_all_defects_at_once() -> None:
    found = defects(
        "caliente",
        9,
        {"put_bak": True, "hand_size": "13", "target": None, "scoring.samba": 10**5000, 5: 6},
    )
    assert [defect.path for defect in found] == [
        "players",
        "put_bak",
        "hand_size",
        "target",
        "scoring.samba",
        "options",
    ]


def test_all_misfits_at_once() -> None:
    found = defects(
        "caliente",
        4,
        {"sides": 3, "going_out.wild": 1, "going_out.sequence": 1, "target": 0, "hand_size": 30},
    )
    assert {defect.path for defect in found} == {
        "sides",
        "going_out.wild",
        "going_out.sequence",
        "target",
        "hand_size",
    }


def test_options_are_checked_even_without_a_preset() -> None:
    assert [defect.path for defect in defects("nothing", 4, {"hand_size": None})] == ["rules", "hand_size"]
    assert [defect.path for defect in defects("nothing", 9)] == ["rules", "players"]


def test_a_bad_value_is_not_judged_together_with_others() -> None:
    # going_out.sequence does not fit without sequences, but the intended value of melds.runs is unknown
    assert only_defect("caliente", 4, {"melds.runs": "maybe", "going_out.sequence": 1}).path == "melds.runs"


def test_messages_are_one_line_each() -> None:
    found = defects("caliente", 4, {"a\nb": "c\nd", "hand_size": "x" * 1000})
    for defect in found:
        assert "\n" not in shown(defect.value)
        assert len(shown(defect.value)) < 60
    assert str(Defect("sides", 3, "FOR_SIX", {"players": 4}, "LEAVE_OUT")) == (
        "sides = 3: is for six players, not 4; leave it out"
    )


@pytest.mark.parametrize("name", preset_names())
def test_presets_have_no_defects(name: str) -> None:
    for players in player_numbers(name):
        assert defects_of(load_ruleset(name, players)) == []


def test_defects_of_a_ruleset_made_by_hand() -> None:
    values = values_of(load_ruleset("caliente", 4))
    assert [d.path for d in defects_of(ruleset_from(values | {"turn.draw": 0}))] == ["turn.draw"]
    assert [d.path for d in defects_of(ruleset_from(values | {"seats.sides": 3}))] == ["seats.sides"]
    assert [d.path for d in defects_of(ruleset_from(values | {"seats.sit_out": True}))] == ["seats.sit_out"]
    five = values_of(load_ruleset("caliente", 5))
    assert [d.path for d in defects_of(ruleset_from(five | {"seats.sit_out": False}))] == ["seats.sit_out"]
    assert [d.path for d in defects_of(ruleset_from(values | {"match.target": 0}))] == ["match.target"]


def test_a_misspelt_preset_file_is_refused() -> None:
    with pytest.raises(RulesetError) as caught:
        read_preset("house", MISSPELT.encode(), "house.toml")
    assert [(defect.line, defect.path) for defect in caught.value.defects] == [
        (0, "title"),
        (3, "deal.hand_siz"),
        (4, "deal.foot_size"),
        (5, "pil"),
        (8, "players.2.turn.draws"),
        (10, "seats.players"),
    ]


MISSPELT = """base = "caliente"
[deal]
hand_siz = 3
foot_size = "x"
[pil]
put_back = true
[players.2]
turn.draws = 2
[seats]
players = 3
"""


def test_a_preset_without_a_base_states_what_is_not_usual() -> None:
    """It is a game of its own, with the model's value for everything that it does not state."""
    house = read_preset("house", b'title = "House"\n[match]\ntarget = 3000\n', "house.toml")
    assert house.values == {"match.target": 3000}
    assert (house.player_numbers, house.default_players) == ((2, 3, 4, 5, 6), 4)
    values = house.values_for(4, 1)
    assert defects_of(ruleset_from(values)) == []
    assert {path for path, value in values.items() if value != FIELDS[path].default} == {
        "name",
        "title",
        "match.target",
    }


def test_of_many_wrong_names_only_the_first_are_guessed() -> None:
    """Searching for the nearest word takes time, and hundreds of wrong names aren't a typing mistake."""
    with pytest.raises(RulesetError) as caught:
        resolve_ruleset("caliente", 4, {f"hand_sise{number}": 1 for number in range(150)})
    guessed = [defect for defect in caught.value.defects if defect.remedy.startswith("did you mean")]
    assert len(caught.value.defects) == 150
    assert guessed == caught.value.defects[:10]
