"""Many tables at once in NumPy arrays, spread over processes."""

import weakref
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Self

import numpy as np
import numpy.typing as npt

from canasta.engine.observing.pieces import Piece, pieces
from canasta.research.batch import MANY, Batch, IllegalAction, not_legal
from canasta.research.describe import EPISODES, draws_scores, is_universal, one_of, rules_for
from canasta.research.rewards import REWARDS
from canasta.research.workers import Asked, Memory, Plan, Worker, dismiss, even_shares
from canasta.rules import Ruleset

CLOSED = "these tables are closed; vector_env makes new ones"


def vector_env(
    count: int,
    rules: str | Ruleset = "caliente",
    players: int | None = None,
    *,
    options: Mapping[str, object] | None = None,
    episode: str = "hand",
    rewards: str = "points",
    start_scores: str = "zero",
    idle_questions: bool = True,
    layout: str = "rules",
    processes: int = 1,
) -> "VectorTables":
    """So many tables stepped together; with several processes, this one among them, each has its share."""
    one_of("rewards", rewards, REWARDS)
    whole_match = one_of("episode", episode, EPISODES) == "match"
    random_scores = draws_scores(start_scores, whole_match=whole_match)
    if not 1 <= processes <= count:
        raise ValueError(f"{count} tables cannot be spread over {processes} processes")
    universal = is_universal(layout)
    asked = Asked(rules_for(rules, players, options), whole_match, random_scores, idle_questions, universal)
    return VectorTables(asked, count, rewards, processes)


class VectorTables:
    """The arrays are the same objects from step to step, and `step` writes into them:

    | array | shape | type | what |
    | --- | --- | --- | --- |
    | `observations` | count × `observation_size` | uint8 | what the seat to act sees |
    | `masks` | count × `action_count` | uint8 | 1 where it may act so |
    | `seats` | count | uint8 | the seat to act |
    | `done` | count | uint8 | 1 where the last action ended an episode; the next one is dealt already |
    | `rewards` | count × players | float32 | for every seat, when a hand ended; zeros otherwise |

    With `layout="universal"` there are six columns of rewards, those of seats that nobody has being zero.
    """

    def __init__(self, asked: Asked, count: int, rewards: str, processes: int) -> None:
        self.rules = asked.rules
        self.count = count
        self.processes = processes
        game = asked.game()
        layout = game.marks.layout
        self.players = game.seats
        self.observation_size = layout.size
        self.action_count = game.actions
        self.pieces: list[Piece] = pieces(layout)
        self.side_of: list[int] = game.side_of
        plan = Plan(even_shares(count, processes), layout.size + game.actions, layout.seats)
        self._own = plan.shares[1]
        """The tables that this process steps itself; workers step the others meanwhile."""
        self._workers: list[Worker] = []
        self._dealt = False
        if processes > 1:
            memory = Memory(create=True, size=plan.size)
            buffer = memory.bytes()
            # Also where nobody calls close(), at the end of the program or before.
            self._dismiss = weakref.finalize(self, dismiss, self._workers, memory)
            for number in range(1, processes):
                self._workers.append(Worker(memory, plan, number, asked, rewards))
        else:
            buffer = memoryview(bytearray(plan.size))
        self._batch: Batch | None = plan.batch(game, rewards, buffer, 0)
        shown = np.frombuffer(buffer, np.uint8, count * plan.row).reshape(count, plan.row)
        self.observations: npt.NDArray[np.uint8] = shown[:, : layout.size]
        self.masks: npt.NDArray[np.uint8] = shown[:, layout.size :]
        self.seats: npt.NDArray[np.uint8] = np.frombuffer(buffer, np.uint8, count, plan.at_acting)
        self.done: npt.NDArray[np.uint8] = np.frombuffer(buffer, np.uint8, count, plan.at_done)
        self.rewards: npt.NDArray[np.float32] = np.frombuffer(
            buffer, np.float32, count * layout.seats, plan.at_rewards
        ).reshape(count, layout.seats)
        self._actions = np.frombuffer(buffer, np.int32, count, plan.at_actions)
        self._numbers = np.arange(count)

    def reset(self, seed: int | str = 0) -> None:
        """Deal everywhere. A table's cards depend on the seed and its number, not on the processes."""
        batch = self._open_batch()
        self._everywhere(f"reset {seed}", lambda: batch.reset(str(seed), 0))
        self._dealt = True

    def step(self, actions: npt.ArrayLike) -> None:
        """Make an action at each table; ValueError, and nothing made, where a mask rules one out."""
        batch = self._dealt_batch()
        given = np.asarray(actions)
        if given.shape != (self.count,):
            raise IllegalAction(f"actions of shape {given.shape} were given for {self.count} tables")
        if given.dtype.kind not in "iu":
            raise IllegalAction(f"actions are whole numbers; {given.dtype} was given")
        # Where a process knows its own tables only, or they are many, all are asked before any is played.
        are_legal = self.count >= MANY or bool(self._workers)
        if are_legal:
            self._must_be_legal(given)
        if self._workers:
            self._actions[:] = given
        self._everywhere("step", lambda: batch.step(given[: self._own].tolist(), are_legal))

    def sample(self) -> npt.NDArray[np.int32]:
        """A uniformly random legal action for every table."""
        batch = self._dealt_batch()

        def choose() -> None:
            self._actions[: self._own] = batch.sample()

        self._everywhere("sample", choose)
        return self._actions.copy()

    def step_randomly(self, times: int = 1) -> None:
        """Make uniformly random legal actions everywhere; for measuring, and to get into the middle."""
        batch = self._dealt_batch()
        turns = range(times)

        def play() -> None:
            for _ in turns:
                batch.step_randomly()

        self._everywhere(f"random {times}", play)

    def _open_batch(self) -> Batch:
        if self._batch is None:
            raise RuntimeError(CLOSED)
        return self._batch

    def _dealt_batch(self) -> Batch:
        batch = self._open_batch()
        if not self._dealt:
            raise RuntimeError("reset() deals the first hands; call it before anything else")
        return batch

    def _must_be_legal(self, actions: npt.NDArray[np.integer]) -> None:
        legal = (actions >= 0) & (actions < self.action_count)
        if legal.all():
            legal = self.masks[self._numbers, actions] > 0
            if legal.all():
                return
        table = int(legal.argmin())
        raise IllegalAction(not_legal(int(actions[table]), table))

    def _everywhere(self, order: str, do: Callable[[], None]) -> None:
        """Have the workers carry out an order while this process does the same with its own tables."""
        problems: list[str] = []
        try:
            for worker in self._workers:
                worker.answer()  # to a call that was broken off (Ctrl-C)
                worker.order(order)
            try:
                do()
            finally:
                problems += [worker.answer() for worker in self._workers]
        except (EOFError, ConnectionError):
            raise RuntimeError("a process that steps tables has ended by itself") from None
        if any(problems):
            raise IllegalAction(next(filter(None, problems)))

    def close(self) -> None:
        """End the processes; the arrays are void afterwards."""
        self._batch = None
        if self._workers:
            empty = np.zeros((0, 0), np.uint8)
            self.observations = self.masks = empty
            self.seats = self.done = empty[0:0, 0:0].reshape(0)
            self.rewards = np.zeros((0, 0), np.float32)
            self._actions = np.zeros(0, np.int32)
            self._dismiss()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
