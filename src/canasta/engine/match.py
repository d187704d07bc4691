"""A match: a sequence of hands, the running totals, and the end of the game."""

from collections.abc import Sequence
from typing import Final

from mypy_extensions import mypyc_attr

from canasta.engine.compiled_rules import CompiledRules
from canasta.engine.events import Event
from canasta.engine.fairness import FairRound
from canasta.engine.families.factory import compile_rules
from canasta.engine.hand import Hand, TriedMove
from canasta.engine.moves.refusals import Refusal
from canasta.engine.moves.types import Move
from canasta.engine.play.deal import deal_from_fair, deal_from_seed
from canasta.engine.play.scoring import ScoreSheet, winning_side
from canasta.engine.position import Position, PositionError, set_up
from canasta.engine.seating import (
    dealer_in_play,
    next_dealer,
    order_of_hand,
    random_dealer,
    sides_of_seats,
    sitting_out,
)
from canasta.errors import CanastaError
from canasta.rules.model import Ruleset


def leader(totals: Sequence[int]) -> int | None:
    """Return the side with the highest total, or `None` if several share it."""
    best = max(totals)
    leaders = [side for side, total in enumerate(totals) if total == best]
    return leaders[0] if len(leaders) == 1 else None


VICTORY_POINTS: Final = 20


def victory_points(rules: Ruleset, totals: Sequence[int]) -> list[int]:
    """Return the victory points of a two-sided match with these totals (GAME-4); empty if the game has none.

    Each side gets ten up to the first threshold. Each threshold passed moves one point to the leader.
    """
    steps = rules.match.victory_points
    if not steps or len(totals) != 2:
        return []
    difference = abs(totals[0] - totals[1])
    more = sum([1 for step in steps if difference > step])
    best = min(VICTORY_POINTS // 2 + more, VICTORY_POINTS)
    shares = [best, VICTORY_POINTS - best]
    return shares if totals[0] >= totals[1] else shares[::-1]


# Both options are needed, as for `Match`, which contains it: it is pickled and copied.
@mypyc_attr(serializable=True, allow_interpreted_subclasses=True)
class MatchProgress:
    """The progress of a match: the number of the hand, its dealer, the totals before it, and the winner."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules: Ruleset = rules
        self.scores: list[int] = [0] * rules.seats.sides
        """Totals by side over the finished hands."""
        self.hand_number: int = 0
        """Number of the hand in play, counting from 1; 0 before the first hand."""
        self.dealer: int = 0
        self.over: bool = False
        self.winner: int | None = None

    def copy(self) -> "MatchProgress":
        new = MatchProgress(self.rules)
        new.scores = self.scores.copy()
        new.hand_number = self.hand_number
        new.dealer = self.dealer
        new.over = self.over
        new.winner = self.winner
        return new

    def begin(self, dealer: int) -> None:
        """Start the first hand.

        `dealer` deals it; if that seat sits out, the next seat on its right does (SEAT-6).
        """
        self.hand_number = 1
        self.dealer = dealer_in_play(dealer, self._order(), self.rules.seats.players)

    def go_on(self) -> None:
        """Start the next hand and pass the deal (SEAT-5)."""
        self.hand_number += 1
        self.dealer = next_dealer(self.dealer, self._order(), self.rules.seats.players)

    def _order(self) -> list[int]:
        return order_of_hand(self.rules, self.hand_number)

    def settle(self, points: Sequence[int], wins: int = -1) -> None:
        """Add the points of a finished hand, and decide whether the match is over (GAME-1, GAME-2).

        If `wins` is a side, its special hand wins the match at once (GAME-3).
        """
        self.scores = [score + more for score, more in zip(self.scores, points, strict=True)]
        ahead = leader(self.scores)
        rounds = self.rules.match.rounds
        if rounds > 0:
            self.over = self.hand_number >= rounds
        else:
            self.over = max(self.scores) >= self.rules.match.target and ahead is not None
        if wins >= 0:
            self.over = True
            ahead = wins
        if self.over:
            self.winner = ahead


class MatchError(CanastaError):
    """Raised when the match is not in a state that allows the requested operation."""


# Both options are needed: with `serializable` alone, mypyc creates an empty object when unpickling.
@mypyc_attr(serializable=True, allow_interpreted_subclasses=True)
class Match:  # noqa: PLW1641 - matches are mutable, so they are not hashable
    """A sequence of hands. `hand` is the hand in play; `scores` are the totals by side."""

    def __init__(self, rules: Ruleset, seed: str, compiled: CompiledRules | None = None) -> None:
        self.rules: Ruleset = rules
        self.seed: str = seed
        self.compiled: CompiledRules = compile_rules(rules) if compiled is None else compiled
        self.side_of: list[int] = sides_of_seats(rules)
        self.course: MatchProgress = MatchProgress(rules)
        self.sitting_out: tuple[int, ...] = ()
        self.hand: Hand
        self.sheets: list[list[ScoreSheet]] = []
        """The score sheets of the finished hands."""

    @staticmethod
    def new(
        rules: Ruleset, seed: str, *, first_dealer: int | None = None, fair: FairRound | None = None
    ) -> "Match":
        """Start a match and deal its first hand, from the seed or from a fair shuffle.

        The first dealer is random unless given. If the rules have the players cut for the deal (see
        `cut`), the table must do that first and pass the dealer.
        """
        match = Match(rules, seed)
        seats = rules.seats.players
        if first_dealer is not None:
            dealer = first_dealer
        elif fair is not None:
            dealer = fair.first_dealer(seats)
        else:
            dealer = random_dealer(rules, seed)
        if not 0 <= dealer < seats:
            raise MatchError(f"seat {dealer} cannot deal: the seats are 0 to {seats - 1}")
        match.course.begin(dealer)
        match._deal(fair)
        return match

    @staticmethod
    def from_position(rules: Ruleset, position: Position, *, hand_number: int = 1) -> "Match":
        """Create a match in the middle of a hand. Raise `PositionError` if the position is impossible."""
        match = Match(rules, "position")
        course = match.course
        if position.scores:
            course.scores = list(position.scores)
        course.hand_number = max(hand_number, position.round if rules.match.rounds else 1)
        match.sitting_out = tuple(sorted(position.sitting_out))
        state = set_up(match.compiled, position)
        order = state.order
        before = order[(order.index(position.turn) - 1) % len(order)]
        course.dealer = before if position.dealer is None else position.dealer
        if course.dealer not in order:
            raise PositionError(f"seat {course.dealer} cannot deal: the seats in play are {order}")
        match.hand = Hand(state, course.scores.copy())
        match.settle_if_over()
        return match

    def copy(self) -> "Match":
        """Return an independent copy: moves made on one do not affect the other."""
        new = Match(self.rules, self.seed, self.compiled)
        new.course = self.course.copy()
        new.sitting_out = self.sitting_out
        new.hand = self.hand.copy()
        new.sheets = self.sheets.copy()
        return new

    def __copy__(self) -> "Match":
        return self.copy()

    def __eq__(self, other: object) -> bool:
        """Return whether both matches have the same state and seed, and so continue identically."""
        return isinstance(other, Match) and self.facts() == other.facts()

    def __repr__(self) -> str:
        scores = " ".join(map(str, self.scores))
        over = ", over" if self.over else ""
        return f"<Match: {self.rules.name}, hand {self.hand_number}, scores {scores}{over}: {self.hand!r}>"

    def facts(self) -> tuple[object, ...]:
        """Return everything in the match, hidden cards included, for comparison."""
        return (
            *(self.seed, self.hand_number, self.dealer, self.sitting_out, self.over, self.winner),
            *(tuple(self.scores), tuple(map(tuple, self.sheets)), self.hand.facts()),
        )

    @property
    def scores(self) -> list[int]:
        """Totals by side over the finished hands."""
        return self.course.scores

    @property
    def hand_number(self) -> int:
        """Number of the hand in play, counting from 1."""
        return self.course.hand_number

    @property
    def dealer(self) -> int:
        return self.course.dealer

    @property
    def over(self) -> bool:
        return self.course.over

    @property
    def victory_points(self) -> list[int]:
        """Victory points by side at the end of a match; empty before, and in games without them (GAME-4)."""
        return victory_points(self.rules, self.scores) if self.over else []

    @property
    def winner(self) -> int | None:
        """The winning side; `None` before the end, or if several sides are tied for the lead."""
        return self.course.winner

    @property
    def sides(self) -> int:
        return self.rules.seats.sides

    def check(self, move: Move) -> Refusal | None:
        return self.hand.check(move)

    def apply(self, move: Move) -> list[Event]:
        """Make a move and return its events. If it ends the hand, the totals are updated at once."""
        return self.make(self.try_move(move))

    def try_move(self, move: Move) -> TriedMove:
        """Check a move without making it, and return it for `make`. Raise `RefusedMove` if it is illegal."""
        return self.hand.try_move(move)

    def make(self, tried: TriedMove) -> list[Event]:
        """Make a move that was tried on the hand as it is now, like `apply`."""
        events = self.hand.make(tried)
        self.settle_if_over()
        return events

    def deal_next(self, fair: FairRound | None = None) -> None:
        """Deal the next hand, from the seed or from a fair shuffle. The current hand must be over."""
        if self.over:
            raise MatchError("the match is over")
        if not self.hand.over:
            raise MatchError("the hand is not over")
        self.course.go_on()
        self._deal(fair)

    def _deal(self, fair: FairRound | None) -> None:
        self.sitting_out = sitting_out(self.rules, self.hand_number)
        if fair is None:
            state = deal_from_seed(
                self.compiled,
                seed=self.seed,
                hand_number=self.hand_number,
                dealer=self.dealer,
                scores=self.scores,
            )
        else:
            state = deal_from_fair(
                self.compiled,
                fair=fair,
                hand_number=self.hand_number,
                dealer=self.dealer,
                scores=self.scores,
            )
        self.hand = Hand(state, self.scores.copy())
        self.settle_if_over()

    def settle_if_over(self) -> None:
        """Add the points of a finished hand to the totals. `apply` already does this."""
        if not self.hand.over:
            return
        sheets = self.hand.score_sheets()
        self.sheets.append(sheets)
        self.course.settle([sheet.total for sheet in sheets], winning_side(self.hand.state))
