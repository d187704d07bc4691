"""Names of players: which are valid, which are reserved, and which could be mistaken for each other.

People read two names as the same if they differ only in case, accents, spaces or punctuation (`name_key`), or
if they look alike (`name_look`). Looks are skeletons as in Unicode Technical Standard 39, made from its table
of confusable characters and a few more that look alike in small print.
"""

import re
import unicodedata
from functools import cache
from importlib.resources import files
from typing import Final

from canasta.table.errors import input_error

# -- names that look alike ---------------------------------------------------------------------------------


_MARKS: Final = ((0x0300, 0x036F), (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF), (0x20D0, 0x20FF), (0xFE20, 0xFE2F))
"""Blocks of accents. Marks in other blocks are vowels and the like, which distinguish names."""
_MODIFIERS: Final = (0x02B0, 0x02FF)
"""A block of superscript characters that Unicode counts as letters."""

_SMALL_CAPITALS: Final = (
    "\u1d00\u0299\u1d04\u1d05\u1d07\u0262\u029c\u026a\u1d0a\u1d0b\u029f\u1d0d\u0274"
    "\u1d0f\u1d18\u0280\ua731\u1d1b\u1d1c\u1d20\u1d21\u028f\u1d22\ua730\ua7af\u1d03\u1d06\u1d0c"
)
_STROKES: Final = (
    "\u2c65\u0289\u2c61\u2c66\ua741\ua743\ua745\ua749\ua751\ua757\ua759\ua75f"
    "\ua7a1\ua7a3\ua7a5\ua7a7\ua7a9\ua7b9\ua7c8\ua7ca"
)
"""Letters with a stroke, which Unicode doesn't treat as an accent."""
_MORE: Final = {
    **str.maketrans(_SMALL_CAPITALS, "abcdeghijklmnoprstuvwyzfqbdl"),
    **str.maketrans(_STROKES, "aultkkklpqqvgknrsuds"),
    # Small Cyrillic and Greek letters that look like capitals, or look alike in small print.
    **str.maketrans("\u0432\u043a\u043c\u043d\u0442\u04cf\u03b2\u03b5\u03ba\u03c4\u03c7", "bkmhtlbektx"),
}
"""Lookalikes that aren't in Unicode's table."""

_SIGNS: Final = str.maketrans("@$\u20ac", "ase")
_SIGN_FOR_I: Final = re.compile(r"!(?=\w)")
"""An exclamation mark within a word: `Sof!a`, but not `Sofia!`."""

_TOGETHER: Final = (
    frozenset({"LATIN", "HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "HAN", "HANGUL"}),
    frozenset({"LATIN", "HAN", "BOPOMOFO"}),
)
"""Scripts that a name may mix, as Japanese, Korean and Chinese do. Any other name must use a single script:
the standard's restriction level "highly restrictive"."""
_SCRIPTS: Final = {"CJK": "HAN", "IDEOGRAPHIC": "HAN"}


@cache
def _confusables() -> dict[int, str]:
    text = files("canasta.table").joinpath("confusables.txt").read_text("utf-8")
    rows = [row.partition("\t") for row in text.split("\n") if row and not row.startswith("#")]
    return {ord(character): look for look, _, characters in rows for character in characters}


def _skeleton(text: str) -> str:
    plain = unicodedata.normalize("NFD", text).translate(_MORE).translate(_confusables())
    return unicodedata.normalize("NFD", plain)


def _letters(text: str) -> str:
    """Return the letters and digits without accents, or the text unchanged if it has none."""
    kept = [character for character in unicodedata.normalize("NFD", text) if _is_kept(character)]
    return unicodedata.normalize("NFC", "".join(kept)) or text


def _is_kept(character: str) -> bool:
    if _is_in(character, _MODIFIERS):
        return False
    kind = unicodedata.category(character)[0]
    return kind in "LN" or (kind == "M" and not any(_is_in(character, block) for block in _MARKS))


def _is_in(character: str, block: tuple[int, int]) -> bool:
    return block[0] <= ord(character) <= block[1]


def _without_small_digits(text: str) -> str:
    """Return the text without superscript and subscript digits, or unchanged if it consists only of them."""
    return "".join(character for character in text if not _is_small_digit(character)) or text


def _is_small_digit(character: str) -> bool:
    return unicodedata.category(character) == "No" and unicodedata.decomposition(character).startswith("<su")


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def name_key(name: str) -> str:
    """Return a key that is equal for names that differ only in case, width, accents, small digits, spaces or
    punctuation."""
    return _letters(_folded(_without_small_digits(name)))


def name_look(name: str) -> str:
    """Return a key that is equal for names that look alike: `Paul`, `PauI`, `Pau1` and `P.a.u.l`."""
    name = _without_small_digits(name)
    if name.isupper():
        # Among capitals, a one looks like an I, and neither looks like an L.
        name = name.replace("1", "i").replace("|", "i").replace("I", "i")
    # Take the skeleton before NFKC too, which turns some lookalikes into other letters. Handle capitals
    # before case folding: a capital I looks like an L, a small one doesn't.
    seen = _skeleton(unicodedata.normalize("NFKC", _skeleton(name)))
    seen = _SIGN_FOR_I.sub("i", seen).translate(_SIGNS)
    return _letters(_skeleton(_folded(seen))).replace("w", "vv")


def name_keys(name: str) -> set[str]:
    """Return the keys of an account with this name. A name that shares one of them could be mistaken for
    it."""
    return {name_key(name), name_look(name)}


def is_mixed(name: str) -> bool:
    """Return whether the name mixes scripts that don't belong together."""
    scripts = {_script(character) for character in unicodedata.normalize("NFKC", name)} - {""}
    return len(scripts) > 1 and not any(scripts <= together for together in _TOGETHER)


def _script(character: str) -> str:
    """Return the script of a letter, the first word of its Unicode name; empty for characters common to all
    scripts."""
    if not unicodedata.category(character).startswith("L") or _is_in(character, _MODIFIERS):
        return ""
    word = unicodedata.name(character, "").partition(" ")[0]
    if word in ("MODIFIER", "KATAKANA-HIRAGANA"):
        return ""
    return _SCRIPTS.get(word, word)


# -- valid names -------------------------------------------------------------------------------------------


LONGEST_NAME: Final = 24

_UNSEEN: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Invisible characters that Unicode classes as letters, marks or symbols. Names that differ only in these
would look the same."""


def clean_name(text: str) -> str:
    """Return the name without extra spaces and invisible characters. Raises `InputError` if it is invalid."""
    name = " ".join(unicodedata.normalize("NFC", _UNSEEN.sub("", text)).split())
    if not name:
        raise input_error("NAME_EMPTY")
    if len(name) > LONGEST_NAME:
        raise input_error("NAME_TOO_LONG", {"most": LONGEST_NAME})
    marks = 0
    for character in name:
        # Limit stacked accents, which could grow until they cover the table.
        marks = marks + 1 if unicodedata.category(character) in ("Mn", "Me") else 0
        if not character.isprintable() or marks > 2:
            raise input_error("NAME_UNPRINTABLE")
    if all(unicodedata.category(character)[0] in "MZ" for character in name):
        raise input_error("NAME_UNSEEN")
    if is_mixed(name):
        raise input_error("NAME_MIXED")
    return name


# -- reserved names ----------------------------------------------------------------------------------------


_ROLES: Final = (
    *("admin", "administrator", "administratorin", "administrador", "administradora", "administrateur"),
    *("administratrice", "amministratore", "amministratrice", "moderator", "moderatorin", "moderador"),
    *("moderadora", "moderateur", "moderatrice", "moderatore", "sysadmin", "sysop", "webmaster", "root"),
    *("staff", "support", "soporte", "suporte", "supporto"),
)
"""Words reserved anywhere in a name: `Paul Admin`."""
_STEMS: Final = ("admin", "moderator", "moderador", "moderateur")
"""Words reserved at the start or the end of a name without spaces: `PaulAdmin`."""
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
"""Words for players who haven't chosen a name, in all languages. No account can have them."""
_WORDS: Final = (
    *("canasta", "server", "serveur", "servidor", "system", "sistema", "systeme", "mod", "mods", "official"),
    *("offiziell", "oficial", "officiel", "ufficiale", "team", "equipo", "equipe", "squadra", "operator"),
    *("betreiber", "operador", "operateur", "operatore", "owner", "host", "gastgeber", "anfitrion", "hote"),
    *("dealer", "geber", "bot", "bots", "robot", "roboter", "robo", "computer", "ordenador", "computadora"),
    *("ordinateur", "computador", "everyone", "alle", "todos", "tous", "tutti", "anonymous", "anonym"),
    *("anonimo", "anonyme", "null", "none"),
    *("undefined", "help", "hilfe", "ayuda", "aide", "aiuto", "ajuda", "info", "security", "you"),
)
"""Words reserved on their own and combined with each other: `Canasta` and `Canasta Team`, but not `Canasta
Kid`."""
_ARTICLES: Final = ("the", "der", "die", "das", "el", "la", "los", "las", "le", "les", "il", "lo", "os", "as")
"""Articles, which may precede a reserved word: `Der Server`."""


def _seen(text: str) -> str:
    """Return the look of the text with `i` and `l` treated as equal: within a familiar word, people overlook
    the difference."""
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
    """Return whether this is a reserved word after an article or another reserved word: `CanastaServer`."""
    return any(
        text[at:] in _SEEN_WORDS and (text[:at] in _SEEN_WORDS or text[:at] in _SEEN_ARTICLES)
        for at in range(1, len(text))
    )


def _words(name: str) -> list[str]:
    """Return the words of the name, without trailing digits."""
    parts = re.split(r"[\W_]+", unicodedata.normalize("NFC", name))
    return [word for part in parts if (word := part.rstrip("0123456789"))]
