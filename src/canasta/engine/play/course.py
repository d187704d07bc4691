"""The course of a match: who plays a hand and who deals it, who leads, and when it is over."""

from collections.abc import Sequence

from canasta.engine.rng import Rng
from canasta.engine.seating import dealer_in_play, next_dealer, sides_of_seats, sitting_out, turn_order
from canasta.rules.model import Ruleset


def order_of_hand(rules: Ruleset, hand_number: int) -> list[int]:
    """The seats that play the hand of this number, the first being 1, in turn order."""
    return turn_order(sides_of_seats(rules), sitting_out(rules, hand_number))


def random_dealer(rules: Ruleset, seed: str) -> int:
    """The seat that is to deal the first hand of a match with this seed."""
    return Rng(f"{seed}/dealer").below(rules.seats.players)


def dealer_in_first_hand(rules: Ruleset, wanted: int) -> int:
    """Who deals the first hand: the seat that is to, or where it sits out the next on its right (SEAT-6)."""
    return dealer_in_play(wanted, order_of_hand(rules, 1), rules.seats.players)


def dealer_after(rules: Ruleset, dealer: int, hand_number: int) -> int:
    """Who deals the hand of this number where this seat dealt the one before (SEAT-5)."""
    return next_dealer(dealer, order_of_hand(rules, hand_number), rules.seats.players)


def leader(totals: Sequence[int]) -> int | None:
    """The side with the highest total; None when there is no single one."""
    best = max(totals)
    leaders = [side for side, total in enumerate(totals) if total == best]
    return leaders[0] if len(leaders) == 1 else None


def match_is_over(rules: Ruleset, totals: Sequence[int], hand_number: int) -> bool:
    """The match ends with the hand of this number (GAME-1); with equal totals on top it goes on (GAME-2)."""
    if rules.match.rounds > 0:
        return hand_number >= rules.match.rounds
    return max(totals) >= rules.match.target and leader(totals) is not None
