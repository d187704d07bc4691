"""Describe why a file or a connection failed, in a language; the system itself only knows English."""

from canasta.english import reason_fact
from canasta.i18n.catalogue import Voice
from canasta.i18n.facts import SYSTEM
from canasta.notation.errors import printable


def reason_in(error: Exception, lang: str = "en") -> str:
    """Return the reason in a few words.

    >>> reason_in(FileNotFoundError(2, "No such file or directory"), "de")
    'die Datei oder den Ordner gibt es nicht'
    """
    return printable(Voice(lang).fact(SYSTEM, reason_fact(error)))
