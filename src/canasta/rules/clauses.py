"""The clauses of the rulebook: an id for each rule that a refusal or a test can name.

The sentences for the clauses are in the catalogues of `canasta.i18n`. Differences between presets are in the
fields that implement a clause.
"""

from typing import Final

from canasta.rules.fields import FIELDS, Field

_NUMBERS: Final[dict[str, str]] = {
    "DECK": "1 2 3 4 5 6",
    "SEAT": "1 2 3 4 5 6 7 8",
    "DEAL": "1 2 3 4 5 6 7 8 9",
    "TURN": "1 2 3 4 5 6 7",
    "PILE": "1 2 3 4 5 6 7 8 9 10 11 13 12 14 16 17",
    "MELD": "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16",
    "OPEN": "1 2 3 4 5 6 7 8 9",
    "DISC": "1 2 3 4 5 6 7 8 9",
    "OUT": "1 2 3 4 5 6 7 8 9 10",
    "END": "1 2 3 4 5 6 7 8 9 10",
    "CALI": "1 2 3 4 5 6",
    "SCOR": "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21",
    "GAME": "1 2 3 4",
}

CLAUSE_GROUPS: Final[dict[str, tuple[str, ...]]] = {
    group: tuple(f"{group}-{number}" for number in numbers.split()) for group, numbers in _NUMBERS.items()
}
"""The ids of each group, in rulebook order."""

CLAUSES: Final[tuple[str, ...]] = tuple(clause for group in CLAUSE_GROUPS.values() for clause in group)
"""All ids, in rulebook order."""


def group_of(clause: str) -> str:
    """Return the group of a clause.

    >>> group_of("GAME-1")
    'GAME'
    """
    return clause.partition("-")[0]


def fields_of_clause(clause: str) -> list[Field]:
    """Return the fields that implement a clause; empty if it is the same in every game."""
    return [field for field in FIELDS.values() if clause in field.clauses]


def dealing_clause(players: int) -> str:
    """Return the clause about the number of cards dealt at a table of this size."""
    return "DEAL-1" if players == 2 else "DEAL-2" if players == 3 else "DEAL-3"


def clause_of(field: Field, players: int) -> str:
    """Return the first clause that a field implements, at a table of this size."""
    first = field.clauses[0]
    return dealing_clause(players) if first == "DEAL-1" else first
