"""A fair queue: networks take turns, and so do the players within a network.

Nobody's second request is served before another player's first. Everything that one user could flood uses
such a queue: bot moves, reviews and replays. The lobby orders its tables the same way.
"""

import asyncio
from asyncio import QueueFull
from collections import deque
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from heapq import heapify, heappop, heappush
from typing import Final, Generic, NamedTuple, TypeVar

from canasta.server.addresses import site_of

T = TypeVar("T")

_MOST_EMPTY: Final = 10_000
_NEWCOMERS: Final = 100
"""Maximum number of new players whose first request is served before a waiting second request. Without a
limit, new players could delay it forever."""


class Asker(NamedTuple):
    """The player that a request is for, and the network address it came from; either may be empty."""

    person: str
    address: str = ""

    @property
    def path(self) -> tuple[str, str, str]:
        """Path to this player in the queue's tree: network (IPv6 /48), then address (/64), then player.
        Siblings at each level take turns."""
        return (site_of(self.address) or self.address, self.address, self.person)


SERVER: Final = Asker("", "server")
"""The server itself, for work that no player requested."""


class _Branch(Generic[T]):
    """A node of the queue's tree: a player's requests in order, or child nodes that take turns."""

    def __init__(self) -> None:
        self.turn = 0
        """The round in which it is next served among its siblings; each served request moves it to the next
        round."""
        self.number = 0
        """Its position among the branches of the same round."""
        self.requests: deque[T] = deque()
        self.branches: dict[str, _Branch[T]] = {}
        self._round = 0
        self._empty: dict[str, _Branch[T]] = {}
        """Branches without requests that have already had their turn in this round."""
        self._count = 0
        self._newcomers = 0
        """Number of branches added in this round."""

    @property
    def is_empty(self) -> bool:
        return not self.requests and not self.branches

    def put(self, path: Sequence[str], request: T) -> None:
        if not path:
            self.requests.append(request)
            return
        branch = self.branches.get(path[0])
        if branch is None:
            branch = self._empty.pop(path[0]) if path[0] in self._empty else _Branch()
            self.branches[path[0]] = branch
            branch.turn = max(branch.turn, self._round + self._newcomers // _NEWCOMERS)
            branch.number = self._count
            self._count += 1
            self._newcomers += 1
        branch.put(path[1:], request)

    def take(self) -> T:
        if not self.branches:
            return self.requests.popleft()
        name, branch = min(self.branches.items(), key=lambda item: (item[1].turn, item[1].number))
        if branch.turn > self._round:
            self._round, self._newcomers = branch.turn, 0
            self._empty = {other: kept for other, kept in self._empty.items() if kept.turn > self._round}
        elif len(self._empty) > _MOST_EMPTY:
            self._empty.clear()
        request = branch.take()
        branch.turn += 1
        self._drop_empty(name)
        return request

    def remove(self, path: Sequence[str], request: T) -> None:
        if not path:
            self.requests.remove(request)
            return
        self.branches[path[0]].remove(path[1:], request)
        self._drop_empty(path[0])

    def _drop_empty(self, name: str) -> None:
        branch = self.branches[name]
        if branch.is_empty:
            del self.branches[name]
            if branch.turn > self._round:
                self._empty[name] = branch

    def in_order(self) -> Iterator[T]:
        yield from self.requests
        turns = [(branch.turn, branch.number, branch.in_order()) for branch in self.branches.values()]
        heapify(turns)
        while turns:
            turn, number, requests = heappop(turns)
            for request in requests:
                yield request
                heappush(turns, (turn + 1, number, requests))
                break


class FairQueue(Generic[T]):
    """A queue of distinct requests, at most `most` of them."""

    def __init__(self, most: int | None = None) -> None:
        self._most = most
        self._root: _Branch[T] = _Branch()
        self._askers: dict[T, Asker] = {}

    def __len__(self) -> int:
        return len(self._askers)

    def __contains__(self, request: object) -> bool:
        return request in self._askers

    def __iter__(self) -> Iterator[T]:
        """Iterate in the order in which the requests will be taken if no more are added."""
        return self._root.in_order()

    def put(self, request: T, asker: Asker) -> T | None:
        """Add a request.

        If the queue is full, remove and return the request that would be served last, or raise `QueueFull` if
        that is the new one.
        """
        self._root.put(asker.path, request)
        self._askers[request] = asker
        if self._most is None or len(self._askers) <= self._most:
            return None
        last = deque(self, maxlen=1).pop()
        self.remove(last)
        if last is request:
            raise QueueFull
        return last

    def take(self) -> T:
        """Remove and return the next request. The queue must not be empty."""
        request = self._root.take()
        del self._askers[request]
        return request

    def remove(self, request: T) -> None:
        """Remove a request if it is still waiting."""
        asker = self._askers.pop(request, None)
        if asker is not None:
            self._root.remove(asker.path, request)


class FairTurns:
    """A limit on concurrent requests; the others wait in a fair queue."""

    def __init__(self, at_once: int, most_waiting: int) -> None:
        self._free = at_once
        self._waiting: FairQueue[asyncio.Future[None]] = FairQueue(most_waiting)

    @asynccontextmanager
    async def turn(self, asker: Asker) -> AsyncIterator[None]:
        """Wait for a turn and hold it for the block.

        Raise `QueueFull`, possibly while already waiting: in a full queue, a new player's first request
        replaces another player's later one.
        """
        await self._wait(asker)
        try:
            yield
        finally:
            self._hand_over()

    async def _wait(self, asker: Asker) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        replaced = self._waiting.put(turn, asker)
        if replaced is not None and not replaced.done():
            replaced.set_exception(QueueFull())
        if self._free:
            self._free -= 1
            self._hand_over()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                self._hand_over()  # cancelled just when its turn came
            raise
        finally:
            self._waiting.remove(turn)

    def _hand_over(self) -> None:
        while self._waiting:
            turn = self._waiting.take()
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1
