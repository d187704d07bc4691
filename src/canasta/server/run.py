"""Entry point that runs the server in this process."""

import contextlib
import gc
import hashlib
import logging
import os
import socket
import sys
from collections.abc import Callable
from typing import Final

import structlog
import uvicorn
from structlog.typing import EventDict

from canasta.server.addresses import PROXY_HINT, trusted_proxies
from canasta.server.http.app import RequestRouter, create_app
from canasta.server.http.slow_clients import LimitedWebSocketProtocol, TimeoutHttpProtocol
from canasta.server.settings import Settings
from canasta.table.wire_commands import LONGEST_COMMAND

_OPEN_FILES: Final = 65_536
_BY_STRANGERS: Final = (
    "ASGI callable returned without completing handshake",
    "ASGI callable returned without completing response",
    "Invalid UTF-8",
)
"""Errors of uvicorn that any client can cause; its warnings are all of this kind."""


def uvicorn_config(settings: Settings, app: RequestRouter | None = None) -> uvicorn.Config:
    return uvicorn.Config(
        app or create_app(settings),
        host=settings.host,
        port=settings.port,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        forwarded_allow_ips=trusted_proxies(os.environ.get("FORWARDED_ALLOW_IPS")),
        date_header=False,
        http=TimeoutHttpProtocol,
        ws=LimitedWebSocketProtocol,
        # Above our own limit, so that a message that is too long gets an error instead of a disconnect.
        ws_max_size=8 * LONGEST_COMMAND,
        ws_per_message_deflate=False,
        ws_ping_interval=20.0,
        ws_ping_timeout=30.0,
        timeout_graceful_shutdown=5,
        h11_max_incomplete_event_size=16 * 1024,
    )


class _ToOurLogs(logging.Handler):
    """Forwards uvicorn's log messages to our logs."""

    def __init__(self, app: RequestRouter) -> None:
        super().__init__(logging.WARNING)
        self._app = app

    def emit(self, record: logging.LogRecord) -> None:
        # A failure to start is logged once, by `serve`.
        if self._app.failure:
            return
        text = record.getMessage().strip().partition("\n")[0]
        if record.levelno < logging.ERROR or text.startswith(_BY_STRANGERS):
            structlog.get_logger().debug("uvicorn", problem=text)
        else:
            structlog.get_logger().error("uvicorn", problem=text, exc_info=record.exc_info)


class _Server(uvicorn.Server):
    """A uvicorn server that calls `ready` once it is listening."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()


def serve(
    settings: Settings,
    *,
    log_level: str = "info",
    listening: socket.socket | None = None,
    ready: Callable[[], None] = lambda: None,
) -> int:
    """Serve until interrupted or asked to stop, and return the exit status.

    `listening` is a bound socket to use instead of the settings' address. `ready` is called once the server
    is listening.
    """
    set_up_logs(log_level)
    # The default lets a busy event loop delay the store's writer thread: p99 of an append is 22 ms, not 4 ms.
    sys.setswitchinterval(0.001)
    allow_many_connections()
    if settings.origins:
        structlog.get_logger().warning("proxy_expected", origins=settings.origins, hint=PROXY_HINT)
    app = create_app(settings)
    logger = logging.getLogger("uvicorn.error")
    logger.addHandler(_ToOurLogs(app))
    logger.propagate = False
    server = _Server(uvicorn_config(settings, app), ready)
    reduce_garbage_collections()
    with contextlib.suppress(KeyboardInterrupt, SystemExit):
        server.run(None if listening is None else [listening])
    if app.failure:
        structlog.get_logger().error("not_started", problem=app.failure)
    return 0 if server.started else 1


def allow_many_connections() -> None:
    """Raise the limit of open files to the maximum the system allows: the usual 1,024 are too few for 300
    tables of four."""
    if sys.platform != "win32":
        import resource  # noqa: PLC0415 - missing on Windows, which doesn't have this limit

        with contextlib.suppress(OSError, ValueError):
            granted, most = resource.getrlimit(resource.RLIMIT_NOFILE)
            limit = _OPEN_FILES if most == resource.RLIM_INFINITY else min(most, _OPEN_FILES)
            if granted != resource.RLIM_INFINITY and granted < limit:
                resource.setrlimit(resource.RLIMIT_NOFILE, (limit, most))


def reduce_garbage_collections() -> None:
    """Make full garbage collections rare: with hundreds of tables, each one pauses the server for about 0.2
    seconds."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(2_000, 10, 1_000)


# -- logs ----------------------------------------------------------------------------------------------------

_LABEL: Final = 10
"""Number of hexadecimal digits in a label."""


def table_label(name: str) -> str:
    """Return a table's label for logs: the start of the SHA-256 of its name.

    Names are random and too long to be guessed from the label. An operator with the database can compute the
    label of each table.
    """
    return hashlib.sha256(name.encode()).hexdigest()[:_LABEL]


def hide_table_names(_logger: object, _method: str, event: EventDict) -> EventDict:
    """Replace a table's name with its label."""
    if isinstance(name := event.get("table"), str):
        event["table"] = table_label(name)
    return event


def set_up_logs(level: str = "info") -> None:
    """Log one JSON object per line, or readable lines on a terminal.

    Logs never contain cards, cookies, passwords or table names. Anyone who knows a table's name can open its
    link, so logs contain a label instead.
    """
    on_terminal = sys.stderr.isatty()
    renderer = structlog.dev.ConsoleRenderer() if on_terminal else structlog.processors.JSONRenderer()
    processors: list[structlog.typing.Processor] = [
        structlog.processors.add_log_level,
        hide_table_names,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    if not on_terminal:
        processors.append(structlog.processors.format_exc_info)
    structlog.configure(
        processors=[*processors, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
