"""Every command's help has examples, and every example works."""

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest
from typer.main import get_command
from unit.cli.conftest import ROOT, Run
from unit.cli.test_serve import is_well, started
from witnessed_table import WitnessedTable

from canasta.commands.cli import COMMANDS as LOADED
from canasta.commands.cli import app

COMMANDS: Final = (
    *"play day tui serve rules scenario replay review puzzles verify arena stats version bench".split(),
    *("bench engine", "puzzles solve", "puzzles list", "puzzles show", "puzzles find"),
)
SHORTER: Final = {
    "bench": ["--seconds", "0.01"],
    "arena": ["--pairs", "1"],
    "stats": ["--hands", "2"],
    "review": ["--worlds", "2"],
}
"""Extra arguments that make an example fast enough for a test."""


def help_of(words: str) -> Any:
    """Return a command, loaded as when it is called."""
    command: Any = get_command(app)
    context = command.make_context("canasta", ["--help"], resilient_parsing=True)
    for word in words.split():
        _, command, _ = command.resolve_command(context, [word])
    return command


def examples() -> list[list[str]]:
    found: list[list[str]] = []
    for words in ("", *COMMANDS):
        command = help_of(words)
        for line in (command.epilog or "").splitlines():
            if line.startswith("  canasta "):
                found.append(shlex.split(line)[1:])
    return [example for at, example in enumerate(found) if example not in found[:at]]


EXAMPLES: Final = examples()


@pytest.mark.parametrize("name", LOADED)
def test_the_line_of_a_command_is_that_of_its_help(name: str) -> None:
    """The list of commands is shown without loading them."""
    assert (help_of(name).help or "").strip().splitlines()[0] == LOADED[name]


def is_served(example: list[str]) -> bool:
    return example[0] == "serve" or (example[0] == "play" and "--text" not in example)


QUICK: Final = [example for example in EXAMPLES if not is_served(example) and example[0] != "tui"]


def joined(example: list[str]) -> str:
    return " ".join(example)


def test_no_command_is_missing_here(run: Run) -> None:
    listed = re.findall(r"^  (\w+)  ", run("--help").stdout.partition("Commands:")[2], re.MULTILINE)
    assert set(listed) == {words.split()[0] for words in COMMANDS}


@pytest.mark.parametrize("words", ["", *COMMANDS])
def test_every_command_has_help_with_an_example(run: Run, words: str) -> None:
    result = run(*words.split(), "--help")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"Usage: canasta {words}".rstrip())
    assert re.search(rf"Examples?:\n    canasta {words}", result.stdout)
    assert max(map(len, result.stdout.splitlines())) <= 80


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a record of one hand with committed cards, next to the transcript of one player."""
    watched = WitnessedTable("caliente", 4, 2, seed="evening")
    watched.start()
    watched.play_hand()
    file = tmp_path_factory.mktemp("examples") / "evening.canasta"
    file.write_text(watched.table.record(), encoding="utf-8")
    file.with_name("seen.json").write_bytes(watched.viewings[0].witness.transcript())
    return file


@pytest.mark.parametrize("example", QUICK, ids=joined)
def test_an_example_works(
    run: Run, example: list[str], evening: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    for file in evening.parent.iterdir():
        (tmp_path / file.name).symlink_to(file)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    result = run(*example, *SHORTER.get(example[0], []), typed="")
    allowed = (0, 1) if "--coverage" in example else (0,)
    assert result.exit_code in allowed, result.output
    assert result.stdout


@pytest.mark.parametrize("example", [example for example in EXAMPLES if is_served(example)], ids=joined)
def test_an_example_with_a_server_works(example: list[str], tmp_path: Path) -> None:
    # Use any free port: another test or a person may be using the one in the example.
    with started(tmp_path, *example, "--port", "0") as (_, address):
        assert is_well(address)


@pytest.mark.parametrize("example", [words for words in EXAMPLES if words[0] == "tui"], ids=joined)
def test_an_example_in_a_terminal_works(example: list[str], evening: Path) -> None:
    """The table opens, and Ctrl+Q leaves it."""
    script = (
        "import os, pty, select, sys, time\n"
        "child, leader = pty.fork()\n"
        "if not child:\n"
        "    os.environ.update(TERM='xterm-256color', COLUMNS='80', LINES='24')\n"
        "    os.execv(sys.executable, [sys.executable, '-m', 'canasta', *sys.argv[1:]])\n"
        "seen, end, asked = b'', time.monotonic() + 250, False\n"
        "while time.monotonic() < end:\n"
        "    if select.select([leader], [], [], 0.3)[0]:\n"
        "        try:\n"
        "            seen += os.read(leader, 65536)\n"
        "        except OSError:\n"
        "            break\n"
        "    elif len(seen) > 2000:\n"
        "        os.write(leader, b'\\x11')\n"
        "status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])\n"
        "sys.exit(status if len(seen) > 2000 and b'Traceback' not in seen else 99)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *example], cwd=evening.parent, check=False, timeout=300
    )
    assert done.returncode == 0
