"""Measure the speed of the engine with random legal steps.

Times are process times rather than wall-clock times, so other programs disturb them less.
"""

import hashlib
import time
from dataclasses import dataclass
from typing import Final

from canasta.engine.actions.legal import legal_steps, play_randomly
from canasta.engine.actions.make import make_step
from canasta.engine.families.factory import compile_rules
from canasta.engine.play.deal import deal_by
from canasta.engine.play.scoring import score_hand
from canasta.engine.rng import Rng
from canasta.engine.seating import order_of_hand
from canasta.engine.state import OVER, HandState
from canasta.rules.model import Ruleset

CHECKED_HANDS: Final = 6
"""Number of hands in the checksum; enough for every player to have dealt."""
LONGEST_HAND: Final = 100_000
"""Step limit, above the length of any hand."""
_COPY_AFTER: Final = 60
"""Number of steps before a state is copied: by then there are melds and a pile, and nobody has gone out."""


@dataclass(frozen=True)
class GameMeasurement:
    """The results of one game."""

    rules: str
    players: int
    moves: int
    hands: int
    seconds: float
    copy_microseconds: float
    checksum: str

    @property
    def moves_per_second(self) -> float:
        return self.moves / self.seconds

    @property
    def hands_per_second(self) -> float:
        return self.hands / self.seconds


def measure(rules: Ruleset, seconds: float) -> GameMeasurement:
    """Play random hands of a game for about this many seconds of process time, at least one hand."""
    table = RandomTable(rules, "bench")
    moves = hands = 0
    start = time.process_time()
    passed = 0.0
    while passed < seconds or hands == 0:
        moves += table.play_hand()
        hands += 1
        passed = time.process_time() - start
    return GameMeasurement(
        rules=rules.name,
        players=rules.seats.players,
        moves=moves,
        hands=hands,
        seconds=max(passed, 1e-6),  # a coarse clock may not have advanced
        copy_microseconds=copy_cost(rules, min(seconds, 0.2)) * 1e6,
        checksum=checksum(rules),
    )


class RandomTable:
    """Hands of one game in sequence, played at random from a seed."""

    def __init__(self, rules: Ruleset, seed: str) -> None:
        self.rules = rules
        self.tables = compile_rules(rules)
        self.rng = Rng(seed)
        self.hands = 0

    def deal(self) -> HandState:
        self.hands += 1
        order = order_of_hand(self.rules, self.hands)
        return deal_by(
            self.tables,
            self.rng,
            hand_number=self.hands,
            dealer=order[self.hands % len(order)],
            scores=[0] * self.rules.seats.sides,
            round_number=1,
        )

    def play_hand(self) -> int:
        """Deal a hand, play it to its end and score it. Return the number of steps."""
        state = self.deal()
        steps = play_randomly(state, self.rng, LONGEST_HAND)
        score_hand(state)
        return steps


def checksum(rules: Ruleset, hands: int = CHECKED_HANDS) -> str:
    """Return a digest of every choice and score of the first hands;
    it is the same for equal rules everywhere."""
    table = RandomTable(rules, "checksum")
    digest = hashlib.sha256()
    for _ in range(hands):
        state = table.deal()
        while state.phase != OVER:
            legal = legal_steps(state)
            step = legal[table.rng.below(len(legal))]
            digest.update(f"{len(legal)} {step},".encode())
            make_step(state, step)
        totals = [sheet.total for sheet in score_hand(state)]
        digest.update(f"{state.out} {totals};".encode())
    return digest.hexdigest()[:12]


def copy_cost(rules: Ruleset, seconds: float) -> float:
    """Return the seconds that copying a hand in progress takes: the best of several rounds."""
    table = RandomTable(rules, "copy")
    state = table.deal()
    for _ in range(_COPY_AFTER):
        legal = legal_steps(state)
        after = state.copy()
        make_step(after, legal[table.rng.below(len(legal))])
        if after.phase == OVER:
            break
        state = after
    best = float("inf")
    first = time.process_time()
    while True:
        start = time.process_time()
        for _ in range(100):
            state.copy()
        now = time.process_time()
        best = min(best, (now - start) / 100)
        if now - first >= seconds:
            return best
