"""The launcher's error messages, and the arguments that it passes on to the program."""

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import launch
import pytest
from distribution.fake_checkout import PretendHouse
from launch import House, Trouble

pytestmark = pytest.mark.usefixtures("compiler")

ROOT = Path(__file__).resolve().parents[2]


class BareHouse(PretendHouse):
    """A machine on which every program fails."""

    def run(self, command: Sequence[str | Path], **settings: str) -> str | None:
        return None


def test_without_pip_one_sentence_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(Trouble, match=r"^Python's installer pip is missing; .* python3-pip.*\.$"):
        BareHouse(tmp_path).set_up(dev=False)


class OfflineHouse(PretendHouse):
    def run(self, command: Sequence[str | Path], **settings: str) -> str | None:
        return None if "install" in command else super().run(command, **settings)


def test_without_a_network_one_sentence_says_so(tmp_path: Path) -> None:
    with pytest.raises(Trouble, match=r"could not be installed: is this machine online\?.*install\.log\.$"):
        OfflineHouse(tmp_path).set_up(dev=False)


@pytest.mark.parametrize(
    ("error", "status", "sentence"),
    [
        (Trouble("pip is missing."), 1, "canasta: pip is missing.\n"),
        (PermissionError(13, "Permission denied", ".venv"), 1, "Permission denied: '.venv'.\n"),
        (KeyboardInterrupt(), 130, "canasta: set-up interrupted; the next start takes it up again.\n"),
    ],
)
def test_trouble_is_one_line_and_an_exit_status(
    error: BaseException,
    status: int,
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(self: House, *, dev: bool, at_once: bool) -> None:
        self.at_work = True
        raise error

    monkeypatch.setattr(House, "set_up", fail)
    assert launch.main(["play"]) == status
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.endswith(sentence)
    assert told.err.count("\n") == 1


def test_an_interruption_before_anything_was_done_needs_no_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(self: House, *, dev: bool, at_once: bool) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(House, "set_up", interrupted)
    assert launch.main(["play"]) == 130
    assert capsys.readouterr() == ("", "")


def test_an_interruption_while_the_launcher_itself_loads_is_quiet(tmp_path: Path) -> None:
    shutil.copy(ROOT / "canasta", tmp_path / "canasta")
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "launch.py").write_text("raise KeyboardInterrupt\n")
    done = subprocess.run([tmp_path / "canasta", "play"], capture_output=True, check=False, timeout=300)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


def test_control_c_is_held_back_until_the_program_can_answer() -> None:
    """Ctrl+C arrives while the program's interpreter starts; the program answers it."""
    code = (
        "import os, signal, sys; sys.path.insert(0, sys.argv[1]); import launch\n"
        "told = [sys.executable, '-c', 'from canasta.__main__ import main; main()', 'version']\n"
        "execv = os.execv\n"
        "os.execv = lambda *words: (os.kill(os.getpid(), signal.SIGINT), execv(*words))\n"
        "launch.system.become(told, hold_back=True)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(ROOT / "scripts")], capture_output=True, check=False, timeout=300
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


def test_the_help_of_the_tests_sets_nothing_up(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(House, "set_up", lambda self, **given: pytest.fail("set up"))
    assert launch.main(["test", "--help"]) == 0
    assert capsys.readouterr().out.startswith("Usage: canasta test")


@pytest.mark.parametrize(
    ("arguments", "asked", "start"),
    [
        (["scenario", "a b.yaml"], "at_once", ["-P", "-m", "canasta", "scenario", "a b.yaml"]),
        ([], "at_once", ["-P", "-m", "canasta"]),
        (["test", "--long", "-k", "pile"], "dev", ["-P", f"{ROOT}/scripts/check.py", "--long", "-k", "pile"]),
        (["play", "--seed", "tuesday"], "at_once", ["-P", "-m", "canasta", "play", "--seed", "tuesday"]),
        (["tui"], "at_once", ["-P", "-m", "canasta", "tui"]),
        (["serve"], "at_once", ["-P", "-m", "canasta", "serve"]),
        (["arena", "play"], "", ["-P", "-m", "canasta", "arena", "play"]),
    ],
)
def test_arguments_are_handed_on(
    arguments: list[str], asked: str, start: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[str] = []
    settings: list[dict[str, bool]] = []
    monkeypatch.setattr(House, "set_up", lambda self, **given: settings.append(given))
    monkeypatch.setattr(House, "keep_build", lambda self: 0)
    monkeypatch.setattr("os.execv", lambda program, words: started.extend(words))
    launch.main(arguments)
    assert settings == [{"dev": asked == "dev", "at_once": asked == "at_once"}]
    assert started == [f"{ROOT}/.venv/bin/python", *start]


def test_an_old_python_is_told_so_in_one_sentence() -> None:
    pretend = (
        "import runpy, sys; sys.version_info = (3, 10, 13, 'final', 0); sys.argv = ['canasta', 'version']; "
        f"runpy.run_path({str(ROOT / 'canasta')!r}, run_name='__main__')"
    )
    answer = subprocess.run(
        [sys.executable, "-c", pretend], capture_output=True, text=True, check=False, timeout=300
    )
    assert answer.returncode == 1
    assert answer.stdout == ""
    assert re.fullmatch(
        r"canasta: Python 3\.11 or newer is needed and this is Python 3\.10; [^\n]+\n", answer.stderr
    )


def test_an_old_python_can_read_the_launcher() -> None:
    tree = ast.parse((ROOT / "canasta").read_text(), feature_version=(3, 7))
    too_new = (ast.JoinedStr, ast.AnnAssign, ast.NamedExpr, ast.Match)
    assert [node.lineno for node in ast.walk(tree) if isinstance(node, too_new)] == []
