"""Candidate decisions by the network: its own first, then the plans that branch off from it."""

from typing import Final

from canasta.bots.club.weights import weights_for
from canasta.bots.expert.plans import Planner
from canasta.bots.expert.rollouts import Clock
from canasta.bots.learned.coverage import TrainedNetwork
from canasta.engine.actions.codec import KEEP, is_discard
from canasta.engine.actions.make import make_step
from canasta.engine.observation.encoder import Observer
from canasta.engine.state import PLAY, HandState

WORTH: Final = 25.0
"""Points to credit to a step that the network finds e times as likely as another."""
LEAST: Final = -3.0
"""Lowest log probability, relative to the likeliest step, of the steps considered."""
MOST_PLANS: Final = 8


class LearnedPlanner(Planner):
    """Generates the candidates of one decision from the network."""

    def __init__(
        self,
        world: HandState,
        seat: int,
        trained: TrainedNetwork,
        observer: Observer,
        deadline: float,
        now: Clock,
    ) -> None:
        super().__init__(world, seat, weights_for(world.compiled), deadline, now)
        self.trained: TrainedNetwork = trained
        self.observer: Observer = observer
        self._ahead: dict[tuple[int, ...], float] = {}

    def ahead(self, plan: list[int]) -> float:
        return self._ahead.get(tuple(plan), 0.0)

    def first_steps(self) -> list[list[int]]:
        ranked = self.trained.ranked(self.world, self.observer, self.seat)
        plans: list[list[int]] = []
        for chance, step in ranked[:MOST_PLANS]:
            less = chance - ranked[0][0]
            if less >= LEAST:
                plans.append([step])
                self._ahead[(step,)] = WORTH * less
        return plans

    def rest_of_turn(self) -> list[list[int]]:
        turns_off: list[tuple[float, list[int]]] = []
        plans = [self._go_on([], turns_off)]
        turns_off.sort(reverse=True)
        for less, start in turns_off:
            if len(plans) >= MOST_PLANS or self._now() >= self._deadline:
                break
            plan = self._go_on(start, [])
            count = len(plans)
            self._add_new(plans, plan)
            if len(plans) > count:
                self._ahead[tuple(plan)] = WORTH * less
        return plans

    def beginning_with(self, step: int) -> list[int]:
        """Return the plan that starts with this step."""
        return self._go_on([step], []) if self.world.phase == PLAY else [step]

    def discards(self, melds: list[int], most: int) -> list[list[int]]:
        state = self.world.copy()
        observer = self.observer.copy()
        for step in melds:
            self._make(state, observer, step)
        if state.phase != PLAY or state.turn != self.seat:
            return []
        ending = [
            (chance, [*melds, step])
            for chance, step in self.trained.ranked(state, observer, self.seat)
            if is_discard(step) or step == KEEP
        ]
        found = [(chance, plan) for chance, plan in ending[:most] if chance - ending[0][0] >= LEAST]
        for chance, plan in found[1:]:
            self._ahead[tuple(plan)] = self.ahead(found[0][1]) + WORTH * (chance - found[0][0])
        return [plan for _, plan in found]

    def _go_on(self, start: list[int], turns_off: list[tuple[float, list[int]]]) -> list[int]:
        """Play these steps, then the likeliest ones to the end of the turn or the first unknown card.

        Append to `turns_off` the plausible steps that branch off on the way.
        """
        state = self.world.copy()
        observer = self.observer.copy()
        steps: list[int] = []
        while True:
            if len(steps) < len(start):
                step = start[len(steps)]
            else:
                ranked = self.trained.ranked(state, observer, self.seat)
                step = ranked[0][1]
                for chance, other in ranked[1:]:
                    if chance - ranked[0][0] >= LEAST:
                        turns_off.append((chance - ranked[0][0], [*steps, other]))
            self._make(state, observer, step)
            steps.append(step)
            if self._sees_no_further(state):
                return steps

    def _make(self, state: HandState, observer: Observer, step: int) -> None:
        observer.before_step(state, step)
        make_step(state, step)
        observer.after_step(state, self.seat)
