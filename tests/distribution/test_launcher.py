"""The launcher's installations, and when they happen."""

import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import system
from distribution.fake_checkout import PretendHouse
from launch import BUILDING, COMPILED, INSTALLING, PLAIN, CompileError, House, Trouble

pytestmark = pytest.mark.usefixtures("compiler")

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
        ("src/canasta/commands/cli.py", [COMPILED]),
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
    module = house.root / "src/canasta/commands/cli.py"
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
    house.write("src/canasta/commands/cli.py", "changed\n")
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
    next(folder.glob("wheel/*.whl")).unlink()
    house.breaks_at = ""
    house.jobs()
    assert kept(house) == []


# Tables open at once; the engine is compiled in the background for the next start.


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
    house.write("src/canasta/commands/cli.py", "changed\n")
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


SLOW = "canasta: the engine is not compiled (the C compiler failed) and runs 26 to 40 times slower; "


def test_a_failed_compilation_is_reported_at_every_start_and_not_repeated(
    house: PretendHouse, capfd: pytest.CaptureFixture[str]
) -> None:
    assert house.jobs(at_once=True) == ["venv", "uv", "packages", PLAIN, "later"]
    house.compiler_works = False
    with pytest.raises(CompileError, match=r"^the C compiler failed$"):
        house.jobs_of_background()
    capfd.readouterr()
    for _ in range(2):
        assert house.jobs(at_once=True) == []
        assert capfd.readouterr().err.startswith(SLOW)
    assert house.jobs() == []
    assert house.kind_found() == PLAIN
    assert not list(house.builds.glob(f"*-{COMPILED}"))


def test_a_command_that_needs_speed_falls_back_and_says_so(
    house: PretendHouse, capfd: pytest.CaptureFixture[str]
) -> None:
    house.compiler_works = False
    assert house.jobs() == [*FIRST_TIME, PLAIN]
    assert SLOW in capfd.readouterr().err
    assert house.kind_found() == PLAIN


def test_another_source_or_compiler_is_compiled_again(
    house: PretendHouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.compiler_works = False
    house.jobs()
    house.compiler_works = True
    assert house.jobs() == []
    other = tmp_path / "other-cc"
    other.touch(mode=0o755)
    monkeypatch.setenv("CC", str(other))
    assert house.jobs() == [COMPILED]
    assert house.kind_found() == COMPILED
    monkeypatch.delenv("CC")
    assert house.jobs() == []


def test_a_compiled_build_can_be_required(house: PretendHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CANASTA_COMPILED", "require")
    house.compiler_works = False
    with pytest.raises(CompileError):
        house.jobs(at_once=True)
    house.compiler_works = True
    assert house.jobs(at_once=True) == [COMPILED]
    assert house.kind_found() == COMPILED
    monkeypatch.setenv("CANASTA_PURE", "1")
    with pytest.raises(Trouble, match=r"^CANASTA_COMPILED=require is set, but"):
        house.jobs()


def test_an_edit_during_a_build_is_never_taken_for_what_was_built(house: PretendHouse) -> None:
    house.jobs(at_once=True)
    house.while_building = lambda: house.write("src/canasta/commands/cli.py", "edited\n")  # type: ignore[method-assign]
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
    house.write("src/canasta/commands/cli.py", "changed\n")
    house.jobs()
    assert (old / "canasta/kind.py").exists()
    os.close(handle)
    house.write("src/canasta/commands/cli.py", "changed again\n")
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


# The tools, interruptions and other launchers


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
