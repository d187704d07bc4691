"""`canasta stats`: what a hand looks like, as a page of numbers or as JSON."""

from typing import Annotated, Any, Final

import typer

from canasta.arena.hand_stats import CANASTAS, StatsPlan, as_json, watch
from canasta.arena.wording import MINUS, signed
from canasta.commands.arena import INTERRUPTED, Wanted, progress, told_in_a_sentence
from canasta.commands.options import (
    MOST_RUN,
    Budget,
    Jobs,
    Json,
    Options,
    Players,
    Ray,
    Rules,
    RunSeed,
    Worlds,
    complete_bot,
    examples,
    new_command,
)
from canasta.commands.output import console, fail, print_fitted, print_json, print_table

BAR: Final = 40
"""Characters of the longest bar."""
PLACES: Final = ("begins", "second", "third", "fourth", "fifth", "sixth")


def run_stats(wanted: Wanted, *, bot: str, hands: int, in_json: bool) -> None:
    """Play so many hands and print what they were like."""
    plan = StatsPlan(wanted.game(), wanted.bot(bot), hands, wanted.seed)
    executor = wanted.executor()
    with told_in_a_sentence(), progress(f"{plan.game.preset}, hands", hands) as told:
        seen = watch(plan, executor, told)
    if not seen.hands:
        fail("arena.no_match", status=INTERRUPTED)
    facts: dict[str, Any] = as_json(seen)
    if in_json:
        print_json(facts)
    else:
        _print(facts, plan)
    if not seen.finished:
        raise typer.Exit(INTERRUPTED)


def _print(facts: dict[str, Any], plan: StatsPlan) -> None:
    cut = "" if facts["finished"] else f" of {plan.hands:,} (cut off)"
    print_fitted(
        console(),
        f"{plan.game.rules().title}, {facts['players']} players: {facts['hands']:,} hands{cut} in "
        f"{facts['matches']:,} matches, all seats {facts['bot']}, seed {facts['seed']}",
    )
    typer.echo()
    turns, ended, pile, opening = facts["turns"], facts["ended"], facts["pile"], facts["first_meld"]
    rows = [
        ("turns", f"{turns['mean']['value']:.1f} on average, {turns['median']:g} in the middle"),
        ("", f"95% of the hands from {turns['most_are_from']:g} to {turns['to']:g}"),
        ("", f"all from {turns['shortest']} to {turns['longest']}"),
        ("small steps", f"{facts['steps']:.0f}"),
        ("ended by going out", f"{_share(ended['share_going_out'])}, the others by the end of the stock"),
        ("from 40 to 90 turns", _share(turns["from_40_to_90"])),
        ("canastas a side", _canastas(facts["canastas_per_side"])),
        ("sides without one", f"{facts['sides_without_canasta']:.1%}"),
        ("pile taken", f"{pile['taken_per_hand']:.2f} times, in {pile['share_of_turns']:.1%} of the turns"),
        ("", f"{pile['cards'] or 0:.1f} cards on average, {pile['most_cards']} at most"),
        ("red threes", f"{facts['red_threes_per_hand']:.2f} laid out"),
        (
            "first meld",
            f"{opening['share_of_sides']:.1%} of the sides, on average in round {opening['round'] or 0:.1f}",
        ),
    ]
    if "foot" in facts:
        foot = facts["foot"]
        rows += [
            ("foot picked up", f"{_share(foot['share_of_seats'])} of the seats"),
            ("", f"on average in round {foot['round'] or 0:.1f}"),
            ("", f"by every seat in {_share(foot['every_seat'])} of the hands"),
        ]
    print_table(("a hand", ""), rows)
    _print_histogram(turns["histogram"], facts["hands"])
    typer.echo()
    print_table(
        ("seat", "side", "points brought", "goes out", "takes the pile"),
        [
            (
                str(seat["seat"]),
                str(seat["side"]),
                f"{seat['points']:.0f}".replace("-", MINUS),
                _share(seat["goes_out"]),
                f"{seat['takes_pile']:.2f}",
            )
            for seat in facts["seats"]
        ],
        right=("seat", "side", "points brought", "goes out", "takes the pile"),
    )
    sides = ", ".join(f"side {side}: {points:.0f}" for side, points in enumerate(facts["points_per_side"]))
    places = ", ".join(
        f"{place} {points:.0f}" for place, points in zip(PLACES, facts["points_by_place"], strict=False)
    )
    typer.echo()
    print_fitted(console(), f"points a hand: {sides.replace('-', MINUS)}", rest="  ")
    print_fitted(console(), f"by place at the table: {places.replace('-', MINUS)}", rest="  ")
    typer.echo()
    print_table(
        ("who ought to be equal", "points a hand (95% for all)", ""),
        [
            (
                f"{entry['what']} {entry['one']} and {entry['what']} {entry['other']}",
                _points(entry["points_per_hand"]),
                "within chance" if entry["within_chance"] else "more than chance",
            )
            for entry in facts["fairness"]
        ],
        right=("points a hand (95% for all)",),
    )


def _print_histogram(bars: list[dict[str, int]], hands: int) -> None:
    most = max(bar["hands"] for bar in bars)
    typer.echo("\nturns")
    where = console()
    longest = min(BAR, where.width - 20) if where.is_terminal else BAR
    for bar in bars:
        drawn = "█" * round(longest * bar["hands"] / most)
        typer.echo(f"{bar['from']:>4}–{bar['to']:<4} {bar['hands'] / hands:>6.1%}  {drawn}".rstrip())


def _canastas(kinds: dict[str, float]) -> str:
    return ", ".join(f"{kinds[name]:.2f} {name}" for name in CANASTAS if kinds[name] or name in CANASTAS[:2])


def _share(entry: dict[str, float | None]) -> str:
    if entry["low"] is None or entry["high"] is None:
        return f"{entry['value']:.1%}"
    return f"{entry['value']:.1%} ({100 * entry['low']:.1f} to {100 * entry['high']:.1f})"


def _points(entry: dict[str, float | None]) -> str:
    value = signed(entry["value"] or 0.0)
    if entry["low"] is None or entry["high"] is None:
        return value
    return f"{value} ({signed(entry['low'])} to {signed(entry['high'])})"


app = new_command()


@app.command(epilog=examples("canasta stats --rules hand-and-foot --players 3 --hands 500"))
def stats(  # noqa: PLR0913, PLR0917 - as above
    rules: Rules = "caliente",
    players: Players = None,
    option: Options = None,
    hands: Annotated[
        int, typer.Option("--hands", "-n", metavar="N", min=1, max=MOST_RUN, help="How many hands.")
    ] = 1000,
    bot: Annotated[
        str,
        typer.Option(
            metavar="BOT",
            help="Who plays all the seats, also your own as my_bot:MyBot.",
            autocompletion=complete_bot,
        ),
    ] = "club",
    seed: RunSeed = "stats",
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
    wanted = Wanted(rules, players, option or [], seed, budget=budget, worlds=worlds, jobs=jobs, ray=ray)
    run_stats(wanted, bot=bot, hands=hands, in_json=json)
