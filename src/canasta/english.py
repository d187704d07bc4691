"""English sentences of the catalogues for errors that nobody has put into words; it stands below every layer.

An error carries a code and facts, and `canasta.words` says them in every language. A layer below it may not
ask for words; for the bare error the English ones are read here, as data.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

_SLOT: Final = re.compile(r"\{(\w+)(?:#([^{}]*))?\}")
_SENTENCES: Final = {"how": "notation", "unreadable": "notation", "instead": "files"}
"""Facts that are themselves the code of a message, with its part."""


@cache
def _texts(part: str) -> dict[str, str]:
    import json  # noqa: PLC0415 - the package itself should load in a moment
    from pathlib import Path  # noqa: PLC0415 - as above

    file = Path(__file__).parent / "words" / "catalogues" / "en" / f"{part}.json"
    read: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    return read


def in_english(part: str, code: str, facts: Mapping[str, int | str]) -> str:
    """The message of a code; empty where there is none.

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
    """The fact `why` of a file or a connection that fails: the name of the reason where there are words for
    it in the part `system`, else what the system says.

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
