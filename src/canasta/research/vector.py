"""Many tables at once in NumPy arrays, spread over processes."""

import itertools
import multiprocessing
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, is_dataclass
from multiprocessing.connection import Connection
from multiprocessing.shared_memory import SharedMemory
from types import TracebackType
from typing import Any, Self, get_type_hints

import numpy as np
import numpy.typing as npt

from canasta.research.batch import Batch, IllegalAction
from canasta.research.describe import rules_for
from canasta.research.episode import Game
from canasta.research.pieces import Layout, Piece, pieces
from canasta.research.rewards import REWARDS
from canasta.rules import Ruleset

FLOAT = 4
"""Bytes of a reward and of an action."""


def vector_env(
    count: int,
    rules: str | Ruleset = "caliente",
    players: int | None = None,
    *,
    options: Mapping[str, object] | None = None,
    episode: str = "hand",
    rewards: str = "points",
    processes: int = 1,
) -> "VectorTables":
    """So many tables stepped together; with several processes each has its share of them."""
    if rewards not in REWARDS:
        raise ValueError(f"rewards is {rewards!r}; choose one of {', '.join(REWARDS)}")
    if episode not in ("hand", "match"):
        raise ValueError(f"episode is {episode!r}; choose one of hand, match")
    if not 1 <= processes <= count:
        raise ValueError(f"{count} tables cannot be spread over {processes} processes")
    return VectorTables(rules_for(rules, players, options), count, episode == "match", rewards, processes)


class VectorTables:
    """The arrays are the same objects from step to step, and `step` writes into them:

    | array | shape | type | what |
    | --- | --- | --- | --- |
    | `observations` | count × `observation_size` | uint8 | what the seat to act sees |
    | `masks` | count × `action_count` | uint8 | 1 where it may act so |
    | `seats` | count | uint8 | the seat to act |
    | `done` | count | uint8 | 1 where the last action ended an episode; the next one is dealt already |
    | `rewards` | count × players | float32 | for every seat, when a hand ended; zeros otherwise |
    """

    def __init__(self, rules: Ruleset, count: int, whole_match: bool, rewards: str, processes: int) -> None:
        self.rules = rules
        self.count = count
        game = Game(rules, whole_match)
        layout = Layout(game.tables)
        self.players = game.seats
        self.observation_size = layout.size
        self.action_count = game.actions
        self.pieces: list[Piece] = pieces(layout)
        self.side_of: list[int] = game.side_of
        shares = [count * n // processes for n in range(processes + 1)]
        self._shares = list(itertools.pairwise(shares))
        self._plan = _Plan(count, layout.size + game.actions, game.seats)
        self._memory: SharedMemory | None = None
        self._workers: list[tuple[Connection[Any, Any], Any]] = []
        self._batch: Batch | None = None
        if processes == 1:
            buffer = memoryview(bytearray(self._plan.size))
            self._batch = self._plan.batch(game, rewards, buffer, 0, count)
        else:
            self._memory = SharedMemory(create=True, size=self._plan.size)
            buffer = _bytes_of(self._memory)
            context = multiprocessing.get_context("spawn")
            for first, last in self._shares:
                here, there = context.Pipe()
                worker = context.Process(
                    target=_work,
                    args=(
                        there,
                        self._memory.name,
                        self._plan,
                        asdict(rules),
                        whole_match,
                        rewards,
                        first,
                        last,
                    ),
                    daemon=True,
                )
                worker.start()
                there.close()
                self._workers.append((here, worker))
        plan = self._plan
        shown = np.frombuffer(buffer, np.uint8, count * plan.row).reshape(count, plan.row)
        self.observations: npt.NDArray[np.uint8] = shown[:, : layout.size]
        self.masks: npt.NDArray[np.uint8] = shown[:, layout.size :]
        self.seats: npt.NDArray[np.uint8] = np.frombuffer(buffer, np.uint8, count, plan.at_acting)
        self.done: npt.NDArray[np.uint8] = np.frombuffer(buffer, np.uint8, count, plan.at_done)
        self.rewards: npt.NDArray[np.float32] = np.frombuffer(
            buffer, np.float32, count * game.seats, plan.at_rewards
        ).reshape(count, game.seats)
        self._actions = np.frombuffer(buffer, np.int32, count, plan.at_actions)

    def reset(self, seed: int | str = 0) -> None:
        """Deal everywhere. A table's cards depend on the seed and its number, not on the processes."""
        if self._batch is not None:
            self._batch.reset(str(seed), 0)
            return
        self._tell(("reset", str(seed)))

    def step(self, actions: npt.ArrayLike) -> None:
        """Make an action at each table; raises ValueError where a mask rules one out."""
        given = np.asarray(actions)
        if given.shape != (self.count,):
            raise IllegalAction(f"actions of shape {given.shape} were given for {self.count} tables")
        if self._batch is not None:
            self._batch.step(given.tolist())
            return
        self._actions[:] = given
        self._tell(("step", ""))

    def sample(self) -> npt.NDArray[np.int32]:
        """A uniformly random legal action for every table."""
        if self._batch is not None:
            return np.array(self._batch.sample(), np.int32)
        self._tell(("sample", ""))
        return self._actions.copy()

    def step_randomly(self, times: int = 1) -> None:
        """Make uniformly random legal actions everywhere; for measuring, and to get into the middle."""
        if self._batch is not None:
            for _ in range(times):
                self._batch.step(self._batch.sample())
            return
        self._tell(("random", str(times)))

    def _tell(self, order: tuple[str, str]) -> None:
        try:
            for pipe, _ in self._workers:
                pipe.send(order)
            wrong = [problem for pipe, _ in self._workers if (problem := pipe.recv())]
        except (EOFError, ConnectionError):
            raise RuntimeError("a process that steps tables has ended by itself") from None
        if wrong:
            raise IllegalAction(wrong[0])

    def close(self) -> None:
        """End the processes; the arrays are void afterwards."""
        for pipe, worker in self._workers:
            with suppress(ConnectionError):  # it may have ended by itself
                pipe.send(("close", ""))
            worker.join()
            pipe.close()
        self._workers = []
        if self._memory is not None:
            empty = np.zeros((0, 0), np.uint8)
            self.observations = self.masks = empty
            self.seats = self.done = empty[0:0, 0:0].reshape(0)
            self.rewards = np.zeros((0, 0), np.float32)
            self._actions = np.zeros(0, np.int32)
            self._memory.close()
            self._memory.unlink()
            self._memory = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class _Plan:
    """Where everything lies in one piece of memory."""

    def __init__(self, count: int, row: int, seats: int) -> None:
        self.row = row
        self.seats = seats
        self.at_rewards = -(-count * row // FLOAT) * FLOAT
        self.at_actions = self.at_rewards + FLOAT * count * seats
        self.at_acting = self.at_actions + FLOAT * count
        self.at_done = self.at_acting + count
        self.size = self.at_done + count

    def batch(self, game: Game, rewards: str, buffer: memoryview, first: int, last: int) -> Batch:
        """The tables from `first` up to `last`, writing to their part of the memory."""
        paid = buffer[
            self.at_rewards + FLOAT * first * self.seats : self.at_rewards + FLOAT * last * self.seats
        ]
        return Batch(
            game,
            last - first,
            rewards,
            buffer[first * self.row : last * self.row],
            buffer[self.at_acting + first : self.at_acting + last],
            buffer[self.at_done + first : self.at_done + last],
            paid.cast("f"),
        )


def _bytes_of(memory: SharedMemory) -> memoryview:
    buffer = memory.buf
    assert buffer is not None, "the memory is open"
    return buffer


def _ruleset(parts: dict[str, Any]) -> Ruleset:
    """Rules from their parts: a compiled ruleset, being frozen, does not travel between processes."""
    kinds = get_type_hints(Ruleset)
    return Ruleset(
        **{name: kinds[name](**part) if is_dataclass(kinds[name]) else part for name, part in parts.items()}
    )


def _work(
    pipe: "Connection[Any, Any]",
    name: str,
    plan: _Plan,
    rules: dict[str, Any],
    whole_match: bool,
    rewards: str,
    first: int,
    last: int,
) -> None:
    """What a process of its own does: wait for an order, do it, answer with what went wrong."""
    memory = SharedMemory(name)
    buffer = _bytes_of(memory)
    batch = plan.batch(Game(_ruleset(rules), whole_match), rewards, buffer, first, last)
    actions = buffer[plan.at_actions + FLOAT * first : plan.at_actions + FLOAT * last].cast("i")
    while True:
        try:
            order, words = pipe.recv()
        except EOFError:
            order, words = "close", ""
        if order == "close":
            break
        problem = ""
        try:
            if order == "reset":
                batch.reset(words, first)
            elif order == "step":
                batch.step(actions.tolist())
            elif order == "sample":
                for index, action in enumerate(batch.sample()):
                    actions[index] = action
            else:
                for _ in range(int(words)):
                    batch.step(batch.sample())
        except IllegalAction as error:
            problem = str(error)
        pipe.send(problem)
    batch.release()
    actions.release()
    memory.close()
