"""House rules that occur in training.

A game changed by these counts as trained; any other change does not.
"""

from collections.abc import Mapping
from typing import Final

from canasta.rules.fields import Value

MOST_CHANGED: Final = 3
"""Maximum number of options changed at a training table."""

_YES_OR_NO: Final = (
    "deck.caliente_cards",
    "turn.lay_bonus_by_hand",
    "pile.always_frozen",
    "pile.put_back",
    "melds.wild_melds",
    "opening.top_card_counts",
    "opening.canasta_bonus_counts",
    "scoring.canasta_for_positive_score",
)
_WILDS: Final = ("fewer", "equal")
_TARGETS: Final = range(1000, 20_001, 500)
_CANASTAS: Final = range(1, 4)
_MORE_OR_FEWER: Final = 2
"""Maximum change of the number of cards dealt."""


def other_values(values: Mapping[str, Value]) -> dict[str, list[Value]]:
    """Return, by field, the other values that training may give it at a table with these values."""
    found: dict[str, list[Value]] = {path: [not values[path]] for path in _YES_OR_NO}
    size = values["deal.hand_size"]
    assert isinstance(size, int), "a number of cards"
    found["deal.hand_size"] = list(range(size - _MORE_OR_FEWER, size + _MORE_OR_FEWER + 1))
    if values["melds.wilds_to_naturals"] in _WILDS:
        found["melds.wilds_to_naturals"] = list(_WILDS)
    if values["match.rounds"] == 0:
        found["match.target"] = list(_TARGETS)
    if values["going_out.canastas"] != 0:
        found["going_out.canastas"] = list(_CANASTAS)
    return {path: [value for value in others if value != values[path]] for path, others in found.items()}


def house_rules(usual: Mapping[str, Value], values: Mapping[str, Value]) -> dict[str, Value] | None:
    """Return the changes from the usual values, if training may have drawn them; otherwise `None`.

    The changes do not include their consequences: applying the same changes again reproduces those.
    """
    changed: dict[str, Value] = {}
    for path, others in other_values(usual).items():
        if values[path] != usual[path]:
            if values[path] not in others:
                return None
            changed[path] = values[path]
    return changed if 0 < len(changed) <= MOST_CHANGED else None
