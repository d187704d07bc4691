"""`master`: the network alone, without search. In games it was not trained on, it plays like `expert`."""

from math import exp, inf

from canasta.bots.expert.rollouts import WALL_CLOCK, Clock
from canasta.bots.learned.network import master_network
from canasta.bots.learned.search import TRIED_FOR_WORDS, LearnedSearch
from canasta.bots.learned.table_context import TableContext
from canasta.bots.protocol import Explanation, Hint, SeatedBot, whole_move
from canasta.engine.events import Event
from canasta.engine.moves.types import Move
from canasta.engine.view import View


class MasterBot(SeatedBot):
    """Plays the network's likeliest step, using the events heard since the deal."""

    def __init__(self, seed: str = "", budget: float | None = None) -> None:
        self.name: str = "master"
        self.context: TableContext = TableContext(master_network())
        self._stand_in: LearnedSearch = LearnedSearch(self.context, seed, budget)
        self._reasons: LearnedSearch = LearnedSearch(self.context, seed, -float(TRIED_FOR_WORDS), caution=inf)
        """Searches only for explanations: its infinite caution never replaces the master's choice."""

    def begin(self, view: View) -> None:
        self.context.begin(view)

    def hear(self, event: Event) -> None:
        self.context.hear(event)

    def step(self, view: View) -> int:
        trained = self.context.trained(view)
        if trained is None:
            return self._stand_in.step(view)
        return self.context.ranked(trained, view)[0][1]

    def explain(self, view: View, move: Move) -> Explanation:
        """Explain a move by its outcomes in probable deals, since a network can't state its reasons."""
        knows = self.context.trained(view) is not None
        return (self._reasons if knows else self._stand_in).explain(view, move)

    def hint(self, view: View, most: int = 3) -> list[Hint]:
        """Return the likeliest moves, each with its probability among all legal ones."""
        trained = self.context.trained(view)
        if trained is None:
            return self._stand_in.hint(view, most)
        found: list[tuple[Move, int]] = []
        chances: list[float] = []
        for chance, step in self.context.ranked(trained, view):
            if len(found) >= most:
                break
            move = whole_move(self, view, step)
            if all(move != other for other, _ in found):
                found.append((move, step))
                chances.append(exp(chance))
        hints: list[Hint] = []
        for at, why in enumerate(self._reasons.explain_steps(view, found)):
            hints.append(Hint(found[at][0], Explanation(why.reasons, {**why.numbers, "chance": chances[at]})))
        return hints


class GrandmasterBot(LearnedSearch):
    """Searches within its time; with too little time or evidence it plays like the master.

    With `weigh` it selects its deals by the others' discards. That is more realistic and slower, but no
    stronger in our measurements.
    """

    def __init__(
        self,
        seed: str = "",
        budget: float | None = None,
        now: Clock = WALL_CLOCK,
        weigh: bool = False,
    ) -> None:
        super().__init__(TableContext(master_network()), seed, budget, now, weigh)
        self.name = "grandmaster"

    def begin(self, view: View) -> None:
        self.context.begin(view)

    def hear(self, event: Event) -> None:
        self.context.hear(event)
