"""`canasta bench`: measurements as a table or as JSON, progress on standard error."""

from collections.abc import Sequence
from dataclasses import asdict

import typer

from canasta.bench import Measured, measure
from canasta.commands.asked import load
from canasta.commands.output import console, fail, print_fitted, print_json, print_table
from canasta.commands.version import facts
from canasta.rules import Ruleset, player_numbers, preset_names


def bench(names: Sequence[str], players: int | None, *, seconds: float, as_json: bool) -> None:
    """Measures the games named, or all."""
    games = _games(names, players)
    results: list[Measured] = []
    for number, rules in enumerate(games, start=1):
        typer.echo(f"{number} of {len(games)}: {rules.name}, {rules.seats.players} players", err=True)
        results.append(measure(rules, seconds))
    known = facts()
    if as_json:
        print_json({**known, "results": [_with_rates(result) for result in results]})
        return
    print_table(
        ("game", "players", "moves/s", "hands/s", "moves/hand", "copy µs", "checksum"),
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
        right=("players", "moves/s", "hands/s", "moves/hand", "copy µs"),
    )
    engine = "compiled" if known["compiled"] else "interpreted"
    typer.echo()
    print_fitted(console(), f"{engine} engine, {known['implementation']} {known['python']}, one process")


def _games(names: Sequence[str], players: int | None) -> list[Ruleset]:
    if names:
        return [load(name, players) for name in dict.fromkeys(names)]
    fitting = [name for name in preset_names() if players is None or players in player_numbers(name)]
    if not fitting:
        fail(f"no game is for {players} players; two to six may play.")
    return [load(name, players) for name in fitting]


def _with_rates(result: Measured) -> dict[str, object]:
    return {
        **asdict(result),
        "moves_per_second": round(result.moves_per_second, 1),
        "hands_per_second": round(result.hands_per_second, 3),
    }
