"""Making a step."""

from canasta.engine.cards import (
    BLACK_THREE,
    JOKER_KIND,
    KINDS_OF,
    RED_THREE,
    TWO,
)
from canasta.engine.law.melding import (
    NEW,
    SMALLEST_MELD,
    extend_run,
    lay_on_set,
    lay_run,
)
from canasta.engine.meld_names import ROW_BLACK_THREES, ROW_WILD
from canasta.engine.play.turns import (
    after_laying,
    answer,
    ask,
    before_laying,
    discard,
    draw,
    keep,
    lay_bonus,
    pass_turn,
    play_caliente,
    put_back,
    take_onto_run,
    take_onto_set,
    take_with,
)
from canasta.engine.state import (
    HandState,
    run_length,
    run_low,
    run_suit,
)
from canasta.engine.steps.codec import (
    ANSWER_NO,
    ANSWER_YES,
    ANY_SUIT,
    ASK,
    DISCARD,
    DRAW_STOCK,
    KEEP,
    LAY_BONUS,
    PAIRS,
    PASS,
    PLAY_CALIENTE,
    START_BLACK_THREES,
    START_NATURALS,
    START_PAIR,
    START_RUN,
    START_WILDS,
    TAKE_MIXED,
    TAKE_PAIR,
    TRIPLES,
)


def make_step(state: HandState, step: int) -> None:
    """Make a step that is allowed."""
    layout = state.prepared.layout
    if step < START_BLACK_THREES:
        _make_plain_step(state, step)
    elif DISCARD <= step < START_RUN:
        rank = (step - DISCARD) // 5
        suit = (step - DISCARD) % 5
        discard(state, _pick(state, rank, suit))
    elif TAKE_PAIR <= step < DISCARD or layout.take_onto_set <= step < layout.extend_run:
        _make_take(state, step)
        after_laying(state)
    else:
        before_laying(state)
        _make_meld(state, step)
        after_laying(state)


def _make_plain_step(state: HandState, step: int) -> None:
    if step == DRAW_STOCK:
        draw(state)
    elif step == PASS:
        pass_turn(state)
    elif step == KEEP:
        keep(state)
    elif step == PLAY_CALIENTE:
        play_caliente(state)
    elif step == ASK:
        ask(state)
    elif step == ANSWER_YES:
        answer(state, True)
    elif step == ANSWER_NO:
        answer(state, False)
    elif step == LAY_BONUS:
        lay_bonus(state, state.any_kind(state.turn, RED_THREE))
    else:
        put_back(state)


def _make_take(state: HandState, step: int) -> None:
    seat = state.turn
    layout = state.prepared.layout
    rank = state.prepared.rank_of[state.pile[-1]]
    if step < TAKE_MIXED:
        take_with(state, _find(state, rank, step - TAKE_PAIR, PAIRS, 2))
    elif step < DISCARD:
        suit = (step - TAKE_MIXED) // 2
        joker = (step - TAKE_MIXED) % 2
        wild = JOKER_KIND if joker else state.any_kind(seat, TWO)
        take_with(state, [_pick(state, rank, suit), wild])
    elif step < layout.take_onto_run:
        take_onto_set(state, rank * layout.slots + step - layout.take_onto_set)
    else:
        take_onto_run(state, step - layout.take_onto_run)


def _make_meld(state: HandState, step: int) -> None:
    seat = state.turn
    layout = state.prepared.layout
    if step >= layout.add_wild:
        slot = (step - layout.add_wild) // 2
        joker = (step - layout.add_wild) % 2
        wild = JOKER_KIND if joker else state.any_kind(seat, TWO)
        _lay(state, slot // layout.slots, slot, [wild])
    elif step >= layout.add_natural:
        slot = (step - layout.add_natural) // 5
        suit = (step - layout.add_natural) % 5
        _lay(state, slot // layout.slots, slot, [_pick(state, slot // layout.slots, suit)])
    elif step >= layout.extend_run:
        index = (step - layout.extend_run) // 2
        high_end = (step - layout.extend_run) % 2
        run = state.runs[state.side_of[seat]][index]
        rank = run_low(run) + run_length(run) if high_end else run_low(run) - 1
        kind = _pick(state, rank, run_suit(run))
        state.remove(seat, kind)
        extend_run(state, seat, index, kind)
    elif step >= START_PAIR:
        code = (step - START_PAIR) // 2
        joker = (step - START_PAIR) % 2
        rank = code // 11
        pair = code % 11
        wild = JOKER_KIND if joker else state.any_kind(seat, TWO)
        _lay(state, rank, NEW, [*_find(state, rank, pair, PAIRS, 2), wild])
    elif step >= START_NATURALS:
        rank = (step - START_NATURALS) // 21
        triple = (step - START_NATURALS) % 21
        _lay(state, rank, NEW, _find(state, rank, triple, TRIPLES, 3))
    elif step >= START_RUN:
        low = (step - START_RUN) // 5
        suit = (step - START_RUN) % 5
        kinds = [_pick(state, low, suit), _pick(state, low + 1, suit), _pick(state, low + 2, suit)]
        for kind in kinds:
            state.remove(seat, kind)
        lay_run(state, seat, kinds)
    elif step >= START_WILDS:
        jokers = step - START_WILDS
        kinds = [*_any_kinds(state, TWO, SMALLEST_MELD - jokers), *([JOKER_KIND] * jokers)]
        _lay(state, ROW_WILD, NEW, kinds)
    else:
        state.black_threes_now = True
        if step == START_BLACK_THREES:
            _lay(state, ROW_BLACK_THREES, NEW, _any_kinds(state, BLACK_THREE, SMALLEST_MELD))
        else:
            slot = ROW_BLACK_THREES * layout.slots
            _lay(state, ROW_BLACK_THREES, slot, _any_kinds(state, BLACK_THREE, 1))


def _lay(state: HandState, row: int, slot: int, kinds: list[int]) -> None:
    for kind in kinds:
        state.remove(state.turn, kind)
    lay_on_set(state, state.turn, row, slot, kinds)


def _pick(state: HandState, rank: int, suit: int) -> int:
    """The kind that a step means by this rank and suit."""
    return state.any_kind(state.turn, rank) if suit == ANY_SUIT else rank * 4 + suit


def _find(state: HandState, rank: int, index: int, choices: list[list[int]], count: int) -> list[int]:
    if index == len(choices) - 1:
        return _any_kinds(state, rank, count)
    return [rank * 4 + suit for suit in choices[index]]


def _any_kinds(state: HandState, rank: int, count: int) -> list[int]:
    """The first so many cards of this rank in the hand."""
    cards = state.cards[state.turn]
    found: list[int] = []
    for kind in KINDS_OF[rank]:
        for _ in range(min(cards[kind], count - len(found))):
            found.append(kind)
    return found
