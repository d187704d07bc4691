"""A match: hands, totals, the end of the game."""

from mypy_extensions import mypyc_attr

from canasta.engine.events import Event
from canasta.engine.fair import FairRound
from canasta.engine.hand import Hand
from canasta.engine.moves.refusals import Refusal
from canasta.engine.moves.types import Move
from canasta.engine.play.course import Course, random_dealer, victory_points
from canasta.engine.play.deal import Fair, deal_from_fair, deal_from_seed
from canasta.engine.play.scoring import ScoreSheet, winning_side
from canasta.engine.play.set_up import PositionError, set_up
from canasta.engine.position import Position
from canasta.engine.prepared import PreparedRules
from canasta.engine.seating import sides_of_seats, sitting_out
from canasta.errors import CanastaError
from canasta.rules.model import Ruleset


class MatchError(CanastaError):
    """Something was asked of a match that its state does not allow."""


# Both, for mypyc makes an empty object of a class that is serializable and nothing else.
@mypyc_attr(serializable=True, allow_interpreted_subclasses=True)
class Match:  # noqa: PLW1641 - a match goes on, so that it has no hash
    """Hands in sequence; the hand in play is `hand`, the totals by side are `scores`."""

    def __init__(self, rules: Ruleset, seed: str, prepared: PreparedRules | None = None) -> None:
        self.rules: Ruleset = rules
        self.seed: str = seed
        self.prepared: PreparedRules = PreparedRules(rules) if prepared is None else prepared
        self.side_of: list[int] = sides_of_seats(rules)
        self.course: Course = Course(rules)
        self.sitting_out: tuple[int, ...] = ()
        self.hand: Hand
        self.sheets: list[list[ScoreSheet]] = []
        """The score sheets of the hands that are over."""

    @staticmethod
    def new(
        rules: Ruleset, seed: str, *, first_dealer: int | None = None, fair: Fair | None = None
    ) -> "Match":
        """A match with its first hand dealt, from the seed or from a fair shuffle. The first dealer is random
        unless given: where the rules have the players cut (`cutting`), the table does that before."""
        match = Match(rules, seed)
        seats = rules.seats.players
        if first_dealer is not None:
            dealer = first_dealer
        elif isinstance(fair, FairRound):
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
        """A match in the middle of a hand; raises `PositionError`."""
        match = Match(rules, "position")
        course = match.course
        if position.scores:
            course.scores = list(position.scores)
        course.hand_number = max(hand_number, position.round if rules.match.rounds else 1)
        match.sitting_out = tuple(sorted(position.sitting_out))
        state = set_up(match.prepared, position)
        order = state.order
        before = order[(order.index(position.turn) - 1) % len(order)]
        course.dealer = before if position.dealer is None else position.dealer
        if course.dealer not in order:
            raise PositionError(f"seat {course.dealer} cannot deal: the seats in play are {order}")
        match.hand = Hand(state, course.scores.copy())
        match.settle_if_over()
        return match

    def copy(self) -> "Match":
        """Independent, like a deep copy: what is played on one is not played on the other."""
        new = Match(self.rules, self.seed, self.prepared)
        new.course = self.course.copy()
        new.sitting_out = self.sitting_out
        new.hand = self.hand.copy()
        new.sheets = self.sheets.copy()
        return new

    def __copy__(self) -> "Match":
        return self.copy()

    def __eq__(self, other: object) -> bool:
        """Two matches are equal that stand alike, and go on alike from the same seed."""
        return isinstance(other, Match) and self.facts() == other.facts()

    def __repr__(self) -> str:
        scores = " ".join(map(str, self.scores))
        over = ", over" if self.over else ""
        return f"<Match: {self.rules.name}, hand {self.hand_number}, scores {scores}{over}: {self.hand!r}>"

    def facts(self) -> tuple[object, ...]:
        """Everything in the match, hidden cards included, for comparing matches."""
        return (
            *(self.seed, self.hand_number, self.dealer, self.sitting_out, self.over, self.winner),
            *(tuple(self.scores), tuple(map(tuple, self.sheets)), self.hand.facts()),
        )

    @property
    def scores(self) -> list[int]:
        """Totals by side, those of the hands that are over."""
        return self.course.scores

    @property
    def hand_number(self) -> int:
        """Of the hand in play, the first being 1."""
        return self.course.hand_number

    @property
    def dealer(self) -> int:
        return self.course.dealer

    @property
    def over(self) -> bool:
        return self.course.over

    @property
    def victory_points(self) -> list[int]:
        """By side, once the match is over, where it is told in them (GAME-4); else empty."""
        return victory_points(self.rules, self.scores) if self.over else []

    @property
    def winner(self) -> int | None:
        """The side that has won; None before the end, and where several lead."""
        return self.course.winner

    @property
    def sides(self) -> int:
        return self.rules.seats.sides

    def check(self, move: Move) -> Refusal | None:
        return self.hand.check(move)

    def apply(self, move: Move) -> list[Event]:
        """Make a move; when it ends the hand, the totals are settled at once."""
        events = self.hand.apply(move)
        self.settle_if_over()
        return events

    def deal_next(self, fair: Fair | None = None) -> None:
        """Deal the next hand, from the seed or from a fair shuffle."""
        if self.over:
            raise MatchError("the match is over")
        if not self.hand.over:
            raise MatchError("the hand is not over")
        self.course.go_on()
        self._deal(fair)

    def _deal(self, fair: Fair | None) -> None:
        self.sitting_out = sitting_out(self.rules, self.hand_number)
        if fair is None:
            state = deal_from_seed(
                self.prepared,
                seed=self.seed,
                hand_number=self.hand_number,
                dealer=self.dealer,
                scores=self.scores,
            )
        else:
            state = deal_from_fair(
                self.prepared,
                fair=fair,
                hand_number=self.hand_number,
                dealer=self.dealer,
                scores=self.scores,
            )
        self.hand = Hand(state, self.scores.copy())
        self.settle_if_over()

    def settle_if_over(self) -> None:
        """Write the points of a hand that is over into the totals; `apply` does so by itself."""
        if not self.hand.over:
            return
        sheets = self.hand.score_sheets()
        self.sheets.append(sheets)
        self.course.settle([sheet.total for sheet in sheets], winning_side(self.hand.state))
