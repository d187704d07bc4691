"""Expected points of a position: the mean result of the club player in many possible deals.

Points are stored by side. Comparisons use the *margin*: a side's points minus the mean of the others'. With
two sides that is the lead of one over the other. The margins of all sides add up to zero.
"""

from collections.abc import Sequence
from math import inf, sqrt
from typing import Final

from canasta.bots.club.policy import club_step
from canasta.bots.club.weights import weights_for
from canasta.bots.expert.rollouts import MOST_STEPS, NEVER, play_out, seat_to_act
from canasta.engine.actions.make import make_step
from canasta.engine.moves.apply import try_move
from canasta.engine.moves.types import Move
from canasta.engine.play.scoring import score_hand
from canasta.engine.rng import Rng
from canasta.engine.state import OVER, HandState

Points = tuple[float, ...]
"""Points by side."""


class Continuation:
    """A continuation from a position: whole moves, then steps, then the club player's play."""

    def __init__(self, moves: Sequence[Move] = (), steps: Sequence[int] = ()) -> None:
        self.moves = moves
        self.steps = steps

    def after(self, world: HandState) -> HandState:
        """Return the position after this continuation. `world` may be modified."""
        for move in self.moves:
            world = try_move(world, move)
            world.log = None
        for step in self.steps:
            make_step(world, step)
        return world

    def points(self, world: HandState) -> Points:
        """Return each side's points at the end of the hand."""
        state = self.after(world)
        play_out(state, weights_for(state.compiled), NEVER)
        return tuple(float(sheet.total) for sheet in score_hand(state))


AS_CLUB: Final = Continuation()


def steps_to_the_end(state: HandState) -> int:
    """Return how many steps the club player takes from here to the end, up to a limit."""
    state = state.copy()
    weights = weights_for(state.compiled)
    steps = 0
    while state.phase != OVER and steps < MOST_STEPS:
        make_step(state, club_step(state, seat_to_act(state), weights))
        steps += 1
    return steps


def margin(points: Sequence[float], side: int) -> float:
    """Return a side's points minus the mean of the others'."""
    return points[side] - (sum(points) - points[side]) / (len(points) - 1)


def minus(one: Points, other: Points) -> Points:
    return tuple(a - b for a, b in zip(one, other, strict=True))


def mean(rows: Sequence[Points]) -> Points:
    return tuple(sum(column) / len(rows) for column in zip(*rows, strict=True))


def standard_error(values: Sequence[float]) -> float:
    """Return the standard error of the mean: infinite for a single value, zero for none."""
    count = len(values)
    if count < 2:
        return inf if values else 0.0
    middle = sum(values) / count
    return sqrt(sum((value - middle) ** 2 for value in values) / (count * (count - 1)))


class OpenCards:
    """Expected points with all hands open and the stock in an unknown order.

    All positions of a hand use the same shuffles: removing a drawn card leaves the others in their order. So
    two positions differ only by what happened between them, not by different shuffles.
    """

    def __init__(self, seed: str, worlds: int) -> None:
        self._seed = seed
        self._worlds = worlds
        self._orders: dict[int, list[list[int]]] = {}

    def outcomes(self, state: HandState, line: Continuation = AS_CLUB) -> list[Points]:
        """Return the outcomes of a position, by shuffle; their mean is its expectation."""
        if state.phase == OVER:
            return [tuple(float(sheet.total) for sheet in score_hand(state))] * self._worlds
        return [line.points(self._world(state, number)) for number in range(self._worlds)]

    def _world(self, state: HandState, number: int) -> HandState:
        world = state.copy()
        order = self._order(state.deck_size(), number)
        deck = state.deck  # a new list on every access
        world.set_deck([deck[place] for place in order if place >= state.at])
        world.at = 0
        before = state.before_take
        if before is not None:
            # If a pile was put back, nothing has been drawn since it was taken.
            world.before_take = before.copy()
            world.before_take.set_deck(world.deck)
            world.before_take.at = 0
        return world

    def _order(self, size: int, number: int) -> list[int]:
        """Return the indexes of a deck of this size in random order."""
        orders = self._orders.setdefault(size, [])
        while len(orders) <= number:
            order = list(range(size))
            Rng(f"{self._seed}/{size}/{len(orders)}").shuffle(order)
            orders.append(order)
        return orders[number]
