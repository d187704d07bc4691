"""Reviews of hands, in processes of their own that give way to everything else on the machine.

Whoever asks for a review waits for it by asking again: then it goes on, and one that nobody asks for any more
is stopped. What is done is kept for a while. A server that is started anew knows nothing of it and begins
again.
"""

import asyncio
import hmac
import os
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Final, Literal

import msgspec
import structlog

from canasta.review.background import NotReviewed, reviewed
from canasta.review.process import Reviewed, Wanted
from canasta.server.thinking.pool import Busy

_logger = structlog.get_logger()

MOST_WAITING: Final = 40
"""Reviews that are not done, of all people."""
MOST_OF_ONE: Final = 3
"""… and of one."""
PATIENCE: Final = 90.0
"""Seconds until a review that nobody asks for is stopped: a page in the background asks once a minute."""
_MOST_KEPT: Final = 16 * 2**20
"""Bytes of reviews that are done."""

Status = Literal["waiting", "running", "failed"]


class Job:
    """A hand that somebody wants reviewed."""

    def __init__(self, key: str, who: str, wanted: Wanted) -> None:
        self.key = key
        self.who = who
        self.wanted = wanted
        self.status: Status = "waiting"
        self.done = 0
        self.of = 0
        self.asked = 0.0
        """When somebody asked last."""
        self.work: asyncio.Task[None] | None = None

    def went(self, done: int, of: int) -> None:
        self.done, self.of = done, of


class Reviews:
    """Those that wait, those that run, and those that are done."""

    def __init__(self, worlds: int, nice: int, *, at_once: int | None = None) -> None:
        self._worlds = worlds
        self._secret = secrets.token_bytes(32)
        self._nice = nice
        self._at_once = at_once or max(1, (os.cpu_count() or 2) - 1)
        self._jobs: dict[str, Job] = {}
        """In the order in which they came."""
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._size = 0
        self._watch: asyncio.Task[None] | None = None

    def key_of(self, *what: object) -> str:
        """It is told to those who may see the game, and nobody else can guess it."""
        return hmac.digest(self._secret, "\0".join(map(str, what)).encode(), "sha256").hex()[:32]

    async def ask(
        self, key: str, who: str, hand: int, record: Callable[[], Awaitable[str]], *, new: Callable[[], bool]
    ) -> None:
        """Begin a review, unless it is begun or done; `new` tells whether one more may begin. Raises
        `Busy`."""
        if self._known(key):
            return
        if len(self._jobs) >= MOST_WAITING or self._of(who) >= MOST_OF_ONE or not new():
            raise Busy
        wanted = Wanted(text="", hand=hand, worlds=self._worlds, nice=self._nice)
        # There before the record is, so that nobody gets in between; it is not begun before.
        job = self._jobs[key] = Job(key, who, wanted)
        job.asked = self._now()
        try:
            wanted.text = await record()
        except BaseException:
            self._jobs.pop(key, None)
            raise
        self._begin()
        if self._watch is None or self._watch.done():
            self._watch = asyncio.create_task(self._stop_those_nobody_wants())

    def look(self, key: str) -> Job | Reviewed | None:
        """How far a review is, or the review; None where there is none."""
        if key in self._kept:
            self._kept.move_to_end(key)
            return msgspec.msgpack.decode(self._kept[key], type=Reviewed)
        job = self._jobs.get(key)
        if job is not None:
            job.asked = self._now()
            if job.status == "failed":
                del self._jobs[key]
        return job

    def before(self, job: Job) -> int:
        """How many wait or run before it."""
        return list(self._jobs).index(job.key) if job.key in self._jobs else 0

    async def close(self) -> None:
        tasks = [job.work for job in self._jobs.values() if job.work is not None]
        if self._watch is not None:
            tasks.append(self._watch)
        for task in tasks:
            task.cancel()
        self._jobs.clear()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _known(self, key: str) -> bool:
        return key in self._kept or key in self._jobs

    def _of(self, who: str) -> int:
        return sum(job.who == who for job in self._jobs.values())

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()

    def _begin(self) -> None:
        """As many as may run at a time."""
        running = sum(job.status == "running" for job in self._jobs.values())
        for job in self._jobs.values():
            if running >= self._at_once:
                return
            if job.status == "waiting" and job.wanted.text:
                job.status = "running"
                job.work = asyncio.create_task(self._run(job))
                running += 1

    async def _run(self, job: Job) -> None:
        try:
            found = await reviewed(job.wanted, job.went)
            self._keep(job.key, msgspec.msgpack.encode(found))
            self._jobs.pop(job.key, None)
        except NotReviewed as problem:
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
            await asyncio.sleep(max(0.0, first + PATIENCE - self._now()) + 0.01)
            for job in list(self._jobs.values()):
                if job.asked + PATIENCE <= self._now():
                    del self._jobs[job.key]
                    if job.work is not None:
                        job.work.cancel()
            self._begin()
