"""Match progress: who plays and deals each hand, the totals, and when the match is over."""

from collections.abc import Sequence
from typing import Final

from mypy_extensions import mypyc_attr

from canasta.engine.rng import Rng
from canasta.engine.seating import dealer_in_play, next_dealer, sides_of_seats, sitting_out, turn_order
from canasta.rules.model import Ruleset


def order_of_hand(rules: Ruleset, hand_number: int) -> list[int]:
    """Return the seats that play the hand with this number (counting from 1), in turn order."""
    return turn_order(sides_of_seats(rules), sitting_out(rules, hand_number))


def random_dealer(rules: Ruleset, seed: str) -> int:
    """Return the seat that deals the first hand of a match with this seed."""
    return Rng(f"{seed}/dealer").below(rules.seats.players)


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
    """How far a match has come: the number of the hand, its dealer, the totals before it, and the winner."""

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

        This seat deals it; if it sits out, the next seat on its right does (SEAT-6).
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
