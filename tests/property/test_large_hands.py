"""First melds from hands larger than any booklet deals: bounded work, and no step into a dead end."""

import random
from collections import Counter

import pytest
from property.agreement import check_legal_steps, check_mask, meaningful_steps
from property.granularity import laying_steps
from property.tables import Table

from canasta.engine.actions.legal import legal_steps
from canasta.engine.actions.make import make_step
from canasta.engine.cards import JOKER, RANK_OF, RED_THREE, full_deck
from canasta.engine.feasibility.opening_hand import OpeningHand
from canasta.engine.position import Position, set_up
from canasta.engine.state import HandState

MOST_LOOKED_AT = 20_000
"""The highest cost of one question. These hands and minimums are chosen to be hard."""

SHORT_HANDS = 16
LONG_HANDS = 300

SIX: tuple[tuple[str, object], ...] = (("deck.decks", 6),)
LARGE_TABLES = (
    Table("caliente", 4, (*SIX, ("opening.concealed_suffices", True), ("opening.canasta_suffices", True))),
    Table("jaques", 4, (*SIX, ("melds.sets_per_rank", "any"), ("melds.wilds_by_size", (1, 1, 2, 3)))),
    Table("hand-and-foot", 4, SIX),
    Table("caliente-samba", 4, SIX),
    Table("jaques-samba", 4, (*SIX, ("canastas_to_go_out", 0), ("opening.concealed_suffices", True))),
    Table("bolivia", 4, SIX),
    Table("bolivia", 4, (*SIX, ("canasta_bonus_counts", True), ("opening.canasta_suffices", True))),
    Table("two-player", 2, (*SIX, ("melds.runs", True), ("wild_melds", True))),
)


def large_hand(table: Table, choice: random.Random) -> HandState:
    """Return a hand of up to a hundred cards that is worth about as much as the first-meld minimum."""
    tables = table.tables()
    deck = [kind for kind in full_deck(6, False) if RANK_OF[kind] != RED_THREE]
    choice.shuffle(deck)
    if choice.random() < 0.3:
        low = choice.randrange(5)
        suits = choice.sample(range(4), choice.randint(1, 3))
        deck.sort(key=lambda kind: not (low <= RANK_OF[kind] < low + 7 and kind & 3 in suits))
    size = choice.choice((12, 16, 20, 30, 40, 60, 80, 100))
    hands = {0: deck[:size], 1: [deck[size]]}
    feet = {0: [deck[-1]]} if tables.has_foot else {}
    state = set_up(tables, Position(phase="play", hands=hands, stock=deck[size + 1 : size + 9], feet=feet))
    worth = sum(state.count(0, rank) * tables.values[rank] for rank in range(JOKER + 1))
    minimum = round(worth * choice.uniform(0.3, 1.02)) // 5 * 5
    for side in range(state.sides):
        state.set_minimum(side, minimum)
    return state


def lay_it_down(state: HandState, choice: random.Random) -> int:
    """Lay a first meld by random steps, if there is one; return the number of steps."""
    side = state.side_of[state.turn]
    tables = state.compiled
    steps = 0
    while not state.opened(side):
        before = tables.looked_at
        lays = laying_steps(state)
        assert tables.looked_at - before <= MOST_LOOKED_AT
        if steps == 0 and not lays:
            return 0
        assert lays, "a step has led into a dead end"
        if steps == 1:
            check_legal_steps(state, legal_steps(state))
            check_mask(state, choice.sample(meaningful_steps(state), 10))
        make_step(state, choice.choice(lays))
        steps += 1
    return steps


def lay_many(number: int, seed: str, table: Table) -> None:
    choice = random.Random(f"{seed}/{table}")
    opened: Counter[bool] = Counter()
    searched: Counter[bool] = Counter()
    for _ in range(number):
        state = large_hand(table, choice)
        searched[OpeningHand(state).is_small()] += 1
        opened[lay_it_down(state, choice) > 0] += 1
    assert opened[True] > number // 5, opened
    assert min(searched[True], searched[False]) > number // 8, searched


@pytest.mark.parametrize("table", LARGE_TABLES, ids=str)
def test_large_hands_open_without_dead_ends(table: Table) -> None:
    lay_many(SHORT_HANDS, "short", table)


def test_a_hand_of_which_every_card_is_needed() -> None:
    """No card may be kept, so only going out would do. Finding that out used to cost ten times as much."""
    table = LARGE_TABLES[7]
    choice = random.Random(f"hard/{table}/236")
    assert lay_it_down(large_hand(table, choice), choice) > 10


@pytest.mark.long
@pytest.mark.parametrize("table", LARGE_TABLES, ids=str)
def test_large_hands_open_without_dead_ends_many_times(table: Table) -> None:
    lay_many(LONG_HANDS, "long", table)
