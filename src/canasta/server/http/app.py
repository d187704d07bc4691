"""The application: everything put together."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import structlog
from litestar import Litestar, MediaType, Response
from litestar.di import Provide
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from canasta.folders import data_folder
from canasta.server.http.guard import Guard
from canasta.server.http.rest.calls import AnyRequest, Mistake
from canasta.server.http.rest.games_and_rules import GAMES
from canasta.server.http.rest.guests_and_accounts import PEOPLE
from canasta.server.http.rest.tables_and_records import TABLES
from canasta.server.services import Services
from canasta.server.settings import Settings
from canasta.server.store.schema import UnknownDatabase
from canasta.server.store.store import Unavailable, make_store
from canasta.server.tables.fanout import make_fanout

_logger = structlog.get_logger()


_IN_WORDS: Final = {
    404: "There is nothing at this address. /api/openapi.json lists what there is.",
    405: "This address does not take such a request. /api/openapi.json lists what it takes.",
    413: "The request is too large. Send less at once.",
}
"""For what Litestar itself refuses, in place of the bare names of the codes."""


def _http_mistake(_: AnyRequest, error: HTTPException) -> Response[Mistake]:
    extra: Any = error.extra or None
    detail = error.detail
    if isinstance(error, ValidationException):
        detail = "Something in the request is not as /api/openapi.json describes it."
        parts = [part for part in extra or () if isinstance(part, dict) and "message" in part]
        detail += "".join(f" {part.get('key', 'request')}: {part['message']}." for part in parts[:5])
    elif type(error) is not HTTPException:  # our own say what to do
        detail = _IN_WORDS.get(error.status_code, detail)
    body = Mistake(status_code=error.status_code, detail=detail[:1000], extra=extra)
    return Response(body, status_code=error.status_code, headers=error.headers, media_type=MediaType.JSON)


def _no_database(_: AnyRequest, error: Unavailable) -> Response[Mistake]:
    _logger.error("database_unavailable", problem=str(error))
    detail = "The server cannot reach its database now. Try again in a moment."
    return Response(Mistake(status_code=503, detail=detail), status_code=503, media_type=MediaType.JSON)


def _too_deep(_: AnyRequest, __: RecursionError) -> Response[Mistake]:
    detail = "The request is nested too deeply. Send it as /api/openapi.json describes it."
    return Response(Mistake(status_code=400, detail=detail), status_code=400, media_type=MediaType.JSON)


def _broken(request: AnyRequest, error: Exception) -> Response[Mistake]:
    _logger.error("request_failed", path=request.url.path[:100], exc_info=error)
    detail = "Something went wrong here; it has been noted. Try again."
    return Response(Mistake(status_code=500, detail=detail), status_code=500, media_type=MediaType.JSON)


def create_app(settings: Settings | None = None) -> Guard:
    """The ASGI application; its lifespan opens and closes the database."""
    chosen = settings or Settings()

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        try:
            store = make_store(chosen.database or f"sqlite:///{data_folder() / 'tables.db'}")
            fanout = make_fanout(chosen.redis or None)
        except ValueError as problem:
            guard.failure = str(problem)
            raise
        except OSError as problem:
            guard.failure = f"The database cannot be opened: {problem.strerror}: {problem.filename}."
            raise
        services = Services(chosen, store, fanout)
        try:
            await services.open()
        except (Unavailable, UnknownDatabase) as problem:
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
        route_handlers=[*PEOPLE, *GAMES, *TABLES],
        dependencies={"services": Provide(provide_services)},
        exception_handlers={
            HTTPException: _http_mistake,
            Unavailable: _no_database,
            RecursionError: _too_deep,
            Exception: _broken,
        },
        lifespan=[lifespan],
        request_max_body_size=chosen.limits.body,
        logging_config=None,
        openapi_config=OpenAPIConfig(
            title="canasta",
            version="1",
            description="Tables of Canasta. Play itself goes over a websocket at /ws/tables/{id}.",
            # The file itself, because beside it the plugin would answer for every unknown address.
            path="/api/openapi.json",
            render_plugins=[JsonRenderPlugin(path="/")],
            use_handler_docstrings=True,
        ),
    )
    guard = Guard(rest, chosen)
    return guard
