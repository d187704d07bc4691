"""The hand of a player who lays, or could lay, the first meld of a side: what is needed, what is there."""

from typing import Final

from canasta.engine.cards import BLACK_THREE, CALIENTE, JOKER, NATURAL_RANKS, RANK_OF, RED_THREE, TWO
from canasta.engine.going_out import can_stop, why_not_leave
from canasta.engine.melding import NEW, SMALLEST_MELD, why_not_cards
from canasta.engine.moves import ROW_WILD
from canasta.engine.reasons import OK
from canasta.engine.state import NO_SUIT, HandState, pack_run, run_length, run_low, run_suit

UNCLEAR: Final = -1
"""The closed form does not cover this hand (a set or a meld of wilds that would overflow)."""


class OpeningHand:
    """A hand in mind and the melds laid in this turn, which may be changed without touching the state."""

    def __init__(self, state: HandState) -> None:
        seat = state.turn
        self.state: HandState = state
        self.side: int = state.side_of[seat]
        counts = state.counts[seat]
        self.counts: list[int] = counts.copy()
        self.cards: list[int] = state.cards[seat].copy() if state.tables.same_suit else []
        self.twos: int = counts[TWO]
        self.jokers: int = counts[JOKER]
        self.black_threes: int = counts[BLACK_THREE]
        self.red_threes: int = counts[RED_THREE]
        self.size: int = state.size[seat]
        self.naturals: list[int] = state.naturals[self.side]
        self.wilds: list[int] = state.wilds[self.side]
        self.sets: list[int] = state.sets[self.side]
        self.runs: list[int] = state.runs[self.side]
        self.need: int = state.minimum[self.side] + state.opening_extra - state.opening_points
        self.due: int = 0
        """Cards that come with the pile once the minimum is reached."""
        self.due_kind: int = -1
        """The card that comes with the pile, where it is a single one."""
        if state.pile_due:
            for kind in state.pile:
                if RANK_OF[kind] != RED_THREE:
                    self.due += 1
                    self.due_kind = kind
            if self.due > 1:
                self.due_kind = -1
        self.may_leave: bool = why_not_leave(state, seat) == OK
        self.used: int = 0
        """Cards that the optimum of `most_points` lays."""

    # -- laying in mind -----------------------------------------------------------------------------------

    def lay_on_set(self, row: int, slot: int, suits: list[int], twos: int, jokers: int) -> None:
        """Lay cards of the hand in mind on a set, or as a new one (`NEW`); each natural by its suit."""
        naturals = len(suits)
        values = self.state.tables.values
        self.naturals = self.naturals.copy()
        self.wilds = self.wilds.copy()
        if slot == NEW:
            slot = row * self.state.tables.slots
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
            self.need -= self.state.tables.values[rank]

    def can_stop_with(self, left: int) -> bool:
        """So many cards left in hand, and the turn can end without going out."""
        return can_stop(self.state, left + self.due, self.red_threes, False)

    def has_other_ways(self) -> bool:
        """A canasta, or going out at once, could stand in for the minimum."""
        tables = self.state.tables
        if tables.canasta_suffices or tables.canasta_bonus_counts:
            if self._canasta_in_reach() or (tables.runs and self._samba_in_reach()):
                return True
        if self.state.foot_waits[self.state.turn]:
            return False
        if tables.concealed_suffices or self.black_threes >= SMALLEST_MELD:
            # Going out leaves one card at the most; a single card of its rank cannot be melded.
            stranded = self.state.counts[self.state.turn][CALIENTE] + self.red_threes
            if self.black_threes < SMALLEST_MELD:
                stranded += self.black_threes
            for rank in range(NATURAL_RANKS):
                if self.counts[rank] == 1 and self._table_set(rank) == NEW:
                    stranded += 1
            return stranded <= 1 or tables.runs
        return False

    def _canasta_in_reach(self) -> bool:
        """Some set, on the table or new, can grow into a canasta."""
        tables = self.state.tables
        wilds = self.twos + self.jokers
        slots = tables.slots
        for rank in range(NATURAL_RANKS):
            # One slot more than is in use stands for a set of the hand's cards alone.
            for slot in range(rank * slots, (rank + 1) * slots):
                naturals = self.naturals[slot] + self.counts[rank]
                room = min(tables.wild_room[naturals], wilds + self.wilds[slot])
                if naturals + room >= tables.canasta_size:
                    return True
                if self.naturals[slot] == 0:
                    break
        if tables.wild_melds:
            for slot in range(ROW_WILD * slots, (ROW_WILD + 1) * slots):
                if wilds + self.wilds[slot] >= tables.canasta_size:
                    return True
                if self.wilds[slot] == 0:
                    break
        return False

    def _table_set(self, row: int) -> int:
        """The first set of this row that the side laid in this turn; `NEW` when there is none."""
        slot = row * self.state.tables.slots
        return slot if self.naturals[slot] + self.wilds[slot] > 0 else NEW

    # -- the optimum for sets -----------------------------------------------------------------------------

    def most_points(self) -> int:
        """The most points that sets made of the hand's remaining cards can add, or `UNCLEAR`.

        A wild is worth the same wherever it lies, so what matters is how many can lie somewhere. It is best
        spent on a pair, which it turns into a set with room for more. Hence: all ranks of three and more are
        laid, then k pairs are opened with a wild each, the best pairs first, for the best k.
        """
        tables = self.state.tables
        values = tables.values
        naturals_points = 0
        naturals_used = 0
        room = 0
        pairs: list[int] = []
        wilds = self.twos + self.jokers
        if tables.any_sets and not tables.even_wild_room:
            return UNCLEAR
        for rank in range(NATURAL_RANKS):
            count = self.counts[rank]
            slot = rank * tables.slots
            if self.naturals[slot] > 0 or count >= SMALLEST_MELD:
                if self._overflows(slot, count, wilds):
                    return UNCLEAR
                naturals_points += count * values[rank]
                naturals_used += count
                if tables.any_sets:
                    # Pairs may lie as sets of their own, each with room for wilds.
                    room += (count // 2) * tables.wild_room[2]
                    while slot < (rank + 1) * tables.slots and self.naturals[slot] > 0:
                        room += self._wild_room(slot, 0, wilds)
                        slot += 1
                else:
                    room += self._wild_room(slot, count, wilds)
            elif count == 2 and tables.wild_room[2] > 0:
                pairs.append(values[rank])
        wild_set = 0
        if tables.wild_melds:
            if wilds > tables.largest_wild_meld:
                return UNCLEAR
            slot = ROW_WILD * tables.slots
            if self.wilds[slot] == 0 or tables.any_sets:
                wild_set = SMALLEST_MELD
            while slot < (ROW_WILD + 1) * tables.slots and self.wilds[slot] > 0:
                room += min(wilds, tables.largest_wild_meld - self.wilds[slot])
                slot += 1
        pairs.sort(reverse=True)
        best = UNCLEAR
        pair_points = 0
        for opened in range(min(wilds, len(pairs)) + 1):
            if opened > 0:
                pair_points += 2 * pairs[opened - 1]
            placed = min(wilds, room + opened * tables.wild_room[2])
            if wild_set > 0 and wilds - opened >= wild_set:
                placed = wilds
            jokers = min(self.jokers, placed)
            points = naturals_points + pair_points + jokers * values[JOKER] + (placed - jokers) * values[TWO]
            if points > best:
                best = points
                self.used = naturals_used + 2 * opened + placed
        return best

    def _overflows(self, slot: int, count: int, wilds: int) -> bool:
        """With these naturals and as many wilds as are allowed the set would be larger than a set may be."""
        tables = self.state.tables
        naturals = self.naturals[slot] + count
        size = naturals + max(self.wilds[slot], min(wilds + self.wilds[slot], tables.wild_room[naturals]))
        return size > tables.largest_set

    def _wild_room(self, slot: int, count: int, wilds: int) -> int:
        """How many wilds the set can take (there may be none yet) when so many naturals join it."""
        tables = self.state.tables
        there = self.naturals[slot]
        wilds_there = self.wilds[slot]
        room = min(wilds, tables.wild_room[there + count] - wilds_there)
        while room > 0 and why_not_cards(tables, 0, there, wilds_there, count, room) != OK:
            room -= 1
        return max(room, 0)

    # -- runs ---------------------------------------------------------------------------------------------

    def _samba_in_reach(self) -> bool:
        """Some seven ranks in a row are there, runs laid in this turn included."""
        size = self.state.tables.canasta_size
        for suit in range(4) if self.state.tables.same_suit else [NO_SUIT]:
            streak = 0
            for rank in range(NATURAL_RANKS):
                have = self.holds(rank, suit)
                for run in self.runs:
                    if run_suit(run) == suit and run_low(run) <= rank < run_low(run) + run_length(run):
                        have = True
                streak = streak + 1 if have else 0
                if streak >= size:
                    return True
        return False

    def holds(self, rank: int, suit: int) -> bool:
        return self.counts[rank] > 0 if suit == NO_SUIT else self.cards[rank * 4 + suit] > 0

    def move_card(self, rank: int, suit: int, by: int) -> None:
        """Take a card out of the hand in mind (-1), or put it back (+1)."""
        self.counts[rank] += by
        if suit != NO_SUIT:
            self.cards[rank * 4 + suit] += by
        self.size += by
