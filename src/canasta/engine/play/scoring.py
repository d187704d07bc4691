"""The score of a hand, line by line."""

from dataclasses import dataclass
from typing import Final

from canasta.engine.cards import BLACK_THREE, CALIENTE, RANK_OF, RANKS, RED_THREE
from canasta.engine.law.going_out import canastas_suffice, concealed
from canasta.engine.state import MIXED, NATURAL, SAMBA, WILD, HandState
from canasta.rules.model import ScoringRules
from canasta.rules.plain_data import PlainData

LINES: Final[tuple[str, ...]] = (
    "melded_cards",
    "cards_in_hand",
    "natural_canastas",
    "mixed_canastas",
    "sambas",
    "wild_canastas",
    "going_out",
    "concealed",
    "red_threes",
    "forgotten_red_threes",
    "caliente_cards",
    "put_back",
)


@dataclass(frozen=True)
class ScoreSheet(PlainData):
    """One side's points of a hand; `lines` has every entry of `LINES`, zero where there is nothing."""

    lines: dict[str, int]

    def __hash__(self) -> int:
        return hash(tuple(self.lines.items()))

    @property
    def total(self) -> int:
        return sum(self.lines.values())


def score_hand(state: HandState) -> list[ScoreSheet]:
    """The score sheet of each side; the hand is over."""
    return [_score_side(state, side) for side in range(state.sides)]


def canasta_count(state: HandState, side: int) -> int:
    return sum(state.canastas_of(side))


def _score_side(state: HandState, side: int) -> ScoreSheet:
    rules = state.prepared.rules
    scoring = rules.scoring
    lines = dict.fromkeys(LINES, 0)
    lines["cards_in_hand"] = -sum(
        _hand_value(state, seat) for seat in state.order if state.side_of[seat] == side
    )
    canastas = state.canastas_of(side)
    if scoring.canasta_for_positive_score and not canastas_suffice(
        state.prepared, canastas[0], canastas[1], canastas[2], canastas[3]
    ):
        lines["melded_cards"] = -state.points[side]
        lines["red_threes"] = -scoring.red_three * len(state.bonus[side])
        lines["put_back"] = -state.put_backs[side] * scoring.put_back_penalty
        return ScoreSheet(lines)
    lines["melded_cards"] = state.points[side]
    lines["natural_canastas"] = canastas[NATURAL] * scoring.natural_canasta
    lines["mixed_canastas"] = canastas[MIXED] * scoring.mixed_canasta
    lines["sambas"] = canastas[SAMBA] * scoring.samba
    lines["wild_canastas"] = canastas[WILD] * scoring.wild_canasta
    if state.out >= 0 and state.side_of[state.out] == side:
        lines["going_out"] = scoring.going_out
        if concealed(state, state.out):
            lines["concealed"] = scoring.concealed
    lines["red_threes"] = _red_threes(state, side)
    forgotten = sum(state.count(seat, RED_THREE) for seat in state.order if state.side_of[seat] == side)
    lines["forgotten_red_threes"] = -forgotten * scoring.forgotten_red_three
    lines["caliente_cards"] = -state.caliente_played[side] * rules.caliente.played_penalty
    lines["put_back"] = -state.put_backs[side] * scoring.put_back_penalty
    return ScoreSheet(lines)


def _card_in_hand(state: HandState, rank: int) -> int:
    """What a card left in the hand costs; red threes and Caliente cards have their own rules."""
    if rank == BLACK_THREE:
        return state.prepared.rules.scoring.black_three_in_hand
    return state.prepared.values[rank]


def _hand_value(state: HandState, seat: int) -> int:
    """What the cards left with a seat cost (SCOR-1, CALI-5)."""
    counts = state.counts_of(seat)
    value = sum(counts[rank] * _card_in_hand(state, rank) for rank in range(RANKS))
    if counts[CALIENTE] == 1:
        value *= state.prepared.rules.caliente.held_one
    elif counts[CALIENTE] > 1:
        value *= state.prepared.rules.caliente.held_more
    if state.foot_waits[seat]:
        value += sum(_card_in_hand(state, RANK_OF[kind]) for kind in state.feet[seat])
    return value


def red_three_value(scoring: ScoringRules, count: int) -> int:
    """So many red threes, with what they are worth together beyond that (SCOR-8)."""
    extra = scoring.red_three_extra if 0 < scoring.red_three_extra_from <= count else 0
    return count * scoring.red_three + extra


def _red_threes(state: HandState, side: int) -> int:
    """Red threes count for or against the side (SCOR-8, SCOR-9)."""
    scoring = state.prepared.rules.scoring
    count = len(state.bonus[side])
    value = red_three_value(scoring, count)
    has_extra = 0 < scoring.red_three_extra_from <= count
    rule = scoring.red_threes_minus
    few = canasta_count(state, side) < scoring.red_threes_minus_canastas
    if rule == "few_canastas" or (rule == "all_need_canastas" and has_extra):
        return -value if few else value
    if state.opened[side]:
        return value
    if rule == "no_first_meld":
        return -value
    other_went_out = state.out >= 0 and state.side_of[state.out] != side
    return -value if other_went_out else value
