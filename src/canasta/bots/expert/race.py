"""A race between candidates over the same possible deals.

Every candidate is tried in the same worlds, so that what differs is the decision and not the luck of the
cards. The field is halved a few times; the player's own first choice runs to the end, and only evidence
takes its place.
"""

from math import sqrt
from typing import Final

from canasta.bots.belief import likely_hands, marks_in_pile
from canasta.bots.club.weights import Weights
from canasta.bots.expert.playing_out import NEVER, WALL_CLOCK, Clock, outcome, play_out
from canasta.engine.resample import resample
from canasta.engine.rng import Rng
from canasta.engine.state import HandState
from canasta.engine.steps.make import make_step
from canasta.engine.view import View

LEAST_WORLDS: Final = 12
"""With fewer worlds than these nothing is concluded."""

_WORLDS_BETWEEN_LOOKS: Final = 12

_ANY_NUMBER: Final = 1_000_000

_HOPELESS: Final = 3.0
"""A candidate so many standard errors behind the first choice is out."""


class Candidate:
    """A sequence of steps from the position on; after them the club player goes on."""

    def __init__(self, steps: list[int], ahead: float = 0.0) -> None:
        self.steps: list[int] = steps
        self.ahead: float = ahead
        """Points that speak for it before it is tried; below zero where they speak against it."""
        self.values: list[float] = []
        """What came of it, by world."""


class Comparison:
    """How much better one candidate did than another in the worlds that both were tried in."""

    def __init__(self, one: Candidate, other: Candidate) -> None:
        worlds = min(len(one.values), len(other.values))
        self.worlds: int = worlds
        total = 0.0
        squares = 0.0
        for world in range(worlds):
            more = one.values[world] - other.values[world]
            total += more
            squares += more * more
        self.gain: float = total / worlds if worlds > 0 else 0.0
        """Points a hand."""
        spread = squares - total * self.gain
        self.error: float = sqrt(spread / (worlds * (worlds - 1))) if worlds > 1 and spread > 0.0 else 0.0
        """The standard error of the gain."""


class Worlds:
    """Probable deals that agree with a view, made when they are needed."""

    def __init__(self, view: View, seed: str, likely: list[list[float]] | None = None) -> None:
        """`likely`: how the hands of the others differ from a uniform deal, as `resample` reads it; where it
        is not given, the pile tells it."""
        self._view: View = view
        seat = view.seat
        assert seat is not None, "a spectator searches nothing"
        if likely is None:
            likely = likely_hands(view.state, seat, marks_in_pile(view.state))
        self._likely: list[list[float]] = likely
        self._rng: Rng = Rng(seed)
        self._dealt: list[HandState] = []

    def fresh(self, number: int) -> HandState:
        """A copy of the world of this number."""
        while len(self._dealt) <= number:
            self._dealt.extend(self._next())
        return self._dealt[number].copy()

    def _next(self) -> list[HandState]:
        """One more deal, or some at once."""
        return [self._deal()]

    def _deal(self) -> HandState:
        return resample(self._view, self._rng, self._likely)


class Race:
    """Candidates of one decision; the first is the player's own choice before it thinks."""

    def __init__(
        self,
        worlds: Worlds,
        side: int,
        weights: Weights,
        plans: list[list[int]],
        now: Clock = WALL_CLOCK,
        ahead: list[float] | None = None,
    ) -> None:
        """`ahead`: for each plan the points that speak for it before it is tried."""
        self.candidates: list[Candidate] = [
            Candidate(plans[number], 0.0 if ahead is None else ahead[number]) for number in range(len(plans))
        ]
        self.tried: int = 0
        """How many worlds were tried."""
        self._worlds: Worlds = worlds
        self._side: int = side
        self._weights: Weights = weights
        self._now: Clock = now
        self._running: list[int] = list(range(len(plans)))

    def run_until(self, deadline: float) -> None:
        """Race by the clock."""
        rounds = _rounds(len(self._running))
        for number in range(rounds):
            start = self._now()
            end = start + (deadline - start) / (rounds - number)
            while len(self._running) > 1 and self._now() < end and self._try_next(end, _ANY_NUMBER):
                pass
            self._halve()

    def run_over(self, worlds: int, deadline: float = NEVER) -> None:
        """Race over so many worlds, or as many as there is time for."""
        rounds = _rounds(len(self._running))
        for number in range(rounds):
            end = worlds * (number + 1) // rounds
            while len(self._running) > 1 and self.tried < end:
                if not self._try_next(deadline, end - self.tried):
                    return
            self._halve()

    def best(self, caution: float) -> int:
        """Who won: the first choice unless another gained `caution` standard errors more."""
        best = 0
        best_gain = 0.0
        if self.tried >= LEAST_WORLDS:
            for index in self._running:
                gain = self._gain(index)
                error = Comparison(self.candidates[index], self.candidates[0]).error
                if gain > best_gain and gain > caution * error:
                    best = index
                    best_gain = gain
        return best

    def _gain(self, index: int) -> float:
        """Over the first choice, with what spoke for each beforehand."""
        one = self.candidates[index]
        first = self.candidates[0]
        return Comparison(one, first).gain + one.ahead - first.ahead

    def _try_next(self, deadline: float, most: int) -> bool:
        """Try all who still run in the next worlds, `most` of them or fewer; False, and nothing noted, when
        time was too short."""
        before = self.tried
        tried = self._values(deadline, most)
        if not tried:
            return False
        for values in tried:
            for position in range(len(values)):
                self.candidates[self._running[position]].values.append(values[position])
        self.tried += len(tried)
        if self.tried // _WORLDS_BETWEEN_LOOKS > before // _WORLDS_BETWEEN_LOOKS:
            self._drop_hopeless()
        return True

    def _values(self, deadline: float, most: int) -> list[list[float]]:  # noqa: ARG002 - one world is enough
        """For each of the next worlds what comes of those who run; none when time was too short."""
        values: list[float] = []
        for index in self._running:
            state = self._worlds.fresh(self.tried)
            for step in self.candidates[index].steps:
                make_step(state, step)
            if not play_out(state, self._weights, deadline, self._now):
                return []
            values.append(outcome(state, self._side))
        return [values]

    def _halve(self) -> None:
        """The better half runs on, and the first choice in any case."""
        if self.tried == 0 or len(self._running) <= 2:
            return
        others: list[tuple[float, int]] = []
        for index in self._running:
            if index != 0:
                others.append((-self._gain(index), index))
        others.sort()
        keep = len(self._running) // 2
        self._running = [0, *[index for _, index in others[:keep]]]

    def _drop_hopeless(self) -> None:
        """Drop whoever is far behind the first choice."""
        left: list[int] = [0]
        for index in self._running:
            if index != 0:
                found = Comparison(self.candidates[index], self.candidates[0])
                if found.gain > -_HOPELESS * found.error or found.error == 0.0:
                    left.append(index)
        self._running = left


def _rounds(candidates: int) -> int:
    """How many rounds there are when the field is halved after each until two run.

    >>> _rounds(2), _rounds(3), _rounds(8)
    (1, 2, 4)
    """
    rounds = 1
    while candidates > 2:
        candidates = candidates // 2 + 1
        rounds += 1
        if candidates == 2:
            break
    return rounds
