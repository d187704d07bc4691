"""Many tables at once."""

import subprocess
import sys
from pathlib import Path
from typing import Any, SupportsIndex

import numpy as np
import pytest

from canasta import research
from canasta.bots.learned import network as learned
from canasta.research import vector
from canasta.research.batch import MANY, TOGETHER
from canasta.research.episode import Episode, EpisodeGame
from canasta.rules import load_ruleset


def test_rows_are_what_single_tables_show() -> None:
    game = EpisodeGame(load_ruleset("caliente", 4), whole_match=False)
    tables = [Episode(game) for _ in range(19)]  # three more than are stepped together
    many = research.vector_env(19, "caliente", 4)
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
        for many in (alone, shared):
            many.reset("any seed,\nwith lines\\n and é")
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


@pytest.mark.parametrize(("processes", "asks_masks"), [(1, False), (1, True), (2, True)])
def test_an_illegal_action_is_refused_and_nothing_is_made(
    processes: int, asks_masks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector, "MANY", 1 if asks_masks else MANY)
    with research.vector_env(4, processes=processes) as many:
        many.reset()
        many.step_randomly(5)
        before = many.observations.copy(), many.masks.copy(), many.seats.copy()
        legal = many.sample().tolist()
        for action in (-1, many.action_count, int(many.masks[3].argmin()), 2**32 + legal[3]):
            with pytest.raises(ValueError, match=f"action {action} is not legal at table 3"):
                many.step([*legal[:3], action])
        with pytest.raises(ValueError, match="for 4 tables"):
            many.step([0])
        with pytest.raises(ValueError, match="whole numbers; float64 was given"):
            many.step([float(action) for action in legal])
        assert np.array_equal(before[0], many.observations)
        # The tables have not moved either: what was legal still is.
        many.step(legal)
        assert not np.array_equal(before[0], many.observations)


def test_a_mask_that_was_written_over_allows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector, "MANY", 1)
    with research.vector_env(20) as many:
        many.reset()
        for _ in range(3):
            before = many.observations.copy()
            actions = many.sample()
            actions[17] = illegal = int(many.masks[17].argmin())
            batch = many._dealt_batch()
            at = batch.row_size(batch.game) * (17 % TOGETHER) + many.observation_size + illegal
            batch._shown[17 // TOGETHER][at] = 1
            with pytest.raises(ValueError, match=f"action {illegal} is not legal at table 17"):
                many.step(actions)
            assert many.seats.tolist() == [table.to_act() for table in batch.tables]
            for shown, table in zip(many.observations, batch.tables, strict=True):
                assert shown.tobytes() == table.observe(table.to_act())
            moved = (many.observations != before).any(1)
            assert moved.tolist() == [True] * 16 + [False] * 4
            batch._shown[17 // TOGETHER][at] = 0
            many.step(many.sample())


@pytest.mark.parametrize("processes", [1, 2])
def test_nothing_goes_before_the_reset_or_after_the_close(processes: int) -> None:
    many = research.vector_env(2, processes=processes)
    for ask in (many.sample, many.step_randomly, lambda: many.step([0, 0])):
        with pytest.raises(RuntimeError, match="reset"):
            ask()
    many.reset()
    kept = many.observations
    many.close()
    many.close()
    for ask in (many.sample, many.step_randomly, many.reset, lambda: many.step([0, 0])):
        with pytest.raises(RuntimeError, match="closed"):
            ask()
    assert kept.any()


def test_a_call_that_was_broken_off_is_not_mistaken_for_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = research.vector_env(2, "two-player")
    with research.vector_env(2, "two-player", processes=2) as shared:
        shared.reset(1)
        worker = shared._workers[0]

        def broken_off() -> str:
            if worker._answered < worker._ordered:
                raise KeyboardInterrupt
            return ""

        with monkeypatch.context() as patch:
            patch.setattr(worker, "answer", broken_off)
            with pytest.raises(KeyboardInterrupt):
                shared.step_randomly(50)
        for many in (alone, shared):
            many.reset(2)
        assert np.array_equal(alone.observations, shared.observations)


def test_tables_that_nobody_closes_end_their_processes() -> None:
    many = research.vector_env(2, processes=2)
    many.reset()
    process = many._workers[0]._process
    assert process.is_alive()
    del many
    assert not process.is_alive()


def test_a_process_that_is_gone_is_told() -> None:
    with research.vector_env(2, processes=2) as many:
        many.reset()
        many._workers[0]._process.kill()
        with pytest.raises(RuntimeError, match="has ended by itself"):
            many.step_randomly()


@pytest.mark.parametrize("more", ["", ", layout='universal', opponents={1: 'mine.npz'}"])
def test_a_program_without_its_guard_is_told_of_it(more: str, tmp_path: Path) -> None:
    """This includes sending a process a message that is larger than a pipe buffer."""
    (tmp_path / "mine.npz").write_bytes(Path(learned.__file__).with_name("master.npz").read_bytes())
    program = tmp_path / "unguarded.py"
    program.write_text(f"from canasta import research\nresearch.vector_env(2, processes=2{more}).reset()\n")
    done = subprocess.run(
        [sys.executable, program], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 1
    said = done.stderr.rstrip().splitlines()[-1]
    assert "has ended before it began" in said
    assert said.endswith('put what your program does under `if __name__ == "__main__":`')


@pytest.mark.parametrize("processes", [1, 2])
def test_the_arrays_are_for_reading(processes: int) -> None:
    with research.vector_env(2, hidden=True, processes=processes) as many:
        many.reset()
        for array in (many.observations, many.masks, many.hidden, many.seats, many.done, many.rewards):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 1
            with pytest.raises(ValueError, match="WRITEABLE"):
                array.flags.writeable = True
        many.sample()[0] = 1  # a copy of the caller's own


@pytest.mark.parametrize("processes", [1, np.int64(2)])
def test_numbers_and_truth_values_may_be_those_of_numpy(processes: SupportsIndex) -> None:
    yes: Any = np.bool_(True)
    count, players = np.int64(3), np.uint8(4)
    with research.vector_env(
        count, "caliente", players, hidden=yes, idle_questions=yes, processes=processes
    ) as many:
        many.reset()
        many.step_randomly(np.int16(3))
        assert many.observations.shape == (3, many.observation_size)
        assert many.hidden_size > 0


@pytest.mark.parametrize("given", [None, "2", 1.5, True, np.bool_(True), np.array([1, 2]), -1])
def test_what_is_no_whole_number_is_told(given: Any) -> None:
    for name in ("count", "processes", "players"):
        if name == "players" and given is None:
            continue
        asked = {"count": 2, name: given}
        with pytest.raises(ValueError, match=f"^{name} is .*; a whole number from 1 on is needed$"):
            research.vector_env(**asked)
    with research.vector_env(2, processes=2 if given is None else 1) as many:
        many.reset()
        with pytest.raises(ValueError, match=r"^times is .*; a whole number from 0 on is needed$"):
            many.step_randomly(given)
        many.step_randomly(2)


@pytest.mark.parametrize("count", [10**12, 10**30])
@pytest.mark.parametrize("processes", [1, 2])
def test_more_tables_than_there_is_memory_for_are_told(count: int, processes: int) -> None:
    with pytest.raises(ValueError, match=f"^{count} tables take [0-9]+ bytes, which cannot be had: ask for"):
        research.vector_env(count, processes=processes)


def test_what_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="choose one of points, margin, result"):
        research.vector_env(2, rewards="money")
    with pytest.raises(ValueError, match="spread over 3 processes"):
        research.vector_env(2, processes=3)
    with pytest.raises(ValueError, match="hand, match"):
        research.vector_env(2, episode="evening")


def test_random_steps_are_those_that_would_have_been_sampled() -> None:
    one, two = (research.vector_env(20, "jaques") for _ in range(2))
    for many in (one, two):
        many.reset(3)
    for _ in range(150):
        one.step_randomly()
        two.step(two.sample())
        for name in ("observations", "masks", "seats", "done", "rewards"):
            assert (getattr(one, name) == getattr(two, name)).all()


def test_many_tables_are_read_ahead_and_step_like_few() -> None:
    with research.vector_env(MANY, "two-player") as many, research.vector_env(4, "two-player") as few:
        many.reset(5)
        few.reset(5)
        for _ in range(4):
            actions = many.sample()
            many.step(actions)
            few.step(actions[:4])
            assert np.array_equal(many.observations[:4], few.observations)
            assert np.array_equal(many.masks[:4], few.masks)
        many.step_randomly()
        assert many.masks.any(axis=1).all()


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
