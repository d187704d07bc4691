"""Both builds, compiled and interpreted, reproduce the counts of the data files."""

import json
from typing import Any

import pytest
from perft.counting import FOLDER, Case, cases, checksum, count, counts, places_of, positions, written

SHALLOW = 400
"""Sequences up to this number are also counted by the slow, interpreted engine."""


def data_of(case: Case) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(case.path.read_text())
    return data


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.path.stem)
def test_counts(case: Case) -> None:
    assert {place: counts(state) for place, state in positions(case)} == data_of(case)["positions"]


@pytest.mark.interpreted
@pytest.mark.parametrize("case", cases(), ids=lambda case: case.path.stem)
def test_shallow_counts(case: Case) -> None:
    data = data_of(case)["positions"]
    for place, state in positions(case):
        expected = [number for number in data[place] if number <= SHALLOW]
        assert [count(state, depth + 1) for depth in range(len(expected))] == expected


@pytest.mark.interpreted
@pytest.mark.parametrize("case", cases(), ids=lambda case: case.path.stem)
def test_checksum_of_random_hands(case: Case) -> None:
    assert checksum(case) == data_of(case)["checksum"]


def test_every_case_has_its_file_and_no_other() -> None:
    assert {path.name for path in FOLDER.glob("*.json")} == {case.path.name for case in cases()}


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.path.stem)
def test_files_are_complete(case: Case) -> None:
    data = data_of(case)
    assert set(data["positions"]) == set(places_of(case.tables()))
    assert all(
        numbers[-1] > 0 and (len(numbers) > 2 or numbers[-1] > 1000) for numbers in data["positions"].values()
    )
    assert (data["preset"], data["players"]) == case


def test_the_checksum_hears_of_everything() -> None:
    """One more hand or a different table gives a different checksum."""
    case = Case("caliente", 4)
    sums = {
        checksum(case, 1),
        checksum(case, 2),
        checksum(Case("caliente", 2), 1),
        checksum(Case("jaques", 4), 1),
    }
    assert len(sums) == 4


def test_regenerating_writes_the_same_file() -> None:
    case = Case("two-player", 2)
    assert written(case) == case.path.read_text()
