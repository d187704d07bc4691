"""OpenSpiel's own tests: random simulation with serialisation, and the part of its API tests for any game."""

import pickle
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")

from canasta import research  # noqa: E402 - after the question if it can be
from canasta.rules import player_numbers, preset_names  # noqa: E402 - as above

TABLES = [(preset, players) for preset in preset_names() for players in player_numbers(preset)]


@pytest.mark.parametrize("preset", ["caliente", "two-player", "hand-and-foot", "bolivia"])
def test_random_simulation(preset: str) -> None:
    pyspiel.random_sim_test(research.load_game(preset), num_sims=1, serialize=True, verbose=False)


@pytest.mark.long
@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_random_simulation_everywhere(preset: str, players: int) -> None:
    pyspiel.random_sim_test(research.load_game(preset, players), num_sims=1, serialize=True, verbose=False)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("preset", ["caliente", "two-player"])
def test_api(preset: str) -> None:
    import unittest  # noqa: PLC0415 - OpenSpiel's tests are made with it

    api_test: Any = pytest.importorskip(
        "open_spiel.integration_tests.api_test", reason="OpenSpiel came without its tests"
    )
    game = research.load_game(preset)
    case = type("OnCanasta", (api_test.EnforceAPIOnPartialTreeBase,), {"game": game, "game_name": "canasta"})
    result = unittest.TestResult()
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(case)
    assert suite.countTestCases() >= 5
    suite.run(result)
    assert not result.failures + result.errors, (result.failures + result.errors)[0][1]


def play(game: Any, choice: np.random.Generator, steps: int) -> Any:
    state = game.new_initial_state()
    while not state.is_terminal() and steps > 0:
        state.apply_action(int(choice.choice(state.legal_actions())))
        steps -= 1
    return state


def test_a_game_is_found_by_its_name() -> None:
    game = pyspiel.load_game("canasta(rules=jaques,players=3)")
    assert game.num_players() == 3
    assert str(game) == str(research.load_game("jaques", 3))
    assert game.num_distinct_actions() == len(research.action_names("jaques", 3))


def test_actions_are_told_in_our_notation() -> None:
    state = play(research.load_game("caliente"), np.random.default_rng(0), 4)
    assert state.action_to_string(state.legal_actions()[0]) == "draw"


def test_a_copy_goes_its_own_way() -> None:
    state = play(research.load_game("caliente"), np.random.default_rng(1), 40)
    text = str(state)
    clone = state.clone()
    assert str(clone) == text
    clone.apply_action(clone.legal_actions()[0])
    assert str(clone) != text
    assert str(state) == text
    assert state.history() == clone.history()[:-1]


def test_a_state_survives_pickling() -> None:
    state = play(research.load_game("two-player"), np.random.default_rng(2), 60)
    again = pickle.loads(pickle.dumps(state))  # noqa: S301 - our own bytes
    assert str(again) == str(state)
    assert again.legal_actions() == state.legal_actions()
    for player in range(2):
        assert again.information_state_tensor(player) == state.information_state_tensor(player)
        assert again.observation_string(player) == state.observation_string(player)


def test_an_information_state_tells_more_than_an_observation() -> None:
    game = research.load_game("caliente")
    state = play(game, np.random.default_rng(3), 30)
    player = state.current_player()
    tensor = state.information_state_tensor(player)
    size = game.observation_tensor_size()
    assert tensor[:size] == state.observation_tensor(player)
    assert sum(number > 0 for number in tensor[size:]) > 30


def test_an_observation_by_its_pieces() -> None:
    observation = pytest.importorskip("open_spiel.python.observation")
    game = research.load_game("caliente")
    state = play(game, np.random.default_rng(5), 30)
    player = state.current_player()
    whole = observation.make_observation(game)
    by_piece = observation.make_observation(game, params={"pieces": True})
    for each in (whole, by_piece):
        each.set_from(state, player)
    assert list(whole.dict) == ["observation"]
    assert list(by_piece.dict) == [piece.name for piece in research.observation_pieces("caliente")]
    assert np.concatenate(list(by_piece.dict.values())).tolist() == whole.tensor.tolist()
    assert whole.tensor.tolist() == state.observation_tensor(player)
    with pytest.raises(ValueError, match="takes the parameter 'pieces'"):
        observation.make_observation(game, params={"colour": True})


def test_margins_at_the_end() -> None:
    state = play(research.load_game("caliente"), np.random.default_rng(4), 10_000)
    returns = state.returns()
    assert returns[0] == returns[2] == -returns[1] == -returns[3]
