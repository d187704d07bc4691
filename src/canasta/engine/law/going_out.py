"""Ending a turn with a discard, and going out: the partner's permission, special and concealed hands."""

from typing import Final

from mypy_extensions import i64

from canasta.engine.cards import (
    BONUS_CARD,
    JOKER,
    NATURAL_RANKS,
    RANK_TEXTS,
    RANKS,
    STOP_CARD,
    TWO,
    WILD_CARD,
)
from canasta.engine.compiled_rules import CompiledRules, size_bit
from canasta.engine.law.american import why_not_unfinished
from canasta.engine.law.reasons import (
    ASK_BEFORE_MELDING,
    ASKED_BEFORE,
    ASKED_TOO_OFTEN,
    ASKING_STRANDS,
    BELOW_MINIMUM,
    CANASTAS_MISSING,
    KEEP_BUT_CAN_GO_OUT,
    KEEP_NOT_ALLOWED,
    KEEP_WITH_MORE_CARDS,
    MUST_ASK,
    NO_ASKING,
    NO_SPECIAL_HANDS,
    NOBODY_TO_ASK,
    NOT_THAT_HAND,
    NOT_THROWN_BACK,
    OK,
    PARTNER_SAID_NO,
    PARTNERS_FOOT,
    SPECIAL_AFTER_OPENING,
    WILD_CANNOT_BE_LAST,
)
from canasta.engine.layout import SEAT_SIZE
from canasta.engine.melds import KIND_NAMES, MIXED, NATURAL, NOT_A_CANASTA, SAMBA, SMALLEST_MELD, WILD
from canasta.engine.state import NOT_ASKED, PLAY, SAID_NO, SAID_YES, HandState
from canasta.rules.model import GoingOutRules
from canasta.rules.special_hands import SpecialHand

ANY_CANASTA: Final = "any"
"""Placeholder for a canasta of any kind."""


def canastas_suffice(compiled: CompiledRules, natural: int, mixed: int, wild: int, samba: int) -> bool:
    """Return whether these canastas allow a side to go out (OUT-1)."""
    needed = compiled.kinds_needed
    return (
        natural + mixed + wild + samba >= compiled.canastas_needed
        and natural >= needed[NATURAL]
        and mixed >= needed[MIXED]
        and wild >= needed[WILD]
        and samba >= needed[SAMBA]
    )


def canastas_asked(rules: GoingOutRules) -> list[tuple[str, int]]:
    """Return the canastas required by OUT-1, for display.

    Each entry is a kind and a number. `any` comes first, with the total, if more are required than those
    kinds.
    """
    kinds = list(zip(KIND_NAMES, (rules.natural, rules.mixed, rules.wild, rules.sequence), strict=True))
    required = [(kind, count) for kind, count in kinds if count > 0]
    if rules.canastas > sum([count for _, count in required]) or not required:
        required.insert(0, (ANY_CANASTA, rules.canastas))
    return required


def has_canastas(state: HandState, side: int, lost: int, gained: int) -> bool:
    """Return whether the side has the canastas to go out, after losing and gaining one of these kinds."""
    canastas = state.canasta_counts(side)
    if lost == gained:
        return canastas_suffice(state.compiled, canastas[0], canastas[1], canastas[2], canastas[3])
    after = canastas.copy()
    if lost != NOT_A_CANASTA:
        after[lost] -= 1
    if gained != NOT_A_CANASTA:
        after[gained] += 1
    return canastas_suffice(state.compiled, after[0], after[1], after[2], after[3])


def must_still_ask(state: HandState, seat: int) -> bool:
    """Return whether this player must ask the partner before going out and has not been given permission."""
    return state.compiled.must_ask and state.asked != SAID_YES and state.partner[seat] >= 0


def teammates_played_feet(state: HandState, seat: int) -> bool:
    """Return whether all teammates have picked up the foot and played from it (OUT-5)."""
    if state.compiled.has_foot:
        for other in state.order:
            if other != seat and state.side_of[other] == state.side_of[seat] and not state.foot_played(other):
                return False
    return True


def why_not_leave(state: HandState, seat: int) -> int:
    """Return why this player may not go out, apart from missing canastas, or `OK`."""
    if state.asked == SAID_NO:
        return PARTNER_SAID_NO
    if must_still_ask(state, seat):
        return MUST_ASK
    return OK if teammates_played_feet(state, seat) else PARTNERS_FOOT


def why_not_out(state: HandState, seat: int, lost: int = NOT_A_CANASTA, gained: int = NOT_A_CANASTA) -> int:
    """Return why this player may not play the last card, or `OK`.

    The foot, if any, must be picked up already. `lost` and `gained` are the kinds of canasta that a planned
    move would change.
    """
    if not has_canastas(state, state.side_of[seat], lost, gained):
        return CANASTAS_MISSING
    if state.compiled.unfinished_bars:
        reason = why_not_unfinished(state, state.side_of[seat])
        if reason != OK:
            return reason
    return why_not_leave(state, seat)


def can_stop(state: HandState, size: int, red_threes: int, can_go_out: bool) -> bool:
    """Return whether the player to move can end the turn at once with `size` cards, red threes included."""
    if size >= 2 and size > red_threes:
        return True
    if state.no_discard and size > 0:
        return True
    if size == 1 and state.compiled.keep_last_card:
        return True
    if red_threes >= 2 and (state.at < state.deck_size() or state.compiled.keep_last_card):
        # Only red threes are left: lay one and discard its replacement, or lay all but the one kept.
        return True
    if can_go_out and state.compiled.out_by_discard:
        # A discard is required: the last card, or the replacement of a last red three.
        can_go_out = size > red_threes or (size > 0 and state.at < state.deck_size())
    return state.foot_waits(state.turn) or can_go_out


def either_answer_ends(state: HandState, seat: int) -> bool:
    """Return whether a mandatory question is still possible, and the turn can end after either answer.

    After a yes the player goes out; after a no a card that cannot be discarded is kept (OUT-3).
    """
    return (
        state.compiled.must_ask
        and state.asked == NOT_ASKED
        and not state.melded_now
        and state.partner[seat] >= 0
        and has_canastas(state, state.side_of[seat], NOT_A_CANASTA, NOT_A_CANASTA)
        and teammates_played_feet(state, seat)
    )


def others_than_black_threes(state: HandState) -> int:
    """Return the number of cards, in hand or due with the pile, that are not black threes."""
    others = state.size(state.turn) - state.stop_cards(state.turn)
    if state.pile_due:
        for kind in state.pile:
            if state.compiled.role_of[kind] != BONUS_CARD:
                others += 1
    return others


def black_threes_can_be_last(state: HandState) -> bool:
    """Return whether the hand has, besides black threes, at most the card needed for a discard."""
    others = others_than_black_threes(state)
    may_discard = not state.no_discard and state.bonus_cards(state.turn) == 0
    if others == 1:
        return may_discard
    if others == 0 and state.compiled.out_by_discard:
        # One of the black threes is the last discard.
        laid_first = 0 if state.black_threes_now else SMALLEST_MELD
        return may_discard and state.stop_cards(state.turn) > laid_first
    return others == 0


def concealed(state: HandState) -> bool:
    """Return whether the player who has just gone out went out concealed (SCOR-11)."""
    if state.compiled.score.concealed_by_table:
        return state.laid_before == 0
    if not state.fresh:
        return False
    cards_per_meld: dict[int, int] = {}
    for card in state.laid_now():
        if state.compiled.role_of[card & 63] != STOP_CARD:
            meld = card >> 6
            cards_per_meld[meld] = cards_per_meld.get(meld, 0) + 1
    return max(cards_per_meld.values(), default=0) >= state.compiled.canasta_size


def why_not_ask(state: HandState) -> int:
    """Return why the player may not ask the partner "may I go out?", or `OK` (OUT-3)."""
    if not state.compiled.may_ask:
        return NO_ASKING
    if state.melded_now:
        return ASK_BEFORE_MELDING
    if state.asked != NOT_ASKED:
        return ASKED_BEFORE
    if 0 < state.compiled.ask_limit <= state.asks(state.side_of[state.turn]):
        return ASKED_TOO_OFTEN
    if state.partner[state.turn] < 0:
        return NOBODY_TO_ASK
    return (
        ASKING_STRANDS
        if not state.compiled.must_ask and state.compiled.family.refusal_would_block_turn_end(state)
        else OK
    )


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
    if why_not_special(state) != OK or not _has_special_shape(state):
        return -1
    best = -1
    hands = state.compiled.special_hands
    for number, hand in enumerate(hands):
        if (best < 0 or hand.points > hands[best].points) and is_special(state, state.turn, hand):
            best = number
    return best


def _has_special_shape(state: HandState) -> bool:
    """Return whether the groups of equal cards in the hand have the sizes of some special hand.

    Very few hands do; only those are compared card by card.
    """
    packed = state.packed
    first: i64 = state.turn * SEAT_SIZE
    shape: i64 = 0
    rank: i64
    for rank in range(NATURAL_RANKS):
        shape += size_bit(i64(packed[first + rank]))
    if shape in state.compiled.special_shapes:
        return True
    shape += size_bit(i64(packed[first + TWO])) + size_bit(i64(packed[first + JOKER]))
    return shape in state.compiled.special_shapes


def special_number(state: HandState, name: str) -> int:
    """Return the number of this game's special hand with this name, or -1."""
    for number, hand in enumerate(state.compiled.special_hands):
        if hand.name == name:
            return number
    return -1


def why_not_special(state: HandState, number: int = -1) -> int:
    """Return why the player may not lay down special hand `number` (-1: any), or `OK`."""
    if not state.compiled.special_hands:
        return NO_SPECIAL_HANDS
    if state.opened(state.side_of[state.turn]) or state.melded_now or state.phase != PLAY:
        return SPECIAL_AFTER_OPENING
    if number >= 0 and not is_special(state, state.turn, state.compiled.special_hands[number]):
        return NOT_THAT_HAND
    return OK


def why_not_throw(state: HandState, kind: int) -> int:
    """Return why the player to move may not discard this particular card, or `OK`."""
    compiled = state.compiled
    reason = compiled.family.why_not_discard(state, compiled.rank_of[kind])
    if reason != OK:
        return reason
    if kind == state.not_returned:
        return NOT_THROWN_BACK
    seat = state.turn
    if compiled.natural_last and state.size(seat) == 1 and not state.foot_waits(seat):
        return WILD_CANNOT_BE_LAST if compiled.role_of[kind] == WILD_CARD else OK
    return OK


def can_discard(state: HandState) -> bool:
    """Return whether any card of the hand may be discarded now."""
    family = state.compiled.family
    for rank in range(RANKS):
        if state.count(state.turn, rank) > 0 and family.why_not_discard(state, rank) == OK:
            return True
    return False


def why_not_keep(state: HandState) -> int:
    """Return why the player may not keep the last card instead of discarding it, or `OK` (DISC-5)."""
    if not state.compiled.keep_last_card:
        return KEEP_NOT_ALLOWED
    if state.size(state.turn) != 1:
        return KEEP_WITH_MORE_CARDS
    if state.is_opening():
        return BELOW_MINIMUM
    return KEEP_BUT_CAN_GO_OUT if why_not_out(state, state.turn) == OK else OK
