"""Limits on answers that clients don't read: bytes by address, and the time for each piece."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from typing import Final

from litestar.types import Message, Send

from canasta.server.accounts.rate_limits import SITE_SHARE
from canasta.server.addresses import site_of
from canasta.server.fair_queue import QueueFull

READ_WITHIN: Final = 30.0
"""Seconds for a client to read a piece of an answer."""
MOST_FROM: Final = 16 * 2**20
"""Maximum unread bytes of answers by address. A first answer is always sent."""
MOST_UNREAD: Final = 64 * 2**20
"""The same over all users."""
_SMALL: Final = 4 * 1024
"""Bytes up to which answers aren't counted."""
_PIECE: Final = 64 * 1024
"""Bytes of an answer to send at a time: the next piece waits until the client reads."""


class NotRead(Exception):
    """Raised when a client has stopped reading its answer, so that the connection must be aborted."""


class UnreadAnswers:
    """Counts the bytes of answers that are being sent, by address and IPv6 /48."""

    def __init__(self) -> None:
        self._bytes: Counter[str] = Counter()
        self._total = 0

    def unread_from(self, address: str) -> int:
        return self._bytes[address]

    def add(self, address: str, size: int) -> None:
        """Count an answer; raise `QueueFull` if too much is unread."""
        own, site = self._bytes[address], site_of(address)
        is_over = own + size > MOST_FROM or self._total + size > MOST_UNREAD
        if (own and is_over) or (site and self._bytes[site] + size > SITE_SHARE * MOST_FROM):
            raise QueueFull
        self._count(address, size)

    def remove(self, address: str, size: int) -> None:
        self._count(address, -size)

    def _count(self, address: str, size: int) -> None:
        self._total += size
        for key in {address, site_of(address) or address}:
            self._bytes[key] += size
            if not self._bytes[key]:
                del self._bytes[key]


class UnreadAnswer:
    """Sends one answer in pieces, and counts it until the client has read it."""

    def __init__(self, send: Send, unread: UnreadAnswers, address: str, *, is_shared: bool) -> None:
        """is_shared: the body is in memory anyway, as static files are, so that only a piece of it counts."""
        self._send = send
        self._unread = unread
        self._address = address
        self._most = _PIECE if is_shared else MOST_FROM
        self._start: Message | None = None
        self._counted = 0
        self._is_done = False
        self.is_abandoned = False
        """Whether the client has stopped reading."""

    async def send(self, message: Message) -> None:
        """Send a message; ignore messages after the end, or if the client has stopped reading.

        Raise `QueueFull` before anything has been sent if the address has too many unread answers; another
        answer can be sent in its place.
        """
        if self._is_done or self.is_abandoned:
            return
        if message["type"] == "http.response.start":
            self._start = message  # the size of the body is not known yet
            return
        if self._start is not None and message["type"] == "http.response.body":
            start, self._start = self._start, None
            self._count(len(message["body"]))
            await self._post(start)
        for piece in _pieces(message):
            await self._post(piece)
        self._is_done = message["type"] == "http.response.body" and not message.get("more_body", False)

    def _count(self, size: int) -> None:
        if size > _SMALL:
            size = min(size, self._most)
            self._unread.add(self._address, size)
            self._counted = size

    async def _post(self, message: Message) -> None:
        if self.is_abandoned:
            return
        try:
            # A client that doesn't read must not hold the connection forever.
            async with asyncio.timeout(READ_WITHIN):
                await self._send(message)
        except TimeoutError:
            self.is_abandoned = True

    def end(self) -> None:
        """Stop counting. Raise `NotRead` if the client has stopped reading."""
        if self._counted:
            self._unread.remove(self._address, self._counted)
            self._counted = 0
        if self.is_abandoned:
            raise NotRead


def _pieces(message: Message) -> Iterator[Message]:
    """Split a part of an answer into pieces, unless it is small.

    An empty piece at the end waits until the others have been read.
    """
    if message["type"] != "http.response.body" or len(message["body"]) <= _SMALL:
        yield message
        return
    body = memoryview(message["body"])
    for at in range(0, len(body), _PIECE):
        yield {"type": "http.response.body", "body": bytes(body[at : at + _PIECE]), "more_body": True}
    yield {"type": "http.response.body", "body": b"", "more_body": message.get("more_body", False)}
