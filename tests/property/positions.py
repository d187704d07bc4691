"""Small random positions with few cards in hand, where every continuation can be tried."""

import random
from dataclasses import dataclass, replace
from functools import cache

from property.definitions import canastas_are_enough, is_set, is_wild_set
from property.tables import Table

from canasta.engine.actions.codec import lays_cards
from canasta.engine.actions.legal import legal_steps
from canasta.engine.actions.make import make_step
from canasta.engine.cards import (
    BLACK_THREE,
    CALIENTE_KIND,
    JOKER_KIND,
    KINDS_OF,
    RANK_OF,
    RED_THREE,
    TWO,
    full_deck,
)
from canasta.engine.compiled_rules import CompiledRules
from canasta.engine.families.factory import compile_rules
from canasta.engine.position import Position, set_up
from canasta.engine.state import DRAW, NOT_ASKED, SAID_NO, SAID_YES, HandState
from canasta.rules.model import Ruleset

MINIMUMS = (0, 15, 20, 35, 50, 65, 90, 120, 150)


@dataclass
class Cards:
    """The cards that are not dealt yet."""

    left: list[int]
    choice: random.Random

    def take(self, rank: int, suit: int | None = None) -> list[int]:
        """Take one card of a rank, and of a suit if given; return an empty list if none is left."""
        kinds = [kind for kind in KINDS_OF[rank] if self.left[kind] > 0]
        if suit is not None:
            kinds = [kind for kind in kinds if kind & 3 == suit]
        if not kinds:
            return []
        kind = self.choice.choice(kinds)
        self.left[kind] -= 1
        return [kind]

    def any_wild(self) -> list[int]:
        if self.left[JOKER_KIND] and self.choice.random() < 0.4:
            self.left[JOKER_KIND] -= 1
            return [JOKER_KIND]
        return self.take(TWO)


def random_position(table: Table, choice: random.Random, *, opened: bool, phase: str) -> HandState:
    """Return a position of seat 0 with few cards, or more of few ranks.

    If `opened`, its side has melded before.
    """
    rules = table.rules()
    cards = _all_cards(rules, choice)
    is_thick = choice.random() < 0.3
    ranks = choice.sample(range(11), 2) if is_thick else _few_ranks(rules, choice)
    suits = choice.sample(range(4), choice.choice((1, 2)))
    position = Position(turn=0, phase=phase)
    if opened:
        position.melds[0] = _melds(rules, cards, ranks, suits)
    size = choice.randint(7, 11) if is_thick else choice.randint(1, 7)
    while not position.hands.get(0):
        position.hands[0] = _hand(rules, cards, ranks, suits, size)
    if phase == "draw":
        position.pile = _hand(rules, cards, ranks, suits, choice.choice((0, 0, 1, 1, 2, 5)))
        position.pile += cards.take(choice.choice(ranks), choice.choice(suits))
    for seat in range(1, rules.seats.players):
        position.hands[seat] = cards.take(choice.choice(ranks)) or cards.take(BLACK_THREE)
    position.hands = {seat: hand for seat, hand in position.hands.items() if hand}
    stock = choice.choice((0, 1, 5))
    position.stock = [card for _ in range(stock) for card in cards.take(choice.choice(ranks))]
    _seat(rules, position, cards, choice)
    state = set_up(table.tables(), position)
    minimum = choice.choice(MINIMUMS)
    for side in range(state.sides):
        state.set_minimum(side, minimum)
    partners = any(state.side_of[seat] == 0 for seat in state.order if seat)
    state.no_discard = (
        phase == "play" and stock == 0 and rules.stock_end.last_red_three == "melds" and choice.random() < 0.5
    )
    state.asked = choice.choice((NOT_ASKED, SAID_YES, SAID_YES, SAID_NO)) if partners else NOT_ASKED
    return state


def _seat(rules: Ruleset, position: Position, cards: Cards, choice: random.Random) -> None:
    """Choose which seats sit out and which have picked up their foot."""
    if rules.seats.sit_out:
        position.sitting_out = {4} if rules.seats.players == 5 else {4, 5}
        for seat in position.sitting_out:
            position.hands.pop(seat, None)
    if rules.deal.foot_size:
        playing = [seat for seat in range(rules.seats.players) if seat not in position.sitting_out]
        position.picked_up = {seat for seat in playing if choice.random() < 0.7}
        for seat in playing:
            if seat not in position.picked_up:
                position.feet[seat] = [*cards.take(0), *cards.take(1), *cards.take(2)]


def _all_cards(rules: Ruleset, choice: random.Random) -> Cards:
    left = [0] * (max(JOKER_KIND, CALIENTE_KIND) + 1)
    for kind in full_deck(rules.deck.decks, rules.deck.caliente_cards):
        left[kind] += 1
    return Cards(left, choice)


def _few_ranks(rules: Ruleset, choice: random.Random) -> list[int]:
    """Choose two to four ranks; neighbours where runs are played."""
    if rules.melds.runs and choice.random() < 0.7:
        low = choice.randrange(0, 11 - 5)
        return list(range(low, low + 5))
    return choice.sample(range(11), choice.randint(2, 4))


def _hand(rules: Ruleset, cards: Cards, ranks: list[int], suits: list[int], size: int) -> list[int]:
    choice = cards.choice
    hand: list[int] = []
    threes = choice.random() < 0.25
    for _ in range(size):
        what = choice.random()
        if threes and what < 0.6:
            hand += cards.take(BLACK_THREE)
        elif what < 0.25:
            hand += cards.any_wild()
        elif what < 0.29 and rules.turn.lay_bonus_by_hand:
            hand += cards.take(RED_THREE)
        elif what < 0.31 and cards.left[CALIENTE_KIND]:
            hand += cards.take(RANK_OF[CALIENTE_KIND])
        elif what < 0.34:
            hand += cards.take(choice.randrange(11))
        else:
            hand += cards.take(choice.choice(ranks), choice.choice(suits))
    return hand


def _melds(rules: Ruleset, cards: Cards, ranks: list[int], suits: list[int]) -> list[list[int]]:
    """Choose a few melds, most of them about as large as a canasta."""
    choice = cards.choice
    size = rules.melds.canasta_size
    melds: list[list[int]] = []
    for rank in choice.sample(ranks, min(len(ranks), choice.choice((1, 2, 3)))):
        wilds = choice.choice((0, 0, 1, 2, 3))
        naturals = max(choice.choice((3, size - 1, size - 1, size, size + 1)) - wilds, 1)
        if is_set(rules, naturals, wilds):
            meld = [card for _ in range(naturals) for card in cards.take(rank)]
            meld += [card for _ in range(wilds) for card in cards.any_wild()]
            if len(meld) == naturals + wilds:
                melds.append(meld)
    wilds = choice.choice((0, 3, size - 1, size))
    if is_wild_set(rules, wilds):
        meld = [card for _ in range(wilds) for card in cards.any_wild()]
        if len(meld) == wilds:
            melds.append(meld)
    if rules.melds.runs:
        low = choice.randrange(11 - size + 1)
        length = choice.choice((3, size - 1, size - 1, size))
        run = [card for step in range(length) for card in cards.take(low + step, suits[0])]
        if len(run) == length:
            melds.append(run)
    return melds or [[card for _ in range(3) for card in cards.take(ranks[0])]]


def loose_steps(state: HandState) -> list[int]:
    """Return the steps that lay cards or take the pile and would be legal if only the turn could be ended.

    They are the legal steps of a player who holds three more cards that nobody can meld and needs no minimum.
    """
    free = state.copy()
    for side in range(state.sides):
        free.set_minimum(side, 1)
    if state.compiled.family.name == "american":
        free.compiled = _without_contract(state.compiled)
    for _ in range(3):
        free.give(state.turn, CALIENTE_KIND)
    lays = [step for step in legal_steps(free) if lays_cards(step)]
    return [step for step in lays if not _barred_by_one_card(state, step)]


@cache
def _without_contract(compiled: CompiledRules) -> CompiledRules:
    """Return the same rules, except that any meld is good as a first meld."""
    rules = compiled.rules
    opening = replace(rules.opening, pure_meld="no", from_hand=False)
    return compile_rules(replace(rules, opening=opening, pile=replace(rules.pile, opening_pair="any")))


def _barred_by_one_card(state: HandState, step: int) -> bool:
    """PILE-11: return whether the step is a take that is closed to a player with one card in hand."""
    rule = state.compiled.rules.pile.one_card_hand
    if state.phase != DRAW or state.size(state.turn) != 1 or rule == "free":
        return False
    if rule in ("not_single", "not_single_while_stock"):
        return state.pile_size() == 1 and (rule == "not_single" or state.stock_size() > 0)
    after = state.copy()
    make_step(after, step)
    return not canastas_are_enough(state.compiled.rules, after.canasta_counts(state.side_of[state.turn]))
