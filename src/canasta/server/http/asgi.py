"""The outermost ASGI application: routing, origin checks, and response headers.

Cross-site requests are prevented by comparing the origin, together with same-site cookies. The framework's
CSRF tokens would need a second cookie and a script to read it, and don't cover websockets, which carry all
moves.
"""

import asyncio
import time
from asyncio import QueueFull
from contextlib import ExitStack
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
import structlog
from litestar import Litestar
from litestar.types import Message, Receive, Scope, Send

from canasta.i18n.locale import language_of_header
from canasta.i18n.voice import say
from canasta.server.accounts.rate_limits import Occupancy
from canasta.server.addresses import PROXY_HINT, address_of, header_of, hides_addresses, is_own_name
from canasta.server.http.rest.common import ErrorBody, mistake
from canasta.server.http.slow_clients import UnreadAnswer, UnreadAnswers
from canasta.server.http.static_files import Pages
from canasta.server.http.websocket import serve_table
from canasta.server.logs import path_to_log
from canasta.server.services import UNTIL_SENT, Services
from canasta.server.settings import Settings

_logger = structlog.get_logger()

CONTENT_SECURITY_POLICY: Final = (
    "default-src 'self'; connect-src 'self'; img-src 'self' data:; object-src 'none'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
)
_HEADERS: Final = [
    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
_TABLE: Final = "/ws/tables/"
BODY_WITHIN: Final = 20.0
"""Seconds for a client to send the whole body of a request."""
_SAFE: Final = ("GET", "HEAD", "OPTIONS")


class Guard:
    """Routes REST calls to Litestar, and tables and pages to their modules."""

    def __init__(self, rest: Litestar, settings: Settings) -> None:
        self.rest = rest
        self._settings = settings
        self._pages = Pages(settings.static)
        self._sockets = Occupancy()
        self._unread = UnreadAnswers()
        self.services: Services | None = None
        """Set once the database is open."""
        self._told_of_proxy = False
        self.failure: str = ""
        """The reason why the server couldn't start; empty if it did."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        kind = str(scope["type"])
        if kind == "http":
            await self._http(scope, receive, send)
        elif kind == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self.rest(scope, receive, send)

    # -- requests --------------------------------------------------------------------------------------------

    async def _http(self, scope: Any, receive: Receive, send: Send) -> None:
        begun = time.perf_counter()
        path: str = scope["path"]
        status = 0
        is_file = not path.startswith("/api")
        answer = UnreadAnswer(send, self._unread, address_of(scope), is_shared=is_file)

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = [*message.get("headers", []), *_HEADERS]
                if scope["scheme"] == "https":
                    headers.append((b"strict-transport-security", b"max-age=31536000"))
                if path.startswith("/api"):
                    headers.append((b"cache-control", b"no-store"))
                message["headers"] = headers
            try:
                await answer.send(message)
            except QueueFull:
                await _refuse(scope, send_with_headers, 429, "MANY_UNREAD")

        self._watch_for_proxy(scope)
        problem = self._problem(scope)
        try:
            if problem is not None:
                await _refuse(scope, send_with_headers, *problem)
            elif path == "/api" or path.startswith("/api/"):
                with ExitStack() as scope[UNTIL_SENT]:
                    await self.rest(scope, _in_time(receive), send_with_headers)
            else:
                await self._pages.serve(scope, send_with_headers)
        finally:
            answer.end()
        if path.startswith("/api"):
            took = round((time.perf_counter() - begun) * 1000, 1)
            _logger.info("request", method=scope["method"], path=path_to_log(scope), status=status, ms=took)

    def _problem(self, scope: Any) -> tuple[int, str] | None:
        """Return why a request is rejected up front: the status, and a message of the catalogue part
        `problems`."""
        if not self._is_own_name(scope):
            return 421, "NOT_CALLED_THAT"
        if scope["method"] not in _SAFE and not self._is_own_page(scope):
            return 403, "OTHER_SITE"
        path: str = scope["path"]
        if path.startswith("/api/openapi.json/"):
            # Litestar would answer with an HTML page.
            return 404, "ONLY_DESCRIPTION"
        if path.startswith("/api") and path != "/api/health" and self.services is not None:
            if not self.services.requests.take(address_of(scope)):
                return 429, "MANY_REQUESTS"
        return None

    def _watch_for_proxy(self, scope: Any) -> None:
        """Warn once if a proxy seems to hide the clients' addresses."""
        if not self._told_of_proxy and hides_addresses(scope, self._settings.origins):
            self._told_of_proxy = True
            _logger.warning("proxy_hides_addresses", address=address_of(scope), hint=PROXY_HINT)

    def _is_own_name(self, scope: Any) -> bool:
        return is_own_name(header_of(scope, b"host"), self._settings.host, self._settings.origins)

    def _is_own_page(self, scope: Any) -> bool:
        """Return whether a request comes from our own page. Programs other than browsers send no origin."""
        origin = header_of(scope, b"origin")
        if not origin:
            return header_of(scope, b"sec-fetch-site") in ("", "same-origin", "none")
        try:
            host = urlsplit(origin).netloc.lower()
        except ValueError:
            return False
        return bool(host) and (host == header_of(scope, b"host").lower() or host in self._settings.origins)

    # -- tables ----------------------------------------------------------------------------------------------

    async def _websocket(self, scope: Any, receive: Receive, send: Send) -> None:
        path: str = scope["path"]
        address = address_of(scope)
        services = self.services
        if services is None or not path.startswith(_TABLE):
            await _hang_up(receive, send, 404)
        elif not self._is_own_name(scope):
            await _hang_up(receive, send, 421)
        elif not self._is_own_page(scope):
            await _hang_up(receive, send, 403)
        elif not services.new_sockets.take(address) or self._has_many_sockets(address):
            await _hang_up(receive, send, 429)
        else:
            with self._sockets.hold(address):
                await serve_table(scope, receive, send, services, path.removeprefix(_TABLE))

    def _has_many_sockets(self, address: str) -> bool:
        return self._sockets.is_full(address, self._settings.limits.sockets_open)


def _in_time(receive: Receive) -> Receive:
    """Return a `receive` that raises 408 if the body takes too long, so that a slow client can't hold its
    place forever."""
    ends = asyncio.get_running_loop().time() + BODY_WITHIN
    is_whole = False

    async def receive_in_time() -> Any:
        nonlocal is_whole
        if is_whole:
            return await receive()
        try:
            async with asyncio.timeout_at(ends):
                message: Any = await receive()
        except TimeoutError:
            raise mistake(408, "NOT_IN_TIME") from None
        is_whole = not message.get("more_body", False)
        return message

    return receive_in_time


async def _refuse(scope: Any, send: Send, status: int, reason: str) -> None:
    """Send an error in the language of the request."""
    detail = say(f"problems.{reason}", lang=language_of_header(header_of(scope, b"accept-language")))
    body = msgspec.json.encode(ErrorBody(status_code=status, detail=detail, reason=reason))
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    headers.append((b"vary", b"Accept-Language"))
    if status == 429:
        headers.append((b"retry-after", b"2"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


async def _hang_up(receive: Receive, send: Send, status: int) -> None:
    """Reject a websocket handshake."""
    await receive()
    start: Any = {"type": "websocket.http.response.start", "status": status, "headers": list(_HEADERS)}
    body: Any = {"type": "websocket.http.response.body", "body": b"", "more_body": False}
    await send(start)
    await send(body)
