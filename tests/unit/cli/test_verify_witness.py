"""`canasta verify --witness`: whether the record is the game that was seen."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from unit.cli.conftest import Run
from witnessed_table import WitnessedTable

from canasta.notation.record import LARGEST_RECORD
from canasta.table.fairness.transcript import LARGEST_FILE

SMALL: dict[str, Any] = {"hand_size": 5, "canastas_to_go_out": 0, "match.target": 20_000}


@pytest.fixture(scope="module")
def watched() -> WitnessedTable:
    """Return two hands and the start of a third."""
    table = WitnessedTable("two-player", 2, 2, seed="verify", options=SMALL, moves="undo")
    table.start()
    table.play_hand()
    table.next_hand()
    table.play_hand()
    table.next_hand()
    table.move()
    return table


@pytest.fixture
def record(watched: WitnessedTable, tmp_path: Path) -> Path:
    file = tmp_path / "game.canasta"
    file.write_text(watched.table.record(), encoding="utf-8")
    return file


def saved(watched: WitnessedTable, folder: Path, change: Callable[[Any], None] = lambda told: None) -> str:
    """Return a file with the first player's transcript."""
    told = json.loads(watched.viewings[0].witness.transcript())
    change(told)
    file = folder / "seen.json"
    file.write_text(json.dumps(told), encoding="utf-8")
    return str(file)


def test_the_record_of_the_game(run: Run, watched: WitnessedTable, record: Path, tmp_path: Path) -> None:
    result = run("verify", str(record), "--witness", saved(watched, tmp_path))
    assert result.exit_code == 0, result.stderr
    assert "This is the game you saw" in result.stdout
    assert "Hand 3 isn’t over yet" in " ".join(result.stdout.split())


def test_as_data(run: Run, watched: WitnessedTable, record: Path, tmp_path: Path) -> None:
    told = json.loads(run("verify", str(record), "--witness", saved(watched, tmp_path), "--json").stdout)
    assert told["fair"] is True
    assert told["witness"]["holds"] is True
    assert told["witness"]["hands"] == [1, 2]
    assert told["witness"]["not_in_record"] == [3]
    assert told["witness"]["states"] > 10


def without_observations(told: Any) -> None:
    for hand in told["hands"]:
        hand["observations"] = []


def without_hands(told: Any) -> None:
    told["hands"] = []


@pytest.mark.parametrize("change", [without_hands, without_observations])
def test_a_transcript_of_nothing(
    run: Run, watched: WitnessedTable, record: Path, tmp_path: Path, change: Callable[[Any], None]
) -> None:
    result = run("verify", str(record), "--witness", saved(watched, tmp_path, change))
    assert result.exit_code == 1
    assert "seen.json has no state of this game to compare with the record" in " ".join(result.stderr.split())


def test_a_transcript_with_too_many_entries(
    run: Run, watched: WitnessedTable, record: Path, tmp_path: Path
) -> None:
    def flood(told: Any) -> None:
        told["hands"][0]["observations"] += [{"state": number} for number in range(100_001)]

    result = run("verify", str(record), "--witness", saved(watched, tmp_path, flood))
    assert result.exit_code != 0
    assert "too large to be a transcript" in " ".join(result.stderr.split())


def test_a_hand_that_was_seen_to_its_end_is_missing(
    run: Run, watched: WitnessedTable, record: Path, tmp_path: Path
) -> None:
    """Whatever the server shows afterwards, the hand belongs in the record."""

    def go_on(told: Any) -> None:
        told["hands"][1]["observations"].append({"state": 10**9, "phase": "draw"})

    lines = record.read_text(encoding="utf-8").splitlines(keepends=True)
    at = next(number for number, line in enumerate(lines) if line.startswith("hand 2 "))
    record.write_text("".join(lines[:at]) + "result: unfinished\n", encoding="utf-8")
    result = run("verify", str(record), "--witness", saved(watched, tmp_path, go_on))
    assert result.exit_code == 1
    assert "hand 2 isn’t in this record, and you saw it to its end" in " ".join(result.stderr.split())


def test_moves_that_were_never_shown(run: Run, watched: WitnessedTable, record: Path, tmp_path: Path) -> None:
    """A meld and its undo leave the same cards behind, but the viewer would have seen them."""

    def hide_moves(told: Any) -> None:
        for observation in told["hands"][0]["observations"]:
            for event in (*observation.get("events", []), *observation.get("log", [])):
                if event.get("move", 0) > 3:
                    event["move"] -= 1

    result = run("verify", str(record), "--witness", saved(watched, tmp_path, hide_moves))
    assert result.exit_code == 1
    assert "other moves were made" in " ".join(result.stderr.split())


def test_a_transcript_that_ends_first(
    run: Run, watched: WitnessedTable, record: Path, tmp_path: Path
) -> None:
    def leave_early(told: Any) -> None:
        told["hands"] = told["hands"][:1]
        told["hands"][0]["observations"] = told["hands"][0]["observations"][:5]

    result = run("verify", str(record), "--witness", saved(watched, tmp_path, leave_early))
    assert result.exit_code == 0, result.stderr
    assert "You saw it up to hand 1, move 4; the record continues" in " ".join(result.stdout.split())


def test_a_forged_record(run: Run, watched: WitnessedTable, tmp_path: Path) -> None:
    """The record has the same seeds, and other legal moves."""
    other = WitnessedTable("two-player", 2, 2, seed="verify", options=SMALL)
    other.start()
    other.play_hand()
    honest, forged = (one.table.record().splitlines() for one in (watched, other))
    assert [line for line in forged if line.startswith("hand 1 ")] == [
        line for line in honest if line.startswith("hand 1 ")
    ]
    file = tmp_path / "forged.canasta"
    file.write_text(other.table.record(), encoding="utf-8")

    def first_hand_only(told: Any) -> None:
        told["hands"] = told["hands"][:1]
        told["kept"] = [kept for kept in told["kept"] if kept["hand"] == 1]

    witness = saved(watched, tmp_path, first_hand_only)
    assert run("verify", str(file)).exit_code == 0
    result = run("verify", str(file), "--witness", witness)
    assert result.exit_code == 1
    assert "hand 1: this record isn’t the game you saw" in result.stderr
    told = json.loads(run("verify", str(file), "--witness", witness, "--json").stdout)
    assert told["fair"] is False
    assert told["witness"]["difference"]["code"] == "moves"


def test_a_record_without_a_hand_that_was_seen(
    run: Run, watched: WitnessedTable, record: Path, tmp_path: Path
) -> None:
    text = record.read_text(encoding="utf-8")
    record.write_text(text[: text.index("\nhand 2")] + "\nresult: unfinished\n", encoding="utf-8")
    result = run("verify", str(record), "--witness", saved(watched, tmp_path))
    assert result.exit_code == 1
    assert "hand 2 isn’t in this record" in result.stderr


def other_card(told: Any) -> None:
    seen = next(one for one in told["hands"][1]["observations"][1:] if one.get("cards"))
    seen["cards"][0] = "4c" if seen["cards"][0] != "4c" else "5d"
    seen["cards"].sort()


def test_other_cards_than_those_seen(run: Run, watched: WitnessedTable, record: Path, tmp_path: Path) -> None:
    result = run("verify", str(record), "--witness", saved(watched, tmp_path, other_card))
    assert result.exit_code == 1
    assert "your own cards" in result.stderr


def test_an_alarm_at_the_table(run: Run, watched: WitnessedTable, record: Path, tmp_path: Path) -> None:
    def alarm(told: Any) -> None:
        told["verdicts"].append({"hand": 2, "result": "gap"})

    result = run("verify", str(record), "--witness", saved(watched, tmp_path, alarm))
    assert result.exit_code == 1
    assert "hand 2 aren’t fair" in result.stderr


def test_another_table(run: Run, watched: WitnessedTable, record: Path, tmp_path: Path) -> None:
    def rename(told: Any) -> None:
        told["table"] = "another"

    result = run("verify", str(record), "--witness", saved(watched, tmp_path, rename))
    assert result.exit_code == 1
    assert "transcript of another table" in result.stderr


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"format": "canasta-witness-1"}',
        b'{"format": "canasta-witness-2"}',
        b" " * (LARGEST_FILE + 1),
    ],
    ids=["empty", "cut off", "a list", "no text", "deep", "nothing in it", "newer", "too large"],
)
def test_files_that_are_no_transcripts(run: Run, record: Path, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "seen.json"
    file.write_bytes(content)
    assert len(content) > LARGEST_RECORD or len(content) <= 100_000
    result = run("verify", str(record), "--witness", str(file))
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert "transcript" in result.stderr


def strange_seat(told: Any) -> None:
    told["hands"][0]["seat"] = 99


def strange_hand(told: Any) -> None:
    told["hands"][0]["hand"] = -(10**18)


def no_first_observation(told: Any) -> None:
    del told["hands"][0]["observations"][0]


def strange_verdict(told: Any) -> None:
    told["verdicts"][0]["result"] = "\x1b[31mred"


def strange_seed(told: Any) -> None:
    told["kept"][0]["seed"] = "\x1b[31mred"


@pytest.mark.parametrize(
    "change", [strange_seat, strange_hand, no_first_observation, strange_verdict, strange_seed]
)
def test_hostile_transcripts(
    run: Run, watched: WitnessedTable, record: Path, tmp_path: Path, change: Callable[[Any], None]
) -> None:
    result = run("verify", str(record), "--witness", saved(watched, tmp_path, change))
    assert result.exit_code in (1, 2)
    assert "\x1b" not in result.stderr + result.stdout
    assert result.stderr
