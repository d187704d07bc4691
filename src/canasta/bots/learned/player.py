"""`master`: the network alone, without a search. Where a game was not trained, `expert` sits in."""

from math import exp
from typing import Final

from canasta.bots.learned.knowledge import Knowledge
from canasta.bots.learned.network import master_network
from canasta.bots.learned.search import LearnedSearch
from canasta.bots.protocol import Explanation, Hint, SeatedBot, whole_move
from canasta.engine.events import Event
from canasta.engine.moves.types import Move
from canasta.engine.view import View

_DEALS: Final = 24
"""Probable deals in which its moves are tried out when it is asked why."""


class MasterBot(SeatedBot):
    """Greedy play by the network. It remembers what it has heard since the deal."""

    def __init__(self, seed: str = "", budget: float | None = None) -> None:
        self.name: str = "master"
        self.knowledge: Knowledge = Knowledge(master_network())
        self._stand_in: LearnedSearch = LearnedSearch(self.knowledge, seed, budget)
        self._reasons: LearnedSearch = LearnedSearch(self.knowledge, seed, -float(_DEALS))

    def begin(self, view: View) -> None:
        self.knowledge.begin(view)

    def hear(self, event: Event) -> None:
        self.knowledge.hear(event)

    def step(self, view: View) -> int:
        trained = self.knowledge.trained(view)
        if trained is None:
            return self._stand_in.step(view)
        return self.knowledge.ranked(trained, view)[0][1]

    def explain(self, view: View, move: Move) -> Explanation:
        """What comes of the move in probable deals; how the network came to it cannot be put into words."""
        if self.knowledge.trained(view) is None:
            return self._stand_in.explain(view, move)
        said = self._reasons.explain(view, move)
        if any(reason.code == "brings_less" for reason in said.reasons) and move == self.choose(view):
            # It has learned otherwise than a few trials say, and does not argue against itself.
            return Explanation(
                [reason for reason in said.reasons if reason.code != "brings_less"], said.numbers
            )
        return said

    def hint(self, view: View, most: int = 3) -> list[Hint]:
        """The likeliest moves, each with its chance among all that are allowed."""
        trained = self.knowledge.trained(view)
        if trained is None:
            return self._stand_in.hint(view, most)
        hints: list[Hint] = []
        for chance, step in self.knowledge.ranked(trained, view):
            if len(hints) >= most:
                break
            move = whole_move(self, view, step)
            if move not in [hint.move for hint in hints]:
                said = self.explain(view, move)
                numbers = {**said.numbers, "chance": exp(chance)}
                hints.append(Hint(move, Explanation(said.reasons, numbers)))
        return hints
