"""Playing a possible deal to its end with the club policy, and what came of it."""

from collections.abc import Callable
from time import perf_counter
from typing import Final

from canasta.bots.club.player import club_step
from canasta.bots.club.weights import Weights
from canasta.engine.play.scoring import score_hand
from canasta.engine.state import ANSWER, OVER, HandState
from canasta.engine.steps.make import make_step

NEVER: Final = 1e18
"""A deadline for those who count worlds instead of seconds."""

MOST_STEPS: Final = 3000
"""Far more than any hand takes; a hand that goes on longer is scored as it stands."""

_STEPS_BETWEEN_LOOKS: Final = 4
"""Interpreted, a hand may take most of a second: the clock is looked at within it."""


Clock = Callable[[], float]
"""Tells the seconds that have passed since some moment."""

WALL_CLOCK: Final[Clock] = perf_counter


def seat_to_act(state: HandState) -> int:
    return state.answering if state.phase == ANSWER else state.turn


def play_out(state: HandState, weights: Weights, deadline: float, now: Clock = WALL_CLOCK) -> bool:
    """Play on to the end of the hand; False when the deadline came first."""
    left = MOST_STEPS
    while state.phase != OVER and left > 0:
        make_step(state, club_step(state, seat_to_act(state), weights))
        left -= 1
        if left % _STEPS_BETWEEN_LOOKS == 0 and deadline < NEVER and now() >= deadline:
            return False
    return True


def outcome(state: HandState, side: int) -> float:
    """The side's points of a hand less those of its best opponents."""
    mine = 0
    best = -1_000_000
    sheets = score_hand(state)
    for other in range(state.sides):
        total = sheets[other].total
        if other == side:
            mine = total
        elif total > best:
            best = total
    return float(mine - best)
