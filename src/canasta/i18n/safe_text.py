"""Make untrusted text safe to show, and find the known word closest to a misspelt one."""

from collections.abc import Iterable
from typing import Final

_NO_BREAK: Final = "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"
"""Spaces that Python does not consider printable; French puts one before a colon."""


def printable(text: str) -> str:
    """Replace every character that would move the cursor or break the line; the length stays the same.

    >>> printable("pioche\\N{NO-BREAK SPACE}: 2\\n")
    'pioche\\xa0: 2\N{REPLACEMENT CHARACTER}'
    """
    return "".join(
        character if character.isprintable() or character in _NO_BREAK else "\N{REPLACEMENT CHARACTER}"
        for character in text
    )


def short(text: str, longest: int = 40) -> str:
    """Return the text on one line, cut to `longest` characters.

    >>> short("a line\\nthat goes on and on", 12)
    'a line\N{REPLACEMENT CHARACTER}that…'
    """
    text = printable(text)
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def quoted(text: str) -> str:
    """Return the shortened text in quotation marks."""
    return f'"{short(text)}"'


def shown(value: object) -> str:
    """Return any value in a few characters.

    >>> shown("many"), shown(True), len(shown("x" * 1000))
    ("'many'", 'true', 57)
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    try:
        return short(repr(value), 57)
    except Exception:  # noqa: BLE001 - huge numbers and broken objects have no repr
        return f"<{type(value).__name__}>"


def closest(word: str, words: Iterable[str]) -> str:
    """Return the known word that was probably meant, ignoring case; empty if none is close.

    >>> closest("darw", ["draw", "take"]), closest("put_back", ["scoring.put_back", "turn.draw"])
    ('draw', 'scoring.put_back')
    """
    from difflib import get_close_matches  # noqa: PLC0415 - slow to import and rarely needed

    word = word[:80].lower()
    known = {other.lower(): other for other in words}
    # A bare field name is the commonest mistake: `put_back_penalty` for `scoring.put_back_penalty`.
    by_name = [other for other in known.values() if other.rpartition(".")[2] == word]
    near = by_name or [known[match] for match in get_close_matches(word, known, n=1, cutoff=0.6)]
    return near[0] if near else ""
