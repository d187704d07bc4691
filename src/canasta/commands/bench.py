"""`canasta bench`: measurements as a table or JSON, with progress on standard error."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated

import typer

from canasta.arena.benchmark import GameMeasurement, measure
from canasta.commands.options import Json, Lang, Players, complete_preset, examples, load, new_command
from canasta.commands.output import (
    console,
    fail,
    measure_text,
    print_fitted,
    print_json,
    print_table,
    use_language,
)
from canasta.i18n import Facts
from canasta.installation import build_facts
from canasta.rules import Ruleset, player_numbers, preset_names


def _games(names: Sequence[str], players: int | None) -> list[Ruleset]:
    if names:
        return [load(name, players) for name in dict.fromkeys(names)]
    fitting = [name for name in preset_names() if players is None or players in player_numbers(name)]
    if not fitting:
        fail("game_for_nobody", {"players": players or 0})
    return [load(name, players) for name in fitting]


def _with_rates(result: GameMeasurement) -> dict[str, object]:
    return {
        **asdict(result),
        "moves_per_second": round(result.moves_per_second, 1),
        "hands_per_second": round(result.hands_per_second, 3),
    }


app = new_command()
app.info.help = "Measure how fast this machine plays."
app.info.epilog = examples("canasta bench engine --rules caliente --seconds 1")


@app.callback(invoke_without_command=True)
def show_help(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command("engine", epilog=examples("canasta bench engine --rules caliente --seconds 1"))
def bench_engine(
    rules: Annotated[
        list[str] | None,
        typer.Option(
            "--rules",
            "-r",
            metavar="NAME",
            help="A game; can be repeated. Default: all.",
            autocompletion=complete_preset,
        ),
    ] = None,
    players: Players = None,
    seconds: Annotated[
        float, typer.Option("--seconds", "-s", metavar="S", min=0, max=3600, help="Seconds per game.")
    ] = 3.0,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Measure random play in moves and hands per second.

    Also measures how long it takes to copy a table, as players that search do. Every move is chosen at
    random from the legal ones. The checksum covers the first hands and is the same on every machine,
    compiled or not. Seconds are processor time.
    """

    use_language(lang)
    games = _games(rules or [], players)
    results: list[GameMeasurement] = []
    for number, game in enumerate(games, start=1):
        which: Facts = {"number": number, "count": len(games), "name": game.name}
        typer.echo(measure_text("measured", {**which, "players": game.seats.players}), err=True)
        results.append(measure(game, seconds))
    known = build_facts()
    if json:
        print_json({**known, "results": [_with_rates(result) for result in results]})
        return
    codes = ("game", "players", "moves_second", "hands_second", "moves_hand", "copy", "checksum")
    head = [measure_text(code) for code in codes]
    print_table(
        head,
        [
            (
                result.rules,
                str(result.players),
                f"{result.moves_per_second:,.0f}",
                f"{result.hands_per_second:,.1f}",
                f"{result.moves / result.hands:,.0f}",
                f"{result.copy_microseconds:.1f}",
                result.checksum,
            )
            for result in results
        ],
        right=head[1:-1],
    )
    typer.echo()
    python = f"{known['implementation']} {known['python']}"
    print_fitted(
        console(), measure_text("compiled" if known["compiled"] else "interpreted", {"text": python})
    )
