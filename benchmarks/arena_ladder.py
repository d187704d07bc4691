"""Measure the ladder of computer players and print the tables of docs/strength.md.

    python benchmarks/arena_ladder.py run --pairs 1000      # the cheap levels, all five tables
    python benchmarks/arena_ladder.py run --expert --by hand --pairs 50
    python benchmarks/arena_ladder.py stats --hands 2000
    python benchmarks/arena_ladder.py tables

Results are kept in benchmarks/arena_ladder.json, one entry for each game and match-up; a run replaces the
entries that it measures again. Install the compiled package first: interpreted it takes several times longer.
"""

import json
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from canasta.arena import hand_stats, tournament
from canasta.arena.duplicate import By, Game
from canasta.arena.executors import local_executor
from canasta.arena.hand_stats import StatsPlan, watch
from canasta.arena.intervals import Estimate
from canasta.arena.table import BotSpec
from canasta.arena.tournament import Plan, judge, play
from canasta.arena.wording import command, interval_text, share_text, verdict

KEPT = Path(__file__).with_suffix(".json")
GAMES = (("caliente", 4), ("jaques", 4), ("caliente-samba", 4), ("hand-and-foot", 4), ("two-player", 2))
CHEAP = (("novice", "random"), ("casual", "novice"), ("club", "casual"), ("club", "random"))
EXPERT = (("expert", "club"),)

app = typer.Typer(help=__doc__, rich_markup_mode=None, add_completion=False)
Games = Annotated[list[str] | None, typer.Option("--rules", "-r", help="Only these games.")]
Jobs = Annotated[int | None, typer.Option(help="Processes; by default one a core.")]


def _kept() -> dict[str, Any]:
    if not KEPT.exists():
        return {"arena": {}, "stats": {}}
    return cast("dict[str, Any]", json.loads(KEPT.read_text(encoding="utf-8")))


def _keep(kind: str, key: str, entry: dict[str, Any]) -> None:
    kept = _kept()
    kept[kind][key] = entry
    KEPT.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _wanted(rules: list[str] | None) -> list[tuple[str, int]]:
    return [game for game in GAMES if not rules or game[0] in rules]


@app.command()
def run(
    *,
    pairs: int = 1000,
    by: str = "match",
    expert: Annotated[bool, typer.Option("--expert", help="The expert instead of the cheap levels.")] = False,
    budget: float | None = None,
    seed: str = "strength",
    rules: Games = None,
    jobs: Jobs = None,
) -> None:
    """Measure match-ups of neighbours on the ladder."""
    for name, players in _wanted(rules):
        for better, other in EXPERT if expert else CHEAP:
            game = Game(name, players, by=cast("By", by))
            # Only a player that searches is told how long it may.
            bots = (BotSpec(better, budget if better == "expert" else None), BotSpec(other))
            plan = Plan(game, bots, pairs, seed)
            played = play(plan, local_executor(jobs))
            result = judge(plan, played)
            data = tournament.as_json(result)
            matchup = cast("list[dict[str, Any]]", data.pop("matchups"))[0]
            for long in ("differences", "hands_by_pair"):
                matchup.pop(long)
            entry = data | matchup | {"command": command(plan)}
            _keep("arena", f"{name} {better} {other} {by}" + (f" {budget:g}s" if budget else ""), entry)
            typer.echo(f"{name}, {players} players: {verdict(plan, result.matchups[0])}")
            if played.interrupted:
                raise typer.Exit(130)


@app.command()
def stats(
    *, hands: int = 2000, bot: str = "club", seed: str = "stats", rules: Games = None, jobs: Jobs = None
) -> None:
    """Measure what hands look like."""
    for name, players in _wanted(rules):
        plan = StatsPlan(Game(name, players), BotSpec(bot), hands, seed)
        facts = hand_stats.as_json(watch(plan, local_executor(jobs)))
        _keep("stats", f"{name} {bot}", facts)
        typer.echo(f"{name}, {players} players: {facts['turns']}")


def _estimate(entry: dict[str, float | None]) -> Estimate:
    return Estimate(entry["value"] or 0.0, entry["low"], entry["high"])


@app.command()
def tables() -> None:
    """Print the tables in Markdown."""
    kept = _kept()
    entries = list(kept["arena"].values())
    order = [game for game, _ in GAMES]
    ladder = [*EXPERT, *reversed(CHEAP)]
    for by in ("match", "hand"):
        won = "games won" if by == "match" else "hands won"
        found = [entry for entry in entries if entry["by"] == by]
        if not found:
            continue
        typer.echo(f"| game | player | against | points a hand (95%) | {won} (95%) | pairs | hands |")
        typer.echo("| --- | --- | --- | ---: | ---: | ---: | ---: |")

        def place(entry: dict[str, Any]) -> tuple[int, int, float]:
            names = (entry["a"], entry["b"])
            step = ladder.index(names) if names in ladder else len(ladder)
            return order.index(entry["rules"]), step, entry["bots"][0]["budget"] or 0.0

        for entry in sorted(found, key=place):
            budget = entry["bots"][0]["budget"]
            shown = f"{entry['a']} ({budget:g} s)" if budget else entry["a"]
            typer.echo(
                f"| {entry['rules']}, {entry['players']} | {shown} | {entry['b']} "
                f"| {interval_text(_estimate(entry['points_per_hand']))} "
                f"| {share_text(_estimate(entry['games']['share']))} "
                f"| {entry['pairs']:,} | {entry['hands']:,} |"
            )
        typer.echo()
    if not kept["stats"]:
        return
    typer.echo(
        "| game | hands | by going out | turns | 95% of hands | 40 to 90 turns "
        "| pile taken | canastas a side |"
    )
    typer.echo("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for facts in sorted(kept["stats"].values(), key=lambda facts: order.index(facts["rules"])):
        turns = facts["turns"]
        typer.echo(
            f"| {facts['rules']}, {facts['players']} | {facts['hands']:,} "
            f"| {share_text(_estimate(facts['ended']['share_going_out']))} | {turns['mean']['value']:.1f} "
            f"| {turns['most_are_from']:.0f} to {turns['to']:.0f} | {turns['from_40_to_90']['value']:.1%} "
            f"| {facts['pile']['taken_per_hand']:.2f} | {sum(facts['canastas_per_side'].values()):.2f} |"
        )
    typer.echo("\n| game | who ought to be equal | points a hand (95% for all of a game) |")
    typer.echo("| --- | --- | ---: |")
    for facts in sorted(kept["stats"].values(), key=lambda facts: order.index(facts["rules"])):
        for entry in facts["fairness"]:
            typer.echo(
                f"| {facts['rules']}, {facts['players']} "
                f"| {entry['what']} {entry['one']} and {entry['other']} "
                f"| {interval_text(_estimate(entry['points_per_hand']))} |"
            )


if __name__ == "__main__":
    app()
