"""Words, in six languages: what the layers below say as a code with typed facts becomes a sentence here.

One catalogue a language, used by browser, terminal and command line alike: `catalogues/LANGUAGE/PART.json`.
Choosing what to say is not done here: a rule, an event or a computer player names the code and the facts.
"""

from canasta.words.catalogue import UnknownLanguage, Voice, languages
from canasta.words.choosing import best_language, language_of_header
from canasta.words.facts import FACTS, Fact, Facts
from canasta.words.reasons import tell_reasons
from canasta.words.refusals import Told, tell_or, tell_reason, tell_refusal

__all__ = [
    "FACTS",
    "Fact",
    "Facts",
    "Told",
    "UnknownLanguage",
    "Voice",
    "best_language",
    "language_of_header",
    "languages",
    "say",
    "tell_or",
    "tell_reason",
    "tell_reasons",
    "tell_refusal",
]


def say(code: str, facts: Facts | None = None, lang: str = "en", *, caliente: bool = False) -> str:
    """The message of a code, `PART.KEY`, in a language.

    >>> say("refusals.BELOW_MINIMUM", {"needed": 90, "have": 75}, "de")
    'Die Erstmeldung deiner Seite muss mindestens 90 Punkte wert sein; das hier zählt 75.'
    """
    return Voice(lang, caliente).say(code, facts)
