"""A hand in progress: where every card lies, and the facts of the turn."""

import copyreg
from collections.abc import Callable
from typing import Final

from librt.strings import BytesWriter
from mypy_extensions import i64

from canasta.engine.cards import KINDS, RANKS, TWO
from canasta.engine.events import Event
from canasta.engine.prepared import PreparedRules

DRAW: Final = 0
PLAY: Final = 1
ANSWER: Final = 2
OVER: Final = 3

NATURAL: Final = 0
MIXED: Final = 1
WILD: Final = 2
SAMBA: Final = 3
NOT_A_CANASTA: Final = -1

NOT_ASKED: Final = 0
SAID_YES: Final = 1
SAID_NO: Final = 2


# What is counted lies in one row of bytes, `HandState.packed`: it is copied at once, and the numbers that a
# step asks for lie close together, which is what thousands of tables need. No kind or rank has as many cards
# as a byte can count; what can be more has two bytes, the lower first, or three.
# A seat's part of it: what it holds by rank and by kind, what everyone knows it to hold, how many cards it
# holds (two bytes), and three flags.
CARDS_AT: Final = RANKS
KNOWN_AT: Final = CARDS_AT + KINDS
SIZE_AT: Final = KNOWN_AT + KINDS
FOOT_WAITS: Final = SIZE_AT + 2
FOOT_PLAYED: Final = FOOT_WAITS + 1
HAS_MELDED: Final = FOOT_PLAYED + 1
SEAT_SIZE: Final = HAS_MELDED + 1
# A side's part, after those of the seats: single numbers, naturals by slot, wilds by slot, canastas by kind.
OPENED: Final = 0
POT_TAKER: Final = 1
CALIENTES: Final = 2
ASKS: Final = 3
MINIMUM_AT: Final = 4
PUT_BACKS_AT: Final = 6
POINTS_AT: Final = 8
SIDE_NUMBERS: Final = 11
CANASTA_KINDS: Final = 4


class HandState:
    """The whole hand, hidden cards included; only the engine handles it, everyone else gets a view.

    Sets are kept by *slot* (`Slots`). Hands are counts, by kind and by rank. The stock is `deck[at:]`; the
    deck itself never changes, so that copies share it.
    """

    # In this order they lie in memory: first what nearly every step asks for.
    packed: BytesWriter
    """What is counted; the methods below read it."""
    prepared: PreparedRules
    turn: int
    phase: int
    melds_at: int
    """Where in `packed` the sets of the first side begin."""
    side_size: int
    """From a side's sets to those of the next."""
    wilds_at: int
    """Where the wilds begin, counted from a side's sets."""
    side_of: list[int]
    pile: list[int]
    deck: list[int]
    at: int
    sets: list[list[int]]
    """Slots in use, in the order laid."""
    changes: int
    """Rises whenever cards are laid out on the table or taken back from it."""
    before_take: "HandState | None"
    asked: int
    answering: int
    opening_points: int
    opening_extra: int
    """What the minimum rises by when the top card does not count (OPEN-3)."""
    frozen: bool
    pile_is_from_deal: bool
    fresh: bool
    """The player had melded nothing before this turn."""
    melded_now: bool
    pile_due: bool
    """The top card is melded; the rest of the pile comes once the first meld reaches its minimum."""
    took_back: bool
    caliente_now: bool
    black_threes_now: bool
    no_discard: bool
    last_discard: bool
    top_due: bool
    """The top card of the pile was lifted and must go into a meld before anything else is done (PILE-16)."""
    partner: list[int]
    """For each seat the next teammate in turn order, who answers a question; -1 for a player alone."""
    next_seat: list[int]
    log: list[Event] | None
    talon_due: int
    """How many talon cards the player gets after the discard."""
    laid: list[list[int]]
    """Every melded card in the order laid, as (meld << 6) | kind; runs count on after the slots."""
    laid_before: int
    """How many cards the side had melded when the turn began."""
    not_returned: int
    """The single card of a pile that was taken, which is not discarded in this turn (DISC-9); -1: none."""
    turns_without_draw: int
    taken_top: int
    """The top card that was melded in taking the pile, while the rest is due."""
    asked_in: int
    stuck: int
    """Reason why the last card just laid does not end the hand; such a state is only ever a trial."""
    order: list[int]
    sides: int
    bonus: list[list[int]]
    bonus_in_game: int
    """How many bonus cards are in the game."""
    runs: list[list[int]]
    """Each run as (suit << 8) | (lowest rank << 4) | length."""
    feet: list[list[int]]
    pots: list[list[int]]
    """Those that nobody has taken, the next one first."""
    talons: list[list[int]]
    """By seat the talon cards that wait for the next turn; replaced when they change."""
    special: int
    """Which of the special hands was laid down; -1 when none was."""
    special_by: int
    special_cards: list[int]
    out: int

    def copy(self) -> "HandState":
        """An independent copy; the deck, the feet and what never changes are shared."""
        new = HandState()
        new.set_to(self)
        return new

    def __copy__(self) -> "HandState":
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> "HandState":
        return self.copy()

    def set_to(self, other: "HandState") -> None:
        """Become an independent copy of another state.

        Lists that change at every step are copied. Those that change seldom (red threes, which sets there
        are) are replaced when they change, so that copies share them until then; so do those that these
        rules never change at all.
        """
        self.prepared = other.prepared
        self.order = other.order
        self.side_of = other.side_of
        self.sides = other.sides
        self.next_seat = other.next_seat
        self.partner = other.partner
        self.log = None
        self.packed = bytes_writer(other.packed.getvalue())
        self.melds_at = other.melds_at
        self.wilds_at = other.wilds_at
        self.side_size = other.side_size
        self.feet = other.feet
        self.pots = other.pots
        self.deck = other.deck
        self.at = other.at
        self.bonus_in_game = other.bonus_in_game
        self.pile = other.pile.copy()
        self.frozen = other.frozen
        self.pile_is_from_deal = other.pile_is_from_deal
        self.sets = other.sets.copy()
        self.runs = [runs.copy() for runs in other.runs] if other.prepared.runs else other.runs
        self.laid = [laid.copy() for laid in other.laid]
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
        self.opening_extra = other.opening_extra
        self.pile_due = other.pile_due
        self.taken_top = other.taken_top
        self.took_back = other.took_back
        self.caliente_now = other.caliente_now
        self.black_threes_now = other.black_threes_now
        self.no_discard = other.no_discard
        self.last_discard = other.last_discard
        self.top_due = other.top_due
        self.not_returned = other.not_returned
        self.turns_without_draw = other.turns_without_draw
        self.stuck = other.stuck
        self.before_take = other.before_take
        self.out = other.out

    # -- cards ----------------------------------------------------------------------------------------

    def size(self, seat: i64) -> int:
        """How many cards the seat holds."""
        return self._two_bytes(seat * SEAT_SIZE + SIZE_AT)

    def sizes(self) -> list[int]:
        """The same for all seats."""
        return [self.size(seat) for seat in range(len(self.side_of))]

    def set_hand_size(self, seat: i64, size: int) -> None:
        """Let the seat hold so many cards, whichever they are."""
        self._set_two_bytes(seat * SEAT_SIZE + SIZE_AT, size)

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

    def _two_bytes(self, at: i64) -> int:
        low: int = self.packed[at]
        high: int = self.packed[at + 1]
        return low if high == 0 else low + 256 * high

    def _set_two_bytes(self, at: i64, number: int) -> None:
        self.packed[at] = number & 255
        self.packed[at + 1] = number >> 8

    def _row(self, first: int, length: int) -> list[int]:
        packed = self.packed
        return [packed[at] for at in range(first, first + length)]

    def give(self, seat: int, kind: int) -> None:
        """Put a card into a hand."""
        packed = self.packed
        by_kind = seat * SEAT_SIZE + CARDS_AT + kind
        by_rank = seat * SEAT_SIZE + self.prepared.rank_of[kind]
        packed[by_kind] = packed[by_kind] + 1
        packed[by_rank] = packed[by_rank] + 1
        self.set_hand_size(seat, self.size(seat) + 1)

    def remove(self, seat: int, kind: int) -> None:
        """Take a card that is there out of a hand."""
        packed = self.packed
        by_kind = seat * SEAT_SIZE + CARDS_AT + kind
        by_rank = seat * SEAT_SIZE + self.prepared.rank_of[kind]
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

    def take_over(self, seat: int, other: "HandState") -> None:
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

    def stock_size(self) -> int:
        return len(self.deck) - self.at

    def stock_is_out(self) -> bool:
        """There is nothing left to draw; the last cards may have to stay where they are (END-9)."""
        return self.at + self.prepared.floor >= len(self.deck)

    # -- sides ----------------------------------------------------------------------------------------

    def _numbers_at(self, side: i64) -> i64:
        return self.melds_at + side * self.side_size - SIDE_NUMBERS

    def opened(self, side: i64) -> bool:
        """The side has made its first meld."""
        return self.packed[self._numbers_at(side) + OPENED] > 0

    def pot_taker(self, side: i64) -> int:
        """The seat that took the side's pot; -1 while none has."""
        taker: int = self.packed[self._numbers_at(side) + POT_TAKER]
        return taker - 1

    def pot_takers(self) -> list[int]:
        """The same for all sides."""
        return [self.pot_taker(side) for side in range(self.sides)]

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
        return self._two_bytes(self._numbers_at(side) + MINIMUM_AT)

    def set_minimum(self, side: i64, minimum: int) -> None:
        self._set_two_bytes(self._numbers_at(side) + MINIMUM_AT, minimum)

    def put_backs(self, side: i64) -> int:
        """How many piles the side has put back."""
        return self._two_bytes(self._numbers_at(side) + PUT_BACKS_AT)

    def set_put_backs(self, side: i64, number: int) -> None:
        self._set_two_bytes(self._numbers_at(side) + PUT_BACKS_AT, number)

    def points(self, side: i64) -> int:
        """Value of the melded cards."""
        at = self._numbers_at(side) + POINTS_AT
        high: int = self.packed[at + 2]
        return self._two_bytes(at) + 65536 * high

    def set_points(self, side: i64, points: int) -> None:
        at = self._numbers_at(side) + POINTS_AT
        self._set_two_bytes(at, points & 65535)
        self.packed[at + 2] = points >> 16

    # -- melds ----------------------------------------------------------------------------------------

    def naturals(self, side: i64, slot: i64) -> int:
        return self.packed[self.melds_at + side * self.side_size + slot]

    def naturals_of(self, side: int) -> list[int]:
        """Those of all slots."""
        return self._row(self.melds_at + side * self.side_size, self.wilds_at)

    def wilds(self, side: i64, slot: i64) -> int:
        return self.packed[self.melds_at + side * self.side_size + self.wilds_at + slot]

    def wilds_of(self, side: int) -> list[int]:
        """Those of all slots."""
        return self._row(self.melds_at + side * self.side_size + self.wilds_at, self.wilds_at)

    def set_set(self, side: int, slot: int, naturals: int, wilds: int) -> None:
        """Let so many naturals and wilds lie in a set."""
        at = self.melds_at + side * self.side_size + slot
        self.packed[at] = naturals
        self.packed[at + self.wilds_at] = wilds

    def set_size(self, side: i64, slot: i64) -> int:
        at = self.melds_at + side * self.side_size + slot
        return self.packed[at] + self.packed[at + self.wilds_at]

    def canastas(self, side: int, kind: int) -> int:
        """How many canastas of this kind the side has."""
        return self.packed[self.melds_at + side * self.side_size + 2 * self.wilds_at + kind]

    def canastas_of(self, side: int) -> list[int]:
        """Those of all kinds."""
        return self._row(self.melds_at + side * self.side_size + 2 * self.wilds_at, CANASTA_KINDS)

    def count_canasta(self, side: int, kind: int, by: int) -> None:
        at = self.melds_at + side * self.side_size + 2 * self.wilds_at + kind
        before: int = self.packed[at]  # as a byte it would make one of what is added, too
        self.packed[at] = before + by

    def canasta_kind(self, naturals: int, wilds: int) -> int:
        """Which canasta a set of these cards is; `NOT_A_CANASTA` when it is too small."""
        if naturals + wilds < self.prepared.canasta_size:
            return NOT_A_CANASTA
        if wilds == 0:
            return NATURAL
        return MIXED if naturals > 0 else WILD

    def is_opening(self) -> bool:
        """The side is in the middle of its first meld: cards are laid, the minimum is not reached."""
        return self.melded_now and not self.opened(self.side_of[self.turn])


def bytes_writer(written: bytes) -> BytesWriter:
    """Bytes that can be changed, at first these."""
    writer = BytesWriter()
    writer.write(written)
    return writer


def _reduced(writer: BytesWriter) -> tuple[Callable[[bytes], BytesWriter], tuple[bytes]]:
    return (bytes_writer, (writer.getvalue(),))


# So that a state can be pickled and deep-copied.
copyreg.pickle(BytesWriter, _reduced)
