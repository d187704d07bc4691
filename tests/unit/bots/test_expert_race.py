"""Plans can be carried out, and races are decided by evidence."""

import pytest
from hands import dealt

from canasta.bots.club.policy import club_step
from canasta.bots.club.weights import weights_for
from canasta.bots.expert.plans import Planner, melds_of
from canasta.bots.expert.rollouts import (
    NEVER,
    WALL_CLOCK,
    Candidate,
    CandidateComparison,
    DeterminizedDeals,
    Margin,
    outcome,
    play_out,
)
from canasta.engine.actions.legal import legal_steps
from canasta.engine.actions.make import make_step
from canasta.engine.determinize import determinize
from canasta.engine.play.scoring import score_hand
from canasta.engine.rng import Rng
from canasta.engine.state import ANSWER, OVER, PLAY, HandState
from canasta.engine.view import View
from canasta.rules import player_numbers, preset_names

TABLES = [(preset, players) for preset in preset_names() for players in player_numbers(preset)]


def to_act(state: HandState) -> int:
    return state.answering if state.phase == ANSWER else state.turn


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_every_plan_is_legal_in_every_deal(preset: str, players: int) -> None:
    state = dealt(preset, players, "plans")
    weights = weights_for(state.compiled)
    rng = Rng("other deals")
    number = 0
    while state.phase != OVER and number < 60:
        seat = to_act(state)
        step = club_step(state, seat, weights)
        if number % 3 == 0:
            view = View(state, seat, [0] * state.sides)
            planner = Planner(determinize(view, rng), seat, weights, NEVER)
            plans = planner.rest_of_turn() if state.phase == PLAY else planner.first_steps()
            assert plans[0][0] == step
            for plan in plans:
                world = determinize(view, rng)
                for planned in plan:
                    assert planned in legal_steps(world)
                    make_step(world, planned)
        make_step(state, step)
        number += 1


def test_plans_differ() -> None:
    state = dealt("caliente", 4, "differ")
    weights = weights_for(state.compiled)
    make_step(state, 0)
    plans = Planner(state, state.turn, weights, NEVER).rest_of_turn()
    assert len(plans) > 2
    assert len({tuple(plan) for plan in plans}) == len(plans)
    assert melds_of(plans[0]) == plans[0][:-1]


def test_a_rollout_ends_with_the_hand() -> None:
    state = dealt("jaques", 4, "rollout")
    assert play_out(state, weights_for(state.compiled), NEVER)
    assert state.phase == OVER
    totals = [sheet.total for sheet in score_hand(state)]
    assert outcome(state, 0) == totals[0] - totals[1] == -outcome(state, 1)


def test_with_three_sides_the_best_opponent_counts() -> None:
    state = dealt("caliente", 3, "three")
    play_out(state, weights_for(state.compiled), NEVER)
    totals = [sheet.total for sheet in score_hand(state)]
    assert outcome(state, 1) == totals[1] - max(totals[0], totals[2])


def test_a_rollout_stops_at_the_deadline() -> None:
    state = dealt("jaques", 4, "deadline")
    assert not play_out(state, weights_for(state.compiled), WALL_CLOCK())
    assert state.phase != OVER


def test_worlds_are_dealt_once() -> None:
    state = dealt("caliente", 4, "worlds")
    worlds = DeterminizedDeals(View(state, state.turn, [0, 0]), "seed")
    third = worlds.fresh(2)
    assert worlds.fresh(2).packed.getvalue() == third.packed.getvalue()
    assert worlds.fresh(1).packed.getvalue() != third.packed.getvalue()
    assert third.cards_of(state.turn) == state.cards_of(state.turn)


def candidate(*values: float) -> Candidate:
    found = Candidate([])
    found.values.extend(values)
    return found


def test_comparison_is_paired_over_common_worlds() -> None:
    found = Margin(candidate(110, 220, 300), candidate(100, 200, 330, 5000))
    assert found.worlds == 3
    assert found.gain == pytest.approx(0.0)
    assert found.error == pytest.approx((((10**2 + 20**2 + 30**2) / 2) / 3) ** 0.5)
    assert Margin(candidate(), candidate(1.0)).worlds == 0


def test_only_evidence_beats_the_first_candidate() -> None:
    state = dealt("caliente", 4, "evidence")
    worlds = DeterminizedDeals(View(state, state.turn, [0, 0]), "seed")
    race = CandidateComparison(worlds, 0, weights_for(state.compiled), [[0], [0]])
    race.tried = 16
    race.candidates[0].values = [0.0] * 16
    race.candidates[1].values = [1000.0, -900.0] * 8
    assert race.best(1.0) == 0
    assert race.best(0.0) == 1
    race.candidates[1].values = [30.0, 20.0] * 8
    assert race.best(1.0) == 1


def test_the_same_steps_come_to_the_same() -> None:
    state = dealt("two-player", 2, "same")
    worlds = DeterminizedDeals(View(state, state.turn, [0, 0]), "seed")
    race = CandidateComparison(worlds, 0, weights_for(state.compiled), [[0], [0]])
    race.run_over(3)
    assert race.tried == 3
    assert race.candidates[0].values == race.candidates[1].values
    assert race.best(0.0) == 0
