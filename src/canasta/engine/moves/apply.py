"""Try a person's move on a copy of the state, checking the rules in the order a player would."""

from dataclasses import replace

from canasta.engine.actions.legal import is_forced_to_take, legal_steps
from canasta.engine.actions.make import make_step
from canasta.engine.cards import BONUS_CARD, RANKS, card_text
from canasta.engine.events import Event
from canasta.engine.law import reasons
from canasta.engine.law.going_out import (
    special_number,
    why_not_ask,
    why_not_keep,
    why_not_special,
    why_not_throw,
)
from canasta.engine.law.pile import why_not_put_back
from canasta.engine.law.special_cards import why_not_caliente, why_not_lay_bonus
from canasta.engine.moves.melding import add_cards, lay_melds, take
from canasta.engine.moves.referee import Referee, rank_of
from canasta.engine.moves.refusals import Refusal, RefusedMove, end_facts, pile_facts, refuse, situation
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
    Special,
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
    lay_special,
    pass_turn,
    play_caliente,
    put_back,
)
from canasta.engine.state import ANSWER, DRAW, OVER, PLAY, HandState
from canasta.i18n import Facts


def try_move(state: HandState, move: Move, *, partial: bool = False) -> HandState:
    """Return the state after a move, with its events in `log`. Raise `RefusedMove` if it is not allowed.

    The given state never changes. With `partial`, a first meld may stop short of its minimum as long as the
    minimum remains reachable; small steps are judged that way.
    """
    trial = state.copy()
    log: list[Event] = []
    trial.log = log
    try:
        referee = Referee(trial, partial)
        _make(referee, move)
        if state.top_due and trial.top_due and not _is_made_by_step(state, trial):
            referee.ask_rule(reasons.TOP_CARD_FIRST, {"card": card_text(state.taken_top)})
    except RefusedMove as refused:
        if not state.compiled.rules.deck.caliente_names:
            raise
        raise RefusedMove(replace(refused.refusal, caliente_names=True)) from None
    return trial


def _is_made_by_step(state: HandState, trial: HandState) -> bool:
    """Return whether a step leads from a state with a lifted top card to the same cards on the table."""
    side = state.side_of[state.turn]
    for step in legal_steps(state):
        after = state.copy()
        make_step(after, step)
        if after.cards_laid_by(side) == trial.cards_laid_by(side) and after.runs == trial.runs:
            return True
    return False


def _make(referee: Referee, move: Move) -> None:
    if referee.state.phase == OVER:
        also = () if referee.state.out >= 0 else ("END-1", "END-3", "END-4", "END-5")
        raise RefusedMove(refuse(reasons.HAND_IS_OVER, None, also))
    defect = defect_of(move)
    if defect:
        referee.ask_rule(reasons.NOT_A_MOVE, {"defect": defect})
    if isinstance(move, Draw):
        _draw(referee)
    elif isinstance(move, Take):
        take(referee, move)
    elif isinstance(move, Meld):
        lay_melds(referee, move)
    elif isinstance(move, Add):
        add_cards(referee, move)
    elif isinstance(move, Discard):
        _discard(referee, move)
    elif isinstance(move, Keep):
        referee.in_phase("keep", PLAY, also=("DISC-5",))
        referee.ask_rule(
            why_not_keep(referee.state),
            {"size": referee.state.size(referee.state.turn), **end_facts(referee.state)},
        )
        keep(referee.state)
    elif isinstance(move, Pass):
        _pass(referee)
    elif isinstance(move, PlayCaliente):
        _caliente(referee)
    elif isinstance(move, LayBonus):
        _lay_bonus(referee, move)
    elif isinstance(move, Special):
        _special(referee, move)
    elif isinstance(move, Ask):
        referee.in_phase("ask", DRAW, PLAY)
        referee.ask_rule(why_not_ask(referee.state))
        ask(referee.state)
    elif isinstance(move, Answer):
        if referee.state.phase != ANSWER:
            facts: Facts = {"move": "answer", "situation": situation(referee.state, asking=True)}
            referee.ask_rule(reasons.NOT_IN_THIS_PHASE, facts, ("OUT-3",))
        answer(referee.state, move.yes)
    elif isinstance(move, PutBack):
        referee.in_phase("putback", PLAY, also=("PILE-12",))
        referee.ask_rule(why_not_put_back(referee.state))
        put_back(referee.state)
    else:
        raise RefusedMove(refuse(reasons.NOTHING_TO_UNDO))


def _draw(referee: Referee) -> None:
    referee.in_phase("draw", DRAW, also=("CALI-1",) if referee.state.caliente_now else ())
    if referee.state.stock_is_out():
        raise RefusedMove(refuse(reasons.STOCK_IS_OUT))
    draw(referee.state)


def _pass(referee: Referee) -> None:
    state = referee.state
    if state.phase == PLAY and state.no_discard:
        if state.is_opening():
            referee.refuse_opening()
    else:
        referee.in_phase("pass", DRAW)
        if not state.stock_is_out():
            referee.ask_rule(reasons.STOCK_IS_NOT_OUT, {"stock": state.stock_size()})
        if is_forced_to_take(state):
            reason = reasons.MUST_TAKE_TOP_CARD if state.compiled.top_card_alone else reasons.MUST_TAKE
            referee.ask_rule(reason, pile_facts(state, 0))
    pass_turn(state)


def _caliente(referee: Referee) -> None:
    state = referee.state
    if state.phase == PLAY and state.caliente_now:
        referee.ask_rule(reasons.SECOND_CALIENTE)
    referee.in_phase("caliente", DRAW, also=("CALI-1",))
    side = state.side_of[state.turn]
    melds = [state.number_of_sets(s) + len(state.runs[s]) for s in range(state.sides)]
    theirs = min(melds[s] for s in range(state.sides) if s != side)
    referee.ask_rule(why_not_caliente(state), {"have": melds[side], "theirs": theirs})
    play_caliente(state)


def _lay_bonus(referee: Referee, move: LayBonus) -> None:
    referee.in_phase("lay", DRAW, PLAY)
    referee.ask_rule(why_not_lay_bonus(referee.state), end_facts(referee.state))
    kind = referee.find([(move.card,)])[0][0]
    if referee.state.compiled.role_of[kind] != BONUS_CARD:
        referee.ask_rule(reasons.NO_THREE if referee.state.compiled.keep_three else reasons.NO_RED_THREE)
    lay_bonus(referee.state, kind)


def _special(referee: Referee, move: Special) -> None:
    state = referee.state
    referee.in_phase("special", PLAY, also=("OUT-10",))
    number = special_number(state, move.name)
    if number < 0 and state.compiled.special_hands:
        choices = ", ".join([hand.name for hand in state.compiled.special_hands])
        referee.ask_rule(reasons.NO_SUCH_SPECIAL_HAND, {"choices": choices})
    referee.ask_rule(why_not_special(state, number), {"special": move.name} if number >= 0 else None)
    lay_special(state, number)


def _discard(referee: Referee, move: Discard) -> None:
    state = referee.state
    referee.in_phase("discard", PLAY)
    rank = rank_of(move.card)
    is_bonus = rank < RANKS and state.compiled.role_of_rank[rank] == BONUS_CARD
    kind = referee.find([(move.card,)], ("DISC-1",) if is_bonus else ())[0][0]
    reason = why_not_throw(state, kind)
    also = referee.also_at_the_end() if state.size(state.turn) == 1 else ()
    referee.ask_rule(reason, end_facts(state), also)
    discard(state, kind)


def why_not(state: HandState, move: Move, *, partial: bool = False) -> Refusal | None:
    """Return the refusal that a move would get, or `None` if it is allowed."""
    try:
        try_move(state, move, partial=partial)
    except RefusedMove as refused:
        return refused.refusal
    return None
