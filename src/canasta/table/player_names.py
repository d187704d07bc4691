"""Valid names for people at a table."""

import re
import unicodedata
from typing import Final

from canasta.table.errors import Unusable
from canasta.table.name_looks import is_mixed

LONGEST_NAME: Final = 24

_UNSEEN: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Invisible characters that Unicode classes as letters, marks or symbols. Names that differ only in these
would look the same."""


class NameProblem(Unusable):
    """A name that can't be used."""


def clean_name(text: str) -> str:
    """Return the name without extra spaces and invisible characters. Raises `NameProblem`."""
    name = " ".join(unicodedata.normalize("NFC", _UNSEEN.sub("", text)).split())
    if not name:
        raise NameProblem("NAME_EMPTY")
    if len(name) > LONGEST_NAME:
        raise NameProblem("NAME_TOO_LONG", {"most": LONGEST_NAME})
    marks = 0
    for character in name:
        # Limit stacked accents, which could grow until they cover the table.
        marks = marks + 1 if unicodedata.category(character) in ("Mn", "Me") else 0
        if not character.isprintable() or marks > 2:
            raise NameProblem("NAME_UNPRINTABLE")
    if all(unicodedata.category(character)[0] in "MZ" for character in name):
        raise NameProblem("NAME_UNSEEN")
    if is_mixed(name):
        raise NameProblem("NAME_MIXED")
    return name
