"""The deal: hands, bonus cards, and the first up card."""

from canasta.engine.cards import BONUS_CARD, NATURAL_CARD, STOP_CARD, WILD_CARD
from canasta.engine.compiled_rules import CompiledRules
from canasta.engine.fairness import FairRound
from canasta.engine.layout import FOOT_WAITS, OPENED, bytes_writer
from canasta.engine.play.melding import lay_out_bonus_card
from canasta.engine.play.turns import begin_turn, draw_card, end_hand, freeze_pile, note_pots, start_turn
from canasta.engine.rng import Rng
from canasta.engine.rule_tables import minimum_for
from canasta.engine.seating import first_to_play, order_of_hand
from canasta.engine.state import DRAW, NOT_ASKED, OVER, HandState


def new_hand(compiled: CompiledRules, order: list[int]) -> HandState:
    """Return a hand with nothing dealt. `order` lists the seats that play it, in turn order."""
    state = HandState()
    places = compiled.places(order)
    seats = len(places.side_of)
    sides = compiled.rules.seats.sides
    state.compiled = compiled
    state.order = places.order
    state.side_of = places.side_of
    state.sides = sides
    state.next_seat = places.next_seat
    state.partner = places.partner
    state.log = None
    state.offsets = compiled.offsets
    state.packed = bytes_writer(bytes(state.offsets.laid_from))
    if compiled.no_opening:
        for side in range(sides):
            state.mark_side(side, OPENED, 1)
    state.feet = [[] for _ in range(seats)]
    state.pots = []
    state.at = 0
    state.bonus_in_game = 0
    state.frozen = False
    state.pile_is_from_deal = False
    state.runs = [[] for _ in range(sides)]
    state.changes = 0
    state.bonus = [[] for _ in range(sides)]
    state.talons = [[] for _ in range(seats)]
    state.special = -1
    state.special_by = -1
    state.special_cards = []
    state.talon_due = 0
    state.turn = order[0]
    state.phase = DRAW
    state.asked = NOT_ASKED
    state.asked_in = DRAW
    state.answering = -1
    state.fresh = True
    state.laid_before = 0
    state.melded_now = False
    state.opening_points = 0
    state.minimum_surcharge = 0
    state.pile_due = False
    state.taken_top = -1
    state.took_back = False
    state.caliente_now = False
    state.black_threes_now = False
    state.no_discard = False
    state.last_discard = False
    state.face_down = False
    state.top_due = False
    state.not_returned = -1
    state.turns_without_draw = 0
    state.stuck = 0
    state.before_take = None
    state.out = -1
    return state


def hand_rng(seed: str, hand_number: int) -> Rng:
    """Return the generator for one hand of a match with this recorded seed."""
    return Rng(f"{seed}/hand/{hand_number}")


def shuffled_deck(compiled: CompiledRules, rng: Rng) -> list[int]:
    deck = compiled.deck.copy()
    rng.shuffle(deck)
    return deck


def deal_from_seed(
    compiled: CompiledRules, *, seed: str, hand_number: int, dealer: int, scores: list[int]
) -> HandState:
    """Deal a hand of a match with this seed. The hand number determines the cards and who sits out."""
    rng = hand_rng(seed, hand_number)
    return deal_by(compiled, rng, hand_number=hand_number, dealer=dealer, scores=scores)


def deal_by(
    compiled: CompiledRules,
    rng: Rng,
    *,
    hand_number: int,
    dealer: int,
    scores: list[int],
    round_number: int | None = None,
) -> HandState:
    """Deal the hand with this number, shuffled by `rng`.

    `round_number` sets its minimums and defaults to the hand number.
    """
    return deal_hand(
        compiled,
        deck=shuffled_deck(compiled, rng),
        order=order_of_hand(compiled.rules, hand_number),
        dealer=dealer,
        scores=scores,
        round_number=hand_number if round_number is None else round_number,
        rng=rng,
    )


def deal_from_fair(
    compiled: CompiledRules, *, fair: FairRound, hand_number: int, dealer: int, scores: list[int]
) -> HandState:
    """Deal the hand with this number from a fair shuffle."""
    return deal_hand(
        compiled,
        deck=fair.deck(compiled.deck, hand_number),
        order=order_of_hand(compiled.rules, hand_number),
        dealer=dealer,
        scores=scores,
        round_number=hand_number,
        rng=fair.rng(hand_number),
    )


def deal_hand(
    compiled: CompiledRules,
    *,
    deck: list[int],
    order: list[int],
    dealer: int,
    scores: list[int],
    round_number: int,
    rng: Rng,
) -> HandState:
    """Deal the deck card by card from its first card. `rng` is used only if the stock must be reshuffled."""
    state = new_hand(compiled, order)
    state.set_deck(deck)
    state.bonus_in_game = compiled.bonus_cards
    set_minimums(state, scores, round_number)
    first = first_to_play(dealer, order)
    start = order.index(first)
    around = order[start:] + order[:start]
    for _ in range(compiled.rules.deal.hand_size):
        for seat in around:
            state.give(seat, deck[state.at])
            state.at += 1
    if compiled.has_foot:
        feet: list[list[int]] = [[] for _ in state.side_of]
        for _ in range(compiled.rules.deal.foot_size):
            for seat in around:
                feet[seat].append(deck[state.at])
                state.at += 1
        state.feet = feet
        for seat in order:
            state.mark_seat(seat, FOOT_WAITS, True)
    if compiled.has_pots:
        deal_pots(state)
    finish_deal(state, first, rng)
    return state


def deal_pots(state: HandState) -> None:
    """Deal the pots from the stock, one after the other (DEAL-8)."""
    pots: list[list[int]] = []
    for size in state.compiled.rules.deal.pots:
        pots.append(state.deck[state.at : state.at + size])
        state.at += size
    state.pots = pots
    note_pots(state)


def set_minimums(state: HandState, scores: list[int], round_number: int) -> None:
    rules = state.compiled.rules
    for side in range(state.sides):
        state.set_minimum(side, minimum_for(rules, scores[side], round_number))


def finish_deal(state: HandState, first: int, rng: Rng) -> None:
    """Lay out and replace bonus cards, turn up the first card, and begin the first turn."""
    begin_turn(state, first)
    if not state.compiled.by_hand and not state.compiled.threes_on_turn:
        seat = first
        while True:
            _lay_out_dealt_bonus_cards(state, seat)
            seat = state.next_seat[seat]
            if seat == first:
                break
    _turn_up(state, rng)
    if state.compiled.takes_at_once:
        state.frozen = False
    if state.phase != OVER:
        state.pile_is_from_deal = True
        if state.compiled.starts_turn:
            start_turn(state)


def _lay_out_dealt_bonus_cards(state: HandState, seat: int) -> None:
    """Lay out and replace a seat's bonus cards (DEAL-4). In a real deal the stock never runs short."""
    while state.bonus_cards(seat) > 0:
        kind = state.any_bonus_card(seat)
        state.remove(seat, kind)
        lay_out_bonus_card(state, seat, kind)
        if state.at < state.deck_size() and not draw_card(state, seat) and state.compiled.last_red_ends:
            end_hand(state, -1)


def _turn_up(state: HandState, rng: Rng) -> None:
    """Turn up cards until one may stay on top (DEAL-5, DEAL-6, DEAL-7)."""
    deal = state.compiled.rules.deal
    if deal.up_card == "none":
        return
    role_of = state.compiled.role_of
    wilds = 0
    bonus = 0
    while state.at < state.deck_size():
        kind = state.deck_card(state.at)
        state.at += 1
        state.put_on_pile(kind)
        role = role_of[kind]
        if role == WILD_CARD:
            wilds += 1
            freeze_pile(state)
        elif role == BONUS_CARD:
            bonus += 1
            freeze_pile(state)
        elif role == NATURAL_CARD or (
            not (role == STOP_CARD and deal.cover_black_three)
            and not (state.frozen and deal.natural_covers_frozen)
        ):
            return
        if deal.up_card == "any":
            return
        if deal.reshuffle_second and (wilds == 2 or bonus == 2):
            stock = state.deck[state.at :] + state.pile
            if all(role_of[other] != NATURAL_CARD for other in stock):
                return
            rng.shuffle(stock)
            state.set_deck(state.deck[: state.at - state.pile_size()] + stock)
            state.at -= state.pile_size()
            state.set_pile([])
            state.frozen = False
            wilds = 0
            bonus = 0
