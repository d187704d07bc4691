"""The score of a hand once more, from the rulebook."""

from collections.abc import Iterator

from property.definitions import (
    MIXED_CANASTA,
    NATURAL_CANASTA,
    SAMBA,
    WILD_CANASTA,
    canastas_are_enough,
    card_value,
)

from canasta.engine.cards import BLACK_THREE, CALIENTE, CALIENTE_KIND, RANK_OF, RED_THREE
from canasta.engine.state import HandState
from canasta.rules.model import Ruleset


def expected_lines(state: HandState, side: int, is_concealed: bool) -> dict[str, int]:
    """What the score sheet of a side must say; `is_concealed` is about the player who went out, if any."""
    rules = state.prepared.rules
    scoring = rules.scoring
    seats = [seat for seat in state.order if state.side_of[seat] == side]
    melded = sum(card_value(rules, RANK_OF[card & 63]) for card in state.laid[side])
    red_threes = len(state.bonus[side])
    canastas = state.canastas_of(side)
    lines = {
        "melded_cards": melded,
        "cards_in_hand": -sum(_left_over(state, seat) for seat in seats),
        "natural_canastas": canastas[NATURAL_CANASTA] * scoring.natural_canasta,
        "mixed_canastas": canastas[MIXED_CANASTA] * scoring.mixed_canasta,
        "sambas": canastas[SAMBA] * scoring.samba,
        "wild_canastas": canastas[WILD_CANASTA] * scoring.wild_canasta,
        "going_out": scoring.going_out if state.out in seats else 0,
        "concealed": scoring.concealed if state.out in seats and is_concealed else 0,
        "red_threes": _red_threes(state, side),
        "forgotten_red_threes": -scoring.forgotten_red_three
        * sum(1 for seat in seats for kind in hand_of(state, seat) if RANK_OF[kind] == RED_THREE),
        "caliente_cards": -rules.caliente.played_penalty * state.caliente_played[side],
        "put_back": -scoring.put_back_penalty * state.put_backs[side],
    }
    if scoring.canasta_for_positive_score and not canastas_are_enough(rules, canastas):
        lines = dict.fromkeys(lines, 0) | {
            "melded_cards": -melded,
            "cards_in_hand": lines["cards_in_hand"],
            "red_threes": -red_threes * scoring.red_three,
        }
    return lines


def hand_of(state: HandState, seat: int) -> Iterator[int]:
    for kind, count in enumerate(state.cards_of(seat)):
        for _ in range(count):
            yield kind


def _cost(rules: Ruleset, kind: int) -> int:
    """SCOR-1, SCOR-10: what a card left over costs."""
    if RANK_OF[kind] == BLACK_THREE:
        return rules.scoring.black_three_in_hand
    return card_value(rules, RANK_OF[kind])


def _left_over(state: HandState, seat: int) -> int:
    """CALI-5: Caliente cards multiply the hand that they are in, and no foot."""
    rules = state.prepared.rules
    cost = sum(_cost(rules, kind) for kind in hand_of(state, seat))
    caliente_cards = state.held(seat, CALIENTE_KIND)
    if caliente_cards:
        cost *= rules.caliente.held_one if caliente_cards == 1 else rules.caliente.held_more
    foot = state.feet[seat] if state.foot_waits[seat] else []
    return cost + sum(_cost(rules, kind) for kind in foot if RANK_OF[kind] not in (RED_THREE, CALIENTE))


def _red_threes(state: HandState, side: int) -> int:
    """SCOR-8, SCOR-9"""
    scoring = state.prepared.rules.scoring
    number = len(state.bonus[side])
    has_extra = 0 < scoring.red_three_extra_from <= number
    value = number * scoring.red_three + (scoring.red_three_extra if has_extra else 0)
    too_few = sum(state.canastas_of(side)) < scoring.red_threes_minus_canastas
    others_went_out = state.out >= 0 and state.side_of[state.out] != side
    no_meld = not state.laid[side]
    is_minus = {
        "no_first_meld": no_meld,
        "few_canastas": too_few,
        "other_went_out": no_meld and others_went_out,
        "all_need_canastas": too_few if has_extra else no_meld and others_went_out,
    }[scoring.red_threes_minus]
    return -value if is_minus else value
