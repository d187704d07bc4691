"""The arena on a Ray cluster. Ray is an extra and is imported only here."""

import os
import socket
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import Any, Final
from urllib.parse import urlsplit

from canasta.arena.executors import AHEAD, Answer, ExecutorError, Task
from canasta.installation import why_missing

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

    def map(self, work: Callable[[Task], Answer], tasks: Iterable[Task]) -> Iterator[Answer]:
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
