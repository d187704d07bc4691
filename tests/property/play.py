"""Seeded random play by small steps, hand after hand, with totals kept as a match keeps them."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from property.long_checks import expected_long_lines
from property.score import expected_lines
from property.tables import Table

from canasta.engine.actions.codec import ANSWER_NO, ASK, DRAW_STOCK, KEEP, PASS, PUT_BACK, is_discard
from canasta.engine.actions.legal import legal_steps
from canasta.engine.actions.make import make_step
from canasta.engine.match import MatchProgress
from canasta.engine.play.deal import deal_from_seed
from canasta.engine.play.scoring import ScoreSheet, score_hand
from canasta.engine.state import OVER, HandState

POLICIES = ("uniform", "eager", "eager", "patient")
"""How the hands of a game are played.

- "uniform": evenly at random.
- "eager": laying whatever can be laid, so that canastas appear and players go out.
- "patient": drawing and discarding, so that the stock runs out with full hands.
"""


@dataclass
class Moment:
    """A state with its legal steps; `step` is made next."""

    state: HandState
    legal: list[int]
    step: int
    number: int
    """How many steps the game had before this one."""


@dataclass
class Turn:
    """The situation at the start of a turn, for telling whether a player goes out concealed."""

    seat: int
    had_melded: bool
    cards_laid: int


class Game:
    """Consecutive hands at one table."""

    def __init__(self, table: Table, seed: str) -> None:
        self.tables = table.tables()
        self.rules = self.tables.rules
        self.seed = f"{table}/{seed}"
        self.choice = random.Random(self.seed)
        self.course = MatchProgress(self.rules)
        self.course.dealer = self.choice.randrange(self.rules.seats.players)
        self.outs = 0
        self.steps = 0
        self.policy = "uniform"

    def deal(self) -> HandState:
        self.course.go_on()
        self.policy = self.choice.choice(POLICIES)
        return deal_from_seed(
            self.tables,
            seed=self.seed,
            hand_number=self.course.hand_number,
            dealer=self.course.dealer,
            scores=self.course.scores,
        )

    def walk(self, moves: int) -> Iterator[Moment]:
        """Yield at least this many moments: the hand in play is always finished."""
        while self.steps < moves:
            yield from self.walk_hand(self.deal())

    def walk_hand(self, state: HandState) -> Iterator[Moment]:
        melded: set[int] = set()
        turn = _begun(state, melded)
        while state.phase != OVER:
            legal = legal_steps(state)
            assert legal, "nothing is legal and the hand is not over"
            moment = Moment(state, legal, self.choose(state, legal), self.steps)
            yield moment
            if state.turn != turn.seat:
                turn = _begun(state, melded)
            make_step(state, moment.step)
            self.steps += 1
            if state.laid_count(state.side_of[turn.seat]) > turn.cards_laid:
                melded.add(turn.seat)
        self._settle(state, turn)

    def choose(self, state: HandState, legal: list[int]) -> int:
        if self.policy != "uniform" and self.choice.random() < 0.8:
            wanted = [step for step in legal if _lays(step) == (self.policy == "eager")]
            if wanted:
                return self.choice.choice(wanted)
        return self.choice.choice(legal)

    def _settle(self, state: HandState, turn: Turn) -> None:
        sheets = score_hand(state)
        for side, sheet in enumerate(sheets):
            expected = expected_long_lines if state.compiled.family.name == "burraco" else expected_lines
            assert sheet.lines == expected(state, side, _is_concealed(state, turn))
            assert sheet.total == sum(sheet.lines.values())
        self.outs += state.out >= 0
        self._add(sheets)

    def _add(self, sheets: list[ScoreSheet]) -> None:
        """Add the sheets. A game with extreme scores starts again, so that all first-meld minimums occur."""
        course = self.course
        course.settle([sheet.total for sheet in sheets])
        if max(course.scores) > 10_000 or min(course.scores) < -3_000:
            course.scores = [0] * len(sheets)
            course.hand_number = 0


def _lays(step: int) -> bool:
    """Return whether the step takes the pile or lays cards."""
    if step in (DRAW_STOCK, PASS, KEEP, ASK, ANSWER_NO, PUT_BACK):
        return False
    return not is_discard(step)


def _begun(state: HandState, melded: set[int]) -> Turn:
    return Turn(state.turn, state.turn in melded, state.laid_count(state.side_of[state.turn]))


def _is_concealed(state: HandState, turn: Turn) -> bool:
    """SCOR-11, from what the game has seen: the last turn belongs to the player who went out."""
    if state.compiled.rules.scoring.concealed_by == "table":
        return turn.cards_laid == 0
    laid_now: dict[int, int] = {}
    for card in state.cards_laid_by(state.side_of[turn.seat])[turn.cards_laid :]:
        laid_now[card >> 6] = laid_now.get(card >> 6, 0) + 1
    longest = max(laid_now.values(), default=0)
    return not turn.had_melded and longest >= state.compiled.rules.melds.canasta_size
