"""The catalogues: the texts of each language, loaded on first use, and the grammar of a message.

A message is text with placeholders:

- `{rank}`: a fact, formatted by its kind (see below). `{rank:plural}`, `{rank:a}`: another form of its
  word. The forms are those in the language's part `cards`: `rank.K`, `rank.K:plural`, German cases.
- `{rank.3b:plural}`, with a dot: a word of that part itself, regardless of the facts.
- `{count#card|cards}`: the text for one or for several. With three texts, the first is for none. A `#` in
  them is replaced by the number, in the form requested: `{count:word#one card|# cards}`.
- `{^rank:a}`: with an initial capital.

A message or word may have a second entry, `KEY~caliente`, for tables that use the names of the Caliente
booklets.

Project Fluent was considered: importing its runtime and reading 450 messages took 0.14 seconds at every
start, where JSON takes less than a thousandth of that, and its grammar would still know nothing about cards.
"""

import json
import re
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from canasta.errors import UnknownNameError
from canasta.i18n.safe_text import shown

CATALOGUES: Final = Path(__file__).parent / "catalogues"
_SLOT: Final = re.compile(r"\{(\^?)([\w.]+)(?::(\w+))?(?:#([^{}]*))?\}")

# -- the kinds of facts: every placeholder of a message is the name of a fact -------------------------------

NUMBER: Final = "number"
"""Written in digits; the form `word` spells small numbers out."""
NAME: Final = "name"
"""Used verbatim: a player's name, or a text from outside."""
FIELD: Final = "field"
"""A field of the rules by its path or short name, used verbatim; in a form, its label."""
SETTING: Final = "setting"
"""A field with a value as `--option` accepts it, such as `melds.runs=yes`; formatted like a field."""
CARD: Final = "card"
"""`Kh`, `Jo`, or `K` for any card of the rank. Formatted as
`K♥`, or `the king of hearts` in the form `words`."""
CANASTAS: Final = "canastas"
"""Numbers and kinds, such as `2 natural 1 wild`. A leading `any`
is the total, which includes the other kinds."""
MELD: Final = "meld"
"""The name of a meld: `K`, `K#2`, `W`, `run#1`."""
MOVE: Final = "move"
"""A move in notation: `draw`, `discard 7h`, `add K 2 to K`."""

SYSTEM: Final = "system"
"""Why a file or a connection failed: `ENOSPC`, an entry of the part `system`, or else the system's text."""

SENTENCES: Final = ("notation", "files")
"""Kinds whose facts are the code of a message in the part of that name, filled with the same facts."""

SEVERAL: Final = "+"
"""Suffix of a kind: several of them, separated by spaces."""


@cache
def fact_kinds() -> dict[str, str]:
    """Return the kind of each fact: one of the above, or a group of words in the part `cards`.

    For example, `rank` has the words `rank.K`, `rank.K:plural` and so on. The browser reads the same file.
    """
    groups = json.loads((CATALOGUES / "facts.json").read_text(encoding="utf-8"))
    return {name: kind for kind, names in groups.items() for name in names}


# -- messages -----------------------------------------------------------------------------------------------


class Slot(NamedTuple):
    """A placeholder of a message."""

    name: str
    form: str = ""
    choices: tuple[str, ...] = ()
    capital: bool = False


@cache
def pieces(text: str) -> tuple[str | Slot, ...]:
    """Split a message into texts and placeholders.

    >>> pieces("{^top:a} lies there.")
    (Slot(name='top', form='a', choices=(), capital=True), ' lies there.')
    """
    found: list[str | Slot] = []
    at = 0
    for match in _SLOT.finditer(text):
        capital, name, form, choices = match.groups()
        parts = tuple(choices.split("|")) if choices is not None else ()
        found += [text[at : match.start()], Slot(name, form or "", parts, bool(capital))]
        at = match.end()
    found.append(text[at:])
    return tuple(piece for piece in found if piece)


@cache
def languages() -> tuple[str, ...]:
    """Return the available languages, English first."""
    found = sorted(path.name for path in CATALOGUES.iterdir() if path.is_dir())
    return ("en", *(name for name in found if name != "en"))


def known_languages() -> str:
    """Return the languages with their own names: `en (English), de (Deutsch)`."""
    return ", ".join(f"{name} ({texts(name, 'cards')['language']})" for name in languages())


def unknown_language(name: str) -> UnknownNameError:
    return UnknownNameError(f"There is no language {shown(name)}. There are: {known_languages()}.")


@cache
def texts(language: str, part: str) -> dict[str, str]:
    """Return all texts of a part, loaded on first use.

    Raise `UnknownNameError` if there is no such language.
    """
    if language not in languages():
        raise unknown_language(language)
    read: dict[str, str] = json.loads((CATALOGUES / language / f"{part}.json").read_text(encoding="utf-8"))
    return read
