"""Rollouts: play a possible deal to its end with the club policy, and measure the outcome."""

from collections.abc import Callable
from time import perf_counter
from typing import Final

from canasta.bots.club.player import club_step
from canasta.bots.club.weights import Weights
from canasta.engine.actions.make import make_step
from canasta.engine.play.scoring import score_hand
from canasta.engine.state import ANSWER, OVER, HandState

NEVER: Final = 1e18
"""Deadline for searches that count worlds instead of seconds."""

MOST_STEPS: Final = 3000
"""Step limit, far above the length of any real hand. A hand that reaches it is scored as it is."""

_STEPS_BETWEEN_LOOKS: Final = 4
"""Steps between checks of the clock; interpreted, one hand may take most of a second."""


Clock = Callable[[], float]
"""A function that returns the seconds passed since some fixed moment."""

WALL_CLOCK: Final[Clock] = perf_counter


def seat_to_act(state: HandState) -> int:
    return state.answering if state.phase == ANSWER else state.turn


def play_out(state: HandState, weights: Weights, deadline: float, now: Clock = WALL_CLOCK) -> bool:
    """Play on to the end of the hand. Return `False` if the deadline came first."""
    left = MOST_STEPS
    while state.phase != OVER and left > 0:
        make_step(state, club_step(state, seat_to_act(state), weights))
        left -= 1
        if left % _STEPS_BETWEEN_LOOKS == 0 and deadline < NEVER and now() >= deadline:
            return False
    return True


def outcome(state: HandState, side: int) -> float:
    """Return the side's points for the hand minus those of its best opponents."""
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
