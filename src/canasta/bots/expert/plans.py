"""The handful of plausible decisions that the expert looks at, the club player's own first."""

from dataclasses import replace
from typing import Final

from canasta.bots.club.answer import NOTHING_BARS, what_bars
from canasta.bots.club.going_out import out_step
from canasta.bots.club.player import club_step
from canasta.bots.club.sequences import discarding_of
from canasta.bots.club.weights import Weights
from canasta.bots.expert.playing_out import WALL_CLOCK, Clock
from canasta.engine.meld_names import ROW_BLACK_THREES
from canasta.engine.state import OVER, PLAY, SAID_YES, HandState
from canasta.engine.steps.codec import (
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
from canasta.engine.steps.legal import legal_steps
from canasta.engine.steps.make import make_step

_MOST_OF_A_CLASS: Final = 2
"""Steps of one class (takes with a pair, say) differ in suits alone: so many are tried."""

MOST_DISCARDS: Final = 8
_MOST_MELDS: Final = 8
_MOST_GROUPS: Final = 4

ITSELF: Final = -1
"""A step that is like no other."""


def ends_turn(step: int) -> bool:
    return is_discard(step) or step == KEEP or step == PASS


class Planner:
    """Candidates of one decision.

    Steps are tried on a possible deal, but only as far as no card of it is seen that the seat does not see:
    every plan can be carried out in every other deal that agrees with the view.
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
        """No more plans are looked for after this time."""

    def first_steps(self) -> list[list[int]]:
        """Before drawing and in answering: single steps."""
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
        """Steps of one class differ little."""
        way = self.world.prepared.layout.decoded[step]
        return (way.what, way.jokers) if way.takes else (ITSELF, step)

    def _is_sensible(self, step: int) -> bool:
        if step == ANSWER_YES:
            return what_bars(self.world) == NOTHING_BARS
        # Before drawing nobody knows yet whether the hand can be played out: the question can wait.
        return step not in (ASK, PUT_BACK, LAY_BONUS)

    # -- the rest of a turn -------------------------------------------------------------------------------

    def rest_of_turn(self) -> list[list[int]]:
        """After drawing: ways to meld and to discard, as far as the cards in hand allow to plan them."""
        first = self._follow([], self.weights)
        plans = [first]
        if first[0] == LAY_BONUS or first[0] == PUT_BACK:
            return plans
        if self.world.asked == SAID_YES and self._goes_out(first):
            # Who asks means it.
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
        """These melds and then each sensible discard, the club player's favourites first."""
        after = self._after(melds)
        if after is None or after.phase != PLAY:
            return []
        judge = discarding_of(after, self.seat, self.weights)
        rated: list[tuple[float, int]] = []
        for step in legal_steps(after):
            if is_discard(step):
                thrown = after.prepared.layout.decoded[step]
                rated.append((judge.price(thrown.row, thrown.suit), step))
            elif step == KEEP:
                rated.append((0.0, step))
        rated.sort()
        return [[*melds, step] for _, step in rated[:most]]

    def _hold_back(self, plans: list[list[int]], melds: list[int]) -> None:
        """Meld nothing, or all but one meld."""
        self._add_all(plans, self.discards([], 2))
        groups = self._groups(melds)
        if len(groups) > 1:
            for skipped in groups[:_MOST_GROUPS]:
                kept = [step for step in melds if step not in skipped]
                self._add_all(plans, self.discards(kept, 1))

    def _groups(self, melds: list[int]) -> list[list[int]]:
        """Steps by the meld that they are laid on; wild cards count apart from naturals."""
        groups: dict[tuple[int, int], list[int]] = {}
        for step in melds:
            laid = self.world.prepared.layout.decoded[step]
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
        """Another first step, or one more after the club player's melds; then the club player goes on."""
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
        """Legal steps that lay cards, one of each where only suits differ."""
        found: list[int] = []
        seen: set[tuple[int, int, int, int]] = set()
        for step in legal_steps(state):
            laid = state.prepared.layout.decoded[step]
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
        """Steps that end the hand now, where the club player sees some but would rather play on."""
        state = self.world.copy()
        steps: list[int] = []
        while state.phase == PLAY:
            step = out_step(state, False)
            if step < 0:
                return []
            make_step(state, step)
            steps.append(step)
        return steps

    def _goes_out(self, plan: list[int]) -> bool:
        after = self._after(plan)
        return after is not None and after.phase == OVER

    # -- carrying out -------------------------------------------------------------------------------------

    def _follow(self, start: list[int], weights: Weights) -> list[int]:
        """These steps, and then the club player's to the end of the turn or to the first unknown card."""
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
        """The position after these steps; None where they are not legal or a card comes between them."""
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
        """Add a plan that leads elsewhere than those that are there."""
        if plan:
            mark = self._mark(plan)
            if all(self._mark(other) != mark for other in plans):
                plans.append(plan)

    def _mark(self, plan: list[int]) -> tuple[object, ...]:
        """What a plan leads to, as far as it matters."""
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
    """A plan without the step that ends the turn."""
    return [step for step in plan if not ends_turn(step)]
