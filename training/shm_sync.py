"""Orders to processes and their answers, as counters in shared memory.

No messages are sent and no process is woken. A counter is written after the data it announces, and x86
processors show writes to other processors in that order.
"""

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.process import BaseProcess
from typing import Final

import numpy as np
import numpy.typing as npt

from canasta.errors import CanastaError
from canasta.research.workers import WorkerMemory

_SPINS: Final = 2_000
"""Number of polls before a short sleep; a step takes milliseconds."""
_NAP: Final = 0.00005
_ENDED: Final = np.iinfo(np.int64).max
_ORDERS: Final = 0
"""Row of the orders given to each group. The following rows count the orders that each process has
completed.
"""
_FLAG: Final = -1


class Signals:
    """Groups of work that are processed in turn. Every process has a share of each group."""

    def __init__(self, processes: int, groups: int) -> None:
        self._memory = WorkerMemory(create=True, size=8 * (processes + 2) * groups)
        self._counters = _counters(self._memory, groups)
        self._counters[:] = 0
        self._processes: list[BaseProcess] = []

    def start(self, work: Callable[..., None], tasks: Iterable[tuple[object, ...]]) -> None:
        """Start a process that runs `work` for each task, and give the first orders."""
        context = multiprocessing.get_context("spawn")
        for task in tasks:
            process = context.Process(target=work, args=task, daemon=True)
            process.start()
            self._processes.append(process)
        for group in range(self._counters.shape[1]):
            self.go(group)

    @property
    def name(self) -> str:
        return self._memory.name

    def set_flag(self, is_set: bool) -> None:
        """Set the flag that all processes can read."""
        self._counters[_FLAG, :] = int(is_set)

    def go(self, group: int) -> None:
        self._counters[_ORDERS, group] += 1

    def wait(self, group: int) -> None:
        """Wait until every process has finished its share. Raise `CanastaError` if a process has died."""
        order = self._counters[_ORDERS, group]
        answers = self._counters[1:_FLAG, group]
        spins = 0
        while (answers < order).any():
            spins += 1
            if spins % _SPINS == 0:
                time.sleep(_NAP)
                if not all(process.is_alive() for process in self._processes):
                    raise CanastaError("a process that steps tables has ended by itself.")

    def close(self) -> None:
        """Stop the processes."""
        self._counters[_ORDERS, :] = _ENDED
        for process in self._processes:
            process.join()
        del self._counters
        self._memory.close()
        self._memory.unlink()


class Orders:
    """The same counters, as seen by one of the worker processes."""

    def __init__(self, name: str, groups: int, number: int) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
        self._memory = WorkerMemory(name)
        self._counters = _counters(self._memory, groups)
        self._done = self._counters[number + 1]

    def flag(self, group: int) -> bool:
        return bool(self._counters[_FLAG, group])

    def __iter__(self) -> Iterator[tuple[int, bool]]:
        """Yield the group to work on next, and whether it is the first time, until stopped or the parent is
        gone.

        Requesting the next group reports that the current one is done.
        """
        group = spins = 0
        parent = multiprocessing.parent_process()
        while True:
            ordered = self._counters[_ORDERS, group]
            if ordered == _ENDED:
                return
            if ordered == self._done[group]:
                spins += 1
                if spins % _SPINS == 0:
                    if parent is not None and not parent.is_alive():
                        return
                    time.sleep(_NAP)
                elif hasattr(os, "sched_yield"):
                    os.sched_yield()
                continue
            yield group, self._done[group] == 0
            self._done[group] += 1
            group = (group + 1) % len(self._done)


def _counters(memory: WorkerMemory, groups: int) -> npt.NDArray[np.int64]:
    return np.frombuffer(memory.bytes(), np.int64).reshape(-1, groups)
