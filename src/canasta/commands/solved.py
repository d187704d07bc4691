"""The answers to puzzles of whoever uses this machine, in their data folder: a line of JSON an answer."""

from typing import Final

import msgspec
from msgspec import Struct

from canasta.folders import data_folder
from canasta.review.puzzles import HARDEST, Puzzle
from canasta.review.rating import after_answer, puzzle_start
from canasta.review.solving import Answer, rating_of

_NAME: Final = "puzzles.jsonl"


class _Line(Struct):
    puzzle: str
    choice: int
    right: bool
    difficulty: int


class SolvedFile:
    """Ratings are not in the file: they follow from the answers, whichever of several programs wrote them."""

    def __init__(self) -> None:
        self.answers: list[Answer] = []
        try:
            lines = (data_folder() / _NAME).read_bytes().splitlines()
        except OSError:
            # There is none yet, or it cannot be read; whether one can be written is told when it is.
            lines = []
        for line in lines:
            try:
                self._count(msgspec.json.decode(line, type=_Line))
            except (msgspec.MsgspecError, UnicodeDecodeError):
                continue

    def answer(self, puzzle: Puzzle, choice: int) -> bool:
        """Keeps a first answer; False where there is one already. Raises `OSError`."""
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
        self.answers.append(Answer(line.puzzle, line.choice, line.right, rating))
        return True
