"""Where the cards of a hand lie: in hands, stock and pile, on the table."""

from typing import Final

from librt.strings import BytesWriter
from mypy_extensions import i64

from canasta.engine.cards import KINDS, RANKS, TWO
from canasta.engine.offsets import (
    ASKS,
    CALIENTES,
    CANASTA_KINDS,
    CARDS_AT,
    ENTRY,
    FOOT_PLAYED,
    FOOT_WAITS,
    HAS_MELDED,
    KNOWN_AT,
    LAID_AT,
    MINIMUM_AT,
    OPENED,
    POINTS_AT,
    POT_TAKER,
    PUT_BACKS_AT,
    SEAT_SIZE,
    SIDE_NUMBERS,
    SIZE_AT,
    Offsets,
)
from canasta.engine.prepared import PreparedRules
from canasta.engine.rows import append_two_bytes, set_two_bytes, two_bytes

NATURAL: Final = 0
MIXED: Final = 1
WILD: Final = 2
SAMBA: Final = 3
NOT_A_CANASTA: Final = -1


class CardsInPlay:
    """Hands are counts, by kind and by rank. Sets are kept by *slot* (`Slots`). The stock is the deck from
    `at` on."""

    # In this order they lie in memory, before those of `HandState`.
    packed: BytesWriter
    """What is counted, the deck, the pile and what was laid. The methods below read it; where much of it is
    looked through at every step, so do the legal steps and the observer."""
    offsets: Offsets
    """Where what lies in `packed`."""
    prepared: PreparedRules
    side_of: list[int]
    at: int

    # -- cards ----------------------------------------------------------------------------------------

    def size(self, seat: i64) -> int:
        """How many cards the seat holds."""
        return two_bytes(self.packed, seat * SEAT_SIZE + SIZE_AT)

    def sizes(self) -> list[int]:
        """The same for all seats."""
        return [self.size(seat) for seat in range(len(self.side_of))]

    def set_hand_size(self, seat: i64, size: int) -> None:
        """Let the seat hold so many cards, whichever they are."""
        set_two_bytes(self.packed, seat * SEAT_SIZE + SIZE_AT, size)

    def foot_waits(self, seat: i64) -> bool:
        """A foot, or a pot of the side, is still to become the hand."""
        return self.packed[seat * SEAT_SIZE + FOOT_WAITS] > 0

    def feet_wait(self) -> list[bool]:
        """The same for all seats."""
        return [self.foot_waits(seat) for seat in range(len(self.side_of))]

    def foot_played(self, seat: i64) -> bool:
        return self.packed[seat * SEAT_SIZE + FOOT_PLAYED] > 0

    def has_melded(self, seat: i64) -> bool:
        return self.packed[seat * SEAT_SIZE + HAS_MELDED] > 0

    def mark_seat(self, seat: i64, what: i64, is_so: bool) -> None:
        """Set `FOOT_WAITS`, `FOOT_PLAYED` or `HAS_MELDED`."""
        self.packed[seat * SEAT_SIZE + what] = 1 if is_so else 0

    def count(self, seat: i64, rank: i64) -> int:
        """How many cards of this rank the seat holds."""
        return self.packed[seat * SEAT_SIZE + rank]

    def counts_of(self, seat: int) -> list[int]:
        """The same for all ranks."""
        return self._row(seat * SEAT_SIZE, RANKS)

    def held(self, seat: i64, kind: i64) -> int:
        """How many cards of this kind the seat holds."""
        return self.packed[seat * SEAT_SIZE + CARDS_AT + kind]

    def cards_of(self, seat: int) -> list[int]:
        """The same for all kinds."""
        return self._row(seat * SEAT_SIZE + CARDS_AT, KINDS)

    def known(self, seat: i64, kind: i64) -> int:
        """How many cards of this kind everyone knows the seat to hold, since they came with the pile."""
        return self.packed[seat * SEAT_SIZE + KNOWN_AT + kind]

    def known_of(self, seat: int) -> list[int]:
        """The same for all kinds."""
        return self._row(seat * SEAT_SIZE + KNOWN_AT, KINDS)

    def write_counts_to(self, row: BytesWriter, seat: int) -> None:
        """Append what the seat holds by rank, a byte each."""
        # Byte by byte: `getvalue` would read all of them.
        packed = self.packed
        first: i64 = seat * SEAT_SIZE
        rank: i64
        for rank in range(RANKS):
            row.append(packed[first + rank])

    def write_cards_to(self, row: BytesWriter, seat: int) -> None:
        """Append what the seat holds by kind, a byte each."""
        first = seat * SEAT_SIZE + CARDS_AT
        row.write(self.packed.getvalue()[first : first + KINDS])

    def _row(self, first: i64, length: i64) -> list[int]:
        packed = self.packed
        return [packed[at] for at in range(first, first + length)]

    def give(self, seat: int, kind: int) -> None:
        """Put a card into a hand."""
        packed = self.packed
        by_kind: i64 = seat * SEAT_SIZE + CARDS_AT + kind
        by_rank: i64 = seat * SEAT_SIZE + self.prepared.rank_of[kind]
        packed[by_kind] = packed[by_kind] + 1
        packed[by_rank] = packed[by_rank] + 1
        self.set_hand_size(seat, self.size(seat) + 1)

    def remove(self, seat: int, kind: int) -> None:
        """Take a card that is there out of a hand."""
        packed = self.packed
        by_kind: i64 = seat * SEAT_SIZE + CARDS_AT + kind
        by_rank: i64 = seat * SEAT_SIZE + self.prepared.rank_of[kind]
        packed[by_kind] = packed[by_kind] - 1
        packed[by_rank] = packed[by_rank] - 1
        self.set_hand_size(seat, self.size(seat) - 1)
        if self.known(seat, kind) > 0:
            self.note_known(seat, kind, -1)

    def note_known(self, seat: int, kind: int, by: int) -> None:
        """Count what everyone knows a seat to hold."""
        at = seat * SEAT_SIZE + KNOWN_AT + kind
        before: int = self.packed[at]  # as a byte it would make one of what is added, too
        self.packed[at] = before + by

    def hide(self, seat: int) -> None:
        """Forget what the seat holds, but for its size and what is known of it."""
        for at in range(seat * SEAT_SIZE, seat * SEAT_SIZE + KNOWN_AT):
            self.packed[at] = 0

    def take_over(self, seat: int, other: "CardsInPlay") -> None:
        """Let the seat hold what it holds in another state, known cards included."""
        for at in range(seat * SEAT_SIZE, seat * SEAT_SIZE + SIZE_AT):
            self.packed[at] = other.packed[at]

    def bonus_cards(self, seat: int) -> int:
        """How many cards the seat holds that are laid out for points and never melded or discarded."""
        first = seat * SEAT_SIZE
        count = 0
        for rank in self.prepared.bonus_ranks:
            count += self.packed[first + rank]
        return count

    def any_bonus_card(self, seat: int) -> int:
        """The first kind of them that the seat holds; it must hold one."""
        for rank in self.prepared.bonus_ranks:
            if self.count(seat, rank) > 0:
                return self.any_kind(seat, rank)
        raise ValueError("no bonus card in the hand")

    def stop_cards(self, seat: int) -> int:
        """How many cards the seat holds that stop the pile and are melded only in going out."""
        first = seat * SEAT_SIZE
        count = 0
        for rank in self.prepared.stop_ranks:
            count += self.packed[first + rank]
        return count

    def any_kind(self, seat: int, rank: int) -> int:
        """The first kind of this rank that the seat holds; it must hold one."""
        if rank <= TWO:
            for kind in range(rank * 4, rank * 4 + 4):
                if self.held(seat, kind) > 0:
                    return kind
        else:
            for kind in self.prepared.kinds_of[rank]:
                if self.held(seat, kind) > 0:
                    return kind
        raise ValueError("no card of that rank in the hand")

    # -- stock and pile -------------------------------------------------------------------------------

    def deck_size(self) -> int:
        """How many cards the deck had that was dealt from; those before `at` are gone."""
        return two_bytes(self.packed, self.offsets.deck_size_at)

    def deck_card(self, at: i64) -> int:
        """The card at this place of the deck."""
        number: int = self.packed[self.offsets.deck_at + at]
        return number - 1

    @property
    def deck(self) -> list[int]:
        """A list of all its cards; `set_deck` changes them."""
        return self._cards(self.offsets.deck_at, self.deck_size())

    def set_deck(self, kinds: list[int]) -> None:
        self._set_cards(self.offsets.deck_at, self.offsets.deck_size_at, kinds)

    def stock_size(self) -> int:
        return self.deck_size() - self.at

    def stock_is_out(self) -> bool:
        """There is nothing left to draw; the last cards may have to stay where they are (END-9)."""
        return self.at + self.prepared.floor >= self.deck_size()

    def pile_size(self) -> int:
        return two_bytes(self.packed, self.offsets.pile_size_at)

    def pile_card(self, at: i64) -> int:
        """A card of the pile, counted from the bottom."""
        number: int = self.packed[self.offsets.pile_at + at]
        return number - 1

    def top_card(self) -> int:
        """The card on top of a pile that has one."""
        return self.pile_card(self.pile_size() - 1)

    @property
    def pile(self) -> list[int]:
        """A list of all its cards, bottom to top; `set_pile` changes them."""
        return self._cards(self.offsets.pile_at, self.pile_size())

    def set_pile(self, kinds: list[int]) -> None:
        self._set_cards(self.offsets.pile_at, self.offsets.pile_size_at, kinds)

    def put_on_pile(self, kind: int) -> None:
        size = self.pile_size()
        self.packed[self.offsets.pile_at + size] = kind + 1
        set_two_bytes(self.packed, self.offsets.pile_size_at, size + 1)

    def lift_top_card(self) -> int:
        """Take the top card off the pile."""
        size = self.pile_size() - 1
        top = self.pile_card(size)
        self.packed[self.offsets.pile_at + size] = 0
        set_two_bytes(self.packed, self.offsets.pile_size_at, size)
        return top

    def _cards(self, first: i64, count: i64) -> list[int]:
        # A card is written as its kind and one more, so that one that nobody sees (-1) is a byte, too.
        kinds: list[int] = []
        packed = self.packed
        at: i64
        for at in range(first, first + count):
            number: int = packed[at]
            kinds.append(number - 1)
        return kinds

    def _set_cards(self, first: i64, size_at: i64, kinds: list[int]) -> None:
        packed = self.packed
        before = first + two_bytes(packed, size_at)
        at = first
        for kind in kinds:
            packed[at] = kind + 1
            at += 1
        # What lay there before is gone, also for those who look at the bytes.
        while at < before:
            packed[at] = 0
            at += 1
        set_two_bytes(packed, size_at, len(kinds))

    # -- sides ----------------------------------------------------------------------------------------

    def _numbers_at(self, side: i64) -> i64:
        return self.offsets.melds_at + side * self.offsets.side_size - SIDE_NUMBERS

    def opened(self, side: i64) -> bool:
        """The side has made its first meld."""
        return self.packed[self._numbers_at(side) + OPENED] > 0

    def pot_taker(self, side: i64) -> int:
        """The seat that took the side's pot; -1 while none has."""
        taker: int = self.packed[self._numbers_at(side) + POT_TAKER]
        return taker - 1

    def pot_takers(self) -> list[int]:
        """The same for all sides."""
        return [self.pot_taker(side) for side in range(self.offsets.sides)]

    def caliente_played(self, side: i64) -> int:
        return self.packed[self._numbers_at(side) + CALIENTES]

    def asks(self, side: i64) -> int:
        """How often the side has asked in this hand, where that is limited."""
        return self.packed[self._numbers_at(side) + ASKS]

    def mark_side(self, side: i64, what: i64, number: int) -> None:
        """Set `OPENED`, `POT_TAKER` (the seat and one more), `CALIENTES` or `ASKS`."""
        self.packed[self._numbers_at(side) + what] = number

    def minimum(self, side: i64) -> int:
        """What the side's first meld must reach."""
        return two_bytes(self.packed, self._numbers_at(side) + MINIMUM_AT)

    def set_minimum(self, side: i64, minimum: int) -> None:
        set_two_bytes(self.packed, self._numbers_at(side) + MINIMUM_AT, minimum)

    def put_backs(self, side: i64) -> int:
        """How many piles the side has put back."""
        return two_bytes(self.packed, self._numbers_at(side) + PUT_BACKS_AT)

    def set_put_backs(self, side: i64, number: int) -> None:
        set_two_bytes(self.packed, self._numbers_at(side) + PUT_BACKS_AT, number)

    def points(self, side: i64) -> int:
        """Value of the melded cards."""
        at = self._numbers_at(side) + POINTS_AT
        high: int = self.packed[at + 2]
        return two_bytes(self.packed, at) + 65536 * high

    def set_points(self, side: i64, points: int) -> None:
        at = self._numbers_at(side) + POINTS_AT
        set_two_bytes(self.packed, at, points & 65535)
        self.packed[at + 2] = points >> 16

    # -- melds ----------------------------------------------------------------------------------------

    def _melds_at(self, side: i64) -> i64:
        return self.offsets.melds_at + side * self.offsets.side_size

    def naturals(self, side: i64, slot: i64) -> int:
        return self.packed[self._melds_at(side) + slot]

    def naturals_of(self, side: int) -> list[int]:
        """Those of all slots."""
        return self._row(self._melds_at(side), self.offsets.slots)

    def wilds(self, side: i64, slot: i64) -> int:
        return self.packed[self._melds_at(side) + self.offsets.slots + slot]

    def wilds_of(self, side: int) -> list[int]:
        """Those of all slots."""
        return self._row(self._melds_at(side) + self.offsets.slots, self.offsets.slots)

    def set_set(self, side: int, slot: int, naturals: int, wilds: int) -> None:
        """Let so many naturals and wilds lie in a set."""
        at = self._melds_at(side) + slot
        self.packed[at] = naturals
        self.packed[at + self.offsets.slots] = wilds

    def set_size(self, side: i64, slot: i64) -> int:
        at = self._melds_at(side) + slot
        return self.packed[at] + self.packed[at + self.offsets.slots]

    def set_count(self, side: i64) -> int:
        """How many sets the side has."""
        return self.packed[self._melds_at(side) + self.offsets.sets_from]

    def slot_of_set(self, side: i64, number: i64) -> int:
        """Where one of its sets lies; they are numbered from 0 in the order laid."""
        return self.packed[self._melds_at(side) + self.offsets.sets_from + 1 + number]

    def sets_of(self, side: int) -> list[int]:
        """Where all of them lie, in the order laid."""
        return self._row(self._melds_at(side) + self.offsets.sets_from + 1, self.set_count(side))

    def start_set(self, side: int, slot: int) -> None:
        """A new set lies in this slot."""
        at = self._melds_at(side) + self.offsets.sets_from
        count: int = self.packed[at]
        self.packed[at + 1 + count] = slot
        self.packed[at] = count + 1

    def laid_count(self, side: i64) -> int:
        """How many cards the side has melded."""
        return two_bytes(self.packed, self._numbers_at(side) + LAID_AT)

    def laid_of(self, side: int) -> list[int]:
        """Every card that the side has melded in the order laid, as (meld << 6) | kind; runs count on after
        the slots."""
        return [self.laid_at(at) for at in range(self.laid_by_all()) if self.laid_by(at) == side]

    def laid_by_all(self) -> int:
        """How many cards all sides have melded: they are written down one after the other."""
        return (len(self.packed) - self.offsets.laid_from) // ENTRY

    def laid_at(self, at: i64) -> int:
        """One of them, as `laid_of` tells it."""
        return two_bytes(self.packed, self.offsets.laid_from + ENTRY * at)

    def laid_by(self, at: i64) -> int:
        """The side that laid it."""
        return self.packed[self.offsets.laid_from + ENTRY * at + 2]

    def note_laid(self, side: int, meld: int, kind: int) -> None:
        """Write down a card that is laid on a meld."""
        laid = (meld << 6) | kind
        append_two_bytes(self.packed, laid)
        self.packed.append(side)
        set_two_bytes(self.packed, self._numbers_at(side) + LAID_AT, self.laid_count(side) + 1)

    def canastas(self, side: int, kind: int) -> int:
        """How many canastas of this kind the side has."""
        return self.packed[self._melds_at(side) + 2 * self.offsets.slots + kind]

    def canastas_of(self, side: int) -> list[int]:
        """Those of all kinds."""
        return self._row(self._melds_at(side) + 2 * self.offsets.slots, CANASTA_KINDS)

    def count_canasta(self, side: int, kind: int, by: int) -> None:
        at = self._melds_at(side) + 2 * self.offsets.slots + kind
        before: int = self.packed[at]  # as a byte it would make one of what is added, too
        self.packed[at] = before + by

    def canasta_kind(self, naturals: int, wilds: int) -> int:
        """Which canasta a set of these cards is; `NOT_A_CANASTA` when it is too small."""
        if naturals + wilds < self.prepared.canasta_size:
            return NOT_A_CANASTA
        if wilds == 0:
            return NATURAL
        return MIXED if naturals > 0 else WILD
