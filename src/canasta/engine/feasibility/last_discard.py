"""Search for a way to go out by melding more, for a player who can't discard a card and keep another.

The search tries every order of melding without touching the state, and visits each node once. It is bounded.
That is safe: if a way is found once, it is also found after each of its steps, so no step that is allowed
leads to a dead end.
"""

from typing import Final

from canasta.engine.cards import BLACK_THREE, JOKER, NATURAL_RANKS, RED_THREE, TWO
from canasta.engine.feasibility.contract import ContractHand
from canasta.engine.law.american import is_unfinished
from canasta.engine.law.going_out import canastas_suffice, why_not_leave
from canasta.engine.law.melding import why_not_cards
from canasta.engine.law.reasons import OK
from canasta.engine.melds import MIXED, NATURAL, ROW_WILD, SMALLEST_MELD, WILD
from canasta.engine.state import HandState

MOST_NODES: Final = 4000
"""Limit on the nodes visited by one search."""

_ROWS: Final = ROW_WILD + 1


class LastDiscardSearch(ContractHand):
    """Searches for melds after which the player can go out with the last card."""

    def __init__(self, state: HandState) -> None:
        super().__init__(state)
        self.seen: set[tuple[int, ...]] = set()

    def can_end(self) -> bool:
        """Return whether some first meld ends the turn, with a discard or by going out."""
        return self.can_open() or self.exists()

    def exists(self) -> bool:
        state = self.state
        if why_not_leave(state, state.turn) != OK or not self._is_plausible():
            return False
        self.seen.clear()
        return self._visit()

    def _is_plausible(self) -> bool:
        """Return whether nearly all cards can be melded and enough canastas are within reach."""
        compiled = self.compiled
        held = self.counts
        if self.due:
            held = held.copy()
            for rank in self.due:
                held[rank] += 1
        if held[RED_THREE] + held[BLACK_THREE] > 0:
            return False
        wilds = held[TWO] + held[JOKER]
        stranded = 0
        near = 0
        for row in range(NATURAL_RANKS):
            there = self.naturals[row] + self.wilds[row]
            if held[row] > 0 and ((there == 0 and held[row] < 2) or self.table.is_dead(row)):
                stranded += held[row]
            if there + held[row] + min(wilds, SMALLEST_MELD) >= compiled.canasta_size:
                near += 1
        if self.wilds[ROW_WILD] + wilds >= compiled.canasta_size:
            near += 1
        return stranded <= 1 and near >= compiled.canastas_needed

    def _visit(self) -> bool:
        if not self.opened and self.is_met():
            return self._after_opening()
        key = (*self.counts, *self.naturals, *self.wilds, int(self.opened), self.need)
        if key in self.seen or len(self.seen) >= MOST_NODES:
            return False
        self.seen.add(key)
        self.state.compiled.looked_at += 1
        if self.opened and self._is_out():
            return True
        wilds = self.counts[TWO] + self.counts[JOKER]
        for row in range(_ROWS):
            if row == ROW_WILD:
                if wilds == 0:
                    continue
            elif self.naturals[row] == 0:
                if self.counts[row] < 2:
                    continue
            elif self.counts[row] + wilds == 0:
                continue
            for naturals, twos, jokers in self._steps(row):
                self.lay(row, naturals, twos, jokers)
                found = self._visit()
                self.lay(row, -naturals, -twos, -jokers)
                if found:
                    return True
        return False

    def _after_opening(self) -> bool:
        """Continue after the first meld: the pile joins the hand, and other rules for wilds apply."""
        before, counts = self.table.opening, self.counts
        self.counts = counts.copy()
        for rank in self.due:
            self.counts[rank] += 1
        self.opened = True
        self.table.opening = False
        found = self._visit()
        self.opened = False
        self.table.opening = before
        self.counts = counts
        return found

    def _steps(self, row: int) -> list[tuple[int, int, int]]:
        """Return what can be laid next in this row: three cards for a new set, or one for an existing set."""
        there, wilds_there = self.naturals[row], self.wilds[row]
        choices: list[tuple[int, int, int]] = []
        twos, jokers = self.counts[TWO], self.counts[JOKER]
        if row == ROW_WILD:
            if wilds_there > 0:
                choices = [(0, 1, 0), (0, 0, 1)]
            else:
                choices = [(0, SMALLEST_MELD - number, number) for number in range(SMALLEST_MELD + 1)]
        elif there > 0:
            choices = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
        else:
            choices = [(SMALLEST_MELD, 0, 0), (2, 1, 0), (2, 0, 1)]
        fitting: list[tuple[int, int, int]] = []
        for naturals, more_twos, more_jokers in choices:
            if more_twos > twos or more_jokers > jokers:
                continue
            if row != ROW_WILD and naturals > self.counts[row]:
                continue
            wilds = more_twos + more_jokers
            if why_not_cards(self.state.compiled, row, there, wilds_there, naturals, wilds) != OK:
                continue
            if self.table.why_not(row, there, wilds_there, naturals, wilds) == OK:
                fitting.append((naturals, more_twos, more_jokers))
        return fitting

    def _is_out(self) -> bool:
        """Return whether one discardable card is left and the side has what it needs to go out."""
        compiled = self.state.compiled
        if sum(self.counts) != 1 or self.counts[RED_THREE] + self.counts[BLACK_THREE] > 0:
            return False
        canastas = [0, 0, 0, 0]
        for row in range(_ROWS):
            naturals, wilds = self.naturals[row], self.wilds[row]
            if compiled.unfinished_bars and is_unfinished(compiled, row, naturals, wilds):
                return False
            if naturals + wilds >= compiled.canasta_size:
                canastas[NATURAL if wilds == 0 else MIXED if naturals > 0 else WILD] += 1
        return canastas_suffice(compiled, canastas[0], canastas[1], canastas[2], canastas[3])
