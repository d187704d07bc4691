"""Many tables at once."""

import numpy as np
import pytest

from canasta import research
from canasta.research.episode import Episode, Game
from canasta.rules import load_ruleset


def test_rows_are_what_single_tables_show() -> None:
    game = Game(load_ruleset("caliente", 4), whole_match=False)
    tables = [Episode(game) for _ in range(3)]
    many = research.vector_env(3, "caliente", 4)
    many.reset("x")
    for index, table in enumerate(tables):
        table.begin(f"x/{index}")
    ended = 0
    for _ in range(400):
        actions = many.sample()
        for index, table in enumerate(tables):
            seat = table.to_act()
            assert many.seats[index] == seat
            assert many.observations[index].tobytes() == table.observe(seat)
            assert many.masks[index].tobytes() == bytes(table.mask())
            assert many.masks[index, actions[index]] == 1
            table.step(game.steps[actions[index]])
        many.step(actions)
        for index, table in enumerate(tables):
            assert many.done[index] == table.over
            paid = [table.points[side] if table.over else 0 for side in game.side_of]
            assert many.rewards[index].tolist() == paid
            if table.over:
                ended += 1
                table.begin_next()
    assert ended > 0


def test_processes_change_nothing() -> None:
    alone = research.vector_env(5, "two-player", rewards="margin")
    with research.vector_env(5, "two-player", rewards="margin", processes=2) as shared:
        alone.reset(7)
        shared.reset(7)
        choice = np.random.default_rng(0)
        for _ in range(150):
            assert np.array_equal(alone.observations, shared.observations)
            assert np.array_equal(alone.masks, shared.masks)
            assert np.array_equal(alone.seats, shared.seats)
            actions = [int(choice.choice(np.flatnonzero(mask))) for mask in alone.masks]
            alone.step(actions)
            shared.step(actions)
            assert np.array_equal(alone.done, shared.done)
            assert np.array_equal(alone.rewards, shared.rewards)
        sampled = shared.sample()
        assert all(shared.masks[index, action] for index, action in enumerate(sampled))
        shared.step_randomly(3)
        with pytest.raises(ValueError, match="not legal"):
            shared.step([0 if mask[0] == 0 else 1 for mask in shared.masks])


@pytest.mark.parametrize("action", [-1, 10_000])
def test_an_illegal_action_is_refused(action: int) -> None:
    many = research.vector_env(2)
    many.reset()
    with pytest.raises(ValueError, match="not legal at table 0"):
        many.step([action, 0])
    with pytest.raises(ValueError, match="for 2 tables"):
        many.step([0])


def test_what_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="choose one of points, margin, result"):
        research.vector_env(2, rewards="money")
    with pytest.raises(ValueError, match="spread over 3 processes"):
        research.vector_env(2, processes=3)
    with pytest.raises(ValueError, match="hand, match"):
        research.vector_env(2, episode="evening")


def test_the_arrays_stay_the_same_objects() -> None:
    many = research.vector_env(2)
    many.reset()
    before = many.observations.copy()
    array = many.observations
    many.step_randomly(4)
    assert many.observations is array
    assert not np.array_equal(array, before)
    assert many.observations.shape == (2, many.observation_size)
    assert many.masks.shape == (2, many.action_count)
