"""What laying cards is worth, one step at a time."""

from canasta.bots.sight import may_go_out
from canasta.bots.weights import Weights
from canasta.engine.cards import JOKER, NATURAL_RANKS, TWO
from canasta.engine.moves import ROW_WILD
from canasta.engine.state import MIXED, NATURAL, SAMBA, WILD, HandState, run_length, run_low, run_suit
from canasta.engine.steps import (
    ANY_SUIT,
    START_NATURALS,
    START_PAIR,
    START_RUN,
    START_WILDS,
)

PROGRESS: list[float] = [0.0, 0.02, 0.05, 0.12, 0.22, 0.38, 0.62, 1.0]
"""The share of a canasta's bonus that a meld of so many cards stands for."""

NO_MELD = -1e9


def progress(state: HandState, size: int) -> float:
    """As `PROGRESS`, for canastas of any size."""
    full = state.tables.canasta_size
    if size >= full:
        return 1.0
    if full != 7:
        size = size * 7 // full
    return PROGRESS[size]


class Melding:
    """The worth of laying cards for the player to move."""

    def __init__(self, state: HandState, weights: Weights) -> None:
        seat = state.turn
        self.state: HandState = state
        self.weights: Weights = weights
        self.seat: int = seat
        self.side: int = state.side_of[seat]
        self.counts: list[int] = state.counts[seat]
        self.bonus: list[int] = state.tables.canasta_bonus
        self.may_leave: bool = may_go_out(state, self.side)
        self.lacks: list[bool] = self._lacking()

    def _lacking(self) -> list[bool]:
        """Of which kinds of canasta the side still needs one to go out."""
        tables = self.state.tables
        canastas = self.state.canastas[self.side]
        short = canastas[0] + canastas[1] + canastas[2] + canastas[3] < tables.canastas_needed
        return [short or canastas[kind] < tables.kinds_needed[kind] for kind in range(4)]

    def thinness(self, left: int) -> float:
        """What a hand of so few cards costs a player who may not go out."""
        weights = self.weights
        if self.state.foot_waits[self.seat] or not weights.holds_back:
            return 0.0
        missing = weights.reserve - left
        if missing <= 0.0:
            return 0.0
        price = weights.reserve_price * missing * missing
        return price * 0.3 if self.may_leave else price

    def thinning(self, count: int) -> float:
        """What laying so many cards more costs in that way."""
        size = self.state.size[self.seat]
        return self.thinness(size - count) - self.thinness(size)

    def score(self, step: int) -> float:
        """The worth of a step; `NO_MELD` when it lays nothing."""
        layout = self.state.tables.layout
        if step >= layout.add_wild:
            slot, joker = divmod(step - layout.add_wild, 2)
            return self._add_wild(slot, joker)
        if step >= layout.add_natural:
            return self._add_natural((step - layout.add_natural) // 5)
        if step >= layout.extend_run:
            index, high_end = divmod(step - layout.extend_run, 2)
            return self._extend_run(index, high_end)
        if step >= layout.take_onto_set:
            return NO_MELD
        if step >= START_PAIR:
            code, joker = divmod(step - START_PAIR, 2)
            return self._start_pair(code // 11, joker)
        if step >= START_NATURALS:
            return self._start_naturals((step - START_NATURALS) // 21)
        if step >= START_RUN:
            low, suit = divmod(step - START_RUN, 5)
            return self._start_run(low, suit)
        if START_WILDS <= step < START_WILDS + 4:
            return self._start_wilds(step - START_WILDS)
        return NO_MELD

    # -- adding -------------------------------------------------------------------------------------------

    def _gain(self, kind: int, before: int, after: int) -> float:
        """What growing towards a canasta of this kind is worth."""
        size = self.state.tables.canasta_size
        weights = self.weights
        step = (progress(self.state, after) - progress(self.state, before)) * self.bonus[kind]
        if after >= size > before:
            gain = step * weights.complete
            if self.lacks[kind]:
                gain += weights.first_canasta
            return gain
        return step * weights.lay

    def _add_natural(self, slot: int) -> float:
        state = self.state
        weights = self.weights
        rank = slot // state.tables.slots
        size = state.set_size(self.side, slot)
        kind = NATURAL if state.wilds[self.side][slot] == 0 else MIXED
        worth = weights.add_bias + weights.lay_points * state.tables.values[rank]
        if size < state.tables.canasta_size:
            worth += self._gain(kind, size, size + 1)
        worth -= self.thinning(1)
        return worth - self._frozen_pair(rank, 1)

    def _frozen_pair(self, rank: int, laid: int) -> float:
        """What it costs to break the pair that could take a frozen pile."""
        state = self.state
        count = self.counts[rank]
        if count < 2 or count - laid >= 2:
            return 0.0
        if not state.frozen and not state.tables.always_frozen:
            return 0.0
        if state.foot_waits[self.seat]:
            return 0.0
        return self.weights.frozen_pair * len(state.pile)

    def _wild_price(self, joker: int) -> float:
        return self.weights.keep_wild + (self.weights.keep_joker if joker else 0.0)

    def _add_wild(self, slot: int, joker: int) -> float:
        state = self.state
        weights = self.weights
        tables = state.tables
        row = slot // tables.slots
        size = state.set_size(self.side, slot)
        points = weights.lay_points * tables.values[TWO + joker]
        if row == ROW_WILD:
            return points + self._gain(WILD, size, size + 1) + weights.add_bias - self.thinning(1)
        price = self._wild_price(joker)
        if state.wilds[self.side][slot] == 0:
            spoiled = float(self.bonus[NATURAL] - self.bonus[MIXED])
            if size >= tables.canasta_size:
                return -spoiled
            price += spoiled * weights.spoil * progress(state, size)
            if tables.kinds_needed[NATURAL] > state.canastas[self.side][NATURAL]:
                price += 150.0 * progress(state, size)
        if size >= tables.canasta_size:
            return points - price - self.thinning(1)
        return points + self._gain(MIXED, size, size + 1) - price - self.thinning(1)

    def _extend_run(self, index: int, high_end: int) -> float:
        state = self.state
        run = state.runs[self.side][index]
        length = run_length(run)
        rank = run_low(run) + length if high_end else run_low(run) - 1
        worth = self.weights.add_bias + self.weights.lay_points * state.tables.values[rank]
        worth += self._gain(SAMBA, length, length + 1)
        return worth - self.thinning(1) - self._frozen_pair(rank, 1)

    # -- new melds ----------------------------------------------------------------------------------------

    def _start_naturals(self, rank: int) -> float:
        weights = self.weights
        state = self.state
        worth = weights.start_set + 3.0 * weights.lay_points * state.tables.values[rank]
        worth += self._gain(NATURAL, 0, min(self.counts[rank], state.tables.canasta_size))
        return worth - self.thinning(3) - self._frozen_pair(rank, self.counts[rank])

    def _start_pair(self, rank: int, joker: int) -> float:
        weights = self.weights
        state = self.state
        worth = weights.start_set + weights.lay_points * (
            2.0 * state.tables.values[rank] + state.tables.values[TWO + joker]
        )
        worth += self._gain(MIXED, 0, 3) - self._wild_price(joker) - weights.keep_pair
        return worth - self.thinning(3) - self._frozen_pair(rank, 2)

    def _start_run(self, low: int, suit: int) -> float:
        """A run is worth what it may grow to from this hand at once."""
        state = self.state
        weights = self.weights
        high = low + 3
        while high < NATURAL_RANKS and high - low < state.tables.canasta_size and self._holds(high, suit):
            high += 1
        worth = weights.start_run
        for rank in range(low, low + 3):
            worth += weights.lay_points * state.tables.values[rank]
            if self.counts[rank] == 3 or self.counts[rank] == 2:
                worth -= weights.keep_pair * 0.5
        for run in state.runs[self.side]:
            # A second run over the same ranks competes with the first for the cards that are left.
            if run_suit(run) == suit and run_length(run) < state.tables.canasta_size:
                worth -= weights.start_run * 0.5
        worth += self._gain(SAMBA, 0, high - low)
        return worth - self.thinning(3)

    def _holds(self, rank: int, suit: int) -> bool:
        if suit == ANY_SUIT:
            return self.counts[rank] > 0
        return self.state.cards[self.seat][rank * 4 + suit] > 0

    def _start_wilds(self, jokers: int) -> float:
        weights = self.weights
        have = self.counts[TWO] + self.counts[JOKER]
        full = self.state.tables.canasta_size
        worth = weights.start_set + self._gain(WILD, 0, min(have, full))
        worth += weights.lay_points * 60.0 - weights.keep_wild * 0.5 - 0.01 * jokers
        return worth - self.thinning(3)
