"""The commands `canasta arena` and `canasta stats`: what can be asked; `commands` has how it is done."""

from typing import Annotated

import typer

from canasta.cli_words import Json, Options, Players, Rules, complete_bot, examples

MOST = 1_000_000
"""Pairs or hands of one run, whose results are kept until its end; weeks of play."""


def complete_by(incomplete: str) -> list[str]:
    return [word for word in ("match", "hand") if word.startswith(incomplete)]


Seed = Annotated[str, typer.Option(metavar="TEXT", help="The same text plays the same games again.")]
Jobs = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, max=1024, help="Processes side by side; by default one a core."),
]
Budget = Annotated[
    float | None,
    typer.Option(metavar="S", help="Seconds a turn for players that search, instead of their usual ones."),
]
Worlds = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        min=1,
        max=1_000_000,
        help="Instead of seconds: possible deals for each decision; can be repeated exactly.",
    ),
]
Ray = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Play on this Ray cluster; 'local' starts one on this machine."),
]


def arena(  # noqa: PLR0913, PLR0917 - each argument is an option of the command
    bots: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT",
            help="Computer players, two or more: names, or your own as my_bot:MyBot.",
            autocompletion=complete_bot,
        ),
    ],
    rules: Rules = "caliente",
    players: Players = None,
    option: Options = None,
    pairs: Annotated[
        int,
        typer.Option(
            "--pairs", "-n", metavar="N", min=1, max=MOST, help="Duplicate pairs for each two players."
        ),
    ] = 100,
    by: Annotated[
        str,
        typer.Option(
            metavar="match|hand",
            autocompletion=complete_by,
            help="Whole matches, or single hands with drawn scores: quicker, pair for pair.",
        ),
    ] = "match",
    seed: Seed = "arena",
    budget: Budget = None,
    worlds: Worlds = None,
    jobs: Jobs = None,
    ray: Ray = None,
    report: Annotated[
        str | None, typer.Option(metavar="FILE.html", help="Write a page with plots to this file.")
    ] = None,
    json: Json = False,
) -> None:
    """Measure computer players against each other.

    They meet in duplicate: the same cards with the seats changed. Points a hand come first, with their 95%
    interval; then the share of games won. More than two play a round robin and are rated. Ctrl-C ends the
    run and shows what is there.
    """
    from canasta.commands.arena import Wanted, run_arena

    wanted = Wanted(rules, players, option or [], seed, budget=budget, worlds=worlds, jobs=jobs, ray=ray)
    run_arena(wanted, bots, by=by, pairs=pairs, report=report, as_json=json)


def stats(  # noqa: PLR0913, PLR0917 - as above
    rules: Rules = "caliente",
    players: Players = None,
    option: Options = None,
    hands: Annotated[
        int, typer.Option("--hands", "-n", metavar="N", min=1, max=MOST, help="How many hands.")
    ] = 1000,
    bot: Annotated[
        str,
        typer.Option(
            metavar="BOT",
            help="Who plays all the seats, also your own as my_bot:MyBot.",
            autocompletion=complete_bot,
        ),
    ] = "club",
    seed: Seed = "stats",
    budget: Budget = None,
    worlds: Worlds = None,
    jobs: Jobs = None,
    ray: Ray = None,
    json: Json = False,
) -> None:
    """Tell what hands look like, from many of them.

    Length, canastas, going out, the pile, red threes, points, and if the seats are equal. The hands are
    those of whole matches that a computer player plays against itself.
    """
    from canasta.commands.arena import Wanted
    from canasta.commands.stats import run_stats

    wanted = Wanted(rules, players, option or [], seed, budget=budget, worlds=worlds, jobs=jobs, ray=ray)
    run_stats(wanted, bot=bot, hands=hands, in_json=json)


def register(app: typer.Typer) -> None:
    """Add both commands to the command line."""
    app.command(
        epilog=examples(
            "canasta arena club casual --pairs 200",
            "canasta arena random novice club --by hand --report arena.html",
        )
    )(arena)
    app.command(epilog=examples("canasta stats --rules hand-and-foot --players 3 --hands 500"))(stats)
