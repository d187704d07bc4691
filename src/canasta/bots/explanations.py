"""Explain moves by reasons, which are codes with facts that the catalogues turn into sentences, and by
numbers.
"""

from canasta.bots.card_counting import fits_a_meld_of, may_go_out, opponent_near_going_out, pile_worth
from canasta.bots.club.going_out import (
    ASKERS_FOOT_BARS,
    CANASTAS_BAR,
    TEAMMATES_FOOT_BARS,
    cards_to_canastas,
    gain_of_going_out,
    most_cards,
    what_bars,
)
from canasta.bots.club.policy import aims_at_special, caliente_pays, nearest, take_worth
from canasta.bots.club.style import style_of
from canasta.bots.club.weights import Weights
from canasta.bots.discard_explanations import explain_discard
from canasta.bots.protocol import Explanation, Reason, seat_of
from canasta.engine.actions.legal import legal_steps
from canasta.engine.cards import (
    ANY,
    BLACK_THREE,
    KINDS_OF,
    NATURAL_CARD,
    RANK_OF,
    RANK_TEXTS,
    RED_THREE,
    THREES,
    WILD_CARD,
)
from canasta.engine.law.american import is_unfinished
from canasta.engine.law.pile import is_frozen, why_not_touch_pile
from canasta.engine.law.reasons import FROZEN_AT_THE_DEAL, OK
from canasta.engine.melds import (
    KIND_NAMES,
    MIXED,
    NATURAL,
    ROW_BLACK_THREES,
    ROW_RUN,
    ROW_THREES,
    ROW_WILD,
    SAMBA,
    WILD,
    run_length,
    run_low,
)
from canasta.engine.moves.apply import try_move
from canasta.engine.moves.refusals import RefusedMove
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
    Special,
    Take,
)
from canasta.engine.sequences import wild_at, wild_in
from canasta.engine.state import OVER, PLAY, HandState
from canasta.engine.view import View
from canasta.i18n import Facts


def explain_move(view: View, move: Move, weights: Weights) -> Explanation:
    """Return the reasons for a move in this view."""
    state = view.state
    seat = seat_of(view)
    if isinstance(move, Draw):
        return _draw(state, seat, weights)
    if isinstance(move, Take):
        return _take(state, seat, move, weights)
    if isinstance(move, (Meld, Add)):
        return _lay(state, seat, move)
    if isinstance(move, Discard):
        explanation = explain_discard(state, seat, move, weights)
        if state.compiled.special_hands and aims_at_special(state, seat, weights):
            aim = nearest(state, seat)
            facts: Facts = {"special": aim.name, "points": aim.points}
            return Explanation([*explanation.reasons, Reason("special_near", facts)], explanation.numbers)
        return explanation
    if isinstance(move, PlayCaliente):
        return _caliente(state, seat, weights)
    if isinstance(move, (Ask, Answer)):
        return _question(state, seat, move, weights)
    return _plain(state, seat, move, weights)


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
        # If drawing is the lesser of several hints, it must not sound better than the others.
        code = "leaves_pile" if worth > drawn else "pile_or_stock" if round(worth) >= 0 else "pile_costs"
        reasons = [Reason(code, facts)]
        if state.foot_waits(seat) and size > 1:
            reasons.append(Reason("pot_waits_longer" if state.compiled.has_pots else "foot_waits_longer"))
        numbers = {"pile": worth, "stock": drawn, "cards in the pile": float(size)}
        return Explanation(reasons, numbers)
    reasons = [*_why_not_taken(state, seat), Reason("draw_then", {"stock": stock})]
    return Explanation(reasons, {"stock cards": float(stock), "cards in the pile": float(size)})


def _worth_of_taking(state: HandState, seat: int, weights: Weights) -> float:
    """Return the value of the best way to take the pile, so that hints to take and to draw quote the same
    number.
    """
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
    if is_frozen(state):
        reasons.append(Reason("pile_is_frozen"))
    return reasons


def _take(state: HandState, seat: int, move: Take, weights: Weights) -> Explanation:
    side = state.side_of[seat]
    # If anyone may take the pile, its top card counts like all others.
    rest = state.pile if state.compiled.free_take else state.pile[:-1]
    worth = _worth_of_taking(state, seat, weights)
    numbers = {"cards": float(len(rest)), "worth": worth}
    code = "pile_not_worth" if round(worth) < 0 else "pile_brings" if rest else "pile_is_top"
    reasons = [Reason(code, {"count": len(rest), "worth": abs(round(worth))})]
    # A hint must not reveal the cards of a pile that may not be looked through.
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
        if fits_a_meld_of(state, side, kind):
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
        if (
            state.compiled.family.name == "burraco"
            and after is not None
            and len(after.runs[side]) > len(state.runs[side])
        ):
            melds = [_new_run(state, side, after)]
        reasons = [*melds, *_to_finish(state, side, after), *reasons]
    elif not reasons:
        reasons.append(_growth(state, side, move, len(cards), numbers))
    if after is not None and isinstance(move, Add) and move.to.row == ROW_RUN:
        reasons += _moved_wild(state, side, move.to.number - 1, after)
    if after is not None and after.talon_due > state.talon_due:
        reasons.append(Reason("talon_comes", {"count": after.talon_due}))
    return Explanation([*reasons[:3], _rest(state, seat, left)], numbers)


def _rank_bonus(state: HandState, side: int, after: HandState, kind: int) -> int:
    """Return the extra points of a natural canasta of this rank that was just completed (SCOR-18)."""
    if kind != NATURAL:
        return 0
    size = state.compiled.canasta_size
    made = [
        slot
        for slot in after.sets_of(side)
        if after.naturals(side, slot) == size > state.size_of_set(side, slot)
    ]
    rows = state.compiled.slots.rows
    return max([state.compiled.score.rank_bonus[rows[slot]] for slot in made], default=0)


def _to_finish(state: HandState, side: int, after: HandState | None) -> list[Reason]:
    """Return the reason about a set that was started and must now be finished (OUT-8); empty if there is
    none.
    """
    if after is None or not any(state.compiled.score.unfinished):
        return []
    rows = state.compiled.slots.rows
    started = [
        slot
        for slot in after.sets_of(side)
        if state.size_of_set(side, slot) == 0
        and is_unfinished(state.compiled, rows[slot], after.naturals(side, slot), after.wilds(side, slot))
    ]
    costs = [state.compiled.score.unfinished[rows[slot]] for slot in started]
    return [Reason("must_be_finished", {"points": max(costs)})] if costs else []


def _rest(state: HandState, seat: int, left: int) -> Reason:
    """Return the reason about the remaining cards and their use."""
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


def _new_run(state: HandState, side: int, after: HandState) -> Reason:
    """Return the reason for the sequence that was laid last."""
    run = after.runs[side][-1]
    is_wild = wild_in(run) > 0
    points = state.compiled.canasta_bonus[MIXED if is_wild else NATURAL]
    facts: Facts = {"count": run_length(run), "points": points}
    return Reason("new_run_wild" if is_wild else "new_run", facts)


def _moved_wild(state: HandState, side: int, number: int, after: HandState) -> list[Reason]:
    """Return the reason that a natural card freed the sequence's wild card; empty if it didn't."""
    before, now = state.runs[side][number], after.runs[side][number]
    if wild_in(before) == 0 or wild_at(before) == wild_at(now):
        return []
    was_inside = run_low(before) < wild_at(before) < run_low(before) + run_length(before) - 1
    return [Reason("wild_freed" if was_inside else "wild_moves")]


# -- questions, answers and everything else ---------------------------------------------------------------


def _caliente(state: HandState, seat: int, weights: Weights) -> Explanation:
    gained = max(0, state.compiled.caliente_hand - state.size(seat) + 1)
    penalty = state.compiled.score.caliente_played
    pays = caliente_pays(state, seat, weights)
    return Explanation(
        [Reason("caliente_pays" if pays else "caliente_seldom", {"count": gained, "points": penalty})],
        {"cards": float(gained), "penalty": float(penalty), "stock cards": float(state.stock_size())},
    )


def _question(state: HandState, seat: int, move: Ask | Answer, weights: Weights) -> Explanation:
    gain = gain_of_going_out(state, state.turn, weights)
    numbers = {"gain": gain, "cards in hand": float(state.size(seat))}
    if isinstance(move, Ask):
        if state.phase != PLAY or style_of(state).out_step(state, True) < 0:
            return Explanation([Reason("ask_in_vain")], numbers)
        code = "must_ask" if state.compiled.must_ask else "ask_decides"
        return Explanation([Reason(code, {"points": round(gain)})], numbers)
    bar = _bar(state, numbers)
    if bar is not None:
        return Explanation([Reason("yes_in_vain" if move.yes else "no"), bar], numbers)
    size = state.size(seat)
    if not move.yes:
        return Explanation([Reason("no_meld_first", {"count": size})], numbers)
    if opponent_near_going_out(state, state.side_of[seat]):
        return Explanation([Reason("yes_foe_close", {"count": size})], numbers)
    return Explanation([Reason("yes_worth", {"points": round(gain), "count": size})], numbers)


def _bar(state: HandState, numbers: dict[str, float]) -> Reason | None:
    """Return why the asking player can't go out this turn, or `None` if nothing visible prevents it."""
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
    numbers = {"cards in hand": float(state.size(seat)), "stock cards": float(state.stock_size())}
    side = state.side_of[seat]
    if isinstance(move, Special):
        named = [hand.points for hand in state.compiled.special_hands if hand.name == move.name]
        facts: Facts = {"special": move.name, "points": max(named, default=0)}
        return Explanation([Reason("special_hand", facts)], numbers)
    if isinstance(move, LayBonus) and state.compiled.bonus_threes:
        return Explanation([Reason("three_replaced")], numbers)
    if isinstance(move, LayBonus):
        numbers["red threes"] = float(state.bonus_cards(seat))
        return Explanation([Reason("red_three_points", {"points": state.compiled.score.bonus[1]})], numbers)
    if isinstance(move, Keep):
        code = "keep_nothing_better" if may_go_out(state, side) else "keep_no_canastas"
        return Explanation([Reason(code)], numbers)
    if isinstance(move, Pass):
        if state.no_discard:
            return Explanation([Reason("pass_red_three")], numbers)
        worth = pile_worth(state, side, seat, weights, True) if state.pile_size() > 0 else 0.0
        numbers["pile"] = worth
        can = any(state.compiled.layout.decoded[step].takes for step in legal_steps(state))
        why = Reason("pass_worth", {"points": round(worth)}) if can else Reason("pass_cannot")
        return Explanation([why], numbers)
    if isinstance(move, PutBack):
        penalty = state.compiled.score.put_back
        numbers["penalty"] = float(penalty)
        return Explanation([Reason("put_back_price", {"points": penalty})], numbers)
    return Explanation([Reason("undo")], numbers)
