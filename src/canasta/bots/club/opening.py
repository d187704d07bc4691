"""The first meld: find the cards that reach the minimum at the lowest price."""

from canasta.bots.club.weights import Weights
from canasta.engine.actions.codec import (
    ADD_NATURAL,
    ADD_WILD,
    START_NATURALS,
    START_PAIR,
    start_run_step,
    start_wilds_step,
)
from canasta.engine.cards import JOKER, NATURAL_RANKS, TWO
from canasta.engine.compiled_rules import WILDS_IN_OPENING
from canasta.engine.feasibility.contract import MIXED_ONLY, grade, top_row_of
from canasta.engine.law.american import MeldContext, is_unfinished
from canasta.engine.law.reasons import OK
from canasta.engine.melds import NEW, NO_SUIT, ROW_WILD, SMALLEST_MELD
from canasta.engine.state import HandState

_NOTHING = 1e9
_MOST_NODES = 400
"""Node limit of the search for sets, with each run and without one."""

_MOST_IN_ALL = 6000
"""Total node limit, after which no more runs are tried."""


def unfinished_risk(state: HandState, row: int, held: int) -> float:
    """Return the expected cost of leaving a set of this row unfinished. It is low early in the hand, or if
    most of its cards are held.
    """
    cost = state.compiled.score.unfinished[row]
    if cost == 0:
        return 0.0
    missing = max(0, state.compiled.canasta_size - held)
    turns = state.stock_size() / len(state.order)
    return cost * min(1.0, missing * 0.22 + missing / (turns + 1.0))


class FirstMeld:
    """The cheapest first meld of the player to move, found by a search over ranks and wild cards."""

    def __init__(self, state: HandState, weights: Weights) -> None:
        seat = state.turn
        self.state: HandState = state
        self.weights: Weights = weights
        self.side: int = state.side_of[seat]
        self.counts: list[int] = state.counts_of(seat)
        self.need: int = state.minimum(self.side) + state.minimum_surcharge - state.opening_points
        self.price: float = _NOTHING
        """The lowest price found. Check `found` to see if there is a first meld at all."""
        self.cards: int = 0
        """Number of cards that the best first meld takes from the hand."""
        self.wilds: int = 0
        self.points: int = 0
        self.jokers: int = 0
        self.naturals_of: list[int] = [0] * NATURAL_RANKS
        self.wilds_of: list[int] = [0] * (NATURAL_RANKS + 1)
        self.run: int = -1
        """The step that lays the run of the best first meld, or -1."""
        self._nodes: int = 0
        self.looked_at: int = 0
        """Number of nodes visited before the current run."""
        self._naturals: list[int] = [0] * NATURAL_RANKS
        self._wilds: list[int] = [0] * (NATURAL_RANKS + 1)
        self._run: int = -1
        self._run_cards: int = 0
        self._table: MeldContext | None = state.compiled.family.meld_context(state)
        """The other cards on the table, if the rules for a set depend on them; otherwise `None`."""
        self._find()

    @property
    def found(self) -> bool:
        return self.price < _NOTHING

    def _find(self) -> None:
        self._rank(0, 0, 0, 0, 0.0, self._is_pure_already())
        if not self.state.compiled.runs:
            return
        values = self.state.compiled.values
        counts = self.counts
        cards = self.state.cards_of(self.state.turn)
        same_suit = self.state.compiled.same_suit
        for suit in range(4) if same_suit else range(NO_SUIT, NO_SUIT + 1):
            for low in range(NATURAL_RANKS - 2):
                length = 0
                points = 0
                while length < 7 and low + length < NATURAL_RANKS:
                    rank = low + length
                    have = cards[rank * 4 + suit] if same_suit else counts[rank]
                    if have == 0 or counts[rank] == 0:
                        break
                    points += values[rank]
                    length += 1
                    if length < 3:
                        continue
                    self.looked_at += self._nodes
                    self._nodes = 0
                    if self.looked_at > _MOST_IN_ALL:
                        self._run = -1
                        return
                    for inner in range(low, low + length):
                        counts[inner] -= 1
                    self._run = start_run_step(low, suit)
                    self._run_cards = length
                    # A card in a run works towards a samba, so laying it costs little.
                    price = -self.weights.start_run + self.weights.open_card * 0.5 * length
                    self._rank(0, points, length, 0, price, True)
                    for inner in range(low, low + length):
                        counts[inner] += 1
        self._run = -1

    def _is_pure_already(self) -> bool:
        """Return whether the pure-meld requirement (OPEN-7) is already met or doesn't apply."""
        state = self.state
        if self._table is None or not state.compiled.pure_meld:
            return True
        for row in state.sets_of(self.side):
            naturals = state.naturals(self.side, row)
            from_hand = naturals - 1 if row == top_row_of(state) else naturals
            if grade(state.compiled, row, from_hand, state.wilds(self.side, row)) > MIXED_ONLY:
                return True
        return False

    def _special_price(self, rank: int, naturals: int, wilds: int) -> float:
        """Return the cost of a set that must be finished (OUT-8);
        `_NOTHING` if it may not be laid like this."""
        table = self._table
        if table is None:
            return 0.0
        state = self.state
        there = state.naturals(self.side, rank)
        wilds_there = state.wilds(self.side, rank)
        if table.why_not(rank, there, wilds_there, naturals, wilds) != OK:
            return _NOTHING
        if is_unfinished(state.compiled, rank, there + naturals, wilds_there + wilds):
            return unfinished_risk(state, rank, there + self.counts[rank])
        return 0.0

    def _rank(self, rank: int, points: int, cards: int, wilds: int, price: float, pure: bool) -> None:
        """Choose the cards to lay of this rank and of those after it. `pure`: the pure-meld requirement is
        met.
        """
        self._nodes += 1
        if price >= self.price:
            return
        counts = self.counts
        have = counts[TWO] + counts[JOKER]
        values = self.state.compiled.values
        most = points + (have - wilds) * values[JOKER]
        if wilds > have:
            return
        if pure and points + self._wild_points(wilds) >= self.need and cards > 0:
            self._keep(points, cards, wilds, price)
            return
        if rank > NATURAL_RANKS or self._nodes > _MOST_NODES:
            return
        weights = self.weights
        compiled = self.state.compiled
        if rank == NATURAL_RANKS:
            if compiled.wild_melds:
                left = have - wilds
                there = self.state.wilds(self.side, compiled.slots.first_slot(ROW_WILD))
                if self._table is not None and (wilds > 0 or self._table.wilds_elsewhere):
                    left = 0
                for count in range(1 if there > 0 else 3, left + 1):
                    self._wilds[rank] = count
                    cost = 12.0 * count + self._special_price(ROW_WILD, 0, count)
                    self._rank(rank + 1, points, cards + count, wilds + count, price + cost, True)
                self._wilds[rank] = 0
            return
        for later in range(rank, NATURAL_RANKS):
            most += counts[later] * values[later]
        if most + have * values[JOKER] < self.need:
            return
        self._rank(rank + 1, points, cards, wilds, price, pure)
        count = counts[rank]
        if count == 0:
            return
        slot = compiled.slots.first_slot(rank)
        there = self.state.naturals(self.side, slot)
        wilds_there = self.state.wilds(self.side, slot)
        fewest = 1 if there > 0 else 2
        for naturals in range(fewest, count + 1):
            room = compiled.wild_room[there + naturals] - wilds_there
            fewest_wilds = 1 if there + wilds_there + naturals < 3 else 0
            for more in range(fewest_wilds, min(room, have - wilds, 2) + 1):
                if there + wilds_there + naturals + more > compiled.largest_set:
                    break
                self._naturals[rank] = naturals
                self._wilds[rank] = more
                cost = weights.open_card * (naturals + more) + weights.open_wild * more
                cost += self._special_price(rank, naturals, more)
                if naturals < count:
                    # The remaining cards of the rank still fit the set, so nothing is lost.
                    cost += 1.0
                gained = naturals * values[rank]
                is_pure = pure or (naturals >= SMALLEST_MELD and wilds_there + more == 0)
                self._rank(
                    rank + 1, points + gained, cards + naturals + more, wilds + more, price + cost, is_pure
                )
        self._naturals[rank] = 0
        self._wilds[rank] = 0

    def _wild_points(self, wilds: int) -> int:
        """Return the most points that this many wilds of the hand can be worth."""
        values = self.state.compiled.values
        jokers = min(wilds, self.counts[JOKER])
        return jokers * values[JOKER] + (wilds - jokers) * values[TWO]

    def _keep(self, points: int, cards: int, wilds: int, price: float) -> None:
        values = self.state.compiled.values
        jokers = max(0, wilds - self.counts[TWO])
        while points + jokers * values[JOKER] + (wilds - jokers) * values[TWO] < self.need:
            jokers += 1
        price += jokers * self.weights.keep_joker
        if price >= self.price:
            return
        self.price = price
        self.cards = cards
        self.wilds = wilds
        self.jokers = jokers
        self.points = points + jokers * values[JOKER] + (wilds - jokers) * values[TWO]
        self.naturals_of = self._naturals.copy()
        self.wilds_of = self._wilds.copy()
        self.run = self._run

    def step(self, steps: list[int]) -> int:
        """Return the legal step with which this first meld starts,
        or -1 if none of the steps belongs to it."""
        state = self.state
        slots = state.compiled.slots
        if self.run in steps:
            return self.run
        joker = 1 if self.jokers > 0 else 0
        for rank in range(NATURAL_RANKS):
            naturals = self.naturals_of[rank]
            if naturals == 0:
                continue
            slot = slots.first_slot(rank)
            if state.naturals(self.side, slot) > 0 and state.size_of_set(self.side, slot) < 7:
                step = self._find_step(steps, ADD_NATURAL, rank, slot, 0)
            elif naturals >= 3 and not self._needs_wild_at_once(rank):
                step = self._find_step(steps, START_NATURALS, rank, NEW, 0)
            else:
                step = self._find_step(steps, START_PAIR, rank, NEW, joker)
            if step >= 0:
                return step
        for rank in range(NATURAL_RANKS):
            if self.wilds_of[rank] > 0:
                step = self._find_step(steps, ADD_WILD, rank, slots.first_slot(rank), joker)
                if step >= 0:
                    return step
        if self.wilds_of[NATURAL_RANKS] > 0:
            jokers = min(3, max(self.jokers, 3 - self.counts[TWO]))
            if start_wilds_step(jokers) in steps:
                return start_wilds_step(jokers)
            return self._find_step(steps, ADD_WILD, ROW_WILD, slots.first_slot(ROW_WILD), joker)
        return -1

    def _needs_wild_at_once(self, rank: int) -> bool:
        """Return whether the set needs its wild card from the start,
        because otherwise it would have to stay pure."""
        return self.wilds_of[rank] > 0 and self.state.compiled.rank_wilds[rank] == WILDS_IN_OPENING

    def _find_step(self, steps: list[int], what: int, row: int, slot: int, jokers: int) -> int:
        """Return a step of this kind for this row and slot, preferably with this number of jokers."""
        decoded = self.state.compiled.layout.decoded
        match = -1
        for step in steps:
            decoded_step = decoded[step]
            if decoded_step.what == what and decoded_step.row == row and decoded_step.slot == slot:
                match = step
                if decoded_step.jokers == jokers:
                    return step
        return match
