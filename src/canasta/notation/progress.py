"""A side's progress towards going out, for every table that shows it."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from canasta.engine.law.going_out import ANY_CANASTA, canastas_asked
from canasta.rules.model import Ruleset

ANY: Final = "canasta"


class CanastasNeeded(NamedTuple):
    """Canastas of one kind: `natural`, `mixed`, `wild` or `samba`, or `canasta` for any kind."""

    kind: str
    have: int
    need: int

    @property
    def is_enough(self) -> bool:
        return self.have >= self.need


def canastas_needed(rules: Ruleset, canastas: Sequence[str]) -> list[CanastasNeeded]:
    """Return the canastas that OUT-1 requires, with those a side has. `canastas` lists the kinds on the
    table.

    >>> from canasta.rules import load_ruleset
    >>> canastas_needed(load_ruleset("jaques"), ["mixed"])
    [Needed(kind='canasta', have=1, need=1)]
    """
    return [
        CanastasNeeded(ANY, len(canastas), need)
        if kind == ANY_CANASTA
        else CanastasNeeded(kind, canastas.count(kind), need)
        for kind, need in canastas_asked(rules.going_out)
        if need > 0
    ]
