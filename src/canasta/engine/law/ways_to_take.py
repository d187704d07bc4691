"""The ways of taking the pile, and when each is open, whatever the cards."""

from typing import Final

from canasta.engine.law.reasons import (
    ALWAYS_FROZEN,
    ALWAYS_FROZEN_CANASTA,
    FIRST_MELD_NEEDS_PAIR,
    FROZEN,
    NEEDS_NATURAL_PAIR,
    NO_NATURAL_AND_WILD,
    NOT_ONTO_CANASTA,
    NOT_ONTO_MELD,
    NOT_ONTO_RUN,
    OK,
)
from canasta.rules.model import PileRules

WITH_PAIR: Final = 0
WITH_NATURAL_AND_WILD: Final = 1
ONTO_OPEN_MELD: Final = 2
"""Onto a meld that is not a canasta, if the rules allow taking onto melds at all."""
ONTO_SET: Final = 3
ONTO_CANASTA: Final = 4
ONTO_RUN: Final = 5
ONTO_SAMBA: Final = 6
WAYS: Final = 7


def why_not_way(pile: PileRules, way: int, frozen: bool, opened: bool) -> int:
    """Return why this way is closed, or `OK`, for a side that has
    opened or not and a pile frozen by a card or not."""
    if way == WITH_PAIR:
        return OK
    if way == WITH_NATURAL_AND_WILD:
        if pile.always_frozen:
            return ALWAYS_FROZEN if pile.add_to_meld else NEEDS_NATURAL_PAIR
        if frozen:
            return FROZEN
        if not opened and pile.first_meld_needs_pair:
            return FIRST_MELD_NEEDS_PAIR
        return OK if pile.natural_and_wild else NO_NATURAL_AND_WILD
    if frozen and not pile.always_frozen:
        return FROZEN
    if not opened:
        return FIRST_MELD_NEEDS_PAIR
    if pile.always_frozen and way in (ONTO_CANASTA, ONTO_SAMBA) and pile.add_to_meld:
        return ALWAYS_FROZEN_CANASTA
    if way == ONTO_SET:
        return OK if pile.add_to_meld else NOT_ONTO_MELD
    if way == ONTO_CANASTA:
        return OK if pile.add_to_canasta else NOT_ONTO_CANASTA
    if way == ONTO_OPEN_MELD:
        return OK
    return OK if pile.add_to_run else NOT_ONTO_RUN


def place_of(way: int, frozen: bool, opened: bool) -> int:
    """Return the index of a way in the table of `ways_of_taking`."""
    place = 4 * way
    if frozen:
        place += 2
    return place + 1 if opened else place


def ways_of_taking(pile: PileRules) -> bytes:
    """Return the table of `why_not_way` for every way, frozen or not, opened or not."""
    return bytes(
        [
            why_not_way(pile, way, frozen, opened)
            for way in range(WAYS)
            for frozen in (False, True)
            for opened in (False, True)
        ]
    )
