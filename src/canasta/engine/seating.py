"""Seats and sides: who plays with whom, who sits out, who deals, and the cut that decides it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from canasta.engine.cards import BLACK_THREE, CALIENTE, JOKER, RANK_OF, RED_THREE, TWO, full_deck
from canasta.engine.rng import Rng
from canasta.errors import InputError
from canasta.rules.model import PlainData, Ruleset


def sides_of_seats(rules: Ruleset) -> list[int]:
    """Return the side of each seat; sides are numbered by their first seat (SEAT-1 to SEAT-4).

    Seats alternate between the sides, so neighbours are opponents whenever the numbers allow it.
    """
    return [seat % rules.seats.sides for seat in range(rules.seats.players)]


def sitting_out(rules: Ruleset, hand_number: int) -> tuple[int, ...]:
    """Return the seats that sit out the hand with this number, counting from 1 (SEAT-2, SEAT-3).

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
    """Return the seats that play, in turn order with the sides alternating (SEAT-2)."""
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
    """Return the seat that deals: if the dealer sits out, the next player on the right deals (SEAT-6)."""
    while dealer not in order:
        dealer = (dealer - 1) % seats
    return dealer


def next_dealer(dealer: int, order: list[int], seats: int) -> int:
    """Return the next dealer: the deal passes left to the next seat that plays (SEAT-5)."""
    seat = (dealer + 1) % seats
    while seat not in order:
        seat = (seat + 1) % seats
    return seat


def first_to_play(dealer: int, order: list[int]) -> int:
    """Return the seat to the dealer's left, which plays first (SEAT-5)."""
    return order[(order.index(dealer) + 1) % len(order)]


def order_of_hand(rules: Ruleset, hand_number: int) -> list[int]:
    """Return the seats that play the hand with this number (counting from 1), in turn order."""
    return turn_order(sides_of_seats(rules), sitting_out(rules, hand_number))


def random_dealer(rules: Ruleset, seed: str) -> int:
    """Return the seat that deals the first hand of a match with this seed."""
    return Rng(f"{seed}/dealer").below(rules.seats.players)


class Places:
    """The seats that play a hand, their order and partners; shared by all hands with the same seats."""

    def __init__(self, side_of: list[int], order: list[int]) -> None:
        self.side_of: list[int] = side_of
        self.order: list[int] = order
        self.next_seat: list[int] = [-1] * len(side_of)
        for index in range(len(order)):
            self.next_seat[order[index]] = order[(index + 1) % len(order)]
        self.partner: list[int] = [-1] * len(side_of)
        """For each seat, the next teammate in turn order; -1 for a player without a partner."""
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


ACE_HIGH: Final = "ace_high"
JOKER_HIGH: Final = "joker_high_suits"
"""Values of `seats.cut_order` used here. The third, `ace_high_suits`, also puts aces high."""

_SUIT_HEIGHTS: Final = {
    ACE_HIGH: (0, 0, 0, 0),
    "ace_high_suits": (0, 1, 2, 3),
    JOKER_HIGH: (1, 2, 3, 0),
}
"""By suit: clubs, diamonds, hearts, spades."""


def cut_value(kind: int, order: str = ACE_HIGH) -> int:
    """Return the value of a card in the cut; -1 if the card does not count."""
    rank = RANK_OF[kind]
    if rank == CALIENTE:
        return -1
    if rank == JOKER:
        return 4 * 16 if order == JOKER_HIGH else -1
    if rank == TWO:
        height = 15 if order == JOKER_HIGH else 2
    else:
        height = 3 if rank in (RED_THREE, BLACK_THREE) else rank + 4
    return 4 * height + _SUIT_HEIGHTS[order][kind & 3]


def counted_cuts(cards: Sequence[int], order: str) -> list[int]:
    """Return the values of the cards that one player cut, without those that do not count."""
    return [cut_value(kind, order) for kind in cards if cut_value(kind, order) > 0]


def _values(cuts: list[list[int]], order: str) -> list[list[int]]:
    values = [counted_cuts(cards, order) for cards in cuts]
    if not all(values):
        raise InputError("a player has cut no card that counts")
    return values


def dealer_by_cut(rules: Ruleset, cuts: list[list[int]]) -> Seating:
    """Keep everyone's seat; the player to the right of the highest cutter deals (SEAT-6)."""
    values = _values(cuts, rules.seats.cut_order)
    seats = len(cuts)
    ranking = sorted(range(seats), key=lambda player: values[player], reverse=True)
    if are_tied(values[ranking[0]], values[ranking[1]]):
        raise InputError("equal cards do not tell who is highest")
    return Seating(players=list(range(seats)), dealer=(ranking[0] - 1) % seats)


def seats_by_cut(rules: Ruleset, cuts: list[list[int]]) -> Seating:
    """Seat partners by their cuts: the highest cutters play together (SEAT-6).

    The player to the right of the highest cutter deals. Each player's cards are read in order: cards that do
    not count are skipped, and a tie is broken by the next card of each tied player. Raise `InputError` if the
    cards do not decide.
    """
    values = _values(cuts, rules.seats.cut_order)
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
            raise InputError("equal cards do not tell who plays together")
    if len(teams[0]) > 1 and are_tied(values[ranking[0]], values[ranking[1]]):
        raise InputError("equal cards do not tell who is highest")
    players = [teams[side_of[seat]][seat // sides] for seat in range(seats)]
    return Seating(players=players, dealer=seats - 1)


def are_tied(cuts: list[int], others: list[int]) -> bool:
    """Return whether two players' cuts are equal, up to the shorter one."""
    return all(mine == theirs for mine, theirs in zip(cuts, others, strict=False))


WITH_SEATS: Final = "cut"
DEAL_ONLY: Final = "cut_deal"
"""Values of the rule for the two kinds of cut: for seats and dealer, or for the dealer alone."""


def is_cut(rules: Ruleset) -> bool:
    """Return whether the players cut before the first deal."""
    return rules.seats.first_dealer in (WITH_SEATS, DEAL_ONLY)


@dataclass(frozen=True)
class Cut(PlainData):
    cards: tuple[tuple[int, ...], ...]
    """The cards each player cut, in order, by the seats before the cut; several if the player cut again."""
    seating: Seating
    """The resulting seats and dealer."""


def seeded_cut(rules: Ruleset, seed: str) -> Cut:
    """Return the cut of a match with this recorded seed."""
    return cut_cards(rules, Rng(f"{seed}/cut"))


def cut_cards(rules: Ruleset, rng: Rng) -> Cut:
    """Return a cut from a freshly shuffled pack."""
    deck = full_deck(rules.deck.decks, rules.deck.caliente_cards)
    rng.shuffle(deck)
    return cut_from(rules, deck)


def cut_from(rules: Ruleset, deck: list[int]) -> Cut:
    """Return the cut from this deck.

    Every player cuts a card, in the order of the seats. Players whose card doesn't count cut again, as do
    players in a tie that leaves the seats or the dealer undecided.
    """
    players = rules.seats.players
    order = rules.seats.cut_order
    cuts: list[list[int]] = [[] for _ in range(players)]
    again = list(range(players))
    at = 0
    while at + len(again) <= len(deck):
        for player in again:
            cuts[player].append(deck[at])
            at += 1
        again = [player for player in range(players) if not counted_cuts(cuts[player], order)]
        if again:
            continue
        try:
            return _cut_result(cuts, seating_by_cut(rules, cuts))
        except InputError:
            again = _players_to_recut(cuts, order)
    # The whole pack didn't decide, so all players keep their seats.
    return _cut_result(cuts, Seating(players=list(range(players)), dealer=players - 1))


def _cut_result(cuts: list[list[int]], seating: Seating) -> Cut:
    return Cut(tuple([tuple(cards) for cards in cuts]), seating)


def seating_by_cut(rules: Ruleset, cuts: list[list[int]]) -> Seating:
    """Return the seating that these cards decide. Raises `InputError` if they leave it open."""
    return dealer_by_cut(rules, cuts) if rules.seats.first_dealer == DEAL_ONLY else seats_by_cut(rules, cuts)


def _players_to_recut(cuts: list[list[int]], order: str) -> list[int]:
    """Return the tied players who haven't yet cut another card that counts."""
    values = [counted_cuts(cards, order) for cards in cuts]
    return [
        player
        for player, mine in enumerate(values)
        if any(
            other != player and len(mine) <= len(theirs) and are_tied(mine, theirs)
            for other, theirs in enumerate(values)
        )
    ]
