"""Episodes and their rewards: a hand or a match played by numbered actions."""

from dataclasses import dataclass
from typing import Final

from librt.strings import BytesWriter
from mypy_extensions import i64

from canasta.engine.actions.codec import ASK
from canasta.engine.actions.legal import legal_steps
from canasta.engine.actions.make import make_step
from canasta.engine.actions.space import StepSpace
from canasta.engine.cards import CALIENTE
from canasta.engine.compiled_rules import CompiledRules
from canasta.engine.determinize import determinize
from canasta.engine.families.factory import compile_rules
from canasta.engine.feasibility.going_out import out_in_reach
from canasta.engine.layout import append_two_bytes, bytes_writer, two_bytes
from canasta.engine.match import MatchProgress
from canasta.engine.observation.encoder import Observer
from canasta.engine.observation.layout import (
    UNIVERSAL_ACTIONS,
    Marks,
    layout_of,
    universal_actions,
    universal_layout,
)
from canasta.engine.play.deal import deal_by, deal_from_seed
from canasta.engine.play.scoring import score_hand
from canasta.engine.rng import Rng
from canasta.engine.seating import order_of_hand, random_dealer, sides_of_seats
from canasta.engine.state import ANSWER, OVER, HandState
from canasta.engine.view import View
from canasta.rules.model import PlainData, Ruleset

REWARDS: Final = ("points", "margin", "result")
"""Kinds of rewards.

`points`: the side's points for the hand. `margin`: these minus the mean of the other sides. `result`: at the
end of the episode, 1 for the leading side, -1 for the others, and 0 for sides that tie for the lead.
"""


def side_rewards(kind: str, points: list[int], scores: list[int], over: bool) -> list[float]:
    """Return the reward of each side at the end of a hand. `scores` are the totals including it."""
    sides = len(points)
    if kind == "points":
        return [float(own) for own in points]
    if kind == "margin":
        whole = sum(points)
        return [own - (whole - own) / (sides - 1) for own in points]
    if not over:
        return [0.0] * sides
    best = max(scores)
    if scores.count(best) > 1:
        return [0.0 if score == best else -1.0 for score in scores]
    return [1.0 if score == best else -1.0 for score in scores]


def largest_hand(tables: CompiledRules) -> int:
    """Return a bound that no side's points in a hand exceed: the sum of every card, bonus and penalty."""
    score = tables.score
    cards = sum([tables.values[tables.rank_of[kind]] for kind in tables.deck])
    cards += sum([tables.of_rank[rank] * score.in_hand[rank] for rank in tables.stop_ranks])
    return (
        cards * max(score.times_with_calientes)
        + len(tables.deck) // tables.canasta_size * max(score.canasta)
        + score.going_out
        + score.concealed
        + max(score.bonus)
        + tables.bonus_cards * score.bonus_in_hand
        + tables.of_rank[CALIENTE] * score.caliente_played
        # A card is drawn after each put-back, so there are fewer put-backs than cards.
        + len(tables.deck) * score.put_back
        + 1
    )


def cost_of_illegal(kind: str, tables: CompiledRules) -> float:
    """Return a reward below that of any hand, so that an illegal action never pays."""
    if kind == "result":
        return -2.0
    return -float(largest_hand(tables) * (2 if kind == "margin" else 1))


NO_ACTION: Final = -1
NO_STEP: Final = -1
MOST_IMAGINED: Final = 1000
"""Maximum number of deals to sample in search of one from which play can continue."""
LOWEST_SCORE: Final = -1000
"""Lowest total from which a single hand may start."""


class EpisodeGame:
    """The data that all episodes under one ruleset share."""

    def __init__(
        self,
        rules: Ruleset,
        whole_match: bool,
        random_scores: bool = False,
        idle_questions: bool = True,
        universal: bool = False,
    ) -> None:
        self.rules: Ruleset = rules
        self._random_scores: bool = random_scores
        self.tables: CompiledRules = compile_rules(rules)
        self.side_of: list[int] = sides_of_seats(rules)
        self.seats: int = rules.seats.players
        self.sides: int = rules.seats.sides
        self.whole_match: bool = whole_match
        self.start_scores: list[tuple[int, int]] = _brackets(rules) if random_scores else []
        """Ranges of the totals before a single hand, in units of five: a range is drawn, then a total
        within it. Empty means that all totals are zero.
        """
        self.idle_questions: bool = idle_questions
        """Whether asking the partner is an action even if going out is impossible this turn."""
        self.universal: bool = universal
        """Whether observations and actions use the universal layout."""
        layout = universal_layout() if universal else layout_of(self.tables)
        self.marks: Marks = Marks(self.tables, self.side_of, layout)
        self.steps: list[int]
        """The step of each action; `NO_STEP` if these rules do not have it."""
        self.action_of: list[int]
        """The action of each step."""
        space = StepSpace(self.tables)
        if universal:
            self.action_of = universal_actions(self.tables)
            self.steps = [NO_STEP] * UNIVERSAL_ACTIONS
            for step in space.steps:
                self.steps[self.action_of[step]] = step
        else:
            self.steps = space.steps
            self.action_of = [NO_ACTION] * self.tables.layout.size
            for action in range(len(space.steps)):
                self.action_of[space.steps[action]] = action
        self.actions: int = len(self.steps)
        self.no_actions: bytes = bytes(self.actions)
        """A mask without any action."""
        hands = 1
        if rules.match.rounds > 0:
            hands = rules.match.rounds
        elif rules.seats.sit_out:
            hands = 6
        self.hand_numbers: int = hands
        """Upper bound of the hand number of a single hand, which is random. The hand number decides who
        sits out and, in some games, the first-meld minimum.
        """

    def __reduce__(self) -> tuple[object, ...]:
        return (
            EpisodeGame,
            (self.rules, self.whole_match, self._random_scores, self.idle_questions, self.universal),
        )

    def legal(self, state: HandState) -> list[int]:
        """Return the steps that the mask allows."""
        steps = legal_steps(state)
        if not self.idle_questions and ASK in steps and len(steps) > 1 and not out_in_reach(state):
            steps.remove(ASK)
        return steps


class Episode:
    """A hand or a match in progress. The same seed and actions give the same episode everywhere."""

    def __init__(self, game: EpisodeGame) -> None:
        self.game: EpisodeGame = game
        self.observer: Observer = Observer(game.marks)
        """The observer. Its buffer also contains the legal steps, two bytes each, so that they are
        adjacent in memory.
        """
        self.state: HandState = HandState()
        self.state.packed = bytes_writer(bytes(game.tables.offsets.most))
        """Its buffer has room for all cards that can be melded, so it is never reallocated."""
        self.legal_from: i64 = len(game.marks.empty)
        self.hand_ended: bool = False
        """Whether the last step ended a hand."""
        self.course: MatchProgress = MatchProgress(game.rules)
        """Progress of the match; a single hand is part of an imaginary match."""
        self.scores_before: list[int] = self.course.scores
        """The totals before the hand in play."""
        self.points: list[int] = [0] * game.sides
        """Points by side of the last finished hand."""
        self.over: bool = False
        self.seed: str = ""
        self._rng: Rng = Rng("")
        self._episodes: int = 0

    def begin(self, seed: str) -> None:
        """Start from a seed. A match deals the same cards as `Match.new` with this seed."""
        self.seed = seed
        self._rng = Rng(seed)
        self._episodes = 0
        self.begin_next()

    def begin_next(self) -> None:
        """Start the next episode of the seed."""
        game = self.game
        self._episodes += 1
        self.over = False
        self.hand_ended = False
        self.course = MatchProgress(game.rules)
        self.points = [0] * game.sides
        if game.whole_match:
            if self._episodes > 1:
                self.seed = f"{self.seed}+"
        self._deal()

    def _deal(self) -> None:
        """Deal a hand that can be played."""
        game = self.game
        while True:
            if game.whole_match:
                self._deal_next_of_match()
            else:
                self._deal_any_hand()
            if self.state.phase != OVER:
                break
            if game.whole_match:
                self._settle()
                if self.over:
                    return
        self.scores_before = self.scores.copy()
        self.observer.begin(self.state, self.scores, self.hand_number)
        self._find_legal()

    def _deal_next_of_match(self) -> None:
        game = self.game
        course = self.course
        if course.hand_number == 0:
            course.begin(random_dealer(game.rules, self.seed))
        else:
            course.go_on()
        self.state.copy_from(
            deal_from_seed(
                game.tables,
                seed=self.seed,
                hand_number=course.hand_number,
                dealer=course.dealer,
                scores=course.scores,
            )
        )

    def _deal_any_hand(self) -> None:
        """Deal a single hand, like any in a match."""
        game = self.game
        rng = self._rng
        course = self.course
        course.hand_number = 1 + rng.below(game.hand_numbers)
        order = order_of_hand(game.rules, course.hand_number)
        course.dealer = order[rng.below(len(order))]
        if game.start_scores:
            for side in range(game.sides):
                low, high = game.start_scores[rng.below(len(game.start_scores))]
                course.scores[side] = 5 * (low + rng.below(high - low))
        self.state.copy_from(
            deal_by(
                game.tables, rng, hand_number=course.hand_number, dealer=course.dealer, scores=course.scores
            )
        )

    @property
    def scores(self) -> list[int]:
        """Totals by side over the finished hands."""
        return self.course.scores

    @property
    def hand_number(self) -> int:
        return self.course.hand_number

    @property
    def dealer(self) -> int:
        return self.course.dealer

    def to_act(self) -> int:
        state = self.state
        return state.answering if state.phase == ANSWER else state.turn

    def step(self, step: int) -> None:
        """Make a legal step. In a match, the next hand is dealt at once."""
        self.make(step)
        self.go_on()

    # Batches run each part over many tables in turn, so that its code stays in the processor's cache.
    # code for a while.

    def make(self, step: int) -> None:
        """First part of a step: make it. It must be legal."""
        state = self.state
        seat = state.turn
        self.observer.before_step(state, step)
        make_step(state, step)
        self.observer.after_step(state, seat)

    def go_on(self) -> None:
        """Second part of a step: find the legal steps or, if a hand has ended, score it and deal the next."""
        self.hand_ended = False
        if self.state.phase != OVER:
            self._find_legal()
            return
        self.observer.blocks.truncate(self.legal_from)
        self._settle()
        if not self.over:
            self._deal()

    def _settle(self) -> None:
        self.hand_ended = True
        self.points = [sheet.total for sheet in score_hand(self.state)]
        self.course.settle(self.points)
        self.over = self.course.over or not self.game.whole_match

    def _find_legal(self) -> None:
        blocks = self.observer.blocks
        blocks.truncate(self.legal_from)
        for step in self.game.legal(self.state):
            append_two_bytes(blocks, step)

    @property
    def legal(self) -> list[int]:
        """The legal steps; empty when the episode is over."""
        return [self.legal_at(index) for index in range(self.legal_count())]

    def legal_count(self) -> int:
        return (len(self.observer.blocks) - self.legal_from) >> 1

    def legal_at(self, index: int) -> int:
        """Return the legal step at this index."""
        return two_bytes(self.observer.blocks, self.legal_from + 2 * index)

    def is_legal(self, step: int) -> bool:
        blocks = self.observer.blocks
        wanted: i64 = step
        at: i64
        for at in range(self.legal_from, len(blocks), 2):  # noqa: SIM110 - compiles to faster code
            if two_bytes(blocks, at) == wanted:
                return True
        return False

    def standing(self) -> list[int]:
        """Return, by side, the number that decides who leads: the total of a match, or the points of a
        single hand.
        """
        return self.scores if self.game.whole_match else self.points

    def observe(self, seat: int) -> bytes:
        return self.observer.observe(self.state, seat)

    def legal_actions(self) -> list[int]:
        """Return the legal actions of the seat to act, in ascending order."""
        action_of = self.game.action_of
        return sorted([action_of[step] for step in self.legal])

    def mask(self) -> bytes:
        """Return one byte per action: 1 if the seat to act may choose it."""
        mask = BytesWriter()
        self.write_mask_to(mask)
        return mask.getvalue()

    def write_mask_to(self, row: BytesWriter) -> None:
        """Append the mask."""
        game = self.game
        action_of = game.action_of
        blocks = self.observer.blocks
        first: i64 = len(row)
        row.write(game.no_actions)
        at: i64
        for at in range(self.legal_from, len(blocks), 2):
            action: i64 = action_of[two_bytes(blocks, at)]
            row[first + action] = 1

    def copy(self) -> "Episode":
        """Return an independent copy. Later hands may be dealt differently in the two."""
        new = Episode(self.game)
        new.observer = self.observer.copy()
        new.state = self.state.copy()
        new.course = self.course.copy()
        new.scores_before = self.scores_before
        new.points = self.points
        new.hand_ended = self.hand_ended
        new.over = self.over
        new.seed = self.seed
        new._rng = Rng(self.seed)
        new._episodes = self._episodes
        return new

    def __copy__(self) -> "Episode":
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> "Episode":
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        return (saved_episode, (self.game, self.saved()))

    def saved(self) -> "SavedEpisode":
        """Return everything in the episode except the game, for saving."""
        return SavedEpisode(
            self.state.copy(),
            tuple(self.observer.remembered()),
            tuple(self.scores_before),
            tuple(self.scores),
            tuple(self.points),
            self.hand_number,
            self.dealer,
            self.hand_ended,
            self.over,
            self.seed,
            self._rng,
            self._episodes,
        )

    def determinized(self, viewer: int, rng: Rng) -> "Episode":
        """Return a copy of the hand with all cards that are hidden from this seat dealt again.

        Raise `ValueError` if no deal agrees with the rules. That can only happen during another player's
        first meld, if hardly any cards could complete it.
        """
        new = self.copy()
        if self.state.phase == OVER:
            return new
        view = View(self.state, viewer if viewer in self.state.order else None, self.scores.copy())
        for _ in range(MOST_IMAGINED):
            new.state = determinize(view, rng)
            new._find_legal()
            if new.legal_count() > 0:
                return new
        raise ValueError("no hand that could go on like this was found")


@dataclass(frozen=True)
class SavedEpisode(PlainData):
    """A saved episode."""

    state: HandState
    remembered: tuple[bytes, ...]
    scores_before: tuple[int, ...]
    scores: tuple[int, ...]
    points: tuple[int, ...]
    hand_number: int
    dealer: int
    hand_ended: bool
    over: bool
    seed: str
    rng: Rng
    episodes: int


def saved_episode(game: EpisodeGame, saved: SavedEpisode) -> Episode:
    """Restore a saved episode; it continues exactly as it would have."""
    new = Episode(game)
    new.state = saved.state
    new.scores_before = list(saved.scores_before)
    new.course.scores = list(saved.scores)
    new.points = list(saved.points)
    new.course.hand_number = saved.hand_number
    new.course.dealer = saved.dealer
    new.hand_ended = saved.hand_ended
    new.over = saved.over
    new.seed = saved.seed
    new._rng = saved.rng
    new._episodes = saved.episodes
    new.observer.begin_again(new.state, new.scores_before, new.hand_number, list(saved.remembered))
    if new.state.phase != OVER:
        new._find_legal()
    return new


def _brackets(rules: Ruleset) -> list[tuple[int, int]]:
    """Return the ranges of totals, in units of five, that have different first-meld minimums.

    Drawing a range first makes every minimum equally frequent. If the minimum depends on the round, the hand
    number decides it, and the totals stay at zero.
    """
    opening = rules.opening
    if opening.by_round:
        return []
    starts = [score // 5 for score in opening.scores]
    # The lower bound of a bracket may belong to the one below; it then starts one step later.
    first = 1 if opening.above_score else 0
    ends = [*starts[1:], max(rules.match.target // 5, starts[-1] + 1)]
    brackets = [(start + first, end + first) for start, end in zip(starts, ends, strict=True)]
    brackets[0] = (0, brackets[0][1])
    return [(LOWEST_SCORE // 5, 0), *brackets]


def more_cards(before: list[int], now: list[int]) -> list[int]:
    """Return the cards, by kind, that a hand has gained."""
    more: list[int] = []
    for kind in range(len(now)):
        for _ in range(now[kind] - before[kind]):
            more.append(kind)
    return more
