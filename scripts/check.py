"""Run every CI check, stage by stage: `./canasta test [--install] [--long] [arguments of pytest]`.

All stages run, and the exit status is 0 only if none failed. To add a check, add an entry to `stages` with
the programs it needs; if one is missing, the stage is reported as skipped.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

PYTHON_FILES = (
    "canasta", "setup.py", "benchmarks", "docs/conf.py", "examples", "scripts", "src", "tests", "training",
)  # fmt: skip

RUN_THERE = ("canasta", "setup.py", "scripts/launch.py", "src")
WINDOWS_TYPES = ".mypy_cache/windows"
"""Files that must also run on Windows, and the cache of their types."""

TESTS_FAILED = 1
"""Pytest's exit status if it ran all tests and some of them failed."""

NO_TESTS_SELECTED = 5
"""Pytest's exit status if the given arguments select no tests."""

LAST_FAILED = Path(".pytest_cache", "v", "cache", "lastfailed")
"""The file in which pytest keeps the names of the tests that failed last, relative to the root."""

MOST_RETRIED = 3
"""Number of failed tests that get a second try; more than that aren't an accident."""

SKIPPED = 77
"""Exit status of our own scripts if something is missing; the last line of output says what."""

WORKERS = min(8, (os.cpu_count() or 1) + 1)
"""Number of test processes: one more than the cores, because tests that wait for a page use no processor."""

COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class Stage:
    name: str
    command: Sequence[str]
    environment: dict[str, str] = field(default_factory=dict)
    needs: Sequence[str] = ()
    """Programs that must be installed."""
    is_shown: bool = False
    """Whether its output is shown as it comes, rather than only if it fails."""
    may_be_empty: bool = False
    """Whether selecting no tests is acceptable."""
    is_alone: bool = False
    """Whether it uses the whole machine; the other stages run before it, two at a time."""
    second_try: Sequence[str] = ()
    """Command that runs the tests in `LAST_FAILED` again; without one, the first failure decides."""


@dataclass(frozen=True)
class Outcome:
    stage: Stage
    verdict: str
    seconds: float
    closing_line: str = ""
    output: str = ""
    """Output that has not been shown yet."""
    unstable: Sequence[str] = ()
    """Tests that failed at first and passed on the second try."""

    @property
    def failed(self) -> bool:
        return self.verdict == "FAILED"

    def line(self) -> str:
        line = f"{self.stage.name:<12} {self.verdict:<7} {self.seconds:6.1f} s  {self.closing_line}".rstrip()
        return "\n".join([line, *(f"flaky: passed on the second try: {test}" for test in self.unstable)])


def stages(pytest_arguments: Sequence[str], *, install: bool = False) -> list[Stage]:
    python = [sys.executable, "-P", "-m"]
    pytest = [*python, "pytest", "-n", str(WORKERS), "--dist", "worksteal", *pytest_arguments]
    linter = "from importlinter.cli import lint_imports_command as lint; lint()"
    from_source = {"PYTHONPATH": str(ROOT / "src")}
    colour = ["--color=yes"] if sys.stdout.isatty() else []
    files = [name for name in PYTHON_FILES if (ROOT / name).exists()]
    return [
        # Start long stages first; they run in parallel with the short ones.
        Stage("programs", [sys.executable, "scripts/programs.py", *(["--install"] if install else [])]),
        Stage("web", [sys.executable, "scripts/check_web.py"], needs=["node", "npm"]),
        Stage("types", [*python, "mypy", *files]),
        # Reject calls that only Linux and macOS have, according to Python's own type stubs.
        Stage("windows", [*python, "mypy", "--platform", "win32", "--cache-dir", WINDOWS_TYPES, *RUN_THERE]),
        Stage("docs", [sys.executable, "scripts/check_docs.py"]),
        Stage("layers", [sys.executable, "-P", "-c", linter], environment=from_source),
        Stage("style", [sys.executable, "scripts/check_style.py"], needs=["git"]),
        Stage("lint", [*python, "ruff", "check", *files]),
        Stage("format", [*python, "ruff", "format", "--check", *files]),
        # Fill Python's bytecode cache, which in a fresh clone every test process would have to do itself.
        Stage("collect", [*python, "pytest", "--collect-only", "-q", *pytest_arguments], may_be_empty=True),
        Stage(
            "tests",
            [*pytest, "--durations=10", *colour],
            is_shown=True,
            is_alone=True,
            second_try=[*pytest, "-n", "0", "--last-failed", "--last-failed-no-failures=none", *colour],
        ),
        Stage(
            "interpreted",
            [*pytest, "-m", "interpreted"],
            environment=from_source,
            may_be_empty=True,
            is_alone=True,
        ),
    ]


def run(stage: Stage) -> Outcome:
    for program in stage.needs:
        if shutil.which(program) is None:
            return Outcome(stage, "skipped", 0.0, f"{program} is not installed")
    begun = time.monotonic()
    if stage.second_try:
        (ROOT / LAST_FAILED).unlink(missing_ok=True)
    status, lines = execute(stage, stage.command)
    last_line = lines[-1] if lines else ""
    unstable = failed_tests() if stage.second_try and status == TESTS_FAILED else []
    if 0 < len(unstable) <= MOST_RETRIED:
        print(f"{len(unstable)} failed; once more, alone in one process:", *unstable, sep="\n", flush=True)
        status, again = execute(stage, stage.second_try)
        lines += again
        status = status or (TESTS_FAILED if failed_tests() else 0)
    passed = status == 0 or (stage.may_be_empty and status == NO_TESTS_SELECTED)
    verdict = "ok" if passed else "skipped" if status == SKIPPED else "FAILED"
    says_how_it_went = verdict == "skipped" or "pytest" in stage.command
    closing_line = COLOUR.sub("", last_line).strip("= \n") if says_how_it_went else ""
    output = "".join(lines) if verdict == "FAILED" and not stage.is_shown else ""
    seconds = time.monotonic() - begun
    return Outcome(stage, verdict, seconds, closing_line, output, unstable if verdict == "ok" else [])


def execute(stage: Stage, command: Sequence[str]) -> tuple[int, list[str]]:
    """Run a command of a stage; return its exit status and its output."""
    lines: list[str] = []
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, **stage.environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line)
            if stage.is_shown:
                print(line, end="", flush=True)
    return process.returncode, lines


def failed_tests() -> list[str]:
    """Return the tests that failed in the last run of pytest."""
    try:
        return sorted(json.loads((ROOT / LAST_FAILED).read_text(encoding="utf-8")))
    except FileNotFoundError:
        return []


def run_all(plan: Iterable[Stage]) -> Iterator[Outcome]:
    plan = list(plan)
    with ThreadPoolExecutor(2) as pool:
        for done in as_completed([pool.submit(run, stage) for stage in plan if not stage.is_alone]):
            yield done.result()
    yield from (run(stage) for stage in plan if stage.is_alone)


def main(arguments: list[str]) -> int:
    install = "--install" in arguments
    outcomes = []
    for outcome in run_all(
        stages([argument for argument in arguments if argument != "--install"], install=install)
    ):
        outcomes.append(outcome)
        print(f"{outcome.output}{outcome.line()}", flush=True)
    failed = [outcome.stage.name for outcome in outcomes if outcome.failed]
    unstable = [test for outcome in outcomes for test in outcome.unstable]
    skipped = [outcome.stage.name for outcome in outcomes if outcome.verdict == "skipped"]
    if skipped:
        print(f"{len(skipped)} of {len(outcomes)} stages skipped: {', '.join(skipped)}")
    summary = (
        f"failed: {', '.join(failed)}" if failed else f"all {len(outcomes) - len(skipped)} stages passed"
    )
    print(summary + (f"; flaky: {', '.join(unstable)}" if unstable else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
