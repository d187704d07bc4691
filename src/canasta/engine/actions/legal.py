"""List the legal steps of a state."""

from mypy_extensions import i64

from canasta.engine.actions.burraco import pile_steps
from canasta.engine.actions.codec import (
    ADD_BLACK_THREE,
    ANSWER_NO,
    ANSWER_YES,
    ANY_SUIT,
    ASK,
    DRAW_STOCK,
    KEEP,
    LAY_BONUS,
    MOST_OF_A_SUIT,
    PASS,
    PLAY_CALIENTE,
    PUT_BACK,
    RUN_SLOTS,
    START_BLACK_THREES,
    discard_step,
    start_naturals_step,
    start_pair_step,
    start_run_step,
    start_wilds_step,
    take_mixed_step,
    take_pair_step,
)
from canasta.engine.actions.make import make_step
from canasta.engine.cards import BLACK_THREE, BONUS_CARD, CALIENTE, JOKER, NATURAL_RANKS, RANKS, TWO
from canasta.engine.feasibility.last_discard import LastDiscardSearch
from canasta.engine.law.american import MeldContext
from canasta.engine.law.going_out import best_special, why_not_ask, why_not_keep
from canasta.engine.law.melding import may_start_set, slot_to_join, why_not_set
from canasta.engine.law.pile import (
    must_take_top_card,
    why_not_put_back,
    why_not_take_onto_run,
    why_not_take_onto_set,
    why_not_take_with,
    why_not_touch_pile,
)
from canasta.engine.law.reasons import OK
from canasta.engine.law.special_cards import why_not_caliente, why_not_lay_black_threes, why_not_lay_bonus
from canasta.engine.layout import CARDS_AT, SEAT_SIZE
from canasta.engine.melds import (
    NEW,
    NO_SUIT,
    NOT_A_CANASTA,
    ROW_WILD,
    SAMBA,
    SMALLEST_MELD,
    run_length,
    run_low,
    run_suit,
)
from canasta.engine.rng import Rng
from canasta.engine.state import ANSWER, DRAW, OVER, PLAY, HandState


def legal_steps(state: HandState) -> list[int]:
    """Return every legal step. After each of them the turn can still be ended."""
    steps: list[int] = []
    if state.phase == PLAY:
        state.compiled.family.play_steps(state, steps)
    elif state.phase == DRAW:
        _draw_steps(state, steps)
    elif state.phase == ANSWER:
        steps.append(ANSWER_YES)
        steps.append(ANSWER_NO)
    return steps


# -- before drawing ---------------------------------------------------------------------------------------


def _draw_steps(state: HandState, steps: list[int]) -> None:
    has_stock = not state.stock_is_out()
    if has_stock:
        steps.append(DRAW_STOCK)
    if state.compiled.takes_at_once:
        pile_steps(state, steps)
    elif why_not_touch_pile(state) == OK:
        _take_steps(state, steps)
    if not has_stock and not is_forced_to_take(state):
        steps.append(PASS)
    if state.count(state.turn, CALIENTE) > 0 and why_not_caliente(state) == OK:
        steps.append(PLAY_CALIENTE)
    _common_steps(state, steps)


def _common_steps(state: HandState, steps: list[int]) -> None:
    """Append the steps possible both before and after drawing."""
    if why_not_ask(state) == OK:
        steps.append(ASK)
    may_lay = state.compiled.by_hand or state.compiled.keep_three
    if may_lay and why_not_lay_bonus(state) == OK:
        steps.append(LAY_BONUS)


def _take_steps(state: HandState, steps: list[int]) -> None:
    compiled = state.compiled
    family = compiled.family
    seat = state.turn
    rank = compiled.rank_of[state.top_card()]
    count = state.count(seat, rank)
    if count > 0:
        left = state.size(seat) - 2
        if left < 2:
            left += _pile_gives(state)
        value = compiled.values[rank]
        if count >= 2 and why_not_take_with(state, 2, 0) == OK:
            lost, gained = _change(state, slot_to_join(state, state.side_of[seat], rank), 3, 0)
            for pair in _pairs(state, rank):
                step = take_pair_step(pair)
                if family.turn_can_end_after(state, step, left, 3 * value, lost, gained, 3):
                    steps.append(step)
        if compiled.natural_and_wild and _holds_wild(state, seat) and why_not_take_with(state, 1, 1) == OK:
            lost, gained = _change(state, slot_to_join(state, state.side_of[seat], rank), 2, 1)
            for suit in _suits(state, rank):
                for joker in range(2):
                    step = take_mixed_step(suit, joker)
                    points = 2 * value + compiled.values[TWO + joker]
                    if state.count(seat, TWO + joker) > 0 and family.turn_can_end_after(
                        state, step, left, points, lost, gained, 3
                    ):
                        steps.append(step)
    onto_steps(state, steps)


def onto_steps(state: HandState, steps: list[int]) -> None:
    """Append the steps that take the top card by adding it to a meld of the side."""
    side = state.side_of[state.turn]
    if not state.opened(side):
        return
    compiled = state.compiled
    family = compiled.family
    layout = compiled.layout
    rank = compiled.rank_of[state.top_card()]
    first = compiled.slots.first_slot(rank)
    left = state.size(state.turn)
    if left < 2 and not must_take_top_card(state):
        left += _pile_gives(state)
    for slot in range(first, first + compiled.slots.per_row):
        if state.size_of_set(side, slot) == 0:
            break
        if why_not_take_onto_set(state, slot) == OK:
            step = layout.take_onto_set_step(slot - first)
            lost, gained = _change(state, slot, 1, 0)
            if family.turn_can_end_after(state, step, left, 0, lost, gained):
                steps.append(step)
    if compiled.runs:
        runs = state.runs[side]
        for index in range(min(len(runs), RUN_SLOTS)):
            if why_not_take_onto_run(state, runs[index]) == OK:
                step = layout.take_onto_run_step(index)
                if family.turn_can_end_after(state, step, left, 0, NOT_A_CANASTA, _samba(state, runs[index])):
                    steps.append(step)


def _pile_gives(state: HandState) -> int:
    """Return how many cards the hand gains by taking the pile."""
    cards = state.pile_size() - 1
    for kind in state.pile:
        if state.compiled.role_of[kind] == BONUS_CARD:
            cards -= 1
    return cards


def _change(state: HandState, slot: int, naturals: int, wilds: int) -> tuple[int, int]:
    """Return the canasta kind of a set before and after these cards are added."""
    if slot == NEW:
        return NOT_A_CANASTA, NOT_A_CANASTA
    side = state.side_of[state.turn]
    naturals_there = state.naturals(side, slot)
    wilds_there = state.wilds(side, slot)
    return (
        state.canasta_kind(naturals_there, wilds_there),
        state.canasta_kind(naturals_there + naturals, wilds_there + wilds),
    )


def _samba(state: HandState, run: int) -> int:
    """Return `SAMBA` if one more card completes this run, or else `NOT_A_CANASTA`."""
    return SAMBA if run_length(run) + 1 == state.compiled.canasta_size else NOT_A_CANASTA


def is_forced_to_take(state: HandState) -> bool:
    """Return whether the stock is out and the top card must be taken onto a meld (END-2, END-6)."""
    if state.compiled.takes_at_once:
        return False
    if state.compiled.top_card_alone:
        if not must_take_top_card(state):
            return False
    elif not state.compiled.forced or state.frozen or state.compiled.always_frozen:
        return False
    if why_not_touch_pile(state) != OK:
        return False
    ways: list[int] = []
    onto_steps(state, ways)
    return len(ways) > 0


# -- after drawing ----------------------------------------------------------------------------------------


def play_steps(state: HandState, steps: list[int]) -> None:
    """Append the steps of games with sets, and sequences without wild cards."""
    seat = state.turn
    if state.black_threes_now:
        # If going out requires a discard, the last card is kept for it.
        if state.stop_cards(seat) > 0 and (state.size(seat) > 1 or not state.compiled.out_by_discard):
            steps.append(ADD_BLACK_THREE)
        if state.size(seat) == 1:
            _discard_steps(state, steps)
        return
    is_opening = state.is_opening()
    has_opened = state.opened(state.side_of[seat])
    family = state.compiled.family
    hand = None if has_opened else family.first_meld_search(state)
    table = family.meld_context(state) if hand is None else hand.table
    if has_opened or is_opening:
        _add_steps(state, steps, table, hand)
        _start_steps(state, steps, table, hand)
    elif family.can_open(state) if hand is None else hand.can_end():
        _start_steps(state, steps, table, hand)
    if not is_opening:
        if state.no_discard:
            steps.append(PASS)
        else:
            _discard_steps(state, steps)
        if state.size(seat) == 1 and why_not_keep(state) == OK:
            steps.append(KEEP)
    _common_steps(state, steps)
    if state.compiled.special_hands and best_special(state) >= 0:
        steps.append(state.compiled.layout.lay_special)
    if state.before_take is not None and why_not_put_back(state) == OK:
        steps.append(PUT_BACK)


def _discard_steps(state: HandState, steps: list[int]) -> None:
    family = state.compiled.family
    varies = state.compiled.discards_vary
    # A natural card may be barred only from an empty pile, or as the last card.
    naturals_are_free = state.pile_size() > 0 and state.size(state.turn) > 1
    # Apart from bonus cards the choice of card rarely matters, so one check covers all others.
    if not varies and family.why_not_discard(state, TWO) != OK:
        return
    packed = state.packed
    first: i64 = state.turn * SEAT_SIZE
    same_suit = state.compiled.same_suit
    role_of_rank = state.compiled.role_of_rank
    rank: i64
    for rank in range(RANKS):
        if packed[first + rank] > 0 and role_of_rank[rank] != BONUS_CARD:
            if varies and not (naturals_are_free and rank < NATURAL_RANKS):
                if family.why_not_discard(state, rank) != OK:
                    continue
            if same_suit and rank < NATURAL_RANKS:
                for suit in _suits(state, rank):
                    steps.append(discard_step(rank, suit))
            else:
                steps.append(discard_step(rank, ANY_SUIT))


def _add_steps(
    state: HandState, steps: list[int], table: MeldContext | None, hand: LastDiscardSearch | None
) -> None:
    """Append the steps that add one card of the hand to the side's melds."""
    seat = state.turn
    side = state.side_of[seat]
    compiled = state.compiled
    packed = state.packed
    layout = compiled.layout
    growing = compiled.growing
    hand_at: i64 = seat * SEAT_SIZE
    sets_at: i64 = state.offsets.melds_at + side * state.offsets.side_size
    wilds_at: i64 = sets_at + state.offsets.slots
    left = state.size(seat) - 1
    is_sure = compiled.family.turn_surely_ends(state, left)
    has_wild = _holds_wild(state, seat)
    rows = compiled.slots.rows
    for number in range(state.number_of_sets(side)):
        slot = state.slot_of_set(side, number)
        row = rows[slot]
        if row < NATURAL_RANKS:
            naturals = i64(packed[sets_at + slot])
            wilds = i64(packed[wilds_at + slot])
            place = naturals * growing.stride + wilds
            fits = table is None or table.why_not(row, naturals, wilds, 1, 0) == OK
            if fits and packed[hand_at + row] > 0 and growing.by_natural[place] == OK:
                for suit in _suits(state, row):
                    step = layout.add_natural_step(slot, suit)
                    if is_sure or _set_can_grow(state, step, left, slot, 1, 0, compiled.values[row], hand):
                        steps.append(step)
            if not has_wild or growing.by_wild[place] != OK:
                continue
        elif not has_wild or row > ROW_WILD or why_not_set(state, side, row, slot, 0, 1) != OK:
            continue
        if table is not None:
            if table.why_not(row, state.naturals(side, slot), state.wilds(side, slot), 0, 1) != OK:
                continue
        for joker in range(2):
            if packed[hand_at + TWO + joker] > 0:
                step = layout.add_wild_step(slot, joker)
                if is_sure or _set_can_grow(
                    state, step, left, slot, 0, 1, compiled.values[TWO + joker], hand
                ):
                    steps.append(step)
    if compiled.runs:
        _extend_steps(state, steps, is_sure)


def _set_can_grow(
    state: HandState,
    step: int,
    left: int,
    slot: int,
    naturals: int,
    wilds: int,
    points: int,
    hand: LastDiscardSearch | None,
) -> bool:
    """Return whether the turn can be ended after this step, which lays one card on a set."""
    lost, gained = _change(state, slot, naturals, wilds)
    return state.compiled.family.turn_can_end_after(state, step, left, points, lost, gained, 1, hand)


def _extend_steps(state: HandState, steps: list[int], is_sure: bool) -> None:
    seat = state.turn
    runs = state.runs[state.side_of[seat]]
    family = state.compiled.family
    left = state.size(seat) - 1
    for index in range(min(len(runs), RUN_SLOTS)):
        run = runs[index]
        if run_length(run) == state.compiled.canasta_size:
            continue
        low = run_low(run)
        for high_end in (False, True):
            rank = low + run_length(run) if high_end else low - 1
            if 0 <= rank < NATURAL_RANKS and _holds_rank_in_suit(state, seat, rank, run_suit(run)):
                step = state.compiled.layout.extend_run_step(index, high_end)
                points = state.compiled.values[rank]
                if is_sure or family.turn_can_end_after(
                    state, step, left, points, NOT_A_CANASTA, _samba(state, run)
                ):
                    steps.append(step)


def _start_steps(
    state: HandState, steps: list[int], table: MeldContext | None, hand: LastDiscardSearch | None
) -> None:
    """Append the steps that start new melds of three cards."""
    seat = state.turn
    size = state.size(seat)
    if size < SMALLEST_MELD:
        return
    side = state.side_of[seat]
    compiled = state.compiled
    family = compiled.family
    packed = state.packed
    hand_at: i64 = seat * SEAT_SIZE
    values = compiled.values
    left = size - SMALLEST_MELD
    is_sure = family.turn_surely_ends(state, left)
    twos: int = packed[hand_at + TWO]
    jokers_held: int = packed[hand_at + JOKER]
    with_wild = compiled.pair_and_wild and twos + jokers_held > 0
    rank: i64
    for rank in range(NATURAL_RANKS):
        count = packed[hand_at + rank]
        if count < 2 or (count == 2 and not with_wild) or not may_start_set(state, side, rank):
            continue
        if count >= 3 and (table is None or table.why_not(rank, 0, 0, 3, 0) == OK):
            for triple in _triples(state, rank):
                step = start_naturals_step(rank, triple)
                if is_sure or family.turn_can_end_after(state, step, left, 3 * values[rank], hand=hand):
                    steps.append(step)
        if with_wild and (table is None or table.why_not(rank, 0, 0, 2, 1) == OK):
            for pair in _pairs(state, rank):
                for joker in range(2):
                    if packed[hand_at + TWO + joker] > 0:
                        step = start_pair_step(rank, pair, joker)
                        points = 2 * values[rank] + values[TWO + joker]
                        if is_sure or family.turn_can_end_after(state, step, left, points, hand=hand):
                            steps.append(step)
    wilds_start = compiled.wild_melds and twos + jokers_held >= SMALLEST_MELD
    if wilds_start and table is not None:
        wilds_start = table.why_not(ROW_WILD, 0, 0, 0, SMALLEST_MELD) == OK
    if wilds_start and may_start_set(state, side, ROW_WILD):
        for jokers in range(4):
            if jokers_held >= jokers and twos >= SMALLEST_MELD - jokers:
                points = jokers * values[JOKER] + (SMALLEST_MELD - jokers) * values[TWO]
                step = start_wilds_step(jokers)
                if is_sure or family.turn_can_end_after(state, step, left, points, hand=hand):
                    steps.append(step)
    if state.stop_cards(seat) >= SMALLEST_MELD and why_not_lay_black_threes(state) == OK:
        # The hand is nearly played out, so always use the exact check.
        if family.turn_can_end_after(state, START_BLACK_THREES, 0, 3 * values[BLACK_THREE]):
            steps.append(START_BLACK_THREES)
    if compiled.runs:
        _start_run_steps(state, steps, is_sure)


def _start_run_steps(state: HandState, steps: list[int], is_sure: bool) -> None:
    seat = state.turn
    packed = state.packed
    hand_at: i64 = seat * SEAT_SIZE
    left = state.size(seat) - SMALLEST_MELD
    values = state.compiled.values
    same_suit = state.compiled.same_suit
    low: i64
    suit: i64
    for low in range(NATURAL_RANKS - 2):
        at = hand_at + low
        if packed[at] == 0 or packed[at + 1] == 0 or packed[at + 2] == 0:
            continue
        for suit in range(4 if same_suit else 1):
            at = hand_at + CARDS_AT + 4 * low + suit
            if same_suit and (packed[at] == 0 or packed[at + 4] == 0 or packed[at + 8] == 0):
                continue
            step = start_run_step(low, suit if same_suit else NO_SUIT)
            points = values[low] + values[low + 1] + values[low + 2]
            if is_sure or state.compiled.family.turn_can_end_after(state, step, left, points):
                steps.append(step)


# -- the hand ---------------------------------------------------------------------------------------------


def _holds_wild(state: HandState, seat: int) -> bool:
    return state.count(seat, TWO) > 0 or state.count(seat, JOKER) > 0


def _suits(state: HandState, rank: int) -> list[int]:
    """Return the suits to choose from when a card of this rank is played."""
    compiled = state.compiled
    return compiled.suits_held[_held(state, rank)] if compiled.same_suit else compiled.any_suit


def _pairs(state: HandState, rank: int) -> list[int]:
    """Return the pairs of suits to choose from."""
    compiled = state.compiled
    return compiled.pairs_held[_held(state, rank)] if compiled.same_suit else compiled.any_pair


def _triples(state: HandState, rank: int) -> list[int]:
    compiled = state.compiled
    return compiled.triples_held[_held(state, rank)] if compiled.same_suit else compiled.any_triple


def _held(state: HandState, rank: int) -> int:
    """Return the player's cards of a natural rank as an index into the codec's tables: two bits per suit."""
    packed = state.packed
    first: i64 = state.turn * SEAT_SIZE + CARDS_AT + 4 * rank
    held: i64 = 0
    suit: i64
    for suit in range(4):
        number = i64(packed[first + suit])
        held += (min(MOST_OF_A_SUIT, number)) << 2 * suit
    return held


def _holds_rank_in_suit(state: HandState, seat: int, rank: int, suit: int) -> bool:
    """Return whether the seat holds a card of this natural rank that a run of this suit can use."""
    if suit == NO_SUIT:
        return state.count(seat, rank) > 0
    return state.held(seat, rank * 4 + suit) > 0


def play_randomly(state: HandState, rng: Rng, most_steps: int) -> int:
    """Make random legal steps until the hand is over or `most_steps` are made. Return the number made."""
    made = 0
    while state.phase != OVER and made < most_steps:
        steps = legal_steps(state)
        make_step(state, steps[rng.below(len(steps))])
        made += 1
    return made
