"""Limits on password guesses at one account, from any number of addresses.

Attempts from unknown devices share a small allowance per account. When it is used up, they wait their turn.
Addresses with the fewest failures go first, so an owner on a new device never waits behind anyone who has
guessed wrong. Browsers from which the owner has signed in before bypass this module.

Names without an account are treated the same, so nothing here reveals whether an account exists.
"""

import asyncio
import random
from collections import Counter
from typing import Final

from canasta.server.addresses import site_of

LONGEST_WAIT: Final = 45.0
"""Seconds after which a waiting attempt is refused."""
_MOST_ACCOUNTS: Final = 20_000
_chance: Final = random.Random()
MOST_WAITING: Final = 8
"""Maximum number of waiting attempts per account."""


class TooManyAttempts(Exception):
    """Raised if an attempt wasn't made because too many others are waiting for this account."""


class _Attempt:
    """A waiting attempt."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.tie_break = _chance.random()
        """Random tie-break: neither coming first nor coming last lets a stranger block the owner."""
        self.turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()


class _Account:
    """The allowance of one account, and the attempts waiting for it."""

    def __init__(self, at_once: float, per_second: float, now: float) -> None:
        self._at_once, self._per_second = at_once, per_second
        self._left, self._when = at_once, now
        self.failures: Counter[str] = Counter()
        self.waiting: list[_Attempt] = []
        self._timer: asyncio.TimerHandle | None = None

    def _refill(self) -> None:
        now = asyncio.get_running_loop().time()
        self._left = min(self._at_once, self._left + (now - self._when) * self._per_second)
        self._when = now

    @property
    def is_idle(self) -> bool:
        self._refill()
        return self._left >= self._at_once and not self.waiting

    async def wait_turn(self, address: str) -> None:
        if self.is_idle:
            self.failures.clear()
        if self._left >= 1 and not self.waiting:
            self._left -= 1
            return
        attempt = _Attempt(address)
        self.waiting.append(attempt)
        self._drop_excess(address)
        self._wake_next()
        try:
            async with asyncio.timeout(LONGEST_WAIT):
                await attempt.turn
        except TimeoutError:
            raise TooManyAttempts from None
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
            attempt.turn.set_exception(TooManyAttempts())

    def _rank(self, attempt: _Attempt) -> tuple[int, float]:
        """Return the sort key in the queue: failures, then chance."""
        network = site_of(attempt.address) or attempt.address
        return (max(self.failures[attempt.address], self.failures[network]), attempt.tie_break)

    def failed(self, address: str) -> None:
        for network in {address, site_of(address) or address}:
            self.failures[network] += 1

    def _wake_next(self) -> None:
        """Admit waiting attempts while the allowance lasts, and set a timer for the next one."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._refill()
        while self.waiting and self._left >= 1:
            self._left -= 1
            first = min(self.waiting, key=self._rank)
            self.waiting.remove(first)
            if first.turn.done():  # it was cancelled
                self._left += 1
            else:
                first.turn.set_result(None)
        if self.waiting and self._per_second > 0:
            seconds = (1 - self._left) / self._per_second
            self._timer = asyncio.get_running_loop().call_later(seconds + 0.001, self._wake_next)

    def give_back(self) -> None:
        """Refund a successful attempt."""
        self._refill()
        self._left = min(self._at_once, self._left + 1)
        self._wake_next()


class SignInLimits:
    """Sign-in allowances by account."""

    def __init__(self, limit: tuple[float, float]) -> None:
        self._limit = limit
        self._accounts: dict[str, _Account] = {}

    async def wait_turn(self, account: str, address: str) -> None:
        """Wait until an unknown device at this address may try a password; raise `TooManyAttempts`."""
        found = self._accounts.get(account)
        if found is None:
            if len(self._accounts) >= _MOST_ACCOUNTS:
                self._accounts = {key: each for key, each in self._accounts.items() if not each.is_idle}
            now = asyncio.get_running_loop().time()
            found = self._accounts[account] = _Account(*self._limit, now)
        await found.wait_turn(address)

    def failed(self, account: str, address: str) -> None:
        """Record a wrong password."""
        if account in self._accounts:
            self._accounts[account].failed(address)

    def succeeded(self, account: str) -> None:
        """Record a right password."""
        if account in self._accounts:
            self._accounts[account].give_back()
