"""`canasta arena`: validate the options, play with a progress bar, print the results."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Protocol, cast

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from canasta.arena.executors import Executor, ExecutorError, OnRay, local_executor
from canasta.arena.intervals import interval_text, rating_text, share_text
from canasta.arena.play import BotSpec, By, GameSpec
from canasta.arena.report import html_report
from canasta.arena.tournament import ArenaResult, TournamentPlan, judge, play
from canasta.arena.tournament import as_json as result_as_json
from canasta.bots import SEARCHERS
from canasta.bots.protocol import BotError
from canasta.commands.options import (
    MOST_RUN,
    Budget,
    Jobs,
    Json,
    Lang,
    Options,
    Players,
    Ray,
    Rules,
    RulesArguments,
    RunSeed,
    Worlds,
    complete_bot,
    examples,
    load_bot_or_exit,
    new_command,
)
from canasta.commands.output import (
    FAILED,
    fail,
    fail_saying,
    language,
    measure_text,
    print_fitted,
    print_json,
    print_table,
    use_language,
    warn,
)
from canasta.commands.output import console as output_console
from canasta.i18n import Facts
from canasta.i18n.safe_text import short
from canasta.rules.preset_files import title_of

INTERRUPTED = 130
"""Exit status that shells report for a program interrupted by Ctrl-C."""
LONGEST_BUDGET = 3600.0
"""Maximum seconds per turn."""


@dataclass(frozen=True)
class ArenaArguments:
    """Arguments shared by `canasta arena` and `canasta stats`, as typed."""

    rules: str
    players: int | None
    option: Sequence[str]
    seed: str
    budget: float | None
    worlds: int | None
    jobs: int | None
    ray: str | None

    def game(self, by: str = "match") -> GameSpec:
        arguments = RulesArguments([self.rules], self.players, self.option)
        rules = arguments.rules()
        if by not in ("match", "hand"):
            fail("arena.by", {"text": short(by)})
        return GameSpec(rules.name, rules.seats.players, tuple(arguments.options().items()), cast("By", by))

    def bot(self, name: str) -> BotSpec:
        load_bot_or_exit(name)
        if self.budget is not None and not 0 < self.budget <= LONGEST_BUDGET:
            fail("arena.budget", {"most": f"{LONGEST_BUDGET:g}", "text": f"{self.budget:g}"})
        if self.budget is not None and self.worlds is not None:
            fail("arena.budget_and_worlds")
        return BotSpec(name, self.budget, self.worlds) if name in SEARCHERS else BotSpec(name)

    def executor(self) -> Executor:
        if self.ray is not None and self.jobs is not None:
            fail("arena.jobs_and_ray")
        return local_executor(self.jobs) if self.ray is None else OnRay(self.ray)


class ProgressCallback(Protocol):
    def __call__(self, done: int, /) -> None: ...


@contextmanager
def progress(words: str, total: int) -> Iterator[ProgressCallback]:
    """Show a progress bar on standard error if that is a terminal.

    Yield a function to call with the number of finished items.
    """
    console = Console(stderr=True)
    bar = Progress(
        TextColumn(words),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    with bar:
        task = bar.add_task(words, total=total)
        yield lambda done: bar.update(task, completed=done)


@contextmanager
def errors_as_messages() -> Iterator[None]:
    """Report failures of bots and executors without a traceback, and send bots' output to standard error."""
    try:
        with redirect_stdout(sys.stderr):
            yield
    except ExecutorError as error:
        fail_saying(str(error))
    except BotError as error:
        fail_saying(f"{error}.", FAILED)


def _check_writable(report: str) -> None:
    """Exit if the report can't be written, rather than fail after hours of play."""
    path = Path(report)
    if path.is_dir():
        fail("arena.report_folder", {"name": report})
    if not path.parent.is_dir():
        fail("arena.no_folder", {"name": str(path.parent)})


def _print(result: ArenaResult, *, as_json: bool) -> None:
    if as_json:
        print_json(result_as_json(result))
        return
    plan = result.plan
    labels = plan.labels()
    if not result.finished:
        typer.echo(measure_text("cut_off", {"have": result.pairs, "count": plan.pairs}) + "\n")
    won = "games_won" if plan.game.by == "match" else "hands_won"
    head = [measure_text(code) for code in ("player", "against", "points", won, "tally", "hands")]
    to = measure_text("to")
    print_table(
        head,
        [
            (
                labels[matchup.a],
                labels[matchup.b],
                interval_text(matchup.points, to),
                share_text(matchup.share, to),
                f"{matchup.won}-{matchup.drawn}-{matchup.lost}",
                f"{matchup.hands:,}",
            )
            for matchup in result.matchups
        ],
        right=head[2:],
    )
    if len(labels) > 2:
        best_first = sorted(range(len(labels)), key=lambda bot: -result.ratings[bot].value)
        typer.echo()
        print_table(
            (head[0], measure_text("rating")),
            [(labels[bot], rating_text(result.ratings[bot], to)) for bot in best_first],
            right=(measure_text("rating"),),
        )
    typer.echo()
    facts: Facts = {
        "title": title_of(plan.game.rules(), language()),
        "players": plan.game.players,
        "count": result.pairs,
        "text": plan.seed,
    }
    run = "run_match" if plan.game.by == "match" else "run_hand"
    print_fitted(output_console(), measure_text(run, facts))
    clocks = [label for label, bot in zip(labels, plan.bots, strict=True) if bot.keeps_a_clock]
    if clocks:
        print_fitted(output_console(), measure_text("clocks", {"text": ", ".join(clocks)}))


def complete_by(incomplete: str) -> list[str]:
    return [word for word in ("match", "hand") if word.startswith(incomplete)]


app = new_command()


@app.command(
    epilog=examples(
        "canasta arena club casual --pairs 200",
        "canasta arena random novice club --by hand --report arena.html",
    )
)
def arena(  # noqa: PLR0913, PLR0917 - each argument is an option of the command
    bots: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT",
            help="Two or more computer players, by name; your own as my_bot:MyBot.",
            autocompletion=complete_bot,
        ),
    ],
    rules: Rules = "caliente",
    players: Players = None,
    option: Options = None,
    pairs: Annotated[
        int,
        typer.Option("--pairs", "-n", metavar="N", min=1, max=MOST_RUN, help="Duplicate pairs per matchup."),
    ] = 100,
    by: Annotated[
        str,
        typer.Option(
            metavar="match|hand",
            autocompletion=complete_by,
            help="Play whole matches, or single hands from random scores, which is faster.",
        ),
    ] = "match",
    seed: RunSeed = "arena",
    budget: Budget = None,
    worlds: Worlds = None,
    jobs: Jobs = None,
    ray: Ray = None,
    report: Annotated[
        str | None, typer.Option(metavar="FILE.html", help="Write an HTML report with plots to this file.")
    ] = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Compare computer players by playing them against each other.

    Every deal is played twice, with the seats swapped. The result is points per hand, with a 95% confidence
    interval, and the share of games won. More than two players play a round robin and get ratings. Ctrl-C
    stops the run and prints the results so far.
    """

    use_language(lang)
    arguments = ArenaArguments(
        rules, players, option or [], seed, budget=budget, worlds=worlds, jobs=jobs, ray=ray
    )
    if len(bots) < 2:
        fail("arena.two")
    plan = TournamentPlan(
        arguments.game(by), tuple(arguments.bot(name) for name in bots), pairs, arguments.seed
    )
    executor = arguments.executor()
    if report is not None:
        _check_writable(report)
    label = measure_text("pairs_of", {"name": plan.game.preset})
    with errors_as_messages(), progress(label, pairs * len(plan.matchups())) as show:
        played = play(plan, executor, show)
    result = judge(plan, played)
    if played.failure and not result.pairs:
        fail_saying(played.failure, FAILED)
    if played.interrupted and not result.pairs:
        fail("arena.no_pair", status=INTERRUPTED)
    _print(result, as_json=json)
    if report is not None:
        Path(report).write_text(html_report(result), encoding="utf-8")
        warn("arena.report", {"name": report})
    if played.failure:
        fail_saying(played.failure, FAILED)
    if played.interrupted:
        raise typer.Exit(INTERRUPTED)
