"""The hand of a player who is making, or could make, a first meld: what it needs and contains."""

from typing import Final

from canasta.engine.cards import BONUS_CARD, JOKER, NATURAL_RANKS, TWO
from canasta.engine.law.going_out import can_stop, why_not_leave
from canasta.engine.law.melding import why_not_cards, why_not_extend_run
from canasta.engine.law.reasons import OK
from canasta.engine.melds import NEW, NO_SUIT, ROW_WILD, SMALLEST_MELD, pack_run
from canasta.engine.state import HandState

UNCLEAR: Final = -1
"""Result if the closed form does not cover the hand (a set or a meld of wilds would overflow)."""

MOST_WAYS: Final = 1000
"""Limit on the choices of naturals and wilds for the sets of all
ranks together; a larger hand is not searched."""

MOST_RUN_CARDS: Final = 28
"""Limit on the cards in sequence, in any suit; a hand with more is not searched."""

MOST_SUITED_RUN_CARDS: Final = 18
"""The same limit if a run must be of one suit, since there are then four sequences to choose from."""


class OpeningHand:
    """A hypothetical hand and the melds laid this turn. Change it freely: the state is not touched."""

    def __init__(self, state: HandState) -> None:
        seat = state.turn
        self.state: HandState = state
        self.side: int = state.side_of[seat]
        counts = state.counts_of(seat)
        self.counts: list[int] = counts
        self.cards: list[int] = state.cards_of(seat) if state.compiled.same_suit else []
        self.twos: int = counts[TWO]
        self.jokers: int = counts[JOKER]
        self.black_threes: int = state.stop_cards(seat)
        self.red_threes: int = state.bonus_cards(seat)
        self.size: int = state.size(seat)
        laid = state.number_of_sets(self.side) > 0
        self.naturals: list[int] = state.naturals_of(self.side) if laid else state.compiled.empty_slots
        self.wilds: list[int] = state.wilds_of(self.side) if laid else state.compiled.empty_slots
        self.sets: list[int] = state.sets_of(self.side)
        self.runs: list[int] = state.runs[self.side]
        self.need: int = state.minimum(self.side) + state.minimum_surcharge - state.opening_points
        self.due: int = 0
        """Number of cards that come with the pile once the minimum is reached."""
        self.due_kind: int = -1
        """Kind of the card that comes with the pile, if it is only one; otherwise -1."""
        if state.pile_due:
            for kind in state.pile:
                if state.compiled.role_of[kind] != BONUS_CARD:
                    self.due += 1
                    self.due_kind = kind
            if self.due > 1:
                self.due_kind = -1
        self.may_leave: bool = why_not_leave(state, seat) == OK
        self.used: int = 0
        """Number of cards that the optimum of `most_points` lays."""

    # -- hypothetical laying ------------------------------------------------------------------------------

    def lay_on_set(self, row: int, slot: int, suits: list[int], twos: int, jokers: int) -> None:
        """Lay cards of the hand on a set, or as a new one (`NEW`). `suits` has one entry per natural."""
        naturals = len(suits)
        values = self.state.compiled.values
        self.naturals = self.naturals.copy()
        self.wilds = self.wilds.copy()
        if slot == NEW:
            slot = self.state.compiled.slots.first_slot(row)
            while self.naturals[slot] + self.wilds[slot] > 0:
                slot += 1
            self.sets = [*self.sets, slot]
        self.naturals[slot] += naturals
        self.wilds[slot] += twos + jokers
        self.need -= twos * values[TWO] + jokers * values[JOKER]
        if row < NATURAL_RANKS:
            self.counts[row] -= naturals
            self.need -= naturals * values[row]
            if self.cards:
                for suit in suits:
                    self.cards[row * 4 + suit] -= 1
        self.twos -= twos
        self.jokers -= jokers
        self.size -= naturals + twos + jokers

    def lay_run(self, low: int, length: int, suit: int) -> None:
        """Lay a new run."""
        self.runs = [*self.runs, pack_run(suit, low, length)]
        for rank in range(low, low + length):
            self.move_card(rank, suit, -1)
            self.need -= self.state.compiled.values[rank]

    def can_stop_with(self, left: int) -> bool:
        """Return whether the turn can end, without going out, with this many cards left in the hand."""
        return can_stop(self.state, left + self.due, self.red_threes, False)

    def is_small(self) -> bool:
        """Return whether the hand is small enough to try every first meld.

        It then stays small as cards are laid.
        """
        compiled = self.state.compiled
        wilds = self.twos + self.jokers
        ways = 0
        for rank in range(NATURAL_RANKS):
            count = self.counts[rank]
            ways += (count + 1) * (count + 2) // 2
        if ways * (wilds + 1) * (wilds + 2) // 2 > MOST_WAYS:
            return False
        if not compiled.runs:
            return True
        return self._run_cards() <= (MOST_SUITED_RUN_CARDS if compiled.same_suit else MOST_RUN_CARDS)

    def cards_kept(self, laid: list[int]) -> int:
        """Return the minimum number of cards that must be kept so that the turn can end.

        `laid` is the number of naturals of each rank that would be laid, along with all wilds.
        """
        left = self.size - self.twos - self.jokers - sum(laid[:NATURAL_RANKS])
        keep = 0
        while keep < 2 and not self.can_stop_with(left + keep):
            keep += 1
        return keep

    def points_kept(self, laid: list[int]) -> int:
        """Return the minimum value of the cards that must be kept (see `cards_kept`)."""
        keep = self.cards_kept(laid)
        if keep == 0:
            return 0
        values = self.state.compiled.values
        cheapest = [values[TWO]] * min(self.twos, keep) + [values[JOKER]] * min(self.jokers, keep)
        for rank in range(NATURAL_RANKS):
            cheapest += [values[rank]] * min(laid[rank], keep)
        return sum(sorted(cheapest)[:keep])

    # -- the optimum for sets -----------------------------------------------------------------------------

    def wild_points(self, placed: int) -> int:
        """Return the value of this many wilds of the hand, the more valuable ones first."""
        values = self.state.compiled.values
        if values[JOKER] >= values[TWO]:
            jokers = min(self.jokers, placed)
            return jokers * values[JOKER] + (placed - jokers) * values[TWO]
        twos = min(self.twos, placed)
        return twos * values[TWO] + (placed - twos) * values[JOKER]

    def most_points(self, careful: bool = False) -> int:
        """Return the most points that sets made of the hand's remaining cards can add, or `UNCLEAR`.

        A wild is worth the same in any set, so what matters is how many can be placed. It is best spent on a
        pair, which it turns into a set with room for more. So all ranks with three or more cards are laid,
        then k pairs are opened with one wild each, the most valuable pairs first, for the best k.

        With `careful` the result is never unclear but may be too low. It counts only as many naturals of an
        overflowing set as leave room for all its wilds, lets only one set of a rank grow, and counts no more
        wilds than one meld of wilds can hold.
        """
        compiled = self.state.compiled
        compiled.looked_at += 1
        values = compiled.values
        slots = compiled.slots
        naturals_points = 0
        naturals_used = 0
        room = 0
        pairs: list[int] = []
        wilds = self.twos + self.jokers
        if careful and compiled.wild_melds:
            wilds = min(wilds, compiled.largest_wild_meld)
        spread = compiled.any_sets and not careful
        if spread and not compiled.even_wild_room:
            return UNCLEAR
        pair_room = self._pair_room(wilds)
        for rank in range(NATURAL_RANKS):
            count = self.counts[rank]
            slot = slots.first_slot(rank)
            if self.naturals[slot] > 0 or count >= SMALLEST_MELD:
                if self._overflows(slot, count, wilds):
                    if not careful:
                        return UNCLEAR
                    count = self._fitting(slot, count, wilds)
                    if self.naturals[slot] == 0 and count < SMALLEST_MELD:
                        continue
                naturals_points += count * values[rank]
                naturals_used += count
                if spread:
                    # Pairs may be sets of their own, each with room for wilds.
                    if pair_room == UNCLEAR:
                        return UNCLEAR
                    room += (count // 2) * pair_room
                    while slot < slots.first_slot(rank + 1) and self.naturals[slot] > 0:
                        room += self._wild_room(slot, 0, wilds)
                        slot += 1
                else:
                    room += self._wild_room(slot, count, wilds)
            elif count == 2 and compiled.wild_room[2] > 0:
                if pair_room == UNCLEAR:
                    if not careful:
                        return UNCLEAR
                    continue
                pairs.append(values[rank])
        wild_set = 0
        if compiled.wild_melds:
            if wilds > compiled.largest_wild_meld:
                return UNCLEAR
            slot = slots.first_slot(ROW_WILD)
            if self.wilds[slot] == 0 or compiled.any_sets:
                wild_set = SMALLEST_MELD
            while slot < slots.first_slot(ROW_WILD + 1) and self.wilds[slot] > 0:
                room += min(wilds, compiled.largest_wild_meld - self.wilds[slot])
                slot += 1
        pairs.sort(reverse=True)
        best = UNCLEAR
        pair_points = 0
        for opened in range(min(wilds, len(pairs)) + 1):
            if opened > 0:
                pair_points += 2 * pairs[opened - 1]
            placed = min(wilds, room + opened * pair_room)
            if wild_set > 0 and wilds - opened >= wild_set:
                placed = wilds
            points = naturals_points + pair_points + self.wild_points(placed)
            if points > best:
                best = points
                self.used = naturals_used + 2 * opened + placed
        return best

    def _pair_room(self, wilds: int) -> int:
        """Return how many wilds a set of two naturals can take, or `UNCLEAR` if they would overflow it."""
        compiled = self.state.compiled
        room = min(wilds, compiled.wild_room[2])
        if SMALLEST_MELD - 1 + room > compiled.largest_set:
            return UNCLEAR
        if not compiled.wilds_on_canasta:
            while room > 1 and why_not_cards(compiled, 0, 0, 0, 2, room) != OK:
                room -= 1
        return room

    def _overflows(self, slot: int, count: int, wilds: int) -> bool:
        """Return whether these naturals and the wilds they allow would exceed the maximum size of the set."""
        compiled = self.state.compiled
        naturals = self.naturals[slot] + count
        size = naturals + max(self.wilds[slot], min(wilds + self.wilds[slot], compiled.wild_room[naturals]))
        return size > compiled.largest_set

    def _fitting(self, slot: int, count: int, wilds: int) -> int:
        """Return how many of `count` naturals the set can take and still hold all the wilds it may."""
        while count > 0 and self._overflows(slot, count, wilds):
            count -= 1
        return count

    def _wild_room(self, slot: int, count: int, wilds: int) -> int:
        """Return how many wilds the set (possibly new) can take when `count` naturals join it."""
        compiled = self.state.compiled
        there = self.naturals[slot]
        wilds_there = self.wilds[slot]
        room = min(wilds, compiled.wild_room[there + count] - wilds_there)
        while room > 0 and why_not_cards(compiled, 0, there, wilds_there, count, room) != OK:
            room -= 1
        return max(room, 0)

    def opens_plainly(self, need: int) -> bool:
        """Return whether sets worth `need` can be laid so that the turn can end without going out.

        The answer is exact if `most_points` is clear. Otherwise it may overlook a way.
        """
        points = self.most_points()
        if points >= need and (self.can_stop_with(self.size - self.used) or self.keeps_enough(need)):
            return True
        if points != UNCLEAR:
            return False
        return self.most_points(careful=True) >= need and self.can_stop_with(self.size - self.used)

    def keeps_enough(self, need: int) -> bool:
        """Return whether enough points remain when one or two cards are kept in the hand.

        This is needed if laying the most leaves too few cards to end the turn. Anything that can be laid
        while leaving two cards can be laid by the hand without those two.
        """
        values = self.state.compiled.values
        spare = self.wild_points(self.twos + self.jokers) - need
        for rank in range(NATURAL_RANKS):
            spare += self.counts[rank] * values[rank]
        return any(self._keeps(first, need, spare) for first in range(JOKER + 1))

    def _keeps(self, first: int, need: int, spare: int) -> bool:
        """Return whether enough points remain if a card of rank `first` is kept, or that card and a second
        one.

        The second card is of the same or a later rank. `spare` is the value of all cards beyond `need`.
        """
        values = self.state.compiled.values
        spare -= values[first]
        if spare < 0 or not self._set_aside(first, 1):
            return False
        found = self._reaches(need)
        for second in range(first, JOKER + 1):
            if not found and values[second] <= spare and self._set_aside(second, 1):
                found = self._reaches(need)
                self._set_aside(second, -1)
        self._set_aside(first, -1)
        return found

    def _reaches(self, need: int) -> bool:
        return self.most_points() >= need and self.can_stop_with(self.size - self.used)

    def _set_aside(self, rank: int, by: int) -> bool:
        """Exclude a card of this rank from the computation (`by` is 1) or include it again (-1).

        Return `False` if there is none.
        """
        if rank == TWO:
            if self.twos < by:
                return False
            self.twos -= by
        elif rank == JOKER:
            if self.jokers < by:
                return False
            self.jokers -= by
        else:
            if self.counts[rank] < by:
                return False
            self.counts[rank] -= by
        return True

    # -- runs ---------------------------------------------------------------------------------------------

    def _run_cards(self) -> int:
        """Return how many cards of the hand could be part of a run, new or on the table.

        Laying a run never increases this: a card that continues the run now was in sequence with it before.
        """
        found = 0
        for suit in range(4) if self.state.compiled.same_suit else [NO_SUIT]:
            streak = 0
            cards = 0
            touches = False
            for rank in range(NATURAL_RANKS + 1):
                count = 0
                if rank < NATURAL_RANKS:
                    count = self.counts[rank] if suit == NO_SUIT else self.cards[rank * 4 + suit]
                if count > 0:
                    streak += 1
                    cards += count
                    touches = touches or self._run_ends_beside(rank, suit)
                else:
                    if streak >= SMALLEST_MELD or touches:
                        found += cards
                    streak = 0
                    cards = 0
                    touches = False
        return found

    def _run_ends_beside(self, rank: int, suit: int) -> bool:
        """Return whether this card continues a run on the table."""
        return any(why_not_extend_run(self.state, run, rank, suit) == OK for run in self.runs)

    def holds(self, rank: int, suit: int) -> bool:
        return self.counts[rank] > 0 if suit == NO_SUIT else self.cards[rank * 4 + suit] > 0

    def move_card(self, rank: int, suit: int, by: int) -> None:
        """Remove a card from the hypothetical hand (-1), or put it back (+1)."""
        self.counts[rank] += by
        if suit != NO_SUIT:
            self.cards[rank * 4 + suit] += by
        self.size += by
