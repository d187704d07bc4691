"""The search of the learned players: the expert's, over candidates and rollouts of the network.

`LearnedPlanner` lists the moves that the network finds likely. `NetworkComparison` plays each of them on for
a few turns in many probable deals at once, then evaluates them with the critic. The critic was trained
together with the policy and sees all cards, so it is only applied to deals that the player imagines.
"""

from typing import Final

from librt.strings import BytesWriter

from canasta.bots.card_counting import pile_worth
from canasta.bots.club.weights import weights_for
from canasta.bots.discard_explanations import ESTIMATES, UNTAKEN
from canasta.bots.expert.plans import Planner
from canasta.bots.expert.player import Alternatives, Decision, ExpertBot
from canasta.bots.expert.rollouts import (
    LEAST_WORLDS,
    NEVER,
    WALL_CLOCK,
    CandidateComparison,
    Clock,
    DeterminizedDeals,
    seat_to_act,
)
from canasta.bots.learned.coverage import TrainedNetwork
from canasta.bots.learned.deal_weighting import WeightedDeals
from canasta.bots.learned.table_context import TableContext
from canasta.bots.protocol import Bot, Explanation, Hint, Reason, seat_of, whole_move
from canasta.engine.actions.codec import KEEP, is_discard
from canasta.engine.actions.legal import legal_steps
from canasta.engine.actions.make import make_step
from canasta.engine.moves.types import Discard, Move
from canasta.engine.observation.encoder import Observer
from canasta.engine.play.scoring import score_hand
from canasta.engine.state import DRAW, OVER, PLAY, HandState
from canasta.engine.view import View
from canasta.i18n import Facts

WORTH: Final = 25.0
"""Points to credit to a step that the network finds e times as likely as another."""
LEAST: Final = -3.0
"""Lowest log probability of the steps considered, relative to the likeliest step."""
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
        likely = [(chance, plan) for chance, plan in ending[:most] if chance - ending[0][0] >= LEAST]
        for chance, plan in likely[1:]:
            self._ahead[tuple(plan)] = self.ahead(likely[0][1]) + WORTH * (chance - likely[0][0])
        return [plan for _, plan in likely]

    def _go_on(self, start: list[int], turns_off: list[tuple[float, list[int]]]) -> list[int]:
        """Play these steps, then the likeliest ones to the end of the turn or the first unknown card.

        Append to `turns_off` the plausible steps that were passed over.
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


TURNS: Final = 1
"""Number of turns that the network plays after the player's own. Four and eight turns were not stronger."""
_TOGETHER: Final = 8
"""Number of deals tried at once."""
_MOST_STEPS: Final = 400
"""Step limit, far above the length of these turns."""


class CandidateRollout:
    """A candidate tried in one deal."""

    def __init__(self, state: HandState, observer: Observer, turns: int) -> None:
        self.state: HandState = state
        self.observer: Observer = observer
        self.turns: int = turns
        """Number of turns still to be played, including the present one."""
        self.legal: list[int] = []
        self._steps: int = 0

    def make(self, step: int) -> None:
        state = self.state
        turn = state.turn
        self.observer.before_step(state, step)
        make_step(state, step)
        self.observer.after_step(state, turn)
        if state.turn != turn:
            self.turns -= 1
        self._steps += 1

    def go_on(self) -> None:
        """Play forced steps up to the next choice or the end of the hand, since the critic was only trained
        on choices.
        """
        while self.state.phase != OVER:
            self.legal = legal_steps(self.state)
            if len(self.legal) > 1 or self._steps > _MOST_STEPS:
                return
            self.make(self.legal[0])

    def is_played(self, side: int) -> bool:
        """Return whether the critic can evaluate this state. It evaluates the side to act, so with three
        sides it must be this side's turn.
        """
        state = self.state
        return (
            state.phase == OVER
            or self._steps > _MOST_STEPS
            or (self.turns <= 0 and (state.sides == 2 or state.side_of[seat_to_act(state)] == side))
        )


class NetworkComparison(CandidateComparison):
    """A comparison in which the network plays on for a few turns, instead of the club player to the end."""

    def __init__(
        self,
        worlds: DeterminizedDeals,
        planner: LearnedPlanner,
        plans: list[list[int]],
        now: Clock,
    ) -> None:
        ahead = [planner.ahead(plan) for plan in plans]
        super().__init__(worlds, planner.side, planner.weights, plans, now, ahead)
        self._trained: TrainedNetwork = planner.trained
        self._observer: Observer = planner.observer

    def try_out(self, worlds: int) -> None:
        """Try the candidates in this many deals, even if there is only one candidate."""
        while self.tried < worlds:
            self._try_next(NEVER, worlds - self.tried)

    def _values(self, deadline: float, most: int) -> list[list[float]]:
        count = min(most, _TOGETHER)
        lines: list[CandidateRollout] = []
        for number in range(self.tried, self.tried + count):
            for index in self._running:
                # The present turn counts as the first.
                line = CandidateRollout(self._worlds.fresh(number), self._observer.copy(), TURNS + 1)
                for step in self.candidates[index].steps:
                    line.make(step)
                lines.append(line)
        if not self._play_on(lines, deadline):
            return []
        values = evaluate_rollouts(self._trained, self._side, lines)
        width = len(self._running)
        return [values[at : at + width] for at in range(0, len(values), width)]

    def _play_on(self, lines: list[CandidateRollout], deadline: float) -> bool:
        playing = lines
        while True:
            choosing: list[CandidateRollout] = []
            for line in playing:
                line.go_on()
                if not line.is_played(self._side):
                    choosing.append(line)
            if not choosing:
                return True
            if deadline < NEVER and self._now() >= deadline:
                return False
            picks = self._trained.network.choose(
                [line.observer.observe(line.state, seat_to_act(line.state)) for line in choosing],
                [self._trained.actions(line.legal) for line in choosing],
            )
            for at in range(len(choosing)):
                choosing[at].make(choosing[at].legal[picks[at]])
            playing = choosing


def evaluate_rollouts(trained: TrainedNetwork, side: int, lines: list[CandidateRollout]) -> list[float]:
    """Return, for each line, the final margin expected for the side. With three sides, lines must end when
    the side is to act.
    """
    values = [0.0] * len(lines)
    asked: list[int] = []
    rows: list[bytes] = []
    for at in range(len(lines)):
        line = lines[at]
        if line.state.phase == OVER:
            values[at] = margin(line.state, side)
        else:
            seat = seat_to_act(line.state)
            row = BytesWriter()
            line.observer.write_to(row, line.state, seat)
            line.observer.write_hidden_to(row, line.state, seat)
            rows.append(row.getvalue())
            asked.append(at)
    if asked:
        estimates = trained.network.values(rows)
        for number in range(len(asked)):
            values[asked[number]] = trained.unit * value_for_side(
                lines[asked[number]].state, side, estimates[number]
            )
    return values


def value_for_side(state: HandState, side: int, said: float) -> float:
    """Convert the critic's value for the side to act into one for this side."""
    return said if state.side_of[seat_to_act(state)] == side else -said


def margin(state: HandState, side: int) -> float:
    """Return the side's points minus the mean of the others, which is what the critic was trained on."""
    points = [sheet.total for sheet in score_hand(state)]
    return points[side] - (sum(points) - points[side]) / (len(points) - 1)


CAUTION: Final = 1.0
"""Number of standard errors by which another choice must beat the network's own."""
MOST_WORLDS: Final = 32
"""Maximum number of probable deals per decision; more were not found to help."""
_WEIGHING: Final = 0.25
"""Share of a turn's time after which deals are no longer weighed."""
TRIED_FOR_WORDS: Final = 24
"""Number of probable deals for trying out the moves to explain and for observing the next player."""
_PLAIN: Final = {"would_fit": "fits_meld", "wild_safest": "wild_untaken"}
"""Replacements for reasons that call a discard the best, used for discards that were not chosen."""


class _ByNetwork(Bot):
    """Plays by the network without searching, in a game it was trained on."""

    def __init__(self, context: TableContext) -> None:
        self.name: str = "network"
        self._knowledge: TableContext = context

    def step(self, view: View) -> int:
        trained = self._knowledge.trained(view)
        assert trained is not None, "the game was trained"
        return self._knowledge.ranked(trained, view)[0][1]


class LearnedSearch(ExpertBot):
    """The expert's search over the network's candidates; over the expert's, in games it was not trained
    on.
    """

    def __init__(
        self,
        context: TableContext,
        seed: str,
        budget: float | None,
        now: Clock = WALL_CLOCK,
        weigh: bool = False,
        caution: float = CAUTION,
    ) -> None:
        super().__init__(seed, budget, now)
        self._caution: float = caution
        self.context: TableContext = context
        self._weighs: bool = weigh
        """Whether to select deals by how well they explain the others' discards."""

    def hint(self, view: View, most: int = 3) -> list[Hint]:
        if self.context.trained(view) is not None:
            return super().hint(view, most)
        return [
            Hint(hint.move, Explanation([Reason("untrained"), *hint.reason.reasons], hint.reason.numbers))
            for hint in super().hint(view, most)
        ]

    def explain(self, view: View, move: Move) -> Explanation:
        trained = self.context.trained(view)
        if trained is None:
            explanation = super().explain(view, move)
            return Explanation([Reason("untrained"), *explanation.reasons], explanation.numbers)
        if not self._alternatives(view).values(move):
            for _, step in self.context.ranked(trained, view):
                if whole_move(self._finisher(view), view, step) == move:
                    return self.explain_steps(view, [(move, step)])[0]
        return super().explain(view, move)

    def explain_steps(self, view: View, moves: list[tuple[Move, int]]) -> list[Explanation]:
        """Explain moves that start with these steps, in a game the network was trained on.

        If one of them was not a candidate, all are tried out together with the chosen one.
        """
        alternatives = self._alternatives(view)
        if any(not alternatives.values(move) for move, _ in moves):
            self._try_out(view, [step for _, step in moves])
            alternatives = self._alternatives(view)
        return [self._reason(view, move, alternatives) for move, _ in moves]

    def _alternatives(self, view: View) -> Alternatives:
        """Return the tried moves. If there was only one candidate, try it out first."""
        alternatives = super()._alternatives(view)
        if self.context.trained(view) is None or alternatives.found[0][1].values:
            return alternatives
        self._try_out(view, [])
        return super()._alternatives(view)

    def _finisher(self, view: View) -> Bot:
        if self.context.trained(view) is None:
            return super()._finisher(view)
        return _ByNetwork(self.context)

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
        race = NetworkComparison(worlds, planner, [chosen, *others], self._now)
        race.try_out(TRIED_FOR_WORDS)
        self._known[facts] = (Decision(race.candidates, chosen, race.tried), [])

    def _worlds(self, view: View, seed: str, deadline: float) -> DeterminizedDeals:
        trained = self.context.trained(view)
        if trained is None:
            return super()._worlds(view, seed, deadline)
        weighing = self.context.weighing(trained, view) if self._weighs else None
        likely = self.context.likely(trained, view)
        if weighing is None:
            return DeterminizedDeals(view, f"{self._seed}:{seed}", likely)
        until = deadline
        if deadline < NEVER:
            start = self._now()
            until = start + (deadline - start) * _WEIGHING
        return WeightedDeals(view, f"{self._seed}:{seed}", likely, weighing, until, self._now)

    def _planner(self, view: View, world: HandState, deadline: float) -> Planner:
        trained = self.context.trained(view)
        seat = view.seat
        if trained is None or seat is None:
            return super()._planner(view, world, deadline)
        self.caution = self._caution
        observer = self.context.observer(trained, view)
        return LearnedPlanner(world, seat, trained, observer, deadline, self._now)

    def _new_race(
        self, worlds: DeterminizedDeals, planner: Planner, plans: list[list[int]]
    ) -> CandidateComparison:
        if isinstance(planner, LearnedPlanner):
            return NetworkComparison(worlds, planner, plans, self._now)
        return super()._new_race(worlds, planner, plans)

    def _run(self, race: CandidateComparison, deadline: float) -> None:
        if isinstance(race, NetworkComparison) and self._budget >= 0.0:
            race.run_over(MOST_WORLDS, deadline)
        else:
            super()._run(race, deadline)

    # -- words --------------------------------------------------------------------------------------------

    def _reason(self, view: View, move: Move, alternatives: Alternatives) -> Explanation:
        explanation = super()._reason(view, move, alternatives)
        trained = self.context.trained(view)
        if trained is None or not alternatives.values(move):
            return explanation
        numbers = dict(explanation.numbers)
        expected = round(alternatives.expected(move))
        numbers["expected"] = float(expected)
        reasons = [_by_learning(reason, numbers) for reason in explanation.reasons]
        if isinstance(move, Discard):
            # The measured outcomes replace the club player's estimates.
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
        """Return the share of probable deals in which the next player takes the pile after these steps.

        The second number is the value of the pile to that player's side, estimated from the open cards.
        """
        seat = seat_of(view)
        worlds = self._worlds(view, "next", NEVER)
        before = self.context.observer(trained, view)
        taken = 0
        worth = 0.0
        for number in range(TRIED_FOR_WORDS):
            state = worlds.fresh(number)
            observer = before.copy()
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
    """Return the reason about the cards that a discard offers the next player."""
    facts: Facts = {"pile": pile, "worth": round(worth)}
    if chance > 0.0:
        facts["percent"] = round(100 * chance)
        return Reason("next_takes" if pile > 1 else "next_takes_alone", facts)
    facts["count"] = TRIED_FOR_WORDS
    return Reason("next_leaves" if pile > 1 else "next_leaves_alone", facts)
