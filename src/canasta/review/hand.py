"""Review a hand and a whole game: the decisions, and the luck.

The expected points are followed from the deal to the result. Positions are evaluated with all hands open and
the stock in an unknown order. Each estimate ends one change and starts the next, so its noise cancels, and
all changes together add up to exactly the result.

A change has two parts. The effect of the stock is chance: the value of the position with the drawn cards,
minus its value with the stock in any order. The rest is due to the decision. The part that the player could
have known is play (see `evaluation`), and the part that nobody could see is the luck of the hidden cards.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from canasta.bots.club.policy import club_step
from canasta.bots.club.weights import weights_for
from canasta.engine.actions.codec import DRAW_STOCK
from canasta.engine.hand import Hand
from canasta.engine.moves.types import Draw, Move
from canasta.engine.state import DRAW, HandState
from canasta.notation.replay import Replay, Replayer
from canasta.review.estimator import (
    Continuation,
    OpenCards,
    Points,
    margin,
    mean,
    minus,
    standard_error,
    steps_to_the_end,
)
from canasta.review.evaluation import (
    FEWEST_CLEAR,
    KINDS,
    DecisionPoint,
    EvaluatedDecision,
    choices_of,
    evaluate_decision,
)


@dataclass(frozen=True)
class Change:
    """The change of the expected points by a choice and the cards drawn after it, by side."""

    choice: DecisionPoint
    decided: Points
    """Change by the choice, with all cards open."""
    decided_errors: Points
    """Standard error of the change of each side's margin."""
    drawn: Points
    """Change caused by the cards from the stock."""
    drawn_errors: Points
    expected: Points
    """Expected points by side after both; after the last choice, the result."""


class LuckTracker:
    """Follows the expected points of a hand from choice to choice."""

    def __init__(self, dealt: HandState, seed: str, worlds: int) -> None:
        self._cards = OpenCards(seed, worlds)
        self._now = self._cards.outcomes(dealt)
        self.dealt: Points = mean(self._now)
        """Expected points by side at the deal."""

    def follow(self, choice: DecisionPoint) -> Change:
        before = self._now
        decided = before
        after = self._cards.outcomes(choice.after) if choice.moves else before
        if not choice.drew:
            decided = after
        elif not _club_draws(choice):
            decided = self._cards.outcomes(choice.before, Continuation(choice.moves))
        self._now = after
        return Change(
            choice,
            minus(mean(decided), mean(before)),
            _errors(decided, before),
            minus(mean(after), mean(decided)),
            _errors(after, decided),
            mean(after),
        )


def _errors(after: Sequence[Points], before: Sequence[Points]) -> Points:
    """Return, by side, the standard error of the change of its margin."""
    changes = [minus(one, other) for one, other in zip(after, before, strict=True)]
    sides = range(len(changes[0]))
    return tuple(standard_error([margin(change, side) for change in changes]) for side in sides)


def _club_draws(choice: DecisionPoint) -> bool:
    """Return whether the club player would have drawn too. The position's value then already includes the
    draw.
    """
    state = choice.before
    return (
        state.phase == DRAW
        and isinstance(choice.moves[0], Draw)
        and club_step(state, choice.seat, weights_for(state.compiled)) == DRAW_STOCK
    )


WORLDS: Final = 96
"""Default number of deals in which a decision is measured."""
_OPEN_WORLDS: Final = 48
"""Number of orders of the stock for evaluating a position."""
_MOST_STEPS: Final = 1_400_000
"""Approximate number of rollout steps for one hand, which take about a quarter of a minute.

Longer hands are evaluated in fewer deals, and then in fewer choices, so that no house rule makes a review
endless.
"""
_FEWEST_WORLDS: Final = 2
"""Minimum number of deals; below it choices are omitted instead, since a single deal has no measurable
error.
"""
_DEARER_RUNS: Final = 2
_DEARER_LONG_RUNS: Final = 6
"""Cost factors of a step in games with sequences, and in games with long sequences."""
_MOST_CHOICES: Final = 1_500
"""Limit on the choices of a hand that are evaluated; no real hand has more."""

Progress = Callable[[int, int], None]
"""Called with the number of choices evaluated so far, and their total."""


@dataclass(frozen=True)
class Accuracy:
    """The accuracy of decisions of one kind."""

    count: int
    good: int
    """Number of decisions that were not clearly worse than the best alternative."""
    lost: float
    """Total points lost."""
    error: float
    """Standard error of the total."""
    against_club: float
    """Total expected gain over the club player's choices, in points."""
    against_error: float


@dataclass(frozen=True)
class Shares:
    """The sources of a side's result, which add up to its margin."""

    points: int
    margin: float
    """The side's points minus the mean of the others'."""
    deal: float
    """Expected margin at the deal."""
    draws: float
    """Effect of the cards that all players drew from the stock."""
    lay: float
    """Effect of hidden cards: consequences of decisions that nobody could foresee. Choices that were not
    evaluated are included.
    """
    play: float
    """Cost of the side's own decisions, compared with the best alternatives."""
    others: float
    """Gain from the other sides' decisions, compared with the best alternatives."""

    @property
    def luck(self) -> float:
        return self.deal + self.draws + self.lay


@dataclass(frozen=True)
class Chance:
    """A stroke of luck, and its effect on the margin of the affected player's side."""

    turn: int
    number: int
    seat: int
    drawn: bool
    """Whether the luck was in cards drawn from the stock, rather than in hidden cards elsewhere."""
    points: float
    error: float
    """Standard error of the points."""
    change: Change


@dataclass
class HandReview:
    """The review of one hand that was played to its end."""

    number: int
    worlds: int
    """Number of deals in which the decisions of the hand were evaluated."""
    choices: int
    """Number of choices made. Only the first ones are evaluated if the review would take too long."""
    points: tuple[int, ...]
    """The result by side."""
    side_of: tuple[int, ...]
    dealt: Points
    """Expected points by side at the deal."""
    changes: list[Change] = field(default_factory=list)
    """The changes caused by the choices that were evaluated."""
    decisions: list[EvaluatedDecision] = field(default_factory=list)

    @property
    def can_be_clear(self) -> bool:
        """Whether the hand was evaluated in enough deals for a significant result."""
        return self.worlds >= FEWEST_CLEAR

    @property
    def rest(self) -> Points:
        """Effect of the choices that were not evaluated and of their draws, in points by side."""
        return minus(self.points, self.changes[-1].expected if self.changes else self.dealt)

    def shares(self, side: int) -> Shares:
        whole = margin(self.points, side)
        deal = margin(self.dealt, side)
        draws = sum(margin(change.drawn, side) for change in self.changes)
        play = -sum(margin(each.lost, side) for each in self.decisions if self.side_of[each.seat] == side)
        others = -sum(margin(each.lost, side) for each in self.decisions if self.side_of[each.seat] != side)
        decided = sum(margin(change.decided, side) for change in self.changes)
        lay = decided - play - others + margin(self.rest, side)
        return Shares(self.points[side], whole, deal, draws, lay, play, others)

    def chances(self) -> list[Chance]:
        """Return the strokes of luck in order of play: draws, and faultless choices with consequences that
        nobody could foresee.
        """
        faults = {(each.number, len(each.played)) for each in self.decisions if each.loss}
        found: list[Chance] = []
        for change in self.changes:
            choice = change.choice
            side = self.side_of[choice.seat]
            lay, drawn = margin(change.decided, side), margin(change.drawn, side)
            if lay and (choice.number, len(choice.moves)) not in faults:
                error = change.decided_errors[side]
                found.append(Chance(choice.turn, choice.number, choice.seat, False, lay, error, change))
            if drawn:
                error = change.drawn_errors[side]
                found.append(Chance(choice.turn, choice.number, choice.seat, True, drawn, error, change))
        return found


@dataclass
class Review:
    """The reviewed hands of a record: those that were played to their end."""

    sides: int
    worlds: int
    seed: str
    hands: list[HandReview] = field(default_factory=list)

    def decisions(self, seat: int | None = None) -> list[EvaluatedDecision]:
        """Return the decisions of one player or of all."""
        return [each for hand in self.hands for each in hand.decisions if seat in (None, each.seat)]

    def shares(self, side: int) -> Shares:
        """Return the sources of a side's result over all hands."""
        by_hand = [hand.shares(side) for hand in self.hands]
        return Shares(
            *(
                sum(getattr(shares, part) for shares in by_hand)
                for part in ("points", "margin", "deal", "draws", "lay", "play", "others")
            )
        )


def accuracy(decisions: Sequence[EvaluatedDecision]) -> dict[str, Accuracy]:
    """Return the accuracy by kind of decision; kinds that did not occur are omitted."""
    found: dict[str, Accuracy] = {}
    for kind in KINDS:
        those = [each for each in decisions if each.kind == kind]
        if those:
            found[kind] = summed(those)
    return found


def summed(decisions: Sequence[EvaluatedDecision]) -> Accuracy:
    return Accuracy(
        count=len(decisions),
        good=sum(not each.is_clear for each in decisions),
        lost=sum(each.loss for each in decisions),
        error=sum(each.error**2 for each in decisions) ** 0.5,
        against_club=sum(each.against_club for each in decisions),
        against_error=sum(each.against_error**2 for each in decisions) ** 0.5,
    )


@dataclass
class DealtHand:
    """A hand of a record: the deal and its moves."""

    number: int
    hand: Hand
    moves: list[Move] = field(default_factory=list)
    points: tuple[int, ...] | None = None
    """Points by side; `None` if the hand is not over."""


def hands_of(text: str, last: int = 0) -> tuple[Replay, list[DealtHand]]:
    """Play a record and return its hands, up to the first invalid line or to hand `last`."""
    replayer = Replayer(text)
    match = replayer.replay.match
    hands: list[DealtHand] = []
    if match is None:
        return replayer.replay, hands

    def dealt() -> None:
        hands.append(DealtHand(match.hand_number, match.hand.copy()))

    replayer.on_deal = dealt
    while (made := replayer.step()) is not None:
        hands[-1].moves.append(made.move)
        if match.hand.over:
            hands[-1].points = tuple(sheet.total for sheet in match.sheets[-1])
            if hands[-1].number == last:
                break
    return replayer.replay, hands


def review_hand(
    dealt: DealtHand, *, worlds: int = WORLDS, seed: str = "", progress: Progress | None = None
) -> HandReview:
    """Review a finished hand. The same seed gives the same review."""
    assert dealt.points is not None, "the hand is over"
    choices = choices_of(dealt.hand, dealt.moves)
    steps = steps_to_the_end(dealt.hand.state)
    compiled = dealt.hand.state.compiled
    if compiled.runs:
        steps *= _DEARER_LONG_RUNS if compiled.longest_run > compiled.canasta_size else _DEARER_RUNS
    fewer, first = affordable(worlds, len(choices), steps)
    state = dealt.hand.state
    course = LuckTracker(state, f"{seed}/{dealt.number}/open", min(fewer, _OPEN_WORLDS))
    side_of = tuple(state.side_of)
    review = HandReview(dealt.number, fewer, len(choices), dealt.points, side_of, course.dealt)
    for done, choice in enumerate(choices[:first]):
        if progress is not None:
            progress(done, first)
        review.changes.append(course.follow(choice))
        decision = evaluate_decision(choice, dealt.number, seed, fewer)
        if decision is not None:
            review.decisions.append(decision)
    if progress is not None:
        progress(first, first)
    return review


def affordable(worlds: int, choices: int, steps: int) -> tuple[int, int]:
    """Return the number of deals and of choices with which a hand can be reviewed in the available time.

    `steps` is the length of the hand played out from the deal. Requesting more deals than the default allows
    more time. The first choices are evaluated rather than a sample, because the course of expected points
    builds on the choice before.

    >>> affordable(96, 100, 130), affordable(96, 400, 900), affordable(96, 1_717, 8_160)
    ((96, 100), (3, 400), (2, 85))
    """
    most = _MOST_STEPS * max(worlds, WORLDS) // WORLDS
    steps = max(1, steps)
    choices = min(choices, _MOST_CHOICES)
    deals = max(_FEWEST_WORLDS, min(worlds, most // max(1, choices * steps)))
    return deals, min(choices, most // (deals * steps))
