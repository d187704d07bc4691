"""Explain moves that neither meld nor discard: questions and
answers, Caliente cards, threes, special hands."""

from canasta.bots.card_counting import foe_is_close, may_go_out, pile_worth
from canasta.bots.club.going_out import gain_of_going_out, out_step
from canasta.bots.club.partner_reply import (
    ASKERS_FOOT_BARS,
    CANASTAS_BAR,
    TEAMMATES_FOOT_BARS,
    cards_to_canastas,
    most_cards,
    what_bars,
)
from canasta.bots.club.policy import caliente_pays
from canasta.bots.club.weights import Weights
from canasta.bots.protocol import Explanation, Reason
from canasta.engine.actions.legal import legal_steps
from canasta.engine.moves.refusals import Facts
from canasta.engine.moves.types import Answer, Ask, Keep, LayBonus, Move, Pass, PutBack, Special
from canasta.engine.state import PLAY, HandState


def explain_caliente(state: HandState, seat: int, weights: Weights) -> Explanation:
    gained = max(0, state.compiled.caliente_hand - state.size(seat) + 1)
    penalty = state.compiled.score.caliente_played
    pays = caliente_pays(state, seat, weights)
    return Explanation(
        [Reason("caliente_pays" if pays else "caliente_seldom", {"count": gained, "points": penalty})],
        {"cards": float(gained), "penalty": float(penalty), "stock cards": float(state.stock_size())},
    )


def explain_question(state: HandState, seat: int, move: Ask | Answer, weights: Weights) -> Explanation:
    gain = gain_of_going_out(state, state.turn, weights)
    numbers = {"gain": gain, "cards in hand": float(state.size(seat))}
    if isinstance(move, Ask):
        if state.phase != PLAY or out_step(state, True) < 0:
            return Explanation([Reason("ask_in_vain")], numbers)
        code = "must_ask" if state.compiled.must_ask else "ask_decides"
        return Explanation([Reason(code, {"points": round(gain)})], numbers)
    bar = _bar(state, numbers)
    if bar is not None:
        return Explanation([Reason("yes_in_vain" if move.yes else "no"), bar], numbers)
    size = state.size(seat)
    if not move.yes:
        return Explanation([Reason("no_meld_first", {"count": size})], numbers)
    if foe_is_close(state, state.side_of[seat]):
        return Explanation([Reason("yes_foe_close", {"count": size})], numbers)
    return Explanation([Reason("yes_worth", {"points": round(gain), "count": size})], numbers)


def _bar(state: HandState, numbers: dict[str, float]) -> Reason | None:
    """Return why the asking player cannot go out this turn, or `None` if nothing visible prevents it."""
    bar = what_bars(state)
    if bar == ASKERS_FOOT_BARS:
        return Reason("bar_foot")
    if bar == TEAMMATES_FOOT_BARS:
        return Reason("bar_feet")
    if bar == CANASTAS_BAR:
        missing = cards_to_canastas(state, state.side_of[state.turn])
        numbers["cards missing"] = float(missing)
        return Reason("bar_canastas", {"count": missing, "most": most_cards(state)})
    return None


def explain_plain(state: HandState, seat: int, move: Move, weights: Weights) -> Explanation:
    numbers = {"cards in hand": float(state.size(seat)), "stock cards": float(state.stock_size())}
    side = state.side_of[seat]
    if isinstance(move, Special):
        named = [hand.points for hand in state.compiled.special_hands if hand.name == move.name]
        facts: Facts = {"special": move.name, "points": max(named, default=0)}
        return Explanation([Reason("special_hand", facts)], numbers)
    if isinstance(move, LayBonus) and state.compiled.bonus_threes:
        return Explanation([Reason("three_replaced")], numbers)
    if isinstance(move, LayBonus):
        numbers["red threes"] = float(state.bonus_cards(seat))
        return Explanation([Reason("red_three_points", {"points": state.compiled.score.bonus[1]})], numbers)
    if isinstance(move, Keep):
        code = "keep_nothing_better" if may_go_out(state, side) else "keep_no_canastas"
        return Explanation([Reason(code)], numbers)
    if isinstance(move, Pass):
        if state.no_discard:
            return Explanation([Reason("pass_red_three")], numbers)
        worth = pile_worth(state, side, seat, weights, True) if state.pile_size() > 0 else 0.0
        numbers["pile"] = worth
        can = any(state.compiled.layout.decoded[step].takes for step in legal_steps(state))
        why = Reason("pass_worth", {"points": round(worth)}) if can else Reason("pass_cannot")
        return Explanation([why], numbers)
    if isinstance(move, PutBack):
        penalty = state.compiled.score.put_back
        numbers["penalty"] = float(penalty)
        return Explanation([Reason("put_back_price", {"points": penalty})], numbers)
    return Explanation([Reason("undo")], numbers)
