"""`canasta arena` and `canasta stats` as typed."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from canasta.bots import Bot, bot_names, get_bot
from canasta.commands.cli import app


def run(*words: str) -> Result:
    result = CliRunner().invoke(app, list(words), prog_name="canasta")
    assert "Traceback" not in result.output
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


ARENA = ("arena", "random", "novice", "--rules", "two-player", "--by", "hand", "--pairs", "3", "--jobs", "1")


def test_points_come_first_then_games() -> None:
    result = run(*ARENA)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    head = lines[0]
    assert head.index("points a hand (95%)") < head.index("hands won (95%)")
    assert lines[2].split()[:2] == ["novice", "random"]
    assert lines[-1] == "Two-Player Canasta, 2 players, 3 duplicate pairs of hands, seed arena"
    assert "rating" not in result.stdout


def test_more_than_two_are_rated() -> None:
    result = run(
        "arena", "random", "random", "novice", "-r", "two-player", "--by", "hand", "-n", "2", "--jobs", "1"
    )
    ratings = result.stdout.split("\n\n")[1].splitlines()
    assert ratings[0].split() == ["player", "rating", "(95%)"]
    assert ratings[2].startswith("novice")
    assert {line.split("  ")[0] for line in ratings[3:]} == {"random 1", "random 2"}


def test_json_is_json_alone() -> None:
    data = json.loads(run(*ARENA, "--json").stdout)
    assert data["format"] == "canasta-arena-1"
    assert data["matchups"][0]["a"] == "novice"
    assert data == json.loads(run(*ARENA, "--json", "--seed", "arena").stdout)
    assert data != json.loads(run(*ARENA, "--json", "--seed", "other").stdout)


LOUD = """
import canasta
print("loaded")


class Loud(canasta.Bot):
    def __init__(self):
        print("sat down")

    def choose(self, view):
        print("thinking")
        return canasta.legal_moves(view)[0]
"""


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_json_is_json_alone_whatever_a_player_prints(jobs: str, tmp_path: Path) -> None:
    (tmp_path / "loud.py").write_text(LOUD)
    bot = f"{tmp_path / 'loud.py'}:Loud"
    words = f"-m canasta arena {bot} random -r two-player --by hand -n 2 --jobs {jobs} --json"
    told = subprocess.run([sys.executable, *words.split()], capture_output=True, text=True, check=True)
    assert json.loads(told.stdout)["pairs"] == 2
    assert {"loaded", "sat down", "thinking"} <= set(told.stderr.split("\n"))


def test_a_search_is_measured_in_worlds_or_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[tuple[str, float | None]] = []

    def sits_down(name: str, seed: str = "", budget: float | None = None) -> Bot:
        given.append((name, budget))
        return get_bot("random", seed)

    monkeypatch.setattr("canasta.arena.play.get_bot", sits_down)
    words = ("arena", "expert", "club", "-r", "two-player", "--by", "hand", "-n", "1", "--jobs", "1")
    counted = json.loads(run(*words, "--worlds", "7", "--json").stdout)
    # a negative budget is a number of worlds
    assert set(given) == {("expert", -7.0), ("club", None)}
    assert [(bot["worlds"], bot["budget"]) for bot in counted["bots"]] == [(7, None), (None, None)]
    assert "clock" not in run(*words, "--worlds", "7").stdout
    given.clear()
    timed = run(*words, "--budget", "0.5")
    assert set(given) == {("expert", 0.5), ("club", None)}
    assert timed.stdout.splitlines()[-1].startswith("expert played with a time limit")


def test_house_rules_are_played() -> None:
    data = json.loads(run(*ARENA, "--json", "--option", "hand_size=13").stdout)
    assert data["options"] == {"hand_size": 13}


def test_the_report_is_written(tmp_path: Path) -> None:
    page = tmp_path / "arena.html"
    result = run(*ARENA, "--report", str(page))
    assert result.stderr == f"canasta: the report is in {page}.\n"
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_stats_tell_what_a_hand_is_like() -> None:
    result = run("stats", "--bot", "random", "--hands", "8", "--jobs", "1")
    assert result.exit_code == 0
    for words in ("ended by going out", "canastas a side", "pile taken", "first meld", "seat 0 and seat 2"):
        assert words in result.stdout
    assert result.stdout.startswith("Canasta Caliente, 4 players: 8 hands in ")


def test_stats_as_data() -> None:
    data = json.loads(
        run(
            "stats", "--bot", "random", "-n", "5", "-r", "caliente", "-p", "3", "--jobs", "1", "--json"
        ).stdout
    )
    assert (data["hands"], data["players"], data["finished"]) == (5, 3, True)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("arena clb random", 'there’s no computer player called "clb"; did you mean club?'),
        (
            "arena random xyz",
            (
                f'there’s no computer player called "xyz"; there are {", ".join(bot_names())}, '
                "or one of your own such as my_bot:MyBot."
            ),
        ),
        ("arena random", "name at least two computer players: canasta arena club casual"),
        (
            "arena random random --rules calient",
            "rules = 'calient': this preset doesn’t exist; did you mean caliente?",
        ),
        ("arena random random --rules two-player --players 4", "players = 4: must be 2."),
        ("arena random random --by moon", '--by must be match or hand, not "moon".'),
        (
            "arena random random --budget 0",
            "--budget must be a number of seconds above 0 and up to 3600, not 0.",
        ),
        (
            "arena random random --budget nan",
            "--budget must be a number of seconds above 0 and up to 3600, not nan.",
        ),
        (
            "arena random random --budget 1 --worlds 4",
            "--budget and --worlds set the same thing in two ways; give one of them.",
        ),
        (
            "arena random random --report /no/such/place.html",
            "the folder /no/such for the report doesn’t exist.",
        ),
        ("arena random random --report /", "/ is a folder; name a file for the report."),
        (
            "arena random random --jobs 2 --ray local",
            "--jobs counts processes on this machine and can’t be used with --ray.",
        ),
        (
            "arena random random --ray nowhere",
            "--ray takes HOST:PORT, ray://HOST:PORT, auto or local, not 'nowhere'.",
        ),
        ("stats --bot clubb", 'there’s no computer player called "clubb"; did you mean club?'),
        ("stats --rules bolvia", "rules = 'bolvia': this preset doesn’t exist; did you mean bolivia?"),
    ],
)
def test_slips_are_told_in_a_sentence(words: str, sentence: str) -> None:
    result = run(*words.split())
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr == f"canasta: {sentence}\n"


@pytest.mark.parametrize(
    "words",
    [
        "arena",
        "arena random random --pairs 0",
        "arena random random --pairs many",
        "arena random random --jobs 0",
        "arena random random --budget soon",
        "stats --hands 0",
        "stats --hands -3",
        "stats --players few",
    ],
)
def test_bad_numbers_are_told_in_a_line(words: str) -> None:
    result = run(*words.split())
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("canasta: ")
    assert result.stderr.count("\n") == 1
