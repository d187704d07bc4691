"""Rollouts: play possible deals to their end with the club policy, and compare candidates over the same
deals.

Every candidate is tried in the same deals, so differences come from the decision and not from the luck of the
cards. The worse half of the candidates is dropped several times. The player's own first choice always stays,
and is replaced only on evidence.
"""

from collections.abc import Callable
from math import sqrt
from time import perf_counter
from typing import Final

from canasta.bots.card_counting import likely_hands, marks_in_pile
from canasta.bots.club.policy import club_step
from canasta.bots.club.weights import Weights
from canasta.bots.protocol import seat_of
from canasta.engine.actions.make import make_step
from canasta.engine.determinize import determinize
from canasta.engine.play.scoring import score_hand
from canasta.engine.rng import Rng
from canasta.engine.state import ANSWER, OVER, HandState
from canasta.engine.view import View

NEVER: Final = 1e18
"""Deadline for searches that count deals instead of seconds."""

MOST_STEPS: Final = 3000
"""Step limit, far above the length of any real hand. A hand that reaches it is scored as it is."""

_STEPS_BETWEEN_LOOKS: Final = 4
"""Steps between checks of the clock; in plain Python, one hand may take most of a second."""


Clock = Callable[[], float]
"""A function that returns the seconds passed since some fixed moment."""

WALL_CLOCK: Final[Clock] = perf_counter


def seat_to_act(state: HandState) -> int:
    return state.answering if state.phase == ANSWER else state.turn


def play_out(state: HandState, weights: Weights, deadline: float, now: Clock = WALL_CLOCK) -> bool:
    """Play on to the end of the hand. Return `False` if the deadline came first."""
    left = MOST_STEPS
    while state.phase != OVER and left > 0:
        make_step(state, club_step(state, seat_to_act(state), weights))
        left -= 1
        if left % _STEPS_BETWEEN_LOOKS == 0 and deadline < NEVER and now() >= deadline:
            return False
    return True


def outcome(state: HandState, side: int) -> float:
    """Return the side's points for the hand minus those of its best opponents."""
    mine = 0
    best = -1_000_000
    sheets = score_hand(state)
    for other in range(state.sides):
        total = sheets[other].total
        if other == side:
            mine = total
        elif total > best:
            best = total
    return float(mine - best)


LEAST_WORLDS: Final = 12
"""Minimum number of deals for any conclusion."""

_WORLDS_BETWEEN_LOOKS: Final = 12

_ANY_NUMBER: Final = 1_000_000

_HOPELESS: Final = 3.0
"""Number of standard errors behind the first choice at which a candidate is dropped."""


class Candidate:
    """A sequence of steps from the position, after which the club player continues."""

    def __init__(self, steps: list[int], ahead: float = 0.0) -> None:
        self.steps: list[int] = steps
        self.ahead: float = ahead
        """Points credited to it before any trial; negative if they count against it."""
        self.values: list[float] = []
        """Outcomes by deal."""


class Margin:
    """The difference between two candidates over the deals in which both were tried."""

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
        """Mean gain in points per hand."""
        spread = squares - total * self.gain
        self.error: float = sqrt(spread / (worlds * (worlds - 1))) if worlds > 1 and spread > 0.0 else 0.0
        """Standard error of the gain."""


class DeterminizedDeals:
    """Probable deals that agree with a view, generated on demand."""

    def __init__(self, view: View, seed: str, likely: list[list[float]] | None = None) -> None:
        """Prepare to sample deals of this view.

        `likely` weights the other hands as in `determinize`; by default the weights come from the pile.
        """
        self._view: View = view
        seat = seat_of(view)
        if likely is None:
            likely = likely_hands(view.state, seat, marks_in_pile(view.state))
        self._likely: list[list[float]] = likely
        self._rng: Rng = Rng(seed)
        self._dealt: list[HandState] = []

    def fresh(self, number: int) -> HandState:
        """Return a copy of the deal with this number."""
        while len(self._dealt) <= number:
            self._dealt.extend(self._next())
        return self._dealt[number].copy()

    def _next(self) -> list[HandState]:
        """Return the next deal, or several at once."""
        return [self._deal()]

    def _deal(self) -> HandState:
        return determinize(self._view, self._rng, self._likely)


class CandidateComparison:
    """A comparison of the candidates of one decision. The first is the player's choice before searching."""

    def __init__(
        self,
        worlds: DeterminizedDeals,
        side: int,
        weights: Weights,
        plans: list[list[int]],
        now: Clock = WALL_CLOCK,
        ahead: list[float] | None = None,
    ) -> None:
        """Create the candidates. `ahead` contains, for each plan, the points credited to it at the start."""
        self.candidates: list[Candidate] = [
            Candidate(plans[number], 0.0 if ahead is None else ahead[number]) for number in range(len(plans))
        ]
        self.tried: int = 0
        """Number of deals tried."""
        self._worlds: DeterminizedDeals = worlds
        self._side: int = side
        self._weights: Weights = weights
        self._now: Clock = now
        self._running: list[int] = list(range(len(plans)))

    def run_until(self, deadline: float) -> None:
        """Compare candidates until the deadline."""
        rounds = _rounds(len(self._running))
        for number in range(rounds):
            start = self._now()
            end = start + (deadline - start) / (rounds - number)
            while len(self._running) > 1 and self._now() < end and self._try_next(end, _ANY_NUMBER):
                pass
            self._halve()

    def run_over(self, worlds: int, deadline: float = NEVER) -> None:
        """Compare candidates over this many deals, or fewer if the deadline comes first."""
        rounds = _rounds(len(self._running))
        for number in range(rounds):
            end = worlds * (number + 1) // rounds
            while len(self._running) > 1 and self.tried < end:
                if not self._try_next(deadline, end - self.tried):
                    return
            self._halve()

    def best(self, caution: float) -> int:
        """Return the index of the best candidate: the first, unless another gained more than `caution`
        standard errors.
        """
        best = 0
        best_gain = 0.0
        if self.tried >= LEAST_WORLDS:
            for index in self._running:
                gain = self._gain(index)
                error = Margin(self.candidates[index], self.candidates[0]).error
                if gain > best_gain and gain > caution * error:
                    best = index
                    best_gain = gain
        return best

    def _gain(self, index: int) -> float:
        """Return the gain over the first choice, including the points credited to each before any trial."""
        one = self.candidates[index]
        first = self.candidates[0]
        return Margin(one, first).gain + one.ahead - first.ahead

    def _try_next(self, deadline: float, most: int) -> bool:
        """Try the remaining candidates in up to `most` further deals.

        Return `False`, with nothing recorded, if time was too short.
        """
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

    def _values(self, deadline: float, most: int) -> list[list[float]]:  # noqa: ARG002 - one world suffices
        """Return, for each of the next deals, the outcomes of the remaining candidates; empty if time was too
        short.
        """
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
        """Keep the better half of the candidates, and always the first choice."""
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
        """Drop candidates that are far behind the first choice."""
        left: list[int] = [0]
        for index in self._running:
            if index != 0:
                lead = Margin(self.candidates[index], self.candidates[0])
                if lead.gain > -_HOPELESS * lead.error or lead.error == 0.0:
                    left.append(index)
        self._running = left


def _rounds(candidates: int) -> int:
    """Return the number of rounds if half of the candidates are dropped after each until two are left.

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
