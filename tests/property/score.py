"""The score of a hand, computed a second time from the rulebook."""

from collections.abc import Iterator

from property.definitions import (
    MIXED_CANASTA,
    NATURAL_CANASTA,
    SAMBA,
    canastas_are_enough,
    card_value,
)

from canasta.engine.cards import ACE, BLACK_THREE, CALIENTE, CALIENTE_KIND, JOKER, RANK_OF, RED_THREE, SEVEN
from canasta.engine.melds import ROW_WILD
from canasta.engine.state import HandState
from canasta.rules.model import Ruleset
from canasta.rules.special_hands import SPECIAL_HANDS


def expected_lines(state: HandState, side: int, is_concealed: bool) -> dict[str, int]:
    """Return the expected score sheet of a side; `is_concealed` is about the player who went out, if any."""
    rules = state.compiled.rules
    scoring = rules.scoring
    seats = [seat for seat in state.order if state.side_of[seat] == side]
    melded = sum(card_value(rules, RANK_OF[card & 63]) for card in state.cards_laid_by(side))
    red_threes = len(state.bonus[side])
    canastas = state.canasta_counts(side)
    by_colour = bool(scoring.three_scale) and rules.deck.threes == "bonus"
    # END-4: the turn of the last taker ends the hand in any case.
    last_taker = rules.stock_end.after_last_card == "one_taker" and state.last_discard
    is_paid = state.out in seats and (rules.stock_end.taker_bonus or not last_taker)
    lines = {
        "melded_cards": -melded if sum(canastas) < scoring.melds_minus_below else melded,
        "cards_in_hand": -sum(_left_over(state, seat) for seat in seats),
        "natural_canastas": canastas[NATURAL_CANASTA] * scoring.natural_canasta + rank_bonuses(state, side),
        "mixed_canastas": canastas[MIXED_CANASTA] * scoring.mixed_canasta,
        "sambas": canastas[SAMBA] * scoring.samba,
        "wild_canastas": sum(_wild_canasta(rules, cards) for cards in _wild_melds(state, side)),
        "going_out": scoring.going_out if is_paid else 0,
        "concealed": scoring.concealed if is_paid and is_concealed else 0,
        "red_threes": _by_colour(state, side, RED_THREE) if by_colour else _red_threes(state, side),
        "forgotten_red_threes": -(0 if rules.deck.threes == "bonus" else scoring.forgotten_red_three)
        * sum(1 for seat in seats for kind in hand_of(state, seat) if RANK_OF[kind] == RED_THREE),
        "caliente_cards": -rules.caliente.played_penalty * state.caliente_played(side),
        "put_back": -scoring.put_back_penalty * state.put_backs(side),
        "black_threes": _by_colour(state, side, BLACK_THREE) if by_colour else 0,
        "unfinished_melds": -unfinished(state, side),
        "aces_and_sevens_in_hand": -sum(threes_of_a_rank(state, seat) for seat in seats),
        "special_hand": 0,
    }
    if state.special >= 0 and state.special_by in seats:
        points = SPECIAL_HANDS[rules.going_out.special_hands][state.special].points
        return _of_this_game(state, dict.fromkeys(lines, 0) | {"special_hand": points})
    if scoring.canasta_for_positive_score and not canastas_are_enough(rules, canastas):
        lines = dict.fromkeys(lines, 0) | {
            "melded_cards": -melded,
            "cards_in_hand": lines["cards_in_hand"],
            "red_threes": -red_threes * (scoring.three_scale or (scoring.red_three,))[0],
        }
    return _of_this_game(state, lines)


def _of_this_game(state: HandState, lines: dict[str, int]) -> dict[str, int]:
    """Return the lines of this game's sheet; lines that only other families have must be zero."""
    told = state.compiled.score.lines
    assert all(line in told for line, points in lines.items() if points)
    return {line: points for line, points in lines.items() if line in told}


def _melds(state: HandState, side: int, row: int) -> list[list[int]]:
    """Return the ranks of the cards in each set of a row."""
    found: dict[int, list[int]] = {}
    for card in state.cards_laid_by(side):
        if card >> 6 < state.compiled.slots.count and state.compiled.slots.row_of(card >> 6) == row:
            found.setdefault(card >> 6, []).append(RANK_OF[card & 63])
    return list(found.values())


def _wild_melds(state: HandState, side: int) -> list[list[int]]:
    size = state.compiled.rules.melds.canasta_size
    return [ranks for ranks in _melds(state, side, ROW_WILD) if len(ranks) >= size]


def _wild_canasta(rules: Ruleset, ranks: list[int]) -> int:
    """SCOR-5, SCOR-18"""
    jokers = ranks.count(JOKER)
    graded = rules.scoring.wild_twos if jokers == 0 else rules.scoring.wild_jokers if jokers >= 4 else 0
    return graded or rules.scoring.wild_canasta


def rank_bonuses(state: HandState, side: int) -> int:
    """Return the value of natural canastas of sevens and aces beyond that of other canastas (SCOR-18)."""
    rules = state.compiled.rules
    more = 0
    for rank, bonus in ((SEVEN, rules.sevens.bonus), (ACE, rules.aces.bonus)):
        for ranks in _melds(state, side, rank)[:1]:
            if bonus and set(ranks) == {rank} and len(ranks) >= rules.melds.canasta_size:
                more += bonus - rules.scoring.natural_canasta
    return more


def unfinished(state: HandState, side: int) -> int:
    """SCOR-16"""
    rules = state.compiled.rules
    size = rules.melds.canasta_size
    wilds = [ranks for ranks in _melds(state, side, ROW_WILD) if len(ranks) < size]
    cost = len(wilds) * rules.scoring.unfinished_wilds
    for rank, each in ((SEVEN, rules.sevens.unfinished), (ACE, rules.aces.unfinished)):
        for ranks in _melds(state, side, rank)[:1]:
            if set(ranks) == {rank} and len(ranks) < size:
                cost += each
    return cost


def threes_of_a_rank(state: HandState, seat: int) -> int:
    """SCOR-17"""
    rules = state.compiled.rules
    ranks = [RANK_OF[kind] for kind in (*hand_of(state, seat), *state.talons[seat])]
    costs = ((SEVEN, rules.sevens.in_hand), (ACE, rules.aces.in_hand))
    return sum(cost for rank, cost in costs if ranks.count(rank) >= 3)


def _by_colour(state: HandState, side: int, rank: int) -> int:
    """SCOR-14"""
    scoring = state.compiled.rules.scoring
    count = sum(1 for kind in state.bonus[side] if RANK_OF[kind] == rank)
    scale = (0, *scoring.three_scale)
    value = scale[min(count, len(scale) - 1)]
    canastas = sum(state.canasta_counts(side))
    if canastas < scoring.threes_minus_below:
        return -value
    return value if canastas >= scoring.threes_plus_from else 0


def hand_of(state: HandState, seat: int) -> Iterator[int]:
    for kind, count in enumerate(state.cards_of(seat)):
        for _ in range(count):
            yield kind


def _cost(rules: Ruleset, kind: int) -> int:
    """Return the cost of a card left in hand (SCOR-1, SCOR-10)."""
    is_three = RANK_OF[kind] == RED_THREE and rules.deck.threes == "bonus"
    if RANK_OF[kind] == BLACK_THREE or is_three:
        return rules.scoring.black_three_in_hand
    return card_value(rules, RANK_OF[kind])


def _left_over(state: HandState, seat: int) -> int:
    """CALI-5: Caliente cards multiply the cost of the hand that holds them, but not of a foot."""
    rules = state.compiled.rules
    cost = sum(_cost(rules, kind) for kind in (*hand_of(state, seat), *state.talons[seat]))
    caliente_cards = state.held(seat, CALIENTE_KIND)
    if caliente_cards:
        cost *= rules.caliente.held_one if caliente_cards == 1 else rules.caliente.held_more
    foot = state.feet[seat] if state.foot_waits(seat) else []
    return cost + sum(_cost(rules, kind) for kind in foot if RANK_OF[kind] not in (RED_THREE, CALIENTE))


def _red_threes(state: HandState, side: int) -> int:
    """SCOR-8, SCOR-9"""
    scoring = state.compiled.rules.scoring
    number = len(state.bonus[side])
    has_extra = 0 < scoring.red_three_extra_from <= number
    value = number * scoring.red_three + (scoring.red_three_extra if has_extra else 0)
    if scoring.three_scale:
        scale = (0, *scoring.three_scale)
        value = scale[min(number, len(scale) - 1)]
    too_few = sum(state.canasta_counts(side)) < scoring.red_threes_minus_canastas
    others_went_out = state.out >= 0 and state.side_of[state.out] != side
    no_meld = not state.cards_laid_by(side)
    is_minus = {
        "no_first_meld": no_meld,
        "few_canastas": too_few,
        "other_went_out": no_meld and others_went_out,
        "all_need_canastas": too_few if has_extra else no_meld and others_went_out,
    }[scoring.red_threes_minus]
    return -value if is_minus else value
