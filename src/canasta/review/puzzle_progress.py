"""A puzzle solver's answers, standing and next puzzle.

Only the first answer to each puzzle counts.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from msgspec import Struct

from canasta.review.evaluation import KINDS
from canasta.review.puzzles import Puzzle
from canasta.review.rating import NEW_SOLVER, Rating

_NEAREST: Final = 6
"""Number of puzzles, closest in rating to the solver, from which the next one is drawn at random."""


class PuzzleAnswer(Struct, frozen=True):
    """The first answer to a puzzle, and the solver's rating after it."""

    puzzle: str
    choice: int
    """Index of the option, in display order."""
    right: bool
    rating: Rating
    rated: bool = True
    """Whether the answer changed the rating."""


class ThemeCount(Struct, frozen=True):
    theme: str
    answered: int
    right: int


class Standing(Struct, frozen=True, kw_only=True):
    """A solver's standing."""

    rating: int
    deviation: int
    """Uncertainty of the rating: it is accurate to about twice this number."""
    answered: int
    right: int
    streak: int
    """Number of right answers since the last wrong one."""
    best_streak: int
    course: list[int]
    """The rating after every answer."""
    themes: list[ThemeCount]


def rating_of(answers: Sequence[PuzzleAnswer]) -> Rating:
    """Return the rating after these answers, given in order."""
    return answers[-1].rating if answers else NEW_SOLVER


def standing_of(answers: Sequence[PuzzleAnswer], theme_of: Callable[[str], str | None]) -> Standing:
    """Return a solver's standing.

    `theme_of` returns a puzzle's theme, or `None` if the puzzle no longer exists.
    """
    streak = best = 0
    counts = {theme: [0, 0] for theme in KINDS}
    for answer in answers:
        streak = streak + 1 if answer.right else 0
        best = max(best, streak)
        theme = theme_of(answer.puzzle)
        if theme is not None:
            counts[theme][0] += 1
            counts[theme][1] += answer.right
    rating = rating_of(answers)
    return Standing(
        rating=round(rating.value),
        deviation=round(rating.deviation),
        answered=len(answers),
        right=sum(answer.right for answer in answers),
        streak=streak,
        best_streak=best,
        course=[round(answer.rating.value) for answer in answers],
        themes=[ThemeCount(theme, *count) for theme, count in counts.items()],
    )


@dataclass(frozen=True)
class PuzzleFilter:
    """A filter for puzzles; empty fields match anything."""

    rules: frozenset[str] = frozenset()
    """Names of games."""
    theme: str = ""
    difficulty: int = 0
    state: str = ""
    """`new`, `right` or `wrong`: how the solver answered it."""

    def takes(self, puzzle: Puzzle, answer: PuzzleAnswer | None) -> bool:
        return (
            (not self.rules or puzzle.rules in self.rules)
            and self.theme in ("", puzzle.theme)
            and self.difficulty in (0, puzzle.difficulty)
            and self.state in ("", state_of(answer))
        )


STATES: Final = ("new", "right", "wrong")


def state_of(answer: PuzzleAnswer | None) -> str:
    if answer is None:
        return "new"
    return "right" if answer.right else "wrong"


def next_puzzle(
    puzzles: Sequence[Puzzle],
    answers: Sequence[PuzzleAnswer],
    rating_of_puzzle: Callable[[Puzzle], Rating],
    chance: Random,
    besides: str = "",
) -> Puzzle | None:
    """Return a puzzle that suits the solver's rating, or `None` if there is none.

    New puzzles come first, then those answered wrong, then the others. `besides` is the puzzle just seen,
    which is excluded.
    """
    by_id: Mapping[str, PuzzleAnswer] = {answer.puzzle: answer for answer in answers}
    there = [puzzle for puzzle in puzzles if puzzle.id != besides]
    for state in STATES[:1] + STATES[2:] + STATES[1:2]:
        some = [puzzle for puzzle in there if state_of(by_id.get(puzzle.id)) == state]
        if some:
            mine = rating_of(answers).value
            some.sort(key=lambda puzzle: (abs(rating_of_puzzle(puzzle).value - mine), puzzle.id))
            return chance.choice(some[:_NEAREST])
    return None
