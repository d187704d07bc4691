"""PettingZoo's own tests, on every preset with every number of players."""

import warnings
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, render_test, seed_test
from pettingzoo.utils.conversions import parallel_to_aec

from canasta import research
from canasta.rules import player_numbers, preset_names

TABLES = [(preset, players) for preset in preset_names() for players in player_numbers(preset)]


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Silence PettingZoo's warnings about dict observations, the only place where a mask can be passed."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Observation is not a NumPy array")
        warnings.filterwarnings("ignore", message="Observation space for each agent probably should be")
        yield


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_api(preset: str, players: int) -> None:
    api_test(research.env(preset, players), num_cycles=25)


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_seed(preset: str, players: int) -> None:
    seed_test(lambda: research.env(preset, players), num_cycles=25)


@pytest.mark.parametrize("preset", preset_names())
def test_whole_matches(preset: str) -> None:
    api_test(research.env(preset, episode="match", rewards="margin"), num_cycles=100)


def test_render() -> None:
    render_test(lambda render_mode=None: research.env(render_mode=render_mode))


def test_parallel_api() -> None:
    parallel_api_test(research.parallel_env(), num_cycles=100)


@pytest.mark.parametrize("preset", preset_names())
def test_max_cycles(preset: str) -> None:
    """PettingZoo's test needs both forms and passes random actions, which only the parallel form accepts."""

    def parallel_env(**settings: Any) -> Any:
        return research.parallel_env(preset, **settings)

    def env(**settings: Any) -> Any:
        return parallel_to_aec(parallel_env(**settings))

    max_cycles_test(SimpleNamespace(parallel_env=parallel_env, env=env))


@pytest.mark.parametrize("cycles", [1, 4])
def test_the_turn_based_form_is_truncated_after_so_many_actions_for_each_player(cycles: int) -> None:
    table = research.env("caliente", 4, max_cycles=cycles)
    table.reset(seed=1)
    made = 0
    choice = np.random.default_rng(0)
    for agent in table.agent_iter():
        observation, _, terminated, truncated, _ = table.last()
        if terminated or truncated:
            assert truncated
            table.step(None)
            continue
        assert table.observation_space(agent).contains(observation)
        table.step(int(choice.choice(np.flatnonzero(observation["action_mask"]))))
        made += 1
    assert made == 4 * cycles
