"""The steps of a turn where long sequences are played: every suit matters there, that of a two as well."""

from mypy_extensions import i64

from canasta.engine.cards import (
    BLACK_THREE,
    JOKER,
    JOKER_KIND,
    KINDS,
    NATURAL_RANKS,
    PLACES,
    TWO,
    WILD_CODES,
    kind_in_suit,
)
from canasta.engine.law.discarding import why_not_throw
from canasta.engine.law.long_runs import (
    EITHER_END,
    HIGH_END,
    LOCKED,
    NO_RUN,
    PLACE_OF_TWO,
    kind_at,
    kind_of_wild,
    kinds_in,
    naturals_of,
    pack_long_run,
    readings,
    run_with_natural,
    run_with_wild,
)
from canasta.engine.law.melding import may_start_set
from canasta.engine.law.pile import why_not_take_as_it_lies
from canasta.engine.law.why_not import OK
from canasta.engine.meld_names import ROW_BLACK_THREES, SMALLEST_MELD
from canasta.engine.state import CARDS_AT, SEAT_SIZE, HandState, run_length, run_low, run_suit
from canasta.engine.steps.codec import (
    ANY_SUIT,
    MOST_OF_A_SUIT,
    PAIRS,
    RUN_SLOTS,
    TRIPLES,
    discard_step,
)
from canasta.engine.steps.ending import long_turn_can_end
from canasta.engine.steps.make import make_step


def pile_steps(state: HandState, steps: list[int]) -> None:
    """Taking the pile as it lies (PILE-16)."""
    if can_take_pile(state):
        steps.append(state.prepared.layout.take_pile_step)


def can_take_pile(state: HandState) -> bool:
    """The pile may be taken, and where its top card must be used it can be."""
    if why_not_take_as_it_lies(state) != OK:
        return False
    if not state.prepared.use_top:
        return True
    lifted = state.copy()
    make_step(lifted, state.prepared.layout.take_pile_step)
    ways: list[int] = []
    meld_steps(lifted, ways)
    return len(ways) > 0


def long_play_steps(state: HandState, steps: list[int]) -> None:
    meld_steps(state, steps)
    if state.top_due:
        return
    for kind in range(KINDS):
        if state.held(state.turn, kind) > 0 and why_not_throw(state, kind) == OK:
            rank = state.prepared.rank_of[kind]
            steps.append(discard_step(rank, ANY_SUIT if kind >= JOKER_KIND else kind & 3))


def meld_steps(state: HandState, steps: list[int]) -> None:
    """Everything that may be laid; while a lifted top card is due, only what lays it."""
    wilds = _wilds_held(state)
    _add_to_sets(state, steps, wilds)
    _start_sets(state, steps, wilds)
    _add_to_runs(state, steps, wilds)
    _start_runs(state, steps, wilds)


def _wilds_held(state: HandState) -> list[int]:
    """The wilds in the hand, by their codes."""
    seat = state.turn
    if state.count(seat, TWO) + state.count(seat, JOKER) == 0:
        return []
    return [code for code in range(1, WILD_CODES + 1) if state.held(seat, kind_of_wild(code)) > 0]


def _offer(state: HandState, steps: list[int], step: int, kinds: list[int]) -> None:
    """Add a step that lays these cards, if it may be made."""
    if state.top_due and state.taken_top not in kinds:
        return
    left = state.size[state.turn] - len(kinds)
    if state.pile_due:
        left += len(state.pile)
    if left >= 2 or long_turn_can_end(state, step, left):
        steps.append(step)


# -- sets -------------------------------------------------------------------------------------------------


def _held(state: HandState, rank: int) -> int:
    """What the player holds of a rank, as the tables of the codec have it: two bits a suit."""
    packed = state.packed
    first: i64 = state.turn * SEAT_SIZE + CARDS_AT + kind_in_suit(rank, 0)
    held: i64 = 0
    suit: i64
    for suit in range(4):
        number = i64(packed[first + suit])
        held += (min(MOST_OF_A_SUIT, number)) << 2 * suit
    return held


def _add_to_sets(state: HandState, steps: list[int], wilds: list[int]) -> None:
    prepared = state.prepared
    layout = prepared.layout
    growing = prepared.growing
    seat = state.turn
    side = state.side_of[seat]
    for slot in state.sets[side]:
        row = prepared.slots.row_of(slot)
        rank = BLACK_THREE if row == ROW_BLACK_THREES else row
        place = state.naturals(side, slot) * growing.stride + state.wilds(side, slot)
        if state.count(seat, rank) > 0 and growing.by_natural[place] == OK:
            for suit in prepared.suits_held[_held(state, rank)]:
                step = layout.add_to_set_step(row, slot, suit)
                _offer(state, steps, step, [kind_in_suit(rank, suit)])
        if wilds and growing.by_wild[place] == OK:
            for code in wilds:
                _offer(state, steps, layout.add_any_wild_step(row, slot, code), [kind_of_wild(code)])


def _start_sets(state: HandState, steps: list[int], wilds: list[int]) -> None:
    prepared = state.prepared
    layout = prepared.layout
    seat = state.turn
    side = state.side_of[seat]
    for row in prepared.set_rows:
        rank = BLACK_THREE if row >= NATURAL_RANKS else row
        count = state.count(seat, rank)
        if count < 2 or (count == 2 and not wilds) or not may_start_set(state, side, row):
            continue
        first = kind_in_suit(rank, 0)
        held = _held(state, rank)
        if count >= SMALLEST_MELD:
            for triple in prepared.triples_held[held]:
                step = layout.start_set_step(row, triple)
                _offer(state, steps, step, [first + suit for suit in TRIPLES[triple]])
        if wilds and prepared.pair_and_wild:
            for pair in prepared.pairs_held[held]:
                kinds = [first + suit for suit in PAIRS[pair]]
                for code in wilds:
                    step = layout.start_pair_with_step(row, pair, code)
                    _offer(state, steps, step, [*kinds, kind_of_wild(code)])


# -- sequences --------------------------------------------------------------------------------------------


def _add_to_runs(state: HandState, steps: list[int], wilds: list[int]) -> None:
    seat = state.turn
    rules = state.prepared.run_rules
    layout = state.prepared.layout
    runs = state.runs[state.side_of[seat]]
    for index in range(min(len(runs), RUN_SLOTS)):
        run = runs[index]
        suit = run_suit(run)
        low = run_low(run)
        there = naturals_of(run)
        for place in range(max(rules.lowest, low - 2), min(PLACES, low + run_length(run) + 1) + 1):
            kind = kind_at(suit, place)
            if there >> place & 1 or state.held(seat, kind) == 0:
                continue
            after = run_with_natural(rules, run, place, EITHER_END)
            if after == NO_RUN:
                continue
            _offer(state, steps, layout.add_to_run_step(index, place, 0, False), [kind])
            if rules.wild_moves == LOCKED and run_with_natural(rules, run, place, HIGH_END) != after:
                _offer(state, steps, layout.add_to_run_step(index, place, 0, True), [kind])
        for code in wilds:
            after = run_with_wild(rules, run, code, EITHER_END)
            if after == NO_RUN or _is_rather_natural(state, run, code):
                continue
            kind = kind_of_wild(code)
            _offer(state, steps, layout.add_to_run_step(index, 0, code, False), [kind])
            if rules.wild_moves == LOCKED and run_with_wild(rules, run, code, HIGH_END) != after:
                _offer(state, steps, layout.add_to_run_step(index, 0, code, True), [kind])


def _is_rather_natural(state: HandState, run: int, code: int) -> bool:
    """A wild two would lie at an end, and could as well lie as a natural card."""
    rules = state.prepared.run_rules
    if code != run_suit(run) + 1 or not rules.natural_twos or naturals_of(run) >> PLACE_OF_TWO & 1:
        return False
    return run_with_natural(rules, run, PLACE_OF_TWO, EITHER_END) != NO_RUN


def _start_runs(state: HandState, steps: list[int], wilds: list[int]) -> None:
    if state.size[state.turn] < SMALLEST_MELD:
        return
    lowest = state.prepared.run_rules.lowest
    for suit in range(4):
        held = [0] * (PLACES + 1)
        for place in range(lowest, PLACES + 1):
            held[place] = state.held(state.turn, kind_at(suit, place))
        if not state.prepared.run_rules.natural_twos:
            held[PLACE_OF_TWO] = 0
        for low in range(lowest, PLACES - 1):
            missing = held[low : low + SMALLEST_MELD].count(0)
            if missing == 0:
                run = pack_long_run(suit, low, SMALLEST_MELD, 0, 0)
                step = state.prepared.layout.start_long_run_step(suit, low, 0, 0)
                _offer(state, steps, step, kinds_in(run))
            if missing <= 1 and wilds and state.prepared.run_rules.wilds > 0:
                _start_with_wild(state, steps, wilds, suit, low)


def _start_with_wild(state: HandState, steps: list[int], wilds: list[int], suit: int, low: int) -> None:
    """Two cards of these three places and a wild in the third."""
    rules = state.prepared.run_rules
    layout = state.prepared.layout
    for place in range(low, low + SMALLEST_MELD):
        others = [kind_at(suit, other) for other in range(low, low + SMALLEST_MELD) if other != place]
        if state.held(state.turn, others[0]) == 0 or state.held(state.turn, others[1]) == 0:
            continue
        for code in wilds:
            kind = kind_of_wild(code)
            if kind in others and state.held(state.turn, kind) < 2:
                continue
            run = pack_long_run(suit, low, SMALLEST_MELD, place, code)
            found = readings(rules, [*others, kind])
            # Where a wild at an end is free, one end stands for both.
            if run in (found if rules.wild_moves == LOCKED else found[:1]):
                _offer(state, steps, layout.start_long_run_step(suit, low, place, code), [*others, kind])
