"""The arena on a Ray cluster; Ray is an extra and is loaded only here."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any

from canasta.arena.executors import AHEAD, Answer, ExecutorError, Task

HERE = "local"
"""The address that means: start Ray on this machine for this run."""


class OnRay:
    """Side by side on the machines of a Ray cluster, which must have the same canasta installed."""

    def __init__(self, address: str) -> None:
        self.address = address

    def map(self, work: Callable[[Task], Answer], tasks: Sequence[Task]) -> Iterator[Answer]:
        try:
            # An extra that takes seconds to load; by name, for its types are not always at hand.
            ray = import_module("ray")
        except ImportError:
            raise ExecutorError("Ray is not installed here; pip install 'canasta[ray]' brings it.") from None
        try:
            ray.init(address=self.address, log_to_driver=False, logging_level="ERROR")
        except Exception as error:  # noqa: BLE001 - Ray raises whatever its network layer does
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise ExecutorError(f"no Ray cluster answers at {self.address}: {reason}") from None
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
        finally:
            for reference in waiting:
                ray.cancel(reference, force=True)
            ray.shutdown()
