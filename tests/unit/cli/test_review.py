"""`canasta review`."""

import json
from pathlib import Path

import pytest
from unit.cli.conftest import Run

from canasta.notation.record import Record

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
    assert "luck = deal + draws + lie of the cards" in told.stdout
    data = json.loads(run("review", str(record), *QUICK, "--json").stdout)
    (hand,) = data["hands"]
    assert [side["points"] for side in hand["sides"]] == hand["points"]
    for side in hand["sides"]:
        assert side["luck"] + side["play"] + side["others"] == pytest.approx(side["ahead"], abs=1)
        assert side["deal"] + side["draws"] + side["lay"] == pytest.approx(side["luck"], abs=1)
    assert hand["course"][-1]["expected"] == hand["points"]
    assert {decision["seat"] for decision in hand["decisions"]} == {0, 1}


def test_what_cannot_be_reviewed_is_told_in_a_sentence(run: Run, record: Path, tmp_path: Path) -> None:
    assert run("review", str(record), "--hand", "99").exit_code == 2
    assert "there is no hand 99" in run("review", str(record), "--hand", "99").stderr
    assert "the seats are 0 to 1" in run("review", str(record), "--seat", "5").stderr
    begun = tmp_path / "begun.canasta"
    lines = record.read_text(encoding="utf-8").splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith(("0: ", "1: ")))
    begun.write_text("\n".join([*lines[: first + 2], ""]), encoding="utf-8")
    broken = run("review", str(begun))
    assert broken.exit_code == 2
    assert "no hand of this record was played to its end" in broken.stderr
    begun.write_text("no record at all", encoding="utf-8")
    assert run("review", str(begun)).exit_code == 1
