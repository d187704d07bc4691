"""Play a hand to its end with uniformly random steps."""

from canasta.engine.actions.legal import legal_steps
from canasta.engine.actions.make import make_step
from canasta.engine.rng import Rng
from canasta.engine.state import OVER, HandState


def play_randomly(state: HandState, rng: Rng, most_steps: int) -> int:
    """Make random legal steps until the hand is over or `most_steps` are made. Return the number made."""
    made = 0
    while state.phase != OVER and made < most_steps:
        steps = legal_steps(state)
        make_step(state, steps[rng.below(len(steps))])
        made += 1
    return made
