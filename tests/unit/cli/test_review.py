"""`canasta review`."""

import json
import re
from pathlib import Path

import pytest
from unit.cli.conftest import Run

from canasta.notation.record import Record
from canasta.review.puzzles import puzzles_by_id

QUICK = ("--worlds", "2", "--hand", "1")


@pytest.fixture
def record(finished_game: Record, tmp_path: Path) -> Path:
    path = tmp_path / "evening.canasta"
    path.write_text(finished_game.text(), encoding="utf-8")
    return path


def test_a_hand_in_words_and_as_data(run: Run, record: Path) -> None:
    told = run("review", str(record), *QUICK)
    assert told.exit_code == 0
    assert told.stdout.startswith("Hand 1: Ada ")
    assert "With only 2 simulated deals" in told.stdout
    assert "100%" not in told.stdout
    assert "were judged" not in told.stdout
    assert "luck = deal + draws + hidden cards" in told.stdout
    data = json.loads(run("review", str(record), *QUICK, "--json").stdout)
    (hand,) = data["hands"]
    assert [side["points"] for side in hand["sides"]] == hand["points"]
    for side in hand["sides"]:
        assert side["luck"] + side["play"] + side["others"] == pytest.approx(side["ahead"], abs=1)
        assert side["deal"] + side["draws"] + side["lay"] == pytest.approx(side["luck"], abs=1)
    assert hand["course"][-1]["expected"] == hand["points"]
    assert {decision["seat"] for decision in hand["decisions"]} == {0, 1}


def test_it_says_how_much_of_a_hand_was_judged(
    run: Run, record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("canasta.review.hand._MOST_STEPS", 2_000)
    told = " ".join(run("review", str(record), *QUICK).stdout.split())
    assert re.search(r"In hand 1 only the first \d+ of \d+ choices were analysed", told)


@pytest.mark.parametrize(("option", "known"), [("--rules", "two-player"), ("--theme", "going_out")])
def test_a_name_that_no_puzzle_has_is_refused(run: Run, option: str, known: str) -> None:
    refused = run("puzzles", "list", option, "nope")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert 'there are no puzzles of "nope"' in refused.stderr
    assert known in refused.stderr
    assert "„nope“" in run("puzzles", "list", option, "nope", "--lang", "de").stderr
    assert run("puzzles", "list", option, known, "--json").exit_code == 0
    assert "rules file" not in run("puzzles", "list", "--help").stdout


def test_puzzles_are_solved_one_after_the_other(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("canasta.commands.puzzles.data_folder", lambda: tmp_path)
    kept = tmp_path / "puzzles.jsonl"
    asked = run("puzzles", "solve", "--theme", "freezing", typed="nine\n99\n1\n")
    assert asked.exit_code == 0
    assert asked.stdout.count("Type a number from 1 to ") == 2
    assert " of 1 right" in asked.stdout
    (line,) = kept.read_text().splitlines()
    answer = json.loads(line)
    puzzle = puzzles_by_id()[answer["puzzle"]]
    assert answer["right"] == (puzzle.shown[0] == puzzle.options[0])

    # Other content of the file isn't taken for answers, and the same puzzle doesn't count twice.
    kept.write_text(line + "\nnothing\n{}\n" + line + "\n" + "\xff")
    again = run("puzzles", "solve", "--theme", "freezing", "--lang", "de", typed="1\n" * 40 + "\n")
    assert again.exit_code == 0
    assert "Wertung" in again.stdout
    assert run("puzzles", "solve", "--theme", "nope").exit_code == 2

    kept.unlink()
    kept.mkdir()
    hindered = run("puzzles", "solve", "--theme", "freezing", typed="1\n")
    assert hindered.exit_code == 2
    assert "your answers can’t be saved" in hindered.stderr


def test_what_cannot_be_reviewed_is_told_in_a_sentence(run: Run, record: Path, tmp_path: Path) -> None:
    assert run("review", str(record), "--hand", "99").exit_code == 2
    assert "hand 99 was not finished" in run("review", str(record), "--hand", "99").stderr
    assert "the seats are 0 to 1" in run("review", str(record), "--seat", "5").stderr
    begun = tmp_path / "begun.canasta"
    lines = record.read_text(encoding="utf-8").splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith(("0: ", "1: ")))
    begun.write_text("\n".join([*lines[: first + 2], ""]), encoding="utf-8")
    broken = run("review", str(begun))
    assert broken.exit_code == 2
    assert "no hand of this record was finished" in broken.stderr
    begun.write_text("no record at all", encoding="utf-8")
    assert run("review", str(begun)).exit_code == 1
