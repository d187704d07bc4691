"""The command line, `canasta COMMAND …`: what can be asked, and nothing of how it is done.

A command loads its own module when it is called, so that `canasta --help` is there at once.
"""

import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from shutil import get_terminal_size
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from canasta.cli_arena import register as register_arena
from canasta.cli_table import register as register_tables
from canasta.cli_words import Json, Lang, Options, Players, complete_clause, complete_preset, examples

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
bench_app = typer.Typer(
    help="Measure how fast this machine plays.",
    rich_markup_mode=None,
    epilog="\b\nExample:\n  canasta bench engine --rules caliente --seconds 1",
)
app.add_typer(bench_app, name="bench")
register_tables(app)


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


@app.command(
    epilog=examples(
        "canasta rules",
        "canasta rules bolivia --players 4",
        "canasta rules caliente --option hand_size=13 --diff caliente",
        "canasta rules jaques --option target=3000 --save my-club.toml",
        "canasta rules --clause PILE-8",
        "canasta rules --coverage tests/rulebook",
    )
)
def rules(  # noqa: PLR0913, PLR0917 - these are the options of the command
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME]",
            help="A game; without one they are listed. With --coverage: files and folders of scenarios.",
            autocompletion=complete_preset,
        ),
    ] = None,
    players: Players = None,
    option: Options = None,
    diff: Annotated[
        str | None,
        typer.Option(
            metavar="OTHER", help="How the game differs from another.", autocompletion=complete_preset
        ),
    ] = None,
    clause: Annotated[
        str | None,
        typer.Option(
            metavar="ID",
            help="Explain one clause, and how each game has it; PILE lists a group.",
            autocompletion=complete_clause,
        ),
    ] = None,
    choices: Annotated[
        bool, typer.Option("--choices", help="The options of this game that have names, with their values.")
    ] = False,
    values: Annotated[
        bool, typer.Option("--values", help="Append every value, as --option takes them.")
    ] = False,
    save: Annotated[
        str | None,
        typer.Option(metavar="FILE.toml", help="Write the game with its house rules to a file for --rules."),
    ] = None,
    coverage: Annotated[
        bool,
        typer.Option("--coverage", help="Every clause with the scenarios that prove it; 1 if one has none."),
    ] = False,
    short: Annotated[
        bool, typer.Option("--short", help="With --coverage: the numbers without the scenarios' names.")
    ] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown.")] = False,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """List the games, print rule sheets, compare, explain."""
    from canasta.commands import rules as command
    from canasta.commands.asked import Asked
    from canasta.commands.spoken import ask_for

    ask_for(lang)

    asked = Asked(names or [], players, option or [], as_json=json, as_markdown=markdown)
    if coverage:
        from canasta.commands.coverage import print_coverage

        print_coverage(asked, clause=clause, short=short)
    elif save is not None:
        asked.save(save)
    elif clause is not None:
        command.print_clause(asked, clause)
    elif diff is not None:
        command.print_difference(asked, diff)
    elif choices:
        command.print_choices(asked)
    elif asked.names:
        command.print_sheet(asked, every_value=values)
    else:
        command.print_games(asked)


@app.command(epilog=examples("canasta scenario tests/rulebook/pile_frozen.yaml"))
def scenario(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="Scenario files, or folders of them.")
    ],
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Name those that pass, too.")] = False,
    lang: Lang = None,
) -> None:
    """Run scenarios: a line for each that fails, then the count.

    The exit status is 0 only if all passed.
    """
    from canasta.commands.scenario import run_scenarios
    from canasta.commands.spoken import ask_for

    ask_for(lang)
    run_scenarios(files, verbose=verbose)


@app.command(epilog=examples("canasta replay evening.canasta", "canasta replay evening.canasta --to 0"))
def replay(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="The record of a game; - reads standard input.")
    ],
    to: Annotated[
        int | None,
        typer.Option(
            "--to", metavar="N", min=0, help="Stop after N moves and show the table, all cards open."
        ),
    ] = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Play a record again, strictly by the rules.

    Prints its course hand by hand, the score sheets and the result. A record that breaks off or breaks
    a rule is played up to that line, which is named; the status is then 1.
    """
    from canasta.commands.replay import print_replay
    from canasta.commands.spoken import ask_for

    ask_for(lang)
    print_replay(file, to=to, as_json=json)


@app.command(epilog=examples("canasta verify evening.canasta"))
def verify(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="The record of a game; - reads standard input.")
    ],
    commitment: Annotated[
        list[str] | None,
        typer.Option(
            metavar="HEX",
            help="A commitment, or a list of them, that you saw before a deal; may be given several times.",
        ),
    ] = None,
    seed: Annotated[
        list[str] | None,
        typer.Option(
            metavar="HEX", help="A seed of your own that your page has kept; may be given several times."
        ),
    ] = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Check that the cards were those committed to before the deal, and say who contributed.

    Deals every hand again from its revealed seeds and plays its moves. The status is 1 if a seed does not
    fit its commitment, if a move does not fit the cards, if one of your seeds or commitments is not there, or
    if the record has no commitments.
    """
    from canasta.commands.spoken import ask_for
    from canasta.commands.verify import print_verification

    ask_for(lang)
    print_verification(file, seeds=seed or [], commitments=commitment or [], as_json=json)


@bench_app.callback(invoke_without_command=True)
def bench_what(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@bench_app.command("engine", epilog=examples("canasta bench engine --rules caliente --seconds 1"))
def bench_engine(
    rules: Annotated[
        list[str] | None,
        typer.Option(
            "--rules",
            "-r",
            metavar="NAME",
            help="A game; may be given several times; all by default.",
            autocompletion=complete_preset,
        ),
    ] = None,
    players: Players = None,
    seconds: Annotated[
        float, typer.Option("--seconds", "-s", metavar="S", min=0, max=3600, help="How long for each game.")
    ] = 3.0,
    json: Json = False,
) -> None:
    """Measure random play: moves and hands a second.

    Also what a copy of the table costs, as a searching player makes them. Every move is chosen at random
    among all that are legal. The checksum is that of the first hands: it is the same on every machine,
    compiled or not. Seconds are processor time.
    """
    from canasta.commands.bench import bench

    bench(rules or [], players, seconds=seconds, as_json=json)


@bench_app.command("peers", epilog=examples("canasta bench peers --seconds 5"))
def bench_peers(
    seconds: Annotated[
        float,
        typer.Option(
            "--seconds", "-s", metavar="S", min=0.1, max=3600, help="How long for each environment."
        ),
    ] = 5.0,
    folder: Annotated[
        str | None, typer.Option(metavar="FOLDER", help="Where to install the others; by default a cache.")
    ] = None,
    json: Json = False,
) -> None:
    """Measure our research environment beside others.

    OpenSpiel, RLCard and PettingZoo are installed into an environment of their own, once, for which this
    machine must be online. All play at random on one core, with observations.
    """
    from canasta.commands.bench_peers import bench_peers as run

    run(seconds=seconds, folder=folder, as_json=json)


register_arena(app)


@app.command(epilog=examples("canasta version"))
def version(json: Json = False) -> None:
    """Say which canasta this is, and if its engine is compiled."""
    from canasta.commands.version import print_version

    print_version(as_json=json)


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
