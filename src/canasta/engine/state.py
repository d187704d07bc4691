"""The state of a hand in progress: the location of every card, and the facts of the turn."""

from typing import Final

from librt.strings import BytesWriter
from mypy_extensions import i64

from canasta.engine.cards import KINDS, RANKS, TWO
from canasta.engine.compiled_rules import CompiledRules
from canasta.engine.events import Event
from canasta.engine.layout import (
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
    append_two_bytes,
    set_two_bytes,
    two_bytes,
)
from canasta.engine.melds import MIXED, NATURAL, NOT_A_CANASTA, WILD

DRAW: Final = 0
PLAY: Final = 1
ANSWER: Final = 2
OVER: Final = 3

NOT_ASKED: Final = 0
SAID_YES: Final = 1
SAID_NO: Final = 2


class CardsInPlay:
    """Card counts and piles, packed into one byte buffer; the base class of `HandState`.

    Hands are stored as counts, by kind and by rank. Sets are stored by *slot* (see `Slots`). The stock is the
    part of the deck from index `at` on.
    """

    # These fields come first in memory, before those of `HandState`.
    packed: BytesWriter
    """Card counts, deck, pile and melded cards. Use the methods below to read it; only code that scans
    much of it at every step (legal steps, the observer) reads the bytes directly."""
    offsets: Offsets
    """Offsets of the fields in `packed`."""
    compiled: CompiledRules
    side_of: list[int]
    at: int

    # -- cards ----------------------------------------------------------------------------------------

    def size(self, seat: i64) -> int:
        """Return the number of cards in the seat's hand."""
        return two_bytes(self.packed, seat * SEAT_SIZE + SIZE_AT)

    def sizes(self) -> list[int]:
        """Return the hand size of every seat."""
        return [self.size(seat) for seat in range(len(self.side_of))]

    def set_hand_size(self, seat: i64, size: int) -> None:
        """Set the size of the seat's hand without changing its cards."""
        set_two_bytes(self.packed, seat * SEAT_SIZE + SIZE_AT, size)

    def foot_waits(self, seat: i64) -> bool:
        """Return whether the seat has yet to pick up a foot, or its side's pot."""
        return self.packed[seat * SEAT_SIZE + FOOT_WAITS] > 0

    def feet_wait(self) -> list[bool]:
        """Return `foot_waits` for every seat."""
        return [self.foot_waits(seat) for seat in range(len(self.side_of))]

    def foot_played(self, seat: i64) -> bool:
        return self.packed[seat * SEAT_SIZE + FOOT_PLAYED] > 0

    def has_melded(self, seat: i64) -> bool:
        return self.packed[seat * SEAT_SIZE + HAS_MELDED] > 0

    def mark_seat(self, seat: i64, what: i64, is_so: bool) -> None:
        """Set the flag `FOOT_WAITS`, `FOOT_PLAYED` or `HAS_MELDED` of a seat."""
        self.packed[seat * SEAT_SIZE + what] = 1 if is_so else 0

    def count(self, seat: i64, rank: i64) -> int:
        """Return how many cards of this rank the seat holds."""
        return self.packed[seat * SEAT_SIZE + rank]

    def counts_of(self, seat: int) -> list[int]:
        """Return the seat's card counts by rank."""
        return self._row(seat * SEAT_SIZE, RANKS)

    def held(self, seat: i64, kind: i64) -> int:
        """Return how many cards of this kind the seat holds."""
        return self.packed[seat * SEAT_SIZE + CARDS_AT + kind]

    def cards_of(self, seat: int) -> list[int]:
        """Return the seat's card counts by kind."""
        return self._row(seat * SEAT_SIZE + CARDS_AT, KINDS)

    def known(self, seat: i64, kind: i64) -> int:
        """Return how many cards of this kind the seat publicly holds, because they came with the pile."""
        return self.packed[seat * SEAT_SIZE + KNOWN_AT + kind]

    def known_of(self, seat: int) -> list[int]:
        """Return the publicly known counts by kind."""
        return self._row(seat * SEAT_SIZE + KNOWN_AT, KINDS)

    def write_counts_to(self, row: BytesWriter, seat: int) -> None:
        """Append the seat's counts by rank to `row`, one byte each."""
        # Copy byte by byte: `getvalue` would copy the whole buffer.
        packed = self.packed
        first: i64 = seat * SEAT_SIZE
        rank: i64
        for rank in range(RANKS):
            row.append(packed[first + rank])

    def write_cards_to(self, row: BytesWriter, seat: int) -> None:
        """Append the seat's counts by kind to `row`, one byte each."""
        first = seat * SEAT_SIZE + CARDS_AT
        row.write(self.packed.getvalue()[first : first + KINDS])

    def _row(self, first: i64, length: i64) -> list[int]:
        packed = self.packed
        return [packed[at] for at in range(first, first + length)]

    def give(self, seat: int, kind: int) -> None:
        """Put a card into a hand."""
        packed = self.packed
        by_kind: i64 = seat * SEAT_SIZE + CARDS_AT + kind
        by_rank: i64 = seat * SEAT_SIZE + self.compiled.rank_of[kind]
        packed[by_kind] = packed[by_kind] + 1
        packed[by_rank] = packed[by_rank] + 1
        self.set_hand_size(seat, self.size(seat) + 1)

    def remove(self, seat: int, kind: int) -> None:
        """Remove a card from a hand. The hand must contain it."""
        packed = self.packed
        by_kind: i64 = seat * SEAT_SIZE + CARDS_AT + kind
        by_rank: i64 = seat * SEAT_SIZE + self.compiled.rank_of[kind]
        packed[by_kind] = packed[by_kind] - 1
        packed[by_rank] = packed[by_rank] - 1
        self.set_hand_size(seat, self.size(seat) - 1)
        if self.known(seat, kind) > 0:
            self.note_known(seat, kind, -1)

    def note_known(self, seat: int, kind: int, by: int) -> None:
        """Change by `by` the number of cards of this kind that everyone knows the seat to hold."""
        at = seat * SEAT_SIZE + KNOWN_AT + kind
        before: int = self.packed[at]  # plain `int`: with `u8` the sum would wrap
        self.packed[at] = before + by

    def hide(self, seat: int) -> None:
        """Erase the seat's cards, but keep its hand size and its publicly known cards."""
        for at in range(seat * SEAT_SIZE, seat * SEAT_SIZE + KNOWN_AT):
            self.packed[at] = 0

    def take_over(self, seat: int, other: "CardsInPlay") -> None:
        """Copy the seat's hand from another state, including its known cards."""
        for at in range(seat * SEAT_SIZE, seat * SEAT_SIZE + SIZE_AT):
            self.packed[at] = other.packed[at]

    def bonus_cards(self, seat: int) -> int:
        """Return how many bonus cards, which are laid out for points and never melded, the seat holds."""
        first = seat * SEAT_SIZE
        count = 0
        for rank in self.compiled.bonus_ranks:
            count += self.packed[first + rank]
        return count

    def any_bonus_card(self, seat: int) -> int:
        """Return the first kind of bonus card that the seat holds. It must hold one."""
        for rank in self.compiled.bonus_ranks:
            if self.count(seat, rank) > 0:
                return self.any_kind(seat, rank)
        raise ValueError("no bonus card in the hand")

    def stop_cards(self, seat: int) -> int:
        """Return how many stop cards the seat holds: black threes, which keep the pile from being taken."""
        first = seat * SEAT_SIZE
        count = 0
        for rank in self.compiled.stop_ranks:
            count += self.packed[first + rank]
        return count

    def any_kind(self, seat: int, rank: int) -> int:
        """Return the first kind of this rank that the seat holds. It must hold one."""
        if rank <= TWO:
            for kind in range(rank * 4, rank * 4 + 4):
                if self.held(seat, kind) > 0:
                    return kind
        else:
            for kind in self.compiled.kinds_of[rank]:
                if self.held(seat, kind) > 0:
                    return kind
        raise ValueError("no card of that rank in the hand")

    # -- stock and pile -------------------------------------------------------------------------------

    def deck_size(self) -> int:
        """Return the size of the deck that was dealt from, including the cards before `at` that are gone."""
        return two_bytes(self.packed, self.offsets.deck_size_at)

    def deck_card(self, at: i64) -> int:
        """Return the deck's card at index `at`."""
        number: int = self.packed[self.offsets.deck_at + at]
        return number - 1

    @property
    def deck(self) -> list[int]:
        """The deck as a new list. Call `set_deck` to change it."""
        return self._cards(self.offsets.deck_at, self.deck_size())

    def set_deck(self, kinds: list[int]) -> None:
        self._set_cards(self.offsets.deck_at, self.offsets.deck_size_at, kinds)

    def stock_size(self) -> int:
        return self.deck_size() - self.at

    def stock_is_out(self) -> bool:
        """Return whether nothing is left to draw. The ruleset may reserve the last cards (END-9)."""
        return self.at + self.compiled.floor >= self.deck_size()

    def pile_size(self) -> int:
        return two_bytes(self.packed, self.offsets.pile_size_at)

    def pile_card(self, at: i64) -> int:
        """Return the pile's card at index `at`, counted from the bottom."""
        number: int = self.packed[self.offsets.pile_at + at]
        return number - 1

    def top_card(self) -> int:
        """Return the top card of the pile, which must not be empty."""
        return self.pile_card(self.pile_size() - 1)

    @property
    def pile(self) -> list[int]:
        """The pile as a new list, bottom to top. Call `set_pile` to change it."""
        return self._cards(self.offsets.pile_at, self.pile_size())

    def set_pile(self, kinds: list[int]) -> None:
        self._set_cards(self.offsets.pile_at, self.offsets.pile_size_at, kinds)

    def put_on_pile(self, kind: int) -> None:
        size = self.pile_size()
        self.packed[self.offsets.pile_at + size] = kind + 1
        set_two_bytes(self.packed, self.offsets.pile_size_at, size + 1)

    def lift_top_card(self) -> int:
        """Remove the top card from the pile and return it."""
        size = self.pile_size() - 1
        top = self.pile_card(size)
        self.packed[self.offsets.pile_at + size] = 0
        set_two_bytes(self.packed, self.offsets.pile_size_at, size)
        return top

    def _cards(self, first: i64, count: i64) -> list[int]:
        # A card is stored as its kind plus one, so that a hidden card (-1) also fits into a byte.
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
        # Erase the old cards, so that nobody can read them in the bytes either.
        while at < before:
            packed[at] = 0
            at += 1
        set_two_bytes(packed, size_at, len(kinds))

    # -- sides ----------------------------------------------------------------------------------------

    def _numbers_at(self, side: i64) -> i64:
        return self.offsets.melds_at + side * self.offsets.side_size - SIDE_NUMBERS

    def opened(self, side: i64) -> bool:
        """Return whether the side has made its first meld."""
        return self.packed[self._numbers_at(side) + OPENED] > 0

    def pot_taker(self, side: i64) -> int:
        """Return the seat that took the side's pot, or -1."""
        taker: int = self.packed[self._numbers_at(side) + POT_TAKER]
        return taker - 1

    def pot_takers(self) -> list[int]:
        """Return `pot_taker` for every side."""
        return [self.pot_taker(side) for side in range(self.offsets.sides)]

    def caliente_played(self, side: i64) -> int:
        return self.packed[self._numbers_at(side) + CALIENTES]

    def asks(self, side: i64) -> int:
        """Return how often the side has asked to go out in this hand; only counted if the rules limit it."""
        return self.packed[self._numbers_at(side) + ASKS]

    def mark_side(self, side: i64, what: i64, number: int) -> None:
        """Set `OPENED`, `POT_TAKER` (the seat plus one), `CALIENTES` or `ASKS` of a side."""
        self.packed[self._numbers_at(side) + what] = number

    def minimum(self, side: i64) -> int:
        """Return the minimum value of the side's first meld."""
        return two_bytes(self.packed, self._numbers_at(side) + MINIMUM_AT)

    def set_minimum(self, side: i64, minimum: int) -> None:
        set_two_bytes(self.packed, self._numbers_at(side) + MINIMUM_AT, minimum)

    def put_backs(self, side: i64) -> int:
        """Return how many piles the side has put back."""
        return two_bytes(self.packed, self._numbers_at(side) + PUT_BACKS_AT)

    def set_put_backs(self, side: i64, number: int) -> None:
        set_two_bytes(self.packed, self._numbers_at(side) + PUT_BACKS_AT, number)

    def points(self, side: i64) -> int:
        """Return the total value of the side's melded cards."""
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
        """Return the number of naturals in every slot."""
        return self._row(self._melds_at(side), self.offsets.slots)

    def wilds(self, side: i64, slot: i64) -> int:
        return self.packed[self._melds_at(side) + self.offsets.slots + slot]

    def wilds_of(self, side: int) -> list[int]:
        """Return the number of wilds in every slot."""
        return self._row(self._melds_at(side) + self.offsets.slots, self.offsets.slots)

    def write_set(self, side: int, slot: int, naturals: int, wilds: int) -> None:
        """Set the number of naturals and wilds in a set."""
        at = self._melds_at(side) + slot
        self.packed[at] = naturals
        self.packed[at + self.offsets.slots] = wilds

    def size_of_set(self, side: i64, slot: i64) -> int:
        at = self._melds_at(side) + slot
        return self.packed[at] + self.packed[at + self.offsets.slots]

    def number_of_sets(self, side: i64) -> int:
        """Return how many sets the side has."""
        return self.packed[self._melds_at(side) + self.offsets.sets_from]

    def slot_of_set(self, side: i64, number: i64) -> int:
        """Return the slot of one of the side's sets; sets are numbered from 0 in the order laid."""
        return self.packed[self._melds_at(side) + self.offsets.sets_from + 1 + number]

    def sets_of(self, side: int) -> list[int]:
        """Return the slots of the side's sets, in the order laid."""
        return self._row(self._melds_at(side) + self.offsets.sets_from + 1, self.number_of_sets(side))

    def begin_set(self, side: int, slot: int) -> None:
        """Register a new set in this slot."""
        at = self._melds_at(side) + self.offsets.sets_from
        count: int = self.packed[at]
        self.packed[at + 1 + count] = slot
        self.packed[at] = count + 1

    def laid_count(self, side: i64) -> int:
        """Return how many cards the side has melded."""
        return two_bytes(self.packed, self._numbers_at(side) + LAID_AT)

    def cards_laid_by(self, side: int) -> list[int]:
        """Return every card the side has melded, in the order laid, as `(meld << 6) | kind`.

        `meld` is the slot of a set, or the number of a sequence; these continue after the slots.
        """
        return [self.laid_card(at) for at in range(self.total_laid()) if self.side_of_laid(at) == side]

    def total_laid(self) -> int:
        """Return how many cards all sides together have melded; they are stored in one list."""
        return (len(self.packed) - self.offsets.laid_from) // ENTRY

    def laid_card(self, at: i64) -> int:
        """Return the melded card at index `at`, packed as in `cards_laid_by`."""
        return two_bytes(self.packed, self.offsets.laid_from + ENTRY * at)

    def side_of_laid(self, at: i64) -> int:
        """Return the side that melded the card at index `at`."""
        return self.packed[self.offsets.laid_from + ENTRY * at + 2]

    def note_laid(self, side: int, meld: int, kind: int) -> None:
        """Record a card that is laid on a meld."""
        laid = (meld << 6) | kind
        append_two_bytes(self.packed, laid)
        self.packed.append(side)
        set_two_bytes(self.packed, self._numbers_at(side) + LAID_AT, self.laid_count(side) + 1)

    def canastas(self, side: int, kind: int) -> int:
        """Return how many canastas of this kind the side has."""
        return self.packed[self._melds_at(side) + 2 * self.offsets.slots + kind]

    def canasta_counts(self, side: int) -> list[int]:
        """Return the side's number of canastas of every kind."""
        return self._row(self._melds_at(side) + 2 * self.offsets.slots, CANASTA_KINDS)

    def count_canasta(self, side: int, kind: int, by: int) -> None:
        at = self._melds_at(side) + 2 * self.offsets.slots + kind
        before: int = self.packed[at]  # plain `int`: with `u8` the sum would wrap
        self.packed[at] = before + by

    def canasta_kind(self, naturals: int, wilds: int) -> int:
        """Return the kind of canasta a set of these cards is, or `NOT_A_CANASTA` if it is too small."""
        if naturals + wilds < self.compiled.canasta_size:
            return NOT_A_CANASTA
        if wilds == 0:
            return NATURAL
        return MIXED if naturals > 0 else WILD


class HandState(CardsInPlay):
    """The whole hand, hidden cards included. Only the engine handles it; everyone else gets a `View`."""

    # Memory order: fields that nearly every step reads come first.
    turn: int
    phase: int
    changes: int
    """Counter that increases whenever cards are melded, laid out or taken back."""
    before_take: "HandState | None"
    log: list[Event] | None
    opening_points: int
    frozen: bool
    """Whether a card in the pile freezes it; see also `law.pile.is_frozen`."""
    pile_is_from_deal: bool
    fresh: bool
    """Whether the player had melded nothing in this hand before this turn."""
    melded_now: bool
    pile_due: bool
    """Whether the top card is melded but the rest of the pile waits for the first meld's minimum."""
    took_back: bool
    caliente_now: bool
    black_threes_now: bool
    no_discard: bool
    last_discard: bool
    face_down: bool
    """Whether the last card was discarded face down in going out, so that nobody else sees it (DISC-8)."""
    top_due: bool
    """Whether the top card of the pile has been lifted and must be melded next (PILE-16)."""
    asked: int
    answering: int
    minimum_surcharge: int
    """Increase of the first-meld minimum if the top card does not count (OPEN-3)."""
    partner: list[int]
    """For each seat, the next teammate in turn order, who answers its question; -1 without a partner."""
    next_seat: list[int]
    talon_due: int
    """Number of talon cards the player gets after the discard."""
    laid_before: int
    """Number of cards the side had melded when the turn began."""
    not_returned: int
    """The only card of the pile taken this turn; it must not be
    discarded until it is melded (DISC-9). -1: none."""
    turns_without_draw: int
    taken_top: int
    """The top card melded in taking the pile, while the rest of the pile is due."""
    asked_in: int
    stuck: int
    """Reason code why the last card just laid does not end the hand. Only trial states have one."""
    order: list[int]
    sides: int
    bonus: list[list[int]]
    bonus_in_game: int
    """Number of bonus cards in the game."""
    runs: list[list[int]]
    """Sequences by side, each packed as `(suit << 8) | (lowest rank << 4) | length`."""
    feet: list[list[int]]
    pots: list[list[int]]
    """Pots that nobody has taken, the next one first."""
    talons: list[list[int]]
    """Talon cards waiting for the next turn, by seat. Replaced, never modified in place."""
    special: int
    """Index of the special hand that was laid down; -1 if none."""
    special_by: int
    special_cards: list[int]
    out: int

    def copy(self) -> "HandState":
        """Return an independent copy. The feet, and data that never changes, are shared."""
        new = HandState()
        new.packed = BytesWriter()
        new.copy_from(self)
        return new

    def __copy__(self) -> "HandState":
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> "HandState":
        return self.copy()

    def copy_from(self, other: "HandState") -> None:
        """Become an independent copy of another state.

        Runs are copied. Lists that rarely change (red threes) are replaced rather than modified, so copies
        can share them; so can lists that never change under these rules.
        """
        self.compiled = other.compiled
        self.order = other.order
        self.side_of = other.side_of
        self.sides = other.sides
        self.next_seat = other.next_seat
        self.partner = other.partner
        self.log = None
        # Reuse the buffer, so that each of thousands of tables keeps its place in memory.
        self.packed.truncate(0)
        self.packed.write(other.packed.getvalue())
        self.offsets = other.offsets
        self.feet = other.feet
        self.pots = other.pots
        self.at = other.at
        self.bonus_in_game = other.bonus_in_game
        self.frozen = other.frozen
        self.pile_is_from_deal = other.pile_is_from_deal
        self.runs = [runs.copy() for runs in other.runs] if other.compiled.runs else other.runs
        self.changes = other.changes
        self.bonus = other.bonus.copy()
        self.talons = other.talons
        self.special = other.special
        self.special_by = other.special_by
        self.special_cards = other.special_cards
        self.talon_due = other.talon_due
        self.turn = other.turn
        self.phase = other.phase
        self.asked = other.asked
        self.asked_in = other.asked_in
        self.answering = other.answering
        self.fresh = other.fresh
        self.laid_before = other.laid_before
        self.melded_now = other.melded_now
        self.opening_points = other.opening_points
        self.minimum_surcharge = other.minimum_surcharge
        self.pile_due = other.pile_due
        self.taken_top = other.taken_top
        self.took_back = other.took_back
        self.caliente_now = other.caliente_now
        self.black_threes_now = other.black_threes_now
        self.no_discard = other.no_discard
        self.last_discard = other.last_discard
        self.face_down = other.face_down
        self.top_due = other.top_due
        self.not_returned = other.not_returned
        self.turns_without_draw = other.turns_without_draw
        self.stuck = other.stuck
        self.before_take = other.before_take
        self.out = other.out

    # -- the turn -------------------------------------------------------------------------------------

    def laid_now(self) -> list[int]:
        """Return the cards melded in this turn, packed as in `cards_laid_by`.

        They are the last ones in the list.
        """
        end = self.total_laid()
        new = self.laid_count(self.side_of[self.turn]) - self.laid_before
        return [self.laid_card(at) for at in range(end - new, end)]

    def is_opening(self) -> bool:
        """Return whether the side's first meld is in progress: cards are laid, but not enough yet."""
        return self.melded_now and not self.opened(self.side_of[self.turn])


def cards_held(state: HandState, seat: int) -> list[int]:
    """Return the cards of a hand, ordered by kind."""
    cards = state.cards_of(seat)
    return [kind for kind in range(KINDS) for _ in range(cards[kind])]
