"""`canasta scenario`: the output format is one line per failure, then the count."""

from pathlib import Path

import pytest
from unit.cli.conftest import ROOT, Run

GOOD = """
- name: the first move is to draw
  clauses: [TURN-1]
  rules: caliente
  when: draw
  then: {phase: play, turn: 0}
"""
BAD = """
- name: a name that is so long that any program which thinks of windows would break it over two lines or three
  clauses: [TURN-1]
  rules: caliente
  when: draw
  then: {phase: draw, hand_size: {0: 44}, stock_size: 3, pile_size: 17}
"""


def test_all_passed(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "good.yaml"
    file.write_text(GOOD)
    result = run("scenario", str(file), str(file))
    assert (result.stdout, result.exit_code) == ("2 passed, 0 failed\n", 0)


def test_a_failure_is_one_line_however_long(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text(GOOD + BAD)
    result = run("scenario", str(tmp_path))
    failure, count = result.stdout.splitlines()
    assert failure.startswith(f"{tmp_path}/bad.yaml: a name that is so long")
    assert "expected" in failure
    assert "got" in failure
    assert count == "1 passed, 1 failed"
    assert result.exit_code == 1
    assert result.stderr == ""


def test_those_that_pass_are_named_on_demand(run: Run, tmp_path: Path) -> None:
    (tmp_path / "good.yaml").write_text(GOOD)
    assert run("scenario", "-v", str(tmp_path)).stdout.splitlines()[0].endswith("draw: passed")


@pytest.mark.parametrize(
    "content", [None, bytes(range(256)), b"- name: [", b"\xff\xfe1\x00", b"just text", b"\0"]
)
def test_what_is_no_scenario_file(run: Run, tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "x.yaml"
    if content is not None:
        file.write_bytes(content)
    (tmp_path / "good.yaml").write_text(GOOD)
    result = run("scenario", str(file), str(tmp_path / "good.yaml"))
    lines = result.stdout.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith(f"{file}: ")
    assert lines[1] == "1 passed, 1 failed"
    assert result.exit_code != 0


def test_a_folder_without_scenarios(run: Run, tmp_path: Path) -> None:
    result = run("scenario", str(tmp_path))
    assert result.stdout == "0 passed, 0 failed\n"
    assert result.stderr.startswith("canasta: no scenarios in ")
    assert result.exit_code == 2


def test_a_file_of_the_rulebook(run: Run) -> None:
    result = run("scenario", str(ROOT / "tests/rulebook/pile_frozen.yaml"))
    assert result.stdout.endswith(" passed, 0 failed\n")
    assert result.exit_code == 0
