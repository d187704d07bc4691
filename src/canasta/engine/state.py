"""A hand in progress: where every card lies, and the facts of the turn."""

from typing import Final

from canasta.engine.cards import (
    KINDS,
    KINDS_OF,
    RANKS,
    TWO,
)
from canasta.engine.events import Event
from canasta.engine.meld_names import ROWS
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

NO_SUIT: Final = 4
"""The suit of a run whose cards need not share one."""


class HandState:
    """The whole hand, hidden cards included; only the engine handles it, everyone else gets a view.

    Sets are kept by *slot*: `row * slots + k` is the k-th set of that row in the order laid. Hands are
    counts, by kind and by rank. The stock is `deck[at:]`; the deck itself never changes, so that copies
    share it.
    """

    prepared: PreparedRules
    order: list[int]
    side_of: list[int]
    sides: int
    next_seat: list[int]
    partner: list[int]
    """For each seat the next teammate in turn order, who answers a question; -1 for a player alone."""
    log: list[Event] | None

    cards: list[list[int]]
    counts: list[list[int]]
    size: list[int]
    known: list[list[int]]
    """Cards that everyone knows a seat to hold, since they came with the pile."""
    feet: list[list[int]]
    foot_waits: list[bool]
    foot_played: list[bool]
    has_melded: list[bool]

    deck: list[int]
    at: int
    red_threes: int
    """How many red threes are in the game."""
    pile: list[int]
    frozen: bool
    pile_is_from_deal: bool

    naturals: list[list[int]]
    wilds: list[list[int]]
    sets: list[list[int]]
    """Slots in use, in the order laid."""
    runs: list[list[int]]
    """Each run as (suit << 8) | (lowest rank << 4) | length."""
    laid: list[list[int]]
    """Every melded card in the order laid, as (meld << 6) | kind; runs count on after the slots."""
    canastas: list[list[int]]
    points: list[int]
    """Value of the melded cards."""
    opened: list[bool]
    minimum: list[int]
    bonus: list[list[int]]
    caliente_played: list[int]
    put_backs: list[int]

    turn: int
    phase: int
    asked: int
    asked_in: int
    answering: int
    fresh: bool
    """The player had melded nothing before this turn."""
    laid_before: int
    """How many cards the side had melded when the turn began."""
    melded_now: bool
    opening_points: int
    opening_extra: int
    """What the minimum rises by when the top card does not count (OPEN-3)."""
    pile_due: bool
    """The top card is melded; the rest of the pile comes once the first meld reaches its minimum."""
    taken_top: int
    """The top card that was melded in taking the pile, while the rest is due."""
    took_back: bool
    caliente_now: bool
    black_threes_now: bool
    no_discard: bool
    last_discard: bool
    stuck: int
    """Reason why the last card just laid does not end the hand; such a state is only ever a trial."""
    before_take: "HandState | None"
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

        Lists that change at every step are copied. Those that change seldom (what is known, red threes, which
        sets there are) are replaced when they change, so that copies share them until then; so do those that
        these rules never change at all.
        """
        prepared = other.prepared
        self.prepared = other.prepared
        self.order = other.order
        self.side_of = other.side_of
        self.sides = other.sides
        self.next_seat = other.next_seat
        self.partner = other.partner
        self.log = None
        self.cards = [cards.copy() for cards in other.cards]
        self.counts = [counts.copy() for counts in other.counts]
        self.size = other.size.copy()
        self.known = other.known.copy()
        self.feet = other.feet
        self.foot_waits = other.foot_waits.copy() if prepared.has_foot else other.foot_waits
        self.foot_played = other.foot_played.copy() if prepared.has_foot else other.foot_played
        self.has_melded = other.has_melded
        self.deck = other.deck
        self.at = other.at
        self.red_threes = other.red_threes
        self.pile = other.pile.copy()
        self.frozen = other.frozen
        self.pile_is_from_deal = other.pile_is_from_deal
        self.naturals = [naturals.copy() for naturals in other.naturals]
        self.wilds = [wilds.copy() for wilds in other.wilds]
        self.sets = other.sets.copy()
        self.runs = [runs.copy() for runs in other.runs] if prepared.runs else other.runs
        self.laid = [laid.copy() for laid in other.laid]
        self.canastas = other.canastas.copy()
        self.points = other.points.copy()
        self.opened = other.opened
        self.minimum = other.minimum
        self.bonus = other.bonus.copy()
        self.caliente_played = other.caliente_played
        self.put_backs = other.put_backs
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
        self.stuck = other.stuck
        self.before_take = other.before_take
        self.out = other.out

    # -- cards ----------------------------------------------------------------------------------------

    def give(self, seat: int, kind: int) -> None:
        """Put a card into a hand."""
        self.cards[seat][kind] += 1
        self.counts[seat][self.prepared.rank_of[kind]] += 1
        self.size[seat] += 1

    def remove(self, seat: int, kind: int) -> None:
        """Take a card that is there out of a hand."""
        self.cards[seat][kind] -= 1
        self.counts[seat][self.prepared.rank_of[kind]] -= 1
        self.size[seat] -= 1
        if self.known[seat][kind] > 0:
            self.note_known(seat, kind, -1)

    def note_known(self, seat: int, kind: int, by: int) -> None:
        """Count what everyone knows a seat to hold."""
        known = self.known[seat].copy()
        known[kind] += by
        self.known[seat] = known

    def any_kind(self, seat: int, rank: int) -> int:
        """The first kind of this rank that the seat holds; it must hold one."""
        cards = self.cards[seat]
        if rank <= TWO:
            for kind in range(rank * 4, rank * 4 + 4):
                if cards[kind] > 0:
                    return kind
        else:
            for kind in KINDS_OF[rank]:
                if cards[kind] > 0:
                    return kind
        raise ValueError("no card of that rank in the hand")

    def stock_size(self) -> int:
        return len(self.deck) - self.at

    # -- melds ----------------------------------------------------------------------------------------

    def set_size(self, side: int, slot: int) -> int:
        return self.naturals[side][slot] + self.wilds[side][slot]

    def canasta_kind(self, naturals: int, wilds: int) -> int:
        """Which canasta a set of these cards is; `NOT_A_CANASTA` when it is too small."""
        if naturals + wilds < self.prepared.canasta_size:
            return NOT_A_CANASTA
        if wilds == 0:
            return NATURAL
        return MIXED if naturals > 0 else WILD

    def is_opening(self) -> bool:
        """The side is in the middle of its first meld: cards are laid, the minimum is not reached."""
        return self.melded_now and not self.opened[self.side_of[self.turn]]


def new_hand(prepared: PreparedRules, order: list[int], side_of: list[int], sides: int) -> HandState:
    """A hand with nothing dealt yet; `order` lists the seats that play it in turn order."""
    state = HandState()
    seats = len(side_of)
    state.prepared = prepared
    state.order = order
    state.side_of = side_of
    state.sides = sides
    state.next_seat = [-1] * seats
    for index in range(len(order)):
        state.next_seat[order[index]] = order[(index + 1) % len(order)]
    state.partner = _partners(order, side_of)
    state.log = None
    state.cards = [[0] * KINDS for _ in range(seats)]
    state.counts = [[0] * RANKS for _ in range(seats)]
    state.size = [0] * seats
    state.known = [prepared.nothing_known] * seats
    state.feet = [[] for _ in range(seats)]
    state.foot_waits = [False] * seats
    state.foot_played = [False] * seats
    state.has_melded = [False] * seats
    state.deck = []
    state.at = 0
    state.red_threes = 0
    state.pile = []
    state.frozen = False
    state.pile_is_from_deal = False
    slots = ROWS * prepared.slots
    state.naturals = [[0] * slots for _ in range(sides)]
    state.wilds = [[0] * slots for _ in range(sides)]
    state.sets = [[] for _ in range(sides)]
    state.runs = [[] for _ in range(sides)]
    state.laid = [[] for _ in range(sides)]
    state.canastas = [[0, 0, 0, 0] for _ in range(sides)]
    state.points = [0] * sides
    state.opened = [False] * sides
    state.minimum = [0] * sides
    state.bonus = [[] for _ in range(sides)]
    state.caliente_played = [0] * sides
    state.put_backs = [0] * sides
    state.turn = order[0]
    state.phase = DRAW
    state.asked = NOT_ASKED
    state.asked_in = DRAW
    state.answering = -1
    state.fresh = True
    state.laid_before = 0
    state.melded_now = False
    state.opening_points = 0
    state.opening_extra = 0
    state.pile_due = False
    state.taken_top = -1
    state.took_back = False
    state.caliente_now = False
    state.black_threes_now = False
    state.no_discard = False
    state.last_discard = False
    state.stuck = 0
    state.before_take = None
    state.out = -1
    return state


def _partners(order: list[int], side_of: list[int]) -> list[int]:
    partners = [-1] * len(side_of)
    for index, seat in enumerate(order):
        for ahead in range(1, len(order)):
            other = order[(index + ahead) % len(order)]
            if side_of[other] == side_of[seat]:
                partners[seat] = other
                break
    return partners


def run_suit(run: int) -> int:
    return run >> 8


def run_low(run: int) -> int:
    return (run >> 4) & 15


def run_length(run: int) -> int:
    return run & 15


def pack_run(suit: int, low: int, length: int) -> int:
    return (suit << 8) | (low << 4) | length


def holds_rank_in_suit(state: HandState, seat: int, rank: int, suit: int) -> bool:
    """The seat holds a card of this natural rank that a run of this suit can use."""
    if suit == NO_SUIT:
        return state.counts[seat][rank] > 0
    return state.cards[seat][rank * 4 + suit] > 0
