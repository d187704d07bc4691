"""One numbering of actions for all rules, so that one network can play by all of them.

An action is the number that its step has where a rank may have `MOST_SLOTS` sets and sequences are long: the
steps of those come after all others.
"""

from typing import Final

from canasta.engine.observing.pieces import MOST_SLOTS
from canasta.engine.prepared import PreparedRules
from canasta.engine.steps.codec import StepLayout, layout_for
from canasta.errors import CanastaError

UNIVERSAL_STEPS: Final[StepLayout] = layout_for(MOST_SLOTS, long_runs=True)
UNIVERSAL_ACTIONS: Final = UNIVERSAL_STEPS.size


class NoRoom(CanastaError, ValueError):
    """The rules allow more than the layout for all rules has room for; the message says what."""


def universal_actions(prepared: PreparedRules) -> list[int]:
    """The action of every step under these rules, by its number. Raises `NoRoom`."""
    slots = prepared.slots.per_row
    if slots > MOST_SLOTS:
        raise NoRoom(
            f"these rules allow {slots} sets of a rank, and the universal layout has room for {MOST_SLOTS}; "
            "the layout by the rules has room for all"
        )
    own = prepared.layout
    return [own.number_in(UNIVERSAL_STEPS, step) for step in range(own.size)]
