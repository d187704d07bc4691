"""Seats and sides: who plays with whom, who sits out, who deals."""

from collections.abc import Sequence
from dataclasses import dataclass

from canasta.engine.cards import ACE, BLACK_THREE, RANK_OF, RED_THREE, TWO
from canasta.errors import CanastaError
from canasta.rules.model import Ruleset
from canasta.rules.plain_data import PlainData


def sides_of_seats(rules: Ruleset) -> list[int]:
    """The side of each seat; sides are numbered by their first seat (SEAT-1 to SEAT-4).

    Neighbours are opponents wherever the numbers allow it, so seats go round the sides in turn.
    """
    return [seat % rules.seats.sides for seat in range(rules.seats.players)]


def sitting_out(rules: Ruleset, hand_number: int) -> tuple[int, ...]:
    """The seats that do not play the hand of this number, the first being 1 (SEAT-2, SEAT-3).

    In a team of three the last seat sits out first, then the others in turn.
    """
    if not rules.seats.sit_out:
        return ()
    out: list[int] = []
    for side in range(rules.seats.sides):
        team = [seat for seat in range(rules.seats.players) if seat % rules.seats.sides == side]
        if len(team) == 3:
            out.append(team[(hand_number + 1) % 3])
    return tuple(out)


def turn_order(side_of: list[int], absent: tuple[int, ...]) -> list[int]:
    """The seats that play, in turn order, opponents alternating (SEAT-2)."""
    present = [seat for seat in range(len(side_of)) if seat not in absent]
    if not absent:
        return present
    first = side_of[present[0]]
    teams = [
        [seat for seat in present if side_of[seat] == first],
        [seat for seat in present if side_of[seat] != first],
    ]
    return [seat for pair in zip(teams[0], teams[1], strict=True) for seat in pair]


def dealer_in_play(dealer: int, order: list[int], seats: int) -> int:
    """Who sits out does not deal: the deal is the next player's on the right (SEAT-6)."""
    while dealer not in order:
        dealer = (dealer - 1) % seats
    return dealer


def next_dealer(dealer: int, order: list[int], seats: int) -> int:
    """The deal passes left to the next seat that plays (SEAT-5)."""
    seat = (dealer + 1) % seats
    while seat not in order:
        seat = (seat + 1) % seats
    return seat


def first_to_play(dealer: int, order: list[int]) -> int:
    """The player on the dealer's left (SEAT-5)."""
    return order[(order.index(dealer) + 1) % len(order)]


class Places:
    """Who plays a hand, and after whom; all hands in which the same seats play share it."""

    def __init__(self, side_of: list[int], order: list[int]) -> None:
        self.side_of: list[int] = side_of
        self.order: list[int] = order
        self.next_seat: list[int] = [-1] * len(side_of)
        for index in range(len(order)):
            self.next_seat[order[index]] = order[(index + 1) % len(order)]
        self.partner: list[int] = [-1] * len(side_of)
        """For each seat the next teammate in turn order; -1 for a player alone."""
        for index, seat in enumerate(order):
            for ahead in range(1, len(order)):
                other = order[(index + ahead) % len(order)]
                if side_of[other] == side_of[seat]:
                    self.partner[seat] = other
                    break


@dataclass(frozen=True)
class Seating(PlainData):
    players: list[int]
    """The player on each seat."""
    dealer: int
    """The seat that deals first."""


class CutAgain(CanastaError):
    """The cards cut do not decide (jokers only, or equal cards where it matters)."""


def cut_value(kind: int) -> int:
    """The height of a card in cutting, aces high; -1 for a card that does not count."""
    rank = RANK_OF[kind]
    if rank <= ACE:
        return rank + 4
    if rank == TWO:
        return 2
    if rank in (RED_THREE, BLACK_THREE):
        return 3
    return -1


def counted_cuts(cards: Sequence[int]) -> list[int]:
    """The heights of the cards that one player cut, without those that do not count."""
    return [cut_value(kind) for kind in cards if cut_value(kind) > 0]


def _values(cuts: list[list[int]]) -> list[list[int]]:
    values = [counted_cuts(cards) for cards in cuts]
    if not all(values):
        raise CutAgain("a player has cut no card that counts")
    return values


def dealer_by_cut(cuts: list[list[int]]) -> Seating:
    """Everybody stays; the player on the right of the highest cutter deals (SEAT-6)."""
    values = _values(cuts)
    seats = len(cuts)
    ranking = sorted(range(seats), key=lambda player: values[player], reverse=True)
    if are_tied(values[ranking[0]], values[ranking[1]]):
        raise CutAgain("equal cards do not tell who is highest")
    return Seating(players=list(range(seats)), dealer=(ranking[0] - 1) % seats)


def seats_by_cut(rules: Ruleset, cuts: list[list[int]]) -> Seating:
    """Partners by cutting: the highest play together; on the right of the highest sits the dealer (SEAT-6).

    Each player's cards are read in order: a joker does not count, and equal cards are broken by the next
    card that each of the tied players cut. Raises `CutAgain` when the cards do not decide.
    """
    values = _values(cuts)
    ranking = sorted(range(len(cuts)), key=lambda player: values[player], reverse=True)
    sides = rules.seats.sides
    seats = rules.seats.players
    teams: list[list[int]] = []
    start = 0
    side_of = sides_of_seats(rules)
    for side in range(sides):
        size = side_of.count(side)
        teams.append(ranking[start : start + size])
        start += size
        if start < seats and are_tied(values[ranking[start - 1]], values[ranking[start]]):
            raise CutAgain("equal cards do not tell who plays together")
    if len(teams[0]) > 1 and are_tied(values[ranking[0]], values[ranking[1]]):
        raise CutAgain("equal cards do not tell who is highest")
    players = [teams[side_of[seat]][seat // sides] for seat in range(seats)]
    return Seating(players=players, dealer=seats - 1)


def are_tied(cuts: list[int], others: list[int]) -> bool:
    """Two players cut equal cards as long as both went on cutting."""
    return all(mine == theirs for mine, theirs in zip(cuts, others, strict=False))
