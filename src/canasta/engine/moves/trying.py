"""Trying a move as a person makes it: the rules are asked on a copy, in the order a player would."""

from dataclasses import replace

from canasta.engine.cards import (
    RANK_OF,
    RED_THREE,
)
from canasta.engine.events import Event
from canasta.engine.law import why_not as r
from canasta.engine.law.asking import why_not_ask
from canasta.engine.law.discarding import why_not_discard, why_not_keep
from canasta.engine.law.pile import (
    why_not_put_back,
)
from canasta.engine.law.special_cards import why_not_caliente, why_not_lay_bonus
from canasta.engine.moves.attempt import Attempt
from canasta.engine.moves.facts import end_facts, pile_facts, situation
from canasta.engine.moves.find_cards import rank_of
from canasta.engine.moves.laying import add_cards, lay_melds
from canasta.engine.moves.refusals import Facts, Refusal, RefusedMove, refuse
from canasta.engine.moves.taking import take
from canasta.engine.moves.types import (
    Add,
    Answer,
    Ask,
    Discard,
    Draw,
    Keep,
    LayBonus,
    Meld,
    Move,
    Pass,
    PlayCaliente,
    PutBack,
    Take,
    defect_of,
)
from canasta.engine.play.turns import (
    answer,
    ask,
    discard,
    draw,
    keep,
    lay_bonus,
    pass_turn,
    play_caliente,
    put_back,
)
from canasta.engine.state import ANSWER, DRAW, OVER, PLAY, HandState
from canasta.engine.steps.legal import is_forced_to_take


def try_move(state: HandState, move: Move, *, partial: bool = False) -> HandState:
    """The state after a move, its events in `log`; raises `RefusedMove` and never changes the given state.

    `partial` lets a first meld stop short of its minimum as long as the minimum can still be reached, which
    is how a small step is judged.
    """
    trial = state.copy()
    log: list[Event] = []
    trial.log = log
    try:
        _make(Attempt(trial, partial), move)
    except RefusedMove as refused:
        if not state.prepared.rules.deck.caliente_names:
            raise
        raise RefusedMove(replace(refused.refusal, caliente_names=True)) from None
    return trial


def _make(attempt: Attempt, move: Move) -> None:
    if attempt.state.phase == OVER:
        also = () if attempt.state.out >= 0 else ("END-1", "END-3", "END-4", "END-5")
        raise RefusedMove(refuse(r.HAND_IS_OVER, None, also))
    defect = defect_of(move)
    if defect:
        attempt.ask_rule(r.NOT_A_MOVE, {"defect": defect})
    if isinstance(move, Draw):
        _draw(attempt)
    elif isinstance(move, Take):
        take(attempt, move)
    elif isinstance(move, Meld):
        lay_melds(attempt, move)
    elif isinstance(move, Add):
        add_cards(attempt, move)
    elif isinstance(move, Discard):
        _discard(attempt, move)
    elif isinstance(move, Keep):
        attempt.in_phase("keep", PLAY, also=("DISC-5",))
        attempt.ask_rule(
            why_not_keep(attempt.state),
            {"size": attempt.state.size[attempt.state.turn], **end_facts(attempt.state)},
        )
        keep(attempt.state)
    elif isinstance(move, Pass):
        _pass(attempt)
    elif isinstance(move, PlayCaliente):
        _caliente(attempt)
    elif isinstance(move, LayBonus):
        _lay_bonus(attempt, move)
    elif isinstance(move, Ask):
        attempt.in_phase("ask", DRAW, PLAY)
        attempt.ask_rule(why_not_ask(attempt.state))
        ask(attempt.state)
    elif isinstance(move, Answer):
        if attempt.state.phase != ANSWER:
            facts: Facts = {"move": "answer", "situation": situation(attempt.state, asking=True)}
            attempt.ask_rule(r.NOT_IN_THIS_PHASE, facts, ("OUT-3",))
        answer(attempt.state, move.yes)
    elif isinstance(move, PutBack):
        attempt.in_phase("putback", PLAY, also=("PILE-12",))
        attempt.ask_rule(why_not_put_back(attempt.state))
        put_back(attempt.state)
    else:
        raise RefusedMove(refuse(r.NOTHING_TO_UNDO))


def _draw(attempt: Attempt) -> None:
    attempt.in_phase("draw", DRAW, also=("CALI-1",) if attempt.state.caliente_now else ())
    if attempt.state.at == len(attempt.state.deck):
        raise RefusedMove(refuse(r.STOCK_IS_OUT))
    draw(attempt.state)


def _pass(attempt: Attempt) -> None:
    state = attempt.state
    if state.phase == PLAY and state.no_discard:
        if state.is_opening():
            attempt.refuse_opening()
    else:
        attempt.in_phase("pass", DRAW)
        if state.at < len(state.deck):
            attempt.ask_rule(r.STOCK_IS_NOT_OUT, {"stock": state.stock_size()})
        if is_forced_to_take(state):
            reason = r.MUST_TAKE_TOP_CARD if state.prepared.top_card_alone else r.MUST_TAKE
            attempt.ask_rule(reason, pile_facts(state, 0))
    pass_turn(state)


def _caliente(attempt: Attempt) -> None:
    state = attempt.state
    if state.phase == PLAY and state.caliente_now:
        attempt.ask_rule(r.SECOND_CALIENTE)
    attempt.in_phase("caliente", DRAW, also=("CALI-1",))
    side = state.side_of[state.turn]
    melds = [len(state.sets[s]) + len(state.runs[s]) for s in range(state.sides)]
    theirs = min(melds[s] for s in range(state.sides) if s != side)
    attempt.ask_rule(why_not_caliente(state), {"have": melds[side], "theirs": theirs})
    play_caliente(state)


def _lay_bonus(attempt: Attempt, move: LayBonus) -> None:
    attempt.in_phase("lay", DRAW, PLAY)
    attempt.ask_rule(why_not_lay_bonus(attempt.state), end_facts(attempt.state))
    kind = attempt.find([(move.card,)])[0][0]
    if RANK_OF[kind] != RED_THREE:
        attempt.ask_rule(r.NO_RED_THREE)
    lay_bonus(attempt.state, kind)


def _discard(attempt: Attempt, move: Discard) -> None:
    state = attempt.state
    attempt.in_phase("discard", PLAY)
    kind = attempt.find([(move.card,)], ("DISC-1",) if rank_of(move.card) == RED_THREE else ())[0][0]
    reason = why_not_discard(state, RANK_OF[kind])
    also = attempt.also_at_the_end() if state.size[state.turn] == 1 else ()
    attempt.ask_rule(reason, end_facts(state), also)
    discard(state, kind)


def why_not(state: HandState, move: Move, *, partial: bool = False) -> Refusal | None:
    """The refusal that a move would meet; None when it is allowed."""
    try:
        try_move(state, move, partial=partial)
    except RefusedMove as refused:
        return refused.refusal
    return None
