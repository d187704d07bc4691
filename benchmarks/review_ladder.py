"""Review players of the ladder: weaker players must do worse against `club` than stronger ones.

    python benchmarks/review_ladder.py run --hands 50
    python benchmarks/review_ladder.py table

Each level plays the first seat of the same deals, with `club` in all other seats, and that seat's decisions
are reviewed. Results are stored in benchmarks/review_ladder.json; a run adds the missing hands. Install the
compiled package first.
"""

import json
from math import sqrt
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from canasta.bots import get_bot
from canasta.bots.protocol import Listeners
from canasta.engine.match import Match
from canasta.engine.moves.types import Move
from canasta.review.evaluation import DecisionEvaluator, choices_of
from canasta.review.hand import DealtHand
from canasta.rules import load_ruleset

KEPT = Path(__file__).with_suffix(".json")
LADDER = ("random", "novice", "casual", "club", "expert", "master")
SEAT = 0
SEARCHED = -24.0
"""Possible deals per decision of `expert`; a fixed number, so that hands can be repeated."""

app = typer.Typer(help=__doc__, rich_markup_mode=None, add_completion=False)
Rules = Annotated[str, typer.Option("--rules", "-r", help="The game.")]


def _kept() -> dict[str, Any]:
    return cast("dict[str, Any]", json.loads(KEPT.read_text(encoding="utf-8"))) if KEPT.exists() else {}


def played(rules: str, level: str, number: int) -> DealtHand:
    """Play one hand with this level in the first seat."""
    match = Match.new(load_ruleset(rules, None, {}), f"review ladder {number}")
    dealt = DealtHand(1, match.hand.copy())
    seats = range(match.rules.seats.players)
    bots = [get_bot(level if seat == SEAT else "club", f"{number}/{seat}", SEARCHED) for seat in seats]
    listeners = Listeners(dict(enumerate(bots)))
    listeners.deal(match.hand.state, match.scores)
    while not match.hand.over:
        seat = match.hand.turn
        move: Move = bots[seat].choose(match.hand.view(seat))
        dealt.moves.append(move)
        listeners.tell(match.apply(move))
    dealt.points = tuple(sheet.total for sheet in match.hand.score_sheets())
    return dealt


def reviewed(dealt: DealtHand, worlds: int) -> dict[str, float]:
    """Return how much better the first seat's decisions were than the club player's."""
    better: list[float] = []
    for choice in choices_of(dealt.hand, dealt.moves):
        if choice.seat == SEAT and not choice.is_forced:
            evaluator = DecisionEvaluator(choice, f"ladder/{dealt.number}")
            if len(evaluator.candidates) > 1:
                better.append(round(sum(evaluator.against_club(worlds)) / worlds, 1))
    return {"decisions": len(better), "against_club": round(sum(better), 1)}


@app.command()
def run(rules: Rules = "caliente", hands: int = 50, worlds: int = 32, level: list[str] | None = None) -> None:
    """Play and review. Can be interrupted and resumed."""
    for number in range(hands):
        for name in level or LADDER:
            kept = _kept()
            key = f"{rules} {worlds}"
            done = kept.setdefault(key, {}).setdefault(name, {})
            if str(number) not in done:
                done[str(number)] = reviewed(played(rules, name, number), worlds)
                KEPT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
                print(name, number, done[str(number)], flush=True)


@app.command()
def table() -> None:
    """Print the stored results: points per hand with their 95% interval."""
    for key, levels in _kept().items():
        print(f"{key} deals\n| player | hands | decisions a hand | against `club`, a hand |")
        print("| --- | ---: | ---: | ---: |")
        for name, hands in levels.items():
            rows = list(hands.values())
            better = [row["against_club"] for row in rows]
            mean = sum(better) / len(rows)
            spread = sum((each - mean) ** 2 for each in better) / max(1, len(rows) - 1)
            error = 1.96 * sqrt(spread / len(rows))
            count = sum(row["decisions"] for row in rows) / len(rows)
            interval = f"{mean:+.0f} ({mean - error:+.0f} to {mean + error:+.0f})"
            print(f"| `{name}` | {len(rows)} | {count:.0f} | {interval} |")


if __name__ == "__main__":
    app()
