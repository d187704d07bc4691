"""Rate limits: a token bucket for each address, player or connection.

The framework limits requests by address and by minute; messages on a websocket, hints of one player from two
devices, and short bursts it does not know.
"""

import asyncio
import time
from typing import Final

_MOST_KEYS: Final = 50_000


class Bucket:
    """So many at once, and so many a second after that."""

    __slots__ = ("_at_once", "_left", "_per_second", "_when")

    def __init__(self, limit: tuple[float, float]) -> None:
        self._at_once, self._per_second = limit
        self._left = self._at_once
        self._when = time.monotonic()

    def take(self) -> bool:
        """One more; False when it is too many."""
        now = time.monotonic()
        self._left = min(self._at_once, self._left + (now - self._when) * self._per_second)
        self._when = now
        if self._left < 1:
            return False
        self._left -= 1
        return True

    @property
    def is_full(self) -> bool:
        return self._left + (time.monotonic() - self._when) * self._per_second >= self._at_once


class Buckets:
    """A bucket by key."""

    def __init__(self, limit: tuple[float, float]) -> None:
        self._limit = limit
        self._by_key: dict[str, Bucket] = {}

    def take(self, key: str) -> bool:
        bucket = self._by_key.get(key)
        if bucket is None:
            if len(self._by_key) >= _MOST_KEYS:
                # A full bucket is as good as none.
                self._by_key = {key: bucket for key, bucket in self._by_key.items() if not bucket.is_full}
            bucket = self._by_key[key] = Bucket(self._limit)
        return bucket.take()


class OneByOne:
    """Work that is done one after the other, while so many wait."""

    MOST: Final = 20

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._there = 0

    @property
    def is_full(self) -> bool:
        return self._there >= self.MOST

    async def __aenter__(self) -> None:
        self._there += 1
        try:
            await self._lock.acquire()
        except BaseException:
            self._there -= 1
            raise

    async def __aexit__(self, *_: object) -> None:
        self._there -= 1
        self._lock.release()
