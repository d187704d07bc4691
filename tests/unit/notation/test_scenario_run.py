"""Running scenarios: which pass, which fail, and the report of a failure."""

from pathlib import Path

import pytest

from canasta.scenarios.run import coverage, run_file
from canasta.scenarios.schema import load_file, load_text

START = "rules: caliente, given: {hands: {0: K K 9 9 5}, melds: {0: [Q Q Q]}, pile: 7 K, stock: 4h 6s}"


def problems(text: str) -> str:
    """Return what is wrong with the only scenario of a text; empty if it passes."""
    (result,) = run_file(load_text(text))
    return "; ".join(map(str, result.problems))


@pytest.mark.parametrize(
    "then",
    [
        "turn: 0, phase: draw, frozen: false",
        "hand: {0: 5 9 9 K K}, melds: {0: [Q Q Q], 1: []}, pile: 7 K",
        "hand: {'0': [5, 9, 9, K, K]}, melds: {0: Q Q Q}, pile: [7, K], bonus: {0: 0}",
        "hand: {0: Kh K 9 9 5}",
        "pile_size: 2, hand_size: {0: 5, 1: 11}, stock_size: 65",
        "over: none, out: null, winner: null, scores: [0, 0]",
        "minimum: {0: 0, 1: 50}",
        "can: [draw, take K K], cannot: [pass, meld 9 9 9, nonsense]",
        "dealer: 3, sitting_out: [], sides: [[0, 2], [1, 3]], deck_size: 108",
    ],
)
def test_what_holds_passes(then: str) -> None:
    then = then.replace("Kh", "K")
    assert problems(f"{{{START}, then: {{{then}}}}}") == ""


@pytest.mark.parametrize(
    ("then", "line"),
    [
        ("turn: 1", "expected then.turn: 1, got 0"),
        ("phase: play", "expected then.phase: play, got draw"),
        ("frozen: true", "expected then.frozen: true, got false"),
        ("pile: K 7", "expected then.pile: K 7, got 7"),
        ("pile: ''", "expected then.pile: [], got 7"),
        ("pile: 7", "expected then.pile: 7, got 7"),
        ("melds: {0: []}", "expected then.melds[0]: [], got Q"),
        ("melds: {0: [Q Q]}", "expected then.melds[0]: Q Q, got Q"),
        ("melds: {1: [Q Q Q]}", "expected then.melds[1]: Q Q Q, got []"),
        ("melds: {7: []}", "then.melds: there’s no side 7 with 2 sides"),
        ("hand: {0: K K 9 9}", "expected then.hand[0]: K K 9 9, got"),
        ("hand: {9: K}", "then.hand: there’s no seat 9 with 4 players"),
        ("bonus: {0: 1}", "expected then.bonus[0]: 1, got 0"),
        ("bonus: {0: 3h}", "expected then.bonus[0]: 3h, got []"),
        ("hand_size: {0: 4}", "expected then.hand_size[0]: 4, got 5"),
        ("hand_size: {9: 4}", "expected then.hand_size[9]: 4, got none"),
        ("pile_size: 3", "expected then.pile_size: 3, got 2"),
        ("stock_size: 3", "expected then.stock_size: 3, got 65"),
        ("over: hand", "expected then.over: hand, got nothing"),
        ("out: 0", "expected then.out: 0, got none"),
        ("scores: [0, 5]", "expected then.scores: [0, 5], got [0, 0]"),
        ("scores: {1: 5}", "expected then.scores[1]: 5, got 0"),
        ("scores: [0]", "expected then.scores: [0], got [0, 0]"),
        ("winner: 0", "expected then.winner: 0, got none"),
        ("minimum: {1: 90}", "expected then.minimum[1]: 90, got 50"),
        ("can: pass", "expected pass to be legal, got refused: "),
        ("can: nonsense", "expected nonsense to be legal, got refused: NOTATION"),
        ("cannot: draw", "expected draw to be refused, but it is legal"),
        ("dealer: 1", "expected then.dealer: 1, got 3"),
        ("sitting_out: [1]", "expected then.sitting_out: [1], got []"),
        ("sides: [[0, 1], [2, 3]]", "expected then.sides: [[0, 1], [2, 3]], got [[0, 2], [1, 3]]"),
        ("deck_size: 52", "expected then.deck_size: 52, got 108"),
        ("turn: 1, frozen: true", "expected then.turn: 1, got 0; expected then.frozen: true, got false"),
        ("illegal: PILE-8", "there’s no move to refuse"),
    ],
)
def test_what_does_not_hold_fails(then: str, line: str) -> None:
    assert line in problems(f"{{{START}, then: {{{then}}}}}")


def test_moves_are_played() -> None:
    assert (
        problems(
            f"{{{START}, when: [draw, discard 4], then: {{turn: 1, pile: 7 K 4h, hand_size: {{0: 5}}}}}}"
        )
        == ""
    )
    taken = "turn: 0, phase: play, melds: {0: [K K K, Q Q Q]}, pile: '', hand: {0: 5 7 9 9}"
    assert problems(f"{{{START}, when: take K K, then: {{{taken}}}}}") == ""


@pytest.mark.parametrize(
    ("when", "illegal", "line"),
    [
        ("[draw, draw]", "TURN-1", ""),
        ("[draw, draw]", "[PILE-8, TURN-1]", ""),
        ("[draw, draw]", "true", ""),
        ("[draw, darw]", "NOTATION", ""),
        ("deal", "TURN-1", ""),
        ("[draw, draw]", "PILE-8", "expected draw to be refused by PILE-8, got refused: TURN-1"),
        ("draw", "true", "expected draw to be refused, but it is legal"),
        ("draw", "TURN-1", "expected draw to be refused, but it is legal"),
        ("[draw, draw, discard 4]", "true", "expected move 2, draw, to be legal, got refused: TURN-1"),
        ("[darw, draw]", "true", "expected move 1, darw, to be legal, got refused: NOTATION"),
        ("[draw, draw]", "false", "expected move 2, draw, to be legal, got refused: TURN-1"),
    ],
)
def test_refusals(when: str, illegal: str, line: str) -> None:
    found = problems(f"{{{START}, when: {when}, then: {{illegal: {illegal}}}}}")
    assert found == line or (line and line in found)


def test_a_refused_move_leaves_the_other_checks_standing() -> None:
    then = "illegal: TURN-1, phase: play, hand_size: {0: 6}"
    assert problems(f"{{{START}, when: [draw, draw], then: {{{then}}}}}") == ""


def test_the_end_of_a_hand_and_the_next_deal() -> None:
    given = "players: 2, hands: {0: 4, 1: 5 K}, pile: 9, stock_is: '', scores: [100, 0]"
    end = "over: hand, out: null, points: {0: -5, 1: -15}, scores: [95, -15]"
    end += ", lines: {1: {cards in hand: -15, sambas: 0}}"
    text = f"{{rules: caliente, given: {{{given}}}, when: pass, then: {{{end}, phase: over}}}}"
    assert problems(text) == ""
    assert "expected then.points[0]: -6, got -5 (cards in hand -5)" in problems(
        text.replace("0: -5,", "0: -6,")
    )
    assert "expected then.lines[1]: cards in hand: -16, got -15" in problems(
        text.replace("hand: -15", "hand: -16")
    )
    assert "got hand" in problems(text.replace("over: hand", "over: game"))
    dealt = "over: none, hand_size: {0: 15, 1: 15}, scores: [95, -15], can: draw"
    text = f"{{rules: caliente, given: {{{given}}}, when: [pass, deal], then: {{{dealt}}}}}"
    assert problems(text) == ""


def test_the_end_of_the_game_is_the_end_of_a_hand_too() -> None:
    given = "players: 2, hands: {0: 4, 1: 5}, pile: 9, stock_is: '', scores: [6000, 0]"
    for over in ("hand", "game"):
        then = f"over: {over}, winner: 0, scores: [5995, -5]"
        assert problems(f"{{rules: caliente, given: {{{given}}}, when: pass, then: {{{then}}}}}") == ""
    text = f"{{rules: caliente, given: {{{given}}}, when: [pass, deal], then: {{illegal: TURN-1}}}}"
    assert problems(text) == ""


def test_cutting_for_seats() -> None:
    cut = "rules: jaques, given: {cut: {0: K, 1: Jo A, 2: 4, 3: 9}}"
    assert problems(f"{{{cut}, then: {{seating: [1, 3, 0, 2], dealer: 3}}}}") == ""
    assert "expected then.seating: [0, 1, 2, 3], got [1, 3, 0, 2]" in problems(
        f"{{{cut}, then: {{seating: [0, 1, 2, 3]}}}}"
    )
    assert "given.cut" in problems(f"{{{cut.replace('Jo A', 'Jo')}, then: {{dealer: 3}}}}")
    assert "player 3 hasn’t cut" in problems(f"{{{cut.replace(', 3: 9', '')}, then: {{dealer: 3}}}}")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("{rules: calinte, when: draw}", "caliente"),
        ("{rules: caliente, given: {players: 9}, when: draw}", "players"),
        ("{rules: caliente, options: {tagret: 5}, when: draw}", "target"),
        ("{rules: caliente, given: {hands: {0: K*9}}, when: draw}", "K: 9 are given, but the decks hold 8"),
        ("{rules: caliente, given: {melds: {0: [K Q]}}, when: draw}", "given: "),
    ],
)
def test_a_bad_scenario_is_a_failure_that_says_why(text: str, line: str) -> None:
    assert line in problems(text)


def test_what_fails_is_told_with_its_file(tmp_path: Path) -> None:
    good = tmp_path / "good.yaml"
    good.write_text(
        "- {name: one, rules: caliente, when: draw}\n- {name: two, rules: caliente, when: pass}\n"
    )
    bad = tmp_path / "bad.yaml"
    bad.write_text("- {name: [")
    results = [result for path in (good, bad) for result in run_file(load_file(path))]
    assert [(result.file, result.name, result.passed) for result in results] == [
        (str(good), "one", True),
        (str(good), "two", False),
        (str(bad), "", False),
    ]
    assert str(results[1].problems[0]).startswith("expected move 1, pass, to be legal, got refused: ")
    assert str(results[2].problems[0]).startswith("line ")


def test_coverage_counts_both_sides(tmp_path: Path) -> None:
    file = tmp_path / "some.yaml"
    file.write_text(
        "- {name: a, clauses: [PILE-10, PILE-2], rules: caliente, when: draw}\n"
        "- {name: b, clauses: PILE-2, rules: caliente, when: pass, then: {illegal: true}}\n"
        "- {name: c, clauses: PILE-2, rules: caliente, then: {can: draw, cannot: pass}}\n"
    )
    found = coverage([tmp_path])
    assert list(found) == ["PILE-2", "PILE-10"]
    assert found["PILE-2"].scenarios == ["a", "b", "c"]
    assert (found["PILE-2"].allowed, found["PILE-2"].refused) == (2, 2)
    assert (found["PILE-10"].allowed, found["PILE-10"].refused) == (1, 0)
