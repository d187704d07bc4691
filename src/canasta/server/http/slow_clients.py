"""Time and memory limits for slow or hostile clients.

Uvicorn limits the size of a request and the pause between requests. It doesn't limit how long a request takes
to arrive, or how much piles up for a client that never reads; this module does.
"""

import asyncio
from asyncio import QueueFull
from collections.abc import Iterator
from typing import Any, Final

from litestar.types import Message, Send
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from canasta.server.accounts.rate_limits import SITE_SHARE, Bucket, Occupancy
from canasta.server.addresses import site_of

# -- answers -------------------------------------------------------------------------------------------------

READ_WITHIN: Final = 30.0
"""Time limit in seconds for a client to read one piece of an answer."""
MOST_UNREAD_FROM: Final = 16 * 2**20
"""Maximum unread bytes of answers per address. The first answer is always sent, whatever its size."""
MOST_UNREAD_IN_ALL: Final = 64 * 2**20
"""Maximum unread bytes of answers over all addresses."""
_SMALL: Final = 4 * 1024
"""Size in bytes up to which answers aren't counted."""
_PIECE: Final = 64 * 1024
"""Bytes of an answer to send at a time; the next piece is sent once the client has read this one."""


class UnreadAnswers:
    """Counts the bytes of answers that are being sent, by address and IPv6 /48."""

    def __init__(self) -> None:
        self._bytes = Occupancy()

    def unread_from(self, address: str) -> int:
        return self._bytes[address]

    def add(self, address: str, size: int) -> None:
        """Count an answer; raise `QueueFull` if too much is unread."""
        own, site = self._bytes[address], site_of(address)
        is_over = own + size > MOST_UNREAD_FROM or self._bytes.total + size > MOST_UNREAD_IN_ALL
        if (own and is_over) or (site and self._bytes[site] + size > SITE_SHARE * MOST_UNREAD_FROM):
            raise QueueFull
        self._bytes.add(address, size)

    def remove(self, address: str, size: int) -> None:
        self._bytes.add(address, -size)


class UnreadAnswer:
    """Sends one answer in pieces, and counts it until the client has read it."""

    def __init__(self, send: Send, unread: UnreadAnswers, address: str, *, is_shared: bool) -> None:
        """is_shared: the body is in memory anyway, like a static file, so only one piece of it counts as
        unread."""
        self._send = send
        self._unread = unread
        self._address = address
        self._most = _PIECE if is_shared else MOST_UNREAD_FROM
        self._start: Message | None = None
        self._counted = 0
        self._is_done = False
        self.is_abandoned = False
        """Whether the client has stopped reading."""

    async def send(self, message: Message) -> None:
        """Send a message; ignore messages after the end of the answer, or if the client has stopped reading.

        If the address has too many unread answers, raise `QueueFull` before anything is sent, so that an
        error response can be sent instead.
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
        """Stop counting. Raise `ConnectionAbortedError` if the client has stopped reading."""
        if self._counted:
            self._unread.remove(self._address, self._counted)
            self._counted = 0
        if self.is_abandoned:
            raise ConnectionAbortedError


def _pieces(message: Message) -> Iterator[Message]:
    """Split a part of an answer into pieces, unless it is small.

    The empty piece at the end isn't sent until the client has read the others.
    """
    if message["type"] != "http.response.body" or len(message["body"]) <= _SMALL:
        yield message
        return
    body = memoryview(message["body"])
    for at in range(0, len(body), _PIECE):
        yield {"type": "http.response.body", "body": bytes(body[at : at + _PIECE]), "more_body": True}
    yield {"type": "http.response.body", "body": b"", "more_body": message.get("more_body", False)}


# -- connections ---------------------------------------------------------------------------------------------

HEAD_WITHIN: Final = 10.0
"""Time limit in seconds for the head of a request, counted from the connection or the previous answer."""
_WRITE_BUFFER: Final = 16 * 1024
"""Size in bytes of the write buffer. When it is full, an answer waits until only a quarter is left."""
MOST_UNREAD_FOR_PINGS: Final = 256 * 1024
"""Maximum unread bytes at which a client may still ping."""
PINGS: Final = (60.0, 5.0)
"""Pings per connection: burst size, and refill per second. Usual clients send one every 20 seconds."""
_MOST_PIECES: Final = 64
"""Maximum fragments per message. They may be empty, so a size limit isn't enough."""
MOST_QUEUED: Final = 100
"""Maximum number of unprocessed messages per connection; a client within its rate limit never has that
many."""
TOO_MANY_MESSAGES: Final = 4408
_SLICE: Final = 4 * 1024
"""Bytes to parse at a time. The largest message that is accepted takes four of these slices."""
_FAREWELL: Final = 10.0
"""Seconds for a closing connection to send its remaining data."""


class TimeoutHttpProtocol(H11Protocol):
    """Uvicorn's HTTP protocol with a time limit for requests."""

    _waits: asyncio.TimerHandle | None = None

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        app = self.app

        async def with_an_end(scope: Any, receive: Any, send: Any) -> None:
            try:
                await app(scope, receive, send)
            except ConnectionAbortedError:
                self.transport.abort()
            except BaseException:
                # Data already written would wait forever for a client that doesn't read.
                self.loop.call_later(_FAREWELL, self.transport.abort)
                raise

        self.app = with_an_end

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        # Small, since what is in the buffer when an answer ends isn't counted.
        transport.set_write_buffer_limits(high=_WRITE_BUFFER)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._stop_waiting()
        self._waits = self.loop.call_later(HEAD_WITHIN, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._waits is not None:
            self._waits.cancel()
            self._waits = None

    def handle_events(self) -> None:
        before = self.cycle
        super().handle_events()
        if self.cycle is not before and not self.cycle.response_complete:
            self._stop_waiting()

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._stop_waiting()
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        self._wait()
        super().on_response_complete()


class LimitedWebSocketProtocol(WebSocketsSansIOProtocol):
    """Uvicorn's websocket protocol with limits for clients that don't read, or send too much."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._pings = Bucket(PINGS)
        self._late = 0
        """Messages that came after the server's close frame."""

    def data_received(self, data: bytes) -> None:
        # A full receive buffer holds thousands of messages, and parsing them all would block the loop.
        for at in range(0, len(data), _SLICE):
            super().data_received(data[at : at + _SLICE])
            if self.transport.is_closing():
                return
            if self.queue.qsize() > MOST_QUEUED:
                self._end_flood()
                return

    def _end_flood(self) -> None:
        self.stop_keepalive()
        self.queue.put_nowait({"type": "websocket.disconnect", "code": TOO_MANY_MESSAGES})
        self.conn.send_close(TOO_MANY_MESSAGES, "Too many messages.")
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.transport.close()

    def send_receive_event_to_app(self) -> None:
        if self.close_sent:
            self._late += 1
            if self._late > MOST_QUEUED:
                self.transport.abort()
        super().send_receive_event_to_app()

    def handle_pong(self, event: Frame) -> None:
        # The server rarely sends pings, so frequent pongs are unsolicited and count against the limit.
        if not self._pings.take():
            self.transport.abort()
            return
        super().handle_pong(event)

    def handle_ping(self) -> None:
        # Every ping is answered at once, whether or not the client reads.
        if not self._pings.take() or self.transport.get_write_buffer_size() > MOST_UNREAD_FOR_PINGS:
            self.transport.abort()
        if self.transport.is_closing():
            self.conn.data_to_send()
            return
        super().handle_ping()

    def handle_cont(self, event: Frame) -> None:
        if len(self.frames) >= _MOST_PIECES:
            self.transport.abort()
            return
        super().handle_cont(event)

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        # A client that didn't answer the ping won't read a close frame either.
        self.transport.abort()

    async def run_asgi(self) -> None:
        await super().run_asgi()
        self.loop.call_later(_FAREWELL, self.transport.abort)
