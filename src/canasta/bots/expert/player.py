"""The expert: compares the club player's choice with its rivals in possible deals.

`budget` is in seconds per turn. If it is negative, its absolute value is the number of deals per decision;
the same views then always lead to the same steps, because the clock plays no part.
"""

from typing import Final

from canasta.bots.club.player import ClubBot
from canasta.bots.club.weights import weights_for
from canasta.bots.expert.plans import MOST_DISCARDS, Planner, melds_of
from canasta.bots.expert.rollouts import (
    NEVER,
    WALL_CLOCK,
    Candidate,
    CandidateComparison,
    Clock,
    DeterminizedDeals,
    Margin,
)
from canasta.bots.protocol import Bot, Explanation, Hint, Reason, SeatedBot, seat_of, whole_move
from canasta.engine.actions.codec import ASK, LAY_BONUS, PUT_BACK, is_discard
from canasta.engine.actions.legal import legal_steps
from canasta.engine.actions.make import make_step
from canasta.engine.moves.types import Move
from canasta.engine.state import ANSWER, DRAW, PLAY, HandState
from canasta.engine.view import View
from canasta.i18n import Facts

BUDGET: Final = 0.8
"""Default seconds per turn."""

CAUTION: Final = 1.2
"""Number of standard errors by which another choice must beat the club player's own."""

_USED: Final = 0.94
"""Share of the budget that is used; the rest covers the time between two checks of the clock."""

_PLANNING: Final = 0.2
"""Share of a decision's time after which no more candidates are generated."""

_BEFORE_DRAWING: Final = 0.4
"""Share of a turn's time for the decision before drawing."""

_MOST_KNOWN: Final = 64
"""Limit on the decisions remembered for explaining them."""

_MELDS_FIRST: Final = 0.65
"""Share of the remaining time for choosing the melds, if there is more than the discard to decide."""


class Decision:
    """The result of thinking about one position: the candidates, and the plan that was chosen."""

    def __init__(self, candidates: list[Candidate], chosen: list[int], worlds: int) -> None:
        self.candidates: list[Candidate] = candidates
        self.chosen: list[int] = chosen
        self.worlds: int = worlds


class _Follower(Bot):
    """Makes the steps of a plan. If the plan stops within a first meld, another bot completes it."""

    def __init__(self, steps: list[int], finisher: Bot) -> None:
        self.name: str = "plan"
        self._steps: list[int] = steps
        self._finisher: Bot = finisher
        self._next: int = 0

    def step(self, view: View) -> int:
        if self._next == len(self._steps):
            return self._finisher.step(view)
        step = self._steps[self._next]
        self._next += 1
        return step


class Alternatives:
    """The moves that were tried, each with the best candidate that starts with it."""

    def __init__(
        self, view: View, candidates: list[Candidate], chosen: list[int], done: int, finisher: Bot
    ) -> None:
        """Group `candidates` by their first move.

        `done` is the number of steps already made; `finisher` plays on after a candidate ends.
        """
        self._done: int = done
        self.found: list[tuple[Move, Candidate]] = []
        """Moves and candidates: the chosen move first, then the others from the best down."""
        kept = [
            candidate
            for candidate in candidates
            if len(candidate.steps) > done and candidate.steps[:done] == chosen[:done]
        ]
        ahead = [candidate for candidate in kept if candidate.steps == chosen]
        for candidate in [*ahead, *_by_gain(kept, ahead)]:
            move = plan_move(view, candidate.steps[done:], finisher)
            if all(move != other for other, _ in self.found):
                self.found.append((move, candidate))

    def values(self, move: Move) -> list[float]:
        """Return the outcomes of a move, by deal; empty if it was not tried."""
        return [value for other, candidate in self.found if other == move for value in candidate.values]

    def expected(self, move: Move) -> float:
        """Return the expected points of a move that was tried.

        This is the chosen move's mean plus the move's gain over it in the deals that both were tried in, so
        the difference between two moves is exactly the reported gain.
        """
        chosen = self.found[0][1]
        points = 0.0
        for other, candidate in self.found:
            if other == move:
                base = chosen if chosen.values else candidate
                points = sum(base.values) / len(base.values) + Margin(candidate, base).gain
        return points

    def steps(self, move: Move) -> list[int]:
        """Return the steps with which a move was tried; empty if it was not."""
        return [
            step for other, candidate in self.found if other == move for step in candidate.steps[self._done :]
        ]

    def moves(self, most: int) -> list[Move]:
        return [move for move, _ in self.found[:most]]


def _by_gain(candidates: list[Candidate], ahead: list[Candidate]) -> list[Candidate]:
    """Return the other candidates, the best first."""
    others: list[tuple[float, int]] = []
    for index in range(len(candidates)):
        if ahead and candidates[index] is ahead[0]:
            continue
        gain = Margin(candidates[index], ahead[0]).gain if ahead else 0.0
        others.append((-gain, index))
    others.sort()
    return [candidates[index] for _, index in others]


def plan_move(view: View, steps: list[int], finisher: Bot) -> Move:
    """Return the whole move with which a plan starts."""
    return whole_move(_Follower(steps[1:], finisher), view, steps[0])


def verdict(alternatives: Alternatives, move: Move, numbers: dict[str, float]) -> list[Reason]:
    """Return the move's gain over the next best one as a reason, and add the figures to `numbers`."""
    mine: Candidate | None = None
    rival: Candidate | None = None
    rival_move: Move | None = None
    for other_move, candidate in alternatives.found:
        if other_move == move:
            mine = candidate
        elif rival is None:
            rival = candidate
            rival_move = other_move
    if mine is None or rival is None or rival_move is None:
        return []
    lead = Margin(mine, rival)
    if lead.worlds == 0:
        return []
    numbers["possible deals"] = float(lead.worlds)
    numbers["gain"] = round(lead.gain, 1)
    numbers["gain error"] = round(lead.error, 1)
    points = abs(round(lead.gain))
    facts: Facts = {"count": lead.worlds, "move": str(rival_move)}
    if points < 1 or abs(lead.gain) < lead.error:
        return [Reason("about_same", facts)]
    is_chosen = alternatives.found[0][0] == move
    if (lead.gain < 0) == is_chosen:
        # With so few deals the evidence was too weak, and the player kept its choice.
        return [Reason("too_few_deals", facts)]
    facts["points"] = points
    return [Reason("brings_more" if lead.gain > 0 else "brings_less", facts)]


class ExpertBot(SeatedBot):
    """Searches within its time; with too little time or evidence it plays like the club player."""

    def __init__(self, seed: str = "", budget: float | None = None, now: Clock = WALL_CLOCK) -> None:
        self.name: str = "expert"
        self.caution: float = CAUTION
        self._now: Clock = now
        self._seed: str = seed
        self._budget: float = BUDGET if budget is None else budget
        self._club: ClubBot = ClubBot()
        self._spent: float = 0.0
        self._last_step: int = -1
        self._plan: list[int] = []
        """Remaining steps of the current plan."""
        self._done: list[int] = []
        """Steps of the current plan that were already made."""
        self._expected: tuple[object, ...] = ()
        """Facts of the view that must be unchanged for the plan's next step to apply."""
        self._decision: Decision = Decision([], [], 0)
        """The decision from which the plan was chosen."""
        self._known: dict[tuple[object, ...], tuple[Decision, list[int]]] = {}
        """Decisions of this turn by the facts of the view, each with the steps made since."""

    def step(self, view: View) -> int:
        start = self._now()
        state = view.state
        if state.phase == ANSWER or (
            state.phase == DRAW and self._last_step not in (ASK, LAY_BONUS, PUT_BACK)
        ):
            self._spent = 0.0
            self._plan = []
            self._known = {}
        step = self._next_step(view, start)
        self._last_step = step
        self._spent += self._now() - start
        return step

    def _next_step(self, view: View, begun: float) -> int:
        steps = legal_steps(view.state)
        if len(steps) == 1:
            self._plan = []
            return steps[0]
        facts = view.facts()
        if not self._plan or facts != self._expected:
            decision = self._decide(view, facts, begun, self._budget * _USED - self._spent)
            self._known[facts] = (decision, [])
            self._decision = decision
            self._plan = decision.chosen
            self._done = []
        step = self._plan[0]
        self._plan = self._plan[1:]
        self._done = [*self._done, step]
        if self._plan:
            after = view.state.copy()
            make_step(after, step)
            self._expected = View(after, view.seat, view.scores).facts()
            self._known[self._expected] = (self._decision, self._done)
        return step

    # -- deciding -----------------------------------------------------------------------------------------

    def _decide(self, view: View, facts: tuple[object, ...], begun: float, seconds: float) -> Decision:
        """Generate candidates and compare them."""
        state = view.state
        counts_worlds = self._budget < 0.0
        # Seed by the view, so that the same view always gets the same deals.
        deadline = NEVER if counts_worlds else begun + max(seconds, 0.0)
        worlds = self._worlds(view, repr(facts), deadline)
        planning = NEVER if counts_worlds else begun + max(seconds, 0.0) * _PLANNING
        planner = self._planner(view, worlds.fresh(0), planning)
        if state.phase != PLAY:
            plans = planner.first_steps()
            if state.phase == DRAW and not counts_worlds:
                deadline = begun + (deadline - begun) * _BEFORE_DRAWING
            race = self._race(worlds, planner, plans, deadline)
            chosen = plans[race.best(self.caution)]
            return Decision(race.candidates, chosen, race.tried)
        plans = planner.rest_of_turn()
        first_melds = melds_of(plans[0])
        has_other_melds = any(melds_of(plan) != first_melds for plan in plans)
        first_deadline = deadline
        if has_other_melds and not counts_worlds:
            first_deadline = begun + (deadline - begun) * _MELDS_FIRST
        race = self._race(worlds, planner, plans, first_deadline)
        chosen = plans[race.best(self.caution)]
        if melds_of(chosen) == first_melds or not is_discard(chosen[-1]):
            return Decision(race.candidates, chosen, race.tried)
        # The melds differ from the club player's, so compare the discards that can follow them.
        more = [
            chosen,
            *[plan for plan in planner.discards(melds_of(chosen), MOST_DISCARDS) if plan != chosen],
        ]
        if len(more) == 1:
            # It has nothing to be compared with; the first comparison has everything known about it.
            return Decision(race.candidates, chosen, race.tried)
        second = self._race(worlds, planner, more, deadline)
        others = [candidate for candidate in race.candidates if candidate.steps != chosen]
        chosen = more[second.best(self.caution)]
        return Decision([*second.candidates, *others], chosen, max(race.tried, second.tried))

    def _worlds(self, view: View, seed: str, deadline: float) -> DeterminizedDeals:  # noqa: ARG002 - subclasses use it
        """Return probable deals, weighted by what the pile reveals about the other hands."""
        return DeterminizedDeals(view, f"{self._seed}:{seed}")

    def _planner(self, view: View, world: HandState, deadline: float) -> Planner:
        seat = seat_of(view)
        return Planner(world, seat, weights_for(world.compiled), deadline, self._now)

    def _race(
        self, worlds: DeterminizedDeals, planner: Planner, plans: list[list[int]], deadline: float
    ) -> CandidateComparison:
        race = self._new_race(worlds, planner, plans)
        if len(plans) > 1:
            self._run(race, deadline)
        return race

    def _run(self, race: CandidateComparison, deadline: float) -> None:
        if self._budget < 0.0:
            race.run_over(int(-self._budget))
        else:
            race.run_until(deadline)

    def _new_race(
        self, worlds: DeterminizedDeals, planner: Planner, plans: list[list[int]]
    ) -> CandidateComparison:
        return CandidateComparison(worlds, planner.side, planner.weights, plans, self._now)

    # -- words --------------------------------------------------------------------------------------------

    def explain(self, view: View, move: Move) -> Explanation:
        """Return the club player's reasons, and the comparison with the next best move in possible deals."""
        return self._reason(view, move, self._alternatives(view))

    def hint(self, view: View, most: int = 3) -> list[Hint]:
        """Return the best few moves by their outcomes in possible deals."""
        alternatives = self._alternatives(view)
        moves = alternatives.moves(most)
        if not moves:
            moves = [self.choose(view)]
        return [Hint(move, self._reason(view, move, alternatives)) for move in moves]

    def _reason(self, view: View, move: Move, alternatives: Alternatives) -> Explanation:
        club = self._club.explain(view, move)
        numbers = dict(club.numbers)
        return Explanation([*club.reasons, *verdict(alternatives, move, numbers)], numbers)

    def _alternatives(self, view: View) -> Alternatives:
        facts = view.facts()
        known = self._known.get(facts)
        if known is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known = {}
            known = (self._decide(view, facts, self._now(), self._budget * _USED), [])
            self._known[facts] = known
        decision, done = known
        return Alternatives(view, decision.candidates, decision.chosen, len(done), self._finisher(view))

    def _finisher(self, view: View) -> Bot:  # noqa: ARG002 - subclasses use it
        """Return the bot that continues in possible deals after a candidate ends."""
        return self._club
