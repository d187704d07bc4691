"""Describe refusals in a language."""

from typing import NamedTuple

from canasta.engine.moves.refusals import Facts, Refusal
from canasta.i18n.catalogue import Voice, texts


class RefusalText(NamedTuple):
    """A refusal in one sentence, and what to do instead, if anything."""

    message: str
    remedy: str = ""

    def __str__(self) -> str:
        return f"{self.message} {self.remedy}".rstrip()


def tell_refusal(refusal: Refusal, lang: str = "en") -> RefusalText:
    """Return a refusal in a language.

    >>> from canasta.engine.law import reasons
    >>> from canasta.engine.moves.refusals import refuse
    >>> tell_refusal(refuse(reasons.FROZEN, {"rank": "K", "naturals": 1}), "es").remedy
    'Tómalo con dos reyes naturales, o roba.'
    """
    return tell_reason(refusal.code, refusal.facts, Voice(lang, refusal.caliente_names))


def tell_or(code: str, facts: Facts, voice: Voice, otherwise: RefusalText) -> RefusalText:
    """Return a reason that came over the wire, or `otherwise` if this program lacks words for part of it."""
    try:
        return tell_reason(code, facts, voice)
    except (LookupError, ValueError):
        return otherwise


def tell_reason(code: str, facts: Facts, voice: Voice) -> RefusalText:
    """Return a reason of the rules or of a table by its code."""
    remedy = f"{code}.remedy"
    has_remedy = remedy in texts(voice.language, "refusals")
    return RefusalText(
        voice.say(f"refusals.{code}", facts), voice.say(f"refusals.{remedy}", facts) if has_remedy else ""
    )
