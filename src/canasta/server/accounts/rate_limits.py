"""Rate limits by address, player or connection: token buckets, concurrency counts, and password guesses.

The framework only limits requests per address and minute. It doesn't limit websocket messages, short bursts,
or one player's requests from several devices.
"""

import asyncio
import math
import random
import time
from asyncio import QueueFull
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from canasta.server.addresses import site_of
from canasta.server.settings import Limits

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

    def _refill(self) -> None:
        now = time.monotonic()
        self._left = min(self._at_once, self._left + (now - self._when) * self._per_second)
        self._when = now

    def take(self, count: int = 1) -> bool:
        """Take tokens; return False, and take none, if fewer are left."""
        self._refill()
        if self._left < count:
            return False
        self._left -= count
        return True

    def give_back(self) -> None:
        self._refill()
        self._left = min(self._at_once, self._left + 1)

    @property
    def is_full(self) -> bool:
        self._refill()
        return self._left >= self._at_once

    @property
    def wait(self) -> float:
        """Seconds until there is a token; infinite if there won't be one."""
        self._refill()
        missing = max(0.0, 1 - self._left)
        return missing / self._per_second if self._per_second > 0 else math.inf


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


class RateLimits:
    """The rate limits of the settings, by name, with the buckets of everyone who uses them."""

    def __init__(self, limits: Limits) -> None:
        self._buckets = {
            name: Buckets(limit) for name, limit in vars(limits).items() if isinstance(limit, tuple)
        }

    def take(self, name: str, key: str, count: int = 1) -> bool:
        """Count requests of an address or a player; return False above the limit."""
        return self._buckets[name].take(key, count)


class Occupancy:
    """Counts how many things each address, and each IPv6 /48, has open at the moment."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self.total = 0

    def __len__(self) -> int:
        """Return the number of addresses that have something open."""
        return len(self._counts)

    def __getitem__(self, network: str) -> int:
        return self._counts[network]

    def is_full(self, address: str, most: int) -> bool:
        """Return whether this address, or its /48, has reached its limit."""
        site = site_of(address)
        return self[address] >= most or bool(site and self[site] >= SITE_SHARE * most)

    def add(self, address: str, size: int) -> None:
        self.total += size
        for network in {address, site_of(address) or address}:
            self._counts[network] += size
            if not self._counts[network]:
                del self._counts[network]

    @contextmanager
    def hold(self, address: str) -> Iterator[None]:
        """Count one more open thing for the block."""
        self.add(address, 1)
        try:
            yield
        finally:
            self.add(address, -1)


# -- password guesses ----------------------------------------------------------------------------------------

LONGEST_WAIT: Final = 45.0
"""Seconds after which a waiting attempt is refused."""
MOST_WAITING: Final = 8
"""Maximum number of waiting attempts per account."""
_MOST_ACCOUNTS: Final = 20_000
_chance: Final = random.Random()


class _Attempt:
    """A waiting attempt."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.tie_break = _chance.random()
        """Random tie-break: neither coming first nor coming last lets a stranger block the owner."""
        self.turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()


class _Account:
    """The allowance for guesses at one account, and the attempts waiting for it."""

    def __init__(self, limit: tuple[float, float]) -> None:
        self._allowance = Bucket(limit)
        self.failures: Counter[str] = Counter()
        self.waiting: list[_Attempt] = []
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_idle(self) -> bool:
        return self._allowance.is_full and not self.waiting

    async def wait_turn(self, address: str) -> None:
        if self.is_idle:
            self.failures.clear()
        if not self.waiting and self._allowance.take():
            return
        attempt = _Attempt(address)
        self.waiting.append(attempt)
        self._drop_excess(address)
        self._wake_next()
        try:
            async with asyncio.timeout(LONGEST_WAIT):
                await attempt.turn
        except TimeoutError:
            raise QueueFull from None
        finally:
            if attempt in self.waiting:
                self.waiting.remove(attempt)

    def _drop_excess(self, address: str) -> None:
        """Keep at most one waiting attempt per address, and `MOST_WAITING` in total."""
        same = [attempt for attempt in self.waiting if attempt.address == address]
        if len(same) > 1:
            self._drop(same[-1])
        if len(self.waiting) > MOST_WAITING:
            self._drop(max(self.waiting, key=self._rank))

    def _drop(self, attempt: _Attempt) -> None:
        self.waiting.remove(attempt)
        if not attempt.turn.done():
            attempt.turn.set_exception(QueueFull())

    def _rank(self, attempt: _Attempt) -> tuple[int, float]:
        """Return the sort key in the queue: failed attempts from the address, then a random number."""
        network = site_of(attempt.address) or attempt.address
        return (max(self.failures[attempt.address], self.failures[network]), attempt.tie_break)

    def failed(self, address: str) -> None:
        for network in {address, site_of(address) or address}:
            self.failures[network] += 1

    def _wake_next(self) -> None:
        """Admit waiting attempts while tokens are left, and set a timer for the next one."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        while self.waiting and self._allowance.take():
            first = min(self.waiting, key=self._rank)
            self.waiting.remove(first)
            if first.turn.done():  # it was cancelled
                self._allowance.give_back()
            else:
                first.turn.set_result(None)
        if self.waiting and (seconds := self._allowance.wait) < math.inf:
            self._timer = asyncio.get_running_loop().call_later(seconds + 0.001, self._wake_next)

    def give_back(self) -> None:
        """Return the token of a successful attempt."""
        self._allowance.give_back()
        self._wake_next()


class SignInLimits:
    """Limits on password guesses at each account, from any number of addresses.

    Attempts from unknown devices share a small allowance per account. When it is used up, they wait their
    turn. Addresses with the fewest failures go first, so an owner on a new device never waits behind anyone
    who has guessed wrong. Browsers from which the owner has signed in before bypass these limits.

    Names without an account are treated the same, so nothing here reveals whether an account exists.
    """

    def __init__(self, limit: tuple[float, float]) -> None:
        self._limit = limit
        self._accounts: dict[str, _Account] = {}

    async def wait_turn(self, account: str, address: str) -> None:
        """Wait until an unknown device at this address may try a password; raise `QueueFull`."""
        account_limit = self._accounts.get(account)
        if account_limit is None:
            if len(self._accounts) >= _MOST_ACCOUNTS:
                self._accounts = {key: each for key, each in self._accounts.items() if not each.is_idle}
            account_limit = self._accounts[account] = _Account(self._limit)
        await account_limit.wait_turn(address)

    def failed(self, account: str, address: str) -> None:
        """Record a wrong password."""
        if account in self._accounts:
            self._accounts[account].failed(address)

    def succeeded(self, account: str) -> None:
        """Record a right password."""
        if account in self._accounts:
            self._accounts[account].give_back()
