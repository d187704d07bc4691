"""`grandmaster`: the network's choices, and as much trying out as its time allows."""

from canasta.bots.expert.playing_out import WALL_CLOCK, Clock
from canasta.bots.learned.knowledge import Knowledge
from canasta.bots.learned.network import master_network
from canasta.bots.learned.search import LearnedSearch
from canasta.engine.events import Event
from canasta.engine.view import View


class GrandmasterBot(LearnedSearch):
    """Searches within its time; where time or evidence is short it plays as the master does.

    With `weigh` it chooses its deals by what the others threw: nearer to the truth, dearer, and no stronger
    as far as was measured.
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
