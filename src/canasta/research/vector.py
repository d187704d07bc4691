"""Many tables at once as NumPy arrays, spread over processes."""

import os
import weakref
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Self, SupportsIndex

import numpy as np
import numpy.typing as npt

from canasta.engine.observation.layout import Piece, pieces
from canasta.errors import InputError
from canasta.research.batch import MANY, Batch, not_legal
from canasta.research.describe import EPISODES, draws_scores, is_universal, one_of, rules_for, whole_number
from canasta.research.episode import REWARDS
from canasta.research.opponents import opponent_mix
from canasta.research.workers import (
    MemoryLayout,
    TableWorker,
    WorkerMemory,
    WorkerSetup,
    dismiss,
    even_shares,
)
from canasta.rules import Ruleset

CLOSED = "these tables are closed; vector_env makes new ones"
GONE = "a process that steps tables has ended by itself"
NOT_BEGUN = (
    "a process that steps tables has ended before it began: with processes above 1, put what your program "
    'does under `if __name__ == "__main__":`'
)


def vector_env(
    count: SupportsIndex,
    rules: str | Ruleset = "caliente",
    players: SupportsIndex | None = None,
    *,
    options: Mapping[str, object] | None = None,
    episode: str = "hand",
    rewards: str = "points",
    start_scores: str = "zero",
    idle_questions: bool = True,
    layout: str = "rules",
    opponents: Mapping[int, str | os.PathLike[str]] | None = None,
    hidden: bool = False,
    processes: SupportsIndex = 1,
) -> "VectorTables":
    """Create `count` tables that are stepped together. With several processes, including this one, each has a
    share.

    `opponents` are players by seat: `random`, `novice`, `casual`, `club`, `master` or a file of weights. The
    other seats are the learner's. `hidden` adds an array for a critic in training.
    """
    one_of("rewards", rewards, REWARDS)
    whole_match = one_of("episode", episode, EPISODES) == "match"
    random_scores = draws_scores(start_scores, whole_match=whole_match)
    tables, shares = whole_number("count", count), whole_number("processes", processes)
    if shares > tables:
        raise ValueError(f"{tables} tables cannot be spread over {shares} processes")
    universal = is_universal(layout)
    ruleset = rules_for(rules, None if players is None else whole_number("players", players), options)
    company = opponent_mix(opponents, ruleset, universal=universal)
    setup = WorkerSetup(
        ruleset, whole_match, random_scores, bool(idle_questions), universal, company, bool(hidden)
    )
    return VectorTables(setup, tables, rewards, shares)


class VectorTables:
    """Vectorised tables. `step` writes into the same arrays every time.

    The arrays are read-only; copy anything that you want to keep or change:

    | array | shape | type | what |
    | --- | --- | --- | --- |
    | `observations` | count × `observation_size` | uint8 | what the seat to act sees |
    | `masks` | count × `action_count` | uint8 | 1 for each legal action |
    | `seats` | count | uint8 | the seat to act |
    | `done` | count | uint8 | 1 if the last action ended an episode; the next one is already dealt |
    | `rewards` | count × players | float32 | for every seat, if a hand ended; zeros otherwise |
    | `hidden` | count × `hidden_size` | uint8 | what the seat must not see; size 0 unless requested |

    With `layout="universal"` there are six columns of rewards, with zeros for seats that do not exist.
    Opponents play within `step` and `reset`: the seat to act is always one of the learner's, and an action
    may end several hands of a match.
    """

    def __init__(self, asked: WorkerSetup, count: int, rewards: str, processes: int) -> None:
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
        row = Batch.row_size(game, asked.hidden)
        self.hidden_size = row - layout.size - game.actions
        plan = MemoryLayout(even_shares(count, processes), row, layout.seats)
        _must_have_room(count, plan.size)
        self._own = plan.shares[1]
        """Number of tables that this process steps itself; worker processes step the others."""
        self._workers: list[TableWorker] = []
        self._dealt = False
        if processes > 1:
            memory = WorkerMemory(create=True, size=plan.size)
            buffer = memory.bytes()
            # This also runs if nobody calls `close`, at the latest at the end of the program.
            self._dismiss = weakref.finalize(self, dismiss, self._workers, memory)
            try:
                for number in range(1, processes):
                    self._workers.append(TableWorker(memory, plan, number, asked, rewards))
            except ConnectionError:
                raise RuntimeError(NOT_BEGUN) from None
        else:
            buffer = memoryview(bytearray(plan.size))
        self._batch: Batch | None = plan.batch(game, rewards, buffer, 0, asked.company.at(game), asked.hidden)
        # Read-only, because payments accumulate in the arrays and a changed mask would allow illegal actions.
        seen = buffer.toreadonly()
        shown = np.frombuffer(seen, np.uint8, count * plan.row).reshape(count, plan.row)
        self.observations: npt.NDArray[np.uint8] = shown[:, : layout.size]
        self.masks: npt.NDArray[np.uint8] = shown[:, layout.size : layout.size + game.actions]
        self.hidden: npt.NDArray[np.uint8] = shown[:, layout.size + game.actions :]
        self.seats: npt.NDArray[np.uint8] = np.frombuffer(seen, np.uint8, count, plan.at_acting)
        self.done: npt.NDArray[np.uint8] = np.frombuffer(seen, np.uint8, count, plan.at_done)
        self.rewards: npt.NDArray[np.float32] = np.frombuffer(
            seen, np.float32, count * layout.seats, plan.at_rewards
        ).reshape(count, layout.seats)
        self._actions = np.frombuffer(buffer, np.int32, count, plan.at_actions)
        self._numbers = np.arange(count)

    def reset(self, seed: int | str = 0) -> None:
        """Deal all tables. A table's cards depend on the seed and its number, not on the processes."""
        batch = self._open_batch()
        self._everywhere(f"reset {seed}", lambda: batch.reset(str(seed), 0))
        self._dealt = True

    def step(self, actions: npt.ArrayLike) -> None:
        """Make an action at each table. Raise `ValueError`, with nothing changed, if a mask excludes one."""
        batch = self._dealt_batch()
        chosen_actions = np.asarray(actions)
        if chosen_actions.shape != (self.count,):
            raise InputError(f"actions of shape {chosen_actions.shape} were given for {self.count} tables")
        if chosen_actions.dtype.kind not in "iu":
            raise InputError(f"actions are whole numbers; {chosen_actions.dtype} was given")
        # With several processes or many tables, check all masks before any table is played.
        are_legal = self.count >= MANY or bool(self._workers)
        if are_legal:
            self._must_be_legal(chosen_actions)
        if self._workers:
            self._actions[:] = chosen_actions
        self._everywhere("step", lambda: batch.step(chosen_actions[: self._own].tolist(), are_legal))

    def sample(self) -> npt.NDArray[np.int32]:
        """Return a uniformly random legal action for every table."""
        batch = self._dealt_batch()

        def choose() -> None:
            self._actions[: self._own] = batch.sample()

        self._everywhere("sample", choose)
        return self._actions.copy()

    def step_randomly(self, times: SupportsIndex = 1) -> None:
        """Make uniformly random legal actions at all tables, for measuring or to get into mid-game."""
        batch = self._dealt_batch()
        turns = whole_number("times", times, 0)

        def play() -> None:
            for _ in range(turns):
                batch.step_randomly()

        self._everywhere(f"random {turns}", play)

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
        raise InputError(not_legal(int(actions[table]), table))

    def _everywhere(self, order: str, do: Callable[[], None]) -> None:
        """Let the workers execute an order while this process executes it for its own tables."""
        problems: list[str] = []
        try:
            for worker in self._workers:
                worker.answer()  # the answer to a call that was interrupted
                worker.order(order)
            try:
                do()
            finally:
                problems += [worker.answer() for worker in self._workers]
        except (EOFError, ConnectionError):
            began = all(worker.has_answered() for worker in self._workers)
            raise RuntimeError(GONE if began else NOT_BEGUN) from None
        if any(problems):
            raise InputError(next(filter(None, problems)))

    def close(self) -> None:
        """Stop the processes. The arrays are invalid afterwards."""
        self._batch = None
        if self._workers:
            empty = np.zeros((0, 0), np.uint8)
            self.observations = self.masks = self.hidden = empty
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


def _must_have_room(count: int, size: int) -> None:
    """Raise `ValueError` unless the memory is available. The zeros allocated here are never written, so
    this is fast.
    """
    try:
        bytes(size)
    except (MemoryError, OverflowError):
        raise ValueError(f"{count} tables take {size} bytes, which cannot be had: ask for fewer") from None
