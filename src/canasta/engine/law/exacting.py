"""Rules of games that judge a turn as a whole: which cards may lie where, and which may be discarded.

Such a game (`PreparedRules.exacting`) has one set of a rank, closed as a canasta, no sequences and no feet,
and its threes are bonus cards.
"""

from typing import Final

from canasta.engine.cards import ACE, BLACK_THREE, JOKER, NATURAL_RANKS, RED_THREE, SEVEN, TWO
from canasta.engine.law.why_not import (
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
from canasta.engine.meld_names import ROW_WILD
from canasta.engine.prepared import WILDS_FREE, WILDS_IN_OPENING, WILDS_NEVER, PreparedRules
from canasta.engine.state import HandState

SPECIAL_ROWS: Final = (SEVEN, ACE, ROW_WILD)
"""Sets that nobody leaves unfinished for nothing: sevens, aces, wilds."""


def is_dead(state: HandState, side: int, row: int) -> bool:
    """Nobody melds this row any more, since it is a canasta somewhere (MELD-12).

    Wilds are dead for the sides that have no wild canasta: they still lie on other sets.
    """
    if not state.prepared.dead_ranks:
        return False
    size = state.prepared.canasta_size
    for other in range(state.sides):
        if state.set_size(other, row) >= size and (row != ROW_WILD or other != side):
            return True
    return False


def dead_rows(state: HandState, side: int) -> list[int]:
    """The rows that are dead for a side, in order."""
    if not state.prepared.dead_ranks:
        return []
    # A rank has one set there, whose slot is its row.
    rows = {row for other in range(state.sides) for row in state.sets_of(other)}
    return sorted(row for row in rows if is_dead(state, side, row))


class Table:
    """What the rules of a set look at beside the set itself."""

    def __init__(self, state: HandState) -> None:
        side = state.side_of[state.turn]
        self.prepared: PreparedRules = state.prepared
        self.opening: bool = not state.opened(side)
        self.top_row: int = state.prepared.rank_of[state.taken_top] if state.pile_due else -1
        """The rank of the card for which the pile is being taken."""
        self.wild_set: int = state.set_size(side, ROW_WILD)
        self.dead: list[int] = dead_rows(state, side)
        self.wilds_elsewhere: bool = False
        """Some set of a rank holds a wild card."""
        for slot in state.sets_of(side):
            if slot != ROW_WILD and state.wilds(side, slot) > 0:
                self.wilds_elsewhere = True

    def why_not(self, row: int, there: int, wilds_there: int, naturals: int, wilds: int) -> int:
        """May these cards join those in a set of this row, as far as it is not a matter of numbers?"""
        prepared = self.prepared
        if row in self.dead:
            return DEAD_RANK
        if row == ROW_WILD:
            bound = prepared.wild_lock and self.opening and self.wilds_elsewhere
            return WILDS_ARE_BOUND if bound else OK
        if row > ROW_WILD:
            return OK
        if wilds > 0:
            reason = self._why_not_wilds(row, there + naturals, wilds_there)
            if reason != OK:
                return reason
        if self.opening and not prepared.mixed_canasta_opens and wilds_there + wilds > 0:
            if there + wilds_there + naturals + wilds >= prepared.canasta_size:
                return MIXED_CANASTA_OPENS
        return OK

    def _why_not_wilds(self, row: int, naturals: int, wilds_there: int) -> int:
        prepared = self.prepared
        rule = prepared.rank_wilds[row]
        if rule == WILDS_NEVER:
            return RANK_WITHOUT_WILDS
        if rule == WILDS_IN_OPENING and wilds_there == 0 and (not self.opening or row == self.top_row):
            return RANK_STAYS_PURE
        if prepared.wild_lock and 0 < self.wild_set < prepared.canasta_size and ROW_WILD not in self.dead:
            return WILDS_ARE_BOUND
        if naturals < prepared.naturals_before_wild and not (self.opening and self.wild_set == 0):
            return MORE_NATURALS_BEFORE_WILD
        return OK


def why_not_on_set(state: HandState, row: int, naturals: int, wilds: int) -> int:
    """May these cards lie in the side's set of this row, new or not?"""
    side = state.side_of[state.turn]
    return Table(state).why_not(row, state.naturals(side, row), state.wilds(side, row), naturals, wilds)


# -- discards ---------------------------------------------------------------------------------------------


def why_not_banned(state: HandState, rank: int) -> int:
    """What keeps a card of this rank off the pile, while the player keeps others (DISC-6, DISC-7)."""
    if rank == RED_THREE or rank == BLACK_THREE:
        return THREE_DISCARD
    reason = _banned(state, rank)
    if reason == OK or state.melded_now:
        return reason
    # With nothing melded in the turn, a hand that holds nothing better throws what is least bad.
    worst = _badness(state, rank)
    for other in range(JOKER + 1):
        if state.count(state.turn, other) > 0 and _badness(state, other) < worst:
            return reason
    return OK


def _banned(state: HandState, rank: int) -> int:
    prepared = state.prepared
    if rank == TWO or rank == JOKER:
        if prepared.discard_only_wilds:
            return WILD_DISCARD
        return SAFE_DISCARD if prepared.empty_pile_bars and state.pile_size() == 0 else OK
    if prepared.empty_pile_bars and state.pile_size() == 0 and rank < NATURAL_RANKS:
        if rank == SEVEN or rank == ACE or is_dead(state, state.side_of[state.turn], rank):
            return SAFE_DISCARD
    return OK


def _badness(state: HandState, rank: int) -> int:
    """In which order banned cards are thrown: an ace or seven, a dead card, a wild one."""
    if _banned(state, rank) == OK:
        return 0
    if rank >= NATURAL_RANKS:
        return 3
    return 2 if is_dead(state, state.side_of[state.turn], rank) else 1


# -- going out --------------------------------------------------------------------------------------------


def is_unfinished(prepared: PreparedRules, row: int, naturals: int, wilds: int) -> bool:
    """A set that must not be left unfinished: of wilds, of sevens, of aces that hold no wild card (OUT-8)."""
    if row not in SPECIAL_ROWS or not 0 < naturals + wilds < prepared.canasta_size:
        return False
    return row == ROW_WILD or (wilds == 0 and prepared.rank_wilds[row] != WILDS_FREE)


def unfinished_rows(state: HandState, side: int) -> list[int]:
    """The side's unfinished special sets."""
    prepared = state.prepared
    return [
        slot
        for slot in state.sets_of(side)
        if is_unfinished(prepared, slot, state.naturals(side, slot), state.wilds(side, slot))
    ]


def why_not_unfinished(state: HandState, side: int) -> int:
    """What an unfinished special set has against going out."""
    return UNFINISHED_SETS if state.prepared.unfinished_bars and unfinished_rows(state, side) else OK
