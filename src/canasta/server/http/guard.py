"""The door: where each request goes, who may knock, and the headers that every answer carries.

Against requests from other sites the origin is compared, with cookies that are never sent along from there.
The framework's own tokens would add a second cookie and a script to read it, and do not cover websockets,
by which all moves come.
"""

import asyncio
import time
from collections import Counter
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
import structlog
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from canasta.server.http.hosts import is_own_name
from canasta.server.http.pages import Pages
from canasta.server.http.proxies import PROXY_HINT, hides_addresses
from canasta.server.http.rest.calls import Mistake, mistake
from canasta.server.http.sockets import READ_WITHIN, serve_table
from canasta.server.services import Services, address_of, header_of
from canasta.server.settings import Settings
from canasta.words import language_of_header, say

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
"""Seconds for the whole of a request."""
_SAFE: Final = ("GET", "HEAD", "OPTIONS")


class Guard:
    """The outermost application: REST to Litestar, tables and pages to their own modules."""

    def __init__(self, rest: ASGIApp, settings: Settings) -> None:
        self._rest = rest
        self._settings = settings
        self._pages = Pages(settings.static)
        self._sockets: Counter[str] = Counter()
        self.services: Services | None = None
        """Set as soon as the database is open."""
        self._told_of_proxy = False
        self.failure: str = ""
        """Why the server could not start."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        kind = str(scope["type"])
        if kind == "http":
            await self._http(scope, receive, send)
        elif kind == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self._rest(scope, receive, send)

    # -- requests --------------------------------------------------------------------------------------------

    async def _http(self, scope: Any, receive: Receive, send: Send) -> None:
        begun = time.perf_counter()
        path: str = scope["path"]
        status = 0

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
            # Whoever does not read the answer does not hold the connection for ever.
            async with asyncio.timeout(READ_WITHIN):
                await send(message)

        self._watch_for_proxy(scope)
        problem = self._problem(scope)
        if problem is not None:
            await _refuse(scope, send_with_headers, *problem)
        elif path == "/api" or path.startswith("/api/"):
            await self._rest(scope, _in_time(receive), send_with_headers)
        else:
            await self._pages.serve(scope, send_with_headers)
        if path.startswith("/api"):
            took = round((time.perf_counter() - begun) * 1000, 1)
            _logger.info("request", method=scope["method"], path=path[:100], status=status, ms=took)

    def _problem(self, scope: Any) -> tuple[int, str] | None:
        """Why a request is not even looked at: the status, and a message of the part `problems`."""
        if not self._is_own_name(scope):
            return 421, "NOT_CALLED_THAT"
        if scope["method"] not in _SAFE and not self._is_own_page(scope):
            return 403, "OTHER_SITE"
        path: str = scope["path"]
        if path.startswith("/api/openapi.json/"):
            # Litestar would answer with a page.
            return 404, "ONLY_DESCRIPTION"
        if path.startswith("/api") and path != "/api/health" and self.services is not None:
            if not self.services.requests.take(address_of(scope)):
                return 429, "MANY_REQUESTS"
        return None

    def _watch_for_proxy(self, scope: Any) -> None:
        """Say it once, when everybody seems to sit at one address."""
        if not self._told_of_proxy and hides_addresses(scope, self._settings.origins):
            self._told_of_proxy = True
            _logger.warning("proxy_hides_addresses", address=address_of(scope), hint=PROXY_HINT)

    def _is_own_name(self, scope: Any) -> bool:
        return is_own_name(header_of(scope, b"host"), self._settings.host, self._settings.origins)

    def _is_own_page(self, scope: Any) -> bool:
        """A browser names the page that a request comes from; other programs need not."""
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
        elif not services.new_sockets.take(address) or (
            self._sockets[address] >= self._settings.limits.sockets_open
        ):
            await _hang_up(receive, send, 429)
        else:
            self._sockets[address] += 1
            try:
                await serve_table(scope, receive, send, services, path.removeprefix(_TABLE))
            finally:
                self._sockets[address] -= 1
                if not self._sockets[address]:
                    del self._sockets[address]


def _in_time(receive: Receive) -> Receive:
    """The body of a request, or 408: a client that sends it bit by bit must not hold its place for ever."""
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
    """A mistake, in the language of the request."""
    detail = say(f"problems.{reason}", lang=language_of_header(header_of(scope, b"accept-language")))
    body = msgspec.json.encode(Mistake(status_code=status, detail=detail, reason=reason))
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    headers.append((b"vary", b"Accept-Language"))
    if status == 429:
        headers.append((b"retry-after", b"2"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


async def _hang_up(receive: Receive, send: Send, status: int) -> None:
    """Refuse a websocket before it is one."""
    await receive()
    start: Any = {"type": "websocket.http.response.start", "status": status, "headers": list(_HEADERS)}
    body: Any = {"type": "websocket.http.response.body", "body": b"", "more_body": False}
    await send(start)
    await send(body)
