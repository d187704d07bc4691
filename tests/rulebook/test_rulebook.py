"""Every scenario of the rulebook is a test case, and every clause is shown from both sides."""

import re
from functools import cache
from pathlib import Path

import pytest

from canasta.rules.clauses import CLAUSES
from canasta.scenarios.run import run_scenario, shows_allowed, shows_refused
from canasta.scenarios.schema import Scenario, ScenarioFile, load_file

FILES = sorted(Path(__file__).parent.glob("*.yaml"))
NAME = re.compile("^- name: (.*)$", re.MULTILINE)


@cache
def loaded(path: Path) -> ScenarioFile:
    """Parse a file when a test needs it: every test process collects the tests of all files."""
    return load_file(path)


def names_in(path: Path) -> list[str]:
    return NAME.findall(path.read_text(encoding="utf-8"))


def all_scenarios() -> list[Scenario]:
    return [scenario for path in FILES for scenario in loaded(path).scenarios]


@pytest.mark.parametrize(
    ("path", "number"),
    [
        pytest.param(path, number, id=f"{path.stem}: {name}")
        for path in FILES
        for number, name in enumerate(names_in(path))
    ],
)
def test_scenario(path: Path, number: int) -> None:
    assert run_scenario(loaded(path).scenarios[number]) == []


def test_there_are_files() -> None:
    assert FILES


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_scenario_of_a_file_is_run(path: Path) -> None:
    file = loaded(path)
    assert not file.problem
    names = [scenario.name for scenario in file.scenarios]
    assert names == names_in(path)
    assert sorted({name for name in names if names.count(name) > 1}) == []


def test_scenarios_name_only_clauses_that_exist() -> None:
    named = {clause for scenario in all_scenarios() for clause in scenario.clauses}
    assert sorted(named - set(CLAUSES) - {"NOTATION"}) == []


ONE_SIDED = {"SCOR-13"}
"""A worked example, which has no other side."""


@pytest.mark.parametrize("clause", CLAUSES)
def test_clause_is_shown_from_both_sides(clause: str) -> None:
    """Scenarios show what it allows, and what it refuses or how another preset or option reads it."""
    proofs = [scenario for scenario in all_scenarios() if clause in scenario.clauses]
    assert any(shows_allowed(scenario) for scenario in proofs)
    tables = {
        (scenario.rules, scenario.given.players, tuple(sorted(map(str, scenario.options.items()))))
        for scenario in proofs
    }
    both = any(shows_refused(scenario) for scenario in proofs) or len(tables) > 1
    assert both or clause in ONE_SIDED
