"""Notification of other server processes when a table's log has grown.

Only the log's last number is published: each process reads the log itself and shows every viewer what that
viewer may see.
"""

import asyncio
import contextlib
import secrets
from collections.abc import Callable
from typing import Protocol

import structlog

from canasta.installation import why_missing

LogListener = Callable[[str | None, int], None]
"""Callback with a table and its last seq. `None`: messages were missed, so any log may have grown."""

CHANNEL = "canasta:log"
_FIRST_WAIT, _LONGEST_WAIT = 0.05, 5.0

_logger = structlog.get_logger()


class Fanout(Protocol):
    async def open(self) -> None: ...

    async def close(self) -> None: ...

    def publish(self, table: str, seq: int) -> None:
        """Notify the other processes. Returns at once and never fails."""

    def subscribe(self, listener: LogListener) -> None:
        """Register a callback for messages from other processes; a process doesn't receive its own."""


class NoFanout:
    """A fanout that does nothing, for a single process."""

    async def open(self) -> None:
        """Do nothing."""

    async def close(self) -> None:
        """Do nothing."""

    def publish(self, table: str, seq: int) -> None:
        """Do nothing."""

    def subscribe(self, listener: LogListener) -> None:
        """Do nothing."""


class RedisFanout:
    """A fanout through Redis or Valkey.

    Tables keep playing during an outage. When the connection is back, listeners learn that they may have
    missed messages.
    """

    def __init__(self, url: str) -> None:
        import redis.asyncio  # noqa: PLC0415 - an optional dependency
        from redis.exceptions import RedisError  # noqa: PLC0415 - as above

        self._redis = redis.asyncio.Redis.from_url(url, socket_connect_timeout=2, health_check_interval=10)
        self._failures = (RedisError, OSError)
        self._name = secrets.token_hex(8)
        self._listeners: list[LogListener] = []
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
        # Only a table's newest number matters, so messages can't pile up during an outage.
        self._unsent[table] = max(seq, self._unsent.get(table, 0))
        self._wake.set()

    def subscribe(self, listener: LogListener) -> None:
        self._listeners.append(listener)

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
        for listener in self._listeners:
            listener(table, seq)


def make_fanout(url: str | None) -> Fanout:
    """Return a fanout through the Redis at `url` (`redis://host:port/0`), or one that does nothing without a
    URL.

    Raise `ValueError` with a message for the operator if the URL is bad or the Redis extra is missing.
    """
    if not url:
        return NoFanout()
    try:
        return RedisFanout(url)
    except ModuleNotFoundError as error:
        raise ValueError(why_missing("Redis", error.name)) from error
    except ValueError as error:
        # Leave out the URL, which may contain a password.
        raise ValueError("That is not the address of a Redis. Write redis://HOST:PORT/0.") from error
