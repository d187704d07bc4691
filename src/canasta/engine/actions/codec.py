"""Pack and unpack steps: numbered atomic actions under the same rules as moves.

A step lays three cards to start a meld, adds one card, takes the pile in one of its ways, or discards one
card. Any move that a person makes can be made as a sequence of steps. If suits do not matter, a step names
none and the engine chooses them.

Only this module packs and unpacks step numbers. A step that names neither cards nor a meld is its own `what`
(`DRAW_STOCK`, `ASK`, …). The functions `…_step` make all other numbers, as do those of a `StepLayout` for
numbers that depend on how many sets a rank may have. To unpack one, look up `layout.decoded[step]`.
"""

from typing import Final

from canasta.engine.cards import JOKER_CODE, NATURAL_RANKS, PLACES, RANKS, WILD_CODES
from canasta.engine.layout import Slots
from canasta.engine.melds import NEW, ROW_BLACK_THREES, ROW_WILD

# Values of a step's `what`. The first ones are complete steps by themselves.
DRAW_STOCK: Final = 0
PASS: Final = 1
KEEP: Final = 2
PLAY_CALIENTE: Final = 3
ASK: Final = 4
ANSWER_YES: Final = 5
ANSWER_NO: Final = 6
LAY_BONUS: Final = 7
PUT_BACK: Final = 8
START_BLACK_THREES: Final = 9
ADD_BLACK_THREE: Final = 10
# Steps with the following values also name cards or a meld.
START_WILDS: Final = 11
TAKE_PAIR: Final = 12
TAKE_MIXED: Final = 13
DISCARD: Final = 14
START_RUN: Final = 15
START_NATURALS: Final = 16
START_PAIR: Final = 17
TAKE_ONTO_SET: Final = 18
TAKE_ONTO_RUN: Final = 19
EXTEND_RUN: Final = 20
ADD_NATURAL: Final = 21
ADD_WILD: Final = 22
TAKE_PILE: Final = 23
LAY_SPECIAL: Final = 24
"""Lay down the whole hand as the most valuable special hand it makes."""

ANY_SUIT: Final = 4
ANY_PAIR: Final = 10
ANY_TRIPLE: Final = 20
PAIRS: Final[list[list[int]]] = [[a, b] for a in range(4) for b in range(a, 4)] + [[ANY_SUIT] * 2]
"""The suits of each pair; the last entry lets the engine choose."""
TRIPLES: Final[list[list[int]]] = [[a, b, c] for a in range(4) for b in range(a, 4) for c in range(b, 4)] + [
    [ANY_SUIT] * 3
]


def _choices(held: list[int], groups: list[list[int]]) -> list[int]:
    """Return the indexes of the suit groups that a hand can provide; `held` counts its cards by suit."""
    return [
        index
        for index, suits in enumerate(groups)
        if all(suit != ANY_SUIT and suits.count(suit) <= held[suit] for suit in suits)
    ]


MOST_OF_A_SUIT: Final = 3
"""Maximum number of cards of one suit and rank that a step lays; more in hand make no difference."""
_HELD: Final[list[list[int]]] = [
    [held & 3, held >> 2 & 3, held >> 4 & 3, held >> 6] for held in range((MOST_OF_A_SUIT + 1) ** 4)
]
SUITS_HELD: Final[list[list[int]]] = [_choices(held, [[suit] for suit in range(4)]) for held in _HELD]
"""The possible suits, by the held cards of a rank (two bits per suit)."""
PAIRS_HELD: Final[list[list[int]]] = [_choices(held, PAIRS) for held in _HELD]
"""The possible pairs, indexed the same way."""
TRIPLES_HELD: Final[list[list[int]]] = [_choices(held, TRIPLES) for held in _HELD]

RUN_SLOTS: Final = 16
"""Number of runs per side that steps can name. A person's moves can name any run."""

_LOW_PLACES: Final = PLACES - 2
"""Number of places where a run of three may start."""
_RUN_SHAPES: Final = 1 + 3 * WILD_CODES
"""Shapes of a run of three: without a wild, or with one of the wilds in one of the places."""
_RUN_CARDS: Final = PLACES + WILD_CODES
_SET_ROWS: Final = NATURAL_RANKS + 1

_SUITS: Final = 5
_PAIRS: Final = 11
_TRIPLES: Final = 21
_WILDS: Final = 2
_FIRST_WILDS: Final = 11
_FIRST_TAKE_PAIR: Final = 15
_FIRST_TAKE_MIXED: Final = 26
_FIRST_DISCARD: Final = 36
_FIRST_RUN: Final = _FIRST_DISCARD + RANKS * _SUITS
_FIRST_NATURALS: Final = _FIRST_RUN + (NATURAL_RANKS - 2) * _SUITS
_FIRST_PAIR: Final = _FIRST_NATURALS + NATURAL_RANKS * _TRIPLES
_FIRST_BY_SLOT: Final = _FIRST_PAIR + NATURAL_RANKS * _PAIRS * _WILDS


def start_wilds_step(jokers: int) -> int:
    """Return the step that lays three wilds, `jokers` of them jokers."""
    return _FIRST_WILDS + jokers


def take_pair_step(pair: int) -> int:
    """Return the step that takes the pile with two naturals of these suits (index in `PAIRS`)."""
    return _FIRST_TAKE_PAIR + pair


def take_mixed_step(suit: int, joker: int) -> int:
    """Return the step that takes the pile with a natural and a two or a joker."""
    return _FIRST_TAKE_MIXED + _WILDS * suit + joker


def discard_step(rank: int, suit: int) -> int:
    return _FIRST_DISCARD + _SUITS * rank + suit


def start_run_step(low: int, suit: int) -> int:
    """Return the step that lays three cards in sequence, `low` being the lowest rank."""
    return _FIRST_RUN + _SUITS * low + suit


def start_naturals_step(rank: int, triple: int) -> int:
    """Return the step that lays three naturals of these suits (index in `TRIPLES`)."""
    return _FIRST_NATURALS + _TRIPLES * rank + triple


def start_pair_step(rank: int, pair: int, joker: int) -> int:
    """Return the step that lays two naturals of these suits (index in `PAIRS`) and a two or a joker."""
    return _FIRST_PAIR + _WILDS * (_PAIRS * rank + pair) + joker


def is_discard(step: int) -> bool:
    return _FIRST_DISCARD <= step < _FIRST_RUN


def lays_cards(step: int) -> bool:
    """Return whether the step melds cards, including in taking the pile.

    Laying out a red three does not count.
    """
    return step >= START_BLACK_THREES and not is_discard(step)


class Step:
    """A step unpacked. Attributes that do not apply keep their defaults."""

    def __init__(self, what: int) -> None:
        self.what: int = what
        self.row: int = -1
        """The row of the set, the rank of the discard, or the lowest rank of the run."""
        self.suits: list[int] = []
        """Suits of the naturals from the hand, one entry per card; a run has a single entry."""
        self.suit: int = ANY_SUIT
        """The first of `suits`: the one suit of a card or of a run."""
        self.twos: int = 0
        self.jokers: int = 0
        self.slot: int = NEW
        """Slot of the set that is extended, or `NEW`."""
        self.number: int = 0
        """Index of the run, or of the set of the top card's rank, counting from 0."""
        self.high_end: bool = False
        """Whether the run grows at its high end, or a wild that becomes free goes there."""
        self.place: int = 0
        """Long sequences only: the place of a natural that is added, or the lowest place of a new run."""
        self.wild: int = 0
        """Long sequences only: the wild that is laid (see `wild_code`)."""
        self.wild_at: int = 0
        """Long sequences only: the place of the wild in a new run."""

    @property
    def names_place(self) -> bool:
        """Whether the step lays cards in the places of a sequence from ace to ace."""
        return self.place > 0 or (self.what == EXTEND_RUN and self.wild > 0)

    @property
    def takes(self) -> bool:
        """Whether the step takes the pile."""
        return self.what == TAKE_PAIR or self.what == TAKE_MIXED or self.what == TAKE_PILE or self.onto

    @property
    def onto(self) -> bool:
        """Whether the step takes the top card onto an existing meld."""
        return self.what == TAKE_ONTO_SET or self.what == TAKE_ONTO_RUN


class StepLayout:
    """The numbering of steps for a given number of sets per rank.

    Get one from `layout_for`, which caches them.
    """

    def __init__(self, slots: Slots, with_places: bool) -> None:
        self.slots: Slots = slots
        self.with_places: bool = with_places
        """Whether there are steps that name a place in a sequence from ace to ace."""
        self._take_onto_run: int = _FIRST_BY_SLOT + slots.per_row
        self._extend_run: int = self._take_onto_run + RUN_SLOTS
        self._add_natural: int = self._extend_run + 2 * RUN_SLOTS
        self._add_wild: int = self._add_natural + _SUITS * slots.first_slot(NATURAL_RANKS)
        self.size: int = self._add_wild + _WILDS * slots.first_slot(ROW_BLACK_THREES)
        """Number of steps."""
        # The steps of long sequences come after all others.
        self._take_pile: int = self.size
        self._start_long_run: int = self._take_pile + 1
        self._add_to_run: int = self._start_long_run + 4 * _LOW_PLACES * _RUN_SHAPES
        self._start_threes: int = self._add_to_run + 2 * RUN_SLOTS * _RUN_CARDS
        self._start_pair: int = self._start_threes + ANY_TRIPLE
        self._add_three: int = self._start_pair + _SET_ROWS * ANY_PAIR * WILD_CODES
        self._add_any_wild: int = self._add_three + 4 * slots.per_row
        if with_places:
            self.size = self._add_any_wild + _SET_ROWS * slots.per_row * WILD_CODES
        self.lay_special: int = self.size
        """The step `LAY_SPECIAL`. It is last, so that adding it did not change any other number."""
        self.size += 1
        self.decoded: list[Step] = []
        """Each step unpacked, by its number."""
        self._decode()

    def take_onto_set_step(self, number: int) -> int:
        """Return the step that takes the pile by adding its top card to this set of its rank."""
        return _FIRST_BY_SLOT + number

    def take_onto_run_step(self, number: int) -> int:
        return self._take_onto_run + number

    def extend_run_step(self, number: int, high_end: bool) -> int:
        return self._extend_run + 2 * number + (1 if high_end else 0)

    def add_natural_step(self, slot: int, suit: int) -> int:
        return self._add_natural + _SUITS * slot + suit

    def add_wild_step(self, slot: int, joker: int) -> int:
        """Return the step that adds a two or a joker to this set."""
        return self._add_wild + _WILDS * slot + joker

    # -- long sequences ---------------------------------------------------------------------------------

    @property
    def take_pile_step(self) -> int:
        """Return the step that takes the whole pile, without melding anything."""
        return self._take_pile

    def start_long_run_step(self, suit: int, low: int, wild_at: int, wild: int) -> int:
        """Return the step that lays three cards in sequence from this place up, one of them possibly wild."""
        shape = 0 if wild == 0 else 1 + WILD_CODES * (wild_at - low) + wild - 1
        return self._start_long_run + _RUN_SHAPES * (_LOW_PLACES * suit + low - 1) + shape

    def add_to_run_step(self, number: int, place: int, wild: int, high_end: bool) -> int:
        """Return the step that adds a natural of this place, or a wild, to a run."""
        card = place - 1 if wild == 0 else PLACES + wild - 1
        return self._add_to_run + 2 * (_RUN_CARDS * number + card) + (1 if high_end else 0)

    def start_set_step(self, row: int, triple: int) -> int:
        """Return the step that lays three naturals of these suits (index in `TRIPLES`)."""
        return self._start_threes + triple if row == ROW_BLACK_THREES else start_naturals_step(row, triple)

    def start_pair_with_step(self, row: int, pair: int, wild: int) -> int:
        """Return the step that lays two naturals of these suits (index in `PAIRS`) and this wild."""
        return self._start_pair + WILD_CODES * (ANY_PAIR * _set_row(row) + pair) + wild - 1

    def add_to_set_step(self, row: int, slot: int, suit: int) -> int:
        """Return the step that adds a natural to this set."""
        if row != ROW_BLACK_THREES:
            return self.add_natural_step(slot, suit)
        return self._add_three + 4 * (slot - self.slots.first_slot(row)) + suit

    def add_any_wild_step(self, row: int, slot: int, wild: int) -> int:
        """Return the step that adds this wild to this set."""
        number = self.slots.first_slot(_set_row(row)) + slot - self.slots.first_slot(row)
        return self._add_any_wild + WILD_CODES * number + wild - 1

    def number_in(self, other: "StepLayout", step: int) -> int:
        """Return the number of a step in another layout, which must have at least as many sets per rank."""
        unpacked = self.decoded[step]
        what = unpacked.what
        slot = other.slots.slot_of(unpacked.row, self.slots.number_of(unpacked.slot))
        if step >= self._take_pile:
            return self._long_number_in(other, unpacked, slot)
        if what == ADD_NATURAL:
            return other.add_natural_step(slot, unpacked.suit)
        if what == ADD_WILD:
            return other.add_wild_step(slot, unpacked.jokers)
        if what == EXTEND_RUN:
            return other.extend_run_step(unpacked.number, unpacked.high_end)
        return other.take_onto_run_step(unpacked.number) if what == TAKE_ONTO_RUN else step

    def _long_number_in(self, other: "StepLayout", unpacked: Step, slot: int) -> int:
        """Convert the numbers that follow all others: steps of long sequences, and `LAY_SPECIAL`."""
        what = unpacked.what
        if what == LAY_SPECIAL:
            return other.lay_special
        if what == TAKE_PILE:
            return other.take_pile_step
        if what == START_RUN:
            return other.start_long_run_step(unpacked.suit, unpacked.place, unpacked.wild_at, unpacked.wild)
        if what == EXTEND_RUN:
            return other.add_to_run_step(unpacked.number, unpacked.place, unpacked.wild, unpacked.high_end)
        if what == START_NATURALS:
            return other.start_set_step(unpacked.row, TRIPLES.index(unpacked.suits))
        if what == START_PAIR:
            return other.start_pair_with_step(unpacked.row, PAIRS.index(unpacked.suits), unpacked.wild)
        if what == ADD_NATURAL:
            return other.add_to_set_step(unpacked.row, slot, unpacked.suit)
        return other.add_any_wild_step(unpacked.row, slot, unpacked.wild)

    def _decode(self) -> None:
        """Unpack every step once, in the order of their numbers."""
        for what in range(START_WILDS):
            self._enter(what)
        for step in self.decoded[START_BLACK_THREES:]:
            step.row = ROW_BLACK_THREES
        self.decoded[ADD_BLACK_THREE].slot = self.slots.first_slot(ROW_BLACK_THREES)
        for jokers in range(4):
            step = self._enter(START_WILDS, ROW_WILD)
            step.twos = 3 - jokers
            step.jokers = jokers
        for pair in PAIRS:
            self._enter(TAKE_PAIR, -1, pair)
        for suit in range(_SUITS):
            self._enter_with_wild(TAKE_MIXED, -1, [suit], NEW)
        for rank in range(RANKS):
            for suit in range(_SUITS):
                self._enter(DISCARD, rank, [suit])
        for low in range(NATURAL_RANKS - 2):
            for suit in range(_SUITS):
                self._enter(START_RUN, low, [suit])
        for rank in range(NATURAL_RANKS):
            for triple in TRIPLES:
                self._enter(START_NATURALS, rank, triple)
        for rank in range(NATURAL_RANKS):
            for pair in PAIRS:
                self._enter_with_wild(START_PAIR, rank, pair, NEW)
        self._decode_those_of_melds()

    def _decode_those_of_melds(self) -> None:
        slots = self.slots
        for number in range(slots.per_row):
            self._enter(TAKE_ONTO_SET).number = number
        for number in range(RUN_SLOTS):
            self._enter(TAKE_ONTO_RUN).number = number
        for number in range(RUN_SLOTS):
            for high_end in (False, True):
                step = self._enter(EXTEND_RUN)
                step.number = number
                step.high_end = high_end
        for slot in range(slots.first_slot(NATURAL_RANKS)):
            for suit in range(_SUITS):
                self._enter(ADD_NATURAL, slots.row_of(slot), [suit]).slot = slot
        for slot in range(slots.first_slot(ROW_BLACK_THREES)):
            self._enter_with_wild(ADD_WILD, slots.row_of(slot), [], slot)
        if self.with_places:
            self._decode_long_runs()
            self._decode_sets_beside_them()
        self._enter(LAY_SPECIAL)

    def _decode_long_runs(self) -> None:
        self._enter(TAKE_PILE)
        for suit in range(4):
            for low in range(1, _LOW_PLACES + 1):
                for shape in range(_RUN_SHAPES):
                    step = self._enter(START_RUN, -1, [suit])
                    step.place = low
                    if shape > 0:
                        step.wild_at = low + (shape - 1) // WILD_CODES
                        _set_wild(step, (shape - 1) % WILD_CODES + 1)
        for number in range(RUN_SLOTS):
            for card in range(_RUN_CARDS):
                for high_end in (False, True):
                    step = self._enter(EXTEND_RUN)
                    step.number = number
                    step.high_end = high_end
                    if card < PLACES:
                        step.place = card + 1
                    else:
                        _set_wild(step, card - PLACES + 1)

    def _decode_sets_beside_them(self) -> None:
        slots = self.slots
        for triple in TRIPLES[:ANY_TRIPLE]:
            self._enter(START_NATURALS, ROW_BLACK_THREES, triple)
        rows = [*range(NATURAL_RANKS), ROW_BLACK_THREES]
        for row in rows:
            for pair in PAIRS[:ANY_PAIR]:
                for wild in range(1, WILD_CODES + 1):
                    _set_wild(self._enter(START_PAIR, row, pair), wild)
        for number in range(slots.per_row):
            for suit in range(4):
                step = self._enter(ADD_NATURAL, ROW_BLACK_THREES, [suit])
                step.slot = slots.first_slot(ROW_BLACK_THREES) + number
        for row in rows:
            for number in range(slots.per_row):
                for wild in range(1, WILD_CODES + 1):
                    step = self._enter(ADD_WILD, row)
                    step.slot = slots.first_slot(row) + number
                    _set_wild(step, wild)

    def _enter(self, what: int, row: int = -1, suits: list[int] | None = None) -> Step:
        step = Step(what)
        step.row = row
        if suits:
            step.suits = suits
            step.suit = suits[0]
        self.decoded.append(step)
        return step

    def _enter_with_wild(self, what: int, row: int, suits: list[int], slot: int) -> None:
        for joker in range(_WILDS):
            step = self._enter(what, row, suits)
            step.twos = 1 - joker
            step.jokers = joker
            step.slot = slot


def _set_wild(step: Step, wild: int) -> None:
    step.wild = wild
    step.jokers = 1 if wild == JOKER_CODE else 0
    step.twos = 1 - step.jokers


def _set_row(row: int) -> int:
    """Return the row of a set without gaps: natural threes come after the aces."""
    return NATURAL_RANKS if row == ROW_BLACK_THREES else row


_LAYOUTS: Final[dict[tuple[int, bool], StepLayout]] = {}


def layout_for(sets: int, with_places: bool = False) -> StepLayout:
    """Return the shared layout for this many sets per rank."""
    layout = _LAYOUTS.get((sets, with_places))
    if layout is None:
        layout = StepLayout(Slots(sets), with_places)
        _LAYOUTS[sets, with_places] = layout
    return layout
