"""The table's text output: sentences about events, and the table itself."""

import io
import re
import sys

import pytest
from rich.console import Console
from terminal.test_command import Terminal
from unit.cli.conftest import ROOT

from canasta.commands.output import THEME
from canasta.commands.table_printer import result_in_words, show_score_sheet, show_table
from canasta.engine import events as e
from canasta.engine.match import Match
from canasta.engine.melds import MIXED, NATURAL, ROW_BLACK_THREES, ROW_RUN, ROW_WILD, SAMBA, WILD
from canasta.engine.play.scoring import ScoreSheet
from canasta.engine.rule_tables import LINES
from canasta.i18n.events import Speaker
from canasta.notation.cards import parse_cards
from canasta.rules import load_ruleset
from canasta.scenarios.schema import load_text
from canasta.scenarios.setup import build_position
from canasta.table.event_views import events_for

TABLE = Speaker(["Ada", "Bo", "Cleo", "Dora"], 0)


def cards(text: str) -> tuple[int, ...]:
    return parse_cards(text)


@pytest.mark.parametrize(
    ("events", "sentences"),
    [
        ([e.Drew(1, 1, ()), e.Drew(1, 1, ())], ["Bo drew 2 cards."]),
        ([e.Drew(0, 1, cards("Kh")), e.Drew(0, 1, cards("4c"))], ["You drew K♥ 4♣."]),
        (
            [e.BonusLaid(1, cards("3h")[0]), e.Drew(1, 1, ()), e.Discarded(1, cards("7c")[0], False)],
            ["Bo laid out 3♥, drew a card and discarded 7♣."],
        ),
        (
            [
                e.CardsMelded(1, 9, 1, cards("Kh Ks Kd"), True),
                e.CanastaMade(1, 9, 1, MIXED),
                e.PileTaken(1, cards("Kh")[0], cards("4c 5c")),
                e.CardsMelded(1, 9, 1, cards("2h"), False),
                e.CardsMelded(1, 9, 1, cards("2c"), False),
            ],
            [
                (
                    "Bo took the pile, 3 cards with K♥ on top, melded K♥ K♠ K♦, "
                    "completed a mixed canasta of kings and added 2♥ 2♣ to the kings."
                )
            ],
        ),
        ([e.PileTaken(2, cards("Kh")[0], ())], ["Cleo took the pile: just K♥."]),
        ([e.Discarded(1, cards("2h")[0], True)], ["Bo discarded 2♥, which freezes the pile."]),
        ([e.Discarded(1, cards("2h")[0], False)], ["Bo discarded 2♥."]),
        ([e.CanastaMade(3, 4, 1, NATURAL)], ["Dora completed a natural canasta of eights."]),
        ([e.CanastaMade(3, ROW_RUN, 1, SAMBA)], ["Dora completed a samba."]),
        ([e.CanastaMade(3, ROW_WILD, 1, WILD)], ["Dora completed a wild canasta."]),
        ([e.CardsMelded(1, ROW_WILD, 1, cards("Jo"), False)], ["Bo added a joker to the wild cards."]),
        ([e.CardsMelded(1, ROW_RUN, 2, cards("8s"), False)], ["Bo added 8♠ to the sequence #2."]),
        ([e.CardsMelded(1, ROW_BLACK_THREES, 1, cards("3s"), False)], ["Bo added 3♠ to the black threes."]),
        ([e.CardsMelded(1, 9, 2, cards("Ks"), False)], ["Bo added K♠ to the kings #2."]),
        ([e.Asked(2, 0), e.Answered(0, True)], ["Cleo asked you: may I go out?", "You answered yes."]),
        ([e.CardKept(1)], ["Bo kept the last card."]),
        ([e.Passed(1)], ["Bo passed."]),
        ([e.CalientePlayed(1)], ["Bo played a Caliente card."]),
        ([e.PilePutBack(1)], ["Bo put the pile back."]),
        ([e.MeldTakenBack(0)], ["You took back the last meld."]),
        ([e.FootPickedUp(1, 13, ())], ["Bo picked up the foot, 13 cards."]),
        ([e.Passed(1), e.HandEnded(-1)], ["Bo passed.", "The stock ran out: the hand is over."]),
        ([e.HandEnded(0)], ["You went out."]),
        ([e.HandEnded(3)], ["Dora went out."]),
    ],
)
def test_events_in_words(events: list[e.Event], sentences: list[str]) -> None:
    assert TABLE.tell(events_for(events, TABLE.you, TABLE.names)) == sentences


def test_names_of_sides() -> None:
    assert TABLE.side_name([0, 2]) == "You and Cleo"
    assert TABLE.side_name([3, 1]) == "Dora and Bo"
    assert Speaker(["a", "b", "c"]).side_name([0, 1, 2]) == "a, b and c"


def printed(match: Match, width: int = 80) -> str:
    where = Console(theme=THEME, file=io.StringIO(), width=width, highlight=False)
    show_table(where, match, TABLE)
    assert isinstance(where.file, io.StringIO)
    return where.file.getvalue()


def position(given: str, rules: str = "caliente") -> Match:
    text = f"- name: x\n  clauses: [TURN-1]\n  rules: {rules}\n  given: {given}\n  then: {{turn: 0}}\n"
    scenario = load_text(text, "x").scenarios[0]
    assert not scenario.defects
    chosen = load_ruleset(rules)
    return Match.from_position(chosen, build_position(scenario, chosen))


def test_the_table() -> None:
    match = position(
        "{hands: {0: 4h, 1: 5 5 5}, melds: {0: [Ks Kd Kh Ks Kd Kh Kc, 7s 7h Jo], 1: [Q*5 2 2]}, "
        "pile: 8 2 9h, scores: [1500, -20], bonus: {1: 2}}"
    )
    shown = printed(match).splitlines()
    at = shown.index("  K         7")
    assert [line.rstrip() for line in shown[at : at + 4]] == [
        "  K         7",
        "  canasta   7♥",
        "  natural   7♠",
        "  7 cards   Jo",
    ]
    assert "You and Cleo  1500 points  have melded" in shown
    assert any(line.startswith("Bo and Dora  -20 points  have melded  red threes 3") for line in shown)
    assert "  Bo holds 3 cards, Dora holds 11 cards" in shown
    assert any(line.endswith("pile 3 with 9♥ on top, frozen") for line in shown)
    assert shown[-2:] == ["Your hand  1 card, 5 points", "  4♥"]


def test_the_table_fits_a_narrow_window() -> None:
    match = position("{melds: {0: [4*3, 5*3, 6*3, 7*3, 8*3, 9*3, T*3, J*3, Q*3, K*3, A*3]}}")
    assert max(map(len, printed(match, 40).splitlines())) <= 40


def test_a_score_sheet_leaves_out_what_is_nothing() -> None:
    match = Match.new(load_ruleset("caliente"), "x")
    none = dict.fromkeys(LINES, 0)
    sheets = [
        ScoreSheet({**none, "melded_cards": 90, "going_out": 100}),
        ScoreSheet({**none, "cards_in_hand": -45}),
    ]
    where = Console(theme=THEME, file=io.StringIO(), width=80, highlight=False)
    show_score_sheet(where, match, TABLE, sheets, [10, 0])
    assert isinstance(where.file, io.StringIO)
    rows = [line.split() for line in where.file.getvalue().splitlines() if line.strip(" ─")]
    assert rows == [
        ["You", "and", "Cleo", "Bo", "and", "Dora"],
        ["melded", "cards", "90", "–"],
        ["cards", "in", "hand", "–", "-45"],
        ["going", "out", "100", "–"],
        ["this", "hand", "190", "-45"],
        ["before", "10", "–"],
        ["total", "200", "-45"],
    ]


def test_the_result() -> None:
    match = Match.new(load_ruleset("two-player"), "x")
    match.course.scores, match.course.over, match.course.winner = [5100, 4000], True, 0
    assert result_in_words(match, Speaker(["Ada", "Bo"], 0)) == "You win the game, 5100 to 4000."
    assert result_in_words(match, Speaker(["Ada", "Bo"], 1)) == "Ada wins the game, 5100 to 4000."
    match.course.winner = None
    assert result_in_words(match, TABLE) == "The game ends in a draw, 5100 to 4000."


@pytest.mark.parametrize("columns", [40, pytest.param(80, marks=pytest.mark.long)])
@pytest.mark.parametrize(
    "words",
    [
        "rules",
        "rules caliente --choices",
        "rules jaques-samba --diff bolivia",
        "rules hand-and-foot --values",
        "rules --coverage examples/house_rules.yaml --short",
        "replay examples/evening.canasta",
        "replay examples/evening.canasta --to 30",
        "arena random random --pairs 1 --by hand --jobs 1",
        "stats --hands 2 --bot random --jobs 1",
        "--help",
    ],
)
def test_what_is_printed_fits_the_window(words: str, columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The terminal never has to break a line in the middle of a word or a column."""
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("COLUMNS", raising=False)
    terminal = Terminal([sys.executable, "-m", "canasta", *words.split()], columns=columns)
    try:
        shown = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", terminal.end())
    finally:
        terminal.close()
    lines = [line.rpartition("\r")[2] for line in shown.replace("\r\n", "\n").splitlines()]
    assert len(lines) > 5
    assert [line for line in lines if len(line) > columns] == []


@pytest.mark.parametrize("width", [40, 80])
def test_the_table_of_typed_lines_fits_the_window(width: int) -> None:
    match = Match.new(load_ruleset("hand-and-foot", 4), "x", first_dealer=3)
    out = io.StringIO()
    show_table(Console(file=out, width=width, force_terminal=True, no_color=True, theme=THEME), match, TABLE)
    lines = re.sub(r"\x1b\[[0-9;]*m", "", out.getvalue()).splitlines()
    assert any("Your foot waits" in line for line in lines)
    assert [line for line in lines if len(line) > width] == []
