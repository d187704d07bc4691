"""The extras: which one holds a package that is not installed, and how to get it."""

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
"""The modules that canasta itself does without, with the extra that brings them."""


def how_to_get(extra: str) -> str:
    """What to do about an extra that is not installed."""
    return f"install the extra with: pip install '.[{extra}]', in the folder of canasta's source"


def why_missing(what: str, module: str | None) -> str:
    """One sentence about a module that was not found; empty where it belongs to no extra."""
    extra = EXTRA_OF.get((module or "").partition(".")[0], "")
    return f"{what} needs {module}, which is not here; {how_to_get(extra)}." if extra else ""
