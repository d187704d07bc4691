"""Executors run tables in this process, in a pool of processes, or on a Ray cluster.

All of them return results in the order of the tasks, so a result does not depend on who computed it or how
fast.
"""

import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Protocol, TypeVar

from canasta.errors import CanastaError

Task = TypeVar("Task")
Answer = TypeVar("Answer")

AHEAD = 4
"""Number of tasks queued per worker: enough to keep it busy, few enough to stop quickly."""


class ExecutorError(CanastaError):
    """The work cannot be done with this executor; the message says why in one sentence."""


class Executor(Protocol):
    """Runs tasks, requesting only a few in advance.

    Leaving the iterator early, even by an interruption, stops the work.
    """

    def map(self, work: Callable[[Task], Answer], tasks: Iterable[Task]) -> Iterator[Answer]: ...


class InProcess:
    """Runs tasks one after the other in this process."""

    def map(self, work: Callable[[Task], Answer], tasks: Iterable[Task]) -> Iterator[Answer]:
        for task in tasks:
            yield work(task)


class ProcessPool:
    """Runs tasks in parallel on this machine's cores."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

    def map(self, work: Callable[[Task], Answer], tasks: Iterable[Task]) -> Iterator[Answer]:
        # Spawn rather than fork: it works the same on every system and with threads such as the progress
        # bar's.
        context = multiprocessing.get_context("spawn")
        others = set(multiprocessing.active_children())
        pool = ProcessPoolExecutor(self.jobs, context, initializer=_begin_work)
        done = False
        try:
            waiting: deque[Future[Answer]] = deque()
            for task in tasks:
                waiting.append(pool.submit(work, task))
                if len(waiting) >= AHEAD * self.jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
            done = True
        except BrokenProcessPool:
            raise ExecutorError("a process that played games has died; was there enough memory?") from None
        finally:
            if not done:
                for child in multiprocessing.active_children():
                    if child not in others:
                        child.terminate()
            pool.shutdown(wait=True, cancel_futures=True)


def _begin_work() -> None:
    # Ctrl-C reaches every process of the terminal; the parent decides and stops the workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Standard output is for results; send what a player prints to standard error.
    sys.stdout = sys.stderr


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def local_executor(jobs: int | None) -> Executor:
    """Return an executor for this many parallel jobs; `None` means one per core."""
    count = cores() if jobs is None else jobs
    return InProcess() if count == 1 else ProcessPool(count)
