"""`canasta stats`: statistics of hands, as tables or JSON."""

from typing import Annotated, Any, Final

import typer

from canasta.arena.hand_stats import CANASTAS, StatsPlan, as_json, watch
from canasta.arena.intervals import MINUS, Estimate, interval_text, share_text
from canasta.commands.arena import INTERRUPTED, ArenaArguments, errors_as_messages, progress
from canasta.commands.options import (
    Budget,
    Hands,
    Jobs,
    Json,
    Lang,
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
from canasta.commands.output import (
    console,
    fail,
    language,
    measure_text,
    print_fitted,
    print_json,
    print_table,
    use_language,
)
from canasta.i18n import Facts
from canasta.i18n.voice import Voice
from canasta.rules.preset_files import title_of

BAR: Final = 40
"""Maximum length of a bar, in characters."""


def _print(facts: dict[str, Any], plan: StatsPlan) -> None:
    told: Facts = {
        "title": title_of(plan.game.rules(), language()),
        "players": facts["players"],
        "seen": f"{facts['hands']:,}",
        "most": f"{plan.hands:,}",
        "matches": f"{facts['matches']:,}",
        "name": facts["bot"],
        "text": facts["seed"],
    }
    print_fitted(console(), measure_text("seen" if facts["finished"] else "seen_cut", told))
    typer.echo()
    print_table((measure_text("a_hand"), ""), _rows(facts))
    _print_histogram(facts["turns"]["histogram"], facts["hands"])
    typer.echo()
    head = [measure_text(code) for code in ("seat", "side", "brought", "goes_out", "takes_pile")]
    print_table(
        head,
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
        right=head,
    )
    sides = ", ".join(
        measure_text("of_side", {"number": side, "text": f"{points:.0f}".replace("-", MINUS)})
        for side, points in enumerate(facts["points_per_side"])
    )
    places = ", ".join(
        f"{measure_text(f'place_{place}')} {points:.0f}".replace("-", MINUS)
        for place, points in enumerate(facts["points_by_place"], start=1)
    )
    typer.echo()
    print_fitted(console(), measure_text("of_sides", {"text": sides}), rest="  ")
    print_fitted(console(), measure_text("of_places", {"text": places}), rest="  ")
    typer.echo()
    print_table(
        (measure_text("equal"), measure_text("equal_points"), ""),
        [
            (
                measure_text(f"equal_{entry['what']}s", {"one": entry["one"], "right": entry["other"]}),
                interval_text(Estimate(**entry["points_per_hand"]), measure_text("to")),
                measure_text("chance" if entry["within_chance"] else "more_than_chance"),
            )
            for entry in facts["fairness"]
        ],
        right=(measure_text("equal_points"),),
    )


def _rows(facts: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the rows of the summary, each a heading and a value."""
    turns, pile, opening = facts["turns"], facts["pile"], facts["first_meld"]
    mean: Facts = {"text": f"{turns['mean']['value']:.1f}", "written": f"{turns['median']:g}"}
    most: Facts = {"low": f"{turns['most_are_from']:g}", "high": f"{turns['to']:g}"}
    share, cards = f"{pile['share_of_turns']:.1%}", f"{pile['cards'] or 0:.1f}"
    begun: Facts = {"text": f"{opening['share_of_sides']:.1%}", "written": f"{opening['round'] or 0:.1f}"}
    rows = [
        ("turns", measure_text("turns_mean", mean)),
        ("", measure_text("turns_most", most)),
        ("", measure_text("turns_all", {"low": turns["shortest"], "high": turns["longest"]})),
        ("steps", f"{facts['steps']:.0f}"),
        ("out", how_ended(facts["ended"])),
        ("usual", _share(turns["from_40_to_90"])),
        ("canastas", _canastas(facts["canastas_per_side"])),
        ("without", f"{facts['sides_without_canasta']:.1%}"),
        ("pile", measure_text("pile_share", {"text": f"{pile['taken_per_hand']:.2f}", "written": share})),
        ("", measure_text("pile_cards", {"text": cards, "most": pile["most_cards"]})),
        ("red", measure_text("red_laid", {"text": f"{facts['red_threes_per_hand']:.2f}"})),
        ("opening", measure_text("opening_share", begun)),
    ]
    if "foot" in facts:
        foot = facts["foot"]
        rows += [
            ("foot", measure_text("foot_seats", {"text": _share(foot["share_of_seats"])})),
            ("", measure_text("foot_round", {"written": f"{foot['round'] or 0:.1f}"})),
            ("", measure_text("foot_every", {"text": _share(foot["every_seat"])})),
        ]
    return [(measure_text(code) if code else "", text) for code, text in rows]


def how_ended(ended: dict[str, Any]) -> str:
    """Return the share of hands that ended by going out and, if there were any, by a special hand."""
    told: Facts = {"text": _share(ended["share_going_out"])}
    if not ended["special_hand"]:
        return measure_text("out_share", told)
    share = ended["special_hand"] / (ended["going_out"] + ended["special_hand"] + ended["stock"])
    return measure_text("out_share_special", {**told, "written": f"{share:.1%}"})


def _print_histogram(bars: list[dict[str, int]], hands: int) -> None:
    most = max(bar["hands"] for bar in bars)
    typer.echo(f"\n{measure_text('turns')}")
    where = console()
    longest = min(BAR, where.width - 20) if where.is_terminal else BAR
    for bar in bars:
        drawn = "█" * round(longest * bar["hands"] / most)
        typer.echo(f"{bar['from']:>4}–{bar['to']:<4} {bar['hands'] / hands:>6.1%}  {drawn}".rstrip())


def _canastas(kinds: dict[str, float]) -> str:
    voice = Voice(language())
    shown = [name for name in CANASTAS if kinds[name] or name in CANASTAS[:2]]
    return ", ".join(f"{kinds[name]:.2f} {voice.word(f'kind.{name}')}" for name in shown)


def _share(entry: dict[str, Any]) -> str:
    return share_text(Estimate(**entry), measure_text("to"))


app = new_command()


@app.command(epilog=examples("canasta stats --rules hand-and-foot --players 3 --hands 500"))
def stats(  # noqa: PLR0913, PLR0917 - as above
    rules: Rules = "caliente",
    players: Players = None,
    option: Options = None,
    hands: Hands = 1000,
    bot: Annotated[
        str,
        typer.Option(
            metavar="BOT",
            help="Computer player for all seats; your own as my_bot:MyBot.",
            autocompletion=complete_bot,
        ),
    ] = "club",
    seed: RunSeed = "stats",
    budget: Budget = None,
    worlds: Worlds = None,
    jobs: Jobs = None,
    ray: Ray = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Show statistics from many simulated hands.

    Covers length, canastas, going out, the pile, red threes and points, and tests whether all seats have
    equal chances. The hands come from whole matches that a computer player plays against itself.
    """
    use_language(lang)
    arguments = ArenaArguments(
        rules, players, option or [], seed, budget=budget, worlds=worlds, jobs=jobs, ray=ray
    )
    plan = StatsPlan(arguments.game(), arguments.bot(bot), hands, arguments.seed)
    executor = arguments.executor()
    with (
        errors_as_messages(),
        progress(measure_text("hands_of", {"name": plan.game.preset}), hands) as show,
    ):
        seen = watch(plan, executor, show)
    if not seen.hands:
        fail("arena.no_match", status=INTERRUPTED)
    facts: dict[str, Any] = as_json(seen)
    if json:
        print_json(facts)
    else:
        _print(facts, plan)
    if not seen.finished:
        raise typer.Exit(INTERRUPTED)
