"""The text with which players share their deal of the day. It reveals nothing about the cards."""

from typing import Final

from canasta.i18n.voice import Voice

_STEPS: Final = 10
_FULL: Final = "\u25b0"
_EMPTY: Final = "\u25b1"


def share_line(date: str, points: int, better: int | None, streak: int, lang: str) -> str:
    """Return the text to share. `better` is the percentage of other players beaten; `None` if there are none.

    >>> print(share_line("2026-11-16", 845, 72, 5, "en"))
    Canasta of 2026-11-16 · +845 · better than 72% · 5 days in a row
    ▰▰▰▰▰▰▰▱▱▱
    """
    parts = [Voice(lang).say("days.share", {"name": date, "text": signed(points)})]
    if better is not None:
        parts.append(Voice(lang).say("days.share_better", {"percent": better}))
    if streak > 1:
        parts.append(Voice(lang).say("days.share_streak", {"count": streak}))
    line = " · ".join(parts)
    return line if better is None else f"{line}\n{bar(better)}"


def signed(points: int) -> str:
    """Return the points with a sign, unless they are zero."""
    return f"{points:+d}" if points else "0"


def bar(percent: int) -> str:
    """Draw a percentage as a bar of characters."""
    full = round(percent * _STEPS / 100)
    return _FULL * full + _EMPTY * (_STEPS - full)
