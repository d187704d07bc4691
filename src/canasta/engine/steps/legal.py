"""The legal steps of a state, and making one."""

from canasta.engine.cards import (
    BLACK_THREE,
    CALIENTE,
    JOKER,
    NATURAL_RANKS,
    RANKS,
    RED_THREE,
    TWO,
)
from canasta.engine.law.asking import why_not_ask
from canasta.engine.law.discarding import why_not_discard, why_not_keep
from canasta.engine.law.going_out import why_not_out
from canasta.engine.law.melding import (
    SMALLEST_MELD,
    may_start_set,
    slot_to_join,
    why_not_set,
)
from canasta.engine.law.opening import can_open, can_open_with
from canasta.engine.law.opening_hand import OpeningHand
from canasta.engine.law.pile import (
    must_take_top_card,
    why_not_put_back,
    why_not_take_onto_run,
    why_not_take_onto_set,
    why_not_take_with,
    why_not_touch_pile,
)
from canasta.engine.law.special_cards import why_not_caliente, why_not_lay_black_threes, why_not_lay_bonus
from canasta.engine.law.turn_end import why_not_end
from canasta.engine.law.why_not import OK
from canasta.engine.meld_names import NEW, ROW_WILD
from canasta.engine.state import (
    ANSWER,
    DRAW,
    MIXED,
    NO_SUIT,
    NOT_A_CANASTA,
    PLAY,
    SAMBA,
    HandState,
    holds_rank_in_suit,
    run_length,
    run_low,
    run_suit,
)
from canasta.engine.steps.codec import (
    ADD_BLACK_THREE,
    ANSWER_NO,
    ANSWER_YES,
    ANY_PAIR,
    ANY_SUIT,
    ANY_TRIPLE,
    ASK,
    DRAW_STOCK,
    EXTEND_RUN,
    KEEP,
    LAY_BONUS,
    PAIR_NEEDS,
    PASS,
    PLAY_CALIENTE,
    PUT_BACK,
    RUN_SLOTS,
    START_BLACK_THREES,
    START_RUN,
    TRIPLE_NEEDS,
    discard_step,
    start_naturals_step,
    start_pair_step,
    start_run_step,
    start_wilds_step,
    take_mixed_step,
    take_pair_step,
)
from canasta.engine.steps.make import make_step


def legal_steps(state: HandState) -> list[int]:
    """Every step that is allowed now; none of them leads into a dead end."""
    steps: list[int] = []
    if state.phase == PLAY:
        _play_steps(state, steps)
    elif state.phase == DRAW:
        _draw_steps(state, steps)
    elif state.phase == ANSWER:
        steps.append(ANSWER_YES)
        steps.append(ANSWER_NO)
    return steps


def _turn_can_end_after(
    state: HandState,
    step: int,
    left: int,
    points: int,
    lost: int = NOT_A_CANASTA,
    gained: int = NOT_A_CANASTA,
    joining: int = 1,
) -> bool:
    """The turn can be ended after this step.

    The step leaves `left` cards in hand, is worth `points`, changes a canasta from one kind to another, and
    lays `joining` cards on one meld. Most steps are judged by these numbers; the rest are tried on a copy.
    """
    seat = state.turn
    side = state.side_of[seat]
    if state.prepared.by_hand and state.count(seat, RED_THREE) > 0:
        return _trial(state, step)
    if not state.opened[side]:
        if left >= 2 and state.opening_points + points >= state.minimum[side] + state.opening_extra:
            # Where the top card does not count, taking the pile raises the minimum: only a trial tells.
            if state.phase == PLAY or state.prepared.top_card_counts:
                return True
        if state.phase == PLAY and gained == NOT_A_CANASTA:
            return _can_open_after(state, step)
        return _trial(state, step)
    if left >= 2 or state.foot_waits[seat]:
        return True
    if left == 1 and (state.no_discard or state.prepared.keep_last_card):
        return True
    if why_not_out(state, seat, lost, gained) == OK:
        return True
    return left == 1 and _nears_a_canasta(state, side, joining) and _trial(state, step)


def _trial(state: HandState, step: int) -> bool:
    trial = state.copy()
    make_step(trial, step)
    return why_not_end(trial) == OK


def _can_open_after(state: HandState, step: int) -> bool:
    """The first meld can still be brought to its minimum after this step that lays cards."""
    decoded = state.prepared.layout.decoded[step]
    what = decoded.what
    if what == EXTEND_RUN or what == START_BLACK_THREES:
        return _trial(state, step)
    hand = OpeningHand(state)
    if what == START_RUN:
        hand.lay_run(decoded.row, SMALLEST_MELD, decoded.suit)
    else:
        hand.lay_on_set(decoded.row, decoded.slot, decoded.suits, decoded.twos, decoded.jokers)
    return can_open_with(hand) if hand.need > 0 else _trial(state, step)


def _nears_a_canasta(state: HandState, side: int, joining: int) -> bool:
    """The card left after this step might complete a canasta, or change one into another kind."""
    prepared = state.prepared
    if prepared.kinds_needed[MIXED] > 0 or prepared.canasta_size <= SMALLEST_MELD + 1:
        return True
    least = prepared.canasta_size - 1 - joining
    for slot in state.sets[side]:
        if least <= state.set_size(side, slot) < prepared.canasta_size:
            return True
    return any(least <= run_length(run) < prepared.canasta_size for run in state.runs[side])


# -- before drawing ---------------------------------------------------------------------------------------


def _draw_steps(state: HandState, steps: list[int]) -> None:
    seat = state.turn
    counts = state.counts_of(seat)
    has_stock = state.at < len(state.deck)
    if has_stock:
        steps.append(DRAW_STOCK)
    if why_not_touch_pile(state) == OK:
        _take_steps(state, steps)
    if not has_stock and not is_forced_to_take(state):
        steps.append(PASS)
    if counts[CALIENTE] > 0 and why_not_caliente(state) == OK:
        steps.append(PLAY_CALIENTE)
    _common_steps(state, steps)


def _common_steps(state: HandState, steps: list[int]) -> None:
    """What may be done before drawing and after."""
    if why_not_ask(state) == OK:
        steps.append(ASK)
    if state.count(state.turn, RED_THREE) > 0 and why_not_lay_bonus(state) == OK:
        steps.append(LAY_BONUS)


def _take_steps(state: HandState, steps: list[int]) -> None:
    prepared = state.prepared
    seat = state.turn
    counts = state.counts_of(seat)
    rank = state.prepared.rank_of[state.pile[-1]]
    left = state.size[seat] - 2
    if left < 2:
        left += _pile_gives(state)
    values = prepared.values
    if counts[rank] >= 2 and why_not_take_with(state, 2, 0) == OK:
        lost, gained = _change(state, slot_to_join(state, state.side_of[seat], rank), 3, 0)
        for pair in _pairs(state, rank):
            step = take_pair_step(pair)
            if _turn_can_end_after(state, step, left, 3 * values[rank], lost, gained, 3):
                steps.append(step)
    if (
        prepared.natural_and_wild
        and counts[rank] >= 1
        and counts[TWO] + counts[JOKER] > 0
        and why_not_take_with(state, 1, 1) == OK
    ):
        lost, gained = _change(state, slot_to_join(state, state.side_of[seat], rank), 2, 1)
        for suit in _suits(state, rank):
            for joker in range(2):
                step = take_mixed_step(suit, joker)
                points = 2 * values[rank] + values[TWO + joker]
                if counts[TWO + joker] > 0 and _turn_can_end_after(
                    state, step, left, points, lost, gained, 3
                ):
                    steps.append(step)
    onto_steps(state, steps)


def onto_steps(state: HandState, steps: list[int]) -> None:
    """The ways to take the top card by adding it to a meld of the side."""
    side = state.side_of[state.turn]
    if not state.opened[side]:
        return
    layout = state.prepared.layout
    slots = state.prepared.slots
    rank = state.prepared.rank_of[state.pile[-1]]
    left = state.size[state.turn]
    if left < 2 and not must_take_top_card(state):
        left += _pile_gives(state)
    for slot in state.sets[side]:
        if slot // slots == rank and why_not_take_onto_set(state, slot) == OK:
            step = layout.take_onto_set_step(slot - rank * slots)
            lost, gained = _change(state, slot, 1, 0)
            if _turn_can_end_after(state, step, left, 0, lost, gained):
                steps.append(step)
    runs = state.runs[side]
    for index in range(min(len(runs), RUN_SLOTS)):
        if why_not_take_onto_run(state, runs[index]) == OK:
            step = layout.take_onto_run_step(index)
            if _turn_can_end_after(state, step, left, 0, NOT_A_CANASTA, _samba(state, runs[index])):
                steps.append(step)


def _pile_gives(state: HandState) -> int:
    """How many cards come into the hand with the pile."""
    cards = len(state.pile) - 1
    for kind in state.pile:
        if state.prepared.rank_of[kind] == RED_THREE:
            cards -= 1
    return cards


def _change(state: HandState, slot: int, naturals: int, wilds: int) -> tuple[int, int]:
    """The kind of canasta that a set is before these cards join it, and after."""
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
    """The canasta that one more card makes of a run."""
    return SAMBA if run_length(run) + 1 == state.prepared.canasta_size else NOT_A_CANASTA


def is_forced_to_take(state: HandState) -> bool:
    """The stock is out and the top card must be taken onto a meld (END-2, END-6)."""
    if state.prepared.top_card_alone:
        if not must_take_top_card(state):
            return False
    elif not state.prepared.forced or state.frozen or state.prepared.always_frozen:
        return False
    if why_not_touch_pile(state) != OK:
        return False
    ways: list[int] = []
    onto_steps(state, ways)
    return len(ways) > 0


# -- after drawing ----------------------------------------------------------------------------------------


def _play_steps(state: HandState, steps: list[int]) -> None:
    seat = state.turn
    counts = state.counts_of(seat)
    if state.black_threes_now:
        if counts[BLACK_THREE] > 0:
            steps.append(ADD_BLACK_THREE)
        if state.size[seat] == 1:
            _discard_steps(state, steps)
        return
    is_opening = state.is_opening()
    if state.opened[state.side_of[seat]]:
        _add_steps(state, steps)
        _start_steps(state, steps)
    elif is_opening or can_open(state):
        if is_opening:
            _add_steps(state, steps)
        _start_steps(state, steps)
    if not is_opening:
        if state.no_discard:
            steps.append(PASS)
        else:
            _discard_steps(state, steps)
        if state.size[seat] == 1 and why_not_keep(state) == OK:
            steps.append(KEEP)
    _common_steps(state, steps)
    if state.before_take is not None and why_not_put_back(state) == OK:
        steps.append(PUT_BACK)


def _discard_steps(state: HandState, steps: list[int]) -> None:
    # Which card it is only matters for red threes, so one question answers for all others.
    if why_not_discard(state, TWO) != OK:
        return
    seat = state.turn
    counts = state.counts_of(seat)
    same_suit = state.prepared.same_suit
    for rank in range(RANKS):
        if counts[rank] > 0 and rank != RED_THREE:
            if same_suit and rank < NATURAL_RANKS:
                for suit in _suits(state, rank):
                    steps.append(discard_step(rank, suit))
            else:
                steps.append(discard_step(rank, ANY_SUIT))


def _add_steps(state: HandState, steps: list[int]) -> None:
    """Cards of the hand onto the side's melds, one at a time."""
    seat = state.turn
    side = state.side_of[seat]
    counts = state.counts_of(seat)
    layout = state.prepared.layout
    slots = state.prepared.slots
    values = state.prepared.values
    left = state.size[seat] - 1
    has_wild = counts[TWO] + counts[JOKER] > 0
    for slot in state.sets[side]:
        row = slot // slots
        if row < NATURAL_RANKS and counts[row] > 0 and why_not_set(state, side, row, slot, 1, 0) == OK:
            lost, gained = _change(state, slot, 1, 0)
            for suit in _suits(state, row):
                step = layout.add_natural_step(slot, suit)
                if _turn_can_end_after(state, step, left, values[row], lost, gained):
                    steps.append(step)
        if has_wild and row <= ROW_WILD and why_not_set(state, side, row, slot, 0, 1) == OK:
            lost, gained = _change(state, slot, 0, 1)
            for joker in range(2):
                step = layout.add_wild_step(slot, joker)
                if counts[TWO + joker] > 0 and _turn_can_end_after(
                    state, step, left, values[TWO + joker], lost, gained
                ):
                    steps.append(step)
    if state.prepared.runs:
        _extend_steps(state, steps)


def _extend_steps(state: HandState, steps: list[int]) -> None:
    seat = state.turn
    runs = state.runs[state.side_of[seat]]
    left = state.size[seat] - 1
    for index in range(min(len(runs), RUN_SLOTS)):
        run = runs[index]
        if run_length(run) == state.prepared.canasta_size:
            continue
        low = run_low(run)
        for high_end in (False, True):
            rank = low + run_length(run) if high_end else low - 1
            if 0 <= rank < NATURAL_RANKS and holds_rank_in_suit(state, seat, rank, run_suit(run)):
                step = state.prepared.layout.extend_run_step(index, high_end)
                points = state.prepared.values[rank]
                if _turn_can_end_after(state, step, left, points, NOT_A_CANASTA, _samba(state, run)):
                    steps.append(step)


def _start_steps(state: HandState, steps: list[int]) -> None:
    """New melds of three cards."""
    seat = state.turn
    size = state.size[seat]
    if size < SMALLEST_MELD:
        return
    side = state.side_of[seat]
    counts = state.counts_of(seat)
    prepared = state.prepared
    values = prepared.values
    left = size - SMALLEST_MELD
    has_wild = counts[TWO] + counts[JOKER] > 0
    for rank in range(NATURAL_RANKS):
        count = counts[rank]
        if count < 2 or not may_start_set(state, side, rank):
            continue
        if count >= 3:
            for triple in _triples(state, rank):
                step = start_naturals_step(rank, triple)
                if _turn_can_end_after(state, step, left, 3 * values[rank]):
                    steps.append(step)
        if has_wild and why_not_set(state, side, rank, NEW, 2, 1) == OK:
            for pair in _pairs(state, rank):
                for joker in range(2):
                    step = start_pair_step(rank, pair, joker)
                    points = 2 * values[rank] + values[TWO + joker]
                    if counts[TWO + joker] > 0 and _turn_can_end_after(state, step, left, points):
                        steps.append(step)
    if prepared.wild_melds and counts[TWO] + counts[JOKER] >= SMALLEST_MELD:
        if may_start_set(state, side, ROW_WILD):
            for jokers in range(4):
                if counts[JOKER] >= jokers and counts[TWO] >= SMALLEST_MELD - jokers:
                    points = jokers * values[JOKER] + (SMALLEST_MELD - jokers) * values[TWO]
                    step = start_wilds_step(jokers)
                    if _turn_can_end_after(state, step, left, points):
                        steps.append(step)
    if counts[BLACK_THREE] >= SMALLEST_MELD and why_not_lay_black_threes(state) == OK:
        # The hand is about to be played out: always the careful way.
        if _turn_can_end_after(state, START_BLACK_THREES, 0, 3 * values[BLACK_THREE]):
            steps.append(START_BLACK_THREES)
    if prepared.runs:
        _start_run_steps(state, steps)


def _start_run_steps(state: HandState, steps: list[int]) -> None:
    seat = state.turn
    counts = state.counts_of(seat)
    left = state.size[seat] - SMALLEST_MELD
    values = state.prepared.values
    suits = [0, 1, 2, 3] if state.prepared.same_suit else [NO_SUIT]
    for low in range(NATURAL_RANKS - 2):
        if counts[low] == 0 or counts[low + 1] == 0 or counts[low + 2] == 0:
            continue
        for suit in suits:
            if (
                holds_rank_in_suit(state, seat, low, suit)
                and holds_rank_in_suit(state, seat, low + 1, suit)
                and holds_rank_in_suit(state, seat, low + 2, suit)
            ):
                step = start_run_step(low, suit)
                points = values[low] + values[low + 1] + values[low + 2]
                if _turn_can_end_after(state, step, left, points):
                    steps.append(step)


# -- suits ------------------------------------------------------------------------------------------------


def _suits(state: HandState, rank: int) -> list[int]:
    """The suits to choose from when a card of this rank is played."""
    if not state.prepared.same_suit or rank >= NATURAL_RANKS:
        return state.prepared.any_suit
    cards = state.cards_of(state.turn)
    return [suit for suit in range(4) if cards[rank * 4 + suit] > 0]


def _pairs(state: HandState, rank: int) -> list[int]:
    """The pairs of suits to choose from."""
    if not state.prepared.same_suit:
        return state.prepared.any_pair
    return [index for index in range(ANY_PAIR) if _holds(state, rank, PAIR_NEEDS[index])]


def _triples(state: HandState, rank: int) -> list[int]:
    if not state.prepared.same_suit:
        return state.prepared.any_triple
    return [index for index in range(ANY_TRIPLE) if _holds(state, rank, TRIPLE_NEEDS[index])]


def _holds(state: HandState, rank: int, needs: list[int]) -> bool:
    """The player holds so many cards of each suit."""
    cards = state.cards_of(state.turn)
    first = rank * 4
    return (
        cards[first] >= needs[0]
        and cards[first + 1] >= needs[1]
        and cards[first + 2] >= needs[2]
        and cards[first + 3] >= needs[3]
    )
