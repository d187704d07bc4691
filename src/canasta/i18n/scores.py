"""The score sheet in words, and a side's progress towards going out."""

from collections.abc import Sequence

from canasta.i18n.catalogue import Voice, texts
from canasta.notation.progress import CanastasNeeded


def score_line(line: str, voice: Voice) -> str:
    """Return a line of the score sheet. An unknown line from a newer table is shown by its code.

    >>> score_line("melded_cards", Voice("fr")), score_line("early_bonus", Voice("fr"))
    ('cartes posées', 'early bonus')
    """
    return voice.say(f"scores.{line}") if line in texts(voice.language, "scores") else line.replace("_", " ")


def progress_in_words(needed: Sequence[CanastasNeeded], voice: Voice) -> str:
    """Return `natural 1 of 2, mixed 0 of 2, wild 0 of 1`, or that there are enough of all."""
    if all(each.is_enough for each in needed):
        return voice.say("scores.enough")
    return ", ".join(
        voice.say(f"scores.progress.{each.kind}", {"have": min(each.have, each.need), "needed": each.need})
        for each in needed
    )
