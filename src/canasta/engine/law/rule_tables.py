"""Rules that depend on the ruleset alone: composition of sets, ways to take the pile, first-meld minimum.

`CompiledRules` stores the answers as tables.
"""

from typing import Final

from canasta.engine.law.reasons import (
    ALWAYS_FROZEN,
    ALWAYS_FROZEN_CANASTA,
    FIRST_MELD_NEEDS_PAIR,
    FROZEN,
    NEEDS_NATURAL_PAIR,
    NO_NATURAL_AND_WILD,
    NO_WILDS_ON_CANASTA,
    NOT_ONTO_CANASTA,
    NOT_ONTO_MELD,
    NOT_ONTO_RUN,
    OK,
    SET_IS_FULL,
    TOO_FEW_CARDS,
    TOO_FEW_NATURALS,
    TOO_MANY_FOR_NATURALS,
    TOO_MANY_WILDS,
)
from canasta.engine.melds import SMALLEST_MELD
from canasta.rules.model import MeldRules, PileRules, Ruleset

NO_LIMIT: Final = 999


def wilds_allowed(melds: MeldRules, naturals: int) -> int:
    """Return the most wilds that a set with this many naturals may hold (MELD-2, MELD-3)."""
    if naturals < melds.least_naturals:
        return 0
    most = melds.most_wilds if melds.most_wilds > 0 else NO_LIMIT
    if melds.wilds_to_naturals == "fewer":
        most = min(most, naturals - 1)
    elif melds.wilds_to_naturals == "equal":
        most = min(most, naturals)
    ladder = melds.wilds_by_size
    if ladder:
        wilds = 0
        while wilds < most:
            step = min(max(naturals + wilds + 1 - 3, 0), len(ladder) - 1)
            if wilds + 1 > ladder[step]:
                break
            wilds += 1
        most = wilds
    return most


def why_not_naturals(
    melds: MeldRules, wild_room: list[int], naturals_there: int, wilds_there: int, naturals: int, wilds: int
) -> int:
    """Return why these naturals and wilds may not join the set of
    a rank (no cards there: a new set), or `OK`."""
    size = naturals_there + wilds_there + naturals + wilds
    if size < SMALLEST_MELD:
        return TOO_FEW_CARDS
    if 0 < melds.largest_set < size:
        return SET_IS_FULL
    all_naturals = naturals_there + naturals
    all_wilds = wilds_there + wilds
    if all_naturals < melds.least_naturals:
        return TOO_FEW_NATURALS
    if wilds > 0:
        if all_wilds > wild_room[all_naturals]:
            return TOO_MANY_WILDS if 0 < melds.most_wilds < all_wilds else TOO_MANY_FOR_NATURALS
        if not melds.wilds_on_canasta:
            # The wilds must be laid before the set is a canasta, with only the naturals it has by then.
            naturals_then = min(all_naturals, melds.canasta_size - all_wilds)
            if (
                naturals_there + wilds_there + wilds > melds.canasta_size
                or all_wilds > wild_room[max(naturals_then, 0)]
            ):
                return NO_WILDS_ON_CANASTA
    return OK


class GrowingSets:
    """Precomputed reasons for adding one card to a set, by the naturals and wilds already in it."""

    def __init__(self, melds: MeldRules, wild_room: list[int], most_wilds: int) -> None:
        self.stride: int = most_wilds + 1
        """Index of an entry in the tables: naturals times `stride`, plus wilds."""
        there = [(naturals, wilds) for naturals in range(len(wild_room)) for wilds in range(self.stride)]
        self.by_natural: bytes = bytes([why_not_naturals(melds, wild_room, *each, 1, 0) for each in there])
        self.by_wild: bytes = bytes([why_not_naturals(melds, wild_room, *each, 0, 1) for each in there])


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


def minimum_for(rules: Ruleset, score: int, round_number: int) -> int:
    """Return the first-meld minimum of a side with this score at the start of the hand (OPEN-1)."""
    opening = rules.opening
    if opening.by_round:
        return opening.minimums[min(round_number, len(opening.minimums)) - 1]
    if score < 0:
        return opening.below_zero
    minimum = opening.minimums[0]
    for from_score, needed in zip(opening.scores[1:], opening.minimums[1:], strict=True):
        if score > from_score or (score == from_score and not opening.above_score):
            minimum = needed
    return minimum
