"""Explain moves: reasons as codes with facts, which the catalogues turn into sentences, and numbers."""

from typing import Final

from canasta.bots.card_counting import FITS, Sight, fit, fits_own, may_go_out, pile_worth
from canasta.bots.club.burraco import discarding_of
from canasta.bots.club.discard import DiscardPrices
from canasta.bots.club.policy import aims_at_special, take_worth
from canasta.bots.club.special import nearest
from canasta.bots.club.weights import Weights
from canasta.bots.explain.burraco import discard_reasons, moved_wild, new_run
from canasta.bots.explain.plain import explain_caliente, explain_plain, explain_question
from canasta.bots.protocol import Explanation, Reason, as_move
from canasta.engine.actions.legal import legal_steps
from canasta.engine.cards import (
    ANY,
    BLACK_THREE,
    CALIENTE_CARD,
    JOKER,
    KINDS_OF,
    NATURAL_CARD,
    RANK_OF,
    RANK_TEXTS,
    RED_THREE,
    STOP_CARD,
    THREES,
    WILD_CARD,
    kind_in_suit,
)
from canasta.engine.cards_in_play import MIXED, NATURAL, SAMBA, WILD
from canasta.engine.families.american import is_dead, is_unfinished
from canasta.engine.law.pile import why_not_touch_pile
from canasta.engine.law.reasons import FROZEN_AT_THE_DEAL, OK
from canasta.engine.melds import (
    KIND_NAMES,
    ROW_BLACK_THREES,
    ROW_RUN,
    ROW_THREES,
    ROW_WILD,
    SMALLEST_MELD,
    run_length,
)
from canasta.engine.moves.apply import try_move
from canasta.engine.moves.refusals import Facts, RefusedMove
from canasta.engine.moves.types import (
    Add,
    Answer,
    Ask,
    Discard,
    Draw,
    Meld,
    Move,
    PlayCaliente,
    Take,
)
from canasta.engine.state import OVER, HandState
from canasta.engine.view import View

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


def explain_move(view: View, move: Move, weights: Weights) -> Explanation:
    """Return the reasons for a move in this view."""
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
        said = _discard(state, seat, move, weights)
        if state.compiled.special_hands and aims_at_special(state, seat, weights):
            aim = nearest(state, seat)
            facts: Facts = {"special": aim.name, "points": aim.points}
            return Explanation([*said.reasons, Reason("special_near", facts)], said.numbers)
        return said
    if isinstance(move, PlayCaliente):
        return explain_caliente(state, seat, weights)
    if isinstance(move, (Ask, Answer)):
        return explain_question(state, seat, move, weights)
    return explain_plain(state, seat, move, weights)


# -- drawing and taking -----------------------------------------------------------------------------------


def _draw(state: HandState, seat: int, weights: Weights) -> Explanation:
    takes = [step for step in legal_steps(state) if state.compiled.layout.decoded[step].takes]
    stock = state.stock_size()
    size = state.pile_size()
    if takes:
        worth = _worth_of_taking(state, seat, weights)
        drawn = weights.draw_card * state.compiled.draw
        facts: Facts = {
            "pile": size,
            "worth": abs(round(worth)),
            "count": state.compiled.draw,
            "drawn": round(drawn),
        }
        # Drawing may be one of several hints and the lesser one; then it must not sound better.
        code = "leaves_pile" if worth > drawn else "pile_or_stock" if round(worth) >= 0 else "pile_costs"
        reasons = [Reason(code, facts)]
        if state.foot_waits(seat) and size > 1:
            reasons.append(Reason("pot_waits_longer" if state.compiled.has_pots else "foot_waits_longer"))
        numbers = {"pile": worth, "stock": drawn, "cards in the pile": float(size)}
        return Explanation(reasons, numbers)
    reasons = [*_why_not_taken(state, seat), Reason("draw_then", {"stock": stock})]
    return Explanation(reasons, {"stock cards": float(stock), "cards in the pile": float(size)})


def _worth_of_taking(state: HandState, seat: int, weights: Weights) -> float:
    """Return the value of the best way to take the pile. Hints to take and to draw quote the same number."""
    return max(
        [
            take_worth(state, seat, weights, step)
            for step in legal_steps(state)
            if state.compiled.layout.decoded[step].takes
        ],
        default=pile_worth(state, state.side_of[seat], seat, weights, True),
    )


def _why_not_taken(state: HandState, seat: int) -> list[Reason]:
    if state.pile_size() == 0:
        return [Reason("no_pile")]
    if state.compiled.takes_at_once:
        return [Reason("top_unused")]
    rank = RANK_OF[state.top_card()]
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
        if held > 1 and not state.opened(side) and state.minimum(side) > 0:
            reasons = [Reason("hand_below_minimum", {**facts, "needed": state.minimum(side)})]
    else:
        reasons = [Reason("hand_lacks", {"rank": RANK_TEXTS[rank]})]
    if state.frozen or state.compiled.always_frozen:
        reasons.append(Reason("pile_is_frozen"))
    return reasons


def _take(state: HandState, seat: int, move: Take, weights: Weights) -> Explanation:
    side = state.side_of[seat]
    # If the pile is free, its top card comes like all the others.
    rest = state.pile if state.compiled.free_take else state.pile[:-1]
    worth = _worth_of_taking(state, seat, weights)
    numbers = {"cards": float(len(rest)), "worth": worth}
    code = "pile_not_worth" if round(worth) < 0 else "pile_brings" if rest else "pile_is_top"
    reasons = [Reason(code, {"count": len(rest), "worth": abs(round(worth))})]
    # A hint does not reveal the cards of a pile that may not be looked through.
    if state.compiled.rules.pile.look_through:
        fits, matches, wilds = _inside(state, seat, rest)
        numbers |= {"fit melds": float(fits), "match hand": float(matches), "wilds": float(wilds)}
        if fits or matches or wilds:
            reasons.append(Reason("pile_inside", {"fits": fits, "matches": matches, "wilds": wilds}))
    if not state.opened(side):
        reasons.append(_opening(state, side, _opening_points(state, move)))
    elif move.onto is not None:
        reasons.append(Reason("top_onto_meld"))
    return Explanation(reasons, numbers)


def _inside(state: HandState, seat: int, rest: list[int]) -> tuple[int, int, int]:
    """Return how many cards under the top card fit melds, match the hand, and are wild."""
    compiled = state.compiled
    side = state.side_of[seat]
    fits = 0
    matches = 0
    for kind in rest:
        rank = compiled.rank_of[kind]
        if compiled.role_of[kind] != NATURAL_CARD:
            continue
        if fit(state, side, kind) == FITS if compiled.long_runs else fits_own(state, side, rank):
            fits += 1
        elif state.count(seat, rank) > 0:
            matches += 1
    return fits, matches, sum(1 for kind in rest if compiled.role_of[kind] == WILD_CARD)


# -- laying -----------------------------------------------------------------------------------------------


def _opening_points(state: HandState, move: Take | Meld) -> int:
    values = state.compiled.values
    groups = [*move.melds]
    points = 0
    if isinstance(move, Take):
        groups.append(move.cards)
        if state.compiled.top_card_counts:
            points += values[RANK_OF[state.top_card()]]
    for group in groups:
        for card in group:
            points += values[_rank(state, card)]
    return points


def _opening(state: HandState, side: int, points: int) -> Reason:
    minimum = state.minimum(side)
    if minimum <= 0:
        return Reason("opens")
    return Reason("opens_short" if points < minimum else "opens_with", {"points": points, "needed": minimum})


def _rank(state: HandState, card: int) -> int:
    """Return the rank of a card of a move. Natural threes all share one rank."""
    return state.compiled.rank_of[KINDS_OF[card - ANY][0] if card >= ANY else card]


def _meant(state: HandState, seat: int, card: int) -> int:
    """Return the card of the hand that a move means."""
    if card < ANY:
        return card
    for kind in KINDS_OF[card - ANY]:
        if state.held(seat, kind) > 0:
            return kind
    raise ValueError("no card of that rank in the hand")


def _lay(state: HandState, seat: int, move: Meld | Add) -> Explanation:
    side = state.side_of[seat]
    cards = [card for group in move.melds for card in group] if isinstance(move, Meld) else list(move.cards)
    points = sum(state.compiled.values[_rank(state, card)] for card in cards)
    wilds = sum(1 for card in cards if state.compiled.role_of_rank[_rank(state, card)] == WILD_CARD)
    left = state.size(seat) - len(cards)
    numbers = {
        "cards laid": float(len(cards)),
        "points": float(points),
        "wilds": float(wilds),
        "cards left": float(left),
    }
    after = _after(state, move)
    if after is not None and after.phase == OVER and after.out == seat:
        gain = state.compiled.score.going_out
        numbers["going out"] = float(gain)
        return Explanation([Reason("out_by_melding", {"points": gain})], numbers)
    reasons: list[Reason] = []
    if after is not None:
        for kind in (NATURAL, MIXED, WILD, SAMBA):
            if after.canastas(side, kind) > state.canastas(side, kind):
                bonus = state.compiled.canasta_bonus[kind] + _rank_bonus(state, side, after, kind)
                numbers["bonus"] = numbers.get("bonus", 0.0) + bonus
                reasons.append(Reason("makes_canasta", {"kind": KIND_NAMES[kind], "points": bonus}))
    if isinstance(move, Meld):
        melds = _new_meld(state, side, move, points, wilds)
        if state.compiled.long_runs and after is not None and len(after.runs[side]) > len(state.runs[side]):
            melds = [new_run(state, side, after)]
        reasons = [*melds, *_to_finish(state, side, after), *reasons]
    elif not reasons:
        reasons.append(_growth(state, side, move, len(cards), numbers))
    if after is not None and isinstance(move, Add) and move.to.row == ROW_RUN and state.compiled.long_runs:
        reasons += moved_wild(state, side, move.to.number - 1, after)
    if after is not None and after.talon_due > state.talon_due:
        reasons.append(Reason("talon_comes", {"count": after.talon_due}))
    return Explanation([*reasons[:3], _rest(state, seat, left)], numbers)


def _rank_bonus(state: HandState, side: int, after: HandState, kind: int) -> int:
    """Return the extra points of a natural canasta that was just completed (SCOR-18)."""
    if kind != NATURAL or not state.compiled.american:
        return 0
    size = state.compiled.canasta_size
    made = [
        slot
        for slot in after.sets_of(side)
        if after.naturals(side, slot) == size > state.size_of_set(side, slot)
    ]
    return max([state.compiled.score.rank_bonus[slot] for slot in made], default=0)


def _to_finish(state: HandState, side: int, after: HandState | None) -> list[Reason]:
    """Return the reason that a set was started which must be finished (OUT-8), if it was."""
    if after is None or not state.compiled.american:
        return []
    begun = [
        slot
        for slot in after.sets_of(side)
        if state.size_of_set(side, slot) == 0
        and is_unfinished(state.compiled, slot, after.naturals(side, slot), after.wilds(side, slot))
    ]
    costs = [state.compiled.score.unfinished[slot] for slot in begun]
    return [Reason("must_be_finished", {"points": max(costs)})] if costs else []


def _rest(state: HandState, seat: int, left: int) -> Reason:
    """Return the reason about the cards left after melding, and what they are good for."""
    if state.foot_waits(seat):
        if state.compiled.has_pots:
            code = "stays_before_pot" if left > 1 else "pot_next" if left else "pot_now"
        else:
            code = "stays_before_foot" if left > 1 else "foot_next" if left else "foot_now"
        return Reason(code, {"count": left})
    ready = may_go_out(state, state.side_of[seat])
    return Reason("stays_may_go_out" if ready else "stays", {"count": left})


def _after(state: HandState, move: Move) -> HandState | None:
    try:
        return try_move(state, move, partial=True)
    except RefusedMove:
        return None


def _new_meld(state: HandState, side: int, move: Meld, points: int, wilds: int) -> list[Reason]:
    bonus = state.compiled.canasta_bonus
    if not state.opened(side):
        count = len(move.melds)
        melds = (
            Reason("melds_with_wilds", {"count": count, "wilds": wilds})
            if wilds
            else Reason("melds_pure", {"count": count})
        )
        return [melds, _opening(state, side, points)]
    role_of_rank = state.compiled.role_of_rank
    ranks = [_rank(state, card) for group in move.melds for card in group]
    ranks = [rank for rank in ranks if role_of_rank[rank] == NATURAL_CARD]
    if not ranks:
        if all(
            state.compiled.role_of_rank[_rank(state, card)] == WILD_CARD
            for group in move.melds
            for card in group
        ):
            return [Reason("wild_meld", {"points": bonus[WILD]})]
        return [Reason("black_threes_out")]
    if len(set(ranks)) > 2 and not wilds:
        return [Reason("new_run", {"count": len(ranks), "points": bonus[SAMBA]})]
    facts: Facts = {"rank": rank_text(state, ranks[0]), "points": points}
    if not wilds:
        return [Reason("new_set", facts)]
    facts["wilds"] = wilds
    return [Reason("new_set_wilds", facts)]


def _growth(state: HandState, side: int, move: Add, count: int, numbers: dict[str, float]) -> Reason:
    size = state.compiled.canasta_size
    row = ROW_BLACK_THREES if move.to.row == ROW_THREES else move.to.row
    if row == state.compiled.stop_row:
        return Reason("black_three_more")
    is_run = row == ROW_RUN
    if is_run:
        there = run_length(state.runs[side][move.to.number - 1])
    else:
        there = state.size_of_set(side, state.compiled.slots.slot_of(row, move.to.number))
    numbers["meld"] = float(there + count)
    meld: Facts = {} if is_run else {"meld": "W" if row == ROW_WILD else _text_of_row(row)}
    if there >= size:
        return Reason("run_beyond" if is_run else "meld_beyond", meld)
    meld["count"] = there + count
    meld["size"] = size
    return Reason("run_grows" if is_run else "meld_grows", meld)


def _text_of_row(row: int) -> str:
    return RANK_TEXTS[THREES] if row == ROW_BLACK_THREES else RANK_TEXTS[row]


def rank_text(state: HandState, rank: int) -> str:
    """Return a rank as a fact. Natural threes have no colour."""
    if state.compiled.natural_threes and rank in (BLACK_THREE, RED_THREE):
        return RANK_TEXTS[THREES]
    return RANK_TEXTS[rank]


# -- discarding -------------------------------------------------------------------------------------------


def _discard(state: HandState, seat: int, move: Discard, weights: Weights) -> Explanation:
    card = _meant(state, seat, move.card)
    rank = state.compiled.rank_of[card]
    judged = discarding_of(state, seat, weights)
    pile = state.pile_size()
    suit = card & 3 if rank != JOKER else 4
    price = judged.price(rank, suit)
    numbers = {"cards in the pile": float(pile), "pile worth": judged.pile, "price": price}
    if state.size(seat) == 1:
        waits = "last_before_pot" if state.compiled.has_pots else "last_of_hand"
        return Explanation([Reason(waits if state.foot_waits(seat) else "last_card_out")], numbers)
    role = state.compiled.role_of_rank[rank]
    if role == STOP_CARD or role == CALIENTE_CARD:
        code = "stops_next" if pile else "stops_alone"
        return Explanation([Reason(code, {"rank": RANK_TEXTS[rank], "pile": pile})], numbers)
    best = judged.best(legal_steps(state))
    is_best = best >= 0 and as_move(state, best) == move
    if state.compiled.long_runs:
        return Explanation(discard_reasons(state, seat, kind_in_suit(rank, suit), is_best), numbers)
    if role == WILD_CARD:
        return Explanation([_freezing(state, judged, pile, is_best)], numbers)
    sight = judged.sight
    chance = sight.take_chance(rank, state.frozen)
    total = 4 * state.compiled.rules.deck.decks
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


def _freezing(state: HandState, judged: DiscardPrices, pile: int, is_best: bool) -> Reason:
    if state.compiled.always_frozen:
        return Reason("wild_safest" if is_best else "wild_untaken")
    if state.frozen:
        return Reason("keeps_frozen")
    code = "freezes_only_they" if not state.opened(judged.side) else "freezes_they_can"
    if not state.opened(judged.foe_side):
        code = "freezes_keep"
    return Reason(code, {"pile": pile, "worth": round(judged.pile)})


def _danger(state: HandState, sight: Sight, rank: int, chance: float, seen: int) -> Reason:
    frozen = state.frozen or state.compiled.always_frozen
    lying = "_frozen" if frozen else ""
    facts: Facts = {"rank": RANK_TEXTS[rank], "seen": seen}
    if is_dead(state, sight.foe_side, rank):
        return Reason("closed_rank", {"rank": RANK_TEXTS[rank]})
    room = state.compiled.canasta_size - state.size_of_set(sight.foe_side, rank)
    if state.compiled.american and room < SMALLEST_MELD:
        return Reason("no_room", {"rank": RANK_TEXTS[rank]})
    if chance < 0.005:
        return Reason("nobody_takes" + lying, facts)
    if chance >= 1.0 and sight.fits_their_meld(rank):
        return Reason("taken_onto", {"rank": RANK_TEXTS[rank]})
    facts["percent"] = round(100 * chance)
    if sight.was_passed(rank):
        return Reason("let_go_by", facts)
    if frozen or not state.opened(sight.foe_side):
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
