"""Every scenario of the rulebook is a test case, and every clause is shown from both sides."""

from pathlib import Path

import pytest

from canasta.rules.clauses import CLAUSES
from canasta.scenarios.run import run_scenario, shows_allowed, shows_refused
from canasta.scenarios.schema import Scenario, ScenarioFile, load_file

FILES = sorted(Path(__file__).parent.glob("*.yaml"))
LOADED = [load_file(path) for path in FILES]


def all_scenarios() -> list[Scenario]:
    return [scenario for file in LOADED for scenario in file.scenarios]


def named_scenarios() -> list[object]:
    return [
        pytest.param(scenario, id=f"{path.stem}: {scenario.name}")
        for path, file in zip(FILES, LOADED, strict=True)
        for scenario in file.scenarios
    ]


@pytest.mark.parametrize("scenario", named_scenarios())
def test_scenario(scenario: Scenario) -> None:
    assert run_scenario(scenario) == []


def test_every_file_can_be_read() -> None:
    assert FILES
    assert {file.path: file.problem for file in LOADED if file.problem} == {}


@pytest.mark.parametrize("file", LOADED, ids=[path.stem for path in FILES])
def test_no_two_scenarios_of_a_file_share_a_name(file: ScenarioFile) -> None:
    names = [scenario.name for scenario in file.scenarios]
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
