"""The course of expected points from the deal to the result, and what of it was chance.

Positions are judged with all hands open and the stock in an unknown order. Each estimate serves twice, as
the end of one change and as the beginning of the next, so that whatever noise it has cancels: all changes
together are the result, exactly.

A change has two parts. What came from the stock is chance: its value is that of the position with the cards
that were drawn, less that of the same move with the stock in any order. The rest came with the decision. Of
that, what the player could have known is play (`judging`), and what nobody could see is how the cards lay.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from canasta.bots.club.policy import club_step, weights_for
from canasta.engine.moves.types import Draw
from canasta.engine.state import DRAW, HandState
from canasta.engine.steps.codec import DRAW_STOCK
from canasta.review.choices import Choice
from canasta.review.expected import Line, OpenCards, Points, margin, mean, minus, standard_error


@dataclass(frozen=True)
class Change:
    """What a choice and the cards after it changed, in points by side."""

    choice: Choice
    decided: Points
    """By the choice, with all cards open."""
    decided_errors: Points
    """By side the standard error of that, as it changes the margin."""
    drawn: Points
    """By the cards that came from the stock."""
    drawn_errors: Points
    expected: Points
    """The expected points of each side after both; after the last choice the result."""


class Course:
    """Follows a hand from choice to choice."""

    def __init__(self, dealt: HandState, seed: str, worlds: int) -> None:
        self._cards = OpenCards(seed, worlds)
        self._now = self._cards.outcomes(dealt)
        self.dealt: Points = mean(self._now)
        """The expected points of each side when the cards were dealt."""

    def follow(self, choice: Choice) -> Change:
        before = self._now
        decided = before
        after = self._cards.outcomes(choice.after) if choice.moves else before
        if not choice.drew:
            decided = after
        elif not _club_draws(choice):
            decided = self._cards.outcomes(choice.before, Line(choice.moves))
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
    """By side: how exactly the change of its margin is known."""
    changes = [minus(one, other) for one, other in zip(after, before, strict=True)]
    sides = range(len(changes[0]))
    return tuple(standard_error([margin(change, side) for change in changes]) for side in sides)


def _club_draws(choice: Choice) -> bool:
    """The club player would have done the same, so that the position has been judged with it."""
    state = choice.before
    return (
        state.phase == DRAW
        and isinstance(choice.moves[0], Draw)
        and club_step(state, choice.seat, weights_for(state.prepared)) == DRAW_STOCK
    )
