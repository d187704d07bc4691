"""A brute-force search for whether a turn of American Canasta can end legally.

Like `brute`, but for games with contracts and barred discards; it uses nothing of the engine's law.
"""

from typing import NamedTuple

from property.brute import TurnSearch
from property.definitions import canasta, canastas_are_enough, card_value, is_set, is_wild_set

from canasta.engine.cards import ACE, JOKER, RANK_OF, SEVEN, TWO
from canasta.engine.melds import ROW_WILD
from canasta.engine.state import OVER, SAID_NO, SAID_YES, HandState

OTHER = 13
"""The rank given to all cards that can't be used: threes, which stay in the hand, and the rest."""


class Group(NamedTuple):
    naturals: int = 0
    twos: int = 0
    jokers: int = 0

    @property
    def wilds(self) -> int:
        return self.twos + self.jokers

    @property
    def size(self) -> int:
        return self.naturals + self.wilds


NO_GROUP = Group()
STARTS = (Group(3, 0, 0), Group(2, 1, 0), Group(2, 0, 1))
WILD_STARTS = tuple(Group(0, 3 - jokers, jokers) for jokers in range(4))
ONE_MORE = (Group(1, 0, 0), Group(0, 1, 0), Group(0, 0, 1))


class Place(NamedTuple):
    hand: tuple[int, ...]
    """Counts of the ranks four to ace, of twos, of jokers and of others."""
    groups: tuple[Group, ...]
    """By row: four to ace, then wild cards."""
    is_open: bool
    talon: bool
    melded: bool


class ExactSearch:
    """A search of everything that a turn may still do; `can_end` gives the answer."""

    def __init__(self, state: HandState) -> None:
        seat = state.turn
        self.rules = state.compiled.rules
        self.side = state.side_of[seat]
        self.minimum = state.minimum(self.side)
        self.top = RANK_OF[state.taken_top] if state.pile_due else -1
        self.due = [RANK_OF[kind] for kind in state.pile if RANK_OF[kind] < OTHER] if state.pile_due else []
        self.pile_is_empty = state.pile_due or not state.pile
        self.stock = state.stock_size()
        self.opened_before = sum(state.opened(side) for side in range(state.sides))
        asked = self.rules.going_out.ask == "must" and state.partner[seat] >= 0
        self.may_leave = state.asked != SAID_NO and (not asked or state.asked == SAID_YES)
        size = self.rules.melds.canasta_size
        self.theirs = {
            row
            for other in range(state.sides)
            for row in range(ROW_WILD + 1)
            if other != self.side and state.size_of_set(other, row) >= size
        }
        hand = [0] * 14
        for kind, count in enumerate(state.cards_of(seat)):
            hand[min(RANK_OF[kind], OTHER)] += count
        groups = [NO_GROUP] * (ROW_WILD + 1)
        for card in state.cards_laid_by(self.side):
            rank, row = RANK_OF[card & 63], card >> 6
            more = Group(int(rank < TWO), int(rank == TWO), int(rank == JOKER))
            groups[row] = Group(*(a + b for a, b in zip(groups[row], more, strict=True)))
        self.start = Place(
            tuple(hand), tuple(groups), state.opened(self.side), state.talon_due > 0, state.melded_now
        )
        laid = [RANK_OF[card & 63] for card in state.laid_now()]
        self.wilds_alone = not any(hand[:TWO]) and all(rank in (TWO, JOKER) for rank in laid)
        self.tried: set[Place] = set()

    def can_end(self) -> bool:
        return self._search(self.start)

    def _search(self, place: Place) -> bool:
        place = self._opened(place)
        if place in self.tried:
            return False
        self.tried.add(place)
        if place.is_open and self._is_end(place):
            return True
        return any(self._search(after) for after in self._steps(place))

    # -- ends ---------------------------------------------------------------------------------------------

    def _is_end(self, place: Place) -> bool:
        size = sum(place.hand)
        thrown = [rank for rank in range(OTHER) if place.hand[rank] > 0]
        if size == 1 and not self._may_go_out(place):
            return place.talon and any(self._lawful(place, rank) for rank in thrown)
        if size == 1:
            return len(thrown) == 1
        if not place.melded:
            return len(thrown) > 0
        return any(self._lawful(place, rank) for rank in thrown)

    def _lawful(self, place: Place, rank: int) -> bool:
        """DISC-6, DISC-7"""
        if rank in (TWO, JOKER) and self.wilds_alone:
            return True
        safe = rank in (SEVEN, ACE, TWO, JOKER) or rank in self._dead(place)
        if rank in (TWO, JOKER) and self.rules.discards.wilds == "only_wilds":
            return False
        return not (safe and self.pile_is_empty and self.rules.discards.empty_pile_bars)

    def _may_go_out(self, place: Place) -> bool:
        found = [0, 0, 0, 0]
        for row, group in enumerate(place.groups):
            kind = canasta(self.rules, group.naturals, group.wilds) if group.size else None
            if kind is not None:
                found[kind] += 1
            elif group.size and self.rules.going_out.unfinished_bars:
                if row == ROW_WILD or (
                    row in (SEVEN, ACE) and not group.wilds and self._wilds(row) != "free"
                ):
                    return False
        return self.may_leave and canastas_are_enough(self.rules, found)

    def _wilds(self, row: int) -> str:
        return {SEVEN: self.rules.sevens.wilds, ACE: self.rules.aces.wilds}.get(row, "free")

    def _dead(self, place: Place) -> set[int]:
        """MELD-12"""
        if not self.rules.melds.dead_ranks:
            return set()
        size = self.rules.melds.canasta_size
        own = {row for row in range(ROW_WILD) if place.groups[row].size >= size}
        return own | self.theirs

    # -- opening ------------------------------------------------------------------------------------------

    def _opened(self, place: Place) -> Place:
        if place.is_open or not place.melded or not self._opens(place):
            return place
        hand = list(place.hand)
        for rank in self.due:
            hand[min(rank, OTHER)] += 1
        talon = self.rules.turn.talon[self.opened_before : self.opened_before + 1]
        gets = bool(talon) and self.top < 0 and self.stock >= self.rules.turn.talon_floor
        return place._replace(is_open=True, hand=tuple(hand), talon=gets)

    def _opens(self, place: Place) -> bool:
        """OPEN-1, OPEN-4, OPEN-7, OPEN-8"""
        opening, size = self.rules.opening, self.rules.melds.canasta_size
        pure = splash = False
        points = 0
        for row, group in enumerate(place.groups):
            naturals = group.naturals
            if row == self.top:
                if self.rules.pile.opening_pair == "apart":
                    continue
                naturals -= int(opening.from_hand)
            points += naturals * (card_value(self.rules, row) if row < ROW_WILD else 0)
            points += group.twos * card_value(self.rules, TWO) + group.jokers * card_value(self.rules, JOKER)
            alone = naturals >= 3 and not group.wilds
            wild = row == ROW_WILD and group.wilds >= 3
            pure = pure or alone or (wild and opening.pure_meld == "any")
            splash = splash or ((alone or wild) and naturals + group.wilds >= size and opening.splash)
        if self.top >= 0 and self.rules.pile.opening_pair == "any" and not opening.from_hand:
            points -= 0 if opening.top_card_counts else card_value(self.rules, self.top)
        return splash or (points >= self.minimum and (pure or opening.pure_meld == "no"))

    # -- steps --------------------------------------------------------------------------------------------

    def _steps(self, place: Place) -> list[Place]:
        found: list[Place] = []
        for row, there in enumerate(place.groups):
            starts = WILD_STARTS if row == ROW_WILD else STARTS
            for more in ONE_MORE if there.size else starts:
                hand = list(place.hand)
                if row < ROW_WILD:
                    hand[row] -= more.naturals
                hand[TWO] -= more.twos
                hand[JOKER] -= more.jokers
                if min(hand) < 0 or (row == ROW_WILD and more.naturals):
                    continue
                if self._fits(place, row, there, more):
                    groups = list(place.groups)
                    groups[row] = Group(*(a + b for a, b in zip(there, more, strict=True)))
                    found.append(place._replace(hand=tuple(hand), groups=tuple(groups), melded=True))
        return found

    def _fits(self, place: Place, row: int, there: Group, more: Group) -> bool:
        melds = self.rules.melds
        after = Group(*(a + b for a, b in zip(there, more, strict=True)))
        if row in self._dead(place) or after.size > melds.canasta_size:
            return False
        wilds_elsewhere = any(group.wilds for group in place.groups[:ROW_WILD])
        wild_set = place.groups[ROW_WILD].size
        if row == ROW_WILD:
            if melds.wild_lock and not place.is_open and wilds_elsewhere:
                return False
            return is_wild_set(self.rules, after.wilds)
        if not is_set(self.rules, after.naturals, after.wilds):
            return False
        if not place.is_open and not self.rules.opening.mixed_canasta:
            if after.wilds and after.size >= melds.canasta_size:
                return False
        if not more.wilds:
            return True
        if self._wilds(row) == "never":
            return False
        if self._wilds(row) == "opening" and not there.wilds and (place.is_open or row == self.top):
            return False
        if melds.wild_lock and 0 < wild_set < melds.canasta_size and ROW_WILD not in self._dead(place):
            return False
        in_opening = not place.is_open and wild_set == 0
        return in_opening or after.naturals >= melds.naturals_before_wild


def can_end(state: HandState) -> bool:
    """Return whether the turn can be ended, in any game."""
    if state.phase == OVER:
        return True
    return (ExactSearch(state) if state.compiled.family.name == "american" else TurnSearch(state)).can_end()
