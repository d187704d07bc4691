"""Probable deals take players' melds and discards into account and change nothing visible."""

import pytest
from hands import dealt

from canasta.bots import get_bot
from canasta.bots.card_counting import LET_LIE, LIKELIER, MELDED, THROWN, likely_hands, marks_in_pile
from canasta.engine.actions.make import make_step
from canasta.engine.cards import NATURAL_RANKS, RANK_OF, RANKS
from canasta.engine.determinize import determinize
from canasta.engine.rng import Rng
from canasta.engine.state import ANSWER, DRAW, OVER, HandState
from canasta.engine.view import View
from canasta.rules import player_numbers, preset_names

TABLES = [(preset, players) for preset in preset_names() for players in player_numbers(preset)]


def step_on(state: HandState, steps: int) -> None:
    """Let club players make this many steps, or as many as are left."""
    bot = get_bot("club")
    for _ in range(steps):
        if state.phase == OVER:
            return
        seat = state.answering if state.phase == ANSWER else state.turn
        make_step(state, bot.step(View(state, seat, [0] * state.sides)))


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_a_probable_deal_shows_the_same_view(preset: str, players: int) -> None:
    state = dealt(preset, players, f"belief {preset}")
    rng = Rng("probable")
    seen = 0
    for _ in range(12):
        step_on(state, 9)
        if state.phase in (OVER, ANSWER):
            continue
        view = View(state, state.turn, [0] * state.sides)
        likely = likely_hands(view.state, state.turn, marks_in_pile(view.state))
        for _ in range(3):
            assert View(determinize(view, rng, likely), view.seat, view.scores) == view
        seen += 1
    assert seen > 0


def test_pairs_are_as_likely_as_is_told() -> None:
    state = dealt("caliente", 4, "pairs")
    view = View(state, state.turn, [0, 0])
    other = state.next_seat[state.turn]
    found: list[float] = []
    for pairs in (0.25, 1.0, 4.0):
        likely: list[list[float]] = [[], [], [], []]
        likely[other] = [1.0, 1.0, pairs, 1.0] * RANKS
        rng = Rng("pairs")
        worlds = [determinize(view, rng, likely) for _ in range(200)]
        found.append(
            sum(world.count(other, rank) == 2 for world in worlds for rank in range(NATURAL_RANKS)) / 200
        )
    # This holds for odds, as far as the eleven cards of a hand allow.
    assert found[0] < 0.6 * found[1]
    assert found[2] > 1.5 * found[1]


def test_the_pile_tells_who_threw_and_who_let_lie() -> None:
    state = dealt("jaques", 4, "marks")
    while state.pile_size() < 5 or state.phase != DRAW:
        step_on(state, 1)
    marks = marks_in_pile(state)
    top = RANK_OF[state.top_card()]
    before = RANK_OF[state.pile[-2]]
    thrower = state.order[state.order.index(state.turn) - 1]
    assert top < NATURAL_RANKS
    assert before < NATURAL_RANKS
    assert marks[thrower][top] & THROWN
    assert marks[thrower][before] & LET_LIE
    assert not marks[state.turn][top] & LET_LIE or top in [RANK_OF[kind] for kind in state.pile[:-1]]


def test_who_has_melded_a_rank_holds_less_of_it() -> None:
    state = dealt("caliente", 4, "melded")
    while not any(state.opened(side) for side in range(state.sides)):
        step_on(state, 1)
    side = 0 if state.opened(0) else 1
    naturals = state.naturals_of(side)
    slots = state.compiled.slots
    rank = next(rank for rank in range(NATURAL_RANKS) if naturals[slots.first_slot(rank)])
    seats = [seat for seat in state.order if state.side_of[seat] == side]
    nothing = [[0] * NATURAL_RANKS for _ in range(4)]
    likely = likely_hands(state, seats[1], nothing)
    assert likely[seats[1]] == []
    assert tuple(likely[seats[0]][4 * rank : 4 * rank + 4]) == LIKELIER[MELDED]
