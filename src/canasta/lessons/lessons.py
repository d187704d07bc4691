"""Lessons, read from `deals/*.toml` in the order of the file names, and tips, read from `advice.toml`.

Tips are in groups, and some have a position to try.
"""

from functools import lru_cache
from importlib.resources import files

import msgspec
from msgspec import Struct

from canasta.errors import UnknownNameError
from canasta.table.practice import Practice


class LessonStep(Struct, kw_only=True, forbid_unknown_fields=True):
    """One new thing to learn. A step without goals is only read."""

    position: str = ""
    """The starting position; empty to continue from the end of the previous step."""
    goals: list[str] = []
    """Goals, as in `table.goals`; all of them must be reached."""
    avoid: list[str] = []
    """Goals that end the attempt as failed."""
    turns: int = 1
    """Number of the learner's own turns to reach the goals; 0 means the whole hand."""
    solution: list[str] = []
    """Moves that reach the goals, including those of the other players."""
    wrong: list[str] = []
    """Moves that a learner might try and that do not reach the goals, as in `draw; discard 5`."""


class Lesson(Struct, kw_only=True, forbid_unknown_fields=True):
    id: str
    """Id used in the lesson's address and message keys, such as `first-meld`."""
    family: str = ""
    """The game that it leads to; empty if it applies to all games."""
    step: list[LessonStep]

    def position(self, number: int) -> str:
        """Return the position with which a step starts, counting from 1.

        It is the latest position given, followed by the moves of the steps in between.
        """
        moves: list[str] = []
        for step in reversed(self.step[: number - 1] if not self.step[number - 1].position else []):
            moves = [*step.solution, *moves]
            if step.position:
                return _with_moves(step.position, moves)
        return self.step[number - 1].position


def _with_moves(position: str, moves: list[str]) -> str:
    if not moves:
        return position
    return f"{position.removesuffix('}')}, when: [{', '.join(moves)}]}}"


@lru_cache(maxsize=1)
def lessons() -> dict[str, Lesson]:
    """Return all lessons by id, in the order of the course."""
    folder = files("canasta.lessons") / "deals"
    texts = {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir()}
    found = [
        msgspec.toml.decode(texts[name], type=Lesson) for name in sorted(texts) if name.endswith(".toml")
    ]
    return {lesson.id: lesson for lesson in found}


def practice_of(lesson: str, number: int) -> Practice:
    """Return the table of a step, counting from 1. Raise `UnknownNameError` if there is none."""
    found = lessons().get(lesson)
    if found is None or not 1 <= number <= len(found.step):
        raise UnknownNameError(lesson)
    step = found.step[number - 1]
    return Practice(
        thing=f"lesson:{lesson}:{number}",
        position=found.position(number),
        goals=step.goals,
        avoid=step.avoid,
        turns=step.turns,
    )


# -- tips ---------------------------------------------------------------------------------------------------


class Tip(Struct, kw_only=True, forbid_unknown_fields=True):
    id: str
    """Id of its texts, such as `safe-discard`."""
    group: str
    rules: str
    """The game that it is about, or that demonstrates it."""
    position: str = ""
    """The position to try; empty if there is none."""
    best: list[str] = []
    """The moves that the tip recommends there; any of them is right."""
    ahead: int = 0
    """Points by which that is better than the next best alternative, on average."""
    goals: list[str] = []
    """Goals, as in `table.goals`."""
    avoid: list[str] = []

    def practice(self) -> Practice:
        """Return a table with the tip's position, and one turn to follow the advice."""
        return Practice(
            thing=f"advice:{self.id}",
            position=self.position,
            goals=self.goals,
            avoid=self.avoid,
            turns=1,
            level="club",
        )


class _Advice(Struct, forbid_unknown_fields=True):
    tip: list[Tip]


@lru_cache(maxsize=1)
def tips() -> dict[str, Tip]:
    """Return all tips by id, in page order."""
    text = (files("canasta.lessons") / "advice.toml").read_text(encoding="utf-8")
    return {tip.id: tip for tip in msgspec.toml.decode(text, type=_Advice).tip}


def tip_to_try(name: str) -> Practice:
    """Return the table of a tip. Raise `UnknownNameError` if it has none."""
    found = tips().get(name)
    if found is None or not found.position:
        raise UnknownNameError(name)
    return found.practice()
