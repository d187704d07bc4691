"""What the network finds likely, tried out in probable deals with the expert's search."""

from typing import Final

from canasta.bots.expert.alternatives import Alternatives
from canasta.bots.expert.plans import Planner
from canasta.bots.expert.player import ExpertBot
from canasta.bots.expert.playing_out import NEVER, WALL_CLOCK, Clock
from canasta.bots.expert.race import Race, Worlds
from canasta.bots.learned.judged import JudgedRace
from canasta.bots.learned.knowledge import Knowledge
from canasta.bots.learned.plans import LearnedPlanner
from canasta.bots.learned.trained import Trained
from canasta.bots.learned.weighing import WeighedWorlds
from canasta.bots.protocol import Explanation, Hint, Reason
from canasta.bots.reasons import ESTIMATES, UNTAKEN
from canasta.engine.moves.refusals import Facts
from canasta.engine.moves.types import Discard, Move
from canasta.engine.state import DRAW, HandState
from canasta.engine.steps.make import make_step
from canasta.engine.view import View

CAUTION: Final = 1.0
"""Standard errors by which another choice must beat the network's own."""
MOST_WORLDS: Final = 32
"""Probable deals for each decision, if there is time; more of them were not found to help."""
_WEIGHING: Final = 0.25
"""Share of a turn's time after which deals are taken as they come."""
_DEALS: Final = 24
"""Probable deals in which the next player is watched."""


class LearnedSearch(ExpertBot):
    """The expert's search over the network's choices; where a game was not trained, over the expert's."""

    def __init__(
        self,
        knowledge: Knowledge,
        seed: str,
        budget: float | None,
        now: Clock = WALL_CLOCK,
        weigh: bool = False,
    ) -> None:
        super().__init__(seed, budget, now)
        self.knowledge: Knowledge = knowledge
        self._weighs: bool = weigh
        """It chooses deals by how likely they make what the others threw."""

    def hint(self, view: View, most: int = 3) -> list[Hint]:
        if self.knowledge.trained(view) is not None:
            return super().hint(view, most)
        return [
            Hint(hint.move, Explanation([Reason("untrained"), *hint.reason.reasons], hint.reason.numbers))
            for hint in super().hint(view, most)
        ]

    def explain(self, view: View, move: Move) -> Explanation:
        said = super().explain(view, move)
        if self.knowledge.trained(view) is not None:
            return said
        return Explanation([Reason("untrained"), *said.reasons], said.numbers)

    def _worlds(self, view: View, seed: str, deadline: float) -> Worlds:
        trained = self.knowledge.trained(view)
        if trained is None:
            return super()._worlds(view, seed, deadline)
        weighing = self.knowledge.weighing(trained, view) if self._weighs else None
        likely = self.knowledge.likely(trained, view)
        if weighing is None:
            return Worlds(view, f"{self._seed}:{seed}", likely)
        until = deadline
        if deadline < NEVER:
            begun = self._now()
            until = begun + (deadline - begun) * _WEIGHING
        return WeighedWorlds(view, f"{self._seed}:{seed}", likely, weighing, until, self._now)

    def _planner(self, view: View, world: HandState, deadline: float) -> Planner:
        trained = self.knowledge.trained(view)
        seat = view.seat
        if trained is None or seat is None:
            return super()._planner(view, world, deadline)
        self.caution = CAUTION
        observer = self.knowledge.observer(trained, view)
        return LearnedPlanner(world, seat, trained, observer, deadline, self._now)

    def _new_race(self, worlds: Worlds, planner: Planner, plans: list[list[int]]) -> Race:
        if isinstance(planner, LearnedPlanner):
            return JudgedRace(worlds, planner, plans, self._now)
        return super()._new_race(worlds, planner, plans)

    def _run(self, race: Race, deadline: float) -> None:
        if isinstance(race, JudgedRace) and self._budget >= 0.0:
            race.run_over(MOST_WORLDS, deadline)
        else:
            super()._run(race, deadline)

    # -- words --------------------------------------------------------------------------------------------

    def _reason(self, view: View, move: Move, alternatives: Alternatives) -> Explanation:
        said = super()._reason(view, move, alternatives)
        trained = self.knowledge.trained(view)
        values = alternatives.values(move)
        if trained is None or not values:
            return said
        numbers = dict(said.numbers)
        expected = round(sum(values) / len(values))
        numbers["expected"] = float(expected)
        reasons = [*said.reasons]
        if isinstance(move, Discard):
            # What was tried out takes the place of the club player's estimate.
            reasons = [reason for reason in reasons if reason.code not in ESTIMATES]
            taken = self._taken(view, trained, alternatives.steps(move))
            numbers["next takes"] = taken
            if not any(reason.code in UNTAKEN for reason in reasons):
                facts: Facts = {"percent": round(100 * taken), "pile": view.state.pile_size() + 1}
                reasons.append(Reason("next_takes", facts))
        reasons.append(Reason("expects" if expected >= 0 else "expects_less", {"points": abs(expected)}))
        return Explanation(reasons, numbers)

    def _taken(self, view: View, trained: Trained, steps: list[int]) -> float:
        """In which part of probable deals the next player takes the pile after these steps."""
        seat = view.seat
        assert seat is not None, "a player has a seat"
        worlds = self._worlds(view, "next", NEVER)
        begun = self.knowledge.observer(trained, view)
        taken = 0
        for number in range(_DEALS):
            state = worlds.fresh(number)
            observer = begun.copy()
            for step in steps:
                observer.before_step(state, step)
                make_step(state, step)
                observer.after_step(state, seat)
            if state.phase == DRAW and state.turn != seat:
                step = trained.ranked(state, observer, state.turn)[0][1]
                if state.prepared.layout.decoded[step].takes:
                    taken += 1
        return taken / _DEALS
