"""Sample play: processes step some tables while the network evaluates others.

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
from training.task_mix import Sort


def game_of(sort: Sort) -> EpisodeGame:
    return EpisodeGame(
        sort.rules,
        whole_match=sort.whole_match,
        random_scores=not sort.whole_match,
        universal=True,
    )


class Group:
    """Tables of all sorts in shared memory, those of each process contiguous."""

    def __init__(self, sorts: list[list[Sort]]) -> None:
        """Create the tables. `sorts` are by process."""
        game = game_of(sorts[0][0])
        self.seats = game.marks.layout.seats
        self.observation_size = game.marks.layout.size
        self.action_count = game.actions
        self.hidden_size = HIDDEN_NUMBERS
        self.sorts = [sort for each in sorts for sort in each]
        """The sort of each share."""
        self.plan = MemoryLayout(
            list(accumulate((sort.count for sort in self.sorts), initial=0)),
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


class Sampler:
    """Steps groups of tables in processes. Call `wait(g)` until group g shows its tables, then write
    `groups[g].actions` and call `go(g)`.

    At tables where it is shown, the actions already contain the choices of `club`, until `advise(False)`.
    """

    def __init__(self, sorts: list[list[Sort]], groups: int, seed: str, *, advised: bool = False) -> None:
        """Start the processes. `sorts` are the tables of each process."""
        self.groups = [Group(sorts) for _ in range(groups)]
        self._signals = Signals(len(sorts), groups)
        """Its flag means that `club` gives advice."""
        self.advise(advised)
        parts = [(group.memory.name, group.plan) for group in self.groups]
        self._signals.start(
            _work,
            (
                (number, sum(map(len, sorts[:number])), self._signals.name, parts, each, seed)
                for number, each in enumerate(sorts)
            ),
        )

    def advise(self, wanted: bool) -> None:
        self._signals.set_flag(wanted)

    def go(self, group: int) -> None:
        self._signals.go(group)

    def wait(self, group: int) -> None:
        """Wait until every process has stepped its share. Raise `CanastaError` if a process has died."""
        self._signals.wait(group)

    def close(self) -> None:
        self._signals.close()
        for group in self.groups:
            group.memory.close()
            group.memory.unlink()


def _work(
    number: int, first: int, signals: str, parts: list[tuple[str, MemoryLayout]], sorts: list[Sort], seed: str
) -> None:
    """Run a process.

    The first order of a group deals, later ones step. `first` is the process's first share.
    """
    orders = Orders(signals, len(parts), number)
    opened = [WorkerMemory(name) for name, _ in parts]
    games = [game_of(sort) for sort in sorts]
    batches = [
        [
            plan.batch(
                games[at],
                "margin",
                memory.bytes(),
                first + at,
                Opponents(games[at], sort.opponents) if sort.opponents else None,
                hidden=True,
            )
            for at, sort in enumerate(sorts)
        ]
        for memory, (_, plan) in zip(opened, parts, strict=True)
    ]
    actions = [
        [plan.actions(memory.bytes(), first + at) for at in range(len(sorts))]
        for memory, (_, plan) in zip(opened, parts, strict=True)
    ]
    for group, is_first in orders:
        shares = parts[group][1].shares
        for at, (batch, chosen) in enumerate(zip(batches[group], actions[group], strict=True)):
            if is_first:
                batch.reset(f"{seed}/{group}", shares[first + at])
            else:
                batch.step(chosen.tolist())
            if orders.flag(group) and sorts[at].is_shown:
                chosen[:] = array("i", batch.advice())
