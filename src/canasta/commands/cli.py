"""The command line, `canasta COMMAND …`: dispatch to commands and report every failure the same way.

Each command is a module in this package, imported only when called, so that `canasta --help` is fast.
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
"""Exit status: the operation failed; `commands.output` has the others."""
CLOSED_PIPE = 141
"""Exit status that shells report for a program killed by SIGPIPE."""

_NOT_GIVEN = {
    "help": False,
    "install_completion": False,
    "show_completion": False,
    "show_version": False,
    "version": {"help": False},
}
"""Default values of flags. If a default is None, Typer loads a library to check it, which takes longer than
the whole of `canasta version`."""


class CommandLine(TyperGroup):
    """The top-level command group, which prints every failure as a clear error message."""

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
            status = _tell(error, words)
        except typer.Abort:
            status = 130
        except BrokenPipeError:
            status = CLOSED_PIPE
            _forget_output()
        except OSError as error:
            status = NOT_DONE
            _tell_system(error)
            _forget_output()
        sys.exit(status if isinstance(status, int) else 0)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Import a command's module when it is called or completed. Until then only its summary is known."""
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


_SLIPS: Final = {
    r"No such command '(?P<name>.+?)'\. Did you mean '?(?P<text>.+?)'?\?": "no_command_but",
    r"No such command '(?P<name>.+)'": "no_command",
    r"No such option: (?P<name>.+) \(Possible options: (?P<text>[^,)]*).*\)": "no_option_but",
    r"No such option: (?P<name>.+)": "no_option",
    r"Missing \w+ '(?P<name>.+)'": "missing",
    r"Got unexpected extra argument\(?s?\)? \((?P<text>.+)\)": "extra",
    r"Option '(?P<name>.+)' requires .*": "needs_value",
    r"Option '(?P<name>.+)' does not take a value": "takes_no_value",
}
"""Typer's usage errors and the codes of our messages for them; the more specific patterns come first."""


def _tell(error: typer.TyperException, words: Sequence[str]) -> int:
    """Print a usage error and return the exit status."""
    from canasta.commands.output import in_words, warn_saying

    _listen_to(words)
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "canasta"
    problem = _wrong_value(error)
    if not problem:
        english = " ".join(error.format_message().split()).rstrip(".")
        problem = english if english.startswith("-") else english[:1].lower() + english[1:]
        for pattern, code in _SLIPS.items():
            if found := re.fullmatch(pattern, english):
                problem = in_words(f"usage.{code}", found.groupdict())
                break
    asks = problem.endswith("?")
    warn_saying(problem if asks else in_words("usage.see", {"text": problem, "name": command}))
    return error.exit_code


def _listen_to(words: Sequence[str]) -> None:
    """Set the language from `--lang`, even if the command line couldn't be parsed."""
    from canasta.commands.output import set_language
    from canasta.errors import UnknownNameError
    from canasta.i18n.locale import best_language

    for word, after in zip(words, [*words[1:], ""], strict=True):
        option, _, value = word.partition("=")
        if option == "--lang" and (value or after):
            with suppress(UnknownNameError):
                set_language(best_language(value or after))


def _tell_system(error: OSError) -> None:
    from canasta.commands.output import language, warn
    from canasta.i18n.voice import reason_in

    code = "file_failed" if error.filename else "output_failed"
    warn(code, {"name": str(error.filename), "text": reason_in(error, language())})


def _wrong_value(error: typer.TyperException) -> str:
    """Describe the invalid value of an option; empty if the error is of another kind.

    Typer passes on messages of its libraries that are meant for programmers.
    """
    option, faults = getattr(error, "param", None), getattr(error.__cause__, "errors", None)
    if option is None or faults is None:
        return ""
    from canasta.commands.output import in_words
    from canasta.i18n.safe_text import shown

    fault = faults()[0]
    kind, limits = fault["type"], fault.get("ctx", {})
    bound = ""
    if kind.startswith("int"):
        code = "whole_number" if kind != "int_parsing_size" else "too_large"
    elif kind.startswith("float"):
        code = "number"
    elif "ge" in limits:
        code, bound = "at_least", f"{limits['ge']:,}"
    elif "le" in limits:
        code, bound = "at_most", f"{limits['le']:,}"
    else:
        code = "unusable"
    value = shown(fault["input"])
    bare = value.strip("'")
    name = option.opts[0] if option.opts else option.name
    shown_name = f"{name} {bare if bare.strip('-').isalnum() else value}"
    return in_words(f"usage.{code}", {"name": shown_name, "text": bound})


def _forget_output() -> None:
    """Discard buffered output. Python would flush it on exit and complain about the closed pipe."""
    with suppress(OSError, ValueError):  # standard output is not a file, so nothing is buffered
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


app = typer.Typer(
    cls=CommandLine,
    name="canasta",
    epilog=(
        "Exit status: 0 success, 1 a check or the operation failed, 2 an invalid option or unusable file, "
        "130 interrupted by Ctrl+C.\n\n"
        "\b\nExample:\n  canasta play"
    ),
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={
        "help_option_names": ["--help", "-h"],
        "default_map": _NOT_GIVEN,
        # Otherwise help is at least 50 columns wide.
        "terminal_width": max(20, min(80, get_terminal_size().columns) - 2),
    },
)

COMMANDS: Final = {
    "play": "Play in the browser.",
    "tui": "Play full-screen in the terminal, with keyboard and mouse.",
    "day": "Play the deal of the day.",
    "serve": "Run a server that others can join.",
    "rules": "List games, print and compare their rules, explain clauses.",
    "scenario": "Run rule scenarios; print the failures and the count.",
    "replay": "Replay a game record, checking every move.",
    "review": "Show which decisions cost points, and how much was luck.",
    "puzzles": "Solve, list, show and find puzzles.",
    "verify": "Check that the cards match the commitments made before the deal.",
    "bench": "Measure how fast this machine plays.",
    "arena": "Compare computer players by playing them against each other.",
    "stats": "Show statistics from many simulated hands.",
}
"""Modules of this package and the first line of their help, kept here so that listing them imports none."""

for _name, _summary in COMMANDS.items():
    app.command(_name, help=_summary)(lambda: None)


@app.command(epilog="\b\nExample:\n  canasta version")
def version(json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Show the version, and whether the engine is compiled."""
    from canasta.installation import build_facts

    facts = build_facts()
    if json:
        from json import dumps  # importing `commands.output` would take longer than the rest of this command

        typer.echo(dumps(facts, indent=2))
        return
    engine = "compiled" if facts["compiled"] else "interpreted"
    number = facts["version"] or "(from source, not installed)"
    typer.echo(f"canasta {number}, {facts['implementation']} {facts['python']}, {engine} engine")


def _print_version_and_end(wanted: bool) -> None:
    if wanted:
        version()
        raise typer.Exit


@app.callback()
def front(
    show_version: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=_print_version_and_end, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Play canasta by the rules of five booklets, and read rules, replay games and review them."""


@app.command(hidden=True, context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
def test() -> None:
    """Fail: only the launcher in the source folder runs the tests."""
    from canasta.commands.output import fail

    fail("tests_elsewhere")


def main() -> None:
    """Run the command line."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # the parent process may have closed it
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - stays open
        stream = getattr(sys, name)
        if hasattr(stream, "reconfigure"):
            # Don't fail on invalid input bytes or on characters that the terminal can't show.
            stream.reconfigure(errors="replace")
    app(prog_name="canasta")
