"""What a fact is, by its name: every placeholder of a message is one of these.

A fact is a number or a short text of our notation (`K`, `Jo`, `Kh Ks`, `natural`), never a phrase.
"""

from collections.abc import Mapping
from typing import Final

Fact = int | str
Facts = Mapping[str, Fact]

NUMBER: Final = "number"
"""Said in digits; the form `word` says small ones in words."""
NAME: Final = "name"
"""Said as it is: the name of a player, a text of somebody else."""
CARD: Final = "card"
"""`Kh`, `Jo`; `K` for any card of the rank. Said as `K♥`, in the form `words` as `the king of hearts`."""
CANASTAS: Final = "canastas"
"""Counts and kinds, `2 natural 1 wild`; `any` counts all, and the kinds after it are among them."""
MELD: Final = "meld"
"""The name of a meld: `K`, `K#2`, `W`, `run#1`."""
MOVE: Final = "move"
"""A move in our notation: `draw`, `discard 7h`, `add K 2 to K`."""

SEVERAL: Final = "+"
"""After a kind: several of them with spaces between."""

FACTS: Final[dict[str, str]] = {
    # ranks and cards
    "rank": "rank",
    "suit": "suit",
    "card": CARD,
    "cards": CARD + SEVERAL,
    "meld": MELD,
    "melds": MELD + SEVERAL,
    "kind": "kind",
    "canastas": CANASTAS,
    "there": CANASTAS,
    # the course of a turn
    "move": MOVE,
    "situation": "situation",
    "keeping": "keeping",
    "defect": "defect",
    # rule sheets: who melds together, and parts of a sentence that were said before
    "team": "team",
    **dict.fromkeys(("any_meld", "any_stop", "any_top", "kinds", "more", "one", "steps", "when"), NAME),
    # people
    "name": NAME,
    "partner": NAME,
    "joins": NAME,
    "problem": NAME,
    # numbers
    **dict.fromkeys(
        (
            *("count", "have", "held", "most", "naturals", "needed", "others", "pile", "points", "room"),
            *("short", "size", "stock", "theirs", "wilds"),
            *("ace", "decks", "extra", "foot", "high", "joker", "low", "players", "round", "rounds", "score"),
            *("target", "three", "threes", "times", "two"),
        ),
        NUMBER,
    ),
}
"""The kind of each fact: one of the above, or a group of words in the part `cards`, where `rank` has
`rank.K`, `rank.K:plural` and so on."""
