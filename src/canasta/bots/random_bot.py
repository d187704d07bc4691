"""A player that makes any legal step: for tests, and as the floor of the ladder."""

from canasta.bots.protocol import Bot, Explanation, Hint
from canasta.engine.legal_steps import legal_steps
from canasta.engine.moves import Move
from canasta.engine.rng import Rng
from canasta.engine.view import View


class RandomBot(Bot):
    def __init__(self, seed: str) -> None:
        self.name: str = "random"
        self._rng: Rng = Rng("random:" + seed)

    def step(self, view: View) -> int:
        steps = legal_steps(view.state)
        return steps[self._rng.below(len(steps))]

    def explain(self, view: View, move: Move) -> Explanation:
        count = len(legal_steps(view.state))
        name = type(move).__name__.lower()
        return Explanation(
            f"Picked blindly ({name}) among {count} legal steps.", {"legal steps": float(count)}
        )

    def hint(self, view: View, most: int = 3) -> list[Hint]:
        move = self.choose(view)
        return [Hint(move, self.explain(view, move))][:most]
