"""Reserved names, which people would take for the server or for its operators."""

import re
import unicodedata
from typing import Final

from canasta.table.name_looks import name_look

_ROLES: Final = (
    *("admin", "administrator", "administratorin", "administrador", "administradora", "administrateur"),
    *("administratrice", "amministratore", "amministratrice", "moderator", "moderatorin", "moderador"),
    *("moderadora", "moderateur", "moderatrice", "moderatore", "sysadmin", "sysop", "webmaster", "root"),
    *("staff", "support", "soporte", "suporte", "supporto"),
)
"""Words reserved anywhere in a name: `Paul Admin`."""
_STEMS: Final = ("admin", "moderator", "moderador", "moderateur")
"""Words reserved at the start and the end of a name without spaces: `PaulAdmin`."""
_GUESTS: Final = (
    "guest",
    "gast",
    "invitado",
    "invitada",
    "invite",
    "invitee",
    "ospite",
    "convidado",
    "convidada",
)
"""Words for people who haven't chosen a name, in all languages. No account can have them."""
_WORDS: Final = (
    *("canasta", "server", "serveur", "servidor", "system", "sistema", "systeme", "mod", "mods", "official"),
    *("offiziell", "oficial", "officiel", "ufficiale", "team", "equipo", "equipe", "squadra", "operator"),
    *("betreiber", "operador", "operateur", "operatore", "owner", "host", "gastgeber", "anfitrion", "hote"),
    *("dealer", "geber", "bot", "bots", "robot", "roboter", "robo", "computer", "ordenador", "computadora"),
    *("ordinateur", "computador", "everyone", "alle", "todos", "tous", "tutti", "anonymous", "anonym"),
    *("anonimo", "anonyme", "null", "none"),
    *("undefined", "help", "hilfe", "ayuda", "aide", "aiuto", "ajuda", "info", "security", "you"),
)
"""Words reserved alone and combined: `Canasta` and `Canasta Team`, but not `Canasta Kid`."""
_ARTICLES: Final = ("the", "der", "die", "das", "el", "la", "los", "las", "le", "les", "il", "lo", "os", "as")
"""Articles, which may precede a reserved word: `Der Server`."""


def _seen(text: str) -> str:
    """Return the look of the text with i and l equal: within a known word, people don't notice the
    difference."""
    return name_look(text).replace("l", "i")


_SEEN_ROLES: Final = frozenset(map(_seen, _ROLES))
_SEEN_STEMS: Final = tuple(map(_seen, _STEMS))
_SEEN_GUESTS: Final = frozenset(map(_seen, _GUESTS))
_SEEN_WORDS: Final = frozenset(map(_seen, _WORDS)) | _SEEN_ROLES | _SEEN_GUESTS
_SEEN_ARTICLES: Final = frozenset(map(_seen, _ARTICLES))


def is_guest_name(name: str) -> bool:
    """Return whether this is a word for guests, with or without a number."""
    return _seen("".join(_words(name))) in _SEEN_GUESTS


def is_reserved(name: str) -> bool:
    """Return whether the name is reserved, including words for guests."""
    words = _words(name)
    if not words:
        return False
    seen, together = [_seen(word) for word in words], _seen("".join(words))
    return (
        together in _SEEN_WORDS
        or _is_compound(together)
        or (seen[-1] in _SEEN_WORDS and all(word in _SEEN_WORDS | _SEEN_ARTICLES for word in seen))
        or any(word in _SEEN_ROLES for word in seen)
        or together.startswith(_SEEN_STEMS)
        or together.endswith(_SEEN_STEMS)
    )


def _is_compound(text: str) -> bool:
    """Return whether this is a reserved word behind an article or another reserved word: `CanastaServer`."""
    return any(
        text[at:] in _SEEN_WORDS and (text[:at] in _SEEN_WORDS or text[:at] in _SEEN_ARTICLES)
        for at in range(1, len(text))
    )


def _words(name: str) -> list[str]:
    """Return the words of the name, without trailing digits."""
    parts = re.split(r"[\W_]+", unicodedata.normalize("NFC", name))
    return [word for part in parts if (word := part.rstrip("0123456789"))]
