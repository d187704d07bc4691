"""Dealing the cards that a view does not show: a possible state for searching players."""

from canasta.engine.cards import BONUS_CARD, CALIENTE_KIND, KINDS
from canasta.engine.rng import Rng
from canasta.engine.state import HandState
from canasta.engine.view import View


def resample(view: View, rng: Rng) -> HandState:
    """A full state in which this seat would see exactly this view, all such states equally likely.

    What everyone knows of a hand (cards that came with the pile) stays there, and no hand holds a red three
    that would have been laid out.
    """
    state = view.state.copy()
    seat = view.seat
    unseen = _unseen(state, seat)
    deck = [kind for kind in range(KINDS) for _ in range(unseen[kind])]
    rng.shuffle(deck)
    for other in state.order:
        if other == seat:
            continue
        size = state.size[other]
        state.size[other] = 0
        for kind in range(KINDS):
            for _ in range(state.known(other, kind)):
                state.give(other, kind)
        put_aside: list[int] = []
        while state.size[other] < size:
            kind = deck.pop()
            if state.prepared.role_of[kind] == BONUS_CARD and not state.prepared.by_hand:
                put_aside.append(kind)
            else:
                state.give(other, kind)
        deck.extend(put_aside)
    rng.shuffle(deck)
    feet: list[list[int]] = []
    for foot in state.feet:
        feet.append([deck.pop() for _ in foot])
    state.feet = feet
    state.deck = [deck.pop() for _ in range(state.stock_size())]
    state.at = 0
    before = state.before_take
    if before is not None:
        state.before_take = _before_take(state, before, seat)
    return state


def _unseen(state: HandState, seat: int | None) -> list[int]:
    """How many of each kind the view does not show and nobody is known to hold."""
    unseen = [0] * KINDS
    for kind in state.prepared.deck:
        unseen[kind] += 1
    places = [state.pile, *state.bonus]
    for side in range(state.sides):
        places.append([card & 63 for card in state.laid[side]])
        unseen[CALIENTE_KIND] -= state.caliente_played[side]
    for kinds in places:
        for kind in kinds:
            unseen[kind] -= 1
    for other in state.order:
        shown = state.cards_of(other) if other == seat else state.known_of(other)
        for kind in range(KINDS):
            unseen[kind] -= shown[kind]
    return unseen


def _before_take(state: HandState, before: HandState, seat: int | None) -> HandState:
    """The state before the take, with the hidden cards as they are dealt now."""
    filled = before.copy()
    for other in filled.order:
        if other != seat:
            filled.take_over(other, state)
    taker = filled.turn
    if taker != seat:
        filled.size[taker] = state.size[taker]
        # Undo the take: what came with the pile goes, what was melded from the hand comes back.
        if not state.pile_due:
            for kind in before.pile[:-1]:
                if state.prepared.role_of[kind] != BONUS_CARD:
                    filled.remove(taker, kind)
        for card in state.laid[state.side_of[taker]][state.laid_before + 1 :]:
            filled.give(taker, card & 63)
        for kind in range(KINDS):
            filled.note_known(taker, kind, before.known(taker, kind) - filled.known(taker, kind))
    filled.deck = state.deck
    filled.at = 0
    filled.feet = state.feet
    return filled
