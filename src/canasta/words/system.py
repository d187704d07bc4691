"""Why a file or a connection fails, in a language: what the system itself says in English."""

from canasta.english import reason_fact
from canasta.notation.errors import printable
from canasta.words.catalogue import Voice
from canasta.words.facts import SYSTEM


def reason_in(error: Exception, lang: str = "en") -> str:
    """In a few words.

    >>> reason_in(FileNotFoundError(2, "No such file or directory"), "de")
    'die Datei oder den Ordner gibt es nicht'
    """
    return printable(Voice(lang).fact(SYSTEM, reason_fact(error)))
