"""Reviews of hands, in low-priority processes.

Clients poll a pending review, which keeps it alive; an abandoned one is stopped. Finished reviews are cached
for a while. Everything is lost when the server restarts.
"""

import asyncio
import hmac
import os
import secrets
from asyncio import QueueFull
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Final, Literal

import msgspec
import structlog

from canasta.review.worker import ReviewedHand, ReviewError, ReviewRequest, run_review
from canasta.server.fair_queue import Asker, FairQueue

_logger = structlog.get_logger()

MOST_WAITING: Final = 40
"""Maximum number of waiting reviews, over all users."""
MOST_OF_ONE: Final = 3
"""Maximum number of pending reviews per player."""
MOST_FROM: Final = 6
"""Maximum number of pending reviews per address."""
ABANDONED_AFTER_S: Final = 90.0
"""Seconds without polling after which a review is stopped; a page in the background polls once a minute."""
_MOST_KEPT: Final = 16 * 2**20
"""Maximum total size in bytes of cached reviews."""

Status = Literal["waiting", "running", "failed"]


class Job:
    """A pending review of one hand."""

    def __init__(self, key: str, asker: Asker, request: ReviewRequest) -> None:
        self.key = key
        self.asker = asker
        self.wanted = request
        self.status: Status = "waiting"
        self.done = 0
        self.of = 0
        self.asked = 0.0
        """Time of the last poll."""
        self.work: asyncio.Task[None] | None = None

    def note_progress(self, done: int, of: int) -> None:
        self.done, self.of = done, of


class Reviews:
    """The waiting, running and finished reviews."""

    def __init__(self, worlds: int, nice: int, *, at_once: int | None = None) -> None:
        self._worlds = worlds
        self._secret = secrets.token_bytes(32)
        self._nice = nice
        self._at_once = at_once or max(1, (os.cpu_count() or 2) - 1)
        self._jobs: dict[str, Job] = {}
        """All unfinished reviews."""
        self._waiting: FairQueue[Job] = FairQueue(MOST_WAITING)
        """Reviews ready to start: their records have been read."""
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._size = 0
        self._watch: asyncio.Task[None] | None = None

    def key_of(self, *what: object) -> str:
        """Return the id of a review of these things. Nobody without access to the game can guess it."""
        return hmac.digest(self._secret, "\0".join(map(str, what)).encode(), "sha256").hex()[:32]

    async def ask(
        self,
        key: str,
        who: str,
        hand: int,
        record: Callable[[], Awaitable[str]],
        *,
        new: Callable[[], bool],
        address: str = "",
    ) -> None:
        """Start a review unless it is pending or done.

        new: counts a new review against the rate limit, and returns False above it. If the queue is full, a
        player's first request replaces another player's later one. Raise `QueueFull`.
        """
        asker = Asker(who, address or who)
        if self._known(key):
            return
        if self._of(who) >= MOST_OF_ONE or self._from(asker.address) >= MOST_FROM or not new():
            raise QueueFull
        request = ReviewRequest(text="", hand=hand, worlds=self._worlds, nice=self._nice)
        # Count the job before its record is read.
        job = self._jobs[key] = Job(key, asker, request)
        job.asked = self._now()
        try:
            request.text = await record()
            replaced = self._waiting.put(job, asker)
        except BaseException:
            self._jobs.pop(key, None)
            raise
        if replaced is not None:
            del self._jobs[replaced.key]
        self._begin()
        if self._watch is None or self._watch.done():
            self._watch = asyncio.create_task(self._stop_those_nobody_wants())

    def state_of(self, key: str) -> Job | ReviewedHand | None:
        """Return a pending job or a finished review; `None` if unknown. This counts as a poll."""
        if key in self._kept:
            self._kept.move_to_end(key)
            return msgspec.msgpack.decode(self._kept[key], type=ReviewedHand)
        job = self._jobs.get(key)
        if job is not None:
            job.asked = self._now()
            if job.status == "failed":
                del self._jobs[key]
        return job

    def before(self, job: Job) -> int:
        """Return the number of running reviews plus those ahead of this one in the queue."""
        order = [*(other for other in self._jobs.values() if other.status == "running"), *self._waiting]
        return order.index(job) if job in order else len(order)

    async def close(self) -> None:
        tasks = [job.work for job in self._jobs.values() if job.work is not None]
        if self._watch is not None:
            tasks.append(self._watch)
        for task in tasks:
            task.cancel()
        self._jobs.clear()
        self._waiting = FairQueue(MOST_WAITING)
        await asyncio.gather(*tasks, return_exceptions=True)

    def _known(self, key: str) -> bool:
        return key in self._kept or key in self._jobs

    def _of(self, who: str) -> int:
        return sum(job.asker.person == who for job in self._jobs.values())

    def _from(self, address: str) -> int:
        return sum(job.asker.address == address for job in self._jobs.values())

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()

    def _begin(self) -> None:
        """Start waiting reviews up to the limit of running ones."""
        running = sum(job.status == "running" for job in self._jobs.values())
        while self._waiting and running < self._at_once:
            job = self._waiting.take()
            job.status = "running"
            job.work = asyncio.create_task(self._run(job))
            running += 1

    async def _run(self, job: Job) -> None:
        try:
            review = await run_review(job.wanted, job.note_progress)
            self._keep(job.key, msgspec.msgpack.encode(review))
            self._jobs.pop(job.key, None)
        except ReviewError as problem:
            _logger.info("not_reviewed", problem=str(problem))
            job.status = "failed"
        finally:
            self._begin()

    def _keep(self, key: str, content: bytes) -> None:
        self._kept[key] = content
        self._size += len(content)
        while self._size > _MOST_KEPT:
            _, oldest = self._kept.popitem(last=False)
            self._size -= len(oldest)

    async def _stop_those_nobody_wants(self) -> None:
        while self._jobs:
            first = min(job.asked for job in self._jobs.values())
            await asyncio.sleep(max(0.0, first + ABANDONED_AFTER_S - self._now()) + 0.01)
            for job in list(self._jobs.values()):
                if job.asked + ABANDONED_AFTER_S <= self._now():
                    del self._jobs[job.key]
                    self._waiting.remove(job)
                    if job.work is not None:
                        job.work.cancel()
            self._begin()
