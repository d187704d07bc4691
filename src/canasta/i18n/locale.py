"""Choose a language: the one requested, or else the locale of the terminal."""

import re
from collections.abc import Mapping
from typing import Final

from canasta.i18n.catalogue import languages, unknown_language

LOCALE_VARIABLES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Environment variables in order of precedence; the first one set decides."""
_MOST_WISHES: Final = 20
"""Maximum number of languages read from an `Accept-Language` header, which is untrusted."""


def best_language(language: str = "", environment: Mapping[str, str] | None = None) -> str:
    """Return the requested language, or by default that of the locale; English if it is unknown.

    >>> best_language("pt_BR.UTF-8"), best_language("de.UTF-8"), best_language("", {"LANG": "ja_JP.UTF-8"})
    ('pt', 'de', 'en')
    """
    if language:
        name = _first_part(language)
        if name not in languages():
            raise unknown_language(language)
        return name
    return language_of_locale(environment or {})


def language_of_header(header: str) -> str:
    """Return the language that a browser prefers according to its `Accept-Language`, or English.

    >>> language_of_header("ca, fr-CH;q=0.9, de;q=0.95, en;q=0.5")
    'de'
    """
    wishes: list[tuple[float, str]] = []
    for wish in header.split(",")[:_MOST_WISHES]:
        name, _, weight = wish.partition(";q=")
        try:
            wishes.append((float(weight or 1), name.strip().split("-")[0].lower()))
        except ValueError:
            continue  # ignore anything that no browser sends
    wishes.sort(key=lambda wish: -wish[0])
    return next((name for weight, name in wishes if name in languages() and weight > 0), "en")


def language_of_locale(environment: Mapping[str, str]) -> str:
    """Return the language of a locale, or English.

    >>> language_of_locale({"LC_ALL": "", "LANG": "fr_CH.UTF-8"})
    'fr'
    """
    locale = next((environment[name] for name in LOCALE_VARIABLES if environment.get(name)), "")
    name = _first_part(locale)
    return name if name in languages() else "en"


def _first_part(locale: str) -> str:
    """Return the language of a locale: `pt` for `pt_BR.UTF-8`, `pt-br`, `pt.UTF-8` and `PT@euro`."""
    return re.split(r"[-_.@]", locale.strip(), maxsplit=1)[0].lower()
