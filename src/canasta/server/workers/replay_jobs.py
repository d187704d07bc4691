"""Replays for pages: made in a worker process, in fair turns, with a limit on unread answers per address."""

import asyncio
from asyncio import QueueFull
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import msgspec
import structlog

from canasta.server.addresses import site_of
from canasta.server.fair_queue import Asker, FairTurns
from canasta.server.workers.replay_worker import ReplayReply, WantedReplay
from canasta.server.workers.worker import Worker

_logger = structlog.get_logger()

MOST_WAITING: Final = 20
"""Maximum number of waiting replays, over all users."""
MOST_FROM: Final = 4
"""Maximum number of replays per address that are waiting, running or not fully read."""
MOST_UNREAD: Final = 40
"""The same over all users. Above it an address, or an IPv6 /48, gets only its first."""
_HUNG: Final = 60.0
"""Seconds without an answer after which the process is considered stuck."""


class Replays:
    def __init__(self) -> None:
        self._worker = Worker("canasta.server.workers.replay_worker")
        self.turns = FairTurns(1, MOST_WAITING)
        self._unread: Counter[str] = Counter()
        self._unread_in_sites: Counter[str] = Counter()

    def unread_from(self, address: str) -> int:
        return self._unread[address]

    @contextmanager
    def hold(self, address: str) -> Iterator[None]:
        """Count a replay until its answer has been read. Raise `QueueFull` if there are too many."""
        site = site_of(address) or address
        own, own_in_site = self._unread[address], self._unread_in_sites[site]
        if own >= MOST_FROM or (own_in_site and self._unread.total() >= MOST_UNREAD):
            raise QueueFull
        self._unread[address] += 1
        self._unread_in_sites[site] += 1
        try:
            yield
        finally:
            self._unread[address] -= 1
            self._unread_in_sites[site] -= 1
            # Drop entries at zero.
            self._unread, self._unread_in_sites = +self._unread, +self._unread_in_sites

    async def make(self, wanted: WantedReplay, asker: Asker) -> ReplayReply:
        """Replay a hand in turn; raise `QueueFull`."""
        async with self.turns.turn(asker):
            is_answered = False
            try:
                async with asyncio.timeout(_HUNG):
                    found = await self._worker.exchange(wanted, ReplayReply)
                is_answered = True
            except (OSError, EOFError, TimeoutError, msgspec.MsgspecError) as error:
                _logger.warning("replayer_ended", problem=type(error).__name__)
                return ReplayReply(problem="TAKES_LONG")
            finally:
                if not is_answered:
                    await self._worker.end()
            return found

    async def close(self) -> None:
        await self._worker.end()
