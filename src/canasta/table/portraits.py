"""Names of the computer players by level, and everybody's portraits."""

from collections.abc import Collection
from typing import Final

from canasta.bots.levels import PEOPLE
from canasta.table.name_looks import name_keys

FACES: Final = tuple(f"{figure}-{number}" for figure, names in PEOPLE.items() for number in range(len(names)))
"""The portraits, which the browser draws: a few of one figure for each level. People can choose any."""

FACE_OF: Final = dict(zip((name for names in PEOPLE.values() for name in names), FACES, strict=True))
"""The portrait of each computer player, by name."""


def names_for(level: str, seats: int) -> list[str]:
    """Return names for computer players on all seats but the first, which is a person's."""
    names = [""]
    while len(names) < seats:
        names.append(name_for(level, names))
    return names


def name_for(level: str, taken: Collection[str]) -> str:
    """Return the first name of this level that nobody at the table has; empty to use the seat's name."""
    looks = {key for name in taken for key in name_keys(name)}
    return next((name for name in PEOPLE.get(level, ()) if looks.isdisjoint(name_keys(name))), "")
