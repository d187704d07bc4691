"""Rulebook coverage: which clauses the scenarios prove, and from which side."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from canasta.scenarios.schema import Scenario, find_files, load_file


@dataclass
class Proof:
    """The scenarios that prove one clause."""

    scenarios: list[str] = field(default_factory=list)
    allowed: int = 0
    """Number of scenarios that show what the clause allows or causes."""
    refused: int = 0
    """Number of scenarios in which the clause forbids something."""


def coverage(paths: Iterable[str | Path]) -> dict[str, Proof]:
    """Return every clause that the scenarios in these files name, ordered by id."""
    proofs: dict[str, Proof] = {}
    for path in find_files(paths):
        for scenario in load_file(path).scenarios:
            for clause in _clauses_of(scenario):
                proof = proofs.setdefault(clause, Proof())
                proof.scenarios.append(scenario.name)
                proof.allowed += shows_allowed(scenario)
                proof.refused += shows_refused(scenario)
    return dict(sorted(proofs.items(), key=lambda item: clause_order(item[0])))


def _clauses_of(scenario: Scenario) -> list[str]:
    return list(dict.fromkeys(scenario.clauses))


def shows_allowed(scenario: Scenario) -> bool:
    return scenario.illegal is None or bool(scenario.can)


def shows_refused(scenario: Scenario) -> bool:
    return scenario.illegal is not None or bool(scenario.cannot)


def clause_order(clause: str) -> tuple[str, int]:
    """Return a sort key that puts `PILE-2` before `PILE-10`.

    >>> sorted(["PILE-10", "PILE-2"], key=clause_order)
    ['PILE-2', 'PILE-10']
    """
    chapter, _, number = clause.partition("-")
    return chapter, int(number) if number.isdecimal() else 0
