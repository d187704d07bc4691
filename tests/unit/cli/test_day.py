"""`canasta day`: one try per day, an interrupted hand, past days, and the check of a server's seed."""

import re
from datetime import date, timedelta
from pathlib import Path

import pytest
from unit.cli.conftest import Run

from canasta.commands import day as command
from canasta.table import day as deals

TODAY = date(2026, 11, 17)


@pytest.fixture(autouse=True)
def _a_short_day(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    short = deals.DayGame(
        rules="two-player", players=2, level="novice", options={"hand_size": 4, "canastas_to_go_out": 0}
    )
    monkeypatch.setattr(deals, "GAMES", (short,))
    monkeypatch.setattr(deals, "game_of", lambda day, games=(): short)
    monkeypatch.setattr(deals, "COMPARED", ("novice", "casual"))
    monkeypatch.setattr(command, "_BUDGET", 0.0)
    monkeypatch.setattr(command, "_today", lambda: TODAY)


def typed_to_the_end() -> str:
    """Return lines that draw and try to discard every rank; impossible moves are refused without effect."""
    cards = [f"discard {rank}" for rank in "3 4 5 6 7 8 9 T J Q K A 2 Jo".split()]
    return "\n".join(["draw", *cards] * 60) + "\n"


def test_one_try_counts_and_a_hand_that_is_left_waits(run: Run) -> None:
    left = run("day", "--text", typed="draw\nhint\nquit\n")
    assert left.exit_code == 0
    assert "Deal of the day, 2026-11-17: Two-Player Canasta, one hand" in left.stdout
    assert "There are no hints while the deal of the day counts." in left.stdout
    assert "canasta day continues it" in left.stdout
    whole = run("day", "--text", typed=typed_to_the_end())
    points = re.search(r"Your side made ([+-]?\d+)\.", whole.stdout)
    assert points is not None, whole.stdout[-2000:]
    assert f"Canasta of {TODAY} · {points[1]}" in whole.stdout
    assert re.search(r"novice +[+-]?\d+\n +casual +[+-]?\d+", whole.stdout)
    assert "One day in a row, 1 played" in whole.stdout
    told = run("day", "--text", typed="")
    assert points[0] in told.stdout
    assert "To replay the hand without it counting, use canasta day --again" in told.stdout
    again = run("day", "--text", "--again", typed="quit\n")
    assert "This hand doesn’t count." in again.stdout
    assert "it didn’t count" in again.stdout


def test_a_result_is_kept_before_the_computer_players_play(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken_off(*_: object, **__: object) -> int:
        raise KeyboardInterrupt

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(deals, "computer_points", broken_off)
        assert run("day", "--text", typed=typed_to_the_end()).exit_code != 0
    for _ in range(2):
        told = run("day", "--text", typed="")
        assert "Your side made" in told.stdout
        assert re.search(r"novice +[+-]?\d+\n +casual +[+-]?\d+", told.stdout)
        assert "To replay the hand without it counting, use canasta day --again" in told.stdout
        # They play once, and that is kept, too.
        monkeypatch.setattr(deals, "computer_points", broken_off)


def test_a_hand_that_ended_and_was_not_noted_is_noted_later(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(command, "_keep", lambda _: False)
        assert "Your side made" in run("day", "--text", typed=typed_to_the_end()).stdout
    assert "One day in a row, 1 played" in run("day", "--text", typed="").stdout
    assert "Only your first try of the day counts." in run("day", "--text", typed="").stdout


def test_a_hand_that_is_left_over_midnight_counts_for_its_day(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("day", "--text", typed="draw\nquit\n")
    monkeypatch.setattr(command, "_today", lambda: TODAY + timedelta(days=1))
    waits = f"Your hand of {TODAY} is waiting: canasta day --date {TODAY} continues it."
    assert waits in run("day", "--text", typed="quit\n").stdout
    left = run("day", "--text", "--date", str(TODAY), typed="quit\n")
    assert left.stdout.count(waits) == 1, "it can be left again"
    whole = run("day", "--text", "--date", str(TODAY), typed=typed_to_the_end())
    assert "Your first try counts" in whole.stdout
    assert f"Canasta of {TODAY} · " in whole.stdout
    assert "One day in a row, 1 played" in whole.stdout
    assert waits not in run("day", "--text", typed="quit\n").stdout
    once_more = run("day", "--text", "--date", str(TODAY), typed="quit\n")
    assert "This hand doesn’t count." in once_more.stdout


def test_other_days(run: Run) -> None:
    past = run("day", "--text", "--date", "2026-11-16", typed="quit\n")
    assert "This hand doesn’t count." in past.stdout
    for when, sentence in (
        ("2026-11-18", "the deal of 2026-11-18 hasn’t started yet"),
        ("tomorrow", '"tomorrow" isn’t a date; write it as 2026-11-16.'),
    ):
        wrong = run("day", "--date", when)
        assert wrong.exit_code == 2
        assert sentence in wrong.stderr
    assert run("day", typed="").exit_code == 2, "it needs a terminal, or --text"


def test_a_servers_seed_is_checked(run: Run) -> None:
    seed = "ab" * 32
    promised = deals.commitment_of(TODAY, seed)
    fits = run("day", "--date", str(TODAY), "--check", seed, promised)
    assert (fits.exit_code, "The seed matches the commitment" in fits.stdout) == (0, True)
    for wrong in (["--date", "2026-11-18", "--check", seed, promised], ["--check", "cd" * 32, promised]):
        result = run("day", *wrong)
        assert (result.exit_code, "doesn’t match the commitment" in result.stdout) == (1, True)
    bad = run("day", "--check", "x", promised)
    assert bad.exit_code == 2
    assert "64 hexadecimal digits" in bad.stderr
