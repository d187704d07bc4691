"""Extras: which one provides a package that is not installed, and how to install it."""

from typing import Final

EXTRA_OF: Final = {
    "textual": "terminal",
    **dict.fromkeys(("rich", "typer"), "server,terminal"),
    **dict.fromkeys(
        (
            "alembic",
            "argon2",
            "litestar",
            "msgspec",
            "sqlalchemy",
            "structlog",
            "uvicorn",
            "uvloop",
            "websockets",
        ),
        "server",
    ),
    **dict.fromkeys(("gymnasium", "numpy", "pettingzoo"), "research"),
    "pyspiel": "openspiel",
    "asyncpg": "postgres",
    "redis": "redis",
    **dict.fromkeys(("cryptography", "httpx"), "push"),
    "ray": "ray",
    "torch": "learn",
}
"""Optional modules, with the extra that installs each."""


def how_to_get(extra: str) -> str:
    """Return how to install a missing extra."""
    return f"install the extra with: pip install '.[{extra}]', in the folder of canasta's source"


def why_missing(what: str, module: str | None) -> str:
    """Return one sentence about a module that was not found; empty if it does not belong to an extra."""
    extra = EXTRA_OF.get((module or "").partition(".")[0], "")
    return f"{what} needs {module}, which is not here; {how_to_get(extra)}." if extra else ""
