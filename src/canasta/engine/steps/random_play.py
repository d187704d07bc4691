"""Playing a hand to its end with uniformly random steps."""

from canasta.engine.rng import Rng
from canasta.engine.state import OVER, HandState
from canasta.engine.steps.legal import legal_steps
from canasta.engine.steps.make import make_step


def play_randomly(state: HandState, rng: Rng, most_steps: int) -> int:
    """Make random legal steps until the hand is over or `most_steps` are made; how many were made."""
    made = 0
    while state.phase != OVER and made < most_steps:
        steps = legal_steps(state)
        make_step(state, steps[rng.below(len(steps))])
        made += 1
    return made
