"""NumPy is loaded only for the learned players."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("numpy", reason="NumPy is an extra and is not installed")

THREADS = "OPENBLAS_NUM_THREADS"
NUMPY = {"numpy", "canasta.bots.learned.network"}
SEATED = "import canasta; match = canasta.Match('caliente', seed=1); bot = canasta.get_bot('{}', '1', 0.1)\n"
ASKED = "view = match.view(match.turn); bot.explain(view, bot.choose(view)); canasta.bot_names()"


def loaded_by(program: str) -> set[str]:
    told = subprocess.run(
        [sys.executable, "-c", f"{program}\nimport sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(told.stdout.split())


@pytest.mark.parametrize("bot", ["random", "novice", "casual", "club", "expert"])
def test_the_other_players_do_without(bot: str) -> None:
    assert not loaded_by(SEATED.format(bot) + ASKED) & NUMPY


def test_the_master_needs_it() -> None:
    assert loaded_by(SEATED.format("master") + ASKED) >= NUMPY


def test_a_server_starts_without() -> None:
    pytest.importorskip("litestar", reason="the server is an extra and is not installed")
    started = loaded_by("from canasta.server.http.app import create_app; create_app()")
    assert "canasta.server.workers.pool" in started
    thinking = loaded_by("import canasta.server.workers.bot_worker")
    assert not (started | thinking) & NUMPY


@pytest.mark.parametrize(("bot", "needs"), [("club", False), ("master", True)])
def test_a_typed_game_loads_it_for_those_alone(tmp_path: Path, bot: str, needs: bool) -> None:
    """This holds here and in any process that the game starts; each process lists its imports."""
    command = [sys.executable, "-m", "canasta", "play", "--text", "--bot", bot, "--seed", "light"]
    told = subprocess.run(
        [*command, "--no-save"],
        input="hint\ndraw\nquit\n",
        env={**os.environ, "XDG_DATA_HOME": str(tmp_path), "PYTHONPROFILEIMPORTTIME": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {line.rpartition("|")[2].strip() for line in told.stderr.splitlines()}
    assert "canasta.terminal.local_table" in loaded
    assert ("numpy" in loaded) == needs


@pytest.mark.parametrize(("asked", "threads"), [(None, "1"), ("3", "3")])
def test_the_command_line_reckons_with_one_thread_unless_told(asked: str | None, threads: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name != THREADS}
    program = "import os, sys; sys.argv[1:] = ['version']; from canasta.__main__ import main\n"
    told = subprocess.run(
        [sys.executable, "-c", f"{program}try:\n main()\nfinally:\n print(os.environ['{THREADS}'])"],
        env=environment | ({} if asked is None else {THREADS: asked}),
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.splitlines()[-1] == threads
