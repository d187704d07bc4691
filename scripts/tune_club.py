"""Tune the club player's weights by self-play.

    python scripts/tune_club.py classic --pairs 4000 --rounds 12 --seed tune

Every pair of duplicate hands (the same deck, sides swapped) is played by two players whose weights differ
from the current ones in opposite random directions. Over a round of many pairs, their points show for each
weight which direction is better (simultaneous perturbation), and the weights move a little that way. The
result is printed in the format of `bots/club/tuned.toml`.

Points alone produce players that win but are dull company. With `--feet`, a foot still waiting at the end of
the hand costs its side that many extra points while weights are tuned; with `--out`, going out earns extra
points.
"""

import argparse
import math
import time
from dataclasses import fields, replace
from typing import Any, NamedTuple

from canasta.bots.card_counting import players_with_foot
from canasta.bots.club.policy import club_step
from canasta.bots.club.weights import Weights, weights_for
from canasta.engine.actions.make import make_step
from canasta.engine.families.factory import compile_rules
from canasta.engine.play.deal import deal_by
from canasta.engine.play.scoring import score_hand
from canasta.engine.rng import Rng
from canasta.engine.seating import order_of_hand
from canasta.engine.state import ANSWER, OVER, HandState
from canasta.rules import load_ruleset

GROUPS: dict[str, list[tuple[str, int, dict[str, str]]]] = {
    "classic": [("caliente", 4, {}), ("jaques", 4, {})],
    "pair": [("two-player", 2, {})],
    "samba": [("caliente-samba", 4, {})],
    "suited": [("jaques-samba", 4, {})],
    "bolivia": [("bolivia", 4, {})],
    "foot": [("hand-and-foot", 4, {})],
    "american": [("american", 4, {})],
    "burraco": [("burraco", 4, {}), ("buraco-fechado", 4, {})],
    "limpo": [("buraco-aberto", 4, {}), ("buraco-stbl", 4, {})],
}
SCORES = (0, 0, 1500, 3000)
SCALES = {
    "out_bias": 40.0,
    "later": 15.0,
    "open_pile": 0.04,
    "open_bias": 12.0,
    "take_late": 3.0,
    "foot_card": 12.0,
    "foot_hurry": 20.0,
    "foot_near": 60.0,
    "foot_rank": 20.0,
    "foot_open": 60.0,
    "foot_pile": 3.0,
    "out_card": 8.0,
    "keep_special": 10.0,
    "special_stock": 5.0,
}
"""Size of a trial move of a weight, if it can't be derived from the weight itself."""


class Extra(NamedTuple):
    """Points that count in addition to those of the score sheet while weights are tuned."""

    feet: float = 0.0
    """Points for each foot that was picked up."""
    out: float = 0.0
    """Points for going out."""


NO_EXTRA = Extra()


class Table:
    """A ruleset in which to play duplicate hands."""

    def __init__(self, preset: str, players: int, options: dict[str, str]) -> None:
        self.rules = load_ruleset(preset, players, options)
        self.tables = compile_rules(self.rules)
        self.order = order_of_hand(self.rules, 1)

    def deal(self, seed: str, number: int) -> HandState:
        rng = Rng(f"{seed}:{number}")
        return deal_by(
            self.tables,
            rng,
            hand_number=1,
            dealer=self.order[number % len(self.order)],
            scores=[SCORES[number % len(SCORES)]] * self.rules.seats.sides,
            round_number=1 + number % 4,
        )

    def pair(self, new: Weights, old: Weights, seed: str, number: int, extra: Extra = NO_EXTRA) -> float:
        """Return by how many points per hand `new` beats `old` over a deck played from both sides."""
        total = 0.0
        for new_side in range(2):
            state = self.deal(seed, number)
            while state.phase != OVER:
                seat = state.answering if state.phase == ANSWER else state.turn
                weights = new if state.side_of[seat] == new_side else old
                make_step(state, club_step(state, seat, weights))
            sheets = score_hand(state)
            total += sheets[new_side].total - sheets[1 - new_side].total
            total += extra.feet * (
                players_with_foot(state, 1 - new_side) - players_with_foot(state, new_side)
            )
            if state.out >= 0:
                total += extra.out if state.side_of[state.out] == new_side else -extra.out
        return total / 2


def match(tables: list[Table], new: Weights, old: Weights, pairs: int, seed: str) -> tuple[float, float]:
    """Return the mean difference per hand and its standard error."""
    differences = [
        tables[number % len(tables)].pair(new, old, seed, number // len(tables)) for number in range(pairs)
    ]
    mean = sum(differences) / pairs
    variance = sum((difference - mean) ** 2 for difference in differences) / max(1, pairs - 1)
    return mean, math.sqrt(variance / pairs)


def changed(weights: Weights, name: str, value: float) -> Weights:
    """Return the weights with one of them changed."""
    change: dict[str, Any] = {name: value}
    return replace(weights, **change)


class Climb:
    """Simultaneous perturbation: all weights are tried at once,
    in another direction for each pair of hands."""

    def __init__(self, tables: list[Table], start: Weights, held: list[str], seed: str, extra: Extra) -> None:
        self.tables = tables
        self.seed = seed
        self.extra = extra
        self.names = [
            field.name
            for field in fields(Weights)
            if isinstance(getattr(start, field.name), float) and field.name not in held
        ]
        defaults = Weights()
        self.values = [float(getattr(start, name)) for name in self.names]
        self.scales = [
            SCALES.get(name, 0.22 * max(abs(value), abs(float(getattr(defaults, name)))))
            for name, value in zip(self.names, self.values, strict=True)
        ]

    def weights(self, start: Weights, values: list[float]) -> Weights:
        change: dict[str, Any] = dict(zip(self.names, values, strict=True))
        return replace(start, **change)

    def one_round(self, start: Weights, pairs: int, number: int, step: float) -> float:
        """Play a round and move the weights. Return the mean significance of the moves in standard errors."""
        rng = Rng(f"{self.seed}:round {number}")
        count = len(self.names)
        slopes = [0.0] * count
        squares = 0.0
        for pair in range(pairs):
            signs = [1.0 if rng.below(2) else -1.0 for _ in range(count)]
            up = [
                value + scale * sign
                for value, scale, sign in zip(self.values, self.scales, signs, strict=True)
            ]
            down = [
                value - scale * sign
                for value, scale, sign in zip(self.values, self.scales, signs, strict=True)
            ]
            table = self.tables[pair % len(self.tables)]
            difference = table.pair(
                self.weights(start, up),
                self.weights(start, down),
                f"{self.seed}:{number}",
                pair // len(self.tables),
                self.extra,
            )
            squares += difference * difference
            for index in range(count):
                slopes[index] += difference * signs[index]
        error = math.sqrt(squares)
        sureness = [slope / error for slope in slopes]
        for index, sure in enumerate(sureness):
            self.values[index] += step * self.scales[index] * max(-2.0, min(2.0, sure))
        return sum(abs(sure) for sure in sureness) / count


def tune(options: argparse.Namespace) -> Weights:
    tables = [Table(*entry) for entry in GROUPS[options.group]]
    start = weights_for(tables[0].tables)
    for setting in filter(None, options.start.split(",")):
        name, value = setting.split("=")
        start = changed(start, name.strip(), float(value))
    climb = Climb(tables, start, options.hold.split(","), options.seed, Extra(options.feet, options.out))
    began = time.monotonic()
    for number in range(options.rounds):
        step = options.step / (1.0 + 2.0 * number / options.rounds)
        sure = climb.one_round(start, options.pairs, number, step)
        now = rounded(climb.weights(start, climb.values))
        mean, error = match(tables, now, start, options.pairs // 3, f"{options.seed}:check")
        print(
            f"[{time.monotonic() - began:5.0f} s] round {number + 1}/{options.rounds}: "
            f"{mean:+.1f} ± {1.96 * error:.1f} points a hand against the start, sureness {sure:.2f}",
            flush=True,
        )
        if time.monotonic() - began > options.seconds:
            break
    best = rounded(climb.weights(start, climb.values))
    mean, error = match(tables, best, start, 2 * options.pairs, f"{options.seed}:final")
    print(f"tuned against the start: {mean:+.1f} ± {1.96 * error:.1f} points a hand over fresh decks")
    return best


def rounded(weights: Weights) -> Weights:
    """Round to three digits, beyond what play can distinguish."""
    for field in fields(Weights):
        value = getattr(weights, field.name)
        if isinstance(value, float):
            weights = changed(weights, field.name, float(f"{value:.3g}"))
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("group", choices=sorted(GROUPS))
    parser.add_argument("--pairs", type=int, default=4000, help="pairs of hands in a round")
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--step", type=float, default=0.5)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--seed", default="tune")
    parser.add_argument(
        "--start", default="", help="name=value, … to start from instead of the current weights"
    )
    parser.add_argument("--hold", default="", help="names of weights to leave unchanged")
    parser.add_argument("--feet", type=float, default=0.0, help="extra points for each foot picked up")
    parser.add_argument("--out", type=float, default=0.0, help="extra points for going out")
    options = parser.parse_args()
    best = tune(options)
    settings = [
        f"{field.name} = {getattr(best, field.name)!r}"
        for field in fields(Weights)
        if getattr(best, field.name) != getattr(Weights(), field.name)
    ]
    print("\n".join([f"[{options.group}]", *settings]))


if __name__ == "__main__":
    main()
