"""The private part of a player's view: own cards, ways to take the pile, and possible discards."""

from typing import Final

from canasta.engine.hand import Hand
from canasta.engine.law.going_out import best_special
from canasta.engine.law.reasons import BELOW_MINIMUM
from canasta.engine.moves.legal_moves import pile_offers, why_no_offer, worth_offering
from canasta.engine.moves.refusals import Refusal
from canasta.engine.moves.types import (
    Answer,
    Ask,
    Discard,
    Draw,
    Keep,
    LayBonus,
    Move,
    Pass,
    PlayCaliente,
    PutBack,
    Special,
    Take,
    Undo,
)
from canasta.engine.state import HandState
from canasta.engine.view import View
from canasta.notation.cards import any_of, format_card
from canasta.table.errors import why_not
from canasta.table.wire import BarredCards, TakeChoice, YourView

_SIMPLE_MOVES: Final[dict[str, tuple[Move, ...]]] = {
    "draw": (Draw(), Pass(), PlayCaliente(), Ask(), PutBack()),
    "play": (Pass(), Keep(), PlayCaliente(), Ask(), PutBack(), Undo()),
    "answer": (Answer(yes=True), Answer(yes=False)),
}
"""Moves without cards, by the phase in which they can be made."""


def your_view(hand: Hand, view: View) -> YourView:
    assert view.seat is not None
    yours = not hand.over and view.turn == view.seat
    visible = view.state
    mine = YourView(
        seat=view.seat,
        cards=[format_card(card) for card in view.hand],
        turn=yours,
        talon=[format_card(card) for card in visible.talons[view.seat]],
    )
    if not yours:
        return mine
    moves = [*_SIMPLE_MOVES[view.phase], *_threes_and_specials(visible)]
    offered = worth_offering(visible, moves)
    mine.can = [str(move) for move in offered if hand.check(move) is None]
    if view.phase == "draw":
        _fill_takes(mine, hand, view)
    elif view.phase == "play":
        _fill_discards(mine, hand, view)
        mine.laid_points = visible.opening_points if visible.is_opening() else 0
    return mine


def _threes_and_specials(state: HandState) -> list[Move]:
    """Return the moves that lay down threes, and the special hand if the whole hand is one."""
    moves: list[Move] = []
    if state.compiled.by_hand or state.compiled.keep_three:
        held = [rank for rank in state.compiled.bonus_ranks if state.count(state.turn, rank) > 0]
        moves += [LayBonus(any_of(rank)) for rank in held]
    special = best_special(state)
    if special >= 0:
        moves.append(Special(state.compiled.special_hands[special].name))
    return moves


def _fill_discards(mine: YourView, hand: Hand, view: View) -> None:
    """Fill in which cards can't be discarded and why.

    If no rule distinguishes between cards, fill in only whether a discard is possible.
    """
    compiled = view.state.compiled
    cards = list(dict.fromkeys(view.hand))
    if not (compiled.bonus_threes or compiled.no_return or compiled.natural_last):
        mine.can_discard = any(hand.check(Discard(card)) is None for card in cards)
        return
    barred: dict[str, BarredCards] = {}
    for card in cards:
        refusal = hand.check(Discard(card))
        if refusal is None:
            mine.can_discard = True
        else:
            one = barred.setdefault(refusal.code, BarredCards(cards=[], why=why_not(refusal)))
            one.cards.append(format_card(card))
    # If no card can be discarded, the reason isn't about a single card; refusing a discard reports it.
    mine.barred = list(barred.values()) if mine.can_discard else []


def resting_view(hand: Hand, seat: int) -> YourView:
    """Return the view of a player whose turn it is not: only the cards."""
    return YourView(
        seat=seat,
        cards=[format_card(card) for card in hand.hand_cards(seat)],
        turn=False,
        talon=[format_card(card) for card in hand.talon_cards(seat)],
    )


def _fill_takes(mine: YourView, hand: Hand, view: View) -> None:
    """Fill in the ways to take the pile, or the reason why it can't be taken."""
    mine.takes = [_take_choice(view, take, refusal) for take, refusal in pile_offers(hand.state)]
    if not mine.takes:
        mine.no_take = why_not(why_no_offer(hand.state))


def _take_choice(view: View, move: Take, refusal: Refusal | None) -> TakeChoice:
    compiled = view.state.compiled
    choice = TakeChoice(
        move=str(move),
        cards=[format_card(card) for card in move.cards],
        onto="" if move.onto is None else str(move.onto),
    )
    if refusal is not None:
        needed, have = refusal.facts.get("needed", 0), refusal.facts.get("have", 0)
        if isinstance(needed, int) and isinstance(have, int):
            choice.short, choice.counted = max(0, needed - have), have
        choice.lacks = "" if refusal.reason == BELOW_MINIMUM else refusal.code
    else:
        taken = (*move.cards, view.state.top_card())
        choice.counted = sum(compiled.values[compiled.rank_of[card]] for card in taken)
    return choice
