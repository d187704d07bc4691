"""`canasta replay`."""

import json
from pathlib import Path

import pytest
from unit.cli.conftest import Run

from canasta.notation.record import Record


@pytest.fixture
def record(finished_game: Record, tmp_path: Path) -> Path:
    path = tmp_path / "evening.canasta"
    path.write_text(finished_game.text(), encoding="utf-8")
    return path


def test_a_whole_game(run: Run, record: Path, finished_game: Record) -> None:
    result = run("replay", str(record))
    assert result.exit_code == 0
    assert result.stderr == ""
    lines = result.stdout.splitlines()
    assert lines[0] == "Two-Player Canasta, 2 players, seed record"
    assert lines[1] == "House rules: match.target=2000"
    assert finished_game.header.result is not None
    winner = ("Ada", "Grace")[finished_game.header.result.winner or 0]
    assert lines[-1].startswith(f"{len(finished_game.moves)} moves replayed. {winner} wins the game, ")
    assert result.stdout.count("this hand") == result.stdout.count(" deals.")
    moves = [move for line in lines if line.startswith(("  Ada", "  Grace")) for move in line[9:].split(", ")]
    assert len(moves) == len(finished_game.moves)


def test_a_whole_game_as_data(run: Run, record: Path, finished_game: Record) -> None:
    data = json.loads(run("replay", str(record), "--json").stdout)
    assert data["good"] is True
    assert data["over"] is True
    assert data["problem"] is None
    assert data["names"] == {"0": "Ada", "1": "Grace"}
    assert sum(len(hand["moves"]) for hand in data["hands"]) == data["moves"] == len(finished_game.moves)
    assert data["scores"] == [sum(hand["points"][side] for hand in data["hands"]) for side in (0, 1)]
    for hand in data["hands"]:
        assert hand["points"] == [sum(sheet.values()) for sheet in hand["sheets"]]


def test_only_the_beginning(run: Run, record: Path) -> None:
    result = run("replay", str(record), "--to", "0")
    assert result.exit_code == 0
    assert "0 moves replayed. The game isn’t over" in result.stdout
    assert "Ada  15 cards" in result.stdout
    assert "Grace  15 cards" in result.stdout
    data = json.loads(run("replay", str(record), "--to", "7", "--json").stdout)
    assert data["moves"] == 7
    assert data["hands"][-1]["sheets"] is None


def test_further_than_the_record_goes(run: Run, record: Path, finished_game: Record) -> None:
    result = run("replay", str(record), "--to", "99999")
    assert result.exit_code == 2
    assert result.stderr == f"canasta: the record has {len(finished_game.moves)} moves, not 99999.\n"


def test_from_standard_input(run: Run, record: Path) -> None:
    assert run("replay", "-", typed=record.read_bytes()).stdout == run("replay", str(record)).stdout


def test_a_move_against_the_rules_is_named_and_what_came_before_is_kept(run: Run, record: Path) -> None:
    lines = record.read_text().splitlines()
    at = [number for number, line in enumerate(lines) if line.endswith(": draw")][5]
    good = sum(line[1:2] == ":" for line in lines[:at])
    lines[at] = lines[at][0] + ": discard 3r"
    record.write_text("\n".join(lines) + "\n")
    result = run("replay", str(record))
    assert result.exit_code == 1
    assert f"{good} moves replayed." in result.stdout
    assert result.stderr.startswith(
        f"canasta: {record}, line {at + 1}: discard 3r: TURN-1: You can’t discard now"
    )
    assert result.stderr.endswith(f" The {good} moves before it are valid.\n")
    data = json.loads(run("replay", str(record), "--json").stdout)
    assert data["problem"]["line"] == at + 1
    assert data["problem"]["clause"] == "TURN-1"
    assert data["moves"] == good


def test_a_line_that_is_no_move(run: Run, record: Path) -> None:
    record.write_text(record.read_text().replace("0: draw", "0: drow", 1))
    result = run("replay", str(record))
    assert result.exit_code == 1
    assert '"drow" isn’t a move: did you mean draw?' in result.stderr


def test_a_wrong_result_is_found(run: Run, record: Path) -> None:
    text = record.read_text()
    start = text.index("points: ")
    record.write_text(text[:start] + "points: 1 2" + text[text.index("\n", start) :])
    result = run("replay", str(record))
    assert result.exit_code == 1
    assert "the points of this hand are " in result.stderr


def test_a_record_that_breaks_off(run: Run, record: Path) -> None:
    record.write_text(record.read_text()[:-40].rsplit(":", 1)[0] + ": dra")
    result = run("replay", str(record))
    assert result.exit_code == 1
    assert "the record may have been longer" in result.stderr


def cut_short(record: Path, *last: str) -> int:
    """Cut the last moves and the result off the first hand; return the number of lines left."""
    lines = [line for line in record.read_text().splitlines() if not line.startswith("result:")]
    cut = next(number for number, line in enumerate(lines) if line.startswith("points: ")) - 3
    record.write_text("\n".join([*lines[:cut], *last]) + "\n")
    return cut


def test_a_game_that_was_left_is_no_failure(run: Run, record: Path) -> None:
    cut_short(record, "result: unfinished")
    result = run("replay", str(record))
    assert result.exit_code == 0
    assert result.stderr == ""
    assert "The game isn’t over; the score is 0, 0." in result.stdout


@pytest.mark.parametrize("last", [(), ("# the telephone rang",)], ids=["bare", "comment"])
def test_a_record_without_its_end_is_not_taken_for_whole(run: Run, record: Path, last: tuple[str]) -> None:
    cut = cut_short(record, *last)
    for command in ("replay", "verify"):
        result = run(command, str(record))
        assert result.exit_code == 1
        assert f"{record}, line {cut}: the record breaks off here: its last line must be" in result.stderr
    assert "The game isn’t over; the score is 0, 0." in run("replay", str(record)).stdout
    data = json.loads(run("replay", str(record), "--json").stdout)
    assert (data["good"], data["problem"]["line"]) == (False, cut)
    assert run("replay", str(record), "--to", "3").exit_code == 0


def test_every_beginning_of_a_record_is_seen_to_be_one(run: Run, record: Path) -> None:
    """A file cut off anywhere, even in mid-line, fails unless the whole play is there."""
    text = record.read_text()
    # after the last move the game is over, and the rest only repeats the result
    over = text.rindex("points: ")
    for end in (*range(0, over - 1, 997), over - 40, over - 30, over - 20):
        record.write_text(text[:end])
        assert run("replay", str(record)).exit_code == 1, text[max(0, end - 40) : end]
    record.write_text(text[:over])
    assert run("replay", str(record)).exit_code == 0


def test_nothing_follows_the_end_of_a_record(run: Run, record: Path) -> None:
    cut = cut_short(record, "result: unfinished", "# goodbye", "0: draw")
    result = run("replay", str(record))
    assert result.exit_code == 1
    assert f"line {cut + 3}: the record already ended at line {cut + 1}." in result.stderr


def test_a_finished_game_was_not_left(run: Run, record: Path) -> None:
    record.write_text(record.read_text().replace("\nresult: ", "\nx-result: ", 1) + "result: unfinished\n")
    result = run("replay", str(record))
    assert result.exit_code == 1
    assert "the game is over, so it wasn’t left unfinished" in result.stderr


def test_an_older_record_says_in_its_header_that_it_is_unfinished(run: Run, record: Path) -> None:
    cut_short(record)
    record.write_text(record.read_text().replace("\n\nhand 1", "\nresult: unfinished\n\nhand 1", 1))
    assert run("replay", str(record)).exit_code == 0


@pytest.mark.parametrize(
    "content", [None, b"", b"\0\1\2", bytes(range(256)), b"\xff\xfef\0", b"text\n", b"format: x\n"]
)
def test_what_is_no_record(run: Run, tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "x"
    if content is not None:
        file.write_bytes(content)
    for words in (["replay", str(file)], ["replay", str(file), "--to", "3"]):
        result = run(*words)
        assert result.exit_code in (1, 2)
        assert result.stdout == ""
        assert len(result.stderr.splitlines()) >= 1
        assert result.stderr.startswith(f"canasta: {file}")


def test_a_folder_is_no_record(run: Run, tmp_path: Path) -> None:
    result = run("replay", str(tmp_path))
    assert result.exit_code == 2
    assert result.stderr == f"canasta: {tmp_path} can’t be read: is a directory; give a record file.\n"


def test_markup_in_a_name_is_only_text(run: Run, record: Path) -> None:
    record.write_text(record.read_text().replace("seat 0: Ada", "seat 0: [red]Ada[/]"))
    assert "[red]Ada[/]" in run("replay", str(record)).stdout
