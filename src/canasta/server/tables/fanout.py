"""Telling other server processes that a table's log has grown.

Only the number travels: each process reads the log itself and shows every viewer what that viewer may see.
"""

import asyncio
import contextlib
import secrets
from collections.abc import Callable
from typing import Protocol

import structlog

from canasta.extras import why_missing

Heard = Callable[[str | None, int], None]
"""Called with a table and its last seq. `None`: something was missed, any table may have grown."""

CHANNEL = "canasta:log"
_FIRST_WAIT, _LONGEST_WAIT = 0.05, 5.0

_logger = structlog.get_logger()


class Fanout(Protocol):
    async def open(self) -> None: ...

    async def close(self) -> None: ...

    def publish(self, table: str, seq: int) -> None:
        """Tell the others; returns at once and never fails."""

    def subscribe(self, heard: Heard) -> None:
        """What other processes publish, not what this one does."""


class NoFanout:
    """For one process, which needs to tell nobody."""

    async def open(self) -> None:
        """Nothing to do."""

    async def close(self) -> None:
        """Nothing to do."""

    def publish(self, table: str, seq: int) -> None:
        """Nobody else listens."""

    def subscribe(self, heard: Heard) -> None:
        """Nobody else speaks."""


class RedisFanout:
    """Publish and subscribe through Redis or Valkey. While it is away the tables play on; when it is back,
    listeners are told that they may have missed something.
    """

    def __init__(self, url: str) -> None:
        import redis.asyncio  # noqa: PLC0415 - an extra: only who names a Redis needs it
        from redis.exceptions import RedisError  # noqa: PLC0415 - as above

        self._redis = redis.asyncio.Redis.from_url(url, socket_connect_timeout=2, health_check_interval=10)
        self._failures = (RedisError, OSError)
        self._name = secrets.token_hex(8)
        self._listeners: list[Heard] = []
        self._unsent: dict[str, int] = {}
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._listening = asyncio.Event()

    async def open(self) -> None:
        self._tasks = [asyncio.create_task(self._send()), asyncio.create_task(self._listen())]
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._listening.wait(), 2)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._redis.aclose()

    def publish(self, table: str, seq: int) -> None:
        # Only the newest number of a table matters, so an outage cannot pile messages up.
        self._unsent[table] = max(seq, self._unsent.get(table, 0))
        self._wake.set()

    def subscribe(self, heard: Heard) -> None:
        self._listeners.append(heard)

    async def _send(self) -> None:
        wait = _FIRST_WAIT
        while True:
            await self._wake.wait()
            self._wake.clear()
            sending, self._unsent = self._unsent, {}
            try:
                async with self._redis.pipeline(transaction=False) as pipe:
                    for table, seq in sending.items():
                        _ = pipe.publish(CHANNEL, f"{self._name} {seq} {table}")
                    await pipe.execute()
                wait = _FIRST_WAIT
            except self._failures as error:
                _logger.warning("fanout_send_failed", error=str(error), tables=len(sending))
                for table, seq in sending.items():
                    self.publish(table, seq)
                await asyncio.sleep(wait)
                wait = min(2 * wait, _LONGEST_WAIT)

    async def _listen(self) -> None:
        wait = _FIRST_WAIT
        was_lost = False
        while True:
            try:
                async with self._redis.pubsub(ignore_subscribe_messages=True) as channel:
                    await channel.subscribe(CHANNEL)
                    self._listening.set()
                    wait = _FIRST_WAIT
                    if was_lost:
                        _logger.info("fanout_back")
                        self._tell(None, 0)
                    async for message in channel.listen():
                        self._read(message["data"])
            except self._failures as error:
                _logger.warning("fanout_lost", error=str(error))
            was_lost = True
            await asyncio.sleep(wait)
            wait = min(2 * wait, _LONGEST_WAIT)

    def _read(self, data: object) -> None:
        words = data.decode(errors="replace").split(" ", 2) if isinstance(data, bytes) else []
        if len(words) == 3 and words[0] != self._name and words[1].isdecimal():
            self._tell(words[2], int(words[1]))

    def _tell(self, table: str | None, seq: int) -> None:
        for heard in self._listeners:
            heard(table, seq)


def make_fanout(url: str | None) -> Fanout:
    """Through the Redis at `url` (`redis://host:port/0`), or none when there is one process only.
    Raises `ValueError` with a sentence for whoever starts the server."""
    if not url:
        return NoFanout()
    try:
        return RedisFanout(url)
    except ModuleNotFoundError as error:
        raise ValueError(why_missing("Redis", error.name)) from error
    except ValueError as error:
        # Without the address itself, which may hold a password.
        raise ValueError("That is not the address of a Redis. Write redis://HOST:PORT/0.") from error
