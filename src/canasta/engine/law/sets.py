"""The composition of sets of a natural rank."""

from typing import Final

from canasta.engine.law.reasons import (
    NO_WILDS_ON_CANASTA,
    OK,
    SET_IS_FULL,
    TOO_FEW_CARDS,
    TOO_FEW_NATURALS,
    TOO_MANY_FOR_NATURALS,
    TOO_MANY_WILDS,
)
from canasta.engine.meld_names import SMALLEST_MELD
from canasta.rules.model import MeldRules

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
