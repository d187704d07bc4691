"""The ASGI application: routing, origin checks, response headers, error handlers and lifespan.

The origin check and same-site cookies prevent cross-site requests. The framework's CSRF tokens would need a
second cookie and a script to read it, and don't cover websockets, which carry all moves.
"""

import asyncio
import time
from asyncio import QueueFull
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
import structlog
from litestar import Litestar, MediaType, Response
from litestar.di import Provide
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.types import Message, Receive, Scope, Send

from canasta.i18n import Facts
from canasta.i18n.locale import language_of_header
from canasta.i18n.voice import say
from canasta.installation import data_folder
from canasta.server.accounts.rate_limits import Occupancy
from canasta.server.addresses import PROXY_HINT, address_of, header_of, hides_addresses, is_own_name
from canasta.server.http.rest.accounts import PEOPLE, PUSH
from canasta.server.http.rest.common import (
    SPEAKS,
    AnyRequest,
    Call,
    ErrorBody,
    RequestError,
    api_error,
    language_of,
)
from canasta.server.http.rest.days import DAYS
from canasta.server.http.rest.games import GAMES
from canasta.server.http.rest.practice import ADVICE, PRACTICE
from canasta.server.http.rest.puzzles import PUZZLES
from canasta.server.http.rest.records import MY_GAMES, REPLAYS
from canasta.server.http.rest.reviews import REVIEWS
from canasta.server.http.rest.tables import TABLES
from canasta.server.http.slow_clients import UnreadAnswer, UnreadAnswers
from canasta.server.http.static_files import Pages
from canasta.server.http.websocket import serve_table
from canasta.server.services import RESPONSE_EXIT_STACK, Services
from canasta.server.settings import Settings
from canasta.server.store import DatabaseError
from canasta.server.store.store import make_store
from canasta.server.tables.pubsub import make_fanout

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
"""Time limit in seconds for a client to send the whole body of a request."""
_SAFE: Final = ("GET", "HEAD", "OPTIONS")


class RequestRouter:
    """Routes REST calls to Litestar, and requests for tables and pages to their own handlers."""

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
                with ExitStack() as scope[RESPONSE_EXIT_STACK]:
                    await self.rest(scope, _in_time(receive), send_with_headers)
            else:
                await self._pages.serve(scope, send_with_headers)
        finally:
            answer.end()
        if path.startswith("/api"):
            took = round((time.perf_counter() - begun) * 1000, 1)
            _logger.info("request", method=scope["method"], path=path_to_log(scope), status=status, ms=took)

    def _problem(self, scope: Any) -> tuple[int, str] | None:
        """Return the status and the message code (catalogue part `problems`) if a request is rejected before
        routing."""
        if not self._is_own_name(scope):
            return 421, "NOT_CALLED_THAT"
        if scope["method"] not in _SAFE and not self._is_own_page(scope):
            return 403, "OTHER_SITE"
        path: str = scope["path"]
        if path.startswith("/api/openapi.json/"):
            # Litestar would answer with an HTML page.
            return 404, "ONLY_DESCRIPTION"
        if path.startswith("/api") and path != "/api/health" and self.services is not None:
            if not self.services.limits.take("requests", address_of(scope)):
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
        elif not services.limits.take("sockets", address) or self._has_many_sockets(address):
            await _hang_up(receive, send, 429)
        else:
            with self._sockets.hold(address):
                await serve_table(scope, receive, send, services, path.removeprefix(_TABLE))

    def _has_many_sockets(self, address: str) -> bool:
        return self._sockets.is_full(address, self._settings.limits.sockets_open)


def _in_time(receive: Receive) -> Receive:
    """Return a `receive` that raises 408 if the body takes too long, so that a slow client can't occupy a
    connection forever."""
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
            raise api_error(408, "NOT_IN_TIME") from None
        is_whole = not message.get("more_body", False)
        return message

    return receive_in_time


def path_to_log(scope: Any) -> str:
    """Return the route of a request, without names of tables or sessions; `/api/…` if unknown."""
    return str(scope.get("path_template") or "/api/…")


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


# -- the REST application ------------------------------------------------------------------------------------

_REASONS: Final = {400: "MALFORMED", 404: "NOTHING_HERE", 405: "NOT_TAKEN", 413: "TOO_LARGE"}
"""Messages for errors that Litestar raises itself, in place of the bare status names."""


def _http_error(request: AnyRequest, error: HTTPException) -> Response[ErrorBody]:
    extra: Any = error.extra or None
    reason, facts, parts = _REASONS.get(error.status_code, ""), Facts(), ""
    if isinstance(error, RequestError):
        reason, facts = error.message.key, error.message.facts
    elif isinstance(error, ValidationException):
        wrong = [part for part in extra or () if isinstance(part, dict) and "message" in part]
        parts = "".join(f" {part.get('key', 'request')}: {part['message']}." for part in wrong[:5])
    elif type(error) is HTTPException:  # the detail already says what to do
        reason = ""
    lang = language_of(request, None)
    if isinstance(error, RequestError):
        detail = str(error.message.text(lang))
    else:
        detail = say(f"problems.{reason}", facts, lang) if reason else error.detail
    return _answer(error.status_code, detail + parts, reason, facts, extra, error.headers)


def _answer(
    status: int, detail: str, reason: str, facts: Facts, extra: Any = None, headers: Any = None
) -> Response[ErrorBody]:
    body = ErrorBody(status_code=status, detail=detail[:1000], extra=extra, reason=reason, facts=facts)
    return Response(
        body, status_code=status, headers={**SPEAKS, **(headers or {})}, media_type=MediaType.JSON
    )


def _failed(request: AnyRequest, status: int, reason: str) -> Response[ErrorBody]:
    return _answer(status, say(f"problems.{reason}", lang=language_of(request, None)), reason, {})


def _no_database(request: AnyRequest, error: DatabaseError) -> Response[ErrorBody]:
    _logger.error("database_unavailable", problem=str(error))
    return _failed(request, 503, "NO_DATABASE")


def _too_deep(request: AnyRequest, _: RecursionError) -> Response[ErrorBody]:
    return _failed(request, 400, "TOO_DEEP")


def _bad_text(request: AnyRequest, _: UnicodeDecodeError) -> Response[ErrorBody]:
    """Answer a body with invalid UTF-8, for which msgspec raises a plain `UnicodeDecodeError`."""
    return _failed(request, 400, "MALFORMED")


def _broken(request: AnyRequest, error: Exception) -> Response[ErrorBody]:
    _logger.error("request_failed", path=path_to_log(request.scope), exc_info=error)
    return _failed(request, 500, "BROKEN")


def create_app(settings: Settings | None = None) -> RequestRouter:
    """Return the ASGI application. Its lifespan opens and closes the database."""
    options = settings or Settings()

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        try:
            store = make_store(options.database or f"sqlite:///{data_folder() / 'tables.db'}")
            fanout = make_fanout(options.redis or None)
            services = Services(options, store, fanout)
        except ValueError as problem:
            router.failure = str(problem)
            raise
        except OSError as problem:
            router.failure = f"The database cannot be opened: {problem.strerror}: {problem.filename}."
            raise
        try:
            await services.open()
        except DatabaseError as problem:
            router.failure = str(problem)
            raise
        app.state.services = router.services = services
        try:
            yield
        finally:
            await services.close()

    async def provide_call(request: AnyRequest) -> Call:
        assert router.services is not None, "the lifespan has begun"
        return Call(request, router.services)

    rest = Litestar(
        route_handlers=[
            *(*PEOPLE, *GAMES, *TABLES, *REPLAYS, *REVIEWS, *MY_GAMES),
            *(*ADVICE, *PRACTICE, *PUSH, *PUZZLES, *DAYS),
        ],
        dependencies={"call": Provide(provide_call)},
        exception_handlers={
            HTTPException: _http_error,
            DatabaseError: _no_database,
            RecursionError: _too_deep,
            UnicodeDecodeError: _bad_text,
            Exception: _broken,
        },
        lifespan=[lifespan],
        request_max_body_size=options.limits.body,
        logging_config=None,
        openapi_config=OpenAPIConfig(
            title="canasta",
            version="1",
            description="Tables of Canasta. Play itself goes over a websocket at /ws/tables/{id}.",
            # The path of the file itself: given a directory, the plugin would answer for every unknown path
            # in it.
            path="/api/openapi.json",
            render_plugins=[JsonRenderPlugin(path="/")],
            use_handler_docstrings=True,
        ),
    )
    router = RequestRouter(rest, options)
    return router
