"""The arena's report: a standalone HTML file that is readable in light and dark mode."""

import re
import shlex
from html import escape
from itertools import accumulate
from typing import Final

from canasta.arena.intervals import interval_text, number, rating_text, share_text
from canasta.arena.plots import COLOURS, PLOT_STYLE, PlotLine, Row, interval_plot, line_plot
from canasta.arena.tournament import ArenaResult, Matchup, TournamentPlan

STYLE: Final = (
    f"\n{COLOURS}"
    """* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
main { max-width: 960px; margin: 0 auto; padding: 40px 24px 64px; }
header { border-bottom: 3px solid var(--accent); padding-bottom: 18px; margin-bottom: 28px; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 6px; letter-spacing: -0.01em; }
h2 { font-size: 1.15rem; margin: 0 0 4px; }
p { margin: 6px 0 0; max-width: 72ch; }
.quiet { color: var(--quiet); }
.news { list-style: none; margin: 18px 0 0; padding: 0; font-size: 1.05rem; }
.news li { margin: 4px 0; }
.news b { color: var(--accent); white-space: nowrap; }
section { background: var(--card); border: 1px solid var(--rule); border-radius: 10px; padding: 20px 22px;
  margin: 22px 0; }
.wide { overflow-x: auto; margin-top: 14px; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th { text-align: left; color: var(--quiet); font-weight: 500; font-size: 0.85rem; white-space: nowrap; }
th, td { padding: 8px 12px 8px 0; border-bottom: 1px solid var(--rule); white-space: nowrap; }
tr:last-child td { border-bottom: 0; }
.n { text-align: right; }
td.n:last-child, th.n:last-child { padding-right: 0; }
svg { display: block; width: 100%; min-width: 640px; height: auto;
  font: 14px system-ui, "DejaVu Sans", sans-serif; }
"""
    f"{PLOT_STYLE}\n"
    """code { display: block; overflow-x: auto; background: var(--paper); border: 1px solid var(--rule);
  border-radius: 6px; padding: 10px 12px; margin-top: 10px; white-space: pre-wrap; font-size: 0.88rem; }
"""
)


POINTS: Final = (
    "The first player's lead over the second in points per hand, with its 95% interval. If the interval does "
    "not include zero, the difference is more than luck."
)
RATINGS: Final = "The mean of these players is 1500; a lead of 400 points means ten wins to one."
COURSE: Final = (
    "The running total of the difference. A steady slope is a steady advantage; a line that wanders around "
    "zero is luck."
)
MEASURED: Final = (
    "Each pair deals the same cards with the same dealer once for every seating of the two players, so that "
    "both get the good cards. The interval is a bootstrap over whole pairs. To play it again:"
)


def html_report(result: ArenaResult) -> str:
    """Return the whole page."""
    plan = result.plan
    game = plan.game
    labels = plan.labels()
    rules = game.rules()
    title = f"{rules.title}, {game.players} players"
    many = len(plan.bots) > 2
    parts = [
        "<!doctype html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'>",
        "<meta name='viewport' content='width=device-width, initial-scale=1'>",
        f"<title>Arena: {escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n<header>",
        f"<h1>{escape(title)}</h1>",
        f"<p class='quiet'>{escape(_played(result))}</p>",
        "<ul class='news'>",
        *(f"<li>{_news(plan, matchup)}</li>" for matchup in result.matchups),
        "</ul>\n</header>",
        _section(
            "Points a hand",
            POINTS,
            interval_plot(
                [
                    Row(f"{labels[m.a]} – {labels[m.b]}", m.points, interval_text(m.points))
                    for m in result.matchups
                ],
                title="Points a hand with 95% intervals",
                unit="points a hand",
            ),
        ),
        _section("Results", "", _table(result)),
    ]
    if many:
        best_first = sorted(range(len(labels)), key=lambda bot: -result.ratings[bot].value)
        parts.append(
            _section(
                "Ratings",
                f"Bradley–Terry strengths from {'games' if game.by == 'match' else 'hands'} won. {RATINGS}",
                interval_plot(
                    [Row(labels[b], result.ratings[b], rating_text(result.ratings[b])) for b in best_first],
                    title="Ratings with 95% intervals",
                    unit="rating",
                    middle=1500.0,
                ),
            )
        )
    parts += [
        _section(
            "In the course of the run",
            COURSE,
            line_plot(
                [
                    PlotLine(
                        f"{labels[m.a]} – {labels[m.b]}",
                        list(accumulate(pair.difference for pair in m.pairs)),
                    )
                    for m in result.matchups
                ],
                title="Difference summed up over the pairs",
                across="pairs",
                unit="points, all hands together",
            ),
        ),
        "<section><h2>How this was measured</h2>",
        f"<p>{MEASURED}</p>",
        f"<code>{escape(command(plan))}</code></section>",
        "</main>\n</body>\n</html>\n",
    ]
    return "\n".join(parts)


def _played(result: ArenaResult) -> str:
    plan = result.plan
    kind = "matches" if plan.game.by == "match" else "single hands"
    pairs = f"{result.pairs:,} {'pair' if result.pairs == 1 else 'pairs'}"
    each = " for each two of them" if len(plan.bots) > 2 else ""
    cut = "" if result.finished else f" of the {plan.pairs:,} planned: the run was cut off"
    return f"{_joined(plan.labels())} in duplicate {kind}, {pairs}{each}{cut}."


def _news(plan: TournamentPlan, matchup: Matchup) -> str:
    return re.sub(r" by ([^(]+) \(", r" by <b>\1</b> (", escape(verdict(plan, matchup)))


def _section(head: str, words: str, body: str) -> str:
    paragraph = f"<p class='quiet'>{words}</p>" if words else ""
    return f"<section><h2>{head}</h2>{paragraph}<div class='wide'>{body}</div></section>"


def _table(result: ArenaResult) -> str:
    labels = result.plan.labels()
    won = "games won" if result.plan.game.by == "match" else "hands won"
    head = ("", "", "points a hand (95%)", f"share of {won} (95%)", "won – drawn – lost", "hands")
    rows = [
        (
            labels[m.a],
            labels[m.b],
            interval_text(m.points),
            share_text(m.share),
            f"{m.won:,} – {m.drawn:,} – {m.lost:,}",
            f"{m.hands:,}",
        )
        for m in result.matchups
    ]
    titles = "".join(f"<th{' class=n' if at > 1 else ''}>{escape(cell)}</th>" for at, cell in enumerate(head))
    body = "".join(
        "<tr>"
        + "".join(f"<td{' class=n' if at > 1 else ''}>{escape(cell)}</td>" for at, cell in enumerate(row))
        + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{titles}</tr></thead><tbody>{body}</tbody></table>"


def _joined(labels: list[str]) -> str:
    return f"{', '.join(labels[:-1])} and {labels[-1]}"


def verdict(plan: TournamentPlan, matchup: Matchup) -> str:
    """Return the result of two bots in one sentence."""
    labels = plan.labels()
    a, b = labels[matchup.a], labels[matchup.b]
    points = matchup.points
    if not points.is_above_zero:
        return f"Between {a} and {b} nothing is decided: {interval_text(points)} points a hand for {a}."
    return (
        f"{a} beats {b} by {number(round(points.value))} points a hand "
        f"(95% interval {number(round(points.low or 0.0))} to {number(round(points.high or 0.0))})."
    )


def command(plan: TournamentPlan) -> str:
    """Return the command that repeats this plan."""
    game = plan.game
    words = ["canasta", "arena", *(bot.name for bot in plan.bots)]
    words += ["--rules", game.preset, "--players", str(game.players)]
    for name, value in game.options:
        words += ["--option", f"{name}={str(value).lower() if isinstance(value, bool) else value}"]
    words += ["--by", game.by, "--pairs", str(plan.pairs), "--seed", plan.seed]
    budgets = {bot.budget for bot in plan.bots if bot.budget is not None}
    for budget in sorted(budgets):
        words += ["--budget", f"{budget:g}"]
    for worlds in sorted({bot.worlds for bot in plan.bots if bot.worlds is not None}):
        words += ["--worlds", str(worlds)]
    return shlex.join(words)
