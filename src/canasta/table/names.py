"""What people may be called at a table."""

import re
import unicodedata
from typing import Final

from canasta.table.problems import Unusable

LONGEST_NAME: Final = 24

_UNSEEN: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Letters, marks and symbols by their class, and yet nothing is seen of them: two names that differ in these
alone would look the same."""


class NameProblem(Unusable):
    """A name that cannot be used."""


def clean_name(text: str) -> str:
    """The name without superfluous blanks and what cannot be seen; raises `NameProblem`."""
    name = " ".join(unicodedata.normalize("NFC", _UNSEEN.sub("", text)).split())
    if not name:
        raise NameProblem("NAME_EMPTY")
    if len(name) > LONGEST_NAME:
        raise NameProblem("NAME_TOO_LONG", {"most": LONGEST_NAME})
    marks = 0
    for character in name:
        # Marks above and below a letter could be piled up until they cover the table.
        marks = marks + 1 if unicodedata.category(character) in ("Mn", "Me") else 0
        if not character.isprintable() or marks > 2:
            raise NameProblem("NAME_UNPRINTABLE")
    if all(unicodedata.category(character)[0] in "MZ" for character in name):
        raise NameProblem("NAME_UNSEEN")
    return name


def name_key(name: str) -> str:
    """Equal for names that differ only in case, or in how the same letters are written down."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


_CYRILLIC: Final = (
    "\u0430\u0432\u0435\u0455\u0456\u0458\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445"
)
_GREEK: Final = "\u03b1\u03b2\u03b5\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u03f2\u03f3"
_GREEK_CAPITALS: Final = (
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7"
)
_LISU: Final = (
    "\ua4d0\ua4d1\ua4d3\ua4d4\ua4d6\ua4d7\ua4d9\ua4da\ua4dc\ua4dd\ua4df\ua4e0\ua4e1"
    "\ua4e2\ua4e3\ua4e6\ua4e7\ua4ea\ua4eb\ua4ec\ua4ee\ua4f0\ua4f2\ua4f3\ua4f4"
)
_CHEROKEE: Final = (
    "\u13a0\u13a1\u13a2\u13aa\u13ab\u13ac\u13b3\u13b7\u13bb\u13bd\u13c0\u13c3\u13d2"
    "\u13d4\u13d5\u13d9\u13da\u13de\u13df\u13e2\u13e6\u13f4"
)
_SMALL_CAPITALS: Final = (
    "\u1d00\u0299\u1d04\u1d05\u1d07\u0262\u029c\u026a\u1d0a\u1d0b\u029f\u1d0d\u0274"
    "\u1d0f\u1d18\u0280\ua731\u1d1b\u1d1c\u1d20\u1d21\u028f\u1d22"
)
_LOOKS: Final = {
    **str.maketrans(_LISU, "BPDTGKJCZFMNLSRVHWXYAElOU"),
    **str.maketrans(_CHEROKEE, "DRTAJEWMHYGZRWSVSLCPKB"),
    **str.maketrans(_SMALL_CAPITALS, "abcdeghijklmnoprstuvwyz"),
    **str.maketrans(_CYRILLIC, "abesijkmhopctyx"),
    **str.maketrans(_CYRILLIC.upper(), "ABESlJKMHOPCTYX"),
    **str.maketrans(_GREEK, "abeikvoptuxcj"),
    **str.maketrans(_GREEK_CAPITALS, "ABEZHlKMNOPTYX"),
    # More letters of Cyrillic; letters of Armenian and of phonetic script.
    **str.maketrans("\u0501\u051b\u051d\u04bb\u0585\u057d\u0578\u0570\u0251\u0261\u0131", "dqwhounhagi"),
    **str.maketrans("1|I\u04c0\u04cf\u05c0\u2223\u01c0", "llllllll"),
    **str.maketrans("0", "o"),
}
"""Signs that can be taken for a Latin letter. A capital I, a one and a small l are one sign in many
scripts."""


def name_look(name: str) -> str:
    """Equal for names of which one could be taken for the other: `Paul`, `PauI` and `Pau1`."""
    if name.isupper():
        # Among capitals a one is like an I, and neither is like an L.
        name = name.replace("1", "i").replace("|", "i").replace("I", "i")
    # Also before it is normalized, which makes other letters of some.
    plain = unicodedata.normalize("NFKC", name.translate(_LOOKS)).translate(_LOOKS)
    return name_key(plain).translate(_LOOKS)


def name_keys(name: str) -> set[str]:
    """What an account of this name, or of one that it could be taken for, is known by."""
    return {name_key(name), name_look(name)}
