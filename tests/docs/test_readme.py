"""The README does what it says: its commands are run and answer as printed there."""

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from canasta.rules import preset_names

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)

ANYTHING = "…"
"""A line that stands for any number of lines."""


class Shown(NamedTuple):
    """A command of the README and the lines printed under it."""

    command: str
    answer: tuple[str, ...]


def shown() -> list[Shown]:
    found: list[Shown] = []
    for kind, text in BLOCKS:
        if kind == "console":
            for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
                command, *answer = part.splitlines()
                found.append(Shown(command, tuple(answer)))
    return found


def matches(answer: tuple[str, ...], printed: list[str]) -> bool:
    """Are these the printed lines, where `…` stands for any of them?"""
    pattern = "".join(r"(?:.*\n)*?" if line == ANYTHING else re.escape(line) + r"\n" for line in answer)
    return re.fullmatch(pattern, "".join(f"{line.rstrip()}\n" for line in printed)) is not None


@pytest.mark.parametrize("example", shown(), ids=lambda example: example.command[-60:])
def test_a_command_answers_as_printed(example: Shown, tmp_path: Path) -> None:
    for name in ("examples", "tests"):
        (tmp_path / name).symlink_to(ROOT / name)
    program = f"{shlex.quote(sys.executable)} -m canasta"
    assert "./canasta " in example.command
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    done = subprocess.run(
        ["/bin/sh", "-c", example.command.replace("./canasta", program)],
        cwd=tmp_path,
        env={**environment, "PYTHONIOENCODING": "utf-8"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        timeout=60,
    )
    printed = done.stdout.decode().splitlines()
    assert "Traceback" not in done.stdout.decode()
    assert matches(example.answer, printed), "\n".join(printed)


def test_there_are_commands_to_run() -> None:
    words = {re.split(r"\./canasta ", example.command)[1].split()[0] for example in shown()}
    assert words >= {"play", "replay", "rules", "scenario", "version", "bench"}


def test_the_two_commands_come_first() -> None:
    assert BLOCKS[0] == ("", "./canasta play\n./canasta test\n")


def test_the_python_in_it_runs() -> None:
    examples = [text for kind, text in BLOCKS if kind == "pycon"]
    assert examples
    for text in examples:
        parsed = doctest.DocTestParser().get_doctest(text, {}, "README.md", "README.md", 0)
        runner = doctest.DocTestRunner(optionflags=doctest.REPORT_NDIFF)
        runner.run(parsed)
        assert runner.summarize(verbose=False).failed == 0


def test_the_scenarios_in_it_hold(tmp_path: Path) -> None:
    scenarios = [text for kind, text in BLOCKS if kind == "yaml"]
    assert scenarios
    (tmp_path / "readme.yaml").write_text("\n".join(scenarios))
    assert yaml.safe_load("\n".join(scenarios))
    done = subprocess.run(
        [sys.executable, "-m", "canasta", "scenario", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stdout


def test_every_game_and_every_link_is_there() -> None:
    for name in preset_names():
        assert f"\n| `{name}`, " in README
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).exists(), target
    for folder in re.findall(r"`(src/[\w/.]+|tests|examples|docs)`", README):
        assert (ROOT / folder).exists(), folder


def test_the_comparison_of_lines() -> None:
    assert matches(("a", ANYTHING, "d"), ["a", "b", "c", "d"])
    assert matches(("a", ANYTHING, "d"), ["a", "d"])
    assert not matches(("a", "d"), ["a", "b", "d"])
    assert not matches(("a", ANYTHING), ["b"])
