"""The club player's policy: count cards, keep pairs, weigh every discard, and know when to go out.

`club_step` is the whole policy as one function of a hand state. It reads only the seat's own cards and the
open cards, so it works on a full state (in a search) as well as on a view.
"""

from canasta.bots.card_counting import elapsed, may_go_out, open_slot, opponent_near_going_out, pile_worth
from canasta.bots.club.burraco import worth_of_pile
from canasta.bots.club.going_out import says_yes
from canasta.bots.club.melds import NO_MELD
from canasta.bots.club.opening import FirstMeld
from canasta.bots.club.style import NOTHING, style_of
from canasta.bots.club.weights import Weights
from canasta.engine.actions.codec import (
    ANSWER_NO,
    ANSWER_YES,
    DRAW_STOCK,
    EXTEND_RUN,
    KEEP,
    LAY_BONUS,
    PASS,
    PLAY_CALIENTE,
    TAKE_MIXED,
    is_discard,
    lays_cards,
)
from canasta.engine.actions.legal import legal_steps
from canasta.engine.cards import JOKER, NATURAL_RANKS, RANK_OF, RANK_TEXTS, RANKS, TWO
from canasta.engine.state import ANSWER, DRAW, HandState
from canasta.rules.special_hands import SpecialHand


def club_step(state: HandState, seat: int, weights: Weights) -> int:
    """Return the club player's step for this seat, which must be the one to move or to answer."""
    if state.phase == ANSWER:
        return ANSWER_YES if says_yes(state, seat, weights) else ANSWER_NO
    steps = legal_steps(state)
    if len(steps) == 1:
        return steps[0]
    if state.compiled.special_hands and state.compiled.layout.lay_special in steps:
        return state.compiled.layout.lay_special
    if LAY_BONUS in steps and not (state.compiled.special_hands and aims_at_special(state, seat, weights)):
        return LAY_BONUS
    if state.phase == DRAW:
        return _draw_step(state, seat, weights, steps)
    return _play_step(state, seat, weights, steps)


# -- before drawing ---------------------------------------------------------------------------------------


def _draw_step(state: HandState, seat: int, weights: Weights, steps: list[int]) -> int:
    take = NOTHING
    best = 0.0
    if DRAW_STOCK in steps and aims_at_special(state, seat, weights):
        return DRAW_STOCK
    for step in steps:
        if state.compiled.layout.decoded[step].takes:
            worth = take_worth(state, seat, weights, step)
            if take == NOTHING or worth > best:
                take = step
                best = worth
    if PLAY_CALIENTE in steps and caliente_pays(state, seat, weights):
        if take == NOTHING or best < 100.0:
            return PLAY_CALIENTE
    if DRAW_STOCK not in steps:
        # The stock is empty, so passing now ends the hand.
        if take != NOTHING and (best > 0.0 or PASS not in steps):
            return take
        return PASS if PASS in steps else steps[0]
    # A waiting foot matters even to a player whose weights overvalue the pile.
    takes_all = weights.takes_all and not state.foot_waits(seat) and not state.compiled.takes_at_once
    if take != NOTHING and (takes_all or best > weights.draw_card * state.compiled.draw):
        return take
    return DRAW_STOCK


def take_worth(state: HandState, seat: int, weights: Weights, step: int) -> float:
    """Return the value of taking the pile in this way, comparable with that of cards from the stock."""
    if state.compiled.takes_at_once:
        return worth_of_pile(state, seat, weights, step)
    side = state.side_of[seat]
    rank = RANK_OF[state.top_card()]
    values = state.compiled.values
    worth = pile_worth(state, side, seat, weights, True)
    worth += weights.take_points * values[rank] + weights.take_fit
    way = state.compiled.layout.decoded[step]
    if not way.onto:
        worth -= weights.spend_pair
        if way.what == TAKE_MIXED:
            worth -= weights.keep_wild * 0.5
            if way.jokers > 0:
                worth -= weights.keep_joker
    worth -= style_of(state).price_of_taking(state, seat, weights, step)
    slot = open_slot(state, side, rank)
    if slot >= 0:
        worth += weights.take_grow * (state.size_of_set(side, slot) - 2)
    if opponent_near_going_out(state, side):
        worth -= weights.take_late * (state.pile_size() - 1)
    if not state.opened(side):
        worth += weights.take_open
    if state.foot_waits(seat):
        worth -= weights.foot_pile * (state.pile_size() - 1)
    return worth


def caliente_pays(state: HandState, seat: int, weights: Weights) -> bool:
    """Return whether playing a Caliente card pays: only with a small hand, and early enough to use the new
    cards.
    """
    gained = state.compiled.caliente_hand - state.size(seat) + 1
    if opponent_near_going_out(state, state.side_of[seat]) or state.stock_size() < 12:
        return False
    return gained >= weights.caliente_cards


# -- after drawing ----------------------------------------------------------------------------------------


def _play_step(state: HandState, seat: int, weights: Weights, steps: list[int]) -> int:
    side = state.side_of[seat]
    if state.is_opening() or state.top_due:
        return _opening_step(state, weights, steps)
    if weights.plans_out:
        step = style_of(state).going_out_step(state, seat, weights, steps)
        if step != NOTHING:
            return step
    if not state.opened(side):
        if aims_at_special(state, seat, weights):
            return _discard_for_special(state, seat, weights, steps)
        step = _first_meld_step(state, weights, steps)
    else:
        step = _best_meld(state, weights, steps, 0.0, NOTHING)
    if step != NOTHING:
        return step
    discard = style_of(state).discarding(state, seat, weights).best(steps)
    if discard >= 0:
        if KEEP in steps and not may_go_out(state, side):
            return KEEP
        return discard
    if KEEP in steps:
        return KEEP
    if PASS in steps:
        return PASS
    return steps[0]


def _first_meld_step(state: HandState, weights: Weights, steps: list[int]) -> int:
    """Return a step that opens now, or `NOTHING` to wait."""
    if not any(lays_cards(step) for step in steps):
        return NOTHING
    plan = FirstMeld(state, weights)
    if not plan.found or opening_worth(state, weights) <= plan.price:
        return NOTHING
    return plan.step(steps)


def opening_worth(state: HandState, weights: Weights) -> float:
    """Return the value of being open to the side of the player to move."""
    side = state.side_of[state.turn]
    worth = weights.open_bias + weights.open_red_three * len(state.bonus[side])
    for other in range(state.sides):
        if other != side and state.opened(other):
            worth += weights.open_behind
            break
    if weights.open_pile != 0.0 and not state.frozen and state.pile_size() > 0:
        worth += weights.open_pile * pile_worth(state, side, state.turn, weights, False)
    stock = state.stock_size()
    if stock < 40:
        worth += weights.open_hurry * (40 - stock) / 40.0
    if opponent_near_going_out(state, side):
        worth += weights.open_hurry
    if state.foot_waits(state.turn):
        worth += weights.foot_open * elapsed(state)
    return worth


def _opening_step(state: HandState, weights: Weights, steps: list[int]) -> int:
    """Return the next step of a first meld in progress, including the top card that was lifted."""
    if state.top_due:
        return _best_meld(state, weights, steps, NO_MELD, steps[0])
    plan = FirstMeld(state, weights)
    step = plan.step(steps) if plan.found else NOTHING
    if step >= 0:
        return step
    for step in steps:
        if state.compiled.layout.decoded[step].what == EXTEND_RUN:
            return step
    return _best_meld(state, weights, steps, NO_MELD, steps[0])


def _best_meld(state: HandState, weights: Weights, steps: list[int], least: float, otherwise: int) -> int:
    """Return the step that lays cards with the highest value above `least`, or `otherwise`."""
    melding = style_of(state).melding(state, weights)
    best = otherwise
    best_score = least
    for step in steps:
        if not is_discard(step):
            score = melding.score(step)
            if score > best_score:
                best_score = score
                best = step
    return best


# -- special hands ----------------------------------------------------------------------------------------


def aims_at_special(state: HandState, seat: int, weights: Weights) -> bool:
    """Return whether the hand is so close to a special one, and so early, that opening should wait."""
    if not state.compiled.special_hands or state.opened(state.side_of[seat]):
        return False
    if state.stock_size() < weights.special_stock:
        return False
    return nearest(state, seat).missing <= weights.special_near


def _discard_for_special(state: HandState, seat: int, weights: Weights, steps: list[int]) -> int:
    """Return the best discard among the cards that do not belong to the nearest special hand."""
    needed = nearest(state, seat).needed
    decoded = state.compiled.layout.decoded
    spare = [
        step
        for step in steps
        if is_discard(step) and state.count(seat, decoded[step].row) > needed[decoded[step].row]
    ]
    return style_of(state).discarding(state, seat, weights).best(spare or steps)


class Aim:
    """The special hand that a hand is closest to."""

    def __init__(self, name: str, missing: int, needed: list[int], points: int) -> None:
        self.name: str = name
        self.missing: int = missing
        """Number of cards that are missing."""
        self.needed: list[int] = needed
        """Number of cards of each rank that belong to it; for threes either colour will do."""
        self.points: int = points


def nearest(state: HandState, seat: int) -> Aim:
    """Return the special hand that lacks the fewest cards; on a tie, the most valuable one."""
    counts = state.counts_of(seat)
    best = Aim("", RANKS, [0] * RANKS, 0)
    for hand in state.compiled.special_hands:
        needed = _cards_needed(state, hand, counts)
        missing = sum([max(0, needed[rank] - counts[rank]) for rank in range(RANKS)])
        if hand.each and state.bonus_cards(seat) == 0:
            missing += 1
        if missing < best.missing or (missing == best.missing and hand.points > best.points):
            best = Aim(hand.name, missing, needed, hand.points)
    return best


def _cards_needed(state: HandState, hand: SpecialHand, counts: list[int]) -> list[int]:
    """Return the cards that make this hand, its largest groups in the ranks most held."""
    needed = [0] * RANKS
    if hand.each:
        for rank in range(JOKER + 1):
            needed[rank] = 1
        return needed
    free = list(range(NATURAL_RANKS))
    for rank in range(NATURAL_RANKS):
        if RANK_TEXTS[rank] in hand.must:
            needed[rank] = 2
            free.remove(rank)
    which, number = hand.wilds
    if which == "groups":
        free += [TWO, JOKER]
    elif which == "both":
        needed[TWO] = needed[JOKER] = number
    elif which == "mixed":
        needed[JOKER] = min(number, counts[JOKER])
        needed[TWO] = number - needed[JOKER]
    elif which == "alike" and counts[JOKER] > counts[TWO]:
        needed[JOKER] = number
    else:
        needed[TWO] = number
    held = sorted([(-counts[rank], rank) for rank in free])
    for place, size in enumerate(sorted(hand.groups, reverse=True)):
        rank = held[place][1]
        # There may be only four jokers.
        needed[rank] = min(size, state.compiled.of_rank[rank])
    return needed
