"""How good a solver of puzzles is: Glicko-2, each answer a game against the puzzle.

Mark Glickman, "Example of the Glicko-2 system" (2013); the numbers of its steps stand beside what they do.
"""

from collections.abc import Sequence
from math import exp, log, pi, sqrt
from typing import Final, NamedTuple

_SCALE: Final = 173.7178
_MIDDLE: Final = 1500.0
_TAU: Final = 0.5
"""How quickly the volatility changes."""
_NEAR: Final = 1e-6
_LEAST_DEVIATION: Final = 45.0
"""A rating never stands so fast that it no longer follows its player."""
_MOST_DEVIATION: Final = 350.0

EASIEST: Final = 1100.0
STEP: Final = 250.0
"""From one difficulty to the next."""
PUZZLE_DEVIATION: Final = 120.0
MOST_MOVED: Final = 250.0
"""How far answers may move a puzzle from where it began, up or down."""


class Rating(NamedTuple):
    value: float = _MIDDLE
    deviation: float = _MOST_DEVIATION
    volatility: float = 0.06


NEW_SOLVER: Final = Rating()


class Result(NamedTuple):
    """A game against somebody."""

    other: Rating
    score: float
    """1 for a win, 0 for a loss."""


def puzzle_start(difficulty: int) -> Rating:
    """What a puzzle is rated before anybody has answered it."""
    return Rating(EASIEST + STEP * (difficulty - 1), PUZZLE_DEVIATION)


def after_answer(solver: Rating, puzzle: Rating, difficulty: int, *, right: bool) -> tuple[Rating, Rating]:
    """Solver and puzzle after an answer; the puzzle stays near its difficulty, whoever answers it."""
    score = 1.0 if right else 0.0
    harder = rated(puzzle, [Result(solver, 1.0 - score)])
    start = puzzle_start(difficulty).value
    bounded = min(max(harder.value, start - MOST_MOVED), start + MOST_MOVED)
    return rated(solver, [Result(puzzle, score)]), harder._replace(value=bounded)


def rated(player: Rating, results: Sequence[Result]) -> Rating:
    """The rating after these games, which count as played at the same time."""
    # 2: onto the scale of the computation
    phi = player.deviation / _SCALE
    weights: list[float] = []
    surprises: list[float] = []
    for other, score in results:
        other_phi = other.deviation / _SCALE
        chance = _expected((player.value - other.value) / _SCALE, other_phi)
        weight = _weight(other_phi)
        weights.append(weight * weight * chance * (1 - chance))
        surprises.append(weight * (score - chance))
    # 3 and 4: how much these games tell, and what they say
    variance = 1 / sum(weights)
    surprise = sum(surprises)
    # 5 to 7
    volatility = _volatility(player.volatility, phi, variance, variance * surprise)
    wider = phi * phi + volatility * volatility
    phi = 1 / sqrt(1 / wider + 1 / variance)
    # 8: and back
    deviation = min(max(phi * _SCALE, _LEAST_DEVIATION), _MOST_DEVIATION)
    return Rating(player.value + _SCALE * phi * phi * surprise, deviation, volatility)


def _weight(phi: float) -> float:
    return 1 / sqrt(1 + 3 * phi * phi / (pi * pi))


def _expected(ahead: float, phi: float) -> float:
    return 1 / (1 + exp(-_weight(phi) * ahead))


def _volatility(before: float, phi: float, variance: float, change: float) -> float:
    """Step 5: the root of `wrong`, found by the Illinois form of false position."""
    start = log(before * before)

    def wrong(x: float) -> float:
        spread = phi * phi + variance + exp(x)
        return exp(x) * (change * change - spread) / (2 * spread * spread) - (x - start) / (_TAU * _TAU)

    low = start
    if change * change > phi * phi + variance:
        high = log(change * change - phi * phi - variance)
    else:
        steps = 1
        while wrong(start - steps * _TAU) < 0:
            steps += 1
        high = start - steps * _TAU
    at_low, at_high = wrong(low), wrong(high)
    while abs(high - low) > _NEAR:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = wrong(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return exp(low / 2)
