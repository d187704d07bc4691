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
"""What Typer says of a slip, with the message of ours; the more telling ones first."""


def _tell(error: typer.TyperException, words: Sequence[str]) -> int:
    """A slip in the command line, in one sentence; the exit status."""
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
    """The language that was asked for, as far as it can be read out of words that are no command."""
    from canasta.commands.spoken import speak
    from canasta.words import UnknownLanguage, best_language

    for word, after in zip(words, [*words[1:], ""], strict=True):
        option, _, value = word.partition("=")
        if option == "--lang" and (value or after):
            with suppress(UnknownLanguage):
                speak(best_language(value or after))


def _tell_system(error: OSError) -> None:
    from canasta.commands.output import warn
    from canasta.commands.spoken import spoken
    from canasta.words.system import reason_in

    facts = {"name": str(error.filename), "text": reason_in(error, spoken())}
    warn("file_failed" if error.filename else "output_failed", facts)


def _wrong_value(error: typer.TyperException) -> str:
    """What is wrong with the value of an option; empty where something else is wrong.

    Typer hands on the words of a library, which are meant for programmers.
    """
    option, faults = getattr(error, "param", None), getattr(error.__cause__, "errors", None)
    if option is None or faults is None:
        return ""
    from canasta.commands.output import in_words
    from canasta.rules.defects import shown

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
    given = shown(fault["input"])
    bare = given.strip("'")
    name = option.opts[0] if option.opts else option.name
    facts = {"name": f"{name} {bare if bare.strip('-').isalnum() else given}", "text": bound}
    return in_words(f"usage.{code}", facts)


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
    "day": "Play the deal of the day.",
    "serve": "Run a server of tables for others to join.",
    "rules": "List the games, print rule sheets, compare, explain.",
    "scenario": "Run scenarios: a line for each that fails, then the count.",
    "replay": "Play a record again, strictly by the rules.",
    "review": "Tell which decisions of a game cost points, and how much was luck.",
    "puzzles": "Solve puzzles, list them, show one, find more.",
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

    fail("tests_elsewhere")


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
