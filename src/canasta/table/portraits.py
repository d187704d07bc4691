"""Names of the computer players by level, and everybody's portraits."""

from collections.abc import Collection
from typing import Final

from canasta.table.name_looks import name_keys

_NAMES: Final = {
    "novice": ("Lupe", "Nico", "Mimi", "Beto", "Tina"),
    "casual": ("Irma", "Hugo", "Elena", "Pepe", "Olga"),
    "club": ("Celia", "Nora", "Rosa", "Delia", "Berta"),
    "expert": ("Anselmo", "Augusto", "Tobías", "Ernesto", "Teodoro"),
    "master": ("Leonor", "Ramiro", "Inés", "Octavio", "Julia"),
    "grandmaster": ("Aurora", "Néstor", "Minerva", "Ulises", "Olimpia"),
}
"""First names, each used once. A level has as many names as the largest table has computer players."""

FACES: Final = tuple(f"{figure}-{number}" for figure, names in _NAMES.items() for number in range(len(names)))
"""The portraits, which the browser draws: a few of one figure for each level. People can choose any."""

FACE_OF: Final = dict(zip((name for names in _NAMES.values() for name in names), FACES, strict=True))
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
    return next((name for name in _NAMES.get(level, ()) if looks.isdisjoint(name_keys(name))), "")
