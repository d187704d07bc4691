"""The value of melding cards, one step at a time."""

from canasta.bots.card_counting import elapsed, may_go_out, opponent_near_going_out, players_with_foot
from canasta.bots.club.opening import unfinished_risk
from canasta.bots.club.weights import Weights
from canasta.engine.actions.codec import (
    ADD_NATURAL,
    ADD_WILD,
    ANY_SUIT,
    EXTEND_RUN,
    START_NATURALS,
    START_PAIR,
    START_RUN,
    START_WILDS,
    Step,
)
from canasta.engine.cards import JOKER, NATURAL_RANKS, TWO
from canasta.engine.melds import MIXED, NATURAL, ROW_WILD, SAMBA, WILD, run_length, run_low, run_suit
from canasta.engine.state import HandState

NO_MELD = -1e9
NO_ROW = -1


def progress(state: HandState, size: int, weights: Weights) -> float:
    """Return the share of a canasta's bonus to credit to a meld of this size."""
    missing = state.compiled.canasta_size - size
    if missing <= 0:
        return 1.0
    if missing == 1:
        return weights.progress_6
    if missing == 2:
        return weights.progress_5
    if missing == 3:
        return weights.progress_4
    return weights.progress_3 * size / 3.0 if size < 3 else weights.progress_3


class MeldValues:
    """The value of melding cards for the player to move."""

    def __init__(self, state: HandState, weights: Weights) -> None:
        seat = state.turn
        self.state: HandState = state
        self.weights: Weights = weights
        self.seat: int = seat
        self.side: int = state.side_of[seat]
        self.counts: list[int] = state.counts_of(seat)
        self.may_leave: bool = may_go_out(state, self.side)
        self.lacks: list[bool] = self._lacking()
        self.rank_of_row: list[int] = state.compiled.rank_of_row
        self.bonus: list[int] = state.compiled.canasta_bonus
        self.new_set: float = weights.start_set + weights.foot_rank * players_with_foot(state, self.side)
        """Value of a new set for the cards that may join it later."""
        self.to_foot: float = weights.foot_card + weights.foot_hurry * elapsed(state)
        """Value of each card melded before the foot is picked up."""
        self.per_point: float = weights.lay_points
        if opponent_near_going_out(state, self.side):
            self.per_point += weights.late_points

    def _lacking(self) -> list[bool]:
        """Return, by kind of canasta, whether the side still needs one to go out."""
        compiled = self.state.compiled
        canastas = self.state.canasta_counts(self.side)
        short = canastas[0] + canastas[1] + canastas[2] + canastas[3] < compiled.canastas_needed
        return [short or canastas[kind] < compiled.kinds_needed[kind] for kind in range(4)]

    def thinness(self, left: int) -> float:
        """Return the cost of holding only `left` cards: a weakness, unless a foot is waiting."""
        weights = self.weights
        if self.state.foot_waits(self.seat):
            return self.to_foot * left - (weights.foot_near if left <= 1 else 0.0)
        to_out = weights.out_card * left if self.may_leave else 0.0
        missing = weights.reserve - left
        if missing <= 0.0 or not weights.holds_back:
            return to_out
        price = weights.reserve_price * missing * missing
        return to_out + (price * weights.reserve_out if self.may_leave else price)

    def thinning(self, count: int) -> float:
        """Return the extra cost of thinning the hand by `count` cards."""
        size = self.state.size(self.seat)
        return self.thinness(size - count) - self.thinness(size)

    def score(self, step: int) -> float:
        """Return the value of a step; `NO_MELD` if it does not meld."""
        laid = self.state.compiled.layout.decoded[step]
        what = laid.what
        if what == ADD_WILD:
            return self._add_wild(laid.slot, laid.jokers)
        if what == ADD_NATURAL:
            return self._add_natural(laid.slot) - self._torn(self.rank_of_row[laid.row], laid.suit)
        if what == EXTEND_RUN:
            return self._extend_run(laid)
        if what == START_RUN:
            return self._start_run(laid)
        if what == START_WILDS:
            return self._start_wilds(laid.jokers)
        if what != START_PAIR and what != START_NATURALS:
            return NO_MELD
        rank = self.rank_of_row[laid.row]
        worth = self._start_pair(rank, laid.jokers) if what == START_PAIR else self._start_naturals(rank)
        for suit in laid.suits:
            if suit != ANY_SUIT:
                worth -= self._torn(rank, suit)
        return worth

    def _torn(self, rank: int, suit: int) -> float:
        """Return the value that a card of this suit would have in a run instead."""
        state = self.state
        if not state.compiled.runs:
            return 0.0
        copies = self.counts[rank] if suit == ANY_SUIT else state.held(self.seat, rank * 4 + suit)
        if copies != 1:
            return 0.0
        worth = 0.0
        for run in state.runs[self.side]:
            length = run_length(run)
            if run_suit(run) == suit and length < state.compiled.canasta_size:
                if rank == run_low(run) - 1 or rank == run_low(run) + length:
                    worth += self.weights.keep_run * (length - 1)
        for near in range(rank - 2, rank + 3):
            if near != rank and 0 <= near < NATURAL_RANKS and self._holds(near, suit):
                worth += self.weights.keep_run * 0.4
        return worth

    # -- adding -------------------------------------------------------------------------------------------

    def _gain(self, kind: int, before: int, after: int, row: int) -> float:
        """Return the value of growing towards a canasta of this kind."""
        size = self.state.compiled.canasta_size
        weights = self.weights
        bonus = self.bonus[kind]
        if row != NO_ROW and kind != MIXED:
            bonus += self.state.compiled.score.rank_bonus[row]
        step = (progress(self.state, after, weights) - progress(self.state, before, weights)) * bonus
        if after >= size > before:
            gain = step * weights.complete
            if self.lacks[kind]:
                gain += weights.first_canasta
            return gain
        return step * weights.lay

    def _add_natural(self, slot: int) -> float:
        state = self.state
        weights = self.weights
        rank = self.rank_of_row[state.compiled.slots.row_of(slot)]
        size = state.size_of_set(self.side, slot)
        kind = NATURAL if state.wilds(self.side, slot) == 0 else MIXED
        worth = weights.add_bias + self.per_point * state.compiled.values[rank]
        if size < state.compiled.canasta_size:
            worth += self._gain(kind, size, size + 1, rank)
        worth -= self.thinning(1)
        return worth - self._frozen_pair(rank, 1)

    def _frozen_pair(self, rank: int, laid: int) -> float:
        """Return the cost of breaking up the pair that could take a frozen pile."""
        state = self.state
        count = self.counts[rank]
        if count < 2 or count - laid >= 2:
            return 0.0
        if not state.frozen and not state.compiled.always_frozen:
            return 0.0
        if state.foot_waits(self.seat):
            return 0.0
        return self.weights.frozen_pair * state.pile_size()

    def _wild_price(self, joker: int) -> float:
        """Return the value that a wild card would have elsewhere. It can always be laid, so it never delays
        picking up the foot.
        """
        price = self.weights.keep_wild + (self.weights.keep_joker if joker else 0.0)
        return price + self.to_foot if self.state.foot_waits(self.seat) else price

    def _add_wild(self, slot: int, joker: int) -> float:
        state = self.state
        weights = self.weights
        compiled = state.compiled
        row = compiled.slots.row_of(slot)
        size = state.size_of_set(self.side, slot)
        points = self.per_point * compiled.values[TWO + joker]
        if row == ROW_WILD:
            return points + self._gain(WILD, size, size + 1, NO_ROW) + weights.add_bias - self.thinning(1)
        price = self._wild_price(joker)
        if state.wilds(self.side, slot) == 0:
            spoiled = float(self.bonus[NATURAL] - self.bonus[MIXED])
            if size >= compiled.canasta_size:
                return -spoiled
            price += spoiled * weights.spoil * progress(state, size, weights)
            if compiled.kinds_needed[NATURAL] > state.canastas(self.side, NATURAL):
                price += 150.0 * progress(state, size, weights)
        if size >= compiled.canasta_size:
            return points - price - self.thinning(1)
        missing = compiled.canasta_size - size
        if missing > 1 and self._can_complete(slot, missing):
            # If several wilds finish the canasta this turn, each gets its share of the value.
            whole = self._gain(MIXED, size, compiled.canasta_size, NO_ROW)
            return points + whole / missing - price - self.thinning(1)
        return points + self._gain(MIXED, size, size + 1, NO_ROW) - price - self.thinning(1)

    def _can_complete(self, slot: int, missing: int) -> bool:
        """Return whether the hand's wilds suffice to make a canasta
        of this set, and the set may take them."""
        state = self.state
        wilds = self.counts[TWO] + self.counts[JOKER]
        room = state.compiled.wild_room[state.naturals(self.side, slot)] - state.wilds(self.side, slot)
        return missing <= wilds and missing <= room

    def _extend_run(self, laid: Step) -> float:
        state = self.state
        run = state.runs[self.side][laid.number]
        length = run_length(run)
        rank = run_low(run) + length if laid.high_end else run_low(run) - 1
        worth = self.weights.add_bias + self.per_point * state.compiled.values[rank]
        worth += self._gain(SAMBA, length, length + 1, NO_ROW)
        return worth - self.thinning(1) - self._frozen_pair(rank, 1)

    # -- new melds ----------------------------------------------------------------------------------------

    def _start_naturals(self, rank: int) -> float:
        state = self.state
        worth = self.new_set + 3.0 * self.per_point * state.compiled.values[rank]
        worth += self._gain(NATURAL, 0, min(self.counts[rank], state.compiled.canasta_size), NO_ROW)
        worth -= unfinished_risk(state, rank, self.counts[rank])
        return worth - self.thinning(3) - self._frozen_pair(rank, self.counts[rank])

    def _start_pair(self, rank: int, joker: int) -> float:
        weights = self.weights
        state = self.state
        worth = self.new_set + self.per_point * (
            2.0 * state.compiled.values[rank] + state.compiled.values[TWO + joker]
        )
        worth += self._gain(MIXED, 0, 3, NO_ROW) - self._wild_price(joker) - weights.keep_pair
        return worth - self.thinning(3) - self._frozen_pair(rank, 2)

    def _start_run(self, laid: Step) -> float:
        """Value a run by the length it can reach from this hand at once."""
        state = self.state
        weights = self.weights
        low = laid.row
        suit = laid.suit
        high = low + 3
        while high < NATURAL_RANKS and high - low < state.compiled.canasta_size and self._holds(high, suit):
            high += 1
        worth = weights.start_run
        for rank in range(low, low + 3):
            worth += self.per_point * state.compiled.values[rank]
            if self.counts[rank] == 3 or self.counts[rank] == 2:
                worth -= weights.keep_pair * 0.5
        for run in state.runs[self.side]:
            # A second run of the same ranks competes with the first for the remaining cards.
            if run_suit(run) == suit and run_length(run) < state.compiled.canasta_size:
                worth -= weights.start_run * 0.5
        worth += self._gain(SAMBA, 0, high - low, NO_ROW)
        return worth - self.thinning(3)

    def _holds(self, rank: int, suit: int) -> bool:
        if suit == ANY_SUIT:
            return self.counts[rank] > 0
        return self.state.held(self.seat, rank * 4 + suit) > 0

    def _start_wilds(self, jokers: int) -> float:
        weights = self.weights
        have = self.counts[TWO] + self.counts[JOKER]
        full = self.state.compiled.canasta_size
        worth = self.new_set + self._gain(WILD, 0, min(have, full), NO_ROW)
        worth += self.per_point * 60.0 - weights.keep_wild * 0.5 - 0.01 * jokers
        return worth - self.thinning(3) - unfinished_risk(self.state, ROW_WILD, have)
