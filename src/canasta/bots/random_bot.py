"""A player that makes uniformly random legal steps: for tests, and as the floor of the ladder."""

from canasta.bots.club.going_out import NOTHING_BARS, out_step, what_bars
from canasta.bots.protocol import Explanation, Reason, SeatedBot
from canasta.engine.actions.codec import ANSWER_NO, ASK
from canasta.engine.actions.legal import legal_steps
from canasta.engine.moves.types import Move
from canasta.engine.rng import Rng
from canasta.engine.state import ANSWER, PLAY, SAID_YES, HandState
from canasta.engine.view import View


class RandomBot(SeatedBot):
    def __init__(self, seed: str) -> None:
        self.name: str = "random"
        self._rng: Rng = random_rng(seed)

    def step(self, view: View) -> int:
        return random_step(view.state, self._rng)

    def explain(self, view: View, move: Move) -> Explanation:  # noqa: ARG002 - all moves are equal to it
        count = len(legal_steps(view.state))
        return Explanation([Reason("by_chance", {"count": count})], {"legal steps": float(count)})


def random_rng(seed: str) -> Rng:
    """Return the generator from which such a player draws its steps."""
    return Rng("random:" + seed)


def random_step(state: HandState, rng: Rng) -> int:
    steps = _choices(state)
    return steps[rng.below(len(steps))]


def _choices(state: HandState) -> list[int]:
    """Return the legal steps without pointless questions: ask only
    to go out, and say yes only if it can help."""
    steps = legal_steps(state)
    if state.phase == ANSWER:
        return steps if what_bars(state) == NOTHING_BARS else [ANSWER_NO]
    if state.phase == PLAY and state.asked == SAID_YES:
        step = out_step(state, False)
        if step >= 0:
            return [step]
    if ASK in steps and (state.phase != PLAY or out_step(state, True) < 0):
        steps.remove(ASK)
    return steps
