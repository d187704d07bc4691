"""How far a side is on its way to going out, for every table that shows it."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from canasta.engine.law.going_out import ANY_CANASTA, canastas_asked
from canasta.rules.model import Ruleset

ANY: Final = "canasta"


class Needed(NamedTuple):
    """Canastas of one kind: `natural`, `mixed`, `wild` or `samba`; `canasta` stands for any."""

    kind: str
    have: int
    need: int

    @property
    def is_enough(self) -> bool:
        return self.have >= self.need


def canastas_needed(rules: Ruleset, canastas: Sequence[str]) -> list[Needed]:
    """What OUT-1 asks for beside what a side has; `canastas` are the kinds of those on the table.

    >>> from canasta.rules import load_ruleset
    >>> canastas_needed(load_ruleset("jaques"), ["mixed"])
    [Needed(kind='canasta', have=1, need=1)]
    """
    return [
        Needed(ANY, len(canastas), need) if kind == ANY_CANASTA else Needed(kind, canastas.count(kind), need)
        for kind, need in canastas_asked(rules.going_out)
        if need > 0
    ]
