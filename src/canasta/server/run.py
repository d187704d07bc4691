"""Running the server in this process."""

import contextlib
import gc
import logging

import structlog
import uvicorn

from canasta.server.app import create_app
from canasta.server.guard import Guard
from canasta.server.logs import set_up_logs
from canasta.server.settings import Settings
from canasta.server.wire import LONGEST_COMMAND


def uvicorn_config(settings: Settings, app: Guard | None = None) -> uvicorn.Config:
    return uvicorn.Config(
        app or create_app(settings),
        host=settings.host,
        port=settings.port,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        ws="websockets-sansio",
        # Above what we take, so that a message that is too long is told so and not cut off.
        ws_max_size=8 * LONGEST_COMMAND,
        ws_per_message_deflate=False,
        ws_ping_interval=20.0,
        ws_ping_timeout=30.0,
        timeout_graceful_shutdown=5,
        h11_max_incomplete_event_size=16 * 1024,
    )


class _ToOurLogs(logging.Handler):
    """What uvicorn has to say, as lines like ours."""

    def __init__(self, app: Guard) -> None:
        super().__init__(logging.WARNING)
        self._app = app

    def emit(self, record: logging.LogRecord) -> None:
        # A failure to start is told once, in a sentence.
        if not self._app.failure:
            text = record.getMessage().strip().partition("\n")[0]
            structlog.get_logger().error("uvicorn", problem=text, exc_info=record.exc_info)


def serve(settings: Settings, *, log_level: str = "info") -> int:
    """Serves until interrupted or asked to stop; the exit status."""
    set_up_logs(log_level)
    app = create_app(settings)
    logger = logging.getLogger("uvicorn.error")
    logger.addHandler(_ToOurLogs(app))
    logger.propagate = False
    server = uvicorn.Server(uvicorn_config(settings, app))
    spare_collections()
    with contextlib.suppress(KeyboardInterrupt, SystemExit):
        server.run()
    if app.failure:
        structlog.get_logger().error("not_started", problem=app.failure)
    return 0 if server.started else 1


def spare_collections() -> None:
    """Look for garbage in what is new, and seldom in everything: with hundreds of tables that would stop all
    of them for a fifth of a second."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(2_000, 10, 1_000)
