"""Follow the expected points from the deal to the result, and separate chance from decisions.

Positions are evaluated with all hands open and the stock in an unknown order. Each estimate is used twice, as
the end of one change and the start of the next, so its noise cancels: all changes together add up to exactly
the result.

A change has two parts. The effect of the stock is chance: the value of the position with the drawn cards,
minus that of the same move with the stock in any order. The rest is due to the decision. Of that, what the
player could have known is play (see `evaluation`), and what nobody could see is the luck of the hidden cards.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from canasta.bots.club.policy import club_step
from canasta.bots.club.weights import weights_for
from canasta.engine.actions.codec import DRAW_STOCK
from canasta.engine.moves.types import Draw
from canasta.engine.state import DRAW, HandState
from canasta.review.decisions import DecisionPoint
from canasta.review.estimator import Continuation, OpenCards, Points, margin, mean, minus, standard_error


@dataclass(frozen=True)
class Change:
    """The change caused by a choice and the cards after it, in points by side."""

    choice: DecisionPoint
    decided: Points
    """Change caused by the choice, with all cards open."""
    decided_errors: Points
    """Standard error by side, for the change of the margin."""
    drawn: Points
    """Change caused by the cards from the stock."""
    drawn_errors: Points
    expected: Points
    """The expected points of each side after both; after the last choice, the result."""


class LuckTracker:
    """Follows a hand from choice to choice."""

    def __init__(self, dealt: HandState, seed: str, worlds: int) -> None:
        self._cards = OpenCards(seed, worlds)
        self._now = self._cards.outcomes(dealt)
        self.dealt: Points = mean(self._now)
        """The expected points of each side at the deal."""

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
    """Return whether the club player would have drawn too, so that the position already includes it."""
    state = choice.before
    return (
        state.phase == DRAW
        and isinstance(choice.moves[0], Draw)
        and club_step(state, choice.seat, weights_for(state.compiled)) == DRAW_STOCK
    )
