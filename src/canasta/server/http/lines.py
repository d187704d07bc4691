"""Connections that are not used as they are meant: each is given so much time and memory, and then cut off.

Uvicorn bounds the size of a request and the pause between two of them. It does not bound how long a request
takes to arrive, nor what a client that never reads lets pile up; that is done here.
"""

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from canasta.server.people.limits import Bucket

HEAD_WITHIN: Final = 10.0
"""Seconds for the head of a request, from the connection or the answer before."""
MOST_UNREAD: Final = 256 * 1024
"""Bytes that wait for a client to read them, when it asks for more."""
PINGS: Final = (60.0, 5.0)
"""Of one connection: so many at once, and so many a second after that. Programs send one in 20 seconds."""
_MOST_PIECES: Final = 64
"""Of one message. Pieces may be empty, so that its size alone bounds nothing."""
_FAREWELL: Final = 10.0
"""Seconds that a connection which is closed may take to send what is left."""


class PatientHttp(H11Protocol):
    """Waits for a request, but not for ever."""

    _waits: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
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


class BoundedSockets(WebSocketsSansIOProtocol):
    """Lets nothing pile up for a client that does not read."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._pings = Bucket(PINGS)

    def handle_ping(self) -> None:
        # An answer to each is written at once, whether the client reads or not.
        if not self._pings.take() or self.transport.get_write_buffer_size() > MOST_UNREAD:
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
        # Whoever has not answered for so long does not read a farewell either.
        self.transport.abort()

    async def run_asgi(self) -> None:
        await super().run_asgi()
        self.loop.call_later(_FAREWELL, self.transport.abort)
