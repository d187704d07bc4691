"""Executors run tables in this process, in a pool of processes, or on a Ray cluster.

All of them return results in the order of the tasks, so a result does not depend on who computed it or how
fast.
"""

import multiprocessing
import os
import signal
import socket
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from typing import Any, Final, Protocol, TypeVar
from urllib.parse import urlsplit

from canasta.errors import CanastaError
from canasta.installation import why_missing

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

    def map(self, work: Callable[[Task], Answer], tasks: Iterable[Task]) -> Generator[Answer, None, None]: ...


class InProcess:
    """Runs tasks one after the other in this process."""

    def map(self, work: Callable[[Task], Answer], tasks: Iterable[Task]) -> Generator[Answer, None, None]:
        for task in tasks:
            yield work(task)


class ProcessPool:
    """Runs tasks in parallel on this machine's cores."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

    def map(self, work: Callable[[Task], Answer], tasks: Iterable[Task]) -> Generator[Answer, None, None]:
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


HERE: Final = "local"
"""Address that starts Ray on this machine for this run."""
FIND_IT: Final = "auto"
"""Address that uses the cluster this machine belongs to."""
PATIENCE: Final = 5.0
"""Seconds to wait for the cluster to accept a connection; Ray itself would wait for minutes."""


class OnRay:
    """Runs tasks on the machines of a Ray cluster, which must have the same version of canasta installed."""

    def __init__(self, address: str) -> None:
        self.address = address

    def map(self, work: Callable[[Task], Answer], tasks: Iterable[Task]) -> Generator[Answer, None, None]:
        ray = self._connect()
        waiting: deque[Any] = deque()
        try:
            remote = ray.remote(num_cpus=1)(work)
            most = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
            for task in tasks:
                waiting.append(remote.remote(task))
                if len(waiting) >= most:
                    yield ray.get(waiting.popleft())
            while waiting:
                yield ray.get(waiting.popleft())
        except ray.exceptions.RayTaskError as error:
            # Ray wraps the error in its own report; raise the original.
            raise error.cause from None
        finally:
            for reference in waiting:
                ray.cancel(reference, force=True)
            ray.shutdown()

    def _connect(self) -> Any:
        _knock(self.address)
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        try:
            # Imported by name, because its types are not always available.
            ray = import_module("ray")
        except ImportError:
            raise ExecutorError(why_missing("a cluster", "ray")) from None
        try:
            ray.init(address=self.address, log_to_driver=False, logging_level="ERROR")
        except Exception as error:  # noqa: BLE001 - Ray raises whatever its network layer does
            reason = (str(error) or type(error).__name__).splitlines()[0].rstrip(".")
            raise ExecutorError(f"Ray at {self.address} cannot be used: {reason}.") from None
        return ray


def _knock(address: str) -> None:
    """Raise `ExecutorError` unless the address accepts connections."""
    if address in (HERE, FIND_IT):
        return
    try:
        parts = urlsplit(address if "://" in address else f"//{address}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if not host or not port:
        raise ExecutorError(f"--ray takes HOST:PORT, ray://HOST:PORT, auto or local, not {address!r}.")
    try:
        socket.create_connection((host, port), PATIENCE).close()
    except OSError as error:
        reason = error.strerror or str(error)
        raise ExecutorError(f"no Ray cluster answers at {address}: {reason.lower()}.") from None
