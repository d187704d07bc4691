"""Puzzles: positions from play with one way to go on that is better than all others by a clear margin.

They are kept as JSON, one puzzle a line, the best option first. What an option brings less than the best was
measured with the estimator of the review, from the position as it is written and by what the player sees.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from canasta.bots.club.player import ClubBot, club_step
from canasta.bots.expert.plans import ends_turn, melds_of
from canasta.bots.habits import weights_of
from canasta.engine.match import Match
from canasta.engine.moves.types import Move
from canasta.engine.play.set_up import PositionError
from canasta.engine.state import DRAW, PLAY
from canasta.engine.steps.make import make_step
from canasta.errors import CanastaError
from canasta.notation.moves import parse_move
from canasta.notation.positions import after_moves, format_position, match_from_position
from canasta.review.choices import Choice, choices_of
from canasta.review.expected import Line, margin, standard_error
from canasta.review.judging import KINDS, Candidate, Judge
from canasta.rules.model import Ruleset

SHIPPED: Final = Path(__file__).with_name("puzzles.jsonl")
PUZZLE_WORLDS: Final = 96
"""Deals in which every option is measured."""
LEAST_GAP: Final = 40.0
"""Points by which the best option is ahead of every other …"""
LEAST_ERRORS: Final = 3.0
"""… and standard errors."""
MOST_OPTIONS: Final = 8
MOST_MOVES: Final = 6
"""Of an option: a longer one is hard to read, and to tell from the others."""
_LOOKS: Final = ((8, 1.5), (16, 2.0), (32, 2.5))
"""Deals of each look, and the standard errors that the best must be ahead by to be looked at again: most
positions are no puzzle, and that shall be seen soon."""
_MOST_OF_HAND: Final = 4

FINDERS: Final = ("novice", "casual", "club")
"""Who finds the best option: the weakest who does makes the difficulty, 1 to 3; where nobody does it is 4."""
HARDEST: Final = len(FINDERS) + 1


class NoPuzzle(CanastaError, ValueError):
    """A text that is no puzzle; says why."""


@dataclass(frozen=True)
class Option:
    """One way to go on."""

    moves: tuple[str, ...]
    """In our notation; none for laying nothing."""
    behind: float
    """Points that it brings less than the best; 0 for the best."""
    error: float
    """The standard error of that."""


@dataclass(frozen=True)
class Puzzle:
    """A position and its options, the best first."""

    position: str
    theme: str
    difficulty: int
    worlds: int
    options: tuple[Option, ...]

    @property
    def id(self) -> str:
        """The same position has the same."""
        return hashlib.sha256(self.position.encode("utf-8")).hexdigest()[:8]

    @property
    def shown(self) -> tuple[Option, ...]:
        """The options as they are shown: in an order that tells nothing, the same for everybody."""
        return tuple(sorted(self.options, key=self._place))

    def _place(self, option: Option) -> str:
        return hashlib.sha256(f"{self.id} {', '.join(option.moves)}".encode()).hexdigest()

    @property
    def rules(self) -> str:
        """The name of the game."""
        return self.position.partition("rules: ")[2].partition(",")[0]

    def match(self) -> Match:
        """A match in this position. Raises `PositionError`."""
        return after_moves(*match_from_position(self.position))

    def as_data(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "theme": self.theme,
            "difficulty": self.difficulty,
            "worlds": self.worlds,
            "options": [[list(each.moves), each.behind, each.error] for each in self.options],
            "position": self.position,
        }

    def text(self) -> str:
        """A line of the file."""
        return json.dumps(self.as_data(), ensure_ascii=False)

    @classmethod
    def parse(cls, text: str) -> "Puzzle":
        """Raises `NoPuzzle`."""
        try:
            told: dict[str, Any] = json.loads(text)
            options = tuple(
                Option(tuple(map(str, moves)), float(b), float(e)) for moves, b, e in told["options"]
            )
            puzzle = cls(
                str(told["position"]),
                str(told["theme"]),
                int(told["difficulty"]),
                int(told["worlds"]),
                options,
            )
        except (ValueError, TypeError, KeyError) as error:
            raise NoPuzzle(f"this is no puzzle: {error}") from None
        if puzzle.theme not in KINDS or not 1 <= puzzle.difficulty <= HARDEST:
            raise NoPuzzle(f"there is no theme {puzzle.theme} of difficulty {puzzle.difficulty}")
        return puzzle


@cache
def shipped_puzzles() -> tuple[Puzzle, ...]:
    """Those that come with the package."""
    return tuple(read_puzzles(SHIPPED.read_text(encoding="utf-8")))


@cache
def puzzles_by_id() -> Mapping[str, Puzzle]:
    """The same by their ids."""
    return {puzzle.id: puzzle for puzzle in shipped_puzzles()}


def read_puzzles(text: str) -> list[Puzzle]:
    """Raises `NoPuzzle`."""
    return [Puzzle.parse(line) for line in text.splitlines() if line.strip()]


# -- looking at a position -----------------------------------------------------------------------------------


class Look:
    """All options of a choice, tried in the same deals."""

    def __init__(self, choice: Choice, seed: str) -> None:
        self._choice = choice
        self.judge = Judge(choice, seed)
        self.options: list[Candidate] = self.judge.candidates[:MOST_OPTIONS]
        self._tried = 0

    def go_on(self, worlds: int) -> None:
        """Try all of them in so many more deals; what earlier ones said is forgotten."""
        side = self._choice.before.side_of[self._choice.seat]
        for each in self.options:
            each.values = []
        for number in range(self._tried, self._tried + worlds):
            for each in self.options:
                each.values.append(margin(each.line.points(self.judge.world(number)), side))
        self._tried += worlds

    def ranked(self) -> list[Candidate]:
        return sorted(self.options, key=lambda each: -each.mean)

    def promises(self, worlds: int, errors: float) -> bool:
        """Is the best ahead of the second in so many more deals?"""
        if len(self.options) < 2:
            return False
        self.go_on(worlds)
        best, second, *_ = self.ranked()
        more = [a - b for a, b in zip(best.values, second.values, strict=True)]
        gap = sum(more) / len(more)
        return gap >= LEAST_GAP and gap >= errors * standard_error(more)

    def told(self) -> tuple[Option, ...]:
        """The options from the best down."""
        best, *_ = ranked = self.ranked()
        options: list[Option] = []
        for each in ranked:
            less = [a - b for a, b in zip(best.values, each.values, strict=True)]
            moves = tuple(map(str, self.judge.moves(each)))
            if any(moves == option.moves for option in options):
                # The same to a person, who leaves the small choices to the engine.
                continue
            options.append(Option(moves, round(sum(less) / len(less), 1), round(standard_error(less), 1)))
        return tuple(options)

    def difficulty(self) -> int:
        """Which of the players finds the best."""
        best = self._laid(self.ranked()[0].line)
        for at, name in enumerate(FINDERS):
            if self._laid(self._line_of(name)) == best:
                return at + 1
        return HARDEST

    def _line_of(self, name: str) -> Line:
        """What a player would do: one step, or all that it lays before it throws a card."""
        world = self.judge.world(0)
        seat = self._choice.seat
        weights = weights_of(name, world.prepared)
        start = world.copy()
        steps: list[int] = []
        while True:
            step = club_step(world, seat, weights)
            if self._choice.lays and ends_turn(step):
                return Line(steps=steps)
            make_step(world, step)
            steps.append(step)
            if not self._choice.lays or world.phase != PLAY or world.turn != seat or world.at != start.at:
                return Line(steps=steps)

    def _laid(self, line: Line) -> tuple[object, ...]:
        """Where a line leads, what is thrown after laying left out."""
        moves, steps = line.moves, list(line.steps)
        if self._choice.lays:
            steps = melds_of(steps)
        return self.judge.mark(Line(moves, steps).after(self.judge.world(0)))


def is_clear(options: Sequence[Option]) -> bool:
    """The best is ahead of every other."""
    return len(options) > 1 and all(
        each.behind >= LEAST_GAP and each.behind >= LEAST_ERRORS * each.error for each in options[1:]
    )


# -- finding -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Turn:
    """A turn that begins."""

    number: int
    """Of its first move in the hand."""
    match: Match


def find_puzzles(rules: Ruleset, seed: str, worlds: int = PUZZLE_WORLDS) -> Iterator[Puzzle]:
    """Puzzles from one hand that the club player plays against itself: a few, and no two of a theme."""
    match = Match.new(rules, seed)
    dealt = match.hand.copy()
    bot = ClubBot()
    turns: list[_Turn] = []
    moves: list[Move] = []
    while not match.hand.over:
        if match.hand.state.phase == DRAW and (not turns or turns[-1].match.hand.turn != match.hand.turn):
            turns.append(_Turn(len(moves), match.copy()))
        move = bot.choose(match.hand.view(match.hand.turn))
        moves.append(move)
        match.apply(move)
    themes: list[str] = []
    for choice in choices_of(dealt, moves):
        if choice.is_forced or choice.before.phase not in (DRAW, PLAY) or len(themes) == _MOST_OF_HAND:
            continue
        look = Look(choice, seed)
        if not all(look.promises(*each) for each in _LOOKS[:-1]):
            continue
        begun = [turn for turn in turns if turn.number <= choice.number][-1]
        puzzle = _puzzle(begun, moves[begun.number : choice.number], choice, worlds)
        if puzzle is not None and puzzle.theme not in themes:
            themes.append(puzzle.theme)
            yield puzzle


def _puzzle(begun: _Turn, when: Sequence[Move], choice: Choice, worlds: int) -> Puzzle | None:
    """The choice as a puzzle, looked at anew from the position as it is written; None where it is none."""
    try:
        position = format_position(begun.match, when)
        match = after_moves(*match_from_position(position))
    except PositionError:
        return None
    look = look_at(match, choice.moves, position)
    if not look.promises(*_LOOKS[-1]):
        return None
    look.go_on(worlds)
    options = look.told()
    if not is_clear(options) or any(len(option.moves) > MOST_MOVES for option in options):
        return None
    return Puzzle(position, look.judge.kind(look.ranked()[0]), look.difficulty(), worlds, options)


def look_at(match: Match, moves: Sequence[Move], seed: str) -> Look:
    """The options of the player to move, these moves among them."""
    state = match.hand.state
    after = Line(moves).after(state.copy())
    return Look(Choice(0, 1, match.hand.turn, tuple(match.scores), state, tuple(moves), after), seed)


def evaluated_anew(puzzle: Puzzle, worlds: int) -> list[float]:
    """For each option what it brings less than the first, in other deals than those it was found by."""
    match = puzzle.match()
    look = look_at(match, [parse_move(move) for move in puzzle.options[0].moves], f"anew/{puzzle.id}")
    look.go_on(worlds)
    means = {tuple(map(str, look.judge.moves(each))): each.mean for each in look.options}
    best = means[puzzle.options[0].moves]
    return [best - means[each.moves] for each in puzzle.options if each.moves in means]
