"""What people may be called at a table."""

import re
import unicodedata
from typing import Final

from canasta.errors import CanastaError

LONGEST_NAME: Final = 24

_UNSEEN: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Letters, marks and symbols by their class, and yet nothing is seen of them: two names that differ in these
alone would look the same."""


class NameProblem(CanastaError, ValueError):
    """A name that cannot be used; the text says why."""


def clean_name(text: str) -> str:
    """The name without superfluous blanks and what cannot be seen; raises `NameProblem`."""
    name = " ".join(unicodedata.normalize("NFC", _UNSEEN.sub("", text)).split())
    if not name:
        raise NameProblem("A name has at least one character.")
    if len(name) > LONGEST_NAME:
        raise NameProblem(f"A name has at most {LONGEST_NAME} characters.")
    marks = 0
    for character in name:
        # Marks above and below a letter could be piled up until they cover the table.
        marks = marks + 1 if unicodedata.category(character) in ("Mn", "Me") else 0
        if not character.isprintable() or marks > 2:
            raise NameProblem("A name is made of letters, digits and signs that can be printed.")
    if all(unicodedata.category(character)[0] in "MZ" for character in name):
        raise NameProblem("A name has at least one character that can be seen.")
    return name


def name_key(name: str) -> str:
    """Equal for names that differ only in case, or in how the same letters are written down."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


_LOOKALIKES: Final = str.maketrans(
    "\u0430\u0432\u0435\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445\u0456\u0458\u0455\u0501\u051b"
    "\u03b1\u03b2\u03b5\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7",
    "abekmhopctyxijsdqabeikvoptux",
)
"""Letters of the Cyrillic and Greek alphabets that look like Latin ones, as a key has them."""


def name_keys(name: str) -> set[str]:
    """The keys of all names that this one could be taken for."""
    key = name_key(name)
    return {key, key.translate(_LOOKALIKES)}
