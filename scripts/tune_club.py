"""Tune the club player's judgement by self-play.

    python scripts/tune_club.py classic --pairs 1500 --sweeps 2 --seed tune

Each weight in turn is made larger and smaller, and the changed player meets the present one in duplicate
hands (the same deck, sides swapped). A change is kept when it wins by more than `--sigmas` standard errors,
and wins again over fresh decks. The result is printed as a `Weights(...)` to put into `bots/weights.py`.
"""

import argparse
import math
import time
from dataclasses import fields, replace

from canasta.bots.club import club_step, weights_for
from canasta.bots.weights import Weights
from canasta.engine.deal import deal_hand, shuffled_deck
from canasta.engine.make_step import make_step
from canasta.engine.rng import Rng
from canasta.engine.scoring import score_hand
from canasta.engine.seating import sides_of_seats, sitting_out, turn_order
from canasta.engine.state import ANSWER, OVER, HandState
from canasta.engine.tables import Tables
from canasta.rules import load_ruleset

GROUPS: dict[str, list[tuple[str, int, dict[str, str]]]] = {
    "classic": [("caliente", 4, {}), ("jaques", 4, {})],
    "pair": [("two-player", 2, {})],
    "samba": [("caliente-samba", 4, {})],
    "suited": [("jaques-samba", 4, {})],
    "bolivia": [("bolivia", 4, {})],
    "foot": [("hand-and-foot", 4, {})],
}
SCORES = (0, 0, 1500, 3000)
FACTORS = (1.4, 0.7)


class Table:
    """One rule system to play duplicate hands of."""

    def __init__(self, preset: str, players: int, options: dict[str, str]) -> None:
        self.rules = load_ruleset(preset, players, options)
        self.tables = Tables(self.rules)
        self.side_of = sides_of_seats(self.rules)
        self.order = turn_order(self.side_of, sitting_out(self.rules, 1))

    def deal(self, seed: str, number: int) -> HandState:
        rng = Rng(f"{seed}:{number}")
        return deal_hand(
            self.tables,
            deck=shuffled_deck(self.tables, rng),
            order=self.order,
            side_of=self.side_of,
            dealer=self.order[number % len(self.order)],
            scores=[SCORES[number % len(SCORES)]] * self.rules.seats.sides,
            round_number=1 + number % 4,
            rng=rng,
        )

    def pair(self, new: Weights, old: Weights, seed: str, number: int) -> float:
        """Points a hand by which `new` beats `old` over the same deck from both sides."""
        total = 0
        for new_side in range(2):
            state = self.deal(seed, number)
            while state.phase != OVER:
                seat = state.answering if state.phase == ANSWER else state.turn
                weights = new if state.side_of[seat] == new_side else old
                make_step(state, club_step(state, seat, weights))
            sheets = score_hand(state)
            total += sheets[new_side].total - sheets[1 - new_side].total
        return total / 2


def match(tables: list[Table], new: Weights, old: Weights, pairs: int, seed: str) -> tuple[float, float]:
    """The mean difference of a hand and its standard error."""
    differences = [
        tables[number % len(tables)].pair(new, old, seed, number // len(tables)) for number in range(pairs)
    ]
    mean = sum(differences) / pairs
    variance = sum((difference - mean) ** 2 for difference in differences) / max(1, pairs - 1)
    return mean, math.sqrt(variance / pairs)


def variants(weights: Weights, name: str, factors: tuple[float, ...]) -> list[Weights]:
    value = getattr(weights, name)
    if isinstance(value, bool) or not isinstance(value, float):
        return []
    if value == 0.0:
        return [replace(weights, **{name: step}) for step in (20.0, -20.0)]
    return [replace(weights, **{name: round(value * factor, 3)}) for factor in factors]


def tune(options: argparse.Namespace) -> Weights:
    tables = [Table(*entry) for entry in GROUPS[options.group]]
    best = weights_for(tables[0].tables)
    for setting in filter(None, options.start.split(",")):
        name, value = setting.split("=")
        best = replace(best, **{name.strip(): float(value)})
    start = best
    names = [field.name for field in fields(Weights)]
    if options.only:
        names = options.only.split(",")
    began = time.monotonic()
    for sweep in range(options.sweeps):
        shift = (1.4, 0.7) if sweep % 2 == 0 else (1.2, 0.85)
        for index, name in enumerate(names):
            for new in variants(best, name, shift):
                seed = f"{options.seed}:{sweep}:{name}"
                mean, error = match(tables, new, best, options.pairs // 3, seed)
                if mean > -0.3 * error:
                    mean, error = match(tables, new, best, options.pairs, seed + ":again")
                if mean > options.sigmas * error:
                    best = new
                    print(
                        f"[{time.monotonic() - began:5.0f} s] {sweep + 1}.{index + 1}/{len(names)} "
                        f"{name} = {getattr(new, name)}  {mean:+.1f} ± {1.96 * error:.1f}",
                        flush=True,
                    )
                    break
            if time.monotonic() - began > options.seconds:
                break
    mean, error = match(tables, best, start, 2 * options.pairs, f"{options.seed}:final")
    print(f"tuned against start: {mean:+.1f} ± {1.96 * error:.1f} points a hand")
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("group", choices=sorted(GROUPS))
    parser.add_argument("--pairs", type=int, default=1500)
    parser.add_argument("--sweeps", type=int, default=2)
    parser.add_argument("--sigmas", type=float, default=1.3)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--seed", default="tune")
    parser.add_argument("--only", default="", help="names of weights, with commas")
    parser.add_argument("--start", default="", help="name=value, … to begin with instead of the player's own")
    best = tune(parser.parse_args())
    changed = [
        f"{field.name}={getattr(best, field.name)!r}"
        for field in fields(Weights)
        if getattr(best, field.name) != getattr(Weights(), field.name)
    ]
    print("Weights(" + ", ".join(changed) + ")")


if __name__ == "__main__":
    main()
