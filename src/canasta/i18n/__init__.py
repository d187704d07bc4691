"""Words in six languages: turn message codes with typed facts from the layers below into sentences.

There is one catalogue per language, `catalogues/LANGUAGE/PART.json`, used by browser, terminal and command
line alike. This package does not choose what to say: a rule, an event or a computer player provides the code
and the facts.
"""

from canasta.i18n.catalogue import UnknownLanguage, Voice, languages
from canasta.i18n.facts import FACTS, Fact, Facts
from canasta.i18n.locale import best_language, language_of_header
from canasta.i18n.reasons import tell_reasons
from canasta.i18n.refusals import RefusalText, tell_or, tell_reason, tell_refusal

__all__ = [
    "FACTS",
    "Fact",
    "Facts",
    "RefusalText",
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
    """Return the message of a code, `PART.KEY`, in a language.

    >>> say("refusals.BELOW_MINIMUM", {"needed": 90, "have": 75}, "de")
    'Die Erstmeldung deiner Seite muss mindestens 90 Punkte wert sein; das hier zählt 75.'
    """
    return Voice(lang, caliente).say(code, facts)
