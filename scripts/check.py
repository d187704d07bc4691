"""Everything that CI checks, stage by stage: `./canasta test [--long] [arguments of pytest]`.

All stages run; the exit status is 0 only if none failed. A new part (a browser, a database) is one more entry
in `stages`, with the programs that it needs: where one is missing the stage is skipped in plain sight.
"""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

PYTHON_FILES = ("canasta", "setup.py", "scripts", "src", "tests")

NO_TESTS_SELECTED = 5
"""Pytest's exit status when the given arguments select nothing."""

COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class Stage:
    name: str
    command: Sequence[str]
    environment: dict[str, str] = field(default_factory=dict)
    needs: Sequence[str] = ()
    """Programs that must be installed."""
    is_shown: bool = False
    """Its output is shown as it comes; else only when the stage fails."""
    may_be_empty: bool = False
    """Arguments of pytest that select none of its tests are no failure."""


@dataclass(frozen=True)
class Outcome:
    stage: Stage
    verdict: str
    seconds: float
    closing_line: str = ""

    @property
    def failed(self) -> bool:
        return self.verdict == "FAILED"

    def line(self) -> str:
        return f"{self.stage.name:<12} {self.verdict:<7} {self.seconds:6.1f} s  {self.closing_line}".rstrip()


def stages(pytest_arguments: Sequence[str]) -> list[Stage]:
    python = [sys.executable, "-P", "-m"]
    pytest = [*python, "pytest", "-n", "2", "--dist", "worksteal", *pytest_arguments]
    linter = "from importlinter.cli import lint_imports_command as lint; lint()"
    from_source = {"PYTHONPATH": str(ROOT / "src")}
    colour = ["--color=yes"] if sys.stdout.isatty() else []
    return [
        Stage("format", [*python, "ruff", "format", "--check", *PYTHON_FILES]),
        Stage("lint", [*python, "ruff", "check", *PYTHON_FILES]),
        Stage("types", [*python, "mypy", *PYTHON_FILES]),
        Stage("layers", [sys.executable, "-P", "-c", linter], environment=from_source),
        Stage("tests", [*pytest, *colour], is_shown=True),
        Stage("interpreted", [*pytest, "-m", "interpreted"], environment=from_source, may_be_empty=True),
    ]


def run(stage: Stage) -> Outcome:
    for program in stage.needs:
        if shutil.which(program) is None:
            return Outcome(stage, "skipped", 0.0, f"{program} is not installed")
    begun = time.monotonic()
    lines: list[str] = []
    with subprocess.Popen(
        stage.command,
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
    status = process.returncode
    passed = status == 0 or (stage.may_be_empty and status == NO_TESTS_SELECTED)
    if not passed and not stage.is_shown:
        print("".join(lines), end="", flush=True)
    closing_line = COLOUR.sub("", lines[-1]).strip("= \n") if lines and "pytest" in stage.command else ""
    return Outcome(stage, "ok" if passed else "FAILED", time.monotonic() - begun, closing_line)


def main(arguments: list[str]) -> int:
    outcomes = []
    for stage in stages(arguments):
        outcome = run(stage)
        outcomes.append(outcome)
        print(outcome.line(), flush=True)
    failed = [outcome.stage.name for outcome in outcomes if outcome.failed]
    skipped = [outcome.stage.name for outcome in outcomes if outcome.verdict == "skipped"]
    if skipped:
        print(f"{len(skipped)} of {len(outcomes)} stages skipped: {', '.join(skipped)}")
    print(f"failed: {', '.join(failed)}" if failed else f"all {len(outcomes) - len(skipped)} stages passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
