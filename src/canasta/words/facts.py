"""What a fact is, by its name: every placeholder of a message is one of these.

A fact is a number or a short text of our notation (`K`, `Jo`, `Kh Ks`, `natural`), never a phrase.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

Fact = int | str
Facts = Mapping[str, Fact]

NUMBER: Final = "number"
"""Said in digits; the form `word` says small ones in words."""
NAME: Final = "name"
"""Said as it is: the name of a player, a text of somebody else."""
FIELD: Final = "field"
"""A field of the rules by its path or its short name, said as it is; in a form by its label."""
SETTING: Final = "setting"
"""A field with a value as `--option` takes it, `melds.runs=yes`; said in the same way."""
CARD: Final = "card"
"""`Kh`, `Jo`; `K` for any card of the rank. Said as `K♥`, in the form `words` as `the king of hearts`."""
CANASTAS: Final = "canastas"
"""Counts and kinds, `2 natural 1 wild`; `any` counts all, and the kinds after it are among them."""
MELD: Final = "meld"
"""The name of a meld: `K`, `K#2`, `W`, `run#1`."""
MOVE: Final = "move"
"""A move in our notation: `draw`, `discard 7h`, `add K 2 to K`."""

SYSTEM: Final = "system"
"""Why a file or a connection fails: `ENOSPC`, an entry of the part `system`; else as the system says it."""

SENTENCES: Final = ("notation", "files")
"""The code of a message in the part of that name, which is filled with the same facts."""

SEVERAL: Final = "+"
"""After a kind: several of them with spaces between."""

CATALOGUES: Final = Path(__file__).parent / "catalogues"

FACTS: Final[dict[str, str]] = {
    name: kind
    for kind, names in json.loads((CATALOGUES / "facts.json").read_text(encoding="utf-8")).items()
    for name in names
}
"""The kind of each fact: one of the above, or a group of words in the part `cards`, where `rank` has
`rank.K`, `rank.K:plural` and so on. The browser reads the same file."""
