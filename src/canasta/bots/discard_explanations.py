"""Explain discards: the chance that the next player takes the pile, and the loss to the hand."""

from typing import Final

from canasta.bots.card_counting import FITS, NEAR, CardCounter, fit, fits_own
from canasta.bots.club.burraco import neighbours
from canasta.bots.club.discard import DiscardPrices
from canasta.bots.club.style import style_of
from canasta.bots.club.weights import Weights
from canasta.bots.protocol import Explanation, Reason, as_move
from canasta.engine.actions.legal import legal_steps
from canasta.engine.cards import (
    ANY,
    CALIENTE_CARD,
    JOKER,
    JOKER_KIND,
    KINDS_OF,
    RANK_TEXTS,
    STOP_CARD,
    WILD_CARD,
    kind_in_suit,
)
from canasta.engine.law.american import is_dead
from canasta.engine.law.pile import is_frozen
from canasta.engine.melds import SMALLEST_MELD
from canasta.engine.moves.types import Discard
from canasta.engine.state import HandState
from canasta.i18n import Facts

ESTIMATES: Final = frozenset(
    (
        *("nobody_takes", "nobody_takes_frozen", "taken_onto", "taken_onto_meld"),
        *("let_go_by", "needs_pair", "needs_pair_frozen", "can_take"),
        *("fits_theirs", "near_theirs", "not_theirs", "wild_on_top"),
    )
)
"""Reasons that estimate whether the next player takes the pile."""
UNTAKEN: Final = frozenset(
    (
        *("stops_next", "stops_alone", "wild_safest", "wild_untaken", "keeps_frozen"),
        *("freezes_only_they", "freezes_they_can", "freezes_keep", "last_of_hand", "last_card_out"),
        *("last_before_pot", "closed_rank", "no_room"),
    )
)
"""Reasons for a discard that the next player cannot take or gets no chance to take."""


def explain_discard(state: HandState, seat: int, move: Discard, weights: Weights) -> Explanation:
    """Return the reasons for a discard."""
    card = _meant(state, seat, move.card)
    rank = state.compiled.rank_of[card]
    prices = style_of(state).discarding(state, seat, weights)
    pile = state.pile_size()
    suit = card & 3 if rank != JOKER else 4
    price = prices.price(rank, suit)
    numbers = {"cards in the pile": float(pile), "pile worth": prices.pile, "price": price}
    if state.size(seat) == 1:
        waits = "last_before_pot" if state.compiled.has_pots else "last_of_hand"
        return Explanation([Reason(waits if state.foot_waits(seat) else "last_card_out")], numbers)
    role = state.compiled.role_of_rank[rank]
    if role == STOP_CARD or role == CALIENTE_CARD:
        code = "stops_next" if pile else "stops_alone"
        return Explanation([Reason(code, {"rank": RANK_TEXTS[rank], "pile": pile})], numbers)
    best = prices.best(legal_steps(state))
    is_best = best >= 0 and as_move(state, best) == move
    if state.compiled.family.name == "burraco":
        return Explanation(_in_long_runs(state, seat, kind_in_suit(rank, suit), is_best), numbers)
    if role == WILD_CARD:
        return Explanation([_freezing(state, prices, pile, is_best)], numbers)
    counter = prices.counter
    chance = counter.take_chance(rank, state.frozen)
    total = 4 * state.compiled.rules.deck.decks
    seen = total - counter.unseen[rank]
    numbers["chance"] = chance
    numbers["in sight"] = float(seen)
    numbers["of"] = float(total)
    danger = _danger(state, counter, rank, chance, seen)
    if danger.code == "taken_onto" and not is_best:
        danger = Reason("taken_onto_meld", danger.facts)
    loss = _loss(state, seat, rank)
    if loss.code == "would_fit" and not is_best:
        loss = Reason("fits_meld")
    return Explanation([danger, loss], numbers)


def _meant(state: HandState, seat: int, card: int) -> int:
    """Return the card of the hand that a move refers to."""
    if card < ANY:
        return card
    for kind in KINDS_OF[card - ANY]:
        if state.held(seat, kind) > 0:
            return kind
    raise ValueError("no card of that rank in the hand")


def _freezing(state: HandState, prices: DiscardPrices, pile: int, is_best: bool) -> Reason:
    if state.compiled.always_frozen:
        return Reason("wild_safest" if is_best else "wild_untaken")
    if state.frozen:
        return Reason("keeps_frozen")
    code = "freezes_only_they" if not state.opened(prices.side) else "freezes_they_can"
    if not state.opened(prices.foe_side):
        code = "freezes_keep"
    return Reason(code, {"pile": pile, "worth": round(prices.pile)})


def _danger(state: HandState, counter: CardCounter, rank: int, chance: float, seen: int) -> Reason:
    frozen = is_frozen(state)
    lying = "_frozen" if frozen else ""
    facts: Facts = {"rank": RANK_TEXTS[rank], "seen": seen}
    if is_dead(state, counter.foe_side, rank):
        return Reason("closed_rank", {"rank": RANK_TEXTS[rank]})
    room = state.compiled.canasta_size - state.size_of_set(counter.foe_side, rank)
    if state.compiled.sets_close and room < SMALLEST_MELD:
        return Reason("no_room", {"rank": RANK_TEXTS[rank]})
    if chance < 0.005:
        return Reason("nobody_takes" + lying, facts)
    if chance >= 1.0 and counter.fits_their_meld(rank):
        return Reason("taken_onto", {"rank": RANK_TEXTS[rank]})
    facts["percent"] = round(100 * chance)
    if counter.was_passed(rank):
        return Reason("let_go_by", facts)
    if frozen or not state.opened(counter.foe_side):
        return Reason("needs_pair" + lying, facts)
    return Reason("can_take", facts)


def _loss(state: HandState, seat: int, rank: int) -> Reason:
    count = state.count(seat, rank)
    if fits_own(state, state.side_of[seat], rank):
        return Reason("would_fit")
    if count == 1:
        return Reason("stands_alone")
    if count == 2:
        return Reason("breaks_pair")
    return Reason("more_stay", {"count": count - 1})


def _in_long_runs(state: HandState, seat: int, kind: int, is_best: bool) -> list[Reason]:
    """Return reasons about the use of a card to the next player's side and to the player's own."""
    compiled = state.compiled
    if kind == JOKER_KIND or compiled.role_of[kind] == WILD_CARD:
        return [Reason("wild_given" if not compiled.use_top else "wild_on_top")]
    foe = state.side_of[state.next_seat[seat]]
    theirs = fit(state, foe, kind)
    danger = "fits_theirs" if theirs == FITS else "near_theirs" if theirs == NEAR else "not_theirs"
    own = fit(state, state.side_of[seat], kind)
    if own == FITS:
        loss = "would_fit" if is_best else "fits_meld"
    elif own == NEAR:
        loss = "near_own"
    elif state.held(seat, kind) == 1 and neighbours(state, seat, kind) > 0:
        loss = "parts_neighbours"
    elif compiled.set_rows and state.count(seat, compiled.rank_of[kind]) > 1:
        loss = "breaks_pair"
    else:
        loss = "stands_alone"
    return [Reason(danger), Reason(loss)]
