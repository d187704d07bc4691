"""The score sheet in words, and how far a side is on its way to going out."""

from collections.abc import Sequence

from canasta.notation.progress import Needed
from canasta.words.catalogue import Voice, texts


def score_line(line: str, voice: Voice) -> str:
    """A line of the score sheet; one that a newer table has added is said by its code.

    >>> score_line("melded_cards", Voice("fr")), score_line("early_bonus", Voice("fr"))
    ('cartes posées', 'early bonus')
    """
    return voice.say(f"scores.{line}") if line in texts(voice.language, "scores") else line.replace("_", " ")


def progress_in_words(needed: Sequence[Needed], voice: Voice) -> str:
    """`natural 1 of 2, mixed 0 of 2, wild 0 of 1`, or that there are enough of all."""
    if all(each.is_enough for each in needed):
        return voice.say("scores.enough")
    return ", ".join(
        voice.say(f"scores.progress.{each.kind}", {"have": min(each.have, each.need), "needed": each.need})
        for each in needed
    )
