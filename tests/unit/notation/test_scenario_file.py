"""Reading scenario files: generous spellings, and every mistake with its line."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from canasta.notation.cards import parse_cards
from canasta.notation.moves import parse_move
from canasta.scenarios.schema import Scenario, find_files, load_file, load_text


def only(text: str) -> Scenario:
    file = load_text(text)
    assert not file.problem, file.problem
    (scenario,) = file.scenarios
    return scenario


def in_given(text: str) -> Scenario:
    scenario = only(f"- {{name: n, rules: caliente, given: {{{text}}}, when: draw}}")
    assert not scenario.defects, scenario.defects
    return scenario


def test_a_whole_scenario() -> None:
    scenario = only(
        """
- name: a frozen pile is not taken with one natural and a wild
  clauses: [PILE-8]
  rules: caliente
  options: {always_frozen: false, opening.scores: [0, 1500], pile: {put_back: no}}
  given:
    players: 4
    scores: [0, -5]
    turn: 2
    phase: play
    hands: {0: K Jo 9 9 5}
    melds: {0: [K K K, 5 5 5 2]}
    bonus: {0: 1}
    pile: 7 2 K
    stock: 4 4 6
    melded_before: [0]
  when:
    - draw
    - take K Jo
  then:
    illegal: PILE-8
    turn: 0
    can: [draw]
    cannot: [take onto K, pass]
"""
    )
    assert scenario.defects == []
    assert scenario.name == "a frozen pile is not taken with one natural and a wild"
    assert scenario.clauses == ("PILE-8",)
    assert scenario.rules == "caliente"
    assert scenario.options == {
        "always_frozen": False,
        "opening.scores": [0, 1500],
        "pile.put_back": False,
    }
    assert scenario.given.scores == {0: 0, 1: -5}
    assert scenario.given.turn == 2
    assert scenario.given.phase == "play"
    assert scenario.given.hands == {0: parse_cards("K Jo 9 9 5")}
    assert scenario.given.melds == {0: (parse_cards("K K K"), parse_cards("5 5 5 2"))}
    assert scenario.given.bonus == {0: 1}
    assert scenario.given.pile == parse_cards("7 2 K")
    assert scenario.given.stock == parse_cards("4 4 6")
    assert scenario.given.stock_is is None
    assert scenario.given.melded_before == frozenset({0})
    assert [step.text for step in scenario.when] == ["draw", "take K Jo"]
    assert scenario.illegal == frozenset({"PILE-8"})
    assert [check.key for check in scenario.checks] == ["turn"]
    assert [step.text for step in (*scenario.can, *scenario.cannot)] == ["draw", "take onto K", "pass"]


@pytest.mark.parametrize(
    ("written", "cards"),
    [
        ("8", "8"),
        ("10", "T"),
        ("'8'", "8"),
        ("8 8 10h", "8 8 Th"),
        ("[8, 9, K]", "8 9 K"),
        ("[8 8, 9]", "8 8 9"),
        ("[[8, 8], 9]", "8 8 9"),
        ("K*3", "K K K"),
        ("'K♥ 9♠'", "Kh 9s"),
        ("'K, 9'", "K 9"),
        ("''", ""),
        ("[]", ""),
        ("~", ""),
        ("", ""),
    ],
)
def test_cards_may_be_written_in_many_ways(written: str, cards: str) -> None:
    assert in_given(f"hands: {{0: {written}}}").given.hands == {0: parse_cards(cards)}
    assert in_given(f"hands: {{'0': {written}}}").given.hands == {0: parse_cards(cards)}
    assert in_given(f"pile: {written}").given.pile == parse_cards(cards)
    assert in_given(f"stock_is: {written}").given.stock_is == parse_cards(cards)


@pytest.mark.parametrize(
    ("written", "melds"),
    [
        ("K K K", ["K K K"]),
        ("K*7", ["K*7"]),
        ("[K K K, 5 5 5 2]", ["K K K", "5 5 5 2"]),
        ("[[K, K, K], [5, 6, 7]]", ["K K K", "5 6 7"]),
        ("[K, K, K]", ["K K K"]),
        ("[5, 6, 7]", ["5 6 7"]),
        ("K K K + 5 5 2", ["K K K", "5 5 2"]),
        ("[K K K + 5 5 2, 9 9 9]", ["K K K", "5 5 2", "9 9 9"]),
        ("[]", []),
        ("''", []),
        ("", []),
    ],
)
def test_melds_may_be_written_in_many_ways(written: str, melds: list[str]) -> None:
    expected = {0: tuple(parse_cards(meld) for meld in melds)}
    assert in_given(f"melds: {{0: {written}}}").given.melds == expected


def test_other_spellings() -> None:
    assert in_given("hands: [K, 9 9]").given.hands == {0: parse_cards("K"), 1: parse_cards("9 9")}
    assert in_given("scores: {1: 1_500}").given.scores == {1: 1500}
    assert in_given("bonus: {0: 3h 3d, 1: 3r}").given.bonus == {0: parse_cards("3h 3d"), 1: parse_cards("3r")}
    assert in_given("bonus: [2, 0]").given.bonus == {0: 2, 1: 0}
    assert in_given("picked_up: 2").given.picked_up == {2}
    assert in_given("picked_up: 0 2").given.picked_up == {0, 2}
    assert in_given("melded_before: []").given.melded_before == frozenset()
    assert in_given("turn: '3', Stock-Is: ''").given.turn == 3
    assert in_given("cut: {0: K, 1: Jo A}, dealer: 3, hand_number: 2").given.dealer == 3


@pytest.mark.parametrize("when", ["draw", "[draw]", "['draw']", '"draw\\n"'])
def test_one_move_needs_no_list(when: str) -> None:
    scenario = only(f"{{rules: caliente, when: {when}, clauses: 'TURN-1, TURN-2', then: {{can: pass}}}}")
    assert scenario.defects == []
    assert [step.text for step in scenario.when] == ["draw"]
    assert scenario.clauses == ("TURN-1", "TURN-2")
    assert [step.text for step in scenario.can] == ["pass"]


def test_a_block_of_lines_is_a_list_of_moves() -> None:
    scenario = only("rules: caliente\nwhen: |\n  draw\n\n  discard 7\n  deal\n")
    assert [step.text for step in scenario.when] == ["draw", "discard 7", "deal"]
    assert [step.move for step in scenario.when] == [parse_move("draw"), parse_move("discard 7"), None]
    assert all(step.error is None for step in scenario.when)


@pytest.mark.parametrize(
    ("written", "illegal"),
    [
        ("PILE-8", {"PILE-8"}),
        ("pile-8", {"PILE-8"}),
        ("[PILE-8, MELD-1]", {"PILE-8", "MELD-1"}),
        ("NOTATION", {"NOTATION"}),
        ("true", set()),
        ("false", None),
    ],
)
def test_refusals_that_are_expected(written: str, illegal: set[str] | None) -> None:
    scenario = only(f"{{rules: caliente, when: draw, then: {{illegal: {written}}}}}")
    assert scenario.defects == []
    assert scenario.illegal == illegal


def test_a_move_that_cannot_be_read_is_kept_with_its_error() -> None:
    scenario = only("{rules: caliente, when: dorw, then: {illegal: NOTATION}}")
    assert scenario.defects == []
    assert scenario.when[0].error is not None


def test_all_defects_are_told_at_once_with_lines() -> None:
    scenario = only(
        """
- name: everything is wrong
  clauses: [PILE8]
  ruels: caliente
  given:
    hadns: {0: K}
    hands: {0: Kx, zero: K, -1: K}
    turn: first
    phase: sleep
    melds: [K K K]
    stock: K
    stock_is: K
  then:
    illegal: []
    frozen: perhaps
    over: soon
    lines: {0: {natural canastsa: 500}}
    points: {0: many}
    sides: 2
    colour: red
"""
    )
    defects = "\n".join(map(str, scenario.defects))
    for part in (
        "line 3: clauses: PILE8 isn’t a clause id",
        'line 4: scenario: "ruels" isn’t a known key; did you mean rules?',
        "line 2: rules: expected the name of a preset",
        'line 6: given: "hadns" isn’t a known key; did you mean hands?',
        'line 7: given.hands[0]: "Kx" isn’t a card',
        'line 7: given.hands: expected a whole number, not "zero"',
        "line 7: given.hands: seats and sides count from 0",
        'line 8: given.turn: expected a whole number, not "first"',
        'line 9: given.phase: expected one of draw, play, deal, not "sleep"',
        "line 10: given.melds: write the melds by side",
        "stock and stock_is can’t be used together",
        "line 14: then.illegal: name the clause, or write true",
        "line 15: then.frozen: expected true or false",
        "line 16: then.over: expected one of hand, game, nothing",
        "did you mean natural canastas?",
        'line 18: then.points[0]: expected a whole number, not "many"',
        "line 19: then.sides",
        'line 20: then: "colour" isn’t a known key',
    ):
        assert part in defects, (part, defects)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("{rules: caliente, rules: jaques, when: draw}", "rules is given twice"),
        ("{rules: caliente, given: {hands: {0: K, '0': Q}}, when: draw}", "0 is given twice"),
        ("{rules: caliente, given: {hands: {0: K, 00: Q}}, when: draw}", "0 is given twice"),
        ("{rules: caliente, given: {stock_is: K, stock-is: Q}, when: draw}", "stock_is is given twice"),
        ("{rules: caliente, options: {a: 1, a: 2}, when: draw}", "a is given twice"),
        ("{rules: caliente}", "neither moves nor anything to check"),
        ("{rules: caliente, then: {illegal: PILE-8}}", "there’s no move to refuse"),
        ("{rules: caliente, given: {cut: {0: K}}, when: draw, then: {dealer: 1}}", "after a cut"),
        ("{rules: caliente, given: {cut: {0: K}}, then: {turn: 1}}", "after a cut"),
        ("{rules: caliente, then: {seating: [0, 1]}}", "a seating needs given.cut"),
        ("{rules: caliente, when: {take: K}}", "expected a list of strings"),
        ("{rules: caliente, when: [{take: K}]}", "expected text, not a mapping"),
        ("{rules: caliente, given: [], when: draw}", "expected a mapping here, not a list"),
        ("{rules: caliente, given: {hands: K K}, when: draw}", "write it by number"),
        ("{rules: caliente, given: {hands: {0: {a: b}}}, when: draw}", "expected cards"),
        ("{rules: caliente, given: {hands: {0: 8.5}}, when: draw}", '"8.5" isn’t a card'),
        ("[K]", "expected a mapping here"),
        ("{rules: {a: b}, when: draw}", "expected the name of a preset"),
    ],
)
def test_defects(text: str, part: str) -> None:
    assert part in "\n".join(map(str, only(text).defects))


def test_documents_remarks_and_names() -> None:
    file = load_text(
        "{rules: caliente, when: draw, note: hello}\n---\n- {rules: jaques, when: draw, name: two}\n"
    )
    assert [scenario.name for scenario in file.scenarios] == ["scenario 1 (line 1)", "two"]
    listed = load_text(
        "scenarios: [{rules: caliente, when: draw, options: {target: '5', put_back: no, going_out.ask: no}}]"
    )
    assert listed.scenarios[0].options == {"target": 5, "put_back": False, "going_out.ask": "no"}
    assert all(scenario.defects == [] for scenario in file.scenarios)


@pytest.mark.parametrize("text", ["", "[]", "# nothing", "~", "---\n---\n"])
def test_a_file_without_scenarios_is_a_problem(text: str) -> None:
    assert str(load_text(text).problem) == "there’s no scenario in this file"


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    broken = tmp_path / "broken.yaml"
    broken.write_bytes(b"- name: a\n  x: \xff\n")
    assert str(load_file(broken).problem) == "line 2: this isn’t UTF-8 text"
    assert "can’t be read" in str(load_file(tmp_path / "missing.yaml").problem)
    assert "can’t be read" in str(load_file(tmp_path).problem)
    assert "can’t be read" in str(load_file("nul\0.yaml").problem)
    bom = tmp_path / "bom.yaml"
    bom.write_bytes(b"\xef\xbb\xbf- {rules: caliente, when: draw}\r\n")
    assert load_file(bom).problem is None


def test_folders_are_searched(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    for name in ("b.yaml", "a.yml", "c.txt", "deep/d.yaml"):
        (tmp_path / name).write_text("")
    found = [path.relative_to(tmp_path).as_posix() for path in find_files([tmp_path, tmp_path / "c.txt"])]
    assert found == ["a.yml", "b.yaml", "deep/d.yaml", "c.txt"]
    assert find_files(["nul\0"]) == [Path("nul\0")]


scalars = st.one_of(
    st.text(max_size=8), st.integers(-3, 30).map(str), st.sampled_from(["K K K", "~", "true", "3r"])
)
keys = st.sampled_from(
    "name clauses rules options given when then players scores turn phase hands melds bonus pile stock "
    "stock_is cut illegal lines points over out can sides seating minimum hand 0 1 << x".split()
)


def flow(tree: object) -> str:
    """Write a tree of lists, mappings and texts as YAML in one line."""
    if isinstance(tree, list):
        return "[" + ", ".join(map(flow, tree)) + "]"
    if isinstance(tree, dict):
        return "{" + ", ".join(f"{key}: {flow(value)}" for key, value in tree.items()) + "}"
    text = str(tree)
    return text if text.isalnum() else "'" + text.replace("'", "''") + "'"


trees = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=5)
)


@given(st.one_of(st.text(), trees.map(flow)))
def test_any_text_is_scenarios_or_told_problems(text: str) -> None:
    file = load_text(text)
    assert file.problem or file.scenarios
    found = [defect for scenario in file.scenarios for defect in scenario.defects]
    for wrong in (*found, *([file.problem] if file.problem else [])):
        assert wrong.message_in()
        assert "\n" not in str(wrong)
