"""`canasta version`: the version, and whether the engine is compiled."""

import platform

import typer

from canasta.commands.options import Json, examples, new_command
from canasta.installation import COMPILED, SOURCE, VERSION


def facts() -> dict[str, str | bool | None]:
    """Return the program's version and the Python it runs on, but no paths."""
    return {
        "version": None if VERSION == SOURCE else VERSION,
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "compiled": COMPILED,
    }


def print_version(*, as_json: bool) -> None:
    known = facts()
    if as_json:
        # Importing the output module would take longer than the rest of this command.
        import json  # noqa: PLC0415 - as above

        typer.echo(json.dumps(known, indent=2))
        return
    engine = "compiled" if known["compiled"] else "interpreted"
    number = known["version"] or "(from source, not installed)"
    typer.echo(f"canasta {number}, {known['implementation']} {known['python']}, {engine} engine")


app = new_command()


@app.command(epilog=examples("canasta version"))
def version(json: Json = False) -> None:
    """Show the version, and whether the engine is compiled."""

    print_version(as_json=json)
