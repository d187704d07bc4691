"""Advice: tips in groups, some with a position to try. They are read from `advice.toml`."""

from functools import lru_cache
from importlib.resources import files

import msgspec
from msgspec import Struct

from canasta.errors import CanastaError
from canasta.table.practice import Practice


class Tip(Struct, kw_only=True, forbid_unknown_fields=True):
    id: str
    """Of its texts: `safe-discard`."""
    group: str
    rules: str
    """The game that it is about, or shown by."""
    position: str = ""
    """Empty where there is nothing to try."""
    best: list[str] = []
    """What the tip advises there: any of these moves."""
    ahead: int = 0
    """Points by which that is better than the next other thing to do, on average."""
    goals: list[str] = []
    """See `table.goals`."""
    avoid: list[str] = []

    def practice(self) -> Practice:
        """A table with its position: one turn to do what is advised."""
        return Practice(
            thing=f"advice:{self.id}",
            position=self.position,
            goals=self.goals,
            avoid=self.avoid,
            turns=1,
            level="club",
        )


class _Advice(Struct, forbid_unknown_fields=True):
    tip: list[Tip]


class NoSuchTip(CanastaError, LookupError):
    """There is no such tip, or it has nothing to try."""


@lru_cache(maxsize=1)
def tips() -> dict[str, Tip]:
    """All tips by id, in the order of the page."""
    text = (files("canasta.lessons") / "advice.toml").read_text(encoding="utf-8")
    return {tip.id: tip for tip in msgspec.toml.decode(text, type=_Advice).tip}


def tip_to_try(name: str) -> Practice:
    """The table of a tip. Raises `NoSuchTip`."""
    found = tips().get(name)
    if found is None or not found.position:
        raise NoSuchTip(name)
    return found.practice()
