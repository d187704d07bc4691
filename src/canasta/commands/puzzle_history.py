"""The user's answers to puzzles, saved in the data folder as one line of JSON per answer."""

from typing import Final

import msgspec
from msgspec import Struct

from canasta.installation import data_folder
from canasta.review.puzzle_progress import PuzzleAnswer, rating_of
from canasta.review.puzzles import HARDEST, Puzzle
from canasta.review.rating import after_answer, puzzle_start

_NAME: Final = "puzzles.jsonl"


class _Line(Struct):
    puzzle: str
    choice: int
    right: bool
    difficulty: int


class SolvedFile:
    """The answers in the file. Ratings are computed from them, so several programs can append to the file."""

    def __init__(self) -> None:
        self.answers: list[PuzzleAnswer] = []
        try:
            lines = (data_folder() / _NAME).read_bytes().splitlines()
        except OSError:
            # No file yet, or an unreadable one; writing reports its own failure.
            lines = []
        for line in lines:
            try:
                self._count(msgspec.json.decode(line, type=_Line))
            except (msgspec.MsgspecError, UnicodeDecodeError):
                continue

    def answer(self, puzzle: Puzzle, choice: int) -> bool:
        """Save a first answer; return False if the puzzle has been answered before. Raises `OSError`."""
        right = puzzle.shown[choice] == puzzle.options[0]
        line = _Line(puzzle.id, choice, right, puzzle.difficulty)
        if not self._count(line):
            return False
        with (data_folder() / _NAME).open("ab") as file:
            file.write(msgspec.json.encode(line) + b"\n")
        return True

    def _count(self, line: _Line) -> bool:
        if any(answer.puzzle == line.puzzle for answer in self.answers):
            return False
        difficulty = min(max(line.difficulty, 1), HARDEST)
        rating, _ = after_answer(
            rating_of(self.answers), puzzle_start(difficulty), difficulty, right=line.right
        )
        self.answers.append(PuzzleAnswer(line.puzzle, line.choice, line.right, rating))
        return True
