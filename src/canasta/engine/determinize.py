"""Determinization: deal the hidden cards of a view at random, to get a possible state for a search."""

from typing import Final

from canasta.engine.cards import BONUS_CARD, CALIENTE_KIND, KINDS
from canasta.engine.rng import Rng
from canasta.engine.state import HandState
from canasta.engine.view import HIDDEN, View

NUMBERS: Final = 4
"""Number of classes into which a belief sorts a rank in a hand: none, one, two, three or more cards."""
_SWEEPS: Final = 8
"""Number of passes that exchange each hidden card of a hand; enough to forget the uniform deal."""
_FINE: Final = 1 << 20


def determinize(view: View, rng: Rng, likely: list[list[float]] | None = None) -> HandState:
    """Return a full state in which this seat would see exactly this view. All such states are equally likely.

    Cards publicly known to be in a hand (they came with the pile) stay there. No hand holds a red three that
    would have been laid out.

    `likely` weights the deal: `likely[seat][rank * NUMBERS + number]` is how many times as likely the hand is
    to hold `number` cards of the rank as in a uniform deal. A seat with an empty list is dealt to uniformly.
    """
    state = view.state.copy()
    seat = view.seat
    unseen = unseen_kinds(state, seat)
    deck = [kind for kind in range(KINDS) for _ in range(unseen[kind])]
    rng.shuffle(deck)
    for other in state.order:
        if other == seat:
            continue
        size = state.size(other)
        state.set_hand_size(other, 0)
        for kind in range(KINDS):
            for _ in range(state.known(other, kind)):
                state.give(other, kind)
        put_aside: list[int] = []
        kept = 1 if state.compiled.keep_three and _may_hold_three(state, other) else 0
        while state.size(other) < size:
            if not deck:
                # At the end of the stock a hand may hold bonus cards that it could not lay out.
                state.give(other, put_aside.pop())
                continue
            kind = deck.pop()
            is_bonus = state.compiled.role_of[kind] == BONUS_CARD and not state.compiled.by_hand
            if is_bonus and state.bonus_cards(other) >= kept:
                put_aside.append(kind)
            else:
                state.give(other, kind)
        deck.extend(put_aside)
    if likely is not None:
        # Alternate between the hands, so that a card one hand rejects can end up in another.
        for _ in range(_SWEEPS):
            for other in state.order:
                if other != seat and likely[other]:
                    _exchange(state, other, deck, likely[other], rng)
    rng.shuffle(deck)
    feet: list[list[int]] = []
    for foot in state.feet:
        feet.append([deck.pop() for _ in foot])
    state.feet = feet
    state.pots = [[deck.pop() for _ in pot] for pot in state.pots]
    if state.compiled.talon:
        state.talons = [
            talon if other == seat else [deck.pop() for _ in talon]
            for other, talon in enumerate(state.talons)
        ]
    if state.pile_size() > 0 and state.top_card() == HIDDEN:
        state.lift_top_card()
        state.put_on_pile(deck.pop())
    state.set_deck([deck.pop() for _ in range(state.stock_size())])
    state.at = 0
    before = state.before_take
    if before is not None:
        state.before_take = _before_take(state, before, seat)
    return state


def _exchange(state: HandState, seat: int, deck: list[int], likely: list[float], rng: Rng) -> None:
    """Swap cards of a hand with undealt ones, accepting each swap by its likelihood (Metropolis)."""
    if not deck:
        return
    hidden: list[int] = []
    held = state.cards_of(seat)
    for kind in range(KINDS):
        for _ in range(held[kind] - state.known(seat, kind)):
            hidden.append(kind)
    for at in range(len(hidden)):
        place = rng.below(len(deck))
        gives = hidden[at]
        gets = deck[place]
        given = state.compiled.rank_of[gives]
        got = state.compiled.rank_of[gets]
        if given == got or (state.compiled.role_of[gets] == BONUS_CARD and not state.compiled.by_hand):
            continue
        ratio = _ratio(likely, given, state.count(seat, given), -1)
        ratio *= _ratio(likely, got, state.count(seat, got), 1)
        if ratio >= 1.0 or rng.below(_FINE) < ratio * _FINE:
            hidden[at] = gets
            deck[place] = gives
            known = state.known(seat, gives)
            state.remove(seat, gives)
            state.give(seat, gets)
            # A hidden card was exchanged, not one of the publicly known cards.
            state.note_known(seat, gives, known - state.known(seat, gives))


def _ratio(likely: list[float], rank: int, held: int, more: int) -> float:
    """Return the factor by which `more` further cards of a rank change the likelihood of a hand."""
    now = likely[rank * NUMBERS + min(held, NUMBERS - 1)]
    return likely[rank * NUMBERS + min(held + more, NUMBERS - 1)] / now


def _may_hold_three(state: HandState, seat: int) -> bool:
    """Return whether the seat may hold a three.

    A side that has opened lays out every three at the start of a turn (TURN-6).
    """
    return seat != state.turn or state.melded_now or not state.opened(state.side_of[seat])


def unseen_kinds(state: HandState, seat: int | None) -> list[int]:
    """Return, by kind, how many cards the view neither shows nor locates in a known hand."""
    unseen = [0] * KINDS
    for kind in state.compiled.deck:
        unseen[kind] += 1
    places = [state.pile, *state.bonus, state.special_cards]
    if seat is not None:
        places.append(state.talons[seat])
    for side in range(state.sides):
        places.append([card & 63 for card in state.cards_laid_by(side)])
        unseen[CALIENTE_KIND] -= state.caliente_played(side)
    for kinds in places:
        for kind in kinds:
            if kind != HIDDEN:
                unseen[kind] -= 1
    for other in state.order:
        shown = state.cards_of(other) if other == seat else state.known_of(other)
        for kind in range(KINDS):
            unseen[kind] -= shown[kind]
    return unseen


def _before_take(state: HandState, before: HandState, seat: int | None) -> HandState:
    """Return the state before the take, with its hidden cards dealt as they are now."""
    filled = before.copy()
    for other in filled.order:
        if other != seat:
            filled.take_over(other, state)
    taker = filled.turn
    if taker != seat:
        filled.set_hand_size(taker, state.size(taker))
        # Undo the take: remove the cards that came with the pile, restore those melded from the hand.
        if not state.pile_due:
            for kind in before.pile[:-1]:
                if state.compiled.role_of[kind] != BONUS_CARD:
                    filled.remove(taker, kind)
        for card in state.laid_now()[1:]:
            filled.give(taker, card & 63)
        for kind in range(KINDS):
            filled.note_known(taker, kind, before.known(taker, kind) - filled.known(taker, kind))
    filled.set_deck(state.deck)
    filled.at = 0
    filled.feet = state.feet
    return filled
