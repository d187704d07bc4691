"""Limits on connections to one table: every event is sent to each of them."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from canasta.server.accounts.rate_limits import SITE_SHARE
from canasta.server.addresses import site_of
from canasta.server.fair_queue import QueueFull
from canasta.server.settings import Limits

_SPECTATORS: Final = "spectators"


class ViewerLimits:
    """Counts the connections to one table: those of seated players by player, all others by address."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._open: Counter[tuple[str, str]] = Counter()

    def __len__(self) -> int:
        """Return the number of keys in use, for tests."""
        return len(self._open)

    @contextmanager
    def hold(self, player: str, address: str) -> Iterator[None]:
        """Count a connection until it ends; raise `QueueFull` above a limit.

        `player` is empty for a spectator.
        """
        most = self._limits.viewers_from
        limits: dict[tuple[str, str], int] = {}
        if player:
            limits["player", player] = most
        else:
            limits[_SPECTATORS, ""] = self._limits.spectators
            limits["address", address] = most
            if site := site_of(address):
                limits["address", site] = SITE_SHARE * most
        if any(self._open[key] >= limit for key, limit in limits.items()):
            self._forget(limits)
            raise QueueFull
        self._open.update(limits.keys())
        try:
            yield
        finally:
            self._open.subtract(limits.keys())
            self._forget(limits)

    def _forget(self, keys: dict[tuple[str, str], int]) -> None:
        for key in keys:
            if not self._open[key]:
                del self._open[key]
