"""Split a hand into its players' decisions, and compare each with the best alternative.

A player decides before drawing, and again afterwards. A new decision starts whenever a card is revealed that
nobody could foresee. Melding and the discard after it are two decisions.

The evaluation uses only what the player could know. Deals that agree with the player's view are sampled, and
every candidate is tried in the same ones. The best candidate is chosen in one set of deals and measured in
another: the best of several equal moves always looks better in the deals in which it was chosen, so using the
same ones would find a mistake in every decision.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from canasta.bots.club.player import ClubBot
from canasta.bots.club.weights import weights_for
from canasta.bots.expert.plans import MOST_DISCARDS, Planner, melds_of
from canasta.bots.expert.player import plan_move
from canasta.bots.expert.rollouts import NEVER, DeterminizedDeals, seat_to_act
from canasta.engine.actions.legal import legal_steps
from canasta.engine.actions.make import make_step
from canasta.engine.hand import Hand
from canasta.engine.moves.apply import try_move
from canasta.engine.moves.refusals import RefusedMove
from canasta.engine.moves.types import Discard, Keep, Move, Pass, Take, Undo
from canasta.engine.state import ANSWER, DRAW, OVER, PLAY, SAID_YES, HandState
from canasta.engine.view import View
from canasta.review.estimator import AS_CLUB, Continuation, Points, margin, mean, minus, standard_error


@dataclass(frozen=True)
class DecisionPoint:
    """Moves that a player made without seeing a new card in between."""

    number: int
    """Index in the hand of its first move, from 0."""
    turn: int
    """Turns of all players so far, including this one."""
    seat: int
    scores: tuple[int, ...]
    """Total score by side before the hand."""
    before: HandState
    moves: tuple[Move, ...]
    after: HandState

    @property
    def drew(self) -> bool:
        """Whether cards came from the stock."""
        return self.after.stock_size() != self.before.stock_size()

    @property
    def lays(self) -> bool:
        """Whether the choice was what to meld, after drawing and before discarding."""
        return self.before.phase == PLAY and not any(map(lays_no_more, self.moves))

    @property
    def is_forced(self) -> bool:
        return len(legal_steps(self.before)) == 1


def choices_of(hand: Hand, moves: Sequence[Move]) -> list[DecisionPoint]:
    """Play the moves of a hand, which must be legal, and return its choices."""
    found: list[DecisionPoint] = []
    hand = hand.copy()
    turn = 1
    at = 0
    while at < len(moves):
        before = hand.state
        made: list[Move] = []
        first = at
        # A player who discards has also decided what to meld, even if that was nothing.
        throws = (
            lays_no_more(moves[at]) and bool(found) and found[-1].lays and lays_on(found[-1].before, before)
        )
        while at < len(moves) and (throws or before.phase != PLAY or not lays_no_more(moves[at])):
            if isinstance(moves[at], Undo):
                # Only what was melded in this choice can be undone.
                made.pop()
            else:
                made.append(moves[at])
            hand.apply(moves[at])
            at += 1
            if throws or not lays_on(before, hand.state):
                break
        seat = seat_to_act(before)
        found.append(DecisionPoint(first, turn, seat, tuple(hand.scores), before, tuple(made), hand.state))
        if hand.state.turn != before.turn:
            turn += 1
    return found


def lays_no_more(move: Move) -> bool:
    """Return whether nothing is melded after this move."""
    return isinstance(move, (Discard, Keep, Pass))


def lays_on(before: HandState, now: HandState) -> bool:
    """Return whether the same player continues melding and has seen no new card."""
    return (
        before.phase == PLAY
        and now.phase == PLAY
        and now.turn == before.turn
        and now.at == before.at
        and now.feet_wait() == before.feet_wait()
        and now.pot_takers() == before.pot_takers()
        and now.took_back == before.took_back
    )


TAKES: Final = "takes"
OPENINGS: Final = "openings"
MELDS: Final = "melds"
DISCARDS: Final = "discards"
FREEZING: Final = "freezing"
GOING_OUT: Final = "going_out"
KINDS: Final = (TAKES, OPENINGS, MELDS, DISCARDS, FREEZING, GOING_OUT)

CLEAR_ERRORS: Final = 2.0
"""Number of standard errors by which a loss must stand out to be mentioned."""
CLEAR_POINTS: Final = 20.0
"""Minimum loss in points to be mentioned: less than a card or two is not a mistake."""
FEWEST_CLEAR: Final = 8
"""Minimum number of deals for a significant result. With fewer, the standard error itself is uncertain;
with one, it is unknown.
"""

MOST_CANDIDATES: Final = 16
_FIRST_ROUND: Final = 8
"""Number of deals in which all candidates are tried; after that only the better half continues."""
_LAST_ROUND: Final = 2
"""Number of candidates that continue after a third of the deals, besides the one played."""
_CAUTION: Final = 1.0
"""Number of standard errors by which another choice must beat the one played to count as better."""


@dataclass(frozen=True)
class EvaluatedDecision:
    """A player's choice, and what it cost."""

    hand: int
    turn: int
    """Turns of all players so far, including this one."""
    number: int
    """Index in the hand of its first move, from 0; its position is the one before that move."""
    seat: int
    kind: str
    played: tuple[Move, ...]
    best: tuple[Move, ...]
    """The best continuation found; equal to `played` if nothing was better."""
    loss: float
    """Expected loss against the best, in points of the margin of the player's side.

    It is estimated in other deals than those in which the best was chosen. If it is negative, the supposed
    best turned out to be worse.
    """
    error: float
    """Standard error of the loss."""
    lost: Points
    """The loss in points by side."""
    worlds: int
    """Number of deals in which both were tried; 0 if the best was played."""
    ahead: float
    """Share of these deals in which the best came out ahead."""
    candidates: int
    freezes: bool
    """Whether the played choice froze the pile. `best_freezes`: the same for the best choice."""
    best_freezes: bool
    goes_out: bool
    """Whether the played choice ended the hand or asked to. `best_goes_out`: the same for the best choice."""
    best_goes_out: bool
    pile: int
    """Number of cards in the pile at that time."""
    view: View = field(repr=False, compare=False)
    """The player's view."""
    against_club: float = 0.0
    """Expected gain over the club player's choice, in points; negative if it was worse.

    Over many decisions, this measures the player's strength.
    """
    against_error: float = 0.0
    """Standard error of `against_club`."""

    @property
    def is_clear(self) -> bool:
        """Whether it clearly was a mistake: the loss is significant and large enough to mention."""
        enough = self.worlds >= FEWEST_CLEAR
        return enough and self.loss >= CLEAR_POINTS and self.loss >= CLEAR_ERRORS * self.error


class EvaluatedContinuation:
    """A possible continuation, and its outcomes."""

    def __init__(self, line: Continuation, after: HandState) -> None:
        self.line = line
        self.after = after
        """The position after it in the first of the deals."""
        self.values: list[float] = []

    @property
    def mean(self) -> float:
        return sum(self.values) / len(self.values)


class DecisionEvaluator:
    """Evaluates the candidates of one choice, of which the first is the one played."""

    def __init__(self, choice: DecisionPoint, seed: str) -> None:
        self._choice = choice
        before = choice.before
        self._seat = choice.seat
        self._side = before.side_of[choice.seat]
        self.view = View(before, choice.seat, list(choice.scores))
        self._worlds = DeterminizedDeals(self.view, f"{seed}/{choice.number}/{len(choice.moves)}")
        first = self.world(0)
        self._planner = Planner(first, choice.seat, weights_for(before.compiled), NEVER)
        self.candidates: list[EvaluatedContinuation] = []
        for line in self._lines():
            self._add(line)

    # -- candidates -----------------------------------------------------------------------------------------

    def _lines(self) -> list[Continuation]:
        before = self._choice.before
        played = Continuation(self._choice.moves)
        if before.phase == ANSWER:
            return [played, *(Continuation(steps=[step]) for step in legal_steps(before))]
        if before.phase == DRAW:
            return [played, *(Continuation(steps=plan) for plan in self._planner.first_steps())]
        if self._choice.lays:
            return [self._laid_then_thrown(), *(Continuation(steps=plan) for plan in self._layings())]
        return [played, *(Continuation(steps=plan) for plan in self._planner.discards([], MOST_DISCARDS))]

    def _layings(self) -> list[list[int]]:
        """Return different ways to meld, each with the discard that the club player prefers after it."""
        found: dict[tuple[int, ...], list[int]] = {}
        for plan in self._planner.rest_of_turn():
            found.setdefault(tuple(melds_of(plan)), plan)
        return list(found.values())

    def _laid_then_thrown(self) -> Continuation:
        """Return the actual meld with the club player's discard, because the actual discard is evaluated
        separately.
        """
        moves = self._choice.moves
        after = Continuation(moves).after(self.world(0))
        steps: list[int] = []
        if lays_on(self._choice.before, self._choice.after):
            # Melding revealed no card, so the same card can be discarded in every deal.
            own = Planner(after, self._seat, weights_for(after.compiled), NEVER)
            steps = [step for plan in own.discards([], 1) for step in plan]
        return Continuation(moves, steps)

    def world(self, number: int) -> HandState:
        """Return a copy of the deal with this number."""
        return self._worlds.fresh(number)

    def _add(self, line: Continuation) -> None:
        """Add a line unless one with the same result is already there."""
        if len(self.candidates) >= MOST_CANDIDATES:
            return
        after = line.after(self.world(0))
        mark = self.mark(after)
        if all(self.mark(other.after) != mark for other in self.candidates):
            self.candidates.append(EvaluatedContinuation(line, after))

    def mark(self, state: HandState) -> tuple[object, ...]:
        """Return a key that is equal for lines with the same result."""
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

    def best(self, worlds: int) -> EvaluatedContinuation:
        """Return the best candidate over this many deals: the one played, unless another was clearly
        better.
        """
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
        """Return, by deal, the gain of the played line over the club player's own choice."""
        played, side = self.candidates[0], self._side
        for number in range(len(played.values), worlds):
            played.values.append(margin(played.line.points(self.world(number)), side))
        as_club = [margin(AS_CLUB.points(self.world(number)), side) for number in range(worlds)]
        return [own - other for own, other in zip(played.values, as_club, strict=True)]

    def gains_by_world(
        self, better: EvaluatedContinuation, worlds: range
    ) -> tuple[list[Points], list[float]]:
        """Return, by deal, the gain of a candidate over the line played: by side, and for the player's
        side.
        """
        played = self.candidates[0]
        gained: list[Points] = []
        for number in worlds:
            one = better.line.points(self.world(number))
            gained.append(minus(one, played.line.points(self.world(number))))
        return gained, [margin(each, self._side) for each in gained]

    def kind(self, best: EvaluatedContinuation) -> str:
        """Return the kind of the decision."""
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

    def freezes(self, candidate: EvaluatedContinuation) -> bool:
        return candidate.after.frozen and not self._choice.before.frozen

    def goes_out(self, candidate: EvaluatedContinuation) -> bool:
        """Return whether the candidate ends the hand, asks to, or agrees to it."""
        if self._choice.before.phase == ANSWER:
            return candidate.after.asked == SAID_YES
        return candidate.after.phase in (OVER, ANSWER)

    def moves(self, candidate: EvaluatedContinuation) -> tuple[Move, ...]:
        """Return a candidate as whole moves, without the discard that was added to a meld."""
        if candidate is self.candidates[0]:
            return self._choice.moves
        steps = list(candidate.line.steps)
        if self._choice.lays:
            steps = melds_of(steps)
        return tuple(moves_of_steps(self.view, self.world(0), steps))


def moves_of_steps(view: View, world: HandState, steps: Sequence[int]) -> list[Move]:
    """Convert steps to whole moves. A first meld of several sets is one move."""
    moves: list[Move] = []
    rest = list(steps)
    while rest:
        move = plan_move(View(world, view.seat, view.scores), rest, ClubBot())
        try:
            after = try_move(world, move)
        except RefusedMove:
            # The steps stop within a first meld, which the club player would have completed.
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


def evaluate_decision(choice: DecisionPoint, hand: int, seed: str, worlds: int) -> EvaluatedDecision | None:
    """Return the cost of a choice, measured in this many deals; `None` if there was nothing to choose."""
    if choice.is_forced:
        return None
    evaluator = DecisionEvaluator(choice, f"{seed}/{hand}")
    if len(evaluator.candidates) < 2:
        return None
    best = evaluator.best(worlds)
    against = evaluator.against_club(worlds)
    gained: list[Points] = []
    gains: list[float] = []
    if best is not evaluator.candidates[0]:
        gained, gains = evaluator.gains_by_world(best, range(worlds, 2 * worlds))
    return EvaluatedDecision(
        hand=hand,
        turn=choice.turn,
        number=choice.number,
        seat=choice.seat,
        kind=evaluator.kind(best),
        played=choice.moves,
        best=evaluator.moves(best),
        loss=sum(gains) / len(gains) if gains else 0.0,
        error=standard_error(gains),
        lost=mean(gained) if gained else (0.0,) * choice.before.sides,
        worlds=len(gains),
        ahead=sum(gain > 0 for gain in gains) / len(gains) if gains else 0.0,
        candidates=len(evaluator.candidates),
        freezes=evaluator.freezes(evaluator.candidates[0]),
        best_freezes=evaluator.freezes(best),
        goes_out=evaluator.goes_out(evaluator.candidates[0]),
        best_goes_out=evaluator.goes_out(best),
        pile=choice.before.pile_size(),
        view=evaluator.view,
        against_club=sum(against) / len(against),
        against_error=standard_error(against),
    )


def is_take(moves: Sequence[Move]) -> bool:
    return any(isinstance(move, Take) for move in moves)


def discard_of(moves: Sequence[Move]) -> int | None:
    """Return the card that is discarded, or `None`."""
    return next((move.card for move in moves if isinstance(move, Discard)), None)
