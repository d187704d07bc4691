"""Sample play: worker processes step some tables while the network evaluates others.

Tables are divided into groups, and every process has a share of each. While one group is on the GPU, all
processes step the other.
"""

from array import array
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from canasta.engine.observation.encoder import HIDDEN_NUMBERS
from canasta.research.batch import Batch
from canasta.research.episode import EpisodeGame
from canasta.research.opponents import Opponents
from canasta.research.workers import MemoryLayout, WorkerMemory
from training.shm_sync import Orders, Signals
from training.task_mix import TableSet


def game_of(table_set: TableSet) -> EpisodeGame:
    return EpisodeGame(
        table_set.rules,
        whole_match=table_set.whole_match,
        random_scores=not table_set.whole_match,
        universal=True,
    )


class Group:
    """One group of tables in shared memory. The table sets of each process are contiguous."""

    def __init__(self, table_sets: list[list[TableSet]]) -> None:
        """Create the tables. `table_sets` contains those of each process."""
        game = game_of(table_sets[0][0])
        self.seats = game.marks.layout.seats
        self.observation_size = game.marks.layout.size
        self.action_count = game.actions
        self.hidden_size = HIDDEN_NUMBERS
        self.table_sets = [table_set for each in table_sets for table_set in each]
        """The table set of each share."""
        self.plan = MemoryLayout(
            list(accumulate((table_set.count for table_set in self.table_sets), initial=0)),
            Batch.row_size(game, hidden=True),
            self.seats,
        )
        self.count = count = self.plan.shares[-1]
        row = self.plan.row
        self.memory = WorkerMemory(create=True, size=self.plan.size)
        buffer = self.memory.bytes()
        self.shown: npt.NDArray[np.uint8] = np.frombuffer(buffer, np.uint8, count * row).reshape(count, row)
        self.acting: npt.NDArray[np.uint8] = np.frombuffer(buffer, np.uint8, count, self.plan.at_acting)
        self.done: npt.NDArray[np.uint8] = np.frombuffer(buffer, np.uint8, count, self.plan.at_done)
        self.rewards: npt.NDArray[np.float32] = np.frombuffer(
            buffer, np.float32, count * self.seats, self.plan.at_rewards
        ).reshape(count, self.seats)
        self.actions: npt.NDArray[np.int32] = np.frombuffer(buffer, np.int32, count, self.plan.at_actions)


class Sampler(Signals):
    """Steps groups of tables in worker processes.

    Call `wait(g)` until group g shows its tables, then write `groups[g].actions` and call `go(g)`. At tables
    where `club` is imitated, the actions already contain its choices, until `advise(False)`.
    """

    def __init__(
        self, table_sets: list[list[TableSet]], groups: int, seed: str, *, advised: bool = False
    ) -> None:
        """Start the processes. `table_sets` contains the tables of each process."""
        super().__init__(len(table_sets), groups)
        self.groups = [Group(table_sets) for _ in range(groups)]
        self.advise(advised)
        parts = [(group.memory.name, group.plan) for group in self.groups]
        self.start(
            _work,
            (
                (number, sum(map(len, table_sets[:number])), self.name, parts, each, seed)
                for number, each in enumerate(table_sets)
            ),
        )

    def advise(self, is_wanted: bool) -> None:
        """Switch the choices of `club` on or off."""
        self.set_flag(is_wanted)

    def close(self) -> None:
        super().close()
        for group in self.groups:
            group.memory.close()
            group.memory.unlink()


def _work(
    number: int,
    first: int,
    signals: str,
    parts: list[tuple[str, MemoryLayout]],
    table_sets: list[TableSet],
    seed: str,
) -> None:
    """Run a worker process.

    The first order for a group deals, later ones step. `first` is the process's first share.
    """
    orders = Orders(signals, len(parts), number)
    opened = [WorkerMemory(name) for name, _ in parts]
    games = [game_of(table_set) for table_set in table_sets]
    batches = [
        [
            plan.batch(
                games[at],
                "margin",
                memory.bytes(),
                first + at,
                Opponents(games[at], table_set.opponents) if table_set.opponents else None,
                hidden=True,
            )
            for at, table_set in enumerate(table_sets)
        ]
        for memory, (_, plan) in zip(opened, parts, strict=True)
    ]
    actions = [
        [plan.actions(memory.bytes(), first + at) for at in range(len(table_sets))]
        for memory, (_, plan) in zip(opened, parts, strict=True)
    ]
    for group, is_first in orders:
        shares = parts[group][1].shares
        for at, (batch, chosen) in enumerate(zip(batches[group], actions[group], strict=True)):
            if is_first:
                batch.reset(f"{seed}/{group}", shares[first + at])
            else:
                batch.step(chosen.tolist())
            if orders.flag(group) and table_sets[at].is_shown:
                chosen[:] = array("i", batch.advice())
