"""A decision against the best that was found, by what the player could know.

Deals are imagined that agree with the player's view, and every candidate is tried in the same ones. The best
is found in some of them and measured in others: whoever looks at the same numbers for both finds a mistake in
everything, for the best of several equal moves always looks better than the rest.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from canasta.bots.club.player import ClubBot, weights_for
from canasta.bots.expert.alternatives import plan_move
from canasta.bots.expert.plans import MOST_DISCARDS, Planner, melds_of
from canasta.bots.expert.playing_out import NEVER
from canasta.bots.expert.race import Worlds
from canasta.engine.moves.refusals import RefusedMove
from canasta.engine.moves.try_move import try_move
from canasta.engine.moves.types import Discard, Move, Take
from canasta.engine.state import ANSWER, DRAW, OVER, SAID_YES, HandState
from canasta.engine.steps.legal import legal_steps
from canasta.engine.steps.make import make_step
from canasta.engine.view import View
from canasta.review.choices import Choice, lays_on
from canasta.review.expected import AS_CLUB, Line, Points, margin, mean, minus, standard_error

TAKES: Final = "takes"
OPENINGS: Final = "openings"
MELDS: Final = "melds"
DISCARDS: Final = "discards"
FREEZING: Final = "freezing"
GOING_OUT: Final = "going_out"
KINDS: Final = (TAKES, OPENINGS, MELDS, DISCARDS, FREEZING, GOING_OUT)

CLEAR_ERRORS: Final = 2.0
"""Standard errors by which a loss must stand out to be spoken of."""
CLEAR_POINTS: Final = 20.0
"""… and points: less than a card or two is nobody's mistake."""
FEWEST_CLEAR: Final = 8
"""… and deals: from fewer the standard error itself is hardly known, and from a single one not at all, so
that nothing measured in them stands out, whatever its size."""

MOST_CANDIDATES: Final = 16
_FIRST_ROUND: Final = 8
"""Deals in which all candidates are tried; then the better half of them goes on."""
_LAST_ROUND: Final = 2
"""How many go on after a third of the deals, beside what was played."""
_CAUTION: Final = 1.0
"""Standard errors by which another choice must beat what was played to be taken for better."""


@dataclass(frozen=True)
class Decision:
    """What a player chose, and what it cost."""

    hand: int
    turn: int
    """Turns of all players so far, this one included."""
    number: int
    """Of its first move in the hand, from 0 on: the position is the one before it."""
    seat: int
    kind: str
    played: tuple[Move, ...]
    best: tuple[Move, ...]
    """As good as any that was found; what was played, where nothing was better."""
    loss: float
    """Expected points, by the margin of the player's side, that the best would have brought more.

    It is an estimate, measured in deals that had no part in finding the best: below zero the best that was
    found turned out to be the lesser choice.
    """
    error: float
    """The standard error of the loss."""
    lost: Points
    """The same by side, in points."""
    worlds: int
    """Deals in which both were tried; none where what was played was the best."""
    ahead: float
    """In which share of them the best came out ahead."""
    candidates: int
    freezes: bool
    """What was played froze the pile; `best_freezes`: so did the best."""
    best_freezes: bool
    goes_out: bool
    """What was played ended the hand, or asked to; `best_goes_out`: so did the best."""
    best_goes_out: bool
    pile: int
    """Cards in the pile then."""
    view: View = field(repr=False, compare=False)
    """What the player saw."""
    against_club: float = 0.0
    """Expected points that it brought more than what the club player would have done there; below zero,
    less. Over many decisions that is by how much somebody is the stronger player."""
    against_error: float = 0.0
    """The standard error of that."""

    @property
    def is_clear(self) -> bool:
        """A mistake beyond doubt and worth a word."""
        enough = self.worlds >= FEWEST_CLEAR
        return enough and self.loss >= CLEAR_POINTS and self.loss >= CLEAR_ERRORS * self.error


class Candidate:
    """A way to go on, and what came of it."""

    def __init__(self, line: Line, after: HandState) -> None:
        self.line = line
        self.after = after
        """In the first of the deals."""
        self.values: list[float] = []

    @property
    def mean(self) -> float:
        return sum(self.values) / len(self.values)


class Judge:
    """Candidates of one choice, what was played first."""

    def __init__(self, choice: Choice, seed: str) -> None:
        self._choice = choice
        before = choice.before
        self._seat = choice.seat
        self._side = before.side_of[choice.seat]
        self.view = View(before, choice.seat, list(choice.scores))
        self._worlds = Worlds(self.view, f"{seed}/{choice.number}/{len(choice.moves)}")
        first = self.world(0)
        self._planner = Planner(first, choice.seat, weights_for(before.prepared), NEVER)
        self.candidates: list[Candidate] = []
        for line in self._lines():
            self._add(line)

    # -- candidates -----------------------------------------------------------------------------------------

    def _lines(self) -> list[Line]:
        before = self._choice.before
        played = Line(self._choice.moves)
        if before.phase == ANSWER:
            return [played, *(Line(steps=[step]) for step in legal_steps(before))]
        if before.phase == DRAW:
            return [played, *(Line(steps=plan) for plan in self._planner.first_steps())]
        if self._choice.lays:
            return [self._laid_then_thrown(), *(Line(steps=plan) for plan in self._layings())]
        return [played, *(Line(steps=plan) for plan in self._planner.discards([], MOST_DISCARDS))]

    def _layings(self) -> list[list[int]]:
        """Ways to lay, each with the discard that the club player likes best after it."""
        found: dict[tuple[int, ...], list[int]] = {}
        for plan in self._planner.rest_of_turn():
            found.setdefault(tuple(melds_of(plan)), plan)
        return list(found.values())

    def _laid_then_thrown(self) -> Line:
        """What was laid, and then the club player's discard: what was really thrown is judged by itself."""
        moves = self._choice.moves
        after = Line(moves).after(self.world(0))
        steps: list[int] = []
        if lays_on(self._choice.before, self._choice.after):
            # Nothing came into sight by it, so that the same card can be thrown in every deal.
            own = Planner(after, self._seat, weights_for(after.prepared), NEVER)
            steps = [step for plan in own.discards([], 1) for step in plan]
        return Line(moves, steps)

    def world(self, number: int) -> HandState:
        """A copy of the deal of this number."""
        return self._worlds.fresh(number)

    def _add(self, line: Line) -> None:
        """Add a way that leads elsewhere than those that are there."""
        if len(self.candidates) >= MOST_CANDIDATES:
            return
        after = line.after(self.world(0))
        mark = self.mark(after)
        if all(self.mark(other.after) != mark for other in self.candidates):
            self.candidates.append(Candidate(line, after))

    def mark(self, state: HandState) -> tuple[object, ...]:
        """What tells ways to go on from each other."""
        side = self._side
        return (
            state.cards_of(self._seat),
            state.naturals_of(side),
            state.wilds_of(side),
            state.runs[side],
            state.pile,
            (state.phase, state.turn, state.asked, state.at, state.special),
        )

    # -- comparing ------------------------------------------------------------------------------------------

    def best(self, worlds: int) -> Candidate:
        """The best by so many deals; what was played unless another was clearly better."""
        running = self.candidates
        played = running[0]
        for number in range(worlds):
            if number in (_FIRST_ROUND, max(_FIRST_ROUND, worlds // 3)):
                left = _LAST_ROUND if number >= worlds // 3 else max(_LAST_ROUND, len(running) // 2)
                others = sorted(running[1:], key=lambda each: -each.mean)
                running = [played, *others[:left]]
            for each in running:
                each.values.append(margin(each.line.points(self.world(number)), self._side))
        chosen, gain = played, 0.0
        for each in running[1:]:
            more = [a - b for a, b in zip(each.values, played.values, strict=True)]
            middle = sum(more) / len(more)
            if middle > gain and middle > _CAUTION * standard_error(more):
                chosen, gain = each, middle
        return chosen

    def against_club(self, worlds: int) -> list[float]:
        """By world how much more what was played brought than the club player's own choice."""
        played, side = self.candidates[0], self._side
        for number in range(len(played.values), worlds):
            played.values.append(margin(played.line.points(self.world(number)), side))
        as_club = [margin(AS_CLUB.points(self.world(number)), side) for number in range(worlds)]
        return [own - other for own, other in zip(played.values, as_club, strict=True)]

    def measured(self, better: Candidate, worlds: range) -> tuple[list[Points], list[float]]:
        """By world how much more it brought than what was played: by side, and to the player's side."""
        played = self.candidates[0]
        gained: list[Points] = []
        for number in worlds:
            one = better.line.points(self.world(number))
            gained.append(minus(one, played.line.points(self.world(number))))
        return gained, [margin(each, self._side) for each in gained]

    def kind(self, best: Candidate) -> str:
        """What was in question."""
        before = self._choice.before
        played = self.candidates[0]
        both = (played, best)
        if before.phase == ANSWER or any(each.after.phase == ANSWER for each in both):
            return GOING_OUT
        if before.phase == DRAW:
            return TAKES
        if any(each.after.phase == OVER for each in both):
            return GOING_OUT
        if self._choice.lays:
            opens = not before.opened(self._side) and any(
                each.after.opened(self._side) for each in self.candidates
            )
            return OPENINGS if opens else MELDS
        return FREEZING if any(map(self.freezes, both)) else DISCARDS

    def freezes(self, candidate: Candidate) -> bool:
        return candidate.after.frozen and not self._choice.before.frozen

    def goes_out(self, candidate: Candidate) -> bool:
        """It ends the hand, asks to, or says yes to it."""
        if self._choice.before.phase == ANSWER:
            return candidate.after.asked == SAID_YES
        return candidate.after.phase in (OVER, ANSWER)

    def moves(self, candidate: Candidate) -> tuple[Move, ...]:
        """A way in the moves of people, without the discard that was added to what was laid."""
        if candidate is self.candidates[0]:
            return self._choice.moves
        steps = list(candidate.line.steps)
        if self._choice.lays:
            steps = melds_of(steps)
        return tuple(moves_of_steps(self.view, self.world(0), steps))


def moves_of_steps(view: View, world: HandState, steps: Sequence[int]) -> list[Move]:
    """Small steps as whole moves; a first meld of several sets is one move."""
    moves: list[Move] = []
    rest = list(steps)
    while rest:
        move = plan_move(View(world, view.seat, view.scores), rest, ClubBot())
        try:
            after = try_move(world, move)
        except RefusedMove:
            # The steps stop short of a first meld, which the club player would have finished.
            break
        moves.append(move)
        made = world.copy()
        make_step(made, rest.pop(0))
        while rest and _cards(made) != _cards(after):
            make_step(made, rest.pop(0))
        world = after
        world.log = None
    return moves


def _cards(state: HandState) -> tuple[list[int], int, int, int]:
    return state.sizes(), state.phase, state.turn, state.at


def judged(choice: Choice, hand: int, seed: str, worlds: int) -> Decision | None:
    """What a choice cost, measured in so many deals; None where there was nothing to choose."""
    if choice.is_forced:
        return None
    judge = Judge(choice, f"{seed}/{hand}")
    if len(judge.candidates) < 2:
        return None
    best = judge.best(worlds)
    against = judge.against_club(worlds)
    gained: list[Points] = []
    gains: list[float] = []
    if best is not judge.candidates[0]:
        gained, gains = judge.measured(best, range(worlds, 2 * worlds))
    return Decision(
        hand=hand,
        turn=choice.turn,
        number=choice.number,
        seat=choice.seat,
        kind=judge.kind(best),
        played=choice.moves,
        best=judge.moves(best),
        loss=sum(gains) / len(gains) if gains else 0.0,
        error=standard_error(gains),
        lost=mean(gained) if gained else (0.0,) * choice.before.sides,
        worlds=len(gains),
        ahead=sum(gain > 0 for gain in gains) / len(gains) if gains else 0.0,
        candidates=len(judge.candidates),
        freezes=judge.freezes(judge.candidates[0]),
        best_freezes=judge.freezes(best),
        goes_out=judge.goes_out(judge.candidates[0]),
        best_goes_out=judge.goes_out(best),
        pile=choice.before.pile_size(),
        view=judge.view,
        against_club=sum(against) / len(against),
        against_error=standard_error(against),
    )


def is_take(moves: Sequence[Move]) -> bool:
    return any(isinstance(move, Take) for move in moves)


def discard_of(moves: Sequence[Move]) -> int | None:
    """The card that is thrown."""
    return next((move.card for move in moves if isinstance(move, Discard)), None)
