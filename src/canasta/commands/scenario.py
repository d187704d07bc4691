"""`canasta scenario`: run rule scenarios. Programs read this output too, so it isn't coloured or wrapped."""

from collections.abc import Sequence
from typing import Annotated

import typer

from canasta.commands.language import spoken
from canasta.commands.options import Lang, examples, new_command
from canasta.commands.output import BAD_INPUT, FAILED, ask_for, in_words, warn
from canasta.i18n.files import wrong_line
from canasta.notation.errors import printable
from canasta.scenarios.run import ScenarioResult, run_file
from canasta.scenarios.schema import find_files, load_file


def run_scenarios(paths: Sequence[str], *, verbose: bool) -> None:
    """Run every scenario in these files and print failures as they occur."""
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


def _told(result: ScenarioResult) -> str:
    """Return the scenario's file, name and result on one line."""
    problems = "; ".join(wrong_line(wrong, spoken()) for wrong in result.problems)
    told = (result.file, result.name, problems or in_words("scenario_passed"))
    return ": ".join(part for part in told if part)


app = new_command()


@app.command(epilog=examples("canasta scenario tests/rulebook/pile_frozen.yaml"))
def scenario(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Scenario files or folders.")],
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Also list the scenarios that pass.")
    ] = False,
    lang: Lang = None,
) -> None:
    """Run rule scenarios; print the failures and the count.

    The exit status is 0 only if all of them pass.
    """

    ask_for(lang)
    run_scenarios(files, verbose=verbose)
