"""Rule sheets and comparisons: every field is in them, in the words of the game."""

from typing import Any

import pytest

from canasta.rules import load_ruleset, player_numbers, preset_names
from canasta.rules.clauses import CLAUSES, clause_of
from canasta.rules.field_types import CHOICE, NUMBER, NUMBERS, YES_NO
from canasta.rules.games import compare, differences
from canasta.rules.loader import ruleset_from, values_of
from canasta.rules.model import FIELDS, Ruleset
from canasta.rules.sheet.sections import rule_sheet

RULES = [path for path in FIELDS if path not in ("name", "title", "version")]

LONG_RUNS = values_of(load_ruleset("burraco"))
"""The rules of a game with long sequences; some fields have a text only in such a game."""
OF_LONG_RUNS = (
    *(
        "deck.natural_twos",
        "deal.pots",
        "pile.no_return",
        "melds.run_most",
        "melds.run_wilds",
        "melds.run_ace",
    ),
    *("melds.wild_moves", "melds.set_ranks", "going_out.last_discard", "stock_end.floor"),
    *("stock_end.pot_becomes_stock", "stock_end.most_turns", "scoring.grades", "scoring.semi_clean"),
    *("scoring.semi_clean_nine", "scoring.semi_clean_inside", "scoring.run_13", "scoring.run_14"),
    *("scoring.pot_not_taken", "scoring.pot_not_taken_if"),
)

# Fields that have a text only if other fields allow it.
NEEDS: dict[str, dict[str, Any]] = {
    "seats.sides": {"seats.players": 6},
    "seats.sit_out": {"seats.players": 6},
    "seats.may_advise": {"seats.players": 6, "seats.sit_out": True},
    "melds.wild_canasta_closed": {"melds.wild_melds": True},
    "caliente.hand_size": {"deck.caliente_cards": True},
    "caliente.played_penalty": {"deck.caliente_cards": True},
    "caliente.held_one": {"deck.caliente_cards": True},
    "caliente.held_more": {"deck.caliente_cards": True},
    "pile.add_to_run": {"melds.runs": True},
    "melds.same_suit_runs": {"melds.runs": True},
    "scoring.samba": {"melds.runs": True},
    "scoring.wild_canasta": {"melds.wild_melds": True},
    "scoring.red_threes_minus_canastas": {"scoring.red_threes_minus": "few_canastas"},
    "scoring.forgotten_red_three": {"turn.lay_bonus_by_hand": True},
    "scoring.put_back_penalty": {"pile.put_back": True},
    "seats.cut_order": {"seats.first_dealer": "cut"},
    "stock_end.taker_bonus": {"stock_end.after_last_card": "one_taker"},
    "match.rounds": {"match.target": 0, "match.rounds": 4},
    "match.victory_points": {"match.target": 0, "match.rounds": 4},
    **dict.fromkeys(OF_LONG_RUNS, LONG_RUNS),
    "turn.keep_three": {"deck.threes": "bonus"},
    "turn.talon_floor": {"turn.talon": (4, 3)},
    "pile.opening_pair": {"opening.from_hand": True},
    "scoring.threes_minus_below": {"scoring.three_scale": (100, 300), "deck.threes": "bonus"},
    "scoring.threes_plus_from": {"scoring.three_scale": (100, 300), "deck.threes": "bonus"},
}


def other_values(path: str, value: Any) -> list[Any]:
    field = FIELDS[path]
    if field.kind == YES_NO:
        return [not value]
    if field.kind == CHOICE:
        return [choice for choice, _ in field.choices if choice != value]
    if field.kind == NUMBERS:
        return [(0, *range(7, 6 + len(value)))]
    assert field.kind == NUMBER
    return [value + 1 if value < field.high else value - 1]


def with_changes(rules: Ruleset, changes: dict[str, Any]) -> Ruleset:
    return ruleset_from(values_of(rules) | changes)


@pytest.mark.parametrize("path", RULES)
def test_the_sheet_and_the_comparison_change_with_each_field(path: str) -> None:
    before = with_changes(load_ruleset("caliente"), NEEDS.get(path, {}))
    value = values_of(before)[path]
    for other in other_values(path, value):
        after = with_changes(before, {path: other})
        assert rule_sheet(before).text() != rule_sheet(after).text()
        rows = differences(before, after)
        assert [(row.path, row.label, row.clause) for row in rows] == [
            (path, FIELDS[path].label, clause_of(FIELDS[path], 4))
        ]
        assert rows[0].left == FIELDS[path].show(value)
        assert rows[0].right == FIELDS[path].show(other)
        assert rows[0].left != rows[0].right


@pytest.mark.parametrize("name", preset_names())
def test_every_line_names_a_clause(name: str) -> None:
    for players in player_numbers(name):
        sheet = rule_sheet(load_ruleset(name, players))
        for section in sheet.sections:
            assert section.lines
            for line in section.lines:
                assert line.clause in CLAUSES
                assert line.text[0].isupper()
                assert line.text.endswith(".")
                assert "  " not in line.text


ONE_DECK = {"deck.decks": 1, "caliente_cards": True, "scoring.red_three_extra_from": 2}


def text_of(name: str, players: int | None = None, options: dict[str, object] | None = None) -> str:
    return " ".join(rule_sheet(load_ruleset(name, players, options)).text().split())


def test_each_game_speaks_its_own_language() -> None:
    caliente, jaques = text_of("caliente"), text_of("jaques")
    for word in ("Bonus card", "Stop card", "Big Wild", "prize pile", "draw pile"):
        assert word in caliente
        assert word not in jaques
    for word in ("red three is turned up", "black three left in hand", "discard pile", "from the stock"):
        assert word in jaques
        assert word not in caliente


@pytest.mark.parametrize(
    ("name", "players", "options", "says"),
    [
        ("caliente", 4, {}, "Two decks of 52 cards with two jokers each are shuffled together: 108 cards."),
        ("caliente", 4, {"caliente_cards": True}, "Two Caliente cards, one for each deck"),
        (
            "two-player",
            2,
            ONE_DECK,
            "One Caliente card, one for each deck, is",
        ),
        ("caliente", 4, {}, "any legal meld with a score below 0; at least 50 from 0, 90 from 1500"),
        ("jaques", 4, {}, "50 from 0, 90 above 1500 and 120 above 3000."),
        ("two-player", 2, {}, "at least 15 with a score below 0"),
        ("hand-and-foot", 4, {}, "at least 50 in round one, 90 in round two, 120 in round three and 150 in"),
        ("hand-and-foot", 4, {}, "two natural canastas, two mixed canastas and one wild canasta"),
        (
            "hand-and-foot",
            4,
            {"canastas_to_go_out": 2},
            "Before you can go out, your side needs two canastas.",
        ),
        ("bolivia", 4, {}, "two canastas, including one samba"),
        ("caliente", 6, {"sides": 3}, "three sides of two"),
        ("caliente", 6, {"extra_deck": True}, "Five or more earn 600 on top."),
        ("jaques-samba", 4, {}, "All six earn 400 on top."),
        ("caliente", 3, {}, "Three players, each playing alone."),
        ("jaques", 4, {}, "one in three, two in four and three in five or more cards"),
    ],
)
def test_sentences_with_their_numbers(name: str, players: int, options: dict[str, object], says: str) -> None:
    assert says in text_of(name, players, options)


def test_what_is_not_in_the_game_is_not_on_the_sheet() -> None:
    assert "Caliente card" not in text_of("caliente")
    assert "foot" not in text_of("caliente")
    assert "partner" not in text_of("caliente", 3)
    assert "samba" not in text_of("jaques")


def test_plain_text_is_wrapped_and_markdown_has_headings() -> None:
    sheet = rule_sheet(load_ruleset("bolivia"))
    assert max(len(line) for line in sheet.text(80).splitlines()) <= 80
    assert sheet.text().startswith("Bolivia (Jaques), four players\n\nThe cards\n  DECK-1   Three decks")
    markdown = sheet.markdown()
    assert markdown.startswith("# Bolivia (Jaques)\n\nFor four players.\n\n## The cards\n\n- Three decks")
    assert "(DECK-1)" in markdown


def test_bolivia_against_samba() -> None:
    rows = differences(load_ruleset("jaques-samba"), load_ruleset("bolivia"))
    assert [(row.path, row.left, row.right) for row in rows] == [
        ("melds.wild_melds", "no", "yes"),
        ("going_out.sequence", "none needed", "1"),
        ("scoring.wild_canasta", "none", "2500"),
        ("scoring.going_out", "100", "200"),
        ("scoring.black_three_in_hand", "5", "100"),
    ]


def test_comparisons_in_print() -> None:
    shown = compare(load_ruleset("jaques-samba"), load_ruleset("bolivia"))
    lines = shown.text().splitlines()
    assert lines[0].split("  ")[0] == "clause"
    assert "Samba (Jaques)" in lines[0]
    assert "Bolivia (Jaques)" in lines[0]
    assert lines[2].split() == ["MELD-7", "melds", "of", "wild", "cards", "alone", "no", "yes"]
    assert len(lines) == 7
    assert shown.markdown().count("\n") == 7
    assert "| SCOR-6 | going out | 100 | 200 |" in shown.markdown()


def test_a_ruleset_against_itself_and_for_other_players() -> None:
    rules = load_ruleset("jaques")
    assert compare(rules, rules).text() == (
        "Classic Canasta (Jaques), 4 players and Classic Canasta (Jaques), 4 players "
        "are played the same way.\n"
    )
    three = compare(rules, load_ruleset("jaques", 3))
    assert three.right == "Classic Canasta (Jaques), 3 players"
    assert [row.path for row in three.rows] == ["seats.players", "seats.sides", "deal.hand_size"]


def test_a_difference_names_the_clause_for_so_many_players() -> None:
    for players, clause in ((2, "DEAL-1"), (3, "DEAL-2"), (4, "DEAL-3"), (6, "DEAL-3")):
        usual, house = load_ruleset("caliente", players), load_ruleset("caliente", players, {"hand_size": 9})
        assert [row.clause for row in differences(usual, house)] == [clause]
        assert clause in rule_sheet(usual).text()


def sheet_text(name: str, **options: object) -> str:
    return rule_sheet(load_ruleset(name, options=options)).text()


def test_the_sheets_of_long_sequences_say_what_is_played() -> None:
    burraco, stbl = sheet_text("burraco"), sheet_text("buraco-stbl")
    assert "but not two aces in one sequence" in " ".join(burraco.split())
    assert "or one at each end" in " ".join(stbl.split())
    assert "A set of exactly seven natural cards and a wild card is semi-clean too" in " ".join(
        burraco.split()
    )
    assert " too, with one wild card" not in " ".join(stbl.split())
    assert "A canasta with a wild card is dirty" in stbl
    assert "Every other canasta with a wild card is dirty" in burraco
    assert "your side needs one clean canasta." in stbl
    nine = sheet_text("burraco", **{"scoring.semi_clean_nine": True, "scoring.semi_clean_inside": True})
    assert "A set of seven or more natural cards and a wild card" in " ".join(nine.split())
    assert "seven natural cards in a row on one side of it" in " ".join(nine.split())
