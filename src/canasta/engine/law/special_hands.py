"""Special hands: whether a player may lay down the whole hand, and as which special hand (OUT-10)."""

from canasta.engine.cards import JOKER, NATURAL_RANKS, RANK_TEXTS, TWO
from canasta.engine.law.reasons import NO_SPECIAL_HANDS, NOT_THAT_HAND, OK, SPECIAL_AFTER_OPENING
from canasta.engine.state import PLAY, HandState
from canasta.rules.special_hands import SpecialHand


def is_special(state: HandState, seat: int, hand: SpecialHand) -> bool:
    """Return whether the seat holds exactly the cards of this special hand."""
    counts = state.counts_of(seat)
    threes = state.bonus_cards(seat)
    if hand.each:
        return threes == 1 and all(count == 1 for count in counts[: JOKER + 1])
    if threes > 0:
        return False
    twos, jokers = counts[TWO], counts[JOKER]
    naturals = counts[:NATURAL_RANKS]
    for rank in range(NATURAL_RANKS):
        if RANK_TEXTS[rank] in hand.must:
            if naturals[rank] != 2:
                return False
            naturals[rank] = 0
    which, number = hand.wilds
    if which == "groups":
        naturals += [twos, jokers]
    elif not _wilds_fit(which, number, twos, jokers):
        return False
    return sorted([count for count in naturals if count > 0]) == sorted(hand.groups)


def _wilds_fit(which: str, number: int, twos: int, jokers: int) -> bool:
    if which == "both":
        return twos == number and jokers == number
    if twos + jokers != number:
        return False
    if which == "twos":
        return jokers == 0
    return which != "alike" or twos == 0 or jokers == 0


def best_special(state: HandState) -> int:
    """Return the most valuable special hand that the player to move may lay down, or -1."""
    if why_not_special(state) != OK:
        return -1
    best = -1
    hands = state.compiled.special_hands
    for number, hand in enumerate(hands):
        if (best < 0 or hand.points > hands[best].points) and is_special(state, state.turn, hand):
            best = number
    return best


def special_number(state: HandState, name: str) -> int:
    """Return the number of this game's special hand with this name, or -1."""
    for number, hand in enumerate(state.compiled.special_hands):
        if hand.name == name:
            return number
    return -1


def why_not_special(state: HandState, number: int = -1) -> int:
    """Return why the player, who has drawn, may not lay down a
    special hand (the given one, or any), or `OK`."""
    if not state.compiled.special_hands:
        return NO_SPECIAL_HANDS
    if state.opened(state.side_of[state.turn]) or state.melded_now or state.phase != PLAY:
        return SPECIAL_AFTER_OPENING
    if number >= 0 and not is_special(state, state.turn, state.compiled.special_hands[number]):
        return NOT_THAT_HAND
    return OK
