"""`canasta scenario`: lines for programs as much as for people, so nothing here is coloured or wrapped."""

from collections.abc import Sequence
from typing import Annotated

import typer

from canasta.commands.options import Lang, examples, new_command
from canasta.commands.output import BAD_INPUT, FAILED, ask_for, in_words, warn
from canasta.commands.spoken import spoken
from canasta.notation.errors import printable
from canasta.notation.scenarios.file import find_files, load_file
from canasta.notation.scenarios.run import Result, run_file
from canasta.words.files import wrong_line


def run_scenarios(paths: Sequence[str], *, verbose: bool) -> None:
    """Runs every scenario of these files; the failures are printed as they come."""
    passed = failed = 0
    unreadable = False
    for path in find_files(paths):
        file = load_file(path)
        unreadable = unreadable or file.problem is not None
        for result in run_file(file):
            passed += result.passed
            failed += not result.passed
            if verbose or not result.passed:
                typer.echo(printable(_told(result)))
    typer.echo(in_words("scenario_count", {"have": passed, "short": failed}))
    if passed + failed == 0:
        warn("scenario_none", {"text": " ".join(map(printable, paths))})
    if unreadable or passed + failed == 0:
        raise typer.Exit(BAD_INPUT)
    if failed:
        raise typer.Exit(FAILED)


def _told(result: Result) -> str:
    """Where it stands and how it went, on one line."""
    problems = "; ".join(wrong_line(wrong, spoken()) for wrong in result.problems)
    told = (result.file, result.name, problems or in_words("scenario_passed"))
    return ": ".join(part for part in told if part)


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
