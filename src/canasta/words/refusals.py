"""A refusal in a language."""

from typing import NamedTuple

from canasta.engine.moves.refusals import Facts, Refusal
from canasta.words.catalogue import Voice, texts


class Told(NamedTuple):
    """Why not, in a sentence, and what to do instead; empty where there is nothing."""

    message: str
    remedy: str = ""

    def __str__(self) -> str:
        return f"{self.message} {self.remedy}".rstrip()


def tell_refusal(refusal: Refusal, lang: str = "en") -> Told:
    """
    >>> from canasta.engine.law import why_not
    >>> from canasta.engine.moves.refusals import refuse
    >>> tell_refusal(refuse(why_not.FROZEN, {"rank": "K", "naturals": 1}), "es").remedy
    'Tómalo con dos reyes naturales, o roba.'
    """
    return tell_reason(refusal.code, refusal.facts, Voice(lang, refusal.caliente_names))


def tell_or(code: str, facts: Facts, voice: Voice, otherwise: Told) -> Told:
    """A reason that came over the wire; other words where this program has none for all of it."""
    try:
        return tell_reason(code, facts, voice)
    except (LookupError, ValueError):
        return otherwise


def tell_reason(code: str, facts: Facts, voice: Voice) -> Told:
    """A reason of the rules or of a table by its code."""
    remedy = f"{code}.remedy"
    has_remedy = remedy in texts(voice.language, "refusals")
    return Told(
        voice.say(f"refusals.{code}", facts), voice.say(f"refusals.{remedy}", facts) if has_remedy else ""
    )
