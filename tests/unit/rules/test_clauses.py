"""Clauses and readings: complete, in order, and told in the page that is made of them."""

import re
from pathlib import Path

import pytest

from canasta.rules import load_ruleset, preset_names
from canasta.rules.clauses import (
    CLAUSES,
    GROUP_TITLES,
    clause,
    clause_value,
    clauses_of_group,
    fields_of_clause,
)
from canasta.rules.fields import FIELDS
from canasta.rules.readings import READINGS, readings_markdown, readings_of_clause

ROOT = Path(__file__).parents[3]
RULEBOOK = ROOT.parent / "shared" / "rulebook.md"


def test_the_ids_are_those_of_the_rulebook() -> None:
    if not RULEBOOK.exists():
        pytest.skip("the rulebook does not lie beside the project")
    in_rulebook = re.findall(r"^\| ([A-Z]+-\d+) \|", RULEBOOK.read_text(encoding="utf-8"), re.MULTILINE)
    assert list(CLAUSES) == in_rulebook


def test_every_clause_is_told() -> None:
    assert len(CLAUSES) == 91
    for clause_id, found in CLAUSES.items():
        assert clause(clause_id) is found
        assert found.title
        assert found.text.endswith(".")
        assert found.group in GROUP_TITLES
    titles = [found.title for found in CLAUSES.values()]
    assert len(set(titles)) == len(titles)


def test_groups_in_order_make_up_the_whole() -> None:
    together = [found.id for group in GROUP_TITLES for found in clauses_of_group(group)]
    assert together == list(CLAUSES)


def test_every_field_serves_a_clause_and_can_be_found_there() -> None:
    found = {field.path for clause_id in CLAUSES for field in fields_of_clause(clause_id)}
    assert found == set(FIELDS) - {"name", "title", "version"}


@pytest.mark.parametrize(
    ("name", "clause_id", "value"),
    [
        ("caliente", "DECK-1", "decks: 2"),
        ("hand-and-foot", "DECK-1", "decks: 5"),
        ("bolivia", "SCOR-5", "wild canasta: 2500"),
        ("two-player", "MELD-3", "most wild cards in a set: no limit"),
        ("caliente", "PILE-1", ""),
    ],
)
def test_the_value_of_a_clause_comes_from_the_data(name: str, clause_id: str, value: str) -> None:
    assert clause_value(clause_id, load_ruleset(name)) == value


@pytest.mark.parametrize("name", preset_names())
def test_every_clause_has_a_value_where_it_has_a_field(name: str) -> None:
    rules = load_ruleset(name)
    for clause_id in CLAUSES:
        assert bool(clause_value(clause_id, rules)) == bool(fields_of_clause(clause_id))


def test_readings_are_numbered_and_point_at_what_exists() -> None:
    assert [reading.number for reading in READINGS] == list(range(1, len(READINGS) + 1))
    assert len(READINGS) >= 45
    for reading in READINGS:
        assert reading.clauses
        assert set(reading.clauses) <= set(CLAUSES)
        assert reading.field is None or reading.field in FIELDS
        assert reading.text.endswith(".")


def test_readings_by_clause() -> None:
    assert [reading.number for reading in readings_of_clause("PILE-12")] == [22, 40, 44]
    assert readings_of_clause("SCOR-13") == []


def test_the_page_of_readings_is_current() -> None:
    page = ROOT / "docs" / "readings.md"
    assert page.read_text(encoding="utf-8") == readings_markdown(), (
        "docs/readings.md: write readings_markdown() of canasta.rules.readings into it"
    )
