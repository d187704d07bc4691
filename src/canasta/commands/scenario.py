"""`canasta scenario`: run rule scenarios. `canasta rules --coverage`: list the scenarios of each clause."""

from pathlib import Path
from typing import Annotated, Final

import typer
from rich.text import Text

from canasta.commands.options import Lang, RulesArguments, examples, new_command
from canasta.commands.output import (
    BAD_INPUT,
    FAILED,
    console,
    fail,
    in_words,
    language,
    print_fitted,
    print_json,
    use_language,
    warn,
)
from canasta.commands.rules import find_clause
from canasta.i18n import Facts
from canasta.i18n.safe_text import printable
from canasta.rules.clauses import CLAUSES, clause_in, group_of, group_title
from canasta.scenarios.run import ClauseCoverage, ScenarioResult, coverage, run_file
from canasta.scenarios.schema import find_files, load_file

USUAL_PLACE: Final = "tests/rulebook"
NOT_A_RULE: Final = "NOTATION"
"""Clause name of scenarios that test the notation; the rulebook has no such clause."""


def _told(result: ScenarioResult) -> str:
    """Format a scenario's file, name and result as one line."""
    problems = "; ".join(wrong.line_in(language()) for wrong in result.problems)
    parts = (result.file, result.name, problems or in_words("scenario_passed"))
    return ": ".join(part for part in parts if part)


# -- coverage -----------------------------------------------------------------------------------------------


def print_coverage(arguments: RulesArguments, *, clause: str | None, short: bool) -> None:
    """Print every clause, or one, with its scenarios; exit with status 1 if a clause has none."""
    clauses = list(CLAUSES) if clause is None else [find_clause(clause).id]
    paths = _checked_paths(arguments)
    proved = coverage(paths)
    proofs = {name: proved.get(name, ClauseCoverage()) for name in clauses}
    missing = [name for name, proof in proofs.items() if not proof.scenarios]
    unknown = sorted(set(proved) - set(CLAUSES) - {NOT_A_RULE})
    if arguments.as_json:
        _print_as_json(proofs, missing, unknown)
    else:
        _print_as_text(proofs, short=short)
        _print_count(proofs, missing)
    for name in unknown:
        warn("coverage.unknown", {"name": printable(name)})
    if missing or unknown:
        raise typer.Exit(FAILED)


def _checked_paths(arguments: RulesArguments) -> list[str]:
    """Return the given files and folders, or the default one; exit if a file can't be read."""
    paths = list(arguments.names)
    if not paths:
        if not Path(USUAL_PLACE).is_dir():
            fail("coverage.which", {"name": USUAL_PLACE})
        paths = [USUAL_PLACE]
    problems = [(file.path, file.problem) for file in map(load_file, find_files(paths)) if file.problem]
    for path, problem in problems:
        warn("file_failed", {"name": path, "text": problem.line_in(language())})
    if problems:
        raise typer.Exit(BAD_INPUT)
    return paths


def _print_as_json(proofs: dict[str, ClauseCoverage], missing: list[str], unknown: list[str]) -> None:
    print_json(
        {
            "clauses": [
                {
                    "id": name,
                    "title": clause_in(name, language()).title,
                    "allowed": proof.allowed,
                    "refused": proof.refused,
                    "scenarios": proof.scenarios,
                }
                for name, proof in proofs.items()
            ],
            "missing": missing,
            "unknown": unknown,
        }
    )


def _print_as_text(proofs: dict[str, ClauseCoverage], *, short: bool) -> None:
    where = console()
    allowed, refused = in_words("coverage.allowed"), in_words("coverage.refused")
    group = ""
    for name, proof in proofs.items():
        if group_of(name) != group:
            if group:
                typer.echo()
            group = group_of(name)
            where.print(Text(group_title(group, language()), style="title"))
        title = Text(f"  {name:<8} {clause_in(name, language()).title:<46}")
        title.stylize("quiet", 0, 10)
        counts = Text(f" {proof.allowed:>3} {allowed} {proof.refused:>3} {refused}")
        if not proof.scenarios:
            counts.append(f"  {in_words('coverage.none')}", style="refused")
        if where.is_terminal and len(title) + len(counts) > where.width:
            title.rstrip()
            counts = Text("         ").append_text(counts)
            where.print(title)
            where.print(counts)
        else:
            where.print(title.append_text(counts), soft_wrap=True)
        if not short:
            for scenario in proof.scenarios:
                where.print(Text(f"           {printable(scenario)}", style="quiet"), soft_wrap=True)


def _print_count(proofs: dict[str, ClauseCoverage], missing: list[str]) -> None:
    scenarios = {scenario for proof in proofs.values() for scenario in proof.scenarios}
    proved = len(proofs) - len(missing)
    typer.echo()
    facts: Facts = {"have": proved, "count": len(proofs), "seen": len(scenarios)}
    print_fitted(console(), in_words("coverage.proved", facts))
    if missing:
        print_fitted(console(), in_words("coverage.missing", {"text": ", ".join(missing)}), rest="  ")


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

    use_language(lang)
    passed = failed = 0
    unreadable = False
    for path in find_files(files):
        file = load_file(path)
        unreadable = unreadable or file.problem is not None
        for result in run_file(file):
            passed += result.passed
            failed += not result.passed
            if verbose or not result.passed:
                typer.echo(printable(_told(result)))
    typer.echo(in_words("scenario_count", {"have": passed, "short": failed}))
    if passed + failed == 0:
        warn("scenario_none", {"text": " ".join(map(printable, files))})
    if unreadable or passed + failed == 0:
        raise typer.Exit(BAD_INPUT)
    if failed:
        raise typer.Exit(FAILED)
