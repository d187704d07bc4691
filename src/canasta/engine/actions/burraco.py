"""List the legal steps in games with long sequences, where suits matter, even those of twos."""

from typing import Final

from mypy_extensions import i64

from canasta.engine.actions.codec import ANY_SUIT, MOST_OF_A_SUIT, PAIRS, RUN_SLOTS, TRIPLES, discard_step
from canasta.engine.actions.lifted import TopOnRun, TopOnSet, is_rather_natural
from canasta.engine.actions.make import make_step, turn_can_end_after_trial
from canasta.engine.cards import (
    BLACK_THREE,
    JOKER,
    JOKER_KIND,
    KINDS,
    NATURAL_RANKS,
    PLACES,
    THREE_OF_CLUBS,
    TWO,
    TWO_OF_CLUBS,
    WILD_CODES,
    kind_in_suit,
)
from canasta.engine.law.going_out import why_not_throw
from canasta.engine.law.melding import may_start_set
from canasta.engine.law.pile import why_not_take_as_it_lies
from canasta.engine.law.reasons import OK
from canasta.engine.layout import CARDS_AT, SEAT_SIZE
from canasta.engine.melds import NEW, ROW_BLACK_THREES, SMALLEST_MELD, run_length, run_low, run_suit
from canasta.engine.sequences import (
    EITHER_END,
    HIGH_ACE,
    HIGH_END,
    LOCKED,
    LOW_ACE,
    NO_RUN,
    PLACE_OF_TWO,
    kind_at,
    kind_of_wild,
    may_start,
    naturals_of,
    pack_long_run,
    place_of,
    run_with_natural,
    run_with_wild,
    wild_code,
)
from canasta.engine.state import HandState

NO_CARD: Final = -1


def pile_steps(state: HandState, steps: list[int]) -> None:
    """Append the step that takes the whole pile (PILE-16), if it is legal."""
    if can_take_pile(state):
        steps.append(state.compiled.layout.take_pile_step)


def can_take_pile(state: HandState) -> bool:
    """Return whether the player may take the pile and, if the rules require it, can meld its top card."""
    if why_not_take_as_it_lies(state) != OK:
        return False
    return not state.compiled.use_top or BurracoMelds(state, lifting=True).is_possible()


def long_play_steps(state: HandState, steps: list[int]) -> None:
    BurracoMelds(state).add_to(steps)
    if not state.top_due:
        _discard_steps(state, steps)


def _discard_steps(state: HandState, steps: list[int]) -> None:
    seat = state.turn
    compiled = state.compiled
    # The choice of card matters only for the last one and for one just taken, so one check covers the others.
    is_last = state.size(seat) == 1
    if not is_last and compiled.family.why_not_discard(state, TWO) != OK:
        return
    packed = state.packed
    first: i64 = seat * SEAT_SIZE + CARDS_AT
    not_returned: i64 = state.not_returned
    kind: i64
    for kind in range(KINDS):
        if packed[first + kind] == 0 or kind == not_returned:
            continue
        if not is_last or why_not_throw(state, kind) == OK:
            steps.append(discard_step(compiled.rank_of[kind], ANY_SUIT if kind >= JOKER_KIND else kind & 3))


def _turn_can_end(state: HandState, step: int, left: int) -> bool:
    """Return whether the turn can end after a step that leaves fewer than two cards."""
    # A player without cards continues with the pot, whose cards nobody has seen.
    if state.foot_waits(state.turn) and (left == 0 or state.not_returned < 0):
        return True
    return turn_can_end_after_trial(state, step)


class BurracoMelds:
    """The melds that the player to move may lay.

    While a lifted top card must be melded, these are only the melds that use it or prepare for it. The hand
    is read once, into one bit set of places per suit.
    """

    def __init__(self, state: HandState, lifting: bool = False) -> None:
        """With `lifting`, treat the top card of the pile as already lifted."""
        seat = state.turn
        self.state: HandState = state
        self.seat: int = seat
        self.steps: list[int] = []
        self.lifted: int = state.top_card() if lifting else NO_CARD
        """The top card treated as part of the hand, or `NO_CARD`."""
        self.due: int = state.taken_top if state.top_due else self.lifted
        """The card that must be melded, or `NO_CARD`."""
        self.prepared_meld: int = state.laid_now()[0] >> 6 if state.top_due and state.melded_now else NEW
        """The meld that was prepared for the due card and must receive it, or `NEW`."""
        self.size: int = state.size(seat)
        """Number of cards in hand, including a pile that is picked up once its top card is melded."""
        if lifting or state.pile_due:
            self.size += state.pile_size()
        self.wilds: list[int] = self._wilds_held()
        """Codes of the wild cards in the hand."""
        self.looked_at: int = 15
        """Suits of the sequences that can include the due card, as a bit set."""
        if self.due != NO_CARD and wild_code(self.due) == 0:
            self.looked_at = 1 << (self.due & 3)

    def add_to(self, steps: list[int]) -> None:
        self.steps = steps
        self._add_to_sets()
        self._start_sets()
        self._add_to_runs()
        self._start_runs()
        if self.due != NO_CARD:
            self._prepare()

    def is_possible(self) -> bool:
        """Return whether any step that lays cards is legal."""
        self._add_to_runs()
        if not self.steps:
            self._start_runs()
        if not self.steps:
            self._add_to_sets()
        if not self.steps:
            self._start_sets()
        if not self.steps and self.due != NO_CARD:
            self._prepare()
        return len(self.steps) > 0

    def _wilds_held(self) -> list[int]:
        state = self.state
        is_wild = self.lifted != NO_CARD and wild_code(self.lifted) > 0
        if state.count(self.seat, TWO) + state.count(self.seat, JOKER) == 0 and not is_wild:
            return []
        return [code for code in range(1, WILD_CODES + 1) if self._held(kind_of_wild(code)) > 0]

    def _held(self, kind: int) -> int:
        held = self.state.held(self.seat, kind)
        return held + 1 if kind == self.lifted else held

    def _offer(self, step: int, count: int, kind: int, second: int = NO_CARD, third: int = NO_CARD) -> None:
        """Append a step that lays `count` cards, including the given kinds, if it is legal."""
        due = self.due
        if due != NO_CARD and kind != due and second != due and third != due:
            return
        left = self.size - count
        if left >= 2 or _turn_can_end(self._state_to_try(), step, left):
            self.steps.append(step)

    def _state_to_try(self) -> HandState:
        if self.lifted == NO_CARD:
            return self.state
        lifted = self.state.copy()
        make_step(lifted, lifted.compiled.layout.take_pile_step)
        return lifted

    # -- sets ---------------------------------------------------------------------------------------------

    def _count(self, rank: int) -> int:
        count = self.state.count(self.seat, rank)
        return (
            count + 1
            if self.lifted != NO_CARD and self.state.compiled.rank_of[self.lifted] == rank
            else count
        )

    def _suits_held(self, rank: int) -> int:
        """Return the player's cards of a rank as an index into the codec's tables: two bits per suit."""
        first = kind_in_suit(rank, 0)
        held = 0
        for suit in range(4):
            held += min(MOST_OF_A_SUIT, self._held(first + suit)) << 2 * suit
        return held

    def _add_to_sets(self) -> None:
        state = self.state
        compiled = state.compiled
        layout = compiled.layout
        growing = compiled.growing
        side = state.side_of[self.seat]
        for slot in state.sets_of(side):
            if self.prepared_meld not in (NEW, slot):
                continue
            row = compiled.slots.row_of(slot)
            rank = BLACK_THREE if row == ROW_BLACK_THREES else row
            place = state.naturals(side, slot) * growing.stride + state.wilds(side, slot)
            if self._count(rank) > 0 and growing.by_natural[place] == OK:
                for suit in compiled.suits_held[self._suits_held(rank)]:
                    self._offer(layout.add_to_set_step(row, slot, suit), 1, kind_in_suit(rank, suit))
            if self.wilds and growing.by_wild[place] == OK:
                for code in self.wilds:
                    self._offer(layout.add_any_wild_step(row, slot, code), 1, kind_of_wild(code))

    def _start_sets(self) -> None:
        state = self.state
        compiled = state.compiled
        layout = compiled.layout
        side = state.side_of[self.seat]
        if self.prepared_meld != NEW:
            return
        for row in compiled.set_rows:
            rank = BLACK_THREE if row >= NATURAL_RANKS else row
            count = self._count(rank)
            if count < 2 or (count == 2 and not self.wilds) or not may_start_set(state, side, row):
                continue
            first = kind_in_suit(rank, 0)
            held = self._suits_held(rank)
            if count >= SMALLEST_MELD:
                for triple in compiled.triples_held[held]:
                    suits = TRIPLES[triple]
                    self._offer(
                        layout.start_set_step(row, triple),
                        SMALLEST_MELD, first + suits[0], first + suits[1], first + suits[2],
                    )  # fmt: skip
            if self.wilds and compiled.pair_and_wild:
                for pair in compiled.pairs_held[held]:
                    suits = PAIRS[pair]
                    for code in self.wilds:
                        self._offer(
                            layout.start_pair_with_step(row, pair, code),
                            SMALLEST_MELD, first + suits[0], first + suits[1], kind_of_wild(code),
                        )  # fmt: skip

    # -- sequences ----------------------------------------------------------------------------------------

    def _places_held(self, suit: int) -> int:
        """Return a bit set of the places in a suit that the player's cards can fill; an ace fills two."""
        packed = self.state.packed
        first: i64 = self.seat * SEAT_SIZE + CARDS_AT + suit
        places: i64 = 0
        rank: i64
        for rank in range(NATURAL_RANKS):
            if packed[first + 4 * rank] > 0:
                places |= i64(16) << rank
        if packed[first + TWO_OF_CLUBS] > 0:
            places |= 1 << PLACE_OF_TWO
        if packed[first + THREE_OF_CLUBS] > 0:
            places |= 8
        held = int(places)
        if self.lifted != NO_CARD and self.lifted < JOKER_KIND and self.lifted & 3 == suit:
            held |= 1 << place_of(self.lifted)
        if held >> HIGH_ACE & 1:
            held |= 1 << LOW_ACE
        return held

    def _add_to_runs(self) -> None:
        rules = self.state.compiled.run_rules
        layout = self.state.compiled.layout
        is_locked = rules.wild_moves == LOCKED
        runs = self.state.runs[self.state.side_of[self.seat]]
        for index in range(min(len(runs), RUN_SLOTS)):
            run = runs[index]
            suit = run_suit(run)
            if not self.looked_at >> suit & 1 or self._is_other_run(index):
                continue
            low = run_low(run)
            lacking = self._places_held(suit) & ~naturals_of(run)
            for place in range(max(rules.lowest, low - 2), min(PLACES, low + run_length(run) + 1) + 1):
                if not lacking >> place & 1:
                    continue
                after = run_with_natural(rules, run, place, EITHER_END)
                if after == NO_RUN:
                    continue
                kind = kind_at(suit, place)
                self._offer(layout.add_to_run_step(index, place, 0, False), 1, kind)
                if is_locked and run_with_natural(rules, run, place, HIGH_END) != after:
                    self._offer(layout.add_to_run_step(index, place, 0, True), 1, kind)
            for code in self.wilds:
                after = run_with_wild(rules, run, code, EITHER_END)
                if after == NO_RUN:
                    continue
                kind = kind_of_wild(code)
                is_natural = is_rather_natural(rules, run, code, EITHER_END)
                if not is_natural:
                    self._offer(layout.add_to_run_step(index, 0, code, False), 1, kind)
                if is_locked and (is_natural or run_with_wild(rules, run, code, HIGH_END) != after):
                    self._offer(layout.add_to_run_step(index, 0, code, True), 1, kind)

    def _start_runs(self) -> None:
        rules = self.state.compiled.run_rules
        layout = self.state.compiled.layout
        held = self.state.size(self.seat) + (0 if self.lifted == NO_CARD else 1)
        if held < SMALLEST_MELD or self.prepared_meld != NEW:
            return
        with_wild = len(self.wilds) > 0 and rules.wilds > 0
        for suit in range(4):
            if not self.looked_at >> suit & 1:
                continue
            places = self._places_held(suit)
            if not rules.natural_twos:
                places &= ~(1 << PLACE_OF_TWO)
            for low in range(rules.lowest, PLACES - 1):
                three = places >> low & 7
                if three == 7:
                    self._offer(
                        layout.start_long_run_step(suit, low, 0, 0),
                        SMALLEST_MELD, kind_at(suit, low), kind_at(suit, low + 1), kind_at(suit, low + 2),
                    )  # fmt: skip
                if with_wild and three & three - 1:
                    self._start_with_wild(suit, low, three)

    def _start_with_wild(self, suit: int, low: int, three: int) -> None:
        """Offer runs that fill two of these three places from the hand and the third with a wild card."""
        rules = self.state.compiled.run_rules
        layout = self.state.compiled.layout
        for above in range(SMALLEST_MELD):
            if three | 1 << above != 7:
                continue
            place = low + above
            first = kind_at(suit, low + 1 if above == 0 else low)
            second = kind_at(suit, low + 1 if above == 2 else low + 2)
            for code in self.wilds:
                kind = kind_of_wild(code)
                if (kind == first or kind == second) and self._held(kind) < 2:
                    continue
                if may_start(rules, pack_long_run(suit, low, SMALLEST_MELD, place, code)):
                    step = layout.start_long_run_step(suit, low, place, code)
                    self._offer(step, SMALLEST_MELD, first, second, kind)

    # -- preparing for the due card --------------------------------------------------------------------------

    def _prepare(self) -> None:
        """Add steps that lay other cards first, so that the due card fits a meld or fits it differently."""
        if self.state.size(self.seat) + (0 if self.lifted == NO_CARD else 1) >= 2:
            self._prepare_runs()
            self._prepare_sets()

    def _is_other_run(self, index: int) -> bool:
        return self.prepared_meld not in (NEW, self.state.compiled.slots.count + index)

    def _offer_first(self, step: int) -> None:
        """Add a preparing step if the turn can still end once the due card is laid."""
        coming = self.state.pile_size() - (0 if self.lifted == NO_CARD else 1)
        if coming < 2:
            trial = self._state_to_try().copy()
            make_step(trial, step)
            if not BurracoMelds(trial).is_possible():
                return
        self.steps.append(step)

    def _prepare_runs(self) -> None:
        rules = self.state.compiled.run_rules
        layout = self.state.compiled.layout
        runs = self.state.runs[self.state.side_of[self.seat]]
        held = self.state.cards_of(self.seat)
        if self.lifted != NO_CARD:
            held[self.lifted] += 1
        for index in range(min(len(runs), RUN_SLOTS)):
            run = runs[index]
            suit = run_suit(run)
            if not self.looked_at >> suit & 1 or self._is_other_run(index):
                continue
            top = TopOnRun(rules, run, held, self.due)
            if not top.is_useful:
                continue
            for high_end in (False, True) if rules.wild_moves == LOCKED else (False,):
                end = HIGH_END if high_end else EITHER_END
                for place in range(rules.lowest, PLACES + 1):
                    kind = kind_at(suit, place)
                    if kind == self.due or held[kind] == 0 or naturals_of(run) >> place & 1:
                        continue
                    after = run_with_natural(rules, run, place, end)
                    is_new = not high_end or after != run_with_natural(rules, run, place, EITHER_END)
                    if after != NO_RUN and is_new and top.prepares(kind, after):
                        self._offer_first(layout.add_to_run_step(index, place, 0, high_end))
                for code in self.wilds:
                    if kind_of_wild(code) == self.due or is_rather_natural(rules, run, code, end):
                        continue
                    after = run_with_wild(rules, run, code, end)
                    is_new = not high_end or after != run_with_wild(rules, run, code, EITHER_END)
                    is_new = is_new or is_rather_natural(rules, run, code, EITHER_END)
                    if after != NO_RUN and is_new and top.prepares(kind_of_wild(code), after):
                        self._offer_first(layout.add_to_run_step(index, 0, code, high_end))

    def _prepare_sets(self) -> None:
        state = self.state
        compiled = state.compiled
        layout = compiled.layout
        side = state.side_of[self.seat]
        top_is_wild = wild_code(self.due) > 0
        held_wilds = state.count(self.seat, TWO) + state.count(self.seat, JOKER)
        if self.lifted != NO_CARD and top_is_wild:
            held_wilds += 1
        for row in compiled.set_rows:
            rank = BLACK_THREE if row == ROW_BLACK_THREES else row
            if not top_is_wild and rank != compiled.rank_of[self.due]:
                continue
            slot = compiled.slots.first_slot(row)
            if self.prepared_meld not in (NEW, slot):
                continue
            naturals = state.naturals(side, slot)
            wilds = state.wilds(side, slot)
            count = self._count(rank)
            if naturals == 0:
                if top_is_wild and not compiled.pair_and_wild and count >= SMALLEST_MELD:
                    self._start_without_top(row, count, held_wilds)
                continue
            top = TopOnSet(compiled.growing, naturals, wilds, count, held_wilds, top_is_wild=top_is_wild)
            place = naturals * compiled.growing.stride + wilds
            if compiled.growing.by_natural[place] == OK and count > 0 and top.prepares_with_natural():
                for suit in compiled.suits_held[self._suits_held(rank)]:
                    if kind_in_suit(rank, suit) != self.due:
                        self._offer_first(layout.add_to_set_step(row, slot, suit))
            if compiled.growing.by_wild[place] == OK and self.wilds and top.prepares_with_wild():
                for code in self.wilds:
                    if kind_of_wild(code) != self.due:
                        self._offer_first(layout.add_any_wild_step(row, slot, code))

    def _start_without_top(self, row: int, count: int, held_wilds: int) -> None:
        """Offer sets of three naturals, for games in which a pair and the due wild card make no set."""
        compiled = self.state.compiled
        rank = BLACK_THREE if row == ROW_BLACK_THREES else row
        top = TopOnSet(
            compiled.growing, SMALLEST_MELD, 0, count - SMALLEST_MELD, held_wilds, top_is_wild=True
        )
        if top.can_lay_top():
            for triple in compiled.triples_held[self._suits_held(rank)]:
                self._offer_first(compiled.layout.start_set_step(row, triple))
