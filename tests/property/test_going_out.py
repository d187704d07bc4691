"""Whether a turn can reach going out: the engine never says no if a search finds a way."""

import random
from collections import Counter

import pytest
from property.positions import random_position
from property.tables import Table, all_tables, classic_presets

from canasta.bots import get_bot
from canasta.engine.actions.codec import ASK, DRAW_STOCK, PUT_BACK
from canasta.engine.actions.legal import legal_steps
from canasta.engine.actions.make import make_step
from canasta.engine.cards import BONUS_CARD, KINDS, RANK_OF
from canasta.engine.feasibility.going_out import out_in_reach
from canasta.engine.law.going_out import why_not_ask
from canasta.engine.law.reasons import OK
from canasta.engine.match import Match
from canasta.engine.state import ANSWER, DRAW, OVER, PLAY, SAID_YES, HandState
from canasta.engine.view import View, state_facts
from canasta.rules import load_ruleset, player_numbers

SHORT_POSITIONS = 250
LONG_POSITIONS = 6_000
MOST_STATES = 400


def goes_out(state: HandState, most: int = MOST_STATES) -> bool | None:
    """Return whether some steps of this turn end with the player going out; None if too many to try."""
    seat = state.turn
    seen = {state_facts(state)}
    to_try = [state]
    while to_try:
        here = to_try.pop()
        for step in legal_steps(here):
            if step in (ASK, PUT_BACK):
                continue
            after = here.copy()
            make_step(after, step)
            if after.phase == OVER and after.out == seat:
                return True
            facts = state_facts(after)
            if after.phase != OVER and after.turn == seat and facts not in seen:
                seen.add(facts)
                to_try.append(after)
        if len(seen) > most:
            return None
    return False


def compare(table: Table, choice: random.Random) -> tuple[bool, bool] | None:
    """Return the results of the search and of `out_in_reach` for a random position."""
    phase = choice.choice(("draw", "play", "play"))
    state = random_position(table, choice, opened=choice.random() < 0.8, phase=phase)
    if state.phase in (OVER, ANSWER):
        return None
    state.asked = SAID_YES
    reached = goes_out(state)
    if reached is None:
        return None
    said = out_in_reach(View(state, state.turn, [0] * state.sides).state)
    assert said or not reached, f"{table}: the player can go out"
    return reached, said


def compare_many(preset: str, positions: int) -> Counter[tuple[bool, bool]]:
    tables = [table for table in all_tables() if table.preset == preset]
    choice = random.Random(f"out in reach {preset}")
    found: Counter[tuple[bool, bool]] = Counter()
    for number in range(positions):
        verdict = compare(tables[number % len(tables)], choice)
        if verdict is not None:
            found[verdict] += 1
    assert found[True, True] > 3
    assert found[False, False] > positions // 8
    return found


@pytest.mark.parametrize("preset", classic_presets())
def test_going_out_is_never_denied(preset: str) -> None:
    compare_many(preset, SHORT_POSITIONS)


@pytest.mark.long
@pytest.mark.parametrize("preset", classic_presets())
def test_going_out_is_never_denied_in_many_positions(preset: str) -> None:
    compare_many(preset, LONG_POSITIONS)


def goes_out_with(state: HandState, kind: int) -> bool:
    """Like `goes_out`, if the one card drawn is of this kind; also true if there is too much to try."""
    after = state.copy()
    after.set_deck([kind if at == state.at else other for at, other in enumerate(state.deck)])
    make_step(after, DRAW_STOCK)
    return after.phase == PLAY and after.turn == state.turn and goes_out(after) is not False


@pytest.mark.parametrize("preset", ["jaques-samba", "caliente-samba", "bolivia"])
def test_before_drawing_it_is_seldom_promised_in_vain(preset: str) -> None:
    """If the answer is yes, a draw or a take does lead to going out in five cases of six."""
    choice = random.Random(f"a draw that goes out {preset}")
    table = Table(preset, 2, (("turn.draw", 1),))
    promised: Counter[bool] = Counter()
    denied = 0
    for _ in range(200):
        state = random_position(table, choice, opened=True, phase="draw")
        if state.phase != DRAW or state.stock_size() < 2:
            continue
        state.asked = SAID_YES
        compiled = state.compiled
        compiled.looked_at = 0
        said = out_in_reach(View(state, state.turn, [0] * state.sides).state)
        assert compiled.looked_at < 2 * KINDS
        if not said:
            denied += 1
            continue
        held = sorted(range(KINDS), key=lambda kind: -state.count(state.turn, RANK_OF[kind]))
        drawn = (kind for kind in held if compiled.role_of[kind] != BONUS_CARD)
        promised[goes_out(state) is not False or any(goes_out_with(state, kind) for kind in drawn)] += 1
    assert denied > 10
    assert promised[True] > 5 * promised[False]
    assert promised[True] > 9


@pytest.mark.parametrize("preset", classic_presets())
def test_whoever_goes_out_had_it_in_reach(preset: str) -> None:
    """In play between club players, going out was in reach at every moment of a turn that ends with it."""
    club = get_bot("club")
    asks: Counter[tuple[int, bool]] = Counter()
    outs = 0
    for players in player_numbers(preset):
        match = Match.new(load_ruleset(preset, players, {"target": 100_000}), f"reach {players}")
        in_turn: list[bool] = []
        while match.hand_number < 4:
            if match.hand.over:
                match.deal_next()
            state = match.hand.state
            seat, view = state.turn, match.hand.view(match.hand.turn)
            if state.phase != ANSWER:
                in_turn.append(out_in_reach(view.state))
                if why_not_ask(state) == OK:
                    asks[state.phase, in_turn[-1]] += 1
            match.apply(club.choose(view))
            after = match.hand.state
            if after.phase == OVER and after.out == seat:
                outs += 1
                assert all(in_turn)
            if after.phase == OVER or after.turn != seat:
                in_turn = []
    assert outs > 0
    # Most questions that the rules allow after drawing are idle.
    assert preset == "two-player" or asks[PLAY, False] > 3 * asks[PLAY, True]


def test_it_goes_by_what_the_player_sees() -> None:
    """The answer doesn't depend on the hidden stock: the same view gives the same answer."""
    match = Match.new(load_ruleset("caliente", 4), "hidden")
    state = match.hand.state
    seen = View(state, state.turn, [0, 0]).state
    assert out_in_reach(seen) == out_in_reach(state)
    assert seen.phase != PLAY
