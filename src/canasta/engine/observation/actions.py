"""One numbering of actions for all rulesets, so that a single network can play them all.

An action is the number of its step in a layout with `MOST_SLOTS` sets per rank and long sequences, whose
steps come after all others.
"""

from typing import Final

from canasta.engine.actions.codec import StepLayout, layout_for
from canasta.engine.compiled_rules import CompiledRules
from canasta.engine.observation.layout import MOST_SLOTS
from canasta.errors import CanastaError

UNIVERSAL_STEPS: Final[StepLayout] = layout_for(MOST_SLOTS, long_runs=True)
UNIVERSAL_ACTIONS: Final = UNIVERSAL_STEPS.size


class NoRoom(CanastaError, ValueError):
    """The ruleset exceeds what the universal layout has room for; the message says where."""


def universal_actions(compiled: CompiledRules) -> list[int]:
    """Return the universal action of every step under these rules, by its number.

    Raise `NoRoom` if it does not fit.
    """
    slots = compiled.slots.per_row
    if slots > MOST_SLOTS:
        raise NoRoom(
            f"these rules allow {slots} sets of a rank, and the universal layout has room for {MOST_SLOTS}; "
            "the layout by the rules has room for all"
        )
    own = compiled.layout
    return [own.number_in(UNIVERSAL_STEPS, step) for step in range(own.size)]
