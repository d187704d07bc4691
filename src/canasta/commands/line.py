"""The command line, `canasta COMMAND …`: finds the command, and tells whatever goes wrong in a sentence.

Each command is a module beside this one, loaded when it is called, so that `canasta --help` is there at once.
"""

import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from shutil import get_terminal_size
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup
from typer.main import get_command

NOT_DONE = 1
"""What was asked for could not be carried through; `commands.output` has the others."""
CLOSED_PIPE = 141
"""As a shell reports a program whose reader has gone away."""

_NOT_GIVEN = {
    "help": False,
    "install_completion": False,
    "show_completion": False,
    "show_version": False,
    "version": {"help": False},
}
"""Flags that are off. Where a value is None instead, Typer loads a library to check it, which takes longer
than `canasta version` altogether."""


class Front(TyperGroup):
    """The whole command line: whatever goes wrong is told in a sentence, by one voice."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        words = list(sys.argv[1:] if args is None else args) or ["--help"]
        try:
            status = super().main(words, prog_name, complete_var, False, windows_expand_args, **extra)
            if not standalone_mode:
                return status
            sys.stdout.flush()
        except typer.TyperException as error:
            status = _tell(error)
        except typer.Abort:
            status = 130
        except BrokenPipeError:
            status = CLOSED_PIPE
            _forget_output()
        except OSError as error:
            status = NOT_DONE
            typer.echo(f"canasta: {error.filename or 'the output'}: {error.strerror or error}.", err=True)
            _forget_output()
        sys.exit(status if isinstance(status, int) else 0)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The module of a command is loaded when it is called, or completed; until then a name and a line
        stand for it."""
        name, command, rest = super().resolve_command(ctx, args)
        if name in COMMANDS:
            command = get_command(import_module(f"canasta.commands.{name}").app)
            command.name = name
        return name, command, rest

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            _forget_output()
            raise typer.Exit(CLOSED_PIPE) from None


def _tell(error: typer.TyperException) -> int:
    """A slip in the command line, in one sentence; the exit status."""
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "canasta"
    problem = " ".join((_wrong_value(error) or error.format_message()).split()).rstrip(".")
    near = re.fullmatch(r"(.*) \(Possible options: ([^,]*).*\)", problem)
    if near is not None:
        problem = f"{near[1]}; did you mean {near[2]}?"
    if not problem.startswith("-"):
        problem = problem[:1].lower() + problem[1:]
    typer.echo(
        f"canasta: {problem}" + ("" if problem.endswith("?") else f"; see: {command} --help"), err=True
    )
    return error.exit_code


def _wrong_value(error: typer.TyperException) -> str:
    """What is wrong with the value of an option; empty where something else is wrong.

    Typer hands on the words of a library, which are meant for programmers.
    """
    option, faults = getattr(error, "param", None), getattr(error.__cause__, "errors", None)
    if option is None or faults is None:
        return ""
    from canasta.rules.defects import shown

    fault = faults()[0]
    kind, limits = fault["type"], fault.get("ctx", {})
    if kind.startswith("int"):
        problem = "must be a whole number" if kind != "int_parsing_size" else "is too large"
    elif kind.startswith("float"):
        problem = "must be a number"
    elif "ge" in limits:
        problem = f"must be {limits['ge']:,} or more"
    elif "le" in limits:
        problem = f"must be {limits['le']:,} or less"
    else:
        problem = "cannot be used"
    given = shown(fault["input"])
    bare = given.strip("'")
    name = option.opts[0] if option.opts else option.name
    return f"{name} {bare if bare.strip('-').isalnum() else given}: {problem}"


def _forget_output() -> None:
    """Python writes what is left when it ends, and would complain that nobody reads it."""
    with suppress(OSError, ValueError):  # where standard output is not a file, nothing is left over
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


app = typer.Typer(
    cls=Front,
    name="canasta",
    epilog=(
        "Exit status: 0 all is well, 1 what was checked does not hold or what was asked for could not be "
        "done, 2 an option or a file cannot be used, 130 ended by Ctrl+C.\n\n"
        "\b\nExample:\n  canasta play"
    ),
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={
        "help_option_names": ["--help", "-h"],
        "default_map": _NOT_GIVEN,
        # By itself the help is never set narrower than 50 columns.
        "terminal_width": max(20, min(80, get_terminal_size().columns) - 2),
    },
)

COMMANDS: Final = {
    "play": "Open the table in the browser.",
    "tui": "Play at a table that fills the terminal, with keys and mouse.",
    "serve": "Run a server of tables for others to join.",
    "rules": "List the games, print rule sheets, compare, explain.",
    "scenario": "Run scenarios: a line for each that fails, then the count.",
    "replay": "Play a record again, strictly by the rules.",
    "verify": "Check that the cards were those committed to before the deal, and say who contributed.",
    "bench": "Measure how fast this machine plays.",
    "arena": "Measure computer players against each other.",
    "stats": "Tell what hands look like, from many of them.",
    "version": "Say which canasta this is, and if its engine is compiled.",
}
"""Each is a module of this package, with the first line of its help, which is shown without loading it."""

for _name, _summary in COMMANDS.items():
    app.command(_name, help=_summary)(lambda: None)


def _print_version_and_end(wanted: bool) -> None:
    if wanted:
        from canasta.commands.version import print_version

        print_version(as_json=False)
        raise typer.Exit


@app.callback()
def front(
    show_version: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=_print_version_and_end, help="Say which canasta this is."
        ),
    ] = False,
) -> None:
    """Canasta in the forms of five rule booklets: play it, read its rules, check and replay games."""


@app.command(hidden=True, context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
def test() -> None:
    """Not here: the launcher in the source folder runs the tests."""
    from canasta.commands.output import fail

    fail("the tests belong to the source folder: go there and start ./canasta test.")


def main() -> None:
    """The entry point of the program."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by whoever started the program
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - stays open
        stream = getattr(sys, name)
        if hasattr(stream, "reconfigure"):
            # Whatever is piped in, and whatever the terminal cannot show, is no reason to stop.
            stream.reconfigure(errors="replace")
    app(prog_name="canasta")
