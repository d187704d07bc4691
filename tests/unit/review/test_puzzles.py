"""Puzzles: the shipped ones are valid, and more can be found."""

from collections import Counter

import pytest

from canasta.errors import InputError
from canasta.i18n.catalogue import languages
from canasta.i18n.voice import Voice
from canasta.notation.moves import parse_move
from canasta.review.evaluation import KINDS
from canasta.review.puzzles import (
    HARDEST,
    MOST_MOVES,
    Puzzle,
    describe_option,
    evaluate_again,
    find_puzzles,
    is_clear,
    read_puzzles,
    shipped_puzzles,
    why,
)
from canasta.rules import load_ruleset
from canasta.rules.preset_files import preset

PUZZLES = shipped_puzzles()


def test_every_puzzle_has_one_best_option() -> None:
    assert len({puzzle.id for puzzle in PUZZLES}) == len(PUZZLES)
    for puzzle in PUZZLES:
        assert puzzle.theme in KINDS
        assert 1 <= puzzle.difficulty <= HARDEST
        assert (puzzle.options[0].behind, puzzle.options[0].error) == (0, 0)
        assert is_clear(puzzle.options)
        assert all(len(option.moves) <= MOST_MOVES for option in puzzle.options)
        assert len({option.moves for option in puzzle.options}) == len(puzzle.options)
        assert len({describe_option(puzzle, option, Voice("en")) for option in puzzle.options}) == len(
            puzzle.options
        )
        assert Puzzle.parse(puzzle.text()) == puzzle


def test_every_option_is_legal() -> None:
    for puzzle in PUZZLES:
        match = puzzle.match()
        assert match.rules.name == puzzle.rules
        for option in puzzle.options:
            tried = match.hand.copy()
            for move in option.moves:
                tried.apply(parse_move(move))


def test_the_shown_order_tells_nothing() -> None:
    """The order is the same every time, and the best option may be anywhere in it."""
    assert all(sorted(puzzle.shown, key=puzzle.options.index) == list(puzzle.options) for puzzle in PUZZLES)
    two = [puzzle for puzzle in PUZZLES if len(puzzle.options) == 2]
    first = sum(puzzle.shown[0] == puzzle.options[0] for puzzle in two)
    assert 0.35 < first / len(two) < 0.65


def test_there_are_several_games_themes_and_difficulties() -> None:
    assert len(PUZZLES) >= 300
    families = Counter(preset(puzzle.rules).family for puzzle in PUZZLES)
    assert min(families.values()) >= 5
    games = Counter(puzzle.rules.partition("-")[0] for puzzle in PUZZLES)
    assert min(games["burraco"], games["buraco"]) >= 10
    assert set(Counter(puzzle.theme for puzzle in PUZZLES)) == set(KINDS)
    assert min(Counter(puzzle.difficulty for puzzle in PUZZLES).values()) >= 30


def test_the_reason_is_told_in_every_language() -> None:
    puzzle = next(each for each in PUZZLES if each.options[0].moves)
    told = {why(puzzle, Voice(language)) for language in languages()}
    assert len(told) == len(languages())
    assert all(told)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"position": "", "theme": "chess"}', PUZZLES[0].text()[:-9]]
)
def test_what_is_no_puzzle_is_told(text: str) -> None:
    with pytest.raises(InputError):
        Puzzle.parse(text)
    assert read_puzzles("\n") == []


@pytest.mark.long
@pytest.mark.parametrize("puzzle", PUZZLES[::10], ids=lambda puzzle: puzzle.id)
def test_a_sample_evaluated_anew_has_the_same_best_option(puzzle: Puzzle) -> None:
    behind = evaluate_again(puzzle, worlds=puzzle.worlds)
    assert behind[0] == 0
    assert all(points > 0 for points in behind[1:])


@pytest.mark.long
def test_puzzles_are_found() -> None:
    found = [
        puzzle
        for hand in range(4)
        for puzzle in find_puzzles(load_ruleset("jaques", 4, {}), f"hand {hand}", 32)
    ]
    assert found
    assert all(is_clear(puzzle.options) for puzzle in found)
    again = [
        puzzle
        for hand in range(4)
        for puzzle in find_puzzles(load_ruleset("jaques", 4, {}), f"hand {hand}", 32)
    ]
    assert found == again
