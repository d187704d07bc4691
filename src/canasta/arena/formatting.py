"""Format results for the terminal, the report and the documentation."""

import shlex
from typing import Final

from canasta.arena.intervals import Estimate
from canasta.arena.tournament import Matchup, TournamentPlan

MINUS: Final = "\N{MINUS SIGN}"


def number(value: float) -> str:
    """Format a number without needless digits and with a true minus sign."""
    text = f"{value:,.0f}" if value == round(value) else f"{value:,.4g}"
    return text.replace("-", MINUS)


def signed(value: float, digits: int = 0) -> str:
    """Format a number with its sign; zero has none."""
    text = f"{value:+,.{digits}f}"
    return text.lstrip("+-") if float(text.replace(",", "")) == 0 else text.replace("-", MINUS)


def interval_text(estimate: Estimate, to: str = "to") -> str:
    """Format points with their interval, as in `+143 (+121 to +165)`. `to` may be in another language."""
    if estimate.low is None or estimate.high is None:
        return signed(estimate.value)
    return f"{signed(estimate.value)} ({signed(estimate.low)} {to} {signed(estimate.high)})"


def share_text(estimate: Estimate, to: str = "to") -> str:
    """Format a share with its interval, as in `62.5% (59.1 to 65.8)`."""
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:.1%}"
    return f"{estimate.value:.1%} ({100 * estimate.low:.1f} {to} {100 * estimate.high:.1f})"


def rating_text(estimate: Estimate, to: str = "to") -> str:
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:.0f}"
    return f"{estimate.value:.0f} ({estimate.low:.0f} {to} {estimate.high:.0f})"


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
