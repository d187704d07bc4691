"""What players' habits say about the cards that they hold.

Dealt at random, the hidden cards give everybody hands that nobody has: cards that would have been laid on a
meld long ago, the mates of a card just thrown away. A possible deal is therefore shaken: hidden cards change
places, and a change is kept as often as it makes the hands likelier.
"""

from typing import Final

from canasta.engine.cards import KINDS, NATURAL_RANKS, RANK_OF, RED_THREE
from canasta.engine.rng import Rng
from canasta.engine.state import HandState

# How likely it is, against blind dealing, that a player holds 0, 1, 2, 3 or more cards of a rank. Counted in
# the club player's games of all kinds; the ratios within a row are what matters.
_LAID: Final[list[float]] = [1.0, 0.03, 0.08, 0.03]
"""The side has a meld of the rank: what fits is laid."""
_LAID_WITH_FOOT: Final[list[float]] = [1.0, 0.45, 1.2, 0.6]
"""… with a foot to play first there is less of a hurry."""
_OPEN: Final[list[float]] = [1.0, 1.1, 2.9, 0.55]
"""The side has opened: pairs are kept, threes are laid."""
_OPEN_THREW: Final[list[float]] = [1.0, 0.32, 0.45, 0.2]
_OPEN_PASSED: Final[list[float]] = [1.0, 0.6, 0.6, 0.4]
_SHUT: Final[list[float]] = [1.0, 0.9, 1.35, 0.4]
_SHUT_THREW: Final[list[float]] = [1.0, 0.13, 1.1, 0.4]
_SHUT_PASSED: Final[list[float]] = [1.0, 0.65, 0.6, 0.2]

_CHANGES: Final = 5
"""Changes tried for each hidden card in a hand."""

_SCALE: Final = 1 << 20
_STOCK: Final = -1


class Belief:
    """What a view tells about the other hands, beyond the cards that are known."""

    def __init__(self, state: HandState, seat: int) -> None:
        self._seat: int = seat
        self._habits: list[list[float]] = []
        """By seat and natural rank: one of the rows above."""
        threw, passed = _read_pile(state)
        prepared = state.prepared
        for other in range(len(state.side_of)):
            side = state.side_of[other]
            for rank in range(NATURAL_RANKS):
                mark = other * NATURAL_RANKS + rank
                if not state.opened[side]:
                    row = _SHUT_THREW if mark in threw else _SHUT_PASSED if mark in passed else _SHUT
                elif state.naturals[side][rank * prepared.slots] > 0:
                    row = _LAID_WITH_FOOT if prepared.has_foot else _LAID
                else:
                    row = _OPEN_THREW if mark in threw else _OPEN_PASSED if mark in passed else _OPEN
                self._habits.append(row)

    def shake(self, world: HandState, rng: Rng) -> None:
        """Move hidden cards about until the hands are such as players hold."""
        if world.before_take is not None:
            # What was before the take agrees with the cards as they are dealt.
            return
        cards: list[int] = []
        owner: list[int] = []
        for other in world.order:
            if other != self._seat:
                for kind in range(KINDS):
                    for _ in range(world.cards[other][kind] - world.known[other][kind]):
                        cards.append(kind)
                        owner.append(other)
        in_hands = len(cards)
        if in_hands == 0:
            return
        for foot in world.feet:
            for kind in foot:
                cards.append(kind)
                owner.append(_STOCK)
        for index in range(world.at, len(world.deck)):
            cards.append(world.deck[index])
            owner.append(_STOCK)
        for _ in range(_CHANGES * in_hands):
            one = rng.below(in_hands)
            two = rng.below(len(cards))
            if self._accepts(world, rng, owner[one], owner[two], RANK_OF[cards[one]], RANK_OF[cards[two]]):
                _exchange(world, owner[one], owner[two], cards[one], cards[two])
                kind = cards[one]
                cards[one] = cards[two]
                cards[two] = kind
        self._put_down(world, cards, in_hands)

    def _accepts(self, world: HandState, rng: Rng, one: int, two: int, gives: int, takes: int) -> bool:
        """Shall `one` give a card of this rank to `two` (a seat, or the stock) for a card of that rank?"""
        if one == two or gives == takes:
            return False
        if (takes == RED_THREE or gives == RED_THREE) and not world.prepared.by_hand:
            # Nobody holds a red three that would have been laid out.
            return False
        chance = self._change(world, one, gives, takes)
        if two != _STOCK:
            chance *= self._change(world, two, takes, gives)
        return chance >= 1.0 or rng.below(_SCALE) < chance * _SCALE

    def _change(self, world: HandState, seat: int, gives: int, takes: int) -> float:
        """How much likelier the seat's hand is with the one card instead of the other."""
        chance = 1.0
        counts = world.counts[seat]
        if gives < NATURAL_RANKS:
            row = self._habits[seat * NATURAL_RANKS + gives]
            count = counts[gives]
            chance = row[min(count - 1, 3)] / row[min(count, 3)]
        if takes < NATURAL_RANKS:
            row = self._habits[seat * NATURAL_RANKS + takes]
            count = counts[takes]
            chance *= row[min(count + 1, 3)] / row[min(count, 3)]
        return chance

    def _put_down(self, world: HandState, cards: list[int], first: int) -> None:
        """Feet and stock as the cards lie now; the hands have followed every change."""
        feet: list[list[int]] = []
        place = first
        for foot in world.feet:
            feet.append(cards[place : place + len(foot)])
            place += len(foot)
        world.feet = feet
        world.deck = cards[place:]
        world.at = 0


def _exchange(world: HandState, one: int, two: int, gives: int, takes: int) -> None:
    _replace(world, one, gives, takes)
    if two != _STOCK:
        _replace(world, two, takes, gives)


def _replace(world: HandState, seat: int, gone: int, come: int) -> None:
    world.cards[seat][gone] -= 1
    world.counts[seat][RANK_OF[gone]] -= 1
    world.cards[seat][come] += 1
    world.counts[seat][RANK_OF[come]] += 1


def _read_pile(state: HandState) -> tuple[set[int], set[int]]:
    """Who threw which rank into the pile as it lies, and who let it lie, as seat * NATURAL_RANKS + rank."""
    threw: set[int] = set()
    passed: set[int] = set()
    order = state.order
    place = order.index(state.turn)
    pile = state.pile
    # The lowest card may be the one turned up at the deal.
    for back in range(len(pile) - 1):
        rank = RANK_OF[pile[len(pile) - 1 - back]]
        if rank < NATURAL_RANKS:
            thrower = order[(place - 1 - back) % len(order)]
            threw.add(thrower * NATURAL_RANKS + rank)
            if back > 0:
                passed.add(order[(place - back) % len(order)] * NATURAL_RANKS + rank)
    return threw, passed
