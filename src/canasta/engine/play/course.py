"""The course of a match: who plays a hand and who deals it, who leads, and when it is over."""

from collections.abc import Sequence

from mypy_extensions import mypyc_attr

from canasta.engine.rng import Rng
from canasta.engine.seating import dealer_in_play, next_dealer, sides_of_seats, sitting_out, turn_order
from canasta.rules.model import Ruleset


def order_of_hand(rules: Ruleset, hand_number: int) -> list[int]:
    """The seats that play the hand of this number, the first being 1, in turn order."""
    return turn_order(sides_of_seats(rules), sitting_out(rules, hand_number))


def random_dealer(rules: Ruleset, seed: str) -> int:
    """The seat that is to deal the first hand of a match with this seed."""
    return Rng(f"{seed}/dealer").below(rules.seats.players)


def leader(totals: Sequence[int]) -> int | None:
    """The side with the highest total; None when there is no single one."""
    best = max(totals)
    leaders = [side for side, total in enumerate(totals) if total == best]
    return leaders[0] if len(leaders) == 1 else None


# Both, as with a match, of which it is a part: it is pickled and copied.
@mypyc_attr(serializable=True, allow_interpreted_subclasses=True)
class Course:
    """How far a match has come: which hand is played, who deals it, the totals before it, and who has won."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules: Ruleset = rules
        self.scores: list[int] = [0] * rules.seats.sides
        """Totals by side, those of the hands that are over."""
        self.hand_number: int = 0
        """The first hand is 1; 0 before it."""
        self.dealer: int = 0
        self.over: bool = False
        self.winner: int | None = None

    def copy(self) -> "Course":
        new = Course(self.rules)
        new.scores = self.scores.copy()
        new.hand_number = self.hand_number
        new.dealer = self.dealer
        new.over = self.over
        new.winner = self.winner
        return new

    def begin(self, dealer: int) -> None:
        """The first hand comes: this seat deals it, or where it sits out the next on its right (SEAT-6)."""
        self.hand_number = 1
        self.dealer = dealer_in_play(dealer, self._order(), self.rules.seats.players)

    def go_on(self) -> None:
        """The next hand comes, and the deal goes round (SEAT-5)."""
        self.hand_number += 1
        self.dealer = next_dealer(self.dealer, self._order(), self.rules.seats.players)

    def _order(self) -> list[int]:
        return order_of_hand(self.rules, self.hand_number)

    def settle(self, points: Sequence[int]) -> None:
        """Count a hand that is over; with it the match may end (GAME-1, GAME-2)."""
        self.scores = [score + more for score, more in zip(self.scores, points, strict=True)]
        ahead = leader(self.scores)
        rounds = self.rules.match.rounds
        if rounds > 0:
            self.over = self.hand_number >= rounds
        else:
            self.over = max(self.scores) >= self.rules.match.target and ahead is not None
        if self.over:
            self.winner = ahead
