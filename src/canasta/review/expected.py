"""Expected points of a position: the mean of what the club player makes of it in possible deals.

Points are kept by side. What counts is the *margin*: a side's points less the mean of the others', which with
two sides is what one is ahead of the other by. The margins of all sides add up to nothing.
"""

from collections.abc import Sequence
from math import inf, sqrt
from typing import Final

from canasta.bots.club.policy import club_step, weights_for
from canasta.bots.expert.playing_out import MOST_STEPS, NEVER, play_out, seat_to_act
from canasta.engine.moves.try_move import try_move
from canasta.engine.moves.types import Move
from canasta.engine.play.scoring import score_hand
from canasta.engine.rng import Rng
from canasta.engine.state import OVER, HandState
from canasta.engine.steps.make import make_step

Points = tuple[float, ...]
"""By side."""


class Line:
    """What a player does from a position on: whole moves, then small steps, then as the club player does."""

    def __init__(self, moves: Sequence[Move] = (), steps: Sequence[int] = ()) -> None:
        self.moves = moves
        self.steps = steps

    def after(self, world: HandState) -> HandState:
        """The position after it. The world is changed, or left behind."""
        for move in self.moves:
            world = try_move(world, move)
            world.log = None
        for step in self.steps:
            make_step(world, step)
        return world

    def points(self, world: HandState) -> Points:
        """What each side has in the end."""
        state = self.after(world)
        play_out(state, weights_for(state.prepared), NEVER)
        return tuple(float(sheet.total) for sheet in score_hand(state))


AS_CLUB: Final = Line()


def steps_to_the_end(state: HandState) -> int:
    """How long the club player takes from here on, in small steps; a hand may also never end."""
    state = state.copy()
    weights = weights_for(state.prepared)
    steps = 0
    while state.phase != OVER and steps < MOST_STEPS:
        make_step(state, club_step(state, seat_to_act(state), weights))
        steps += 1
    return steps


def margin(points: Sequence[float], side: int) -> float:
    """A side's points less the mean of the others'."""
    return points[side] - (sum(points) - points[side]) / (len(points) - 1)


def minus(one: Points, other: Points) -> Points:
    return tuple(a - b for a, b in zip(one, other, strict=True))


def mean(rows: Sequence[Points]) -> Points:
    return tuple(sum(column) / len(rows) for column in zip(*rows, strict=True))


def standard_error(values: Sequence[float]) -> float:
    """Of their mean; a single one may be as far off as it likes, and none are nothing exactly."""
    count = len(values)
    if count < 2:
        return inf if values else 0.0
    middle = sum(values) / count
    return sqrt(sum((value - middle) ** 2 for value in values) / (count * (count - 1)))


class OpenCards:
    """Expected points with all hands open and the stock in an order that nobody knows.

    The same shuffles serve every position of a hand: a card that is drawn leaves the others in their order,
    so that two positions differ by what happened between them and not by two shuffles.
    """

    def __init__(self, seed: str, worlds: int) -> None:
        self._seed = seed
        self._worlds = worlds
        self._orders: dict[int, list[list[int]]] = {}

    def outcomes(self, state: HandState, line: Line = AS_CLUB) -> list[Points]:
        """What comes of a position, by shuffle; their mean is what it promises."""
        if state.phase == OVER:
            return [tuple(float(sheet.total) for sheet in score_hand(state))] * self._worlds
        return [line.points(self._world(state, number)) for number in range(self._worlds)]

    def _world(self, state: HandState, number: int) -> HandState:
        world = state.copy()
        order = self._order(state.deck_size(), number)
        deck = state.deck  # a list built anew each time it is asked for
        world.set_deck([deck[place] for place in order if place >= state.at])
        world.at = 0
        before = state.before_take
        if before is not None:
            # A pile that is put back: nothing was drawn since it was taken.
            world.before_take = before.copy()
            world.before_take.set_deck(world.deck)
            world.before_take.at = 0
        return world

    def _order(self, size: int, number: int) -> list[int]:
        """The places of a deck of this size in a random order."""
        orders = self._orders.setdefault(size, [])
        while len(orders) <= number:
            order = list(range(size))
            Rng(f"{self._seed}/{size}/{len(orders)}").shuffle(order)
            orders.append(order)
        return orders[number]
