"""Ratings of puzzle solvers by Glicko-2, with each answer as a game against the puzzle.

See Mark Glickman, "Example of the Glicko-2 system" (2013); comments give the numbers of its steps.
"""

from collections.abc import Sequence
from math import exp, log, pi, sqrt
from typing import Final, NamedTuple

_SCALE: Final = 173.7178
_MIDDLE: Final = 1500.0
_TAU: Final = 0.5
"""The rate at which the volatility changes (the system constant τ)."""
_NEAR: Final = 1e-6
_LEAST_DEVIATION: Final = 45.0
"""Minimum deviation, so that a rating keeps following its player."""
_MOST_DEVIATION: Final = 350.0

PROVISIONAL: Final = 110.0
"""Deviation above which a rating is provisional, because the solver has answered too few puzzles."""
PROVISIONAL_RANGE: Final = 400.0
"""Maximum distance of a provisional rating from the initial one."""

EASIEST: Final = 1100.0
STEP: Final = 250.0
"""Rating difference between difficulties."""
PUZZLE_DEVIATION: Final = 120.0
MOST_MOVED: Final = 250.0
"""Maximum distance of a puzzle's rating from its initial one, up or down."""


class Rating(NamedTuple):
    value: float = _MIDDLE
    deviation: float = _MOST_DEVIATION
    volatility: float = 0.06


NEW_SOLVER: Final = Rating()


class RatedGame(NamedTuple):
    """The result of one game against an opponent."""

    other: Rating
    score: float
    """1 for a win, 0 for a loss."""


def puzzle_start(difficulty: int) -> Rating:
    """Return the initial rating of a puzzle."""
    return Rating(EASIEST + STEP * (difficulty - 1), PUZZLE_DEVIATION)


def after_answer(solver: Rating, puzzle: Rating, difficulty: int, *, right: bool) -> tuple[Rating, Rating]:
    """Return the ratings of solver and puzzle after an answer.

    The puzzle's rating stays close to the initial one of its difficulty, and a provisional solver's close to
    the initial one.
    """
    score = 1.0 if right else 0.0
    harder = update_rating(puzzle, [RatedGame(solver, 1.0 - score)])
    start = puzzle_start(difficulty).value
    bounded = min(max(harder.value, start - MOST_MOVED), start + MOST_MOVED)
    return _near_start(update_rating(solver, [RatedGame(puzzle, score)])), harder._replace(value=bounded)


def _near_start(solver: Rating) -> Rating:
    if solver.deviation <= PROVISIONAL:
        return solver
    low, high = NEW_SOLVER.value - PROVISIONAL_RANGE, NEW_SOLVER.value + PROVISIONAL_RANGE
    return solver._replace(value=min(max(solver.value, low), high))


def update_rating(player: Rating, results: Sequence[RatedGame]) -> Rating:
    """Return the rating after these games, which all count as played at the same time."""
    # Step 2: convert to the scale of the computation.
    phi = player.deviation / _SCALE
    weights: list[float] = []
    surprises: list[float] = []
    for other, score in results:
        other_phi = other.deviation / _SCALE
        chance = _expected((player.value - other.value) / _SCALE, other_phi)
        weight = _weight(other_phi)
        weights.append(weight * weight * chance * (1 - chance))
        surprises.append(weight * (score - chance))
    # Steps 3 and 4: the variance of these games, and the improvement they suggest.
    variance = 1 / sum(weights)
    surprise = sum(surprises)
    # Steps 5 to 7.
    volatility = _volatility(player.volatility, phi, variance, variance * surprise)
    wider = phi * phi + volatility * volatility
    phi = 1 / sqrt(1 / wider + 1 / variance)
    # Step 8: convert back.
    deviation = min(max(phi * _SCALE, _LEAST_DEVIATION), _MOST_DEVIATION)
    return Rating(player.value + _SCALE * phi * phi * surprise, deviation, volatility)


def _weight(phi: float) -> float:
    return 1 / sqrt(1 + 3 * phi * phi / (pi * pi))


def _expected(ahead: float, phi: float) -> float:
    return 1 / (1 + exp(-_weight(phi) * ahead))


def _volatility(before: float, phi: float, variance: float, change: float) -> float:
    """Step 5: find the root of `wrong` by the Illinois variant of false position."""
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
