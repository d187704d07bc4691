"""Puzzles: positions from play in which one continuation is clearly better than all others.

They are stored as JSON, one puzzle per line, with the best option first. The loss of each other option was
measured with the review's estimator, from the stored position and the player's view.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from canasta.bots.club.player import ClubBot
from canasta.bots.club.policy import club_step
from canasta.bots.club.weights import weights_of
from canasta.bots.expert.plans import ends_turn, melds_of
from canasta.engine.actions.make import make_step
from canasta.engine.cards import card_text
from canasta.engine.match import Match
from canasta.engine.moves.types import Move
from canasta.engine.position import PositionError
from canasta.engine.state import ANSWER, DRAW, OVER, PLAY
from canasta.errors import InputError
from canasta.i18n.catalogue import CARD
from canasta.i18n.events import Speaker
from canasta.i18n.voice import Voice
from canasta.notation.moves import parse_move
from canasta.review.estimator import Continuation, margin, standard_error
from canasta.review.evaluation import (
    KINDS,
    DecisionEvaluator,
    DecisionPoint,
    EvaluatedContinuation,
    EvaluatedDecision,
    choices_of,
)
from canasta.review.narrative import describe_moves, of_decision, tell
from canasta.rules.model import Ruleset
from canasta.scenarios.positions import after_moves, format_position, match_from_position

SHIPPED: Final = Path(__file__).with_name("puzzles.jsonl")
PUZZLE_WORLDS: Final = 96
"""Number of deals in which every option is measured."""
LEAST_GAP: Final = 40.0
"""Minimum lead of the best option over every other, in points."""
LEAST_ERRORS: Final = 3.0
"""Minimum lead of the best option over every other, in standard errors."""
MOST_OPTIONS: Final = 8
MOST_MOVES: Final = 6
"""Maximum number of moves of an option: longer ones are hard to read and to tell apart."""
_LOOKS: Final = ((8, 1.5), (16, 2.0), (32, 2.5))
"""Stages of the search: the number of deals, and the lead of the best option, in standard errors, that is
needed to continue.

Most positions are not puzzles and are rejected early.
"""
_MOST_OF_HAND: Final = 4

FINDERS: Final = ("novice", "casual", "club")
"""Players by strength. The weakest one that finds the best option sets the difficulty, from 1 to 3; if
none does, it is 4.
"""
HARDEST: Final = len(FINDERS) + 1


@dataclass(frozen=True)
class PuzzleOption:
    """One continuation."""

    moves: tuple[str, ...]
    """Moves in notation; empty for melding nothing."""
    behind: float
    """Points by which it is worse than the best option; 0 for the best."""
    error: float
    """Standard error of `behind`."""


@dataclass(frozen=True)
class Puzzle:
    """A position and its options, the best first."""

    position: str
    theme: str
    difficulty: int
    worlds: int
    options: tuple[PuzzleOption, ...]

    @property
    def id(self) -> str:
        """An id derived from the position."""
        return hashlib.sha256(self.position.encode("utf-8")).hexdigest()[:8]

    @property
    def shown(self) -> tuple[PuzzleOption, ...]:
        """The options in display order. The order is the same for everyone and doesn't reveal the best."""
        return tuple(sorted(self.options, key=self._place))

    def _place(self, option: PuzzleOption) -> str:
        return hashlib.sha256(f"{self.id} {', '.join(option.moves)}".encode()).hexdigest()

    @property
    def rules(self) -> str:
        """The name of the game."""
        return self.position.partition("rules: ")[2].partition(",")[0]

    def match(self) -> Match:
        """Return a match in this position. Raise `PositionError` if it is invalid."""
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
        """Return the puzzle as a line of the file."""
        return json.dumps(self.as_data(), ensure_ascii=False)

    @classmethod
    def parse(cls, text: str) -> "Puzzle":
        """Parse a line of the file. Raise `InputError` if it is not a puzzle."""
        try:
            told: dict[str, Any] = json.loads(text)
            options = tuple(
                PuzzleOption(tuple(map(str, moves)), float(b), float(e)) for moves, b, e in told["options"]
            )
            puzzle = cls(
                str(told["position"]),
                str(told["theme"]),
                int(told["difficulty"]),
                int(told["worlds"]),
                options,
            )
        except (ValueError, TypeError, KeyError) as error:
            raise InputError(f"this is no puzzle: {error}") from None
        if puzzle.theme not in KINDS or not 1 <= puzzle.difficulty <= HARDEST:
            raise InputError(f"there is no theme {puzzle.theme} of difficulty {puzzle.difficulty}")
        return puzzle


@cache
def shipped_puzzles() -> tuple[Puzzle, ...]:
    """Return the puzzles that come with the package."""
    return tuple(read_puzzles(SHIPPED.read_text(encoding="utf-8")))


@cache
def puzzles_by_id() -> Mapping[str, Puzzle]:
    """Return the shipped puzzles by id."""
    return {puzzle.id: puzzle for puzzle in shipped_puzzles()}


def read_puzzles(text: str) -> list[Puzzle]:
    """Parse a file of puzzles. Raise `InputError` if a line is not a puzzle."""
    return [Puzzle.parse(line) for line in text.splitlines() if line.strip()]


# -- evaluating a position -----------------------------------------------------------------------------------


class OptionComparison:
    """A comparison of all options of a choice in the same deals."""

    def __init__(self, choice: DecisionPoint, seed: str) -> None:
        self._choice = choice
        self.evaluator = DecisionEvaluator(choice, seed)
        self.options: list[EvaluatedContinuation] = self.evaluator.candidates[:MOST_OPTIONS]
        self._tried = 0

    def go_on(self, worlds: int) -> None:
        """Try all options in this many further deals. The outcomes of earlier deals are dropped."""
        side = self._choice.before.side_of[self._choice.seat]
        for each in self.options:
            each.values = []
        for number in range(self._tried, self._tried + worlds):
            for each in self.options:
                each.values.append(margin(each.line.points(self.evaluator.world(number)), side))
        self._tried += worlds

    def ranked(self) -> list[EvaluatedContinuation]:
        return sorted(self.options, key=lambda each: -each.mean)

    def promises(self, worlds: int, errors: float) -> bool:
        """Return whether the best is ahead of the second by `errors` standard errors in this many further
        deals.
        """
        if len(self.options) < 2:
            return False
        self.go_on(worlds)
        best, second, *_ = self.ranked()
        more = [a - b for a, b in zip(best.values, second.values, strict=True)]
        gap = sum(more) / len(more)
        return gap >= LEAST_GAP and gap >= errors * standard_error(more)

    def puzzle_options(self) -> tuple[PuzzleOption, ...]:
        """Return the options, the best first."""
        best, *_ = ranked = self.ranked()
        options: list[PuzzleOption] = []
        for each in ranked:
            less = [a - b for a, b in zip(best.values, each.values, strict=True)]
            moves = tuple(map(str, self.evaluator.moves(each)))
            if any(moves == option.moves for option in options):
                # The two look the same to players, because the engine makes the small choices.
                continue
            options.append(
                PuzzleOption(moves, round(sum(less) / len(less), 1), round(standard_error(less), 1))
            )
        return tuple(options)

    def difficulty(self) -> int:
        """Return the difficulty: the level of the weakest player that finds the best option."""
        best = self._laid(self.ranked()[0].line)
        for at, name in enumerate(FINDERS):
            if self._laid(self._line_of(name)) == best:
                return at + 1
        return HARDEST

    def _line_of(self, name: str) -> Continuation:
        """Return the continuation that this player chooses: one step, or all its melds before the discard."""
        world = self.evaluator.world(0)
        seat = self._choice.seat
        weights = weights_of(name, world.compiled)
        start = world.copy()
        steps: list[int] = []
        while True:
            step = club_step(world, seat, weights)
            if self._choice.lays and ends_turn(step):
                return Continuation(steps=steps)
            make_step(world, step)
            steps.append(step)
            if not self._choice.lays or world.phase != PLAY or world.turn != seat or world.at != start.at:
                return Continuation(steps=steps)

    def _laid(self, line: Continuation) -> tuple[object, ...]:
        """Return a key that is equal for lines with the same result, ignoring the discard after a meld."""
        moves, steps = line.moves, list(line.steps)
        if self._choice.lays:
            steps = melds_of(steps)
        return self.evaluator.mark(Continuation(moves, steps).after(self.evaluator.world(0)))


def is_clear(options: Sequence[PuzzleOption]) -> bool:
    """Return whether the best option is clearly ahead of every other."""
    return len(options) > 1 and all(
        each.behind >= LEAST_GAP and each.behind >= LEAST_ERRORS * each.error for each in options[1:]
    )


# -- finding -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Turn:
    """The start of a turn."""

    number: int
    """Index in the hand of its first move."""
    match: Match


def find_puzzles(rules: Ruleset, seed: str, worlds: int = PUZZLE_WORLDS) -> Iterator[Puzzle]:
    """Yield a few puzzles with different themes from one hand of the club player against itself."""
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
        look = OptionComparison(choice, seed)
        if not all(look.promises(*each) for each in _LOOKS[:-1]):
            continue
        turn_of_choice = [turn for turn in turns if turn.number <= choice.number][-1]
        puzzle = _puzzle(turn_of_choice, moves[turn_of_choice.number : choice.number], choice, worlds)
        if puzzle is not None and puzzle.theme not in themes:
            themes.append(puzzle.theme)
            yield puzzle


def _puzzle(begun: _Turn, when: Sequence[Move], choice: DecisionPoint, worlds: int) -> Puzzle | None:
    """Return the choice as a puzzle, evaluated again from its text form; `None` if it is not clear enough."""
    try:
        position = format_position(begun.match, when)
        match = after_moves(*match_from_position(position))
    except PositionError:
        return None
    look = look_at(match, choice.moves, position)
    if not look.promises(*_LOOKS[-1]):
        return None
    look.go_on(worlds)
    options = look.puzzle_options()
    if not is_clear(options) or any(len(option.moves) > MOST_MOVES for option in options):
        return None
    return Puzzle(position, look.evaluator.kind(look.ranked()[0]), look.difficulty(), worlds, options)


def look_at(match: Match, moves: Sequence[Move], seed: str) -> OptionComparison:
    """Return a comparison of the options of the player to move, including these moves."""
    state = match.hand.state
    after = Continuation(moves).after(state.copy())
    return OptionComparison(
        DecisionPoint(0, 1, match.hand.turn, tuple(match.scores), state, tuple(moves), after), seed
    )


def evaluate_again(puzzle: Puzzle, worlds: int) -> list[float]:
    """Return the loss of each option against the first, in other deals than those of the stored figures."""
    match = puzzle.match()
    look = look_at(match, [parse_move(move) for move in puzzle.options[0].moves], f"anew/{puzzle.id}")
    look.go_on(worlds)
    means = {tuple(map(str, look.evaluator.moves(each))): each.mean for each in look.options}
    best = means[puzzle.options[0].moves]
    return [best - means[each.moves] for each in puzzle.options if each.moves in means]


def moves_of(option: PuzzleOption) -> tuple[Move, ...]:
    return tuple(map(parse_move, option.moves))


def describe_option(puzzle: Puzzle, option: PuzzleOption, voice: Voice) -> str:
    """Describe the option's moves. A sequence is described by its two ends, whatever the order of its
    cards.
    """
    runs: dict[str, str] = {}
    if any("run#" in move for move in option.moves):
        hand = puzzle.match().hand
        for meld in hand.melds(hand.state.side_of[hand.turn]):
            if str(meld.name).startswith("run#"):
                ends = "–".join(voice.fact(CARD, card_text(meld.cards[at])) for at in (0, -1))
                runs[str(meld.name)] = f"run#{ends}"
    moves = [" ".join(runs.get(word, word) for word in move.split(" ")) for move in option.moves]
    return describe_moves(moves, voice)


def describe_best(puzzle: Puzzle, voice: Voice) -> str:
    """Describe the best option: its lead, and the reasons for it."""
    best = puzzle.options[0]
    sentence = voice.say(
        "review.puzzle.best",
        {
            "text": describe_option(puzzle, best, voice),
            "points": round(min(each.behind for each in puzzle.options[1:])),
            "count": puzzle.worlds,
        },
    )
    return f"{sentence} {why(puzzle, voice)}".strip()


def why(puzzle: Puzzle, voice: Voice) -> str:
    """Return the reasons for the best option as sentences."""
    moves = moves_of(puzzle.options[0])
    if not moves:
        return ""
    hand = puzzle.match().hand
    return voice.tell_reasons(ClubBot().explain(hand.view(hand.turn), moves[0]).reasons)


def describe_mistake(puzzle: Puzzle, option: PuzzleOption, speaker: Speaker) -> str:
    """Describe the cost of this option in one sentence; empty for the best."""
    if option == puzzle.options[0]:
        return ""
    match = puzzle.match()
    best, played = moves_of(puzzle.options[0]), moves_of(option)
    froze, went_out = _leads_to(match, played)
    best_froze, best_went_out = _leads_to(match, best)
    decision = EvaluatedDecision(
        hand=1,
        turn=1,
        number=0,
        seat=match.hand.turn,
        kind=puzzle.theme,
        played=played,
        best=best,
        loss=option.behind,
        error=option.error,
        lost=(),
        worlds=puzzle.worlds,
        ahead=0.0,
        candidates=len(puzzle.options),
        freezes=froze,
        best_freezes=best_froze,
        goes_out=went_out,
        best_goes_out=best_went_out,
        pile=match.hand.state.pile_size(),
        view=match.hand.view(match.hand.turn),
    )
    # The text for the best option already names the better move and its share of deals.
    return tell(of_decision(decision), speaker)[0]


def _leads_to(match: Match, moves: tuple[Move, ...]) -> tuple[bool, bool]:
    """Return whether the moves freeze the pile, and whether they end the hand or ask to."""
    hand = match.hand.copy()
    for move in moves:
        hand.apply(move)
    return hand.frozen and not match.hand.frozen, hand.state.phase in (OVER, ANSWER)
