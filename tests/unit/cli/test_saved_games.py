"""`canasta play --text`: games that are saved and resumed, and options that exclude each other."""

from pathlib import Path

import pytest
from unit.cli.conftest import Run

from canasta.notation.replay import replay


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("--text --resume --new", "give --resume or --new, not both."),
        ("--text --resume --no-save", "--resume can’t be used with --no-save."),
        ("--text --save x --no-save", "--save can’t be used with --no-save."),
        ("--text --resume --rules jaques", "--rules is only for a new game; the one you resume has its own"),
        ("--text --resume --seed x", "--seed is only for a new game; the one you resume has its own"),
        ("--text --resume --bot novice", "--bot is only for a new game; the one you resume has its own"),
        ("--text --resume", "there’s no game to resume; leave out --resume."),
        ("--text --resume --save no/such", "no/such doesn’t exist; leave out --resume for a new game."),
        (
            "--text --save no/such/file",
            "the game can’t be saved to no/such/file: the folder doesn’t exist.",
        ),
        ("--resume", "--resume works only in typed play: add --text."),
        ("--save x", "--save works only in typed play: add --text."),
    ],
)
def test_what_does_not_go_together(run: Run, words: str, sentence: str) -> None:
    result = run("play", *words.split(), typed="")
    assert result.exit_code == 2
    assert sentence in result.stderr


def test_a_named_game_is_kept_and_goes_on(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "evening"
    words = ["play", "--text", "--save", str(file)]
    first = run(*words, "--seed", "tuesday", typed="draw\nmeld A A Jo\nquit\n")
    assert f"canasta play --text --resume --save {file} continues it." in first.stdout
    kept = file.read_bytes()
    for more, sentence in (
        ([], f"{file} holds a game; give --resume to continue it, or choose another name."),
        (["--new"], f"{file} already exists; choose another name, or give --resume to continue it."),
    ):
        result = run(*words, *more, typed="quit\n")
        assert result.exit_code == 2
        assert sentence in result.stderr
        assert file.read_bytes() == kept
    record = tmp_path / "record"
    again = run(*words, "--resume", "--record", str(record), typed="discard 5\nquit\n")
    assert again.exit_code == 0
    assert "  A\n  A♦\n  A♥\n  Jo\n" in again.stdout
    assert "You discarded 5♦." in again.stdout
    assert "Same cards again: --seed tuesday" in again.stdout
    played = replay(record.read_text())
    assert played.is_good
    assert [str(made.move) for made in played.moves[:3]] == ["draw", "meld A A Jo", "discard 5"]


def test_a_record_of_nothing_is_not_left_and_a_file_of_the_user_stays(run: Run, tmp_path: Path) -> None:
    record, own = tmp_path / "record", tmp_path / "own"
    assert run("play", "--text", "--resume", "--record", str(record), typed="").exit_code == 2
    assert not record.exists()
    own.touch()
    assert "already exists" in run("play", "--text", "--record", str(own), typed="").stderr
    assert own.exists()


@pytest.mark.parametrize("content", [b"", b"not a game\n", b'{"format":"canasta table 1","table":"x"}\n{}\n'])
def test_a_file_that_is_no_game_is_told(run: Run, content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "evening"
    file.write_bytes(content)
    result = run("play", "--text", "--resume", "--save", str(file), typed="")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"canasta: {file} is")
    assert file.read_bytes() == content
