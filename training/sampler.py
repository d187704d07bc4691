"""Tables that are stepped by processes while the network thinks about other tables.

There are groups of tables. Every process has a share of each group, so while one group is on the GPU all
processes step the other. Orders and answers are counters in shared memory: nothing is sent, nobody is woken.
"""

import multiprocessing
import os
import time
from array import array
from itertools import accumulate
from typing import Final

import numpy as np
import numpy.typing as npt

from canasta.engine.observing.observer import HIDDEN_NUMBERS
from canasta.research.batch import Batch
from canasta.research.episode import Game
from canasta.research.workers import Memory, Plan
from training.mixture import Sort

_SPINS: Final = 2_000
"""Looks at a counter before falling asleep for a moment: a step takes milliseconds."""
_NAP: Final = 0.00005
_ENDED: Final = np.iinfo(np.int64).max


def game_of(sort: Sort) -> Game:
    return Game(
        sort.rules,
        whole_match=sort.whole_match,
        random_scores=not sort.whole_match,
        universal=True,
    )


class Group:
    """Tables of all sorts, in memory that the processes share: those of a process lie together."""

    def __init__(self, sorts: list[list[Sort]]) -> None:
        """`sorts` by process."""
        game = game_of(sorts[0][0])
        self.seats = game.marks.layout.seats
        self.observation_size = game.marks.layout.size
        self.action_count = game.actions
        self.hidden_size = HIDDEN_NUMBERS
        self.sorts = [sort for each in sorts for sort in each]
        """That of each share."""
        self.plan = Plan(
            list(accumulate((sort.count for sort in self.sorts), initial=0)),
            Batch.row_size(game, hidden=True),
            self.seats,
        )
        self.count = count = self.plan.shares[-1]
        row = self.plan.row
        self.memory = Memory(create=True, size=self.plan.size)
        buffer = self.memory.bytes()
        self.shown: npt.NDArray[np.uint8] = np.frombuffer(buffer, np.uint8, count * row).reshape(count, row)
        self.acting: npt.NDArray[np.uint8] = np.frombuffer(buffer, np.uint8, count, self.plan.at_acting)
        self.done: npt.NDArray[np.uint8] = np.frombuffer(buffer, np.uint8, count, self.plan.at_done)
        self.rewards: npt.NDArray[np.float32] = np.frombuffer(
            buffer, np.float32, count * self.seats, self.plan.at_rewards
        ).reshape(count, self.seats)
        self.actions: npt.NDArray[np.int32] = np.frombuffer(buffer, np.int32, count, self.plan.at_actions)


class Sampler:
    """`wait(g)` until group g shows its tables, then write `groups[g].actions` and `go(g)`.

    At tables where it is shown, the actions that `club` would choose are there already, until
    `advise(False)`.
    """

    def __init__(self, sorts: list[list[Sort]], groups: int, seed: str, *, advised: bool = False) -> None:
        """`sorts`: the tables of each process."""
        processes = len(sorts)
        self.groups = [Group(sorts) for _ in range(groups)]
        self._signals = Memory(create=True, size=8 * (processes + 2) * groups)
        self._counters: npt.NDArray[np.int64] = np.frombuffer(self._signals.bytes(), np.int64).reshape(
            processes + 2, groups
        )
        """How often each group was told to step, how often each process has stepped it, and whether `club`
        gives advice."""
        self._counters[:] = 0
        self.advise(advised)
        context = multiprocessing.get_context("spawn")
        parts = [(group.memory.name, group.plan) for group in self.groups]
        self._processes = [
            context.Process(
                target=_work,
                args=(number, sum(map(len, sorts[:number])), self._signals.name, parts, each, seed),
                daemon=True,
            )
            for number, each in enumerate(sorts)
        ]
        for process in self._processes:
            process.start()
        for group in range(groups):
            self.go(group)

    def advise(self, wanted: bool) -> None:
        self._counters[-1, :] = int(wanted)

    def go(self, group: int) -> None:
        self._counters[0, group] += 1

    def wait(self, group: int) -> None:
        """Until every process has stepped its share; raises `RuntimeError` when one has ended."""
        wanted = self._counters[0, group]
        answers = self._counters[1:-1, group]
        spins = 0
        while (answers < wanted).any():
            spins += 1
            if spins % _SPINS == 0:
                time.sleep(_NAP)
                if not all(process.is_alive() for process in self._processes):
                    raise RuntimeError("a process that steps tables has ended by itself")

    def close(self) -> None:
        self._counters[0, :] = _ENDED
        for process in self._processes:
            process.join()
        del self._counters
        for memory in [self._signals, *(group.memory for group in self.groups)]:
            memory.close()
            memory.unlink()


def _work(
    number: int, first: int, signals: str, parts: list[tuple[str, Plan]], sorts: list[Sort], seed: str
) -> None:
    """What a process does: the first order of a group deals, the others step. `first` is its first share."""
    counting = Memory(signals)
    counters = np.frombuffer(counting.bytes(), np.int64).reshape(-1, len(parts))
    opened = [Memory(name) for name, _ in parts]
    games = [game_of(sort) for sort in sorts]
    batches = [
        [
            plan.batch(
                games[at], "margin", memory.bytes(), first + at, club_sides=sort.club_sides, hidden=True
            )
            for at, sort in enumerate(sorts)
        ]
        for memory, (_, plan) in zip(opened, parts, strict=True)
    ]
    actions = [
        [plan.actions(memory.bytes(), first + at) for at in range(len(sorts))]
        for memory, (_, plan) in zip(opened, parts, strict=True)
    ]
    group = spins = 0
    mine = counters[number + 1]
    while True:
        ordered = counters[0, group]
        if ordered == _ENDED:
            return
        if ordered == mine[group]:
            spins += 1
            if spins % _SPINS == 0:
                time.sleep(_NAP)
            elif hasattr(os, "sched_yield"):
                os.sched_yield()
            continue
        shares = parts[group][1].shares
        for at, (batch, chosen) in enumerate(zip(batches[group], actions[group], strict=True)):
            if mine[group] == 0:
                batch.reset(f"{seed}/{group}", shares[first + at])
            else:
                batch.step(chosen.tolist())
            if counters[-1, group] and sorts[at].is_shown:
                chosen[:] = array("i", batch.advice())
        mine[group] += 1
        group = (group + 1) % len(parts)
