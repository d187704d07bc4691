"""Logging: one JSON object per line, or readable lines on a terminal.

Logs never contain cards, cookies, passwords or table names. Anyone who knows a table's name can open its
link, so logs contain a label instead.
"""

import hashlib
import logging
import sys
from typing import Any, Final

import structlog
from structlog.typing import EventDict

_LABEL: Final = 10
"""Number of hexadecimal digits in a label."""


def table_label(name: str) -> str:
    """Return a table's label in logs: the start of the SHA-256 of its name.

    Names are too long to be guessed from it. An operator with the database can compute the label of each
    table.
    """
    return hashlib.sha256(name.encode()).hexdigest()[:_LABEL]


def hide_table_names(_logger: object, _method: str, event: EventDict) -> EventDict:
    """Replace a table's name with its label."""
    if isinstance(name := event.get("table"), str):
        event["table"] = table_label(name)
    return event


def path_to_log(scope: Any) -> str:
    """Return the route of a request, without names of tables or sessions; `/api/…` if unknown."""
    return str(scope.get("path_template") or "/api/…")


def set_up_logs(level: str = "info") -> None:
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
