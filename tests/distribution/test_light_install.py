"""The engine needs few packages: with almost nothing installed it imports, plays, and names the extras."""

import os
import re
import subprocess
import sys
import tomllib
import venv
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

PLAY = """
import pickle, pkgutil, importlib
import canasta.arena, canasta.bots, canasta.engine, canasta.notation, canasta.rules
for package in (canasta.rules, canasta.engine, canasta.notation, canasta.bots, canasta.arena):
    for module in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        importlib.import_module(module.name)
from canasta.bots import get_bot
from canasta.engine.match import Match
from canasta.rules import load_ruleset
match = Match.new(load_ruleset("caliente"), "light")
bots = [get_bot("novice", str(seat)) for seat in range(4)]
while not match.hand.over:
    seat = match.hand.turn
    match.apply(bots[seat].choose(match.hand.view(seat)))
print(pickle.loads(pickle.dumps(match)).scores == match.scores)
"""


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with canasta and the packages it requires, and nothing else."""
    folder = tmp_path_factory.mktemp("bare")
    (folder / "canasta").symlink_to(ROOT / "src" / "canasta")
    for line in PROJECT["dependencies"]:
        name = re.split(r"[<>=]", line)[0]
        for file in metadata.files(name) or ():
            top = file.parts[0]
            if (
                not top.endswith((".dist-info", ".."))
                and top != "__pycache__"
                and not (folder / top).exists()
            ):
                (folder / top).symlink_to(Path(str(file.locate())).parents[len(file.parts) - 1] / top)
    return folder


def start(bare: Path, *words: str) -> subprocess.CompletedProcess[str]:
    # -S hides the packages that are installed here.
    environment = {**os.environ, "PYTHONPATH": str(bare), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-S", *words]
    return subprocess.run(
        command, cwd=bare, env=environment, capture_output=True, text=True, check=False, timeout=300
    )


def test_the_engine_has_few_dependencies() -> None:
    assert len(PROJECT["dependencies"]) <= 3


def test_the_engine_plays_alone(bare: Path) -> None:
    done = start(bare, "-c", PLAY)
    assert (done.stdout, done.stderr, done.returncode) == ("True\n", "", 0)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-m", "canasta"], "this needs typer, which is not here; install the extra with: pip install"),
        (
            ["-m", "canasta", "play"],
            "this needs typer, which is not here; install the extra with: pip install",
        ),
    ],
)
def test_a_missing_part_is_one_sentence(bare: Path, words: list[str], said: str) -> None:
    done = start(bare, *words)
    assert done.stdout == ""
    assert done.stderr.startswith(f"canasta: {said}")
    assert len(done.stderr.splitlines()) == 1
    assert done.returncode != 0


def test_a_player_that_cannot_sit_down_is_not_offered(bare: Path) -> None:
    names = start(bare, "-c", "from canasta.bots import bot_names; print(*bot_names())")
    assert names.stdout.split() == ["random", "novice", "casual", "club", "expert"]
    done = start(bare, "-c", "from canasta.bots import get_bot; get_bot('master')")
    said = "BotError: master needs NumPy, which isn’t installed: pip install numpy"
    assert done.stderr.splitlines()[-1].endswith(said)


@pytest.mark.parametrize(("name", "extra"), [("env", "research"), ("vector_env", "research")])
def test_a_missing_environment_is_one_sentence(bare: Path, name: str, extra: str) -> None:
    done = start(bare, "-c", f"from canasta import research; research.{name}")
    assert done.stderr.splitlines()[-1].startswith(f"ModuleNotFoundError: canasta.research.{name} needs ")
    assert f"pip install '.[{extra}]'" in done.stderr


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("extra", "works", "lacks"),
    [
        ("", "import canasta.bots, canasta.notation.record", "typer"),
        (
            "[terminal]",
            "import canasta.commands.cli, canasta.commands.tui",
            "litestar",
        ),
        ("[server]", "import canasta.commands.cli, canasta.commands.serve", "textual"),
        ("[research]", "from canasta import research; research.env().reset(seed=1)", "typer"),
        (
            "[openspiel]",
            "import canasta.research.open_spiel_game, pyspiel; pyspiel.load_game('canasta')",
            "typer",
        ),
        ("[ray]", "import canasta.arena.executors, ray", "typer"),
        ("[learn]", "import torch, canasta.research", "typer"),
    ],
)
def test_an_install_into_a_clean_environment(tmp_path: Path, extra: str, works: str, lacks: str) -> None:
    """pip resolves the packages itself and downloads them."""
    venv.create(tmp_path / "venv", with_pip=True)
    python = str(tmp_path / "venv/bin/python")
    install = [python, "-m", "pip", "install", "-q", f"{ROOT}{extra}"]
    subprocess.run(install, cwd=tmp_path, env={**os.environ, "CANASTA_PURE": "1"}, check=True)
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run([python, "-c", works], cwd=tmp_path, env=clean, check=True)
    found = f"import importlib.util, sys; sys.exit(importlib.util.find_spec({lacks!r}) is not None)"
    subprocess.run([python, "-c", found], cwd=tmp_path, env=clean, check=True)


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("extra", "tests"),
    [
        ("research", "tests/conformance/test_pettingzoo.py"),
        ("openspiel", "tests/conformance/test_openspiel.py"),
    ],
)
def test_the_lowest_versions_that_are_allowed_will_do(tmp_path: Path, extra: str, tests: str) -> None:
    venv.create(tmp_path / "venv", with_pip=True)
    python = str(tmp_path / "venv/bin/python")
    lines = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"][extra]]
    lowest = [line.replace(">=", "==") for line in lines]
    tools = ["hypothesis", "pytest", "pytest-asyncio", "pytest-timeout"]
    subprocess.run([python, "-m", "pip", "install", "-q", *lowest, *tools], cwd=tmp_path, check=True)
    source = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", tests]
    subprocess.run(command, cwd=ROOT, env=source, check=True)
