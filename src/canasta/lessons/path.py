"""The lessons, read from `deals/*.toml` in the order of their file names."""

from functools import lru_cache
from importlib.resources import files

import msgspec
from msgspec import Struct

from canasta.errors import CanastaError
from canasta.table.practice import Practice


class Step(Struct, kw_only=True, forbid_unknown_fields=True):
    """One new thing. Without goals it is read, and whoever has read it goes on."""

    position: str = ""
    """Empty: the cards as the step before leaves them."""
    goals: list[str] = []
    """See `table.goals`; all of them are to be reached."""
    avoid: list[str] = []
    """What ends the try."""
    turns: int = 1
    """Of one's own for it; 0: the whole hand."""
    solution: list[str] = []
    """Moves that reach the goals, one's own and those of the others."""
    wrong: list[str] = []
    """What somebody might try, and what does not reach them: `draw; discard 5`."""


class Lesson(Struct, kw_only=True, forbid_unknown_fields=True):
    id: str
    """Of its address and of its texts: `first-meld`."""
    family: str = ""
    """The game that it leads to; empty for what all of them share."""
    step: list[Step]

    def position(self, number: int) -> str:
        """The text of the position with which a step begins, the first being 1. It is the last that was laid
        out, with the moves of the steps between."""
        moves: list[str] = []
        for step in reversed(self.step[: number - 1] if not self.step[number - 1].position else []):
            moves = [*step.solution, *moves]
            if step.position:
                return _with_moves(step.position, moves)
        return self.step[number - 1].position


class NoSuchLesson(CanastaError, LookupError):
    """There is no such lesson, or it has no such step."""


def _with_moves(position: str, moves: list[str]) -> str:
    if not moves:
        return position
    return f"{position.removesuffix('}')}, when: [{', '.join(moves)}]}}"


@lru_cache(maxsize=1)
def lessons() -> dict[str, Lesson]:
    """All lessons by id, in the order of the path."""
    folder = files("canasta.lessons") / "deals"
    texts = {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir()}
    found = [
        msgspec.toml.decode(texts[name], type=Lesson) for name in sorted(texts) if name.endswith(".toml")
    ]
    return {lesson.id: lesson for lesson in found}


def practice_of(lesson: str, number: int) -> Practice:
    """The table of a step, the first being 1. Raises `NoSuchLesson`."""
    found = lessons().get(lesson)
    if found is None or not 1 <= number <= len(found.step):
        raise NoSuchLesson(lesson)
    step = found.step[number - 1]
    return Practice(
        thing=f"lesson:{lesson}:{number}",
        position=found.position(number),
        goals=step.goals,
        avoid=step.avoid,
        turns=step.turns,
    )
