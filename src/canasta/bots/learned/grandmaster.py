"""`grandmaster`: the network's choices, tried out as far as time allows."""

from canasta.bots.expert.rollout import WALL_CLOCK, Clock
from canasta.bots.learned.network import master_network
from canasta.bots.learned.search import LearnedSearch
from canasta.bots.learned.table_context import Knowledge
from canasta.engine.events import Event
from canasta.engine.view import View


class GrandmasterBot(LearnedSearch):
    """Searches within its time; with too little time or evidence it plays like the master.

    With `weigh` it selects its deals by the others' discards: more realistic and slower, but no stronger in
    our measurements.
    """

    def __init__(
        self,
        seed: str = "",
        budget: float | None = None,
        now: Clock = WALL_CLOCK,
        weigh: bool = False,
    ) -> None:
        super().__init__(Knowledge(master_network()), seed, budget, now, weigh)
        self.name = "grandmaster"

    def begin(self, view: View) -> None:
        self.knowledge.begin(view)

    def hear(self, event: Event) -> None:
        self.knowledge.hear(event)
