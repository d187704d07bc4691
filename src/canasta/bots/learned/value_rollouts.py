"""Race candidates with the network: play on for a few turns in many deals at once, then evaluate with the
critic.

The critic was trained alongside the policy and sees all cards. It is only applied to deals that the player
imagines, in which all cards are known.
"""

from typing import Final

from librt.strings import BytesWriter

from canasta.bots.expert.rollouts import NEVER, Clock, Race, Worlds, seat_to_act
from canasta.bots.learned.coverage import TrainedNetwork
from canasta.bots.learned.plans import LearnedPlanner
from canasta.engine.actions.legal import legal_steps
from canasta.engine.actions.make import make_step
from canasta.engine.observation.encoder import Observer
from canasta.engine.play.scoring import score_hand
from canasta.engine.state import OVER, HandState

TURNS: Final = 1
"""Number of turns the network plays on after the player's own. Four and eight turns measured no better."""
_TOGETHER: Final = 8
"""Number of worlds tried at once."""
_MOST_STEPS: Final = 400
"""Step limit, far above what these turns take."""


class CandidateRollout:
    """A candidate in one world."""

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
        """Play forced steps up to the next choice or the end of the
        hand; the critic was only trained on choices."""
        while self.state.phase != OVER:
            self.legal = legal_steps(self.state)
            if len(self.legal) > 1 or self._steps > _MOST_STEPS:
                return
            self.make(self.legal[0])

    def is_played(self, side: int) -> bool:
        """Return whether the critic can evaluate now.

        It evaluates the side to act; with two sides that covers both.
        """
        state = self.state
        return (
            state.phase == OVER
            or self._steps > _MOST_STEPS
            or (self.turns <= 0 and (state.sides == 2 or state.side_of[seat_to_act(state)] == side))
        )


class JudgedRace(Race):
    """A race in which the network plays on for a few turns, instead of the club player to the end."""

    def __init__(
        self,
        worlds: Worlds,
        planner: LearnedPlanner,
        plans: list[list[int]],
        now: Clock,
    ) -> None:
        ahead = [planner.ahead(plan) for plan in plans]
        super().__init__(worlds, planner.side, planner.weights, plans, now, ahead)
        self._trained: TrainedNetwork = planner.trained
        self._observer: Observer = planner.observer

    def try_out(self, worlds: int) -> None:
        """Try the candidates in this many worlds, even if there is only one candidate."""
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
        values = judged(self._trained, self._side, lines)
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
            chosen = self._trained.network.choose(
                [line.observer.observe(line.state, seat_to_act(line.state)) for line in choosing],
                [self._trained.actions(line.legal) for line in choosing],
            )
            for at in range(len(choosing)):
                choosing[at].make(choosing[at].legal[chosen[at]])
            playing = choosing


def judged(trained: TrainedNetwork, side: int, lines: list[CandidateRollout]) -> list[float]:
    """Return the final margin expected for the side.

    With three sides, lines must end when the side is to act.
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
        said = trained.network.judge(rows)
        for number in range(len(asked)):
            values[asked[number]] = trained.unit * for_side(lines[asked[number]].state, side, said[number])
    return values


def for_side(state: HandState, side: int, said: float) -> float:
    """Convert the critic's value for the side to act into one for this side."""
    return said if state.side_of[seat_to_act(state)] == side else -said


def margin(state: HandState, side: int) -> float:
    """Return the side's points minus the mean of the others, which is what the critic was trained on."""
    points = [sheet.total for sheet in score_hand(state)]
    return points[side] - (sum(points) - points[side]) / (len(points) - 1)
