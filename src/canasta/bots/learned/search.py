"""The expert's search applied to the moves that the network finds likely, in probable deals."""

from typing import Final

from canasta.bots.card_counting import pile_worth
from canasta.bots.club.weights import weights_for
from canasta.bots.discard_explanations import ESTIMATES, UNTAKEN
from canasta.bots.expert.plans import Planner
from canasta.bots.expert.player import Alternatives, Decision, ExpertBot
from canasta.bots.expert.rollouts import LEAST_WORLDS, NEVER, WALL_CLOCK, Clock, Race, Worlds
from canasta.bots.learned.coverage import TrainedNetwork
from canasta.bots.learned.deal_weighting import WeighedWorlds
from canasta.bots.learned.plans import LearnedPlanner
from canasta.bots.learned.table_context import Knowledge
from canasta.bots.learned.value_rollouts import JudgedRace
from canasta.bots.protocol import Bot, Explanation, Hint, Reason, whole_move
from canasta.engine.actions.make import make_step
from canasta.engine.moves.refusals import Facts
from canasta.engine.moves.types import Discard, Move
from canasta.engine.state import DRAW, HandState
from canasta.engine.view import View

CAUTION: Final = 1.0
"""Number of standard errors by which another choice must beat the network's own."""
MOST_WORLDS: Final = 32
"""Maximum number of probable deals per decision; more were not found to help."""
_WEIGHING: Final = 0.25
"""Share of a turn's time after which deals are no longer weighed."""
TRIED_FOR_WORDS: Final = 24
"""Number of probable deals for trying out moves to be explained and for observing the next player."""
_PLAIN: Final = {"would_fit": "fits_meld", "wild_safest": "wild_untaken"}
"""Replacements for reasons that claim a discard is the best, used for discards that were not chosen."""


class _ByNetwork(Bot):
    """Plays by the network alone, in a game it was trained on."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.name: str = "network"
        self._knowledge: Knowledge = knowledge

    def step(self, view: View) -> int:
        trained = self._knowledge.trained(view)
        assert trained is not None, "the game was trained"
        return self._knowledge.ranked(trained, view)[0][1]


class LearnedSearch(ExpertBot):
    """The expert's search over the network's choices. In a game it was not trained on, over the expert's."""

    def __init__(
        self,
        knowledge: Knowledge,
        seed: str,
        budget: float | None,
        now: Clock = WALL_CLOCK,
        weigh: bool = False,
        caution: float = CAUTION,
    ) -> None:
        super().__init__(seed, budget, now)
        self._caution: float = caution
        self.knowledge: Knowledge = knowledge
        self._weighs: bool = weigh
        """Whether to select deals by how likely they make the others' discards."""

    def hint(self, view: View, most: int = 3) -> list[Hint]:
        if self.knowledge.trained(view) is not None:
            return super().hint(view, most)
        return [
            Hint(hint.move, Explanation([Reason("untrained"), *hint.reason.reasons], hint.reason.numbers))
            for hint in super().hint(view, most)
        ]

    def explain(self, view: View, move: Move) -> Explanation:
        trained = self.knowledge.trained(view)
        if trained is None:
            said = super().explain(view, move)
            return Explanation([Reason("untrained"), *said.reasons], said.numbers)
        if not self._alternatives(view).values(move):
            for _, step in self.knowledge.ranked(trained, view):
                if whole_move(self._finisher(view), view, step) == move:
                    return self.explain_steps(view, [(move, step)])[0]
        return super().explain(view, move)

    def explain_steps(self, view: View, moves: list[tuple[Move, int]]) -> list[Explanation]:
        """Explain moves that start with these steps, in a trained game.

        If one of them was not a candidate, all are tried out together with the chosen one.
        """
        alternatives = self._alternatives(view)
        if any(not alternatives.values(move) for move, _ in moves):
            self._try_out(view, [step for _, step in moves])
            alternatives = self._alternatives(view)
        return [self._reason(view, move, alternatives) for move, _ in moves]

    def _alternatives(self, view: View) -> Alternatives:
        """Return the findings. If there was nothing to decide, try out the only candidate first."""
        alternatives = super()._alternatives(view)
        if self.knowledge.trained(view) is None or alternatives.found[0][1].values:
            return alternatives
        self._try_out(view, [])
        return super()._alternatives(view)

    def _finisher(self, view: View) -> Bot:
        if self.knowledge.trained(view) is None:
            return super()._finisher(view)
        return _ByNetwork(self.knowledge)

    def _try_out(self, view: View, steps: list[int]) -> None:
        """Try the chosen plan and those that start with these steps in the
        same deals, and remember the result for this position."""
        facts = view.facts()
        decision, done = self._known[facts]
        chosen = decision.chosen[len(done) :]
        worlds = self._worlds(view, repr(facts), NEVER)
        planner = self._planner(view, worlds.fresh(0), NEVER)
        assert isinstance(planner, LearnedPlanner), "the game was trained"
        others = [planner.beginning_with(step) for step in steps if step != chosen[0]]
        race = JudgedRace(worlds, planner, [chosen, *others], self._now)
        race.try_out(TRIED_FOR_WORDS)
        self._known[facts] = (Decision(race.candidates, chosen, race.tried), [])

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
        self.caution = self._caution
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
        if trained is None or not alternatives.values(move):
            return said
        numbers = dict(said.numbers)
        expected = round(alternatives.expected(move))
        numbers["expected"] = float(expected)
        reasons = [_by_learning(reason, numbers) for reason in said.reasons]
        if isinstance(move, Discard):
            # The outcomes of the trials replace the club player's estimate.
            reasons = [reason for reason in reasons if reason.code not in ESTIMATES]
            if move != alternatives.moves(1)[0]:
                reasons = [Reason(_PLAIN.get(reason.code, reason.code), reason.facts) for reason in reasons]
            chance, worth = self._next_player(view, trained, alternatives.steps(move))
            numbers["next takes"] = chance
            numbers["pile worth then"] = worth
            if not any(reason.code in UNTAKEN for reason in reasons):
                reasons.append(_given(chance, view.state.pile_size() + 1, worth))
        reasons.append(Reason("expects" if expected >= 0 else "expects_less", {"points": abs(expected)}))
        return Explanation(reasons, numbers)

    def _next_player(self, view: View, trained: TrainedNetwork, steps: list[int]) -> tuple[float, float]:
        """Return the share of probable deals in which the next player takes the pile after
        these steps, and the value of the pile to that side by the open cards."""
        seat = view.seat
        assert seat is not None, "a player has a seat"
        worlds = self._worlds(view, "next", NEVER)
        begun = self.knowledge.observer(trained, view)
        taken = 0
        worth = 0.0
        for number in range(TRIED_FOR_WORDS):
            state = worlds.fresh(number)
            observer = begun.copy()
            for step in steps:
                observer.before_step(state, step)
                make_step(state, step)
                observer.after_step(state, seat)
            if state.phase == DRAW and state.turn != seat:
                worth = pile_worth(state, state.side_of[state.turn], -1, weights_for(state.compiled), False)
                step = trained.ranked(state, observer, state.turn)[0][1]
                if state.compiled.layout.decoded[step].takes:
                    taken += 1
        return taken / TRIED_FOR_WORDS, worth


def _by_learning(reason: Reason, numbers: dict[str, float]) -> Reason:
    """If enough deals favour another move than the chosen one,
    attribute the choice to the network's training."""
    if reason.code != "too_few_deals" or numbers["possible deals"] < LEAST_WORLDS:
        return reason
    gain = numbers["gain"]
    facts: Facts = {**reason.facts, "points": abs(round(gain))}
    return Reason("learned_for" if gain < 0.0 else "learned_against", facts)


def _given(chance: float, pile: int, worth: float) -> Reason:
    """Return the reason about what a discard gives the next player."""
    facts: Facts = {"pile": pile, "worth": round(worth)}
    if chance > 0.0:
        facts["percent"] = round(100 * chance)
        return Reason("next_takes" if pile > 1 else "next_takes_alone", facts)
    facts["count"] = TRIED_FOR_WORDS
    return Reason("next_leaves" if pile > 1 else "next_leaves_alone", facts)
