"""Rules of American games: which cards may be melded where, and which may be discarded.

American games have at most one set per rank, which is closed as a canasta, and no sequences or feet; threes
are bonus cards.
"""

from typing import Final

from mypy_extensions import i64

from canasta.engine.cards import ACE, BLACK_THREE, JOKER, NATURAL_RANKS, RANK_OF, RED_THREE, SEVEN, TWO
from canasta.engine.compiled_rules import WILDS_FREE, WILDS_IN_OPENING, WILDS_NEVER, CompiledRules
from canasta.engine.law.reasons import (
    DEAD_RANK,
    MIXED_CANASTA_OPENS,
    MORE_NATURALS_BEFORE_WILD,
    OK,
    RANK_STAYS_PURE,
    RANK_WITHOUT_WILDS,
    SAFE_DISCARD,
    THREE_DISCARD,
    UNFINISHED_SETS,
    WILD_DISCARD,
    WILDS_ARE_BOUND,
)
from canasta.engine.melds import ROW_WILD, ROWS
from canasta.engine.state import HandState

SPECIAL_ROWS: Final = (SEVEN, ACE, ROW_WILD)
"""Rows of the sets that cost points if they are left unfinished: sevens, aces, wilds."""


def is_dead(state: HandState, side: int, row: int) -> bool:
    """Return whether this row can't be melded any more because a side has a canasta of it (MELD-12).

    A wild canasta kills the wild row only for the other sides; their wilds can still join other sets.
    """
    if not state.compiled.dead_ranks:
        return False
    size = state.compiled.canasta_size
    for other in range(state.sides):
        if state.size_of_set(other, row) >= size and (row != ROW_WILD or other != side):
            return True
    return False


def dead_rows(state: HandState, side: int) -> list[int]:
    """Return the rows that are dead for a side, in order."""
    dead = _dead_bits(state, side)
    return [row for row in range(ROWS) if dead >> row & 1]


def _dead_bits(state: HandState, side: int) -> i64:
    """Return the rows that are dead for a side, one bit each."""
    dead: i64 = 0
    if not state.compiled.dead_ranks:
        return dead
    packed = state.packed
    offsets = state.offsets
    size: i64 = state.compiled.canasta_size
    other: i64
    for other in range(state.sides):
        # There is one set per rank, and its slot is its row.
        sets_at = offsets.melds_at + other * offsets.side_size
        first = sets_at + offsets.sets_from + 1
        for at in range(first, first + i64(packed[first - 1])):
            row = i64(packed[at])
            if i64(packed[sets_at + row]) + i64(packed[sets_at + offsets.slots + row]) >= size:
                if row != ROW_WILD or other != side:
                    dead |= 1 << row
    return dead


class MeldContext:
    """State outside a set that the rules for the set depend on."""

    def __init__(self, state: HandState) -> None:
        side = state.side_of[state.turn]
        self.compiled: CompiledRules = state.compiled
        self.opening: bool = not state.opened(side)
        self.top_row: int = state.compiled.rank_of[state.taken_top] if state.pile_due else -1
        """The rank of the card for which the pile is being taken."""
        self.wild_set: int = state.size_of_set(side, ROW_WILD)
        self.dead: i64 = _dead_bits(state, side)
        """The dead rows, one bit each."""
        self.wilds_elsewhere: bool = False
        """Whether some set of a natural rank contains a wild card."""
        for number in range(state.number_of_sets(side)):
            slot = state.slot_of_set(side, number)
            if slot != ROW_WILD and state.wilds(side, slot) > 0:
                self.wilds_elsewhere = True

    def is_dead(self, row: i64) -> bool:
        return self.dead >> row & 1 > 0

    def why_not(self, row: int, there: int, wilds_there: int, naturals: int, wilds: int) -> int:
        """Return why these cards may not join a set of this row, apart from its size, or `OK`."""
        compiled = self.compiled
        if self.is_dead(row):
            return DEAD_RANK
        if row == ROW_WILD:
            bound = compiled.wild_lock and self.opening and self.wilds_elsewhere
            return WILDS_ARE_BOUND if bound else OK
        if row > ROW_WILD:
            return OK
        if wilds > 0:
            reason = self._why_not_wilds(row, there + naturals, wilds_there)
            if reason != OK:
                return reason
        if self.opening and not compiled.mixed_canasta_opens and wilds_there + wilds > 0:
            if there + wilds_there + naturals + wilds >= compiled.canasta_size:
                return MIXED_CANASTA_OPENS
        return OK

    def _why_not_wilds(self, row: int, naturals: int, wilds_there: int) -> int:
        compiled = self.compiled
        rule = compiled.rank_wilds[row]
        if rule == WILDS_NEVER:
            return RANK_WITHOUT_WILDS
        if rule == WILDS_IN_OPENING and wilds_there == 0 and (not self.opening or row == self.top_row):
            return RANK_STAYS_PURE
        if compiled.wild_lock and 0 < self.wild_set < compiled.canasta_size and not self.is_dead(ROW_WILD):
            return WILDS_ARE_BOUND
        if naturals < compiled.naturals_before_wild and not (self.opening and self.wild_set == 0):
            return MORE_NATURALS_BEFORE_WILD
        return OK


def why_not_on_set(state: HandState, row: int, naturals: int, wilds: int) -> int:
    """Return why these cards may not join or start the side's set of this row, or `OK`."""
    context = state.compiled.family.meld_context(state)
    if context is None:
        return OK
    side = state.side_of[state.turn]
    return context.why_not(row, state.naturals(side, row), state.wilds(side, row), naturals, wilds)


# -- discards ---------------------------------------------------------------------------------------------


def why_not_banned(state: HandState, rank: int) -> int:
    """Return why a player with other cards may not discard this rank, or `OK` (DISC-6, DISC-7)."""
    if rank == RED_THREE or rank == BLACK_THREE:
        return THREE_DISCARD
    reason = _banned(state, rank)
    if reason == OK or (state.melded_now and not began_with_wilds_alone(state)):
        return reason
    # A hand of only wild cards, or one that has melded nothing, may discard its least bad card.
    worst = _badness(state, rank)
    for other in range(JOKER + 1):
        if state.count(state.turn, other) > 0 and _badness(state, other) < worst:
            return reason
    return OK


def began_with_wilds_alone(state: HandState) -> bool:
    """Return whether the player to move held nothing but wild cards after the draw (DISC-6).

    A player who took the pile has melded its top card, a natural one.
    """
    seat = state.turn
    for rank in range(NATURAL_RANKS):
        if state.count(seat, rank) > 0:
            return False
    return all(RANK_OF[laid & 63] in (TWO, JOKER) for laid in state.laid_now())


def _banned(state: HandState, rank: int) -> int:
    compiled = state.compiled
    if rank == TWO or rank == JOKER:
        if compiled.discard_only_wilds:
            return WILD_DISCARD
        return SAFE_DISCARD if compiled.empty_pile_bars and state.pile_size() == 0 else OK
    if compiled.empty_pile_bars and state.pile_size() == 0 and rank < NATURAL_RANKS:
        if rank == SEVEN or rank == ACE or is_dead(state, state.side_of[state.turn], rank):
            return SAFE_DISCARD
    return OK


def _badness(state: HandState, rank: int) -> int:
    """Return the order in which banned cards may be discarded: an ace or seven, a dead card, a wild card."""
    if _banned(state, rank) == OK:
        return 0
    if rank >= NATURAL_RANKS:
        return 3
    return 2 if is_dead(state, state.side_of[state.turn], rank) else 1


# -- going out --------------------------------------------------------------------------------------------


def is_unfinished(compiled: CompiledRules, row: int, naturals: int, wilds: int) -> bool:
    """Return whether this set must still be finished: wilds, sevens, or aces without a wild card (OUT-8)."""
    if row not in SPECIAL_ROWS or not 0 < naturals + wilds < compiled.canasta_size:
        return False
    return row == ROW_WILD or (wilds == 0 and compiled.rank_wilds[row] != WILDS_FREE)


def unfinished_rows(state: HandState, side: int) -> list[int]:
    """Return the rows of the side's unfinished special sets."""
    compiled = state.compiled
    return [
        slot
        for slot in state.sets_of(side)
        if is_unfinished(compiled, slot, state.naturals(side, slot), state.wilds(side, slot))
    ]


def why_not_unfinished(state: HandState, side: int) -> int:
    """Return the reason why an unfinished special set prevents going out, or `OK`."""
    return UNFINISHED_SETS if state.compiled.unfinished_bars and unfinished_rows(state, side) else OK
