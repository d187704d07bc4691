"""The figures at a table: what computer players are called, by level, and the faces that everybody has."""

from collections.abc import Collection
from typing import Final

from canasta.table.names import name_keys

_NAMES: Final = {
    "novice": ("Lupe", "Nico", "Mimi", "Beto", "Tina"),
    "casual": ("Irma", "Hugo", "Elena", "Pepe", "Olga"),
    "club": ("Celia", "Nora", "Rosa", "Delia", "Berta"),
    "expert": ("Anselmo", "Augusto", "Tobías", "Ernesto", "Teodoro"),
    "master": ("Leonor", "Ramiro", "Inés", "Octavio", "Julia"),
    "grandmaster": ("Aurora", "Néstor", "Minerva", "Ulises", "Olimpia"),
}
"""First names, as figures of a parlour have them; no name twice. As many as computer players sit at the
largest table."""

FACES: Final = tuple(f"{figure}-{number}" for figure, names in _NAMES.items() for number in range(len(names)))
"""The portraits, drawn in the browser: one figure for each level, a few of each. People choose among all."""

FACE_OF: Final = dict(zip((name for names in _NAMES.values() for name in names), FACES, strict=True))
"""The face that goes with the name of a computer player."""


def names_for(level: str, seats: int) -> list[str]:
    """Of computer players of this level, for all seats but the first, which is a person's."""
    names = [""]
    while len(names) < seats:
        names.append(name_for(level, names))
    return names


def name_for(level: str, taken: Collection[str]) -> str:
    """The first name of this level that nobody at the table has; empty: that of the seat."""
    looks = {key for name in taken for key in name_keys(name)}
    return next((name for name in _NAMES.get(level, ()) if looks.isdisjoint(name_keys(name))), "")
