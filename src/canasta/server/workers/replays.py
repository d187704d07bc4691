"""Replays for clients: computed in a worker process, in fair turns, with a limit on unread answers per
address."""

import asyncio
import gzip
import time
from asyncio import QueueFull
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Literal

import msgspec
import structlog
from msgspec import Struct

from canasta.errors import InputError
from canasta.server.addresses import site_of
from canasta.server.fair_queue import Asker, FairTurns
from canasta.table.replay_frames import Instead, replayed_hand
from canasta.worker_process import Worker, answer_requests, exit_after, lower_priority

_GRACE: Final = 4.0
"""CPU seconds allowed for the work after the replay, before the process is killed."""


class ReplayRequest(Struct, kw_only=True):
    """A request to replay a hand of a record."""

    text: str
    hand: int
    language: str
    instead: Instead | None
    seconds: float
    """Time limit for the replay in seconds."""
    most: int
    """Maximum size in bytes of the answer before compression."""


class ReplayReply(Struct, kw_only=True):
    """A `ReplayedHand` as compressed JSON, or the reason for failure."""

    content: bytes = b""
    problem: Literal["", "NOT_A_RECORD", "NO_SUCH_HAND", "NOT_POSSIBLE", "TAKES_LONG", "TOO_LARGE"] = ""
    text: str = ""
    """Description of the error in the record."""
    hands: int = 0
    """Number of hands in a record without the requested one."""


def replay(request: ReplayRequest) -> ReplayReply:
    exit_after(request.seconds + _GRACE)
    ends = time.monotonic() + request.seconds
    try:
        hand = replayed_hand(
            request.text, request.hand, request.language, lambda: time.monotonic() > ends, request.instead
        )
    except InputError:
        return ReplayReply(problem="NOT_POSSIBLE")
    except TimeoutError:
        return ReplayReply(problem="TAKES_LONG")
    if isinstance(hand, str):
        return ReplayReply(problem="NOT_A_RECORD", text=hand)
    if request.hand > len(hand.lengths):
        return ReplayReply(problem="NO_SUCH_HAND", hands=len(hand.lengths))
    content = msgspec.json.encode(hand)
    if len(content) > request.most:
        return ReplayReply(problem="TOO_LARGE")
    return ReplayReply(content=gzip.compress(content, 5, mtime=0))


# -- the server's side ---------------------------------------------------------------------------------------

_logger = structlog.get_logger()

MOST_WAITING: Final = 20
"""Maximum number of waiting replays, over all users."""
MOST_FROM: Final = 4
"""Maximum number of replays per address that are waiting, running or not fully read."""
MOST_UNREAD: Final = 40
"""Maximum number over all users. Above it, an address or an IPv6 /48 can have only one."""
_HUNG: Final = 60.0
"""Seconds without an answer after which the process is considered stuck."""


class Replays:
    def __init__(self) -> None:
        self._worker = Worker("canasta.server.workers.replays")
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

    async def make(self, request: ReplayRequest, asker: Asker) -> ReplayReply:
        """Replay a hand when it is the player's turn; raise `QueueFull`."""
        async with self.turns.turn(asker):
            is_answered = False
            try:
                async with asyncio.timeout(_HUNG):
                    reply = await self._worker.exchange(request, ReplayReply)
                is_answered = True
            except (OSError, EOFError, TimeoutError, msgspec.MsgspecError) as error:
                _logger.warning("replayer_ended", problem=type(error).__name__)
                return ReplayReply(problem="TAKES_LONG")
            finally:
                if not is_answered:
                    await self._worker.end()
            return reply

    async def close(self) -> None:
        await self._worker.end()


def main() -> None:
    lower_priority(5)
    answer_requests(ReplayRequest, lambda request, send: send(replay(request)))


if __name__ == "__main__":
    main()
