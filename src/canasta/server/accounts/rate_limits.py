"""Rate limits: token buckets by address, player or connection.

The framework only limits requests per address and minute, not websocket messages, a player's requests over
several devices, or short bursts.
"""

import time
from typing import Final

from canasta.server.addresses import site_of

_MOST_KEYS: Final = 50_000
SITE_SHARE: Final = 8
"""Limit of an IPv6 /48, as a multiple of the limit of one /64 in it."""


class Bucket:
    """A token bucket with a burst size and a refill per second."""

    __slots__ = ("_at_once", "_left", "_per_second", "_when")

    def __init__(self, limit: tuple[float, float]) -> None:
        self._at_once, self._per_second = limit
        self._left = self._at_once
        self._when = time.monotonic()

    def take(self, count: int = 1) -> bool:
        """Take tokens; return False, and take none, if fewer are left."""
        now = time.monotonic()
        self._left = min(self._at_once, self._left + (now - self._when) * self._per_second)
        self._when = now
        if self._left < count:
            return False
        self._left -= count
        return True

    @property
    def is_full(self) -> bool:
        return self._left + (time.monotonic() - self._when) * self._per_second >= self._at_once


class Buckets:
    """Token buckets by key. An IPv6 network also takes tokens from a larger bucket of its /48."""

    def __init__(self, limit: tuple[float, float]) -> None:
        at_once, per_second = limit
        self._limit = limit
        self._site_limit = (at_once * SITE_SHARE, per_second * SITE_SHARE)
        self._by_key: dict[str, Bucket] = {}

    def take(self, key: str, count: int = 1) -> bool:
        """Take tokens; return False if fewer are left."""
        site = site_of(key)
        return self._bucket(key, self._limit).take(count) and (
            not site or self._bucket(site, self._site_limit).take(count)
        )

    def _bucket(self, key: str, limit: tuple[float, float]) -> Bucket:
        bucket = self._by_key.get(key)
        if bucket is None:
            if len(self._by_key) >= _MOST_KEYS:
                # A full bucket is the same as a new one.
                self._by_key = {key: bucket for key, bucket in self._by_key.items() if not bucket.is_full}
            bucket = self._by_key[key] = Bucket(limit)
        return bucket
