"""Clauses and readings: complete, in order, and present on the page made from them."""

import re
from pathlib import Path

import pytest

from canasta.i18n.catalogue import languages, texts
from canasta.rules import load_ruleset, preset_names
from canasta.rules.clauses import (
    CLAUSE_GROUPS,
    CLAUSES,
    READINGS,
    clause_in,
    clause_value,
    fields_of_clause,
    group_of,
    group_title,
    reading_text,
    readings_of_clause,
)
from canasta.rules.model import FIELDS

ROOT = Path(__file__).parents[3]
RULEBOOK = ROOT.parent / "shared" / "rulebook.md"


def test_the_ids_are_those_of_the_rulebook() -> None:
    if not RULEBOOK.exists():
        pytest.skip("the rulebook does not lie beside the project")
    in_rulebook = re.findall(r"^\| ([A-Z]+-\d+) \|", RULEBOOK.read_text(encoding="utf-8"), re.MULTILINE)
    # Later games have additional clauses of their own.
    assert [clause for clause in CLAUSES if clause in in_rulebook] == in_rulebook


@pytest.mark.parametrize("language", languages())
def test_every_clause_is_told(language: str) -> None:
    told = [clause_in(clause, language) for clause in CLAUSES]
    assert [clause.id for clause in told] == list(CLAUSES)
    assert all(clause.text.endswith(".") for clause in told)
    assert len({clause.title for clause in told}) == len(told)
    titles = [group_title(group, language) for group in CLAUSE_GROUPS]
    assert len(set(titles)) == len(titles)
    assert len(texts(language, "clauses")) == 2 * len(told) + len(titles)


def test_groups_in_order_make_up_the_whole() -> None:
    assert [group_of(clause) for clause in CLAUSES] == [
        group for group, clauses in CLAUSE_GROUPS.items() for _ in clauses
    ]


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


@pytest.mark.parametrize("language", languages())
def test_every_reading_is_told(language: str) -> None:
    told = [reading_text(reading, language) for reading in READINGS]
    assert all(text.endswith(".") for text in told)
    assert len(set(told)) == len(told) == len(texts(language, "readings"))


def test_readings_are_numbered_and_point_at_what_exists() -> None:
    assert [reading.number for reading in READINGS] == list(range(1, len(READINGS) + 1))
    assert len(READINGS) >= 45
    for reading in READINGS:
        assert reading.clauses
        assert set(reading.clauses) <= set(CLAUSES)
        assert reading.field is None or reading.field in FIELDS


def test_readings_by_clause() -> None:
    assert [reading.number for reading in readings_of_clause("PILE-12")] == [22, 40, 44]
    assert readings_of_clause("SCOR-13") == []
