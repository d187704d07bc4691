"""`canasta version`."""

import platform
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec
from typing import Final

import typer

from canasta.commands.options import Json, examples, new_command
from canasta.release import SOURCE, VERSION

_HOT_MODULES: Final = ("state", "steps.legal", "steps.make", "moves.try_move")
"""Modules of the engine that a compiled build has as extension modules."""


def is_compiled() -> bool:
    """Is the engine that runs here compiled?"""
    for name in _HOT_MODULES:
        spec = find_spec(f"canasta.engine.{name}")
        if spec is None or spec.origin is None or not spec.origin.endswith(tuple(EXTENSION_SUFFIXES)):
            return False
    return True


def facts() -> dict[str, str | bool | None]:
    """What this program is and runs on; nothing about where it lies."""
    return {
        "version": None if VERSION == SOURCE else VERSION,
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "compiled": is_compiled(),
    }


def print_version(*, as_json: bool) -> None:
    known = facts()
    if as_json:
        # the module with tables and colours takes longer to load than everything here takes to run
        import json  # noqa: PLC0415 - as above

        typer.echo(json.dumps(known, indent=2))
        return
    engine = "compiled" if known["compiled"] else "interpreted"
    number = known["version"] or "(from source, not installed)"
    typer.echo(f"canasta {number}, {known['implementation']} {known['python']}, {engine} engine")


app = new_command()


@app.command(epilog=examples("canasta version"))
def version(json: Json = False) -> None:
    """Say which canasta this is, and if its engine is compiled."""

    print_version(as_json=json)
