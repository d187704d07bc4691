"""The plausible decisions that the expert considers, the club player's own first."""

from dataclasses import replace
from typing import Final

from canasta.bots.club.going_out import NOTHING_BARS, what_bars
from canasta.bots.club.policy import club_step
from canasta.bots.club.style import style_of
from canasta.bots.club.weights import Weights
from canasta.bots.expert.rollouts import WALL_CLOCK, Clock
from canasta.engine.actions.codec import (
    ADD_NATURAL,
    ADD_WILD,
    ANSWER_YES,
    ASK,
    EXTEND_RUN,
    KEEP,
    LAY_BONUS,
    PASS,
    PUT_BACK,
    START_NATURALS,
    START_PAIR,
    is_discard,
    lays_cards,
)
from canasta.engine.actions.legal import legal_steps
from canasta.engine.actions.make import make_step
from canasta.engine.melds import ROW_BLACK_THREES
from canasta.engine.state import OVER, PLAY, SAID_YES, HandState

_MOST_OF_A_CLASS: Final = 2
"""Maximum number of steps of one class to try. Steps of a class, such as takes with a pair, differ only in
suits.
"""

MOST_DISCARDS: Final = 8
_MOST_MELDS: Final = 8
_MOST_GROUPS: Final = 4

ITSELF: Final = -1
"""The class of a step that is unlike any other."""


def ends_turn(step: int) -> bool:
    return is_discard(step) or step == KEEP or step == PASS


class Planner:
    """Generates the candidates of one decision.

    Steps are tried on a possible deal, but only until they would reveal a card that the seat cannot see. So
    every plan can be carried out in all other deals that agree with the view.
    """

    def __init__(
        self, world: HandState, seat: int, weights: Weights, deadline: float, now: Clock = WALL_CLOCK
    ) -> None:
        self.world: HandState = world
        self.seat: int = seat
        self.side: int = world.side_of[seat]
        self.weights: Weights = weights
        self._staying: Weights = replace(weights, plans_out=False)
        self._deadline: float = deadline
        self._now: Clock = now
        """The clock; no plans are generated after the deadline."""

    def first_steps(self) -> list[list[int]]:
        """Return single steps, for decisions before drawing and answers."""
        first = club_step(self.world, self.seat, self.weights)
        plans = [[first]]
        if first == LAY_BONUS:
            return plans
        tried: dict[tuple[int, int], int] = {self._class(first): 1}
        for step in legal_steps(self.world):
            if step == first or not self._is_sensible(step):
                continue
            kind = self._class(step)
            count = tried.get(kind, 0)
            if count < _MOST_OF_A_CLASS:
                tried[kind] = count + 1
                plans.append([step])
        return plans

    def _class(self, step: int) -> tuple[int, int]:
        """Return the class of a step. Steps of one class differ little."""
        way = self.world.compiled.layout.decoded[step]
        return (way.what, way.jokers) if way.takes else (ITSELF, step)

    def _is_sensible(self, step: int) -> bool:
        if step == ANSWER_YES:
            return what_bars(self.world) == NOTHING_BARS
        # Nobody knows before drawing whether the hand can be played out, so the question can wait.
        return step not in (ASK, PUT_BACK, LAY_BONUS)

    # -- the rest of a turn -------------------------------------------------------------------------------

    def rest_of_turn(self) -> list[list[int]]:
        """Return ways to meld and discard after drawing, as far as the cards in hand allow planning."""
        first = self._follow([], self.weights)
        plans = [first]
        if first[0] == LAY_BONUS or first[0] == PUT_BACK:
            return plans
        if self.world.asked == SAID_YES and self._goes_out(first):
            # A player who asked intends to go out.
            return plans
        if first[0] == ASK:
            plans = [[ASK]]
            self._add_new(plans, self._follow([], self._staying))
            return plans
        melds = melds_of(first)
        if len(melds) < len(first):
            self._add_all(plans, self.discards(melds, MOST_DISCARDS))
        if self._goes_out(first):
            self._add_new(plans, self._follow([], self._staying))
        elif not self.world.foot_waits(self.seat):
            self._add_new(plans, self._way_out())
        if melds:
            self._hold_back(plans, melds)
        self._meld_otherwise(plans, melds)
        return plans

    def discards(self, melds: list[int], most: int) -> list[list[int]]:
        """Return these melds followed by each sensible discard, the club player's favourites first."""
        after = self._after(melds)
        if after is None or after.phase != PLAY:
            return []
        prices = style_of(after).discarding(after, self.seat, self.weights)
        rated: list[tuple[float, int]] = []
        for step in legal_steps(after):
            if is_discard(step):
                card = after.compiled.layout.decoded[step]
                rated.append((prices.price(card.row, card.suit), step))
            elif step == KEEP:
                rated.append((0.0, step))
        rated.sort()
        return [[*melds, step] for _, step in rated[:most]]

    def _hold_back(self, plans: list[list[int]], melds: list[int]) -> None:
        """Add plans that meld nothing, or all melds but one."""
        self._add_all(plans, self.discards([], 2))
        groups = self._groups(melds)
        if len(groups) > 1:
            for skipped in groups[:_MOST_GROUPS]:
                kept = [step for step in melds if step not in skipped]
                self._add_all(plans, self.discards(kept, 1))

    def _groups(self, melds: list[int]) -> list[list[int]]:
        """Group steps by the meld they are laid on; wild cards are grouped separately from naturals."""
        groups: dict[tuple[int, int], list[int]] = {}
        for step in melds:
            laid = self.world.compiled.layout.decoded[step]
            if laid.what == ADD_WILD:
                meld = (ADD_WILD, laid.slot)
            elif laid.what == EXTEND_RUN:
                meld = (EXTEND_RUN, laid.number)
            elif laid.what in (ADD_NATURAL, START_PAIR, START_NATURALS):
                meld = (ADD_NATURAL, laid.row)
            else:
                meld = (ITSELF, step)
            groups.setdefault(meld, []).append(step)
        return list(groups.values())

    def _meld_otherwise(self, plans: list[list[int]], melds: list[int]) -> None:
        """Add plans with another first step, or with one more step after the club player's melds."""
        most = len(plans) + _MOST_MELDS
        if melds:
            after = self._after(melds)
            if after is not None and after.phase == PLAY:
                for step in self._meld_steps(after):
                    if len(plans) < most and self._now() < self._deadline:
                        self._add_new(plans, self._follow([*melds, step], self.weights))
        for step in self._meld_steps(self.world):
            if step not in melds and len(plans) < most and self._now() < self._deadline:
                self._add_new(plans, self._follow([step], self.weights))

    def _meld_steps(self, state: HandState) -> list[int]:
        """Return legal steps that lay cards, one of each group that differs only in suits."""
        found: list[int] = []
        seen: set[tuple[int, int, int, int]] = set()
        for step in legal_steps(state):
            laid = state.compiled.layout.decoded[step]
            if not lays_cards(step) or laid.takes or laid.row == ROW_BLACK_THREES:
                continue
            kind = (ITSELF, step, 0, 0)
            if laid.what in (START_NATURALS, START_PAIR, ADD_NATURAL):
                kind = (laid.what, laid.row, laid.slot, laid.jokers)
            if kind not in seen:
                seen.add(kind)
                found.append(step)
        return found

    def _way_out(self) -> list[int]:
        """Return steps that end the hand now, even if the club player would not choose them."""
        state = self.world.copy()
        steps: list[int] = []
        while state.phase == PLAY:
            step = style_of(state).out_step(state, False)
            if step < 0:
                return []
            make_step(state, step)
            steps.append(step)
        return steps

    def _goes_out(self, plan: list[int]) -> bool:
        after = self._after(plan)
        return after is not None and after.phase == OVER

    # -- playing plans ------------------------------------------------------------------------------------

    def _follow(self, start: list[int], weights: Weights) -> list[int]:
        """Play these steps, then the club player's, to the end of the turn or the first unknown card."""
        state = self.world.copy()
        steps: list[int] = []
        while True:
            step = start[len(steps)] if len(steps) < len(start) else club_step(state, self.seat, weights)
            make_step(state, step)
            steps.append(step)
            if self._sees_no_further(state):
                return steps

    def _sees_no_further(self, state: HandState) -> bool:
        return (
            state.phase != PLAY
            or state.turn != self.seat
            or state.at != self.world.at
            or state.foot_waits(self.seat) != self.world.foot_waits(self.seat)
        )

    def _after(self, steps: list[int]) -> HandState | None:
        """Return the state after these steps, or `None` if they are
        illegal or a card is revealed in between."""
        state = self.world.copy()
        for step in steps:
            if self._sees_no_further(state) or step not in legal_steps(state):
                return None
            make_step(state, step)
        return state

    def _add_all(self, plans: list[list[int]], more: list[list[int]]) -> None:
        for plan in more:
            self._add_new(plans, plan)

    def _add_new(self, plans: list[list[int]], plan: list[int]) -> None:
        """Add a plan unless one with the same result is already there."""
        if plan:
            mark = self._mark(plan)
            if all(self._mark(other) != mark for other in plans):
                plans.append(plan)

    def _mark(self, plan: list[int]) -> tuple[object, ...]:
        """Return a key that is equal for plans with the same result."""
        state = self.world.copy()
        for step in plan:
            make_step(state, step)
        return (
            tuple(state.cards_of(self.seat)),
            tuple(state.naturals_of(self.side)),
            tuple(state.wilds_of(self.side)),
            tuple(state.runs[self.side]),
            tuple(state.pile),
            state.phase,
        )


def melds_of(plan: list[int]) -> list[int]:
    """Return a plan without the step that ends the turn."""
    return [step for step in plan if not ends_turn(step)]
