"""The launcher: what it installs, when, and what it says if it cannot."""

import ast
import re
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import launch
import pytest
from launch import House, Trouble

ROOT = Path(__file__).resolve().parents[2]

FILES = (
    *(
        "canasta",
        "LICENSE",
        "pyproject.toml",
        "setup.py",
        "src/canasta/cli.py",
        "src/canasta/rules/base.toml",
    ),
    *(launch.BOOTSTRAP_LOCK, *launch.RUN_LOCKS, *launch.DEV_LOCKS),
)


class PretendHouse(House):
    """A small tree of its own, with a real .venv; the installers are not run, only noted."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.done: list[str] = []
        self.breaks_at = ""
        for name in FILES:
            self.write(name, f"{name} pinned==1\n")

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def make_venv(self) -> None:
        super().make_venv()
        self.done.append("venv")

    def run(self, command: Sequence[str | Path], **settings: str) -> str | None:
        line = " ".join(map(str, command))
        if "--version" in line:
            return "pip 25"
        if "build_wheel" in line:
            Path(command[-1], "canasta-0-py3-none-any.whl").touch()
        job = next(
            job
            for job, sign in (
                ("build", "build_wheel"),
                ("project", ".whl"),
                ("uv", "bootstrap.txt"),
                ("packages", "runtime.txt"),
                ("tools", "dev.txt"),
            )
            if sign in line
        )
        if job == self.breaks_at:
            raise KeyboardInterrupt
        self.done.append(job)
        return ""

    def jobs(self, *, dev: bool = False) -> list[str]:
        self.done = []
        self.set_up(dev=dev)
        return self.done


@pytest.fixture
def house(tmp_path: Path) -> PretendHouse:
    return PretendHouse(tmp_path)


FIRST_TIME = ["venv", "uv", "packages", "build", "project"]


def test_first_start_installs_everything_and_the_second_nothing(
    house: PretendHouse, capsys: pytest.CaptureFixture[str]
) -> None:
    assert house.jobs() == FIRST_TIME
    told = capsys.readouterr()
    assert told.out == ""
    assert all(line.startswith("canasta: ") for line in told.err.splitlines())
    assert house.jobs() == []
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("changed", "jobs"),
    [
        ("src/canasta/cli.py", ["build", "project"]),
        ("src/canasta/rules/base.toml", ["build", "project"]),
        ("src/canasta/rules/new.py", ["build", "project"]),
        ("pyproject.toml", ["build", "project"]),
        ("setup.py", ["build", "project"]),
        ("requirements/runtime.txt", ["uv", "packages"]),
        ("requirements/build.txt", ["uv", "packages", "build", "project"]),
        ("requirements/dev.txt", []),
        ("src/canasta/__pycache__/cli.cpython-311.pyc", []),
        ("README.md", []),
    ],
)
def test_a_change_redoes_what_depends_on_it(house: PretendHouse, changed: str, jobs: list[str]) -> None:
    house.jobs()
    house.write(changed, "something else\n")
    assert house.jobs() == jobs
    assert house.jobs() == []


def test_a_renamed_module_is_a_change(house: PretendHouse) -> None:
    house.jobs()
    module = house.root / "src/canasta/cli.py"
    module.rename(module.with_name("commands.py"))
    assert house.jobs() == ["build", "project"]


@pytest.mark.skipif(not launch.will_compile(), reason="plain Python is all there is here")
def test_plain_python_can_be_asked_for_and_taken_back(
    house: PretendHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.jobs()
    monkeypatch.setenv("CANASTA_PURE", "1")
    assert house.jobs() == ["build", "project"]
    monkeypatch.delenv("CANASTA_PURE")
    assert house.jobs() == ["build", "project"]


def test_what_was_compiled_is_kept_only_while_the_recipe_stays(house: PretendHouse) -> None:
    house.jobs()
    house.write(".venv/build/lib/canasta.so", "compiled")
    house.write("src/canasta/cli.py", "changed\n")
    house.jobs()
    assert (house.build / "lib/canasta.so").exists()
    house.write("setup.py", "changed\n")
    house.jobs()
    assert not (house.build / "lib/canasta.so").exists()


def test_the_tools_come_with_the_first_test(house: PretendHouse) -> None:
    house.jobs()
    assert house.jobs(dev=True) == ["tools"]
    assert house.jobs(dev=True) == []
    assert house.jobs() == []
    house.write("requirements/dev.txt", "newer==2\n")
    assert house.jobs() == []
    assert house.jobs(dev=True) == ["tools"]


@pytest.mark.parametrize(
    ("breaks_at", "left_to_do"),
    [
        ("uv", ["uv", "packages", "build", "project"]),
        ("packages", ["uv", "packages", "build", "project"]),
        ("build", ["build", "project"]),
        ("project", ["build", "project"]),
    ],
)
def test_an_interrupted_set_up_is_taken_up_again(
    house: PretendHouse, breaks_at: str, left_to_do: list[str]
) -> None:
    house.breaks_at = breaks_at
    with pytest.raises(KeyboardInterrupt):
        house.jobs()
    house.breaks_at = ""
    assert house.jobs() == left_to_do


def test_an_interrupted_change_is_not_mistaken_for_the_old_state(house: PretendHouse) -> None:
    house.jobs()
    old = (house.root / "requirements/runtime.txt").read_text()
    house.write("requirements/runtime.txt", "newer==2\n")
    house.breaks_at = "packages"
    with pytest.raises(KeyboardInterrupt):
        house.jobs()
    house.breaks_at = ""
    house.write("requirements/runtime.txt", old)
    assert house.jobs() == ["uv", "packages"]


@pytest.mark.parametrize("text", ["", "{", "[]", '"yes"', "\x00"])
def test_a_spoilt_stamp_means_nothing_is_installed(house: PretendHouse, text: str) -> None:
    house.jobs()
    house.stamp.write_text(text)
    assert house.jobs() == FIRST_TIME


def test_a_python_that_went_away_voids_everything(house: PretendHouse) -> None:
    house.jobs()
    house.python.unlink()
    house.python.symlink_to("/nowhere/python3")
    assert not house.is_complete(house.wanted(dev=False))
    assert house.jobs() == FIRST_TIME


def test_a_second_launcher_waits_and_finds_the_work_done(
    house: PretendHouse, capsys: pytest.CaptureFixture[str]
) -> None:
    second = PretendHouse(house.root)
    waiting = threading.Thread(target=second.set_up, kwargs={"dev": False})
    with house.alone():
        waiting.start()
        waiting.join(timeout=0.3)
        assert waiting.is_alive()
        assert second.done == []
        house.make_venv()
        house.enter(**house.wanted(dev=False))
    waiting.join(timeout=20)
    assert not waiting.is_alive()
    assert second.done == []
    assert "waiting for another start" in capsys.readouterr().err


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
    def fail(self: House, *, dev: bool) -> None:
        raise error

    monkeypatch.setattr(House, "set_up", fail)
    assert launch.main(["play"]) == status
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.endswith(sentence)
    assert told.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "dev", "start"),
    [
        (["scenario", "a b.yaml"], False, ["-P", "-m", "canasta", "scenario", "a b.yaml"]),
        ([], False, ["-P", "-m", "canasta"]),
        (["test", "--long", "-k", "pile"], True, ["-P", f"{ROOT}/scripts/check.py", "--long", "-k", "pile"]),
    ],
)
def test_arguments_are_handed_on(
    arguments: list[str], dev: bool, start: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[str] = []
    asked: list[bool] = []
    monkeypatch.setattr(House, "set_up", lambda self, *, dev: asked.append(dev))
    monkeypatch.setattr("os.execv", lambda program, words: started.extend(words))
    launch.main(arguments)
    assert asked == [dev]
    assert started == [f"{ROOT}/.venv/bin/python", *start]


def test_an_old_python_is_told_so_in_one_sentence() -> None:
    pretend = (
        "import runpy, sys; sys.version_info = (3, 10, 13, 'final', 0); sys.argv = ['canasta', 'version']; "
        f"runpy.run_path({str(ROOT / 'canasta')!r}, run_name='__main__')"
    )
    answer = subprocess.run(
        [sys.executable, "-c", pretend], capture_output=True, text=True, check=False, timeout=60
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
