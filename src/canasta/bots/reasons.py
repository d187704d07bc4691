"""Why a move: reasons as codes with facts, which the catalogues say in a sentence each, and numbers."""

from typing import Final

from canasta.bots.club.answer import (
    ASKERS_FOOT_BARS,
    CANASTAS_BAR,
    TEAMMATES_FOOT_BARS,
    cards_to_canastas,
    most_cards,
    what_bars,
)
from canasta.bots.club.discard import Discarding
from canasta.bots.club.going_out import gain_of_going_out, out_step
from canasta.bots.club.policy import caliente_pays, take_worth
from canasta.bots.club.weights import Weights
from canasta.bots.protocol import Explanation, Reason, as_move
from canasta.bots.sight import Sight, fits_own, foe_is_close, may_go_out, pile_worth
from canasta.engine.cards import (
    ANY,
    CALIENTE_CARD,
    NATURAL_RANKS,
    RANK_OF,
    RANK_TEXTS,
    STOP_CARD,
    WILD_CARD,
)
from canasta.engine.law.pile import why_not_touch_pile
from canasta.engine.law.why_not import FROZEN_AT_THE_DEAL, OK
from canasta.engine.meld_names import KIND_NAMES, ROW_BLACK_THREES, ROW_RUN, ROW_WILD
from canasta.engine.moves.refusals import Facts, RefusedMove
from canasta.engine.moves.try_move import try_move
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
    Take,
)
from canasta.engine.state import MIXED, NATURAL, OVER, PLAY, SAMBA, WILD, HandState, run_length
from canasta.engine.steps.legal import legal_steps
from canasta.engine.view import View

ESTIMATES: Final = frozenset(
    (
        *("nobody_takes", "nobody_takes_frozen", "taken_onto", "taken_onto_meld"),
        *("let_go_by", "needs_pair", "needs_pair_frozen", "can_take"),
    )
)
"""Reasons that estimate whether the next player takes the pile."""
UNTAKEN: Final = frozenset(
    (
        *("stops_next", "stops_alone", "wild_safest", "wild_untaken", "keeps_frozen"),
        *("freezes_only_they", "freezes_they_can", "freezes_keep", "last_of_hand", "last_card_out"),
    )
)
"""Reasons for a discard that the next player cannot take, or does not come to."""


def explain_move(view: View, move: Move, weights: Weights) -> Explanation:
    """What speaks for a move in this view."""
    state = view.state
    seat = view.seat
    assert seat is not None, "a player has a seat"
    if isinstance(move, Draw):
        return _draw(state, seat, weights)
    if isinstance(move, Take):
        return _take(state, seat, move, weights)
    if isinstance(move, (Meld, Add)):
        return _lay(state, seat, move)
    if isinstance(move, Discard):
        return _discard(state, seat, move, weights)
    if isinstance(move, PlayCaliente):
        return _caliente(state, seat, weights)
    if isinstance(move, (Ask, Answer)):
        return _question(state, seat, move, weights)
    return _plain(state, seat, move, weights)


# -- drawing and taking -----------------------------------------------------------------------------------


def _draw(state: HandState, seat: int, weights: Weights) -> Explanation:
    takes = [step for step in legal_steps(state) if state.prepared.layout.decoded[step].takes]
    stock = state.stock_size()
    size = len(state.pile)
    if takes:
        worth = _worth_of_taking(state, seat, weights)
        drawn = weights.draw_card * state.prepared.draw
        facts: Facts = {
            "pile": size,
            "worth": abs(round(worth)),
            "count": state.prepared.draw,
            "drawn": round(drawn),
        }
        # As one of several hints, drawing may well be the lesser thing: then it must not sound the better.
        code = "leaves_pile" if worth > drawn else "pile_or_stock" if round(worth) >= 0 else "pile_costs"
        reasons = [Reason(code, facts)]
        if state.foot_waits[seat] and size > 1:
            reasons.append(Reason("foot_waits_longer"))
        numbers = {"pile": worth, "stock": drawn, "cards in the pile": float(size)}
        return Explanation(reasons, numbers)
    reasons = [*_why_not_taken(state, seat), Reason("draw_then", {"stock": stock})]
    return Explanation(reasons, {"stock cards": float(stock), "cards in the pile": float(size)})


def _worth_of_taking(state: HandState, seat: int, weights: Weights) -> float:
    """What the best way of taking the pile is worth: hints to take and to draw speak of the same number."""
    return max(
        [
            take_worth(state, seat, weights, step)
            for step in legal_steps(state)
            if state.prepared.layout.decoded[step].takes
        ],
        default=pile_worth(state, state.side_of[seat], seat, weights, True),
    )


def _why_not_taken(state: HandState, seat: int) -> list[Reason]:
    if not state.pile:
        return [Reason("no_pile")]
    rank = RANK_OF[state.pile[-1]]
    why_not = why_not_touch_pile(state)
    if why_not != OK:
        at_deal = why_not == FROZEN_AT_THE_DEAL
        return [
            Reason("frozen_at_deal") if at_deal else Reason("cannot_take_top", {"rank": RANK_TEXTS[rank]})
        ]
    held = state.count(seat, rank)
    side = state.side_of[seat]
    if held:
        facts: Facts = {"cards": " ".join([RANK_TEXTS[rank]] * held)}
        reasons = [Reason("hand_short", facts)]
        if held > 1 and not state.opened[side] and state.minimum[side] > 0:
            reasons = [Reason("hand_below_minimum", {**facts, "needed": state.minimum[side]})]
    else:
        reasons = [Reason("hand_lacks", {"rank": RANK_TEXTS[rank]})]
    if state.frozen or state.prepared.always_frozen:
        reasons.append(Reason("pile_is_frozen"))
    return reasons


def _take(state: HandState, seat: int, move: Take, weights: Weights) -> Explanation:
    side = state.side_of[seat]
    rest = state.pile[:-1]
    worth = _worth_of_taking(state, seat, weights)
    numbers = {"cards": float(len(rest)), "worth": worth}
    code = "pile_not_worth" if round(worth) < 0 else "pile_brings" if rest else "pile_is_top"
    reasons = [Reason(code, {"count": len(rest), "worth": abs(round(worth))})]
    # A hint tells nobody what lies in a pile that may not be looked through.
    if state.prepared.rules.pile.look_through:
        fits, matches, wilds = _inside(state, seat, rest)
        numbers |= {"fit melds": float(fits), "match hand": float(matches), "wilds": float(wilds)}
        if fits or matches or wilds:
            reasons.append(Reason("pile_inside", {"fits": fits, "matches": matches, "wilds": wilds}))
    if not state.opened[side]:
        reasons.append(_opening(state, side, _opening_points(state, move)))
    elif move.onto is not None:
        reasons.append(Reason("top_onto_meld"))
    return Explanation(reasons, numbers)


def _inside(state: HandState, seat: int, rest: list[int]) -> tuple[int, int, int]:
    """What the cards under the top card are good for: those for melds, those for the hand, wilds."""
    side = state.side_of[seat]
    fits = sum(1 for kind in rest if RANK_OF[kind] < NATURAL_RANKS and fits_own(state, side, RANK_OF[kind]))
    matches = sum(
        1
        for kind in rest
        if RANK_OF[kind] < NATURAL_RANKS
        and not fits_own(state, side, RANK_OF[kind])
        and state.count(seat, RANK_OF[kind]) > 0
    )
    return fits, matches, sum(1 for kind in rest if state.prepared.role_of[kind] == WILD_CARD)


# -- laying -----------------------------------------------------------------------------------------------


def _opening_points(state: HandState, move: Take | Meld) -> int:
    values = state.prepared.values
    groups = [*move.melds]
    points = 0
    if isinstance(move, Take):
        groups.append(move.cards)
        if state.prepared.top_card_counts:
            points += values[RANK_OF[state.pile[-1]]]
    for group in groups:
        for card in group:
            points += values[_rank(card)]
    return points


def _opening(state: HandState, side: int, points: int) -> Reason:
    minimum = state.minimum[side]
    if minimum <= 0:
        return Reason("opens")
    return Reason("opens_short" if points < minimum else "opens_with", {"points": points, "needed": minimum})


def _rank(card: int) -> int:
    return card - ANY if card >= ANY else RANK_OF[card]


def _lay(state: HandState, seat: int, move: Meld | Add) -> Explanation:
    side = state.side_of[seat]
    cards = [card for group in move.melds for card in group] if isinstance(move, Meld) else list(move.cards)
    points = sum(state.prepared.values[_rank(card)] for card in cards)
    wilds = sum(1 for card in cards if state.prepared.role_of_rank[_rank(card)] == WILD_CARD)
    left = state.size[seat] - len(cards)
    numbers = {
        "cards laid": float(len(cards)),
        "points": float(points),
        "wilds": float(wilds),
        "cards left": float(left),
    }
    after = _after(state, move)
    if after is not None and after.phase == OVER and after.out == seat:
        gain = state.prepared.score.going_out
        numbers["going out"] = float(gain)
        return Explanation([Reason("out_by_melding", {"points": gain})], numbers)
    reasons: list[Reason] = []
    if after is not None:
        for kind in (NATURAL, MIXED, WILD, SAMBA):
            if after.canastas(side, kind) > state.canastas(side, kind):
                bonus = state.prepared.canasta_bonus[kind]
                numbers["bonus"] = numbers.get("bonus", 0.0) + bonus
                reasons.append(Reason("makes_canasta", {"kind": KIND_NAMES[kind], "points": bonus}))
    if isinstance(move, Meld):
        reasons = [*_new_meld(state, side, move, points, wilds), *reasons]
    elif not reasons:
        reasons.append(_growth(state, side, move, len(cards), numbers))
    reasons.append(_rest(state, seat, left))
    return Explanation(reasons, numbers)


def _rest(state: HandState, seat: int, left: int) -> Reason:
    """What stays in the hand after laying, and what that is good for."""
    if state.foot_waits[seat]:
        if left < 2:
            return Reason("foot_next" if left else "foot_now")
        return Reason("stays_before_foot", {"count": left})
    ready = may_go_out(state, state.side_of[seat])
    return Reason("stays_may_go_out" if ready else "stays", {"count": left})


def _after(state: HandState, move: Move) -> HandState | None:
    try:
        return try_move(state, move, partial=True)
    except RefusedMove:
        return None


def _new_meld(state: HandState, side: int, move: Meld, points: int, wilds: int) -> list[Reason]:
    bonus = state.prepared.canasta_bonus
    if not state.opened[side]:
        count = len(move.melds)
        melds = (
            Reason("melds_with_wilds", {"count": count, "wilds": wilds})
            if wilds
            else Reason("melds_pure", {"count": count})
        )
        return [melds, _opening(state, side, points)]
    ranks = [_rank(card) for group in move.melds for card in group if _rank(card) < NATURAL_RANKS]
    if not ranks:
        if all(
            state.prepared.role_of_rank[_rank(card)] == WILD_CARD for group in move.melds for card in group
        ):
            return [Reason("wild_meld", {"points": bonus[WILD]})]
        return [Reason("black_threes_out")]
    if len(set(ranks)) > 2 and not wilds:
        return [Reason("new_run", {"count": len(ranks), "points": bonus[SAMBA]})]
    facts: Facts = {"rank": RANK_TEXTS[ranks[0]], "points": points}
    if not wilds:
        return [Reason("new_set", facts)]
    facts["wilds"] = wilds
    return [Reason("new_set_wilds", facts)]


def _growth(state: HandState, side: int, move: Add, count: int, numbers: dict[str, float]) -> Reason:
    size = state.prepared.canasta_size
    row = move.to.row
    if row == ROW_BLACK_THREES:
        return Reason("black_three_more")
    is_run = row == ROW_RUN
    if is_run:
        there = run_length(state.runs[side][move.to.number - 1])
    else:
        there = state.set_size(side, state.prepared.slots.slot_of(row, move.to.number))
    numbers["meld"] = float(there + count)
    meld: Facts = {} if is_run else {"meld": "W" if row == ROW_WILD else RANK_TEXTS[row]}
    if there >= size:
        return Reason("run_beyond" if is_run else "meld_beyond", meld)
    meld["count"] = there + count
    meld["size"] = size
    return Reason("run_grows" if is_run else "meld_grows", meld)


# -- discarding -------------------------------------------------------------------------------------------


def _discard(state: HandState, seat: int, move: Discard, weights: Weights) -> Explanation:
    rank = _rank(move.card)
    judged = Discarding(state, seat, weights)
    pile = len(state.pile)
    suit = move.card & 3 if move.card < ANY and rank < NATURAL_RANKS else 4
    price = judged.price(rank, suit)
    numbers = {"cards in the pile": float(pile), "pile worth": judged.pile, "price": price}
    if state.size[seat] == 1:
        return Explanation([Reason("last_of_hand" if state.foot_waits[seat] else "last_card_out")], numbers)
    role = state.prepared.role_of_rank[rank]
    if role == STOP_CARD or role == CALIENTE_CARD:
        code = "stops_next" if pile else "stops_alone"
        return Explanation([Reason(code, {"rank": RANK_TEXTS[rank], "pile": pile})], numbers)
    best = judged.best(legal_steps(state))
    is_best = best >= 0 and as_move(state, best) == move
    if role == WILD_CARD:
        return Explanation([_freezing(state, judged, pile, is_best)], numbers)
    sight = judged.sight
    chance = sight.take_chance(rank, state.frozen)
    total = 4 * state.prepared.rules.deck.decks
    seen = total - sight.unseen[rank]
    numbers["chance"] = chance
    numbers["in sight"] = float(seen)
    numbers["of"] = float(total)
    danger = _danger(state, sight, rank, chance, seen)
    if danger.code == "taken_onto" and not is_best:
        danger = Reason("taken_onto_meld", danger.facts)
    loss = _loss(state, seat, rank)
    if loss.code == "would_fit" and not is_best:
        loss = Reason("fits_meld")
    return Explanation([danger, loss], numbers)


def _freezing(state: HandState, judged: Discarding, pile: int, is_best: bool) -> Reason:
    if state.prepared.always_frozen:
        return Reason("wild_safest" if is_best else "wild_untaken")
    if state.frozen:
        return Reason("keeps_frozen")
    code = "freezes_only_they" if not state.opened[judged.side] else "freezes_they_can"
    if not state.opened[judged.foe_side]:
        code = "freezes_keep"
    return Reason(code, {"pile": pile, "worth": round(judged.pile)})


def _danger(state: HandState, sight: Sight, rank: int, chance: float, seen: int) -> Reason:
    frozen = state.frozen or state.prepared.always_frozen
    lying = "_frozen" if frozen else ""
    facts: Facts = {"rank": RANK_TEXTS[rank], "seen": seen}
    if chance < 0.005:
        return Reason("nobody_takes" + lying, facts)
    if chance >= 1.0 and sight.fits_their_meld(rank):
        return Reason("taken_onto", {"rank": RANK_TEXTS[rank]})
    facts["percent"] = round(100 * chance)
    if sight.was_passed(rank):
        return Reason("let_go_by", facts)
    if frozen or not state.opened[sight.foe_side]:
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


# -- the rest ---------------------------------------------------------------------------------------------


def _caliente(state: HandState, seat: int, weights: Weights) -> Explanation:
    gained = max(0, state.prepared.caliente_hand - state.size[seat] + 1)
    penalty = state.prepared.score.caliente_played
    pays = caliente_pays(state, seat, weights)
    return Explanation(
        [Reason("caliente_pays" if pays else "caliente_seldom", {"count": gained, "points": penalty})],
        {"cards": float(gained), "penalty": float(penalty), "stock cards": float(state.stock_size())},
    )


def _question(state: HandState, seat: int, move: Ask | Answer, weights: Weights) -> Explanation:
    gain = gain_of_going_out(state, state.turn, weights)
    numbers = {"gain": gain, "cards in hand": float(state.size[seat])}
    if isinstance(move, Ask):
        if state.phase != PLAY or out_step(state, True) < 0:
            return Explanation([Reason("ask_in_vain")], numbers)
        code = "must_ask" if state.prepared.must_ask else "ask_decides"
        return Explanation([Reason(code, {"points": round(gain)})], numbers)
    bar = _bar(state, numbers)
    if bar is not None:
        return Explanation([Reason("yes_in_vain" if move.yes else "no"), bar], numbers)
    size = state.size[seat]
    if not move.yes:
        return Explanation([Reason("no_meld_first", {"count": size})], numbers)
    if foe_is_close(state, state.side_of[seat]):
        return Explanation([Reason("yes_foe_close", {"count": size})], numbers)
    return Explanation([Reason("yes_worth", {"points": round(gain), "count": size})], numbers)


def _bar(state: HandState, numbers: dict[str, float]) -> Reason | None:
    """Why the player who asks cannot go out in this turn; None when nothing on the table says so."""
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


def _plain(state: HandState, seat: int, move: Move, weights: Weights) -> Explanation:
    numbers = {"cards in hand": float(state.size[seat]), "stock cards": float(state.stock_size())}
    side = state.side_of[seat]
    if isinstance(move, LayBonus):
        numbers["red threes"] = float(state.bonus_cards(seat))
        return Explanation([Reason("red_three_points", {"points": state.prepared.score.bonus[1]})], numbers)
    if isinstance(move, Keep):
        code = "keep_nothing_better" if may_go_out(state, side) else "keep_no_canastas"
        return Explanation([Reason(code)], numbers)
    if isinstance(move, Pass):
        if state.no_discard:
            return Explanation([Reason("pass_red_three")], numbers)
        worth = pile_worth(state, side, seat, weights, True) if state.pile else 0.0
        numbers["pile"] = worth
        can = any(state.prepared.layout.decoded[step].takes for step in legal_steps(state))
        why = Reason("pass_worth", {"points": round(worth)}) if can else Reason("pass_cannot")
        return Explanation([why], numbers)
    if isinstance(move, PutBack):
        penalty = state.prepared.score.put_back
        numbers["penalty"] = float(penalty)
        return Explanation([Reason("put_back_price", {"points": penalty})], numbers)
    return Explanation([Reason("undo")], numbers)
