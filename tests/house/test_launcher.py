"""The launcher: what it installs, when, and what it says if it cannot."""

import ast
import os
import re
import shutil
import subprocess
import sys
import threading
import zipfile
from collections.abc import Sequence
from pathlib import Path

import launch
import pytest
import system
from launch import BUILDING, COMPILED, INSTALLING, PLAIN, House, Trouble

ROOT = Path(__file__).resolve().parents[2]

FILES = (
    *(
        "canasta",
        "LICENSE",
        "pyproject.toml",
        "setup.py",
        "src/canasta/commands/line.py",
        "src/canasta/rules/base.toml",
    ),
    *(launch.BOOTSTRAP_LOCK, *launch.RUN_LOCKS, *launch.DEV_LOCKS, "scripts/launch.py"),
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
        kind = PLAIN if settings.get("CANASTA_PURE") == "1" else COMPILED
        if "build_wheel" in line:
            with zipfile.ZipFile(Path(command[-1], "canasta-0-py3-none-any.whl"), "w") as wheel:
                wheel.writestr("canasta/kind.py", f"KIND = {kind!r}\n")
            self.while_building()
        job = next(
            job
            for job, sign in (
                (kind, "build_wheel"),
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

    def while_building(self) -> None:
        """For something to happen in the middle of a build."""

    def compile_later(self) -> None:
        self.done.append("later")

    def jobs(self, *, dev: bool = False, at_once: bool = False) -> list[str]:
        self.done = []
        self.set_up(dev=dev, at_once=at_once)
        return self.done

    def jobs_of_background(self) -> list[str]:
        self.done = []
        self.compile_now()
        return self.done

    def kind_found(self) -> str:
        """What Python in .venv imports."""
        command = [str(self.python), "-I", "-c", "from canasta.kind import KIND; print(KIND)"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture(autouse=True)
def compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every machine is taken for one with a compiler; nothing is compiled."""
    monkeypatch.delenv("CANASTA_PURE", raising=False)
    monkeypatch.setattr(
        launch, "will_compile", lambda: os.environ.get("CANASTA_PURE", "") == "", raising=True
    )


@pytest.fixture
def house(tmp_path: Path) -> PretendHouse:
    return PretendHouse(tmp_path)


FIRST_TIME = ["venv", "uv", "packages", COMPILED]
AT_ONCE = ["venv", "uv", "packages", PLAIN, "later"]


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
        ("src/canasta/commands/line.py", [COMPILED]),
        ("src/canasta/rules/base.toml", [COMPILED]),
        ("src/canasta/rules/new.py", [COMPILED]),
        ("pyproject.toml", [COMPILED]),
        ("setup.py", [COMPILED]),
        ("requirements/runtime.txt", ["uv", "packages"]),
        ("requirements/build.txt", ["uv", "packages", COMPILED]),
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
    module = house.root / "src/canasta/commands/line.py"
    module.rename(module.with_name("commands.py"))
    assert house.jobs() == [COMPILED]


def test_plain_python_can_be_asked_for_and_taken_back(
    house: PretendHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.jobs()
    monkeypatch.setenv("CANASTA_PURE", "1")
    assert house.jobs() == [PLAIN]
    assert house.kind_found() == PLAIN
    monkeypatch.delenv("CANASTA_PURE")
    assert house.jobs(at_once=True) == []
    assert house.kind_found() == COMPILED


def kept(house: House) -> list[str]:
    return [path.name for path in house.venv.rglob("object.o")]


def test_what_was_compiled_is_kept_only_while_the_recipe_stays(house: PretendHouse) -> None:
    house.jobs()
    (folder,) = (house.venv / "build").iterdir()
    (folder / "object.o").touch()
    house.write("src/canasta/commands/line.py", "changed\n")
    house.jobs()
    assert kept(house) == ["object.o"]
    house.write("setup.py", "changed\n")
    house.jobs()
    assert kept(house) == []


def test_what_a_build_that_was_cut_off_left_is_not_used(house: PretendHouse) -> None:
    house.breaks_at = COMPILED
    with pytest.raises(KeyboardInterrupt):
        house.jobs()
    (folder,) = (house.venv / "build").iterdir()
    (folder / "object.o").touch()
    (folder / "wheel/canasta-0-py3-none-any.whl").unlink()
    house.breaks_at = ""
    house.jobs()
    assert kept(house) == []


# Tables open at once and are compiled for later.


def test_a_table_opens_as_plain_python_and_the_next_one_compiled(
    house: PretendHouse, capsys: pytest.CaptureFixture[str]
) -> None:
    assert house.jobs(at_once=True) == AT_ONCE
    assert house.kind_found() == PLAIN
    assert house.jobs_of_background() == [COMPILED]
    assert house.jobs_of_background() == []
    capsys.readouterr()
    assert house.jobs(at_once=True) == []
    assert house.kind_found() == COMPILED
    assert capsys.readouterr() == ("", "")


def test_a_second_table_before_the_compiler_is_done_builds_nothing(house: PretendHouse) -> None:
    house.jobs(at_once=True)
    with house.alone(BUILDING):
        assert house.jobs(at_once=True) == ["later"]
        assert house.jobs_of_background() == []


def test_after_a_change_a_table_does_not_wait_for_the_compiler_either(house: PretendHouse) -> None:
    house.jobs()
    house.write("src/canasta/commands/line.py", "changed\n")
    with house.alone(BUILDING):
        assert house.jobs(at_once=True) == [PLAIN, "later"]
    assert house.kind_found() == PLAIN


def test_where_nothing_can_be_compiled_nothing_is_put_off(
    house: PretendHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CANASTA_PURE", "1")
    assert house.jobs(at_once=True) == ["venv", "uv", "packages", PLAIN]
    assert house.jobs(at_once=True) == []


def test_other_commands_compile_first(house: PretendHouse) -> None:
    house.jobs(at_once=True)
    assert house.jobs() == [COMPILED]
    assert house.kind_found() == COMPILED
    assert house.jobs_of_background() == []


def test_a_background_build_that_was_cut_off_leaves_the_plain_one(house: PretendHouse) -> None:
    house.jobs(at_once=True)
    house.breaks_at = COMPILED
    with pytest.raises(KeyboardInterrupt):
        house.jobs_of_background()
    assert house.kind_found() == PLAIN
    house.breaks_at = ""
    assert house.jobs(at_once=True) == ["later"]
    assert house.jobs_of_background() == [COMPILED]
    assert house.kind_found() == COMPILED


def test_an_edit_during_a_build_is_never_taken_for_what_was_built(house: PretendHouse) -> None:
    house.jobs(at_once=True)
    house.while_building = lambda: house.write("src/canasta/commands/line.py", "edited\n")  # type: ignore[method-assign]
    with pytest.raises(
        Trouble, match=r"^the source was changed while canasta was being built; start it again\.$"
    ):
        house.jobs_of_background()
    assert house.kind_found() == PLAIN
    assert [path.name.rpartition("-")[2] for path in house.builds.iterdir()] == [PLAIN]


def test_the_background_does_nothing_where_the_packages_are_not_those_wanted(house: PretendHouse) -> None:
    assert house.jobs_of_background() == []
    house.jobs(at_once=True)
    house.write("requirements/runtime.txt", "newer==2\n")
    assert house.jobs_of_background() == []


def test_a_build_in_use_outlives_the_change_of_its_source(house: PretendHouse) -> None:
    house.jobs()
    (old,) = house.builds.iterdir()
    handle = house.keep_build()
    house.write("src/canasta/commands/line.py", "changed\n")
    house.jobs()
    assert (old / "canasta/kind.py").exists()
    os.close(handle)
    house.write("src/canasta/commands/line.py", "changed again\n")
    house.jobs()
    assert not old.exists()
    assert len([*house.builds.iterdir()]) == 1


def test_a_build_that_was_deleted_is_made_again(house: PretendHouse) -> None:
    house.jobs()
    for path in [*house.builds.rglob("*.py"), *house.builds.rglob("canasta"), *house.builds.iterdir()]:
        path.rmdir() if path.is_dir() else path.unlink()
    assert house.jobs() == [COMPILED]


def test_the_background_compiler_is_this_file_and_starts_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    started: list[tuple[list[str], dict[str, object]]] = []
    monkeypatch.setattr("subprocess.Popen", lambda words, **settings: started.append((words, settings)))
    House(tmp_path).compile_later()
    ((words, settings),) = started
    assert words == [sys.executable, str(tmp_path / "scripts/launch.py")]
    assert settings["start_new_session"]
    assert settings["stdout"] == settings["stderr"] == subprocess.DEVNULL
    assert re.fullmatch(r"canasta: plain Python this time; [^\n]+ the next start\n", capsys.readouterr().err)


# The tools, interruptions, other launchers


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
        ("uv", ["uv", "packages", COMPILED]),
        ("packages", ["uv", "packages", COMPILED]),
        (COMPILED, [COMPILED]),
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
    assert not house.is_complete(house.wanted(dev=False, kind=COMPILED))
    assert house.jobs() == FIRST_TIME


def test_a_second_launcher_waits_and_finds_the_work_done(
    house: PretendHouse, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    second = PretendHouse(house.root)
    waiting = threading.Thread(target=second.set_up, kwargs={"dev": False})
    waits = threading.Event()
    wait_for_lock = system._wait_for_lock

    def wait(handle: int) -> None:
        waits.set()
        wait_for_lock(handle)

    monkeypatch.setattr(system, "_wait_for_lock", wait)
    with house.alone(INSTALLING):
        waiting.start()
        assert waits.wait(timeout=300)
        assert second.done == []
        house.make_venv()
        wanted = house.wanted(dev=False, kind=COMPILED)
        (house.builds / wanted["build"]).mkdir(parents=True)
        house.enter(**wanted)
    waiting.join(timeout=300)
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
    """It comes while the interpreter of the program starts, and is answered by the program."""
    code = (
        "import os, signal, sys; sys.path.insert(0, sys.argv[1]); import launch\n"
        "told = [sys.executable, '-c', 'from canasta.__main__ import main; main()', 'version']\n"
        "execv = os.execv\n"
        "os.execv = lambda *words: (os.kill(os.getpid(), signal.SIGINT), execv(*words))\n"
        "launch.system.become(told, hold_back=True)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(ROOT / "scripts")], capture_output=True, check=False, timeout=60
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
