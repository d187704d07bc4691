"""What people may be called at a table."""

import unicodedata
from typing import Final

LONGEST_NAME: Final = 24

_BLANKS: Final = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and symbols by their class, and yet nothing is seen of them."""


class NameProblem(ValueError):
    """A name that cannot be used; the text says why."""


def clean_name(text: str) -> str:
    """The name without superfluous blanks; raises `NameProblem`."""
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not name:
        raise NameProblem("A name has at least one character.")
    if len(name) > LONGEST_NAME:
        raise NameProblem(f"A name has at most {LONGEST_NAME} characters.")
    marks = 0
    for character in name:
        # Marks above and below a letter could be piled up until they cover the table.
        marks = marks + 1 if unicodedata.combining(character) else 0
        if not character.isprintable() or marks > 2:
            raise NameProblem("A name is made of letters, digits and signs that can be printed.")
    if all(unicodedata.category(character)[0] in "MZ" or character in _BLANKS for character in name):
        raise NameProblem("A name has at least one character that can be seen.")
    return name


def name_key(name: str) -> str:
    """Equal for names that differ only in case, or in how the same letters are written down."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
