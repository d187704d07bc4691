"""The application: routes, error handlers and lifespan."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import structlog
from litestar import Litestar, MediaType, Response
from litestar.di import Provide
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from canasta.i18n import Facts
from canasta.i18n.voice import say
from canasta.installation import data_folder
from canasta.server.http.asgi import Guard
from canasta.server.http.rest.accounts import PEOPLE
from canasta.server.http.rest.advice import ADVICE
from canasta.server.http.rest.common import SPEAKS, AnyRequest, ErrorBody, RequestError, language_of
from canasta.server.http.rest.days import DAYS
from canasta.server.http.rest.games import GAMES
from canasta.server.http.rest.my_games import MY_GAMES
from canasta.server.http.rest.practice import PRACTICE
from canasta.server.http.rest.push import PUSH
from canasta.server.http.rest.puzzles import PUZZLES
from canasta.server.http.rest.replays import REPLAYS
from canasta.server.http.rest.reviews import REVIEWS
from canasta.server.http.rest.tables import TABLES
from canasta.server.logs import path_to_log
from canasta.server.services import Services
from canasta.server.settings import Settings
from canasta.server.store import DatabaseError
from canasta.server.store.store import make_store
from canasta.server.tables.pubsub import make_fanout

_logger = structlog.get_logger()


_REASONS: Final = {400: "MALFORMED", 404: "NOTHING_HERE", 405: "NOT_TAKEN", 413: "TOO_LARGE"}
"""Messages for errors that Litestar raises itself, in place of the bare status names."""


def _http_mistake(request: AnyRequest, error: HTTPException) -> Response[ErrorBody]:
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
        said = str(error.message.text(lang))
    else:
        said = say(f"problems.{reason}", facts, lang) if reason else error.detail
    return _answer(error.status_code, said + parts, reason, facts, extra, error.headers)


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
    """Answer a body with invalid UTF-8, for which msgspec doesn't raise an error of its own."""
    return _failed(request, 400, "MALFORMED")


def _broken(request: AnyRequest, error: Exception) -> Response[ErrorBody]:
    _logger.error("request_failed", path=path_to_log(request.scope), exc_info=error)
    return _failed(request, 500, "BROKEN")


def create_app(settings: Settings | None = None) -> Guard:
    """Return the ASGI application. Its lifespan opens and closes the database."""
    chosen = settings or Settings()

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        try:
            store = make_store(chosen.database or f"sqlite:///{data_folder() / 'tables.db'}")
            fanout = make_fanout(chosen.redis or None)
            services = Services(chosen, store, fanout)
        except ValueError as problem:
            guard.failure = str(problem)
            raise
        except OSError as problem:
            guard.failure = f"The database cannot be opened: {problem.strerror}: {problem.filename}."
            raise
        try:
            await services.open()
        except DatabaseError as problem:
            guard.failure = str(problem)
            raise
        app.state.services = guard.services = services
        try:
            yield
        finally:
            await services.close()

    async def provide_services() -> Services:
        assert guard.services is not None, "the lifespan has begun"
        return guard.services

    rest = Litestar(
        route_handlers=[
            *(*PEOPLE, *GAMES, *TABLES, *REPLAYS, *REVIEWS, *MY_GAMES),
            *(*ADVICE, *PRACTICE, *PUSH, *PUZZLES, *DAYS),
        ],
        dependencies={"services": Provide(provide_services)},
        exception_handlers={
            HTTPException: _http_mistake,
            DatabaseError: _no_database,
            RecursionError: _too_deep,
            UnicodeDecodeError: _bad_text,
            Exception: _broken,
        },
        lifespan=[lifespan],
        request_max_body_size=chosen.limits.body,
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
    guard = Guard(rest, chosen)
    return guard
