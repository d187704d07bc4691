"""A brute-force search for whether a turn can end legally, from the definitions alone.

The search shares nothing with the engine's methods: it lays any legal meld of any size, or adds any card that
fits, again and again, until the turn can end or nothing is left to try. It is for small hands only.
"""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from property.definitions import (
    SAMBA,
    canasta,
    canasta_bonus,
    canastas_are_enough,
    card_value,
    is_set,
    is_wild_set,
)

from canasta.engine.cards import ACE, BLACK_THREE, CALIENTE, JOKER, RANK_OF, RED_THREE, TWO
from canasta.engine.melds import ROW_BLACK_THREES, ROW_WILD
from canasta.engine.state import SAID_NO, SAID_YES, HandState
from canasta.notation.cards import format_cards
from canasta.rules.model import Ruleset

UNKNOWN = 99
"""A card from the stock, good only for discarding."""

Hand = tuple[int, ...]
"""Cards in order: kinds if suits matter, otherwise one kind for each rank."""


class Group(NamedTuple):
    """A meld on the table."""

    row: int
    """The rank; `ROW_WILD`, `ROW_BLACK_THREES`, or -1 for a run."""
    naturals: int
    wilds: int
    low: int = -1
    suit: int = -1

    @property
    def size(self) -> int:
        return self.naturals + self.wilds


class Place(NamedTuple):
    """The situation within a turn."""

    hand: Hand
    groups: tuple[Group, ...]
    points: int
    """The value of the first meld so far, in points."""
    is_open: bool


class TurnSearch:
    """A search of everything that a turn may still do; `can_end` gives the answer."""

    def __init__(self, state: HandState) -> None:
        seat = state.turn
        self.rules: Ruleset = state.compiled.rules
        self.side = state.side_of[seat]
        self.suits_matter = self.rules.melds.runs and self.rules.melds.same_suit_runs
        self.needed = state.minimum(self.side) + state.minimum_surcharge
        self.pile = tuple(kind for kind in state.pile if RANK_OF[kind] != RED_THREE) if state.pile_due else ()
        self.foot_waits = state.foot_waits(seat)
        self.may_leave = _may_leave(state, seat)
        self.no_discard = state.no_discard
        self.has_stock = state.stock_size() > 0
        self.threes_only = state.black_threes_now
        self.by_discard = self.rules.going_out.by == "discard"
        self.fewest_left = 1 if self.by_discard else 0
        """A player may go out with this many cards left."""
        self.tried: set[Place] = set()
        groups = _groups(state, self.side)
        points = sum(card_value(self.rules, RANK_OF[card & 63]) for card in state.cards_laid_by(self.side))
        if self.rules.opening.canasta_bonus_counts:
            points += sum(self._bonus(group) for group in groups)
        self.start = Place(
            self._hand(kind for kind, count in enumerate(state.cards_of(seat)) for _ in range(count)),
            groups,
            points,
            state.opened(self.side),
        )

    def can_end(self) -> bool:
        return self._search(self.start)

    # -- ends ---------------------------------------------------------------------------------------------

    def _search(self, place: Place) -> bool:
        place = self._opened(place)
        if place in self.tried:
            return False
        self.tried.add(place)
        if place.is_open and self._is_end(place):
            return True
        return any(self._search(after) for after in self._moves(place))

    def _opened(self, place: Place) -> Place:
        """Complete the first meld as soon as it is good; the pile then goes into the hand."""
        if place.is_open or not place.groups or not self._opens(place):
            return place
        return place._replace(is_open=True, hand=self._hand([*place.hand, *self.pile]))

    def _opens(self, place: Place) -> bool:
        opening = self.rules.opening
        if place.points >= self.needed:
            return True
        if opening.canasta_suffices and any(self._canastas(place)):
            return True
        is_last = self.fewest_left <= len(place.hand) <= 1 and not self.pile and not self.foot_waits
        return opening.concealed_suffices and is_last and self._may_go_out(place)

    def _is_end(self, place: Place) -> bool:
        size = len(place.hand)
        red_threes = sum(1 for card in place.hand if _rank(card) == RED_THREE)
        if size == 0:
            return self.foot_waits or (not self.by_discard and self._may_go_out(place))
        if self.threes_only:
            return size == 1 and not red_threes and not self.no_discard and self._may_go_out(place)
        if self.no_discard:
            return True
        if red_threes < size and (size >= 2 or self.foot_waits or self._may_go_out(place)):
            return True
        return size == 1 and self.rules.turn.keep_last_card

    def _may_go_out(self, place: Place) -> bool:
        return self.may_leave and canastas_are_enough(self.rules, self._canastas(place))

    def _canastas(self, place: Place) -> list[int]:
        found = [0, 0, 0, 0]
        for group in place.groups:
            kind = self._kind(group)
            if kind is not None:
                found[kind] += 1
        return found

    def _kind(self, group: Group) -> int | None:
        if group.row == ROW_BLACK_THREES:
            return None
        if group.row < 0:
            return SAMBA if group.size == self.rules.melds.canasta_size else None
        return canasta(self.rules, group.naturals, group.wilds)

    def _bonus(self, group: Group) -> int:
        kind = self._kind(group)
        return 0 if kind is None else canasta_bonus(self.rules, kind)

    # -- moves --------------------------------------------------------------------------------------------

    def _moves(self, place: Place) -> Iterator[Place]:
        yield from self._lay_red_three(place)
        yield from self._lay_black_threes(place)
        if self.threes_only:
            return
        # Until the first meld is good, only its own cards may be laid, and that is any card.
        for index, group in enumerate(place.groups):
            for card in sorted(set(place.hand)):
                grown = self._grown(group, card)
                if grown is not None:
                    yield self._laid(place, [card], index, grown)
        yield from self._new_sets(place)
        yield from self._new_runs(place)

    def _lay_red_three(self, place: Place) -> Iterator[Place]:
        if not self.rules.turn.lay_bonus_by_hand:
            return
        for card in place.hand:
            if _rank(card) == RED_THREE:
                drawn = [UNKNOWN] if self.has_stock else []
                yield place._replace(hand=self._hand([*_without(place.hand, [card]), *drawn]))
                return

    def _lay_black_threes(self, place: Place) -> Iterator[Place]:
        """Yield the last meld: after it, one discard at most is left and the player is out."""
        threes = [card for card in place.hand if _rank(card) == BLACK_THREE]
        if self.threes_only:
            for index, group in enumerate(place.groups):
                if group.row == ROW_BLACK_THREES and threes:
                    grown = group._replace(naturals=group.naturals + 1)
                    yield self._laid(place, threes[:1], index, grown)
            return
        others = len(place.hand) - len(threes)
        if others > 1 or self.foot_waits or not self._may_go_out(place):
            return
        for count in range(3, len(threes) + 1):
            after = self._laid(place, threes[:count], -1, Group(ROW_BLACK_THREES, count, 0))
            after = self._opened(after)
            most_left = 0 if self.no_discard else 1
            if not self.fewest_left <= len(after.hand) <= most_left:
                # One more may still be laid if it is not the card to discard.
                continue
            if after.is_open and RED_THREE not in map(_rank, after.hand):
                yield after

    def _grown(self, group: Group, card: int) -> Group | None:
        """Return the meld with one more card; None if the card does not fit."""
        rank = _rank(card)
        if group.row == ROW_BLACK_THREES:
            return None
        if group.row < 0:
            return self._longer_run(group, card)
        if rank in (TWO, JOKER):
            if group.size >= self.rules.melds.canasta_size and not self.rules.melds.wilds_on_canasta:
                return None
            grown = group._replace(wilds=group.wilds + 1)
        elif rank == group.row:
            grown = group._replace(naturals=group.naturals + 1)
        else:
            return None
        if group.row == ROW_WILD:
            return grown if is_wild_set(self.rules, grown.wilds) else None
        return grown if is_set(self.rules, grown.naturals, grown.wilds) else None

    def _longer_run(self, group: Group, card: int) -> Group | None:
        rank = _rank(card)
        if group.size >= self.rules.melds.canasta_size or rank > ACE:
            return None
        if self.suits_matter and card & 3 != group.suit:
            return None
        if rank == group.low - 1:
            return group._replace(low=rank, naturals=group.naturals + 1)
        return group._replace(naturals=group.naturals + 1) if rank == group.low + group.size else None

    def _new_sets(self, place: Place) -> Iterator[Place]:
        twos = [card for card in place.hand if _rank(card) == TWO]
        jokers = [card for card in place.hand if _rank(card) == JOKER]
        wild_choices = [twos[:a] + jokers[:b] for a in range(len(twos) + 1) for b in range(len(jokers) + 1)]
        for rank in sorted({_rank(card) for card in place.hand if _rank(card) <= ACE}):
            if not self._may_start(place, rank):
                continue
            for naturals in _choices([card for card in place.hand if _rank(card) == rank]):
                for wilds in wild_choices:
                    if naturals and self._can_be_laid(len(naturals), len(wilds)):
                        group = Group(rank, len(naturals), len(wilds))
                        yield self._laid(place, [*naturals, *wilds], -1, group)
        if self._may_start(place, ROW_WILD):
            for wilds in wild_choices:
                if is_wild_set(self.rules, len(wilds)):
                    yield self._laid(place, wilds, -1, Group(ROW_WILD, 0, len(wilds)))

    def _can_be_laid(self, naturals: int, wilds: int) -> bool:
        """Return whether these cards can be a new set.

        MELD-4: if no wild card may join a canasta, the wild cards are laid before the set becomes one.
        """
        melds = self.rules.melds
        if not is_set(self.rules, naturals, wilds):
            return False
        if melds.wilds_on_canasta or wilds == 0 or naturals + wilds <= melds.canasta_size:
            return True
        return is_set(self.rules, melds.canasta_size - wilds, wilds)

    def _may_start(self, place: Place, row: int) -> bool:
        """MELD-5"""
        rule = self.rules.melds.sets_per_rank
        sizes = [group.size for group in place.groups if group.row == row]
        if rule == "one":
            return not sizes
        return rule == "any" or all(size >= self.rules.melds.canasta_size for size in sizes)

    def _new_runs(self, place: Place) -> Iterator[Place]:
        if not self.rules.melds.runs:
            return
        for suit in range(4) if self.suits_matter else [-1]:
            held: dict[int, int] = {}
            for card in place.hand:
                if _rank(card) <= ACE and suit in (-1, card & 3):
                    held[_rank(card)] = card
            for low in held:
                cards: list[int] = []
                while low + len(cards) in held and len(cards) < self.rules.melds.canasta_size:
                    cards.append(held[low + len(cards)])
                    if len(cards) >= 3:
                        yield self._laid(place, cards, -1, Group(-1, len(cards), 0, low, suit))

    def _laid(self, place: Place, cards: list[int], index: int, group: Group) -> Place:
        """Return the place after laying these cards, as a new meld (-1) or by growing a meld to `group`."""
        groups = list(place.groups)
        before = 0
        if index >= 0:
            before = self._bonus(groups.pop(index))
        groups.append(group)
        points = place.points + sum(card_value(self.rules, _rank(card)) for card in cards)
        if self.rules.opening.canasta_bonus_counts and not before:
            points += self._bonus(group)
        return Place(_without(place.hand, cards), tuple(sorted(groups)), points, place.is_open)

    def _hand(self, kinds: Iterator[int] | list[int]) -> Hand:
        """Sort the cards; if suits don't matter, all cards of a rank count as one kind."""
        return tuple(sorted(kind if self._is_its_own(kind) else _FIRST_OF[RANK_OF[kind]] for kind in kinds))

    def _is_its_own(self, kind: int) -> bool:
        """Return whether the card differs from others of its rank: its suit matters for runs."""
        return kind == UNKNOWN or (self.suits_matter and RANK_OF[kind] <= ACE)


_FIRST_OF = [RANK_OF.index(rank) for rank in range(max(RANK_OF) + 1)]


def _rank(card: int) -> int:
    """Return the rank; an unknown card counts as one that can only be discarded."""
    return CALIENTE if card == UNKNOWN else RANK_OF[card]


def _without(hand: Hand, cards: list[int]) -> Hand:
    left = Counter(hand)
    left.subtract(cards)
    assert min(left.values(), default=0) >= 0
    return tuple(sorted(left.elements()))


def _choices(cards: list[int]) -> set[tuple[int, ...]]:
    """Return every sub-multiset of a few cards."""
    found: set[tuple[int, ...]] = {()}
    for card in cards:
        found |= {tuple(sorted((*chosen, card))) for chosen in found}
    return found


def _groups(state: HandState, side: int) -> tuple[Group, ...]:
    """Return the melds of a side, read from its cards on the table."""
    slots = state.compiled.slots
    cards: dict[int, list[int]] = {}
    for card in state.cards_laid_by(side):
        cards.setdefault(card >> 6, []).append(card & 63)
    groups: list[Group] = []
    for number, kinds in cards.items():
        ranks = sorted(RANK_OF[kind] for kind in kinds)
        if number >= slots.count:
            suit = kinds[0] & 3 if state.compiled.rules.melds.same_suit_runs else -1
            groups.append(Group(-1, len(kinds), 0, ranks[0], suit))
        else:
            wilds = sum(1 for rank in ranks if rank in (TWO, JOKER))
            groups.append(Group(slots.row_of(number), len(kinds) - wilds, wilds))
    return tuple(sorted(groups))


def _may_leave(state: HandState, seat: int) -> bool:
    """OUT-3, OUT-5: neither the partner's answer nor the partner's foot prevents going out."""
    rules = state.compiled.rules
    partners = [
        other for other in state.order if other != seat and state.side_of[other] == state.side_of[seat]
    ]
    if state.asked == SAID_NO:
        return False
    if rules.going_out.ask == "must" and partners and state.asked != SAID_YES:
        return False
    return not rules.deal.foot_size or all(state.foot_played(other) for other in partners)


def told(state: HandState) -> str:
    """Describe a position briefly, for a failing test."""
    search = TurnSearch(state)
    return (
        f"hand {format_cards(search.start.hand)}, melds {search.start.groups}, "
        f"minimum {search.needed}, points {search.start.points}, pile {format_cards(state.pile)}, "
        f"stock {state.stock_size()}, {'opened' if search.start.is_open else 'not opened'}, "
        f"{'may' if search.may_leave else 'may not'} leave, foot waits: {search.foot_waits}"
    )
