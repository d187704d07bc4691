"""Tips in groups, some with a position to try, read from `advice.toml`."""

from functools import lru_cache
from importlib.resources import files

import msgspec
from msgspec import Struct

from canasta.errors import CanastaError
from canasta.table.practice import Practice


class Tip(Struct, kw_only=True, forbid_unknown_fields=True):
    id: str
    """Id of its texts, such as `safe-discard`."""
    group: str
    rules: str
    """The game that it is about, or that demonstrates it."""
    position: str = ""
    """The position to try; empty if there is none."""
    best: list[str] = []
    """The moves that the tip recommends there; any of them is right."""
    ahead: int = 0
    """Points by which that is better than the next best alternative, on average."""
    goals: list[str] = []
    """Goals, as in `table.goals`."""
    avoid: list[str] = []

    def practice(self) -> Practice:
        """Return a table with the tip's position, and one turn to follow the advice."""
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
    """The tip does not exist, or has no position to try."""


@lru_cache(maxsize=1)
def tips() -> dict[str, Tip]:
    """Return all tips by id, in page order."""
    text = (files("canasta.lessons") / "advice.toml").read_text(encoding="utf-8")
    return {tip.id: tip for tip in msgspec.toml.decode(text, type=_Advice).tip}


def tip_to_try(name: str) -> Practice:
    """Return the table of a tip. Raise `NoSuchTip` if it has none."""
    found = tips().get(name)
    if found is None or not found.position:
        raise NoSuchTip(name)
    return found.practice()
