"""Measure the ladder of computer players; docs/strength.md and docs/typical-hands.md quote the results.

    python benchmarks/arena_ladder.py run --pairs 1000
    python benchmarks/arena_ladder.py run --expert --by hand --pairs 100
    python benchmarks/arena_ladder.py stats --hands 10000
    python benchmarks/arena_ladder.py tables

Results are stored in benchmarks/arena_ladder.json; a run replaces the entries it measures. Install the
compiled package first: the interpreted one takes several times longer.
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from canasta.arena import hand_stats, tournament
from canasta.arena.executors import local_executor
from canasta.arena.hand_stats import StatsPlan, watch
from canasta.arena.intervals import Estimate, interval_text, rating_text, share_text
from canasta.arena.play import BotSpec, By, GameSpec
from canasta.arena.report import command, verdict
from canasta.arena.tournament import TournamentPlan, judge, play

KEPT = Path(__file__).with_suffix(".json")
GAMES = (("caliente", 4), ("jaques", 4), ("caliente-samba", 4), ("hand-and-foot", 4), ("two-player", 2))
MORE_GAMES = (("jaques-samba", 4), ("bolivia", 4))
ORDER = [name for name, _ in (*GAMES, *MORE_GAMES)]
LADDER = ("random", "novice", "casual", "club")

app = typer.Typer(help=__doc__, rich_markup_mode=None, add_completion=False)
Games = Annotated[list[str] | None, typer.Option("--rules", "-r", help="Only these games.")]
Jobs = Annotated[int | None, typer.Option(help="Processes; by default one per core.")]


def _kept() -> dict[str, Any]:
    if not KEPT.exists():
        return {"arena": {}, "stats": {}}
    return cast("dict[str, Any]", json.loads(KEPT.read_text(encoding="utf-8")))


def _keep(kind: str, key: str, entry: dict[str, Any]) -> None:
    kept = _kept()
    kept[kind][key] = entry
    KEPT.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")


@app.command()
def run(
    *,
    pairs: int = 1000,
    by: str = "match",
    expert: Annotated[bool, typer.Option("--expert", help="Expert against club, not the others.")] = False,
    budget: float | None = None,
    worlds: int | None = None,
    seed: str = "strength",
    rules: Games = None,
    jobs: Jobs = None,
) -> None:
    """Measure players against each other."""
    bots = tuple(BotSpec(name) for name in LADDER)
    searched = ""
    if expert:
        bots = (BotSpec("expert", budget, worlds), BotSpec("club"))
        searched = f" {budget:g} s" if budget else f" {worlds} worlds" if worlds else ""
    for name, players in (game for game in GAMES if not rules or game[0] in rules):
        plan = TournamentPlan(GameSpec(name, players, by=cast("By", by)), bots, pairs, seed)
        played = play(plan, local_executor(jobs))
        result = judge(plan, played)
        data: dict[str, Any] = tournament.as_json(result)
        for matchup in data["matchups"]:
            for long in ("differences", "hands_by_pair"):
                matchup.pop(long)
        if result.pairs:
            key = f"{name} {'expert' + searched if expert else 'ladder'} by {by}"
            # A run that was cut off equals one with fewer pairs.
            _keep("arena", key, data | {"command": command(replace(plan, pairs=result.pairs))})
        for matchup in result.matchups:
            typer.echo(f"{name}, {players} players: {verdict(plan, matchup)}")
        if played.interrupted:
            raise typer.Exit(130)


@app.command()
def stats(
    *, hands: int = 10_000, bot: str = "club", seed: str = "stats", rules: Games = None, jobs: Jobs = None
) -> None:
    """Measure statistics of hands."""
    for name, players in (game for game in (*GAMES, *MORE_GAMES) if not rules or game[0] in rules):
        plan = StatsPlan(GameSpec(name, players), BotSpec(bot), hands, seed)
        facts: dict[str, Any] = hand_stats.as_json(watch(plan, local_executor(jobs)))
        _keep("stats", f"{name} {bot}", facts)
        turns = facts["turns"]["mean"]["value"]
        typer.echo(f"{name}, {players} players: {facts['hands']:,} hands of {turns:.1f} turns")


# -- tables -------------------------------------------------------------------------------------------------


def _estimate(entry: dict[str, float | None]) -> Estimate:
    return Estimate(entry["value"] or 0.0, entry["low"], entry["high"])


def _print(head: str, right: int, rows: list[list[str]]) -> None:
    """Print a table in which all columns after the first few are numeric."""
    names = head.split(" | ")
    typer.echo("| " + " | ".join(names) + " |")
    typer.echo("|" + "|".join(" --- " if at < right else " ---: " for at in range(len(names))) + "|")
    for row in rows:
        typer.echo("| " + " | ".join(row) + " |")
    typer.echo()


def _with_search(bots: list[dict[str, Any]], label: str) -> str:
    bot = next(bot for bot in bots if bot["label"] == label)
    if bot["budget"]:
        return f"{label} ({bot['budget']:g} s a turn)"
    return f"{label} ({bot['worlds']} worlds)" if bot["worlds"] else label


@app.command()
def tables() -> None:
    """Print the tables in Markdown."""
    kept = _kept()
    runs = sorted(kept["arena"].values(), key=lambda entry: (len(entry["bots"]), ORDER.index(entry["rules"])))
    for bots in (len(LADDER), 2):
        for by in ("match", "hand"):
            rows = [
                [
                    f"{entry['rules']}, {entry['players']}",
                    _with_search(entry["bots"], matchup["a"]),
                    _with_search(entry["bots"], matchup["b"]),
                    interval_text(_estimate(matchup["points_per_hand"])),
                    share_text(_estimate(matchup["games"]["share"])),
                    f"{entry['pairs']:,}",
                    f"{matchup['hands']:,}",
                ]
                for entry in runs
                if entry["by"] == by and len(entry["bots"]) == bots
                for matchup in entry["matchups"]
            ]
            won = "games won" if by == "match" else "hands won"
            if rows:
                _print(
                    f"game | player | against | points a hand (95%) | {won} (95%) | pairs | hands", 3, rows
                )
    rated = [entry for entry in runs if len(entry["bots"]) > 2 and entry["by"] == "match"]
    _print(
        "game | " + " | ".join(LADDER),
        1,
        [
            [f"{entry['rules']}, {entry['players']}"]
            + [rating_text(_estimate(bot["rating"])) for bot in entry["bots"]]
            for entry in rated
        ],
    )
    for entry in runs:
        typer.echo(entry["command"])
    typer.echo()
    by_rules = sorted(kept["stats"].values(), key=lambda facts: ORDER.index(facts["rules"]))
    _print(
        "game | hands | by going out | turns | 95% of hands | 40 to 90 turns | pile taken | canastas a side",
        1,
        [
            [
                f"{facts['rules']}, {facts['players']}",
                f"{facts['hands']:,}",
                f"{facts['ended']['share_going_out']['value']:.1%}",
                f"{facts['turns']['mean']['value']:.1f}",
                f"{facts['turns']['most_are_from']:.0f} to {facts['turns']['to']:.0f}",
                f"{facts['turns']['from_40_to_90']['value']:.1%}",
                f"{facts['pile']['taken_per_hand']:.2f}",
                f"{sum(facts['canastas_per_side'].values()):.2f}",
            ]
            for facts in by_rules
        ],
    )
    _print(
        "game | should be equal | points a hand (95% for all of a game)",
        2,
        [
            [
                f"{facts['rules']}, {facts['players']}",
                f"{entry['what']} {entry['one']} and {entry['what']} {entry['other']}",
                interval_text(_estimate(entry["points_per_hand"])),
            ]
            for facts in by_rules
            for entry in facts["fairness"]
        ],
    )


if __name__ == "__main__":
    app()
