"""English messages of the catalogues, for errors shown without a chosen language. This module is below every
layer.

An error contains a code and facts, which `canasta.i18n` turns into a sentence in any language. Layers below
it may not import it, so for the plain error they read the English texts here, as data.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

_SLOT: Final = re.compile(r"\{(\w+)(?:#([^{}]*))?\}")
_SENTENCES: Final = {"how": "notation", "unreadable": "notation", "instead": "files"}
"""Facts that are themselves the code of a message, with its catalogue part."""


@cache
def _texts(part: str) -> dict[str, str]:
    import json  # noqa: PLC0415 - the package itself should load in a moment
    from pathlib import Path  # noqa: PLC0415 - as above

    file = Path(__file__).parent / "i18n" / "catalogues" / "en" / f"{part}.json"
    read: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    return read


def in_english(part: str, code: str, facts: Mapping[str, int | str]) -> str:
    """Return the message of a code; empty if there is none.

    >>> in_english("defects", "FOR_SIX", {"players": 4}), in_english("defects", "FOR_SIX.remedy", {})
    ('is for six players, not 4', '')
    """

    def said(slot: re.Match[str]) -> str:
        fact = facts[slot[1]]
        if slot[1] in _SENTENCES:
            return in_english(_SENTENCES[slot[1]], str(fact), facts)
        if slot[1] == "why":
            return _texts("system").get(str(fact), str(fact))
        if slot[2] is None:
            return str(fact)
        one, several = slot[2].split("|")
        return (one if fact == 1 else several).replace("#", str(fact))

    return _SLOT.sub(said, _texts(part).get(code, ""))


def reason_fact(error: Exception) -> str:
    """Return the fact `why` for a file or connection that failed: the name of the reason if the catalogue
    part `system` has it, or else the system's own text.

    >>> reason_fact(FileNotFoundError(2, "No such file")), reason_fact(OSError(71, "Protocol error"))
    ('ENOENT', 'protocol error')
    """
    import errno  # noqa: PLC0415 - as above

    number = errno.ETIMEDOUT if isinstance(error, TimeoutError) else getattr(error, "errno", None)
    name = errno.errorcode.get(number or 0, "")
    if name in _texts("system"):
        return name
    said = getattr(error, "strerror", None) or str(error)
    return f"{said[:1].lower()}{said[1:]}".rstrip(".")
