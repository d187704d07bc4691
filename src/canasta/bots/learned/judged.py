"""Candidates raced by the network: it plays on for a few turns in many deals at once, then the judge speaks.

The judge was trained beside the player and sees all cards. It is asked about deals that the player imagines,
in which all cards are known.
"""

from typing import Final

from librt.strings import BytesWriter

from canasta.bots.expert.playing_out import NEVER, Clock, seat_to_act
from canasta.bots.expert.race import Race, Worlds
from canasta.bots.learned.plans import LearnedPlanner
from canasta.bots.learned.trained import Trained
from canasta.engine.observing.observer import Observer
from canasta.engine.play.scoring import score_hand
from canasta.engine.state import OVER, HandState
from canasta.engine.steps.legal import legal_steps
from canasta.engine.steps.make import make_step

TURNS: Final = 1
"""Turns that the network plays on after the player's own. Four and eight were measured to be no better."""
_TOGETHER: Final = 8
"""Worlds that are tried at once."""
_MOST_STEPS: Final = 400
"""Far more than these turns take."""


class Line:
    """A candidate in one world."""

    def __init__(self, state: HandState, observer: Observer, turns: int) -> None:
        self.state: HandState = state
        self.observer: Observer = observer
        self.turns: int = turns
        """Still to be played, the present one among them."""
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
        """To the next choice, or to the end of the hand: a judge has learned from choices alone."""
        while self.state.phase != OVER:
            self.legal = legal_steps(self.state)
            if len(self.legal) > 1 or self._steps > _MOST_STEPS:
                return
            self.make(self.legal[0])

    def is_played(self, side: int) -> bool:
        """It is for the judge, who speaks of the side that is to act: with two sides that tells of both."""
        state = self.state
        return (
            state.phase == OVER
            or self._steps > _MOST_STEPS
            or (self.turns <= 0 and (state.sides == 2 or state.side_of[seat_to_act(state)] == side))
        )


class JudgedRace(Race):
    """A race in which the network plays on, and not the club player to the end."""

    def __init__(
        self,
        worlds: Worlds,
        planner: LearnedPlanner,
        plans: list[list[int]],
        now: Clock,
    ) -> None:
        ahead = [planner.ahead(plan) for plan in plans]
        super().__init__(worlds, planner.side, planner.weights, plans, now, ahead)
        self._trained: Trained = planner.trained
        self._observer: Observer = planner.observer

    def try_out(self, worlds: int) -> None:
        """Try the candidates in so many worlds, were it only one of them."""
        while self.tried < worlds:
            self._try_next(NEVER, worlds - self.tried)

    def _values(self, deadline: float, most: int) -> list[list[float]]:
        count = min(most, _TOGETHER)
        lines: list[Line] = []
        for number in range(self.tried, self.tried + count):
            for index in self._running:
                # The present turn is the first.
                line = Line(self._worlds.fresh(number), self._observer.copy(), TURNS + 1)
                for step in self.candidates[index].steps:
                    line.make(step)
                lines.append(line)
        if not self._play_on(lines, deadline):
            return []
        values = judged(self._trained, self._side, lines)
        width = len(self._running)
        return [values[at : at + width] for at in range(0, len(values), width)]

    def _play_on(self, lines: list[Line], deadline: float) -> bool:
        playing = lines
        while True:
            choosing: list[Line] = []
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


def judged(trained: Trained, side: int, lines: list[Line]) -> list[float]:
    """Points by which the side is better off in the end; with three sides, of those where it is to act."""
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
    """What the judge says of the side that is to act, as it is for this one."""
    return said if state.side_of[seat_to_act(state)] == side else -said


def margin(state: HandState, side: int) -> float:
    """The side's points of a hand less the mean of the others, as the judge has learned it."""
    points = [sheet.total for sheet in score_hand(state)]
    return points[side] - (sum(points) - points[side]) / (len(points) - 1)
