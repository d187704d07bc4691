"""Estimate whether the player can go out this turn, so that tables do not offer a pointless question (OUT-3).

The estimate is optimistic: it never returns no if going out is possible, but may wrongly return yes, because
it may count a card for two melds. If only a few cards are still to be drawn, it tries each unseen card that
could make a difference. For more cards (a foot, a Caliente card) it assumes the best.
"""

from typing import Final

from canasta.engine.cards import (
    BONUS_CARD,
    CALIENTE,
    CALIENTE_KIND,
    JOKER,
    KINDS,
    KINDS_OF,
    NATURAL_RANKS,
    RANKS,
    TWO,
)
from canasta.engine.law.going_out import canastas_suffice, teammates_played_feet
from canasta.engine.law.pile import fits_a_meld, must_take_top_card, why_not_by, why_not_touch_pile
from canasta.engine.law.reasons import OK
from canasta.engine.law.special_cards import why_not_caliente
from canasta.engine.melds import (
    MIXED,
    NATURAL,
    NO_SUIT,
    ROW_WILD,
    SAMBA,
    SMALLEST_MELD,
    WILD,
    run_length,
    run_low,
    run_suit,
)
from canasta.engine.rule_tables import WITH_NATURAL_AND_WILD
from canasta.engine.state import DRAW, PLAY, SAID_NO, HandState

MOST_TRIED: Final = 2
"""Maximum number of cards still to be drawn that are tried one by one."""


def out_in_reach(state: HandState) -> bool:
    """Return whether the player to move might go out this turn if the partner agrees."""
    seat = state.turn
    if state.phase not in (DRAW, PLAY) or state.asked == SAID_NO or not teammates_played_feet(state, seat):
        return False
    if state.black_threes_now:
        return True
    stock = state.stock_size()
    if state.phase == PLAY:
        return _Reach(state, state.pile if state.pile_due else [], 0).reaches_out()
    if stock > 0 and _Reach(state, [], min(state.compiled.draw, stock)).reaches_out():
        return True
    if _may_take_pile(state):
        taken = state.pile[-1:] if must_take_top_card(state) else state.pile
        if _Reach(state, taken, 0).reaches_out():
            return True
    if state.count(seat, CALIENTE) > 0 and why_not_caliente(state) == OK:
        drawn = max(0, state.compiled.caliente_hand - state.size(seat) + 1)
        reach = _Reach(state, [], min(drawn, stock))
        reach.hold(CALIENTE_KIND, -1)
        return reach.reaches_out()
    return False


def _may_take_pile(state: HandState) -> bool:
    """Return whether the player to move has the cards to take the pile, or a meld for its top card."""
    if why_not_touch_pile(state) != OK:
        return False
    seat = state.turn
    held = state.count(seat, state.compiled.rank_of[state.top_card()])
    if held >= 2 or fits_a_meld(state):
        return True
    has_wild = state.count(seat, TWO) + state.count(seat, JOKER) > 0
    return held == 1 and has_wild and why_not_by(state, WITH_NATURAL_AND_WILD) == OK


def _unseen(state: HandState) -> list[int]:
    """Return, by kind, how many cards the player to move does not see and cannot locate in a known hand."""
    seat = state.turn
    unseen = state.compiled.of_kind.copy()
    for kind in state.pile:
        unseen[kind] -= 1
    for side in range(state.sides):
        for kind in state.bonus[side]:
            unseen[kind] -= 1
        for card in state.cards_laid_by(side):
            unseen[card & 63] -= 1
        unseen[CALIENTE_KIND] -= state.caliente_played(side)
    for other in state.order:
        cards = state.cards_of(other) if other == seat else state.known_of(other)
        for kind in range(KINDS):
            unseen[kind] -= cards[kind]
    return unseen


class _Reach:
    """The cards that a player can lay this turn: those in the hand, those taken, and unknown ones."""

    def __init__(self, state: HandState, taken: list[int], unknown: int) -> None:
        seat = state.turn
        self.state: HandState = state
        self.side: int = state.side_of[seat]
        self.cards: list[int] = state.cards_of(seat)
        self.counts: list[int] = state.counts_of(seat)
        for kind in taken:
            self.cards[kind] += 1
            self.counts[state.compiled.rank_of[kind]] += 1
        # Red threes kept in the hand can be laid; each brings a card while the stock lasts.
        red_threes = state.bonus_cards(seat)
        self.unknown: int = unknown + min(red_threes, state.stock_size())
        self.foot: int = len(state.feet[seat]) if state.foot_waits(seat) else 0
        if self.foot > 0 and state.size(seat) == red_threes:
            # The foot is picked up before anything else is laid.
            self.unknown += self.foot
            self.foot = 0
        # The foot is reached only with an empty hand, and after a last red three there is no discard.
        self.may_discard: bool = self.foot == 0 and not state.no_discard
        self.may_fall_short: bool = self.unknown >= state.stock_size()
        """Whether the stock's last card may be a bonus card, which is laid out but not replaced."""
        self.wilds: int = 0
        self.stop_cards: int = 0
        self.calientes: int = 0
        self._count()

    def _count(self) -> None:
        self.wilds = self.counts[TWO] + self.counts[JOKER]
        self.stop_cards = sum([self.counts[rank] for rank in self.state.compiled.stop_ranks])
        self.calientes = self.counts[CALIENTE]

    def reaches_out(self) -> bool:
        if not self._seems_to_reach():
            return False
        if not 0 < self.unknown <= MOST_TRIED:
            return True
        return self._reaches_with_some(self._worth_drawing(), 0)

    def _seems_to_reach(self) -> bool:
        self.state.compiled.looked_at += 1
        return self._can_be_rid_of_all() and self._can_have_canastas()

    # -- the cards to be drawn ----------------------------------------------------------------------------

    def _worth_drawing(self) -> list[int]:
        """Return the kinds that are worth trying as a drawn card, one for each group of equally useful kinds.

        Suits matter in sequences only. There, a drawn card farther than two ranks from a known card is
        useless: it would take three such cards.
        """
        compiled = self.state.compiled
        unseen = _unseen(self.state)
        kinds: list[int] = []
        for rank in range(RANKS):
            if compiled.role_of_rank[rank] == BONUS_CARD:
                continue
            is_first = True
            for kind in KINDS_OF[rank]:
                if unseen[kind] > 0 and (is_first or self._nears_a_run(rank, kind)):
                    kinds.append(kind)
                    is_first = False
        return kinds

    def _nears_a_run(self, rank: int, kind: int) -> bool:
        if not self.state.compiled.same_suit or rank >= NATURAL_RANKS:
            return False
        suit = kind & 3
        for other in range(max(0, rank - 2), min(NATURAL_RANKS, rank + 3)):
            if self.cards[other * 4 + suit] > 0:
                return True
        for run in self.state.runs[self.side]:
            if run_suit(run) == suit and run_low(run) - 2 <= rank <= run_low(run) + run_length(run) + 1:
                return True
        return False

    def _reaches_with_some(self, kinds: list[int], first: int) -> bool:
        """Return whether the unknown cards, chosen from these kinds on, can make going out possible."""
        unknown = self.unknown
        if self.may_fall_short:
            self.unknown = 0
            found = self._seems_to_reach()
            self.unknown = unknown
            if found:
                return True
        found = False
        self.unknown -= 1
        for index in range(first, len(kinds)):
            self.hold(kinds[index], 1)
            found = self._seems_to_reach() and (self.unknown == 0 or self._reaches_with_some(kinds, index))
            self.hold(kinds[index], -1)
            if found:
                break
        self.unknown = unknown
        return found

    def hold(self, kind: int, by: int) -> None:
        """Add a card to the hand (1), or remove it again (-1)."""
        self.cards[kind] += by
        self.counts[self.state.compiled.rank_of[kind]] += by
        self._count()

    # -- the cards of the hand ----------------------------------------------------------------------------

    def _can_be_rid_of_all(self) -> bool:
        """Return whether every known card except one to discard can be laid somewhere.

        A pair needs one more card, wild or unknown. A single card needs an unknown one of its rank and
        another. Two cards with room for one of them need one more card or the discard.
        """
        pairs = 0
        singles = 0
        halves = 0
        for rank in range(NATURAL_RANKS):
            count = self.counts[rank]
            if count == 0 or count >= SMALLEST_MELD:
                continue
            room = self._room_for_naturals(rank) + self._room_in_runs(rank)
            if room == 0:
                if count == 1:
                    singles += 1
                else:
                    pairs += 1
            elif room < count:
                halves += 1
        if self.state.compiled.runs:
            # One unknown card between two pairs of neighbours makes a sequence of all five, never of more.
            freed = 4 * self.unknown
            pairs -= min(pairs, max(0, freed - singles) // 2)
            halves = max(0, halves - freed)
            singles = max(0, singles - freed)
        black_threes = self.stop_cards
        threes = SMALLEST_MELD - black_threes if 0 < black_threes < SMALLEST_MELD else 0
        pairs += halves
        if not self.may_discard:
            return self._is_enough(pairs, singles, threes, 0, self.calientes)
        return (
            self._is_enough(pairs, singles, threes, 1, self.calientes)
            or (halves > 0 and self._is_enough(pairs - 1, singles, threes, 0, self.calientes))
            or (singles > 0 and self._is_enough(pairs, singles - 1, threes, 0, self.calientes))
            or (black_threes == 1 and self._is_enough(pairs, singles, 0, 0, self.calientes))
            or (self.calientes > 0 and self._is_enough(pairs, singles, threes, 0, self.calientes - 1))
        )

    def _is_enough(self, pairs: int, singles: int, threes: int, wilds_discarded: int, calientes: int) -> bool:
        """Return whether the wild and unknown cards cover these needs and every wild can be placed."""
        if calientes > 0 or singles + threes > self.unknown:
            return False
        if pairs + 2 * singles + threes > self.wilds + self.unknown:
            return False
        return self.wilds - wilds_discarded <= self._room_for_wilds()

    def _room_for_naturals(self, rank: int) -> int:
        """Return how many cards of this rank the side's sets can still take."""
        compiled = self.state.compiled
        room = 0
        for slot in self.state.sets_of(self.side):
            if compiled.slots.row_of(slot) == rank:
                room += max(0, compiled.largest_set - self.state.size_of_set(self.side, slot))
        return room

    def _room_in_runs(self, rank: int) -> int:
        """Return how many cards of this rank could be part of sequences of known cards."""
        compiled = self.state.compiled
        if not compiled.runs:
            return 0
        if not compiled.same_suit:
            return self._room_in_runs_of(rank, NO_SUIT)
        room = 0
        for suit in range(4):
            room += min(self.cards[rank * 4 + suit], self._room_in_runs_of(rank, suit))
        return room

    def _room_in_runs_of(self, rank: int, suit: int) -> int:
        room = 0
        for run in self.state.runs[self.side]:
            if run_suit(run) == suit:
                low = run_low(run)
                high = low + run_length(run) - 1
                grown = max(high, rank) - min(low, rank) + 1
                if not low <= rank <= high and grown <= self.state.compiled.canasta_size:
                    between = range(high + 1, rank) if rank > high else range(rank + 1, low)
                    if min([self._held(other, suit) for other in between], default=1) > 0:
                        room += 1
        most = 0
        for first in range(max(0, rank - 2), min(rank, NATURAL_RANKS - SMALLEST_MELD) + 1):
            window = range(first, first + SMALLEST_MELD)
            most = max(most, min([self._held(other, suit) for other in window]))
        return room + most

    def _room_for_wilds(self) -> int:
        """Return an upper bound on the number of wilds that can be placed."""
        state = self.state
        compiled = state.compiled
        last = len(compiled.wild_room) - 1
        room = self.unknown * max(compiled.wild_room)
        for slot in state.sets_of(self.side):
            row = compiled.slots.row_of(slot)
            is_canasta = state.size_of_set(self.side, slot) >= compiled.canasta_size
            if row < NATURAL_RANKS and (compiled.wilds_on_canasta or not is_canasta):
                naturals = state.naturals(self.side, slot) + self.counts[row] + self.unknown
                room += max(0, compiled.wild_room[min(naturals, last)] - state.wilds(self.side, slot))
            elif row == ROW_WILD:
                room += max(0, compiled.largest_wild_meld - state.wilds(self.side, slot))
        for rank in range(NATURAL_RANKS):
            if self.counts[rank] >= 2:
                new_sets = self.counts[rank] // 2
                room += new_sets * max(compiled.wild_room)
        if compiled.wild_melds and self.wilds + self.unknown >= SMALLEST_MELD:
            room += self.wilds
        return room

    # -- canastas -----------------------------------------------------------------------------------------

    def _can_have_canastas(self) -> bool:
        """Return whether these cards could give the side the canastas needed to go out (OUT-1)."""
        state = self.state
        compiled = state.compiled
        canastas = state.canasta_counts(self.side)
        if canastas_suffice(compiled, canastas[0], canastas[1], canastas[2], canastas[3]):
            return True
        unknown = self.unknown + self.foot
        flexible = self.wilds + unknown
        needed = compiled.kinds_needed
        naturals, mixed, wilds = self._lacking()
        sambas = self._lacking_sambas()
        if canastas[NATURAL] + _affordable(naturals, unknown, compiled.canasta_size) < needed[NATURAL]:
            return False
        if canastas[MIXED] + _affordable(mixed, flexible, compiled.canasta_size) < needed[MIXED]:
            return False
        if canastas[WILD] + _affordable(wilds, flexible, compiled.canasta_size) < needed[WILD]:
            return False
        if canastas[SAMBA] + _affordable(sambas, unknown, compiled.canasta_size) < needed[SAMBA]:
            return False
        total = canastas[0] + canastas[1] + canastas[2] + canastas[3]
        wilds_help = max(compiled.wild_room) + unknown
        lacking = [lacks for lacks in self._lacking_any() if lacks <= wilds_help]
        lacking += wilds + [lacks for lacks in sambas if lacks <= unknown]
        more = _affordable(lacking, flexible, compiled.canasta_size)
        return total + more >= compiled.canastas_needed

    def _lacking(self) -> tuple[list[int], list[int], list[int]]:
        """Return how many cards each set, existing or new, lacks to be a natural, mixed or wild canasta."""
        state = self.state
        compiled = state.compiled
        size = compiled.canasta_size
        naturals = self._lacking_new()
        mixed = [max(1, lacks) for lacks in naturals]
        wilds: list[int] = []
        for slot in state.sets_of(self.side):
            row = compiled.slots.row_of(slot)
            there = state.size_of_set(self.side, slot)
            if row < NATURAL_RANKS:
                lacks = max(0, size - there - self.counts[row])
                is_natural = state.wilds(self.side, slot) == 0
                if there < size and is_natural:
                    naturals.append(lacks)
                if there < size or (is_natural and compiled.wilds_on_canasta):
                    mixed.append(max(1, lacks) if is_natural else lacks)
            elif row == ROW_WILD and there < size:
                wilds.append(size - there)
        return naturals, mixed, wilds

    def _lacking_any(self) -> list[int]:
        """Return how many cards each set of a rank lacks to be a canasta of any kind."""
        state = self.state
        slots = state.compiled.slots
        lacking = self._lacking_new()
        for slot in state.sets_of(self.side):
            there = state.size_of_set(self.side, slot)
            if slots.row_of(slot) < NATURAL_RANKS and there < state.compiled.canasta_size:
                lacking.append(max(0, state.compiled.canasta_size - there - self.counts[slots.row_of(slot)]))
        return lacking

    def _lacking_new(self) -> list[int]:
        """Return how many cards new sets made from the hand lack to be canastas."""
        size = self.state.compiled.canasta_size
        lacking: list[int] = []
        for rank in range(NATURAL_RANKS):
            count = self.counts[rank]
            if count > 0:
                lacking += [max(0, size - count)] * (1 + count // size)
        return lacking

    def _lacking_sambas(self) -> list[int]:
        compiled = self.state.compiled
        if not compiled.runs:
            return []
        size = compiled.canasta_size
        lacking: list[int] = []
        for run in self.state.runs[self.side]:
            if run_length(run) < size:
                lacking.append(self._gaps(run_suit(run), run_low(run), run_length(run)))
        suits = [0, 1, 2, 3] if compiled.same_suit else [NO_SUIT]
        for suit in suits:
            gaps = size
            for first in range(NATURAL_RANKS - size + 1):
                gaps = min(gaps, self._gaps(suit, first, 0))
            for number in range(1, compiled.rules.deck.decks * (1 if compiled.same_suit else 4) + 1):
                # Without gaps, another sequence needs one more card of each rank that every sequence
                # contains.
                short = [1 for rank in range(NATURAL_RANKS - size, size) if self._held(rank, suit) < number]
                lacking.append(gaps if gaps > 0 else len(short))
        return lacking

    def _gaps(self, suit: int, low: int, length: int) -> int:
        """Return the fewest ranks missing from any full sequence that contains these ranks."""
        size = self.state.compiled.canasta_size
        fewest = size
        for first in range(max(0, low + length - size), min(low, NATURAL_RANKS - size) + 1):
            gaps = 0
            for rank in range(first, first + size):
                if not low <= rank < low + length and self._held(rank, suit) == 0:
                    gaps += 1
            fewest = min(fewest, gaps)
        return fewest

    def _held(self, rank: int, suit: int) -> int:
        return self.counts[rank] if suit == NO_SUIT else self.cards[rank * 4 + suit]


def _affordable(lacking: list[int], cards: int, size: int) -> int:
    """Return how many melds this many cards complete, the cheapest first; leftover cards make new melds."""
    count = 0
    left = cards
    for lacks in sorted(lacking):
        if lacks > left:
            break
        left -= lacks
        count += 1
    return count + left // size
