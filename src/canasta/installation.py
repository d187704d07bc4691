"""This installation of canasta: its version, whether it is compiled, its data folder, and missing extras."""

import os
import platform
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Final

SOURCE: Final = "source"
"""Version of canasta when it runs from its source folder without being installed."""


def _installed() -> str:
    try:
        return version("canasta")
    except PackageNotFoundError:
        return SOURCE


VERSION: Final = _installed()
"""The version of the installed package."""

_HOT_MODULES: Final = ("state", "actions.legal", "actions.make", "moves.apply")
"""Engine modules that are extension modules in a compiled build."""


def _is_compiled() -> bool:
    for name in _HOT_MODULES:
        spec = find_spec(f"canasta.engine.{name}")
        if spec is None or spec.origin is None or not spec.origin.endswith(tuple(EXTENSION_SUFFIXES)):
            return False
    return True


COMPILED: Final = _is_compiled()
"""Whether the running engine is compiled; plain Python is 26 to 40 times slower."""


def build_facts() -> dict[str, str | bool | None]:
    """Return the program's version and the Python it runs on, but no paths."""
    return {
        "version": None if VERSION == SOURCE else VERSION,
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "compiled": COMPILED,
    }


def data_folder() -> Path:
    """Return the standard folder for the user's own files and create it if necessary.

    Raise `OSError` if that fails.
    """
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    folder = base / "canasta"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


# -- extras -------------------------------------------------------------------------------------------------

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
"""The extra that installs each optional module."""


def how_to_get(extra: str) -> str:
    """Return how to install a missing extra."""
    return f"install the extra with: pip install '.[{extra}]', in the folder of canasta's source"


def why_missing(what: str, module: str | None) -> str:
    """Return a one-sentence message about a missing module; empty if no extra provides it."""
    extra = EXTRA_OF.get((module or "").partition(".")[0], "")
    return f"{what} needs {module}, which is not here; {how_to_get(extra)}." if extra else ""
