"""Replaying records: the same game again, or the place where the record goes wrong."""

import random
from collections.abc import Callable

import pytest
from hands import begin_record, note_deal, note_move
from hypothesis import given
from hypothesis import strategies as st

from canasta.engine.match import Match
from canasta.engine.moves.types import Discard, Draw, Move, Pass
from canasta.notation.record import HandEnds, HandStarts, Record
from canasta.notation.record_reader import parse_record
from canasta.notation.replay import Replayer, replay
from canasta.rules import load_ruleset, preset_names
from canasta.rules.loader import options_of
from canasta.scenarios.run import visible_state

LONGEST_GAME = 300


def a_game(name: str, seed: str, moves: int, **options: object) -> tuple[Record, Match]:
    """Return a game of random moves with its record."""
    rules = load_ruleset(name, None, options)
    match = Match.new(rules, seed)
    record = begin_record(match, seed=seed, names=["Ada", "Grace"])
    chance = random.Random(seed)
    for _ in range(moves):
        if match.over:
            break
        if match.hand.over:
            match.deal_next()
            note_deal(record, match)
        seat = match.hand.turn
        move = _some_move(match, chance)
        match.apply(move)
        note_move(record, match, seat, move)
    return record, match


def _some_move(match: Match, chance: random.Random) -> Move:
    legal = list(match.hand.legal_moves())
    # Turns are kept short, so that a few hundred moves reach the end of hands.
    plain = [move for move in legal if isinstance(move, (Draw, Discard, Pass))]
    return chance.choice(plain if plain and chance.random() < 0.7 else legal)


@pytest.mark.parametrize("name", preset_names())
def test_a_replay_is_the_same_game(name: str) -> None:
    record, match = a_game(name, f"replay {name}", LONGEST_GAME)
    again = replay(record.text())
    assert again.problem is None
    assert again.match is not None
    assert visible_state(again.match) == visible_state(match)
    assert [str(made.move) for made in again.moves] == [str(made.move) for made in record.moves]
    assert parse_record(record.text()) == record


def test_a_game_with_house_rules_is_replayed_to_its_end() -> None:
    record, match = a_game("two-player", "short", 5000, target=100, put_back=True)
    assert match.over
    assert record.header.result is not None
    assert replay(record.text()).is_good
    assert replay(record.text().encode()).is_good
    wrong = record.text().replace(f"result: {record.header.result}", "result: draw 1 1", 1)
    problem = replay(wrong).problem
    assert problem is not None
    assert "not draw 1 1" in problem.message_in()
    unfinished = record.text().replace(f"result: {record.header.result}", "result: unfinished", 1)
    problem = replay(unfinished).problem
    assert problem is not None
    assert "wasn’t left unfinished" in problem.message_in()
    more = record.text() + "hand 99\n"
    problem = replay(more).problem
    assert problem is not None
    assert problem.line == more.count("\n")
    assert "the game is over" in problem.message_in()


def test_points_are_compared() -> None:
    record, _ = a_game("caliente", "points", LONGEST_GAME)
    index = next(i for i, entry in enumerate(record.entries) if isinstance(entry, HandEnds))
    record.entries[index] = HandEnds((1, 2))
    again = replay(record.text())
    assert again.problem is not None
    assert "not 1 2" in again.problem.message_in()
    assert again.match is not None
    assert again.match.hand.over


def test_a_refused_move_ends_the_replay_with_the_good_moves_before_it() -> None:
    record, _ = a_game("caliente", "refused", 10)
    lines = record.text().splitlines(keepends=True)
    start = lines.index("hand 1\n") + 1
    lines[start + 4] = lines[start + 4][:3] + "answer yes\n"
    again = replay("".join(lines))
    assert len(again.moves) == 4
    assert again.problem is not None
    assert again.problem.line == start + 5
    assert again.problem.refusal is not None
    assert again.problem.refusal.clause in str(again.problem)
    assert str(again.problem).startswith(f"line {start + 5}: answer yes: ")


@pytest.mark.parametrize(
    ("change", "part"),
    [
        (lambda text: text.replace("rules: caliente", "rules: kaliente"), "caliente"),
        (lambda text: text.replace("version: ", "version: 9"), "the record was made by version 9"),
        (lambda text: text.replace("players: 4", "players: 9"), "players"),
        (lambda text: text.replace("hand 1\n", ""), "a line hand 1 must come before"),
        (lambda text: text.replace("hand 1\n", "hand 2\n"), "this is hand 1, not 2"),
        (lambda text: text + "hand 2\n", "hand 1 isn’t over yet"),
        (lambda text: text + "points: 1 2\n", "hand 1 isn’t over yet"),
        (lambda text: text + "result: side 0 wins 1 2\n", "the game isn’t over"),
        (
            lambda text: text.replace("seed:", "result: draw 1 1\nseed:") + "result: unfinished\n",
            "the game isn’t over",
        ),
        (lambda text: text + "9: draw\n", "is to move, not seat 9"),
        (lambda text: text + "9: dr", '"dr" isn’t a move'),
        (lambda text: text.encode("utf-16"), "UTF-16"),
        (lambda text: text.encode() + b"\xff", "isn’t UTF-8"),
        (lambda text: "", "must begin with format"),
    ],
)
def test_what_is_wrong_is_told(change: Callable[[str], str | bytes], part: str) -> None:
    record, _ = a_game("caliente", "wrong", 6)
    assert replay(record.text()).problem is None
    problem = replay(change(record.text())).problem
    assert problem is not None
    assert part in str(problem)


def test_a_cut_off_text_is_noticed() -> None:
    text = a_game("caliente", "cut", 6)[0].text()
    assert not replay(text).is_cut_off
    assert replay(text[:-1]).is_cut_off
    for end in range(0, len(text), 3):
        again = replay(text[:end])
        assert again.problem is not None or again.match is not None


def test_a_replay_goes_move_by_move() -> None:
    record, match = a_game("jaques", "steps", 12)
    replayer = Replayer(record.text())
    assert replayer.replay.match is not None
    states = [visible_state(replayer.replay.match)]
    while replayer.step() is not None:
        states.append(visible_state(replayer.replay.match))
    assert len(states) == len(record.moves) + 1
    assert states[-1] == visible_state(match)
    assert replayer.step() is None
    assert HandStarts(1) in record.entries


TEXT = a_game("caliente", "fuzz", 30)[0].text()


@given(st.data())
def test_a_damaged_record_is_never_more_than_a_problem(data: st.DataObject) -> None:
    lines = TEXT.splitlines(keepends=True)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(lines) - 1))
        kind = data.draw(st.sampled_from(["drop", "swap", "text", "repeat"]))
        other = data.draw(st.integers(0, len(lines) - 1))
        if kind == "drop":
            lines[at] = ""
        elif kind == "swap":
            lines[at], lines[other] = lines[other], lines[at]
        elif kind == "text":
            lines[at] = data.draw(st.text()) + "\n"
        else:
            lines.insert(at, lines[other])
    again = replay("".join(lines))
    assert again.problem is None or "\n" not in str(again.problem)


def test_a_record_is_whole_when_its_game_is_over_or_was_left() -> None:
    record, _ = a_game("caliente", "left", 6)
    cut = replay(record.text())
    assert cut.problem is None
    assert cut.breaks_off is not None
    assert cut.breaks_off.line == record.text().count("\n")
    record.note_left()
    assert replay(record.text()).is_good
    assert parse_record(record.text()) == record


# -- records of earlier versions --------------------------------------------------------------------------

MELD_AND_UNDO = """\
format: canasta 1
rules: caliente
version: {version}
players: 4
seed: tuesday
first dealer: 3

hand 1
0: draw
0: meld A A Jo
0: undo
0: discard 5
"""


def test_a_record_of_version_1_is_replayed_by_the_values_of_that_time() -> None:
    replayed = replay(MELD_AND_UNDO.format(version=1))
    assert replayed.problem is None
    assert replayed.match is not None
    assert replayed.match.rules.turn.undo
    assert options_of(replayed.match.rules) == {"turn.undo": True}


def test_in_version_2_a_melded_card_stays() -> None:
    problem = replay(MELD_AND_UNDO.format(version=2)).problem
    assert problem is not None
    assert problem.refusal is not None
    assert (problem.line, problem.refusal.clause) == (11, "MELD-9")


@pytest.mark.parametrize("version", [0, 3])
def test_a_version_that_there_is_not(version: int) -> None:
    problem = replay(MELD_AND_UNDO.format(version=version)).problem
    assert problem is not None
    assert problem.line == 3
    assert "this program knows the versions up to 2" in problem.message_in()
