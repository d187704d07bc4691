"""Play hands, matches and duplicate pairs with bots. Each bot only gets the view of its own seat.

In duplicate play the same cards are dealt again with the bots in each other's seats, so that the luck of the
deal cancels out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, Protocol, cast

from canasta.bots import SEARCHERS, Bot, get_bot, load_bot
from canasta.bots.protocol import BotError, Listeners, chosen_move, moves_whole
from canasta.engine.actions.legal import legal_steps
from canasta.engine.actions.make import make_step
from canasta.engine.events import Event
from canasta.engine.families.factory import compile_rules
from canasta.engine.match import Match, leader
from canasta.engine.moves.apply import try_move
from canasta.engine.moves.refusals import RefusedMove
from canasta.engine.play.deal import deal_from_seed
from canasta.engine.play.scoring import score_hand
from canasta.engine.rng import Rng
from canasta.engine.seating import order_of_hand, sides_of_seats
from canasta.engine.state import ANSWER, OVER, HandState
from canasta.engine.view import View
from canasta.rules import load_ruleset
from canasta.rules.field_types import Value
from canasta.rules.model import Ruleset

MOST_STEPS: Final = 20_000
"""Step limit of a hand. Even if everyone only draws and discards, the stock runs out after a few hundred
steps.
"""
MOST_HANDS: Final = 500
"""Hand limit of a match, reached only if the players lose points hand after hand; the match is then scored as
it is.
"""


class StepPlayer(Protocol):
    """The interface of a bot that makes steps. A bot that has only `choose` makes whole moves instead."""

    @property
    def name(self) -> str: ...

    def step(self, view: View) -> int: ...


@dataclass(frozen=True)
class BotSpec:
    """A bot to seat, and the limit of its search: seconds per turn, or possible deals per decision."""

    name: str
    budget: float | None = None
    worlds: int | None = None

    @property
    def keeps_a_clock(self) -> bool:
        """Whether the bot searches by the clock, so its games can't be repeated exactly."""
        return self.name in SEARCHERS and self.worlds is None

    def create(self, seed: str, seat: int) -> Bot:
        """Create the bot. Its seed depends on the seat and not on the bot, so equal bots in equal seats play
        alike.
        """
        # A negative budget is a number of deals.
        budget = self.budget if self.worlds is None else -float(self.worlds)
        return get_bot(load_bot(self.name), seed=f"{seed}/seat/{seat}", budget=budget)


class Watcher(Protocol):
    """An observer that sees all cards and records events."""

    def before_step(self, state: HandState, seat: int, step: int) -> None: ...

    def after_step(self, state: HandState, seat: int) -> None: ...


@dataclass(frozen=True)
class TableResult:
    """The result of one hand or one match."""

    points: tuple[int, ...]
    """Points by side, over all hands."""
    hands: int
    winner: int | None
    """The side that won the game or, for a single hand, scored most; `None` on a tie."""


def play_hand(
    state: HandState, bots: Sequence[StepPlayer], scores: Sequence[int], watcher: Watcher | None = None
) -> None:
    """Play a dealt hand to its end. `bots` are by seat; `scores` are the totals by side before the hand."""
    totals = list(scores)
    made = 0
    listeners = Listeners(dict(enumerate(bots)))
    listeners.deal(state, totals)
    whole = list(map(moves_whole, bots))
    while state.phase != OVER:
        seat = state.answering if state.phase == ANSWER else state.turn
        view = View(state, seat, totals.copy())
        if whole[seat]:
            if watcher is not None:
                raise BotError(f"{bots[seat].name} has no step(view), and only single steps are counted here")
            listeners.tell(_make_whole_move(state, bots[seat], view))
        else:
            step = bots[seat].step(view)
            if step not in legal_steps(state):
                raise BotError(
                    f"{bots[seat].name} chose step {step} in seat {seat}, which is not legal there"
                )
            if watcher is not None:
                watcher.before_step(state, seat, step)
            if listeners.bots:
                state.log = []
            make_step(state, step)
            listeners.tell(state.log or ())
            state.log = None
            if watcher is not None:
                watcher.after_step(state, seat)
        made += 1
        if made > MOST_STEPS:
            raise BotError(f"{bots[seat].name} and the others made {made} steps and the hand is not over")


def _make_whole_move(state: HandState, bot: StepPlayer, view: View) -> list[Event]:
    move = chosen_move(cast("Bot", bot), view)
    try:
        after = try_move(state, move)
    except RefusedMove as refused:
        reason = f"{refused.refusal.text().message} ({refused.refusal.clause})"
        raise BotError(f"{bot.name} chose {move!s} in seat {view.seat}: {reason}") from None
    events = after.log or []
    state.copy_from(after)
    return events


def play_match(
    rules: Ruleset,
    bots: Sequence[StepPlayer],
    seed: str,
    watcher: Watcher | None = None,
    most_hands: int = MOST_HANDS,
) -> TableResult:
    """Play a whole match. The seed alone determines the deck of each hand and the first dealer."""
    match = Match.new(rules, seed)
    while True:
        # A hand may be over at the deal (the last red three); the match has then settled it already.
        if not match.hand.over:
            play_hand(match.hand.state, bots, match.scores, watcher)
            match.settle_if_over()
        if match.over or match.hand_number >= most_hands:
            return TableResult(tuple(match.scores), match.hand_number, leader(match.scores))
        match.deal_next()


def play_single_hand(
    rules: Ruleset, bots: Sequence[StepPlayer], seed: str, watcher: Watcher | None = None
) -> TableResult:
    """Play one hand from the middle of a match. The seed determines dealer, scores and round."""
    rng = Rng(f"{seed}/start")
    seats = rules.seats.players
    number = 1 + rng.below(rules.match.rounds or seats)
    order = order_of_hand(rules, number)
    scores = drawn_scores(rules, rng)
    dealer = order[rng.below(len(order))]
    state = deal_from_seed(compile_rules(rules), seed=seed, hand_number=number, dealer=dealer, scores=scores)
    play_hand(state, bots, scores, watcher)
    points = tuple(sheet.total for sheet in score_hand(state))
    return TableResult(points, 1, leader(points))


def drawn_scores(rules: Ruleset, rng: Rng) -> list[int]:
    """Draw plausible totals for the middle of a match, so that every first-meld minimum occurs.

    The leading side's total is uniform between zero and the target, and the other sides' totals are anywhere
    below it. All are multiples of five, like real scores. In a match with a fixed number of rounds, all sides
    start level, because no score changes the rules.
    """
    sides = rules.seats.sides
    if rules.match.rounds > 0 or rules.match.target <= 0:
        return [0] * sides
    ahead = rng.below(rules.match.target // 5)
    scores = [5 * rng.below(ahead + 1) for _ in range(sides)]
    scores[rng.below(sides)] = 5 * ahead
    return scores


By = Literal["match", "hand"]


@dataclass(frozen=True)
class GameSpec:
    """The game to play, in a form that can be sent to another process."""

    preset: str
    players: int
    options: tuple[tuple[str, Value], ...] = ()
    by: By = "match"

    def rules(self) -> Ruleset:
        return _rules(self.preset, self.players, self.options)


@lru_cache(maxsize=16)
def _rules(preset: str, players: int, options: tuple[tuple[str, Value], ...]) -> Ruleset:
    return load_ruleset(preset, players, dict(options))


@dataclass(frozen=True)
class DuplicateTable:
    """One table of a pair: which of the two bots (0 or 1) played each side, and the result."""

    seating: tuple[int, ...]
    result: TableResult

    def difference(self) -> float:
        """Return the lead of the first bot's average side over the second's, in points."""
        first = [points for points, bot in zip(self.result.points, self.seating, strict=True) if bot == 0]
        second = [points for points, bot in zip(self.result.points, self.seating, strict=True) if bot == 1]
        return sum(first) / len(first) - sum(second) / len(second)


@dataclass(frozen=True)
class PairResult:
    """The results of the same cards at every table of the pair, from the first bot's point of view."""

    seed: str
    tables: tuple[DuplicateTable, ...]

    @property
    def difference(self) -> float:
        """The first bot's lead in points, over all tables and hands."""
        return sum(table.difference() for table in self.tables)

    @property
    def hands(self) -> int:
        return sum(table.result.hands for table in self.tables)

    @property
    def won(self) -> int:
        return sum(self._winner(table) == 0 for table in self.tables)

    @property
    def lost(self) -> int:
        return sum(self._winner(table) == 1 for table in self.tables)

    @property
    def drawn(self) -> int:
        return len(self.tables) - self.won - self.lost

    def turned(self) -> "PairResult":
        """Return the same result from the other bot's point of view."""
        tables = [
            DuplicateTable(tuple(1 - bot for bot in table.seating), table.result) for table in self.tables
        ]
        return PairResult(self.seed, tuple(tables))

    @staticmethod
    def _winner(table: DuplicateTable) -> int | None:
        return None if table.result.winner is None else table.seating[table.result.winner]


def seatings(sides: int) -> tuple[tuple[int, ...], ...]:
    """Return every way to seat two bots on the sides so that both of them play.

    >>> seatings(2)
    ((0, 1), (1, 0))
    >>> len(seatings(3))
    6
    """
    every = [tuple((number >> side) & 1 for side in range(sides)) for number in range(2**sides)]
    mixed = [seating for seating in every if len(set(seating)) == 2]
    return tuple(sorted(mixed))


def duplicate_pair(game: GameSpec, first: BotSpec, second: BotSpec, seed: str) -> PairResult:
    """Play two bots in every seating of the sides with the same dealer, decks and (for single hands) scores.

    Bots are seeded by their seat, so a bot against itself scores exactly 0, unless it uses a clock.
    """
    rules = game.rules()
    side_of = sides_of_seats(rules)
    specs = (first, second)
    play = play_match if game.by == "match" else play_single_hand
    tables = []
    for seating in seatings(rules.seats.sides):
        bots = [specs[seating[side]].create(seed, seat) for seat, side in enumerate(side_of)]
        tables.append(DuplicateTable(seating, play(rules, bots, seed)))
    return PairResult(seed, tuple(tables))
