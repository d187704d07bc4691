"""Somebody who solves puzzles: what they answered, how they stand, and which puzzle comes next.

Of each puzzle the first answer counts, and no other.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from msgspec import Struct

from canasta.review.judging import KINDS
from canasta.review.puzzles import Puzzle
from canasta.review.rating import NEW_SOLVER, Rating

_NEAREST: Final = 6
"""Of so many puzzles that are as hard as the solver is good, one is chosen by chance."""


class Answer(Struct, frozen=True):
    """The first answer to a puzzle, and the solver's rating after it."""

    puzzle: str
    choice: int
    """Of the options as they are shown."""
    right: bool
    rating: Rating


class ThemeCount(Struct, frozen=True):
    theme: str
    answered: int
    right: int


class Standing(Struct, frozen=True, kw_only=True):
    """How a solver stands."""

    rating: int
    deviation: int
    """The rating is good to about twice that."""
    answered: int
    right: int
    streak: int
    """Right answers since the last wrong one."""
    best_streak: int
    course: list[int]
    """The rating after every answer."""
    themes: list[ThemeCount]


def rating_of(answers: Sequence[Answer]) -> Rating:
    """After all of them, which are in their order."""
    return answers[-1].rating if answers else NEW_SOLVER


def standing_of(answers: Sequence[Answer], theme_of: Callable[[str], str | None]) -> Standing:
    """`theme_of`: of the puzzle of this id; None where there is no such puzzle any more."""
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
class Wanted:
    """Which puzzles somebody wants; empty fields want any."""

    rules: frozenset[str] = frozenset()
    """Names of games."""
    theme: str = ""
    difficulty: int = 0
    state: str = ""
    """`new`, `right` or `wrong`: what the solver has made of it."""

    def takes(self, puzzle: Puzzle, answer: Answer | None) -> bool:
        return (
            (not self.rules or puzzle.rules in self.rules)
            and self.theme in ("", puzzle.theme)
            and self.difficulty in (0, puzzle.difficulty)
            and self.state in ("", state_of(answer))
        )


STATES: Final = ("new", "right", "wrong")


def state_of(answer: Answer | None) -> str:
    if answer is None:
        return "new"
    return "right" if answer.right else "wrong"


def next_puzzle(
    puzzles: Sequence[Puzzle],
    answers: Sequence[Answer],
    rating_of_puzzle: Callable[[Puzzle], Rating],
    chance: Random,
    besides: str = "",
) -> Puzzle | None:
    """One as hard as the solver is good: of those that are new to them, else of those that went wrong, else
    of the others. `besides`: the one that they have just seen."""
    by_id: Mapping[str, Answer] = {answer.puzzle: answer for answer in answers}
    there = [puzzle for puzzle in puzzles if puzzle.id != besides]
    for state in STATES[:1] + STATES[2:] + STATES[1:2]:
        some = [puzzle for puzzle in there if state_of(by_id.get(puzzle.id)) == state]
        if some:
            mine = rating_of(answers).value
            some.sort(key=lambda puzzle: (abs(rating_of_puzzle(puzzle).value - mine), puzzle.id))
            return chance.choice(some[:_NEAREST])
    return None
