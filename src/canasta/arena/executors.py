"""Where the tables stand: in this process, in a pool of processes, or on a Ray cluster.

All of them answer in the order asked, so that a result does not depend on who worked it out or how fast.
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
"""Tasks handed out beforehand to each worker: enough to keep it busy, few enough to stop soon."""


class ExecutorError(CanastaError):
    """The work cannot be done there; the message says why in one sentence."""


class Executor(Protocol):
    """Works on tasks, of which it asks for few beforehand. Leaving the iterator early, by an interruption
    too, ends what is under way."""

    def map(self, work: Callable[[Task], Answer], tasks: Iterable[Task]) -> Iterator[Answer]: ...


class InProcess:
    """One after the other, here."""

    def map(self, work: Callable[[Task], Answer], tasks: Iterable[Task]) -> Iterator[Answer]:
        for task in tasks:
            yield work(task)


class ProcessPool:
    """Side by side on this machine's cores."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

    def map(self, work: Callable[[Task], Answer], tasks: Iterable[Task]) -> Iterator[Answer]:
        # Spawned, not forked: it works alike on every system and beside threads such as the progress bar's.
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
    # Ctrl-C reaches every process of the terminal; the first one decides, the workers are told by it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Standard output is for results: what a player prints goes where remarks go.
    sys.stdout = sys.stderr


def cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def local_executor(jobs: int | None) -> Executor:
    """For so many jobs at a time; None means one a core."""
    count = cores() if jobs is None else jobs
    return InProcess() if count == 1 else ProcessPool(count)
