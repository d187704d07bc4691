"""Taking the pile: the clauses written a second time and compared in small random positions."""

import random
from collections import Counter

import pytest
from property.brute import told
from property.definitions import canasta, canastas_are_enough, is_set
from property.exact_turn import can_end
from property.invariants import frozen_by
from property.positions import random_position
from property.tables import Table, all_tables, classic_presets

from canasta.engine.actions.codec import (
    ANY_PAIR,
    ANY_SUIT,
    DRAW_STOCK,
    PAIRS,
    PASS,
    take_mixed_step,
    take_pair_step,
)
from canasta.engine.actions.legal import legal_steps
from canasta.engine.actions.make import make_step
from canasta.engine.cards import ACE, JOKER, RANK_OF, TWO
from canasta.engine.melds import run_length, run_low, run_suit
from canasta.engine.moves.legal_moves import move_of_step
from canasta.engine.state import HandState

SHORT_POSITIONS = 600
LONG_POSITIONS = 12_000


class Takes:
    """The takes that the rules of the pile and of melds allow, whatever happens in the rest of the turn."""

    def __init__(self, state: HandState) -> None:
        self.state = state
        self.rules = state.compiled.rules
        self.side = state.side_of[state.turn]
        self.opened = bool(state.cards_laid_by(self.side))
        self.held = Counter(
            RANK_OF[kind] for kind, n in enumerate(state.cards_of(state.turn)) for _ in range(n)
        )
        self.size = self.held.total()
        self.top = state.top_card()
        self.rank = RANK_OF[self.top]
        self.frozen = frozen_by(self.rules, state.pile)

    def steps(self) -> list[int]:
        if self._is_barred():
            return []
        onto = self._onto_sets() + self._onto_runs()
        if self._top_card_alone() and onto:
            return onto  # END-6: that one card, and in no other way
        return self._pairs() + self._mixed() + onto

    def _is_barred(self) -> bool:
        """PILE-10, PILE-11, PILE-12, PILE-13"""
        pile = self.rules.pile
        if self.rank > ACE or self.state.took_back:
            return True
        size = self.rules.melds.canasta_size
        if self.rules.melds.dead_ranks and any(
            self.state.size_of_set(side, self.rank) >= size for side in range(self.state.sides)
        ):
            return True  # PILE-14
        if pile.bars_first_player and self.state.pile_is_from_deal and self.frozen:
            return True
        barred = ["not_single", "not_single_while_stock"][: 2 if self.state.stock_size() else 1]
        return pile.one_card_hand in barred and self.size == 1 and self.state.pile_size() == 1

    def _top_card_alone(self) -> bool:
        stock_end = self.rules.stock_end.after_last_card == "top_card" and self.state.stock_size() == 0
        return stock_end and not self.frozen and not self.rules.pile.always_frozen

    def _sets(self) -> list[tuple[int, int, int]]:
        """Return the side's sets of the top card's rank: number from 0, naturals, wilds."""
        slots = self.state.compiled.slots
        found: dict[int, Counter[bool]] = {}
        for card in self.state.cards_laid_by(self.side):
            if card >> 6 < slots.count and slots.row_of(card >> 6) == self.rank:
                found.setdefault(slots.number_of(card >> 6), Counter())[RANK_OF[card & 63] == self.rank] += 1
        return [(number - 1, cards[True], cards[False]) for number, cards in sorted(found.items())]

    def _joins(self) -> tuple[int, int]:
        """Return the naturals and wilds of the set that a pair and the top card join; zeros for a new set."""
        rule = self.rules.melds.sets_per_rank
        for _, naturals, wilds in self._sets():
            if rule == "one" or (rule == "one_open" and canasta(self.rules, naturals, wilds) is None):
                return naturals, wilds
        return 0, 0

    def _pairs(self) -> list[int]:
        """PILE-2, PILE-3, PILE-8, PILE-9: two naturals take any pile."""
        naturals, wilds = self._joins()
        if not is_set(self.rules, naturals + 3, wilds):
            return []
        if not self.state.compiled.same_suit:
            return [take_pair_step(ANY_PAIR)] if self.held[self.rank] >= 2 else []
        cards = self.state.cards_of(self.state.turn)
        return [
            take_pair_step(index)
            for index, pair in enumerate(PAIRS[:ANY_PAIR])
            if all(cards[4 * self.rank + suit] >= pair.count(suit) for suit in pair)
        ]

    def _mixed(self) -> list[int]:
        """PILE-4: a natural and a wild."""
        pile = self.rules.pile
        if not pile.natural_and_wild or self.frozen or pile.always_frozen:
            return []
        if not self.opened and pile.first_meld_needs_pair:
            return []
        naturals, wilds = self._joins()
        if not is_set(self.rules, naturals + 2, wilds + 1) or not self.held[self.rank]:
            return []
        # The wild card is laid before the naturals if necessary, but not onto a canasta that already existed.
        if canasta(self.rules, naturals, wilds) is not None and not self.rules.melds.wilds_on_canasta:
            return []
        cards = self.state.cards_of(self.state.turn)
        suits = [suit for suit in range(4) if cards[4 * self.rank + suit]]
        return [
            take_mixed_step(suit, joker)
            for suit in (suits if self.state.compiled.same_suit else [ANY_SUIT])
            for joker, wild in enumerate((TWO, JOKER))
            if self.held[wild]
        ]

    def _may_grow(self, is_canasta: bool) -> bool:
        """PILE-5, PILE-6, PILE-9"""
        pile = self.rules.pile
        if not self.opened:
            return False
        if pile.always_frozen:
            return not is_canasta and pile.add_to_meld
        return not self.frozen and (pile.add_to_canasta if is_canasta else pile.add_to_meld)

    def _onto_sets(self) -> list[int]:
        return [
            self.state.compiled.layout.take_onto_set_step(number)
            for number, naturals, wilds in self._sets()
            if self._may_grow(canasta(self.rules, naturals, wilds) is not None)
            and is_set(self.rules, naturals + 1, wilds)
            and self._goes_out_with(naturals, wilds)
        ]

    def _goes_out_with(self, naturals: int, wilds: int) -> bool:
        """PILE-11 in the Jaques games: with one card in hand, only if the side then has its canastas."""
        if self.rules.pile.one_card_hand != "must_go_out" or self.size > 1:
            return True
        canastas = self.state.canasta_counts(self.side)
        for added, number in ((0, -1), (1, 1)):
            kind = canasta(self.rules, naturals + added, wilds)
            if kind is not None:
                canastas[kind] += number
        return canastas_are_enough(self.rules, canastas)

    def _onto_runs(self) -> list[int]:
        """PILE-7"""
        if not self.rules.pile.add_to_run or not self.opened:
            return []
        if self.frozen and not self.rules.pile.always_frozen:
            return []
        steps: list[int] = []
        for index, run in enumerate(self.state.runs[self.side]):
            length = run_length(run)
            fits = self.rank in (run_low(run) - 1, run_low(run) + length)
            in_suit = not self.state.compiled.same_suit or run_suit(run) == self.top & 3
            if fits and in_suit and length < self.rules.melds.canasta_size:
                canastas = self.state.canasta_counts(self.side)
                canastas[3] += length + 1 == self.rules.melds.canasta_size
                one_card = self.rules.pile.one_card_hand == "must_go_out" and self.size == 1
                if not one_card or canastas_are_enough(self.rules, canastas):
                    steps.append(self.state.compiled.layout.take_onto_run_step(index))
        return steps


def turn_can_end_after(state: HandState, step: int) -> bool:
    after = state.copy()
    make_step(after, step)
    return can_end(after)


def takes_in(state: HandState, steps: list[int]) -> set[int]:
    return {step for step in steps if state.compiled.layout.decoded[step].takes}


def compare(state: HandState, table: Table) -> int:
    """Check that exactly the allowed takes are offered; return their number."""
    legal = legal_steps(state)
    allowed = {step for step in Takes(state).steps() if turn_can_end_after(state, step)}
    offered = takes_in(state, legal)
    if offered != allowed:
        moves = [str(move_of_step(state, step)) for step in offered ^ allowed]
        raise AssertionError(f"{table}: engine and rulebook differ over {moves}: {told(state)}")
    assert (DRAW_STOCK in legal) == (state.stock_size() > 0)
    assert (PASS in legal) == (state.stock_size() == 0 and not is_forced(state, allowed))
    return len(allowed)


def is_forced(state: HandState, allowed: set[int]) -> bool:
    """END-2, END-6: the stock is empty, the pile is not frozen, and the top card fits a meld of the side."""
    rules = state.compiled.rules
    if not rules.stock_end.forced or rules.pile.always_frozen or frozen_by(rules, state.pile):
        return False
    return any(state.compiled.layout.decoded[step].onto for step in allowed)


def compare_many(preset: str, number: int, seed: str) -> None:
    choice = random.Random(f"{seed}/{preset}")
    tables = [table for table in all_tables() if table.preset == preset]
    takes: Counter[bool] = Counter()
    for _ in range(number):
        table = choice.choice(tables)
        state = random_position(table, choice, opened=choice.random() < 0.7, phase="draw")
        if state.pile:
            state.pile_is_from_deal = choice.random() < 0.2
            takes[compare(state, table) > 0] += 1
    assert min(takes[True], takes[False]) > number // 30, takes


@pytest.mark.parametrize("preset", classic_presets())
def test_takes_are_those_of_the_rulebook(preset: str) -> None:
    compare_many(preset, SHORT_POSITIONS, "short")


@pytest.mark.long
@pytest.mark.parametrize("preset", classic_presets())
def test_takes_are_those_of_the_rulebook_many_times(preset: str) -> None:
    compare_many(preset, LONG_POSITIONS, "long")
