"""Tables that are stepped by processes while the network thinks about other tables.

There are groups of tables. Every process has a share of each group, so while one group is on the GPU all
processes step the other. Orders and answers are counters in shared memory: nothing is sent, nobody is woken.
"""

import multiprocessing
import os
import time
from typing import Final

import numpy as np
import numpy.typing as npt

from canasta.research.episode import Game
from canasta.research.workers import Memory, Plan
from canasta.rules import Ruleset

_SPINS: Final = 2_000
"""Looks at a counter before falling asleep for a moment: a step takes milliseconds."""
_NAP: Final = 0.00005
_ENDED: Final = np.iinfo(np.int64).max


class Group:
    """Tables of one game, in memory that the processes share."""

    def __init__(self, rules: Ruleset, count: int, processes: int) -> None:
        game = Game(rules, whole_match=True)
        self.rules = rules
        self.count = count
        self.seats = game.seats
        self.observation_size = game.marks.layout.size
        self.action_count = game.actions
        row = self.observation_size + self.action_count
        self.plan = Plan(count, row, game.seats, processes)
        self.memory = Memory(create=True, size=self.plan.size)
        buffer = self.memory.bytes()
        self.shown: npt.NDArray[np.uint8] = np.frombuffer(buffer, np.uint8, count * row).reshape(count, row)
        self.acting: npt.NDArray[np.uint8] = np.frombuffer(buffer, np.uint8, count, self.plan.at_acting)
        self.done: npt.NDArray[np.uint8] = np.frombuffer(buffer, np.uint8, count, self.plan.at_done)
        self.rewards: npt.NDArray[np.float32] = np.frombuffer(
            buffer, np.float32, count * game.seats, self.plan.at_rewards
        ).reshape(count, game.seats)
        self.actions: npt.NDArray[np.int32] = np.frombuffer(buffer, np.int32, count, self.plan.at_actions)


class Sampler:
    """`wait(g)` until group g shows its tables, then write `groups[g].actions` and `go(g)`."""

    def __init__(self, games: list[Ruleset], tables: int, processes: int, seed: str) -> None:
        self.groups = [Group(rules, tables // len(games), processes) for rules in games]
        self._signals = Memory(create=True, size=8 * (processes + 1) * len(games))
        self._counters: npt.NDArray[np.int64] = np.frombuffer(self._signals.bytes(), np.int64).reshape(
            processes + 1, len(games)
        )
        """How often each group was told to step, and how often each process has stepped it."""
        self._counters[:] = 0
        context = multiprocessing.get_context("spawn")
        parts = [(group.memory.name, group.plan, group.rules) for group in self.groups]
        self._processes = [
            context.Process(target=_work, args=(number, self._signals.name, parts, seed), daemon=True)
            for number in range(processes)
        ]
        for process in self._processes:
            process.start()
        for group in range(len(games)):
            self.go(group)

    def go(self, group: int) -> None:
        self._counters[0, group] += 1

    def wait(self, group: int) -> None:
        """Until every process has stepped its share; raises `RuntimeError` when one has ended."""
        wanted = self._counters[0, group]
        answers = self._counters[1:, group]
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


def _work(number: int, signals: str, parts: list[tuple[str, Plan, Ruleset]], seed: str) -> None:
    """What a process does: the first order of a group deals, the others step."""
    counting = Memory(signals)
    counters = np.frombuffer(counting.bytes(), np.int64).reshape(-1, len(parts))
    opened = [Memory(name) for name, _, _ in parts]
    batches = [
        plan.batch(Game(rules, whole_match=True), "margin", memory.bytes(), number)
        for memory, (_, plan, rules) in zip(opened, parts, strict=True)
    ]
    actions = [
        plan.actions(memory.bytes(), number) for memory, (_, plan, _) in zip(opened, parts, strict=True)
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
        if mine[group] == 0:
            batches[group].reset(f"{seed}/{group}", parts[group][1].shares[number])
        else:
            batches[group].step(actions[group].tolist())
        mine[group] += 1
        group = (group + 1) % len(parts)
