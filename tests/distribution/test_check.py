"""`./canasta test` runs every stage, counts failures and names what is missing."""

import os
import re
import shutil
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import check
import check_docs
import check_web
import programs
import pytest
from check import Outcome, Stage


def python(name: str, code: str, *, shown: bool = False) -> Stage:
    return Stage(name, [sys.executable, "-c", code], is_shown=shown)


def test_all_stages_run_and_one_failure_decides(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = [
        python("quiet", "print('all is well')"),
        python("broken", "print('why it failed'); raise SystemExit(3)"),
        python("after", "print('as it comes')", shown=True),
    ]
    monkeypatch.setattr(check, "stages", lambda arguments, install: plan)
    assert check.main([]) == 1
    told = capsys.readouterr().out.splitlines()
    assert sorted(line.split()[:2] for line in told if line.endswith(" s")) == [
        ["after", "ok"],
        ["broken", "FAILED"],
        ["quiet", "ok"],
    ]
    assert told[-1] == "failed: broken"
    assert "why it failed" in told
    assert "as it comes" in told
    assert "all is well" not in told


def test_a_missing_program_is_a_skip_in_plain_sight(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = [python("quick", ""), Stage("browser", ["never-run"], needs=["no-such-browser"])]
    monkeypatch.setattr(check, "stages", lambda arguments, install: plan)
    assert check.main([]) == 0
    told = capsys.readouterr().out
    assert "no-such-browser is not installed" in told
    assert told.endswith("1 of 2 stages skipped: browser\nall 1 stages passed\n")


def test_the_closing_line_of_pytest_is_repeated() -> None:
    code = "print('\\x1b[32m===== \\x1b[1m3 passed, 1 skipped\\x1b[0m in 0.01s =====\\x1b[0m')"
    outcome = check.run(Stage("tests", [sys.executable, "-c", code, "pytest"]))
    assert outcome.line().endswith("  3 passed, 1 skipped in 0.01s")


@pytest.mark.parametrize(("may_be_empty", "verdict"), [(True, "ok"), (False, "FAILED")])
def test_selecting_no_test_is_a_failure_save_where_allowed(may_be_empty: bool, verdict: str) -> None:
    stage = Stage("tests", [sys.executable, "-c", "raise SystemExit(5)"], may_be_empty=may_be_empty)
    assert check.run(stage).verdict == verdict


def test_arguments_reach_all_runs_of_pytest() -> None:
    runs = [stage for stage in check.stages(["--long", "-k", "pile"]) if "pytest" in stage.command]
    assert [stage.name for stage in runs] == ["collect", "tests", "interpreted"]
    for stage in runs:
        assert "--long -k pile" in " ".join(stage.command)
    assert list(runs[-1].command[-2:]) == ["-m", "interpreted"]


def test_a_script_may_skip_itself_and_says_why() -> None:
    stage = python("docs", f"print('there is none yet'); raise SystemExit({check.SKIPPED})")
    outcome = check.run(stage)
    assert (outcome.verdict, outcome.closing_line, outcome.output) == ("skipped", "there is none yet", "")


def test_short_stages_run_beside_each_other_and_long_ones_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    both_here = threading.Barrier(2, timeout=300)
    order: list[str] = []

    def pretend(stage: Stage) -> Outcome:
        if not stage.is_alone:
            both_here.wait()
        order.append(stage.name)
        return Outcome(stage, "ok", 0.0)

    monkeypatch.setattr(check, "run", pretend)
    plan = [Stage("alone", [], is_alone=True), Stage("one", []), Stage("two", [])]
    assert {outcome.stage.name for outcome in check.run_all(plan)} == {"alone", "one", "two"}
    assert order[-1] == "alone"


def test_installing_programs_is_asked_for_and_not_told_to_pytest(monkeypatch: pytest.MonkeyPatch) -> None:
    (stage,) = [stage for stage in check.stages([], install=True) if stage.name == "programs"]
    assert stage.command[-1] == "--install"
    asked: list[tuple[list[str], bool]] = []

    def plan(arguments: list[str], *, install: bool) -> list[Stage]:
        asked.append((arguments, install))
        return []

    monkeypatch.setattr(check, "stages", plan)
    check.main(["-k", "pile"])
    check.main(["--install", "-k", "pile"])
    assert asked == [(["-k", "pile"], False), (["-k", "pile"], True)]


# The second try

STEADY = "def test_steady(): pass\n"
FLAKY = """
from pathlib import Path

def test_flaky():
    seen = Path(__file__).with_name("seen")
    if not seen.exists():
        seen.touch()
        raise AssertionError("the machine was busy")
"""
BROKEN = """
import pytest

@pytest.mark.parametrize("number", range({count}))
def test_broken(number):
    raise AssertionError("broken for good")
"""


def run_suite(monkeypatch: pytest.MonkeyPatch, folder: Path, *, shown: bool = False, **files: str) -> Outcome:
    """Run the stage `tests` on a suite with these test modules."""
    (folder / "pytest.ini").write_text("[pytest]\n")
    for name, text in files.items():
        (folder / f"test_{name}.py").write_text(text)
    monkeypatch.setattr(check, "ROOT", folder)
    monkeypatch.setattr(check, "WORKERS", 1)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # loading them takes longer than such a suite
    (stage,) = [stage for stage in check.stages(["-p", "xdist"]) if stage.name == "tests"]
    return check.run(replace(stage, is_shown=shown))


def test_a_test_that_passes_on_the_second_try_is_flaky(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outcome = run_suite(monkeypatch, tmp_path, shown=True, steady=STEADY, flaky=FLAKY)
    assert (outcome.verdict, outcome.unstable) == ("ok", ["test_flaky.py::test_flaky"])
    first, second = outcome.line().splitlines()
    assert re.fullmatch(r"tests +ok +\S+ s  1 failed, 1 passed in .*", first)
    assert second == "flaky: passed on the second try: test_flaky.py::test_flaky"
    output = capsys.readouterr().out
    assert "the machine was busy" in output
    assert "\n1 failed; once more, alone in one process:\ntest_flaky.py::test_flaky\n" in output
    assert "1 passed" in output.splitlines()[-1]
    assert run_suite(monkeypatch, tmp_path, flaky=FLAKY, steady=STEADY).unstable == []


def test_a_test_that_fails_twice_is_a_failure(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    outcome = run_suite(monkeypatch, tmp_path, flaky=FLAKY, broken=BROKEN.format(count=1))
    assert (outcome.verdict, outcome.unstable) == ("FAILED", [])
    assert outcome.output.count("E       AssertionError: broken for good") == 2
    assert outcome.output.count("E           AssertionError: the machine was busy") == 1


def test_many_failures_get_no_second_try(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    outcome = run_suite(monkeypatch, tmp_path, flaky=FLAKY, broken=BROKEN.format(count=check.MOST_RETRIED))
    assert (outcome.verdict, outcome.unstable) == ("FAILED", [])
    assert outcome.output.count("once more") == 0
    assert f"{check.MOST_RETRIED + 1} failed" in outcome.line()


def test_a_module_that_cannot_be_read_is_a_failure(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert run_suite(monkeypatch, tmp_path, steady=STEADY, torn="import no_such_module\n").failed


def test_the_summary_names_flaky_tests(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = [python("tests", "")]
    monkeypatch.setattr(check, "stages", lambda arguments, install: plan)
    monkeypatch.setattr(check, "run", lambda stage: Outcome(stage, "ok", 1.0, unstable=["test_a.py::test_b"]))
    assert check.main([]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "tests        ok         1.0 s",
        "flaky: passed on the second try: test_a.py::test_b",
        "all 1 stages passed; flaky: test_a.py::test_b",
    ]


# The programs that tests need


class Debian:
    """A machine with apt-get, which may fail."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, *there: str, user: int = 0, works: bool = True
    ) -> None:
        self.there = set(there)
        self.works = works
        self.calls: list[list[str]] = []
        monkeypatch.setattr(os, "geteuid", lambda: user)
        monkeypatch.setattr(shutil, "which", lambda name: "/usr/bin/apt-get" if name == "apt-get" else None)
        monkeypatch.setattr(programs, "is_there", lambda program: program in self.there)
        monkeypatch.setattr(subprocess, "run", self.run)

    def run(self, command: list[str], **settings: object) -> subprocess.CompletedProcess[str]:
        words = [word for word in command[1:] if not word.startswith("-")]
        if "--download-only" not in command:
            self.calls.append(words)
        if self.works and words[0] == "install":
            self.there |= {programs.PACKAGES[word] for word in words[1:] if word in programs.PACKAGES}
        return subprocess.CompletedProcess(command, 0 if self.works else 100)


def test_root_has_the_programs_installed_when_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    machine = Debian(monkeypatch, "initdb")
    assert programs.main(["--install"]) == 0
    assert machine.calls == [["install", "chromium", "redis-server", "fonts-dejavu-core"]]
    assert programs.main(["--install"]) == 0
    assert len(machine.calls) == 1
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(("user", "arguments"), [(0, []), (1000, []), (1000, ["--install"])])
def test_nobody_else_gets_anything_installed(
    user: int, arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    machine = Debian(monkeypatch, user=user)
    assert programs.main(arguments) == check.SKIPPED
    assert machine.calls == []
    assert capsys.readouterr().out.startswith("not installed: chromium, postgresql, redis-server")


def test_a_mirror_that_fails_is_no_failure_of_the_check(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    machine = Debian(monkeypatch, "chromium", "initdb", works=False)
    assert programs.main(["--install"]) == check.SKIPPED
    assert machine.calls == [["update"]]
    assert capsys.readouterr().out == "not installed: redis-server\n"


# The documentation and the browser table


def test_dead_links_are_found_and_live_ones_are_not(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "a b.png").touch()
    (tmp_path / "index.html").write_text(
        '<h1 id="top"></h1><a href="#top"></a><a href="rules/"></a><a href="rules/index.html#pile"></a>'
        '<img src="a%20b.png"><a href="https://elsewhere.example/gone"></a><a href="mailto:us@example.org">'
        '<a href="gone.html"></a><a href="#bottom"></a><a href="rules/index.html#stock"></a>'
    )
    (tmp_path / "rules/index.html").write_text(
        '<p id="pile"></p><a href="../index.html#top"></a><a href="..">'
    )
    assert check_docs.dead_links(tmp_path) == [
        "index.html: gone.html",
        "index.html: #bottom",
        "index.html: rules/index.html#stock",
    ]


def test_built_assets_are_compared_by_name_and_content(tmp_path: Path) -> None:
    for side in ("built", "committed"):
        (tmp_path / side / "assets").mkdir(parents=True)
        (tmp_path / side / "index.html").write_text("<main>")
        (tmp_path / side / "assets/table.js").write_text("deal()")
    built, committed = tmp_path / "built", tmp_path / "committed"
    assert check_web.differences(built, committed) == []
    (built / "assets/table.js").write_text("draw()")
    (built / "assets/new.js").touch()
    (committed / "assets/old.js").touch()
    assert check_web.differences(built, committed) == ["assets/new.js", "assets/old.js", "assets/table.js"]
