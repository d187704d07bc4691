"""Ratings of solvers and puzzles, a solver's standing, and the choice of the next puzzle."""

from random import Random

import pytest

from canasta.review.puzzle_progress import PuzzleAnswer, PuzzleFilter, next_puzzle, standing_of
from canasta.review.puzzles import Puzzle, puzzles_by_id, shipped_puzzles
from canasta.review.rating import (
    MOST_MOVED,
    NEW_SOLVER,
    RatedGame,
    Rating,
    after_answer,
    puzzle_start,
    update_rating,
)

PUZZLES = shipped_puzzles()


def test_the_example_of_the_paper() -> None:
    """Glickman's own numbers, within his rounding."""
    results = [
        RatedGame(Rating(1400, 30), 1),
        RatedGame(Rating(1550, 100), 0),
        RatedGame(Rating(1700, 300), 0),
    ]
    after = update_rating(Rating(1500, 200, 0.06), results)
    assert after.value == pytest.approx(1464.06, abs=0.02)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_an_answer_moves_solver_and_puzzle_apart() -> None:
    for difficulty in (1, 2, 3, 4):
        puzzle = puzzle_start(difficulty)
        better, easier = after_answer(NEW_SOLVER, puzzle, difficulty, right=True)
        worse, harder = after_answer(NEW_SOLVER, puzzle, difficulty, right=False)
        assert worse.value < NEW_SOLVER.value < better.value
        assert easier.value < puzzle.value < harder.value
        assert better.deviation < NEW_SOLVER.deviation
    gains = [after_answer(NEW_SOLVER, puzzle_start(d), d, right=True)[0].value for d in (1, 2, 3, 4)]
    assert gains == sorted(gains), "a harder puzzle brings more"


def test_a_puzzle_stays_near_its_difficulty_whoever_answers() -> None:
    puzzle = puzzle_start(1)
    for _ in range(500):
        _, puzzle = after_answer(Rating(400, 60), puzzle, 1, right=False)
    assert puzzle.value <= puzzle_start(1).value + MOST_MOVED
    for _ in range(500):
        _, puzzle = after_answer(Rating(2600, 60), puzzle, 1, right=True)
    assert puzzle.value >= puzzle_start(1).value - MOST_MOVED
    assert puzzle.deviation > 0


def test_ratings_stay_numbers_however_one_sided_the_answers() -> None:
    solver = NEW_SOLVER
    for number in range(2000):
        solver, _ = after_answer(solver, puzzle_start(4), 4, right=number % 400 != 0)
    assert 1500 < solver.value < 10_000
    assert solver.deviation >= 45


def answers(*right: bool) -> list[PuzzleAnswer]:
    return [
        PuzzleAnswer(puzzle.id, 0, each, Rating(1500 + at, 90))
        for at, (puzzle, each) in enumerate(zip(PUZZLES, right, strict=False))
    ]


def test_streak_and_counts() -> None:
    known = puzzles_by_id()
    given = [*answers(True, True, False, True), PuzzleAnswer("gone", 0, True, Rating(1600, 80))]
    standing = standing_of(given, lambda name: known[name].theme if name in known else None)
    assert (standing.answered, standing.right) == (5, 4)
    assert (standing.streak, standing.best_streak) == (2, 2)
    assert standing.course == [1500, 1501, 1502, 1503, 1600]
    assert (standing.rating, standing.deviation) == (1600, 80)
    assert sum(each.answered for each in standing.themes) == 4
    assert sum(each.right for each in standing.themes) == 3


def start(puzzle: Puzzle) -> Rating:
    return puzzle_start(puzzle.difficulty)


def test_the_next_is_new_and_as_hard_as_the_solver_is_good() -> None:
    chance = Random(1)
    easy = [PuzzleAnswer("x", 0, False, Rating(900, 60))]
    hard = [PuzzleAnswer("x", 0, True, Rating(2100, 60))]
    assert {p.difficulty for _ in range(20) if (p := next_puzzle(PUZZLES, easy, start, chance))} == {1}
    assert {p.difficulty for _ in range(20) if (p := next_puzzle(PUZZLES, hard, start, chance))} == {4}
    few = PUZZLES[:3]
    done = answers(True, False)
    assert next_puzzle(few, done, start, chance) == few[2], "the new one"
    done = answers(True, False, True)
    assert next_puzzle(few, done, start, chance) == few[1], "then the one that went wrong"
    assert next_puzzle(few, done, start, chance, besides=few[1].id) in (few[0], few[2])
    assert next_puzzle(few[:1], done, start, chance, besides=few[0].id) is None
    assert next_puzzle([], done, start, chance) is None


def test_wanted_puzzles() -> None:
    puzzle = PUZZLES[0]
    mine = answers(True)[0]
    assert PuzzleFilter().takes(puzzle, None)
    assert PuzzleFilter(frozenset({puzzle.rules}), puzzle.theme, puzzle.difficulty, "right").takes(
        puzzle, mine
    )
    assert not PuzzleFilter(frozenset({"chess"})).takes(puzzle, None)
    assert not PuzzleFilter(state="right").takes(puzzle, None)
    assert PuzzleFilter(state="new").takes(puzzle, None)
    assert not PuzzleFilter(difficulty=puzzle.difficulty + 1).takes(puzzle, None)
