"""`canasta scenario`: lines for programs as much as for people, so nothing here is coloured or wrapped."""

from collections.abc import Sequence
from typing import Annotated

import typer

from canasta.commands.options import Lang, examples, new_command
from canasta.commands.output import BAD_INPUT, FAILED, ask_for, warn
from canasta.commands.spoken import told
from canasta.notation.errors import printable
from canasta.notation.scenarios.file import find_files, load_file
from canasta.notation.scenarios.run import run_file


def run_scenarios(paths: Sequence[str], *, verbose: bool) -> None:
    """Runs every scenario of these files; the failures are printed as they come."""
    passed = failed = 0
    unreadable = False
    for path in find_files(paths):
        file = load_file(path)
        unreadable = unreadable or bool(file.problem)
        for result in run_file(file, told):
            passed += result.passed
            failed += not result.passed
            if verbose or not result.passed:
                typer.echo(printable(str(result)))
    typer.echo(f"{passed} passed, {failed} failed")
    if passed + failed == 0:
        warn("scenario_none", {"text": " ".join(map(printable, paths))})
    if unreadable or passed + failed == 0:
        raise typer.Exit(BAD_INPUT)
    if failed:
        raise typer.Exit(FAILED)


app = new_command()


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

    ask_for(lang)
    run_scenarios(files, verbose=verbose)
