"""The kinds of facts: every placeholder of a message is one of these names.

A fact is a number or a short text in notation (`K`, `Jo`, `Kh Ks`, `natural`), never a phrase.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

Fact = int | str
Facts = Mapping[str, Fact]

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
"""The code of a message in the part of that name, which is filled with the same facts."""

SEVERAL: Final = "+"
"""Suffix of a kind: several of them, separated by spaces."""

CATALOGUES: Final = Path(__file__).parent / "catalogues"

FACTS: Final[dict[str, str]] = {
    name: kind
    for kind, names in json.loads((CATALOGUES / "facts.json").read_text(encoding="utf-8")).items()
    for name in names
}
"""The kind of each fact: one of the above, or a group of words in the part `cards`; for example `rank`
has the words `rank.K`, `rank.K:plural` and so on. The browser reads the same file."""
