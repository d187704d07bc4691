"""Every lesson is played through: its moves reach the goals, and others do not."""

import json
from pathlib import Path

import pytest

from canasta.bots import get_bot
from canasta.engine.events import Event
from canasta.engine.match import Match
from canasta.errors import UnknownNameError
from canasta.lessons import lessons, practice_of
from canasta.notation.moves import parse_move
from canasta.table.log import LaidStep
from canasta.table.practice import GoalAttempt, Practice, practice_view
from canasta.table.wire import PracticeView

MESSAGES = Path(__file__).parents[2] / "web" / "src" / "messages" / "learn"
STEPS = [(lesson.id, number) for lesson in lessons().values() for number in range(1, len(lesson.step) + 1)]
LANGUAGES = "en", "de", "es", "fr", "it", "pt"


class Trying:
    """A player at the table of a lesson's step."""

    def __init__(self, practice: Practice) -> None:
        self.practice = practice
        self.match: Match = LaidStep(position=practice.position).match()
        self.seat = self.match.hand.turn
        self.events: list[Event] = []

    def play(self, *moves: str) -> bool:
        """Make these moves; return False at the first that is refused."""
        for text in moves:
            move = parse_move(text)
            if self.match.hand.over or self.match.check(move) is not None:
                return False
            self.events += self.match.apply(move)
        return True

    def play_on(self) -> None:
        """Let computer players make all moves to the end of the hand."""
        bots = [get_bot("novice", f"{self.practice.thing}/{seat}") for seat in range(len(self.match.side_of))]
        while not self.match.hand.over:
            hand = self.match.hand
            self.events += self.match.apply(bots[hand.turn].choose(hand.view(hand.turn)))

    @property
    def view(self) -> PracticeView:
        practice, tried = self.practice, GoalAttempt(self.match, self.seat, self.events)
        return practice_view(practice.thing, practice.goals, practice.avoid, practice.turns, tried)


def test_the_path() -> None:
    assert (
        list(lessons())
        == (
            "aim melds first-meld pile frozen threes going-out scoring partners "
            "sequences wild foot caliente american pots"
        ).split()
    )
    assert all(3 <= len(lesson.step) <= 6 for lesson in lessons().values())
    assert [bool(lesson.family) for lesson in lessons().values()] == [False] * 9 + [True] * 6
    for lesson, number in (("nope", 1), ("aim", 0), ("aim", 99)):
        with pytest.raises(UnknownNameError):
            practice_of(lesson, number)


@pytest.mark.parametrize(("lesson", "number"), STEPS)
def test_a_step(lesson: str, number: int) -> None:
    step = lessons()[lesson].step[number - 1]
    trying = Trying(practice_of(lesson, number))
    assert not trying.match.hand.over
    assert not any(goal.reached for goal in trying.view.goals)
    assert not trying.view.lost
    if not step.goals:
        assert not step.solution
        assert not step.wrong
        return
    if step.turns:
        assert step.wrong
        assert trying.play(*step.solution)
    else:
        trying.play_on()
    assert (trying.view.done, trying.view.lost) == (True, False)
    for wrong in step.wrong:
        other = Trying(practice_of(lesson, number))
        is_made = other.play(*wrong.split("; "))
        assert not other.view.done, wrong
        # A wrong move is refused, is reported as wrong, or leaves the goals within reach.
        if is_made and not other.view.lost:
            assert other.play(*step.solution), wrong
            assert other.view.done, wrong


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_is_told(language: str) -> None:
    texts = json.loads((MESSAGES / f"{language}.json").read_text(encoding="utf-8"))
    wanted = set()
    for lesson in lessons().values():
        wanted |= {f"learn.{lesson.id}.title", f"learn.{lesson.id}.about"}
        for number, step in enumerate(lesson.step, 1):
            wanted.add(f"learn.{lesson.id}.{number}")
            if step.goals:
                wanted.add(f"learn.{lesson.id}.{number}.hint")
    told = {key for key in texts if key.count(".") >= 2}
    assert told == wanted
    # A step is read on a phone, above the table.
    assert max(len(texts[key]) for key in wanted) <= 260
