"""Apply steps to a state."""

from canasta.engine.actions.codec import (
    ADD_BLACK_THREE,
    ANSWER_NO,
    ANSWER_YES,
    ANY_SUIT,
    ASK,
    DISCARD,
    DRAW_STOCK,
    EXTEND_RUN,
    KEEP,
    LAY_BONUS,
    LAY_SPECIAL,
    PASS,
    PLAY_CALIENTE,
    PUT_BACK,
    START_BLACK_THREES,
    START_RUN,
    TAKE_ONTO_RUN,
    TAKE_ONTO_SET,
    TAKE_PILE,
    Step,
)
from canasta.engine.cards import BLACK_THREE, JOKER_KIND, KINDS_OF, TWO, kind_in_suit
from canasta.engine.law.going_out import best_special
from canasta.engine.law.reasons import OK
from canasta.engine.melds import ROW_BLACK_THREES, SMALLEST_MELD, run_length, run_low, run_suit
from canasta.engine.play.melding import extend_long_run, extend_run, lay_long_run, lay_on_set, lay_run
from canasta.engine.play.turns import (
    after_laying,
    answer,
    ask,
    before_laying,
    discard,
    draw,
    keep,
    lay_bonus,
    lay_special,
    pass_turn,
    play_caliente,
    put_back,
    take_onto_run,
    take_onto_set,
    take_pile,
    take_with,
)
from canasta.engine.sequences import (
    EITHER_END,
    HIGH_END,
    RunRules,
    kind_at,
    kind_of_wild,
    kinds_in,
    pack_long_run,
    run_with_natural,
    run_with_wild,
)
from canasta.engine.state import HandState


def make_step(state: HandState, step: int) -> None:
    """Make a step, which must be legal."""
    decoded = state.compiled.layout.decoded[step]
    what = decoded.what
    if what == DISCARD:
        discard(state, _pick(state, decoded.row, decoded.suit))
    elif what < START_BLACK_THREES:
        _make_plain_step(state, what)
    elif what == LAY_SPECIAL:
        lay_special(state, best_special(state))
    elif decoded.takes:
        _make_take(state, decoded)
        after_laying(state)
    else:
        before_laying(state)
        _make_meld(state, decoded)
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
        lay_bonus(state, state.any_bonus_card(state.turn))
    elif step == PUT_BACK:
        put_back(state)


def _make_take(state: HandState, step: Step) -> None:
    if step.what == TAKE_PILE:
        take_pile(state)
        return
    rank = state.compiled.rank_of[state.top_card()]
    if step.what == TAKE_ONTO_SET:
        take_onto_set(state, state.compiled.slots.first_slot(rank) + step.number)
    elif step.what == TAKE_ONTO_RUN:
        take_onto_run(state, step.number)
    else:
        take_with(state, _kinds(state, rank, step))


def _make_meld(state: HandState, step: Step) -> None:
    seat = state.turn
    what = step.what
    if step.names_place:
        _make_long_run(state, step)
    elif what == EXTEND_RUN:
        run = state.runs[state.side_of[seat]][step.number]
        rank = run_low(run) + run_length(run) if step.high_end else run_low(run) - 1
        kind = _pick(state, rank, run_suit(run))
        state.remove(seat, kind)
        extend_run(state, seat, step.number, kind)
    elif what == START_RUN:
        kinds = [_pick(state, step.row + above, step.suit) for above in range(SMALLEST_MELD)]
        for kind in kinds:
            state.remove(seat, kind)
        lay_run(state, seat, kinds)
    elif what == START_BLACK_THREES or what == ADD_BLACK_THREE:
        state.black_threes_now = True
        count = SMALLEST_MELD if what == START_BLACK_THREES else 1
        _lay(state, ROW_BLACK_THREES, step.slot, _any_kinds(state, BLACK_THREE, count))
    else:
        rank = BLACK_THREE if step.row == ROW_BLACK_THREES else step.row
        _lay(state, step.row, step.slot, _kinds(state, rank, step))


def _make_long_run(state: HandState, step: Step) -> None:
    rules = state.compiled.run_rules
    seat = state.turn
    if step.what == START_RUN:
        run = pack_long_run(step.suit, step.place, SMALLEST_MELD, step.wild_at, step.wild)
        for kind in kinds_in(run):
            state.remove(seat, kind)
        lay_long_run(state, seat, run)
        return
    before = state.runs[state.side_of[seat]][step.number]
    kind = kind_of_wild(step.wild) if step.wild > 0 else kind_at(run_suit(before), step.place)
    state.remove(seat, kind)
    extend_long_run(state, seat, step.number, run_by_step(rules, before, step), [kind])


def run_by_step(rules: RunRules, before: int, step: Step) -> int:
    """Return the run that results from a step that adds a card, or `NO_RUN` if the card does not fit."""
    end = HIGH_END if step.high_end else EITHER_END
    if step.wild > 0:
        return run_with_wild(rules, before, step.wild, end)
    return run_with_natural(rules, before, step.place, end)


def _lay(state: HandState, row: int, slot: int, kinds: list[int]) -> None:
    for kind in kinds:
        state.remove(state.turn, kind)
    lay_on_set(state, state.turn, row, slot, kinds)


def _kinds(state: HandState, rank: int, step: Step) -> list[int]:
    """Return the cards from the hand that a step lays on a set of this rank."""
    suits = step.suits
    if not suits:
        kinds: list[int] = []
    elif suits[0] == ANY_SUIT:
        kinds = _any_kinds(state, rank, len(suits))
    else:
        kinds = [kind_in_suit(rank, suit) for suit in suits]
    if step.wild > 0:
        kinds.append(kind_of_wild(step.wild))
        return kinds
    if step.twos > 0:
        kinds += _any_kinds(state, TWO, step.twos)
    for _ in range(step.jokers):
        kinds.append(JOKER_KIND)
    return kinds


def _pick(state: HandState, rank: int, suit: int) -> int:
    """Return the card of this rank and suit; for `ANY_SUIT`, the first one in the hand."""
    return state.any_kind(state.turn, rank) if suit == ANY_SUIT else kind_in_suit(rank, suit)


def _any_kinds(state: HandState, rank: int, count: int) -> list[int]:
    """Return the first `count` cards of this rank in the hand."""
    seat = state.turn
    if count == 1:
        return [state.any_kind(seat, rank)]
    found: list[int] = []
    for kind in KINDS_OF[rank]:
        for _ in range(min(state.held(seat, kind), count - len(found))):
            found.append(kind)
    return found


def turn_can_end_after_trial(state: HandState, step: int) -> bool:
    """Return whether the turn can be ended after this step, by making it on a copy."""
    trial = state.copy()
    make_step(trial, step)
    return state.compiled.family.why_not_end(trial) == OK
