"""Score a hand, line by line."""

from dataclasses import dataclass
from typing import Final

from canasta.engine.cards import ACE, BLACK_THREE, CALIENTE, JOKER, RANK_OF, RANKS, RED_THREE, SEVEN
from canasta.engine.law.going_out import canastas_suffice, concealed
from canasta.engine.melds import MIXED, NATURAL, ROW_WILD, SAMBA, SMALLEST_MELD, WILD, run_length, run_low
from canasta.engine.sequences import stands_inside, wild_at, wild_in
from canasta.engine.state import HandState
from canasta.rules.model import PlainData


@dataclass(frozen=True)
class ScoreSheet(PlainData):
    """One side's points for a hand.

    `lines` has every entry of `LINES` that this game uses; unused lines are zero.
    """

    lines: dict[str, int]

    def __hash__(self) -> int:
        return hash(tuple(self.lines.items()))

    @property
    def total(self) -> int:
        return sum(self.lines.values())


def score_hand(state: HandState) -> list[ScoreSheet]:
    """Return the score sheet of each side, as if the hand were over."""
    return [score_side(state, side) for side in range(state.sides)]


def winning_side(state: HandState) -> int:
    """Return the side whose special hand wins the match at once (GAME-3), or -1."""
    if state.special < 0 or not state.compiled.special_hands[state.special].wins:
        return -1
    return state.side_of[state.special_by]


def canasta_count(state: HandState, side: int) -> int:
    return sum(state.canasta_counts(side))


def score_side(state: HandState, side: int) -> ScoreSheet:
    score = state.compiled.score
    lines = dict.fromkeys(score.lines, 0)
    if state.special >= 0 and state.side_of[state.special_by] == side:
        lines["special_hand"] = state.compiled.special_hands[state.special].points
        return ScoreSheet(lines)
    seats = [seat for seat in state.order if state.side_of[seat] == side]
    lines["cards_in_hand"] = -sum([_hand_value(state, seat) for seat in seats])
    lines["put_back"] = -state.put_backs(side) * score.put_back
    canastas = state.canasta_counts(side)
    if score.canastas_for_plus and not canastas_suffice(
        state.compiled, canastas[0], canastas[1], canastas[2], canastas[3]
    ):
        lines["melded_cards"] = -state.points(side)
        if state.bonus[side]:
            lines["red_threes"] = -len(state.bonus[side]) * score.bonus[1]
        return ScoreSheet(lines)
    lines["melded_cards"] = state.points(side)
    if canasta_count(state, side) < score.canastas_for_melds:
        lines["melded_cards"] = -state.points(side)
    if score.grades:
        lines.update(grade_points(state, side))
    else:
        lines["natural_canastas"] = canastas[NATURAL] * score.canasta[NATURAL]
        lines["mixed_canastas"] = canastas[MIXED] * score.canasta[MIXED]
    if state.compiled.has_pots:
        lines["pot_not_taken"] = pot_points(state, side)
    lines["sambas"] = canastas[SAMBA] * score.canasta[SAMBA]
    lines["wild_canastas"] = canastas[WILD] * score.canasta[WILD]
    if state.out >= 0 and state.side_of[state.out] == side and _pays_for_going_out(state):
        lines["going_out"] = score.going_out
        if concealed(state):
            lines["concealed"] = score.concealed
    if score.by_colour:
        lines["red_threes"] = _threes(state, side, RED_THREE)
        lines["black_threes"] = _threes(state, side, BLACK_THREE)
    else:
        lines["red_threes"] = _bonus_cards(state, side)
    if score.has_special_sets:
        _count_special_sets(state, side, seats, lines)
    lines["forgotten_red_threes"] = -sum([state.bonus_cards(seat) for seat in seats]) * score.bonus_in_hand
    lines["caliente_cards"] = -state.caliente_played(side) * score.caliente_played
    return ScoreSheet(lines)


def _pays_for_going_out(state: HandState) -> bool:
    """Return whether the player who went out scores for it; a last taker may not (END-4)."""
    return not (state.compiled.one_taker and state.last_discard) or state.compiled.taker_bonus


def _hand_value(state: HandState, seat: int) -> int:
    """Return the cost of the cards left in a seat's hand (SCOR-1, CALI-5)."""
    score = state.compiled.score
    counts = state.counts_of(seat)
    for kind in state.talons[seat]:
        counts[RANK_OF[kind]] += 1
    value = sum([counts[rank] * score.in_hand[rank] for rank in range(RANKS)])
    value *= score.times_with_calientes[counts[CALIENTE]]
    if state.foot_waits(seat):
        value += sum([score.in_hand[RANK_OF[kind]] for kind in state.feet[seat]])
    return value


def _bonus_cards(state: HandState, side: int) -> int:
    """Return the points for a side's bonus cards, which may count against it (SCOR-8, SCOR-9)."""
    score = state.compiled.score
    count = len(state.bonus[side])
    value = score.bonus[count]
    if score.bonus_needs_canastas[count]:
        return -value if canasta_count(state, side) < score.canastas_for_bonus else value
    if state.opened(side):
        return value
    other_went_out = state.out >= 0 and state.side_of[state.out] != side
    return -value if score.unopened_bonus_minus or other_went_out else value


def _threes(state: HandState, side: int, rank: int) -> int:
    """Return the points for a side's threes of one colour, which depend on its canastas (SCOR-14)."""
    score = state.compiled.score
    count = sum([1 for kind in state.bonus[side] if RANK_OF[kind] == rank])
    value = score.by_colour[min(count, len(score.by_colour) - 1)]
    canastas = canasta_count(state, side)
    if canastas < score.canastas_below_minus:
        return -value
    return value if canastas >= score.canastas_from_plus else 0


def _count_special_sets(state: HandState, side: int, seats: list[int], lines: dict[str, int]) -> None:
    """Score canastas of sevens, aces and wilds, and the penalties for missing them."""
    compiled = state.compiled
    score = compiled.score
    for rank in (SEVEN, ACE):
        slot = compiled.slots.first_slot(rank)
        naturals = state.naturals(side, slot)
        if state.wilds(side, slot) == 0:
            if naturals >= compiled.canasta_size:
                lines["natural_canastas"] += score.rank_bonus[rank]
            elif naturals > 0 and score.unfinished[rank] > 0:
                lines["unfinished_melds"] -= score.unfinished[rank]
        for seat in seats:
            held = state.count(seat, rank) + sum([1 for kind in state.talons[seat] if RANK_OF[kind] == rank])
            if held >= SMALLEST_MELD and score.three_in_hand[rank] > 0:
                lines["aces_and_sevens_in_hand"] -= score.three_in_hand[rank]
    first = compiled.slots.first_slot(ROW_WILD)
    for slot in range(first, compiled.slots.first_slot(ROW_WILD + 1)):
        wilds = state.wilds(side, slot)
        if 0 < wilds < compiled.canasta_size:
            if score.unfinished[ROW_WILD] > 0:
                lines["unfinished_melds"] -= score.unfinished[ROW_WILD]
        elif wilds > 0:
            cards = [card & 63 for card in state.cards_laid_by(side) if card >> 6 == slot]
            lines["wild_canastas"] += score.wild_grade(sum([1 for kind in cards if RANK_OF[kind] == JOKER]))


CLEAN: Final = "clean"
SEMI_CLEAN: Final = "semi_clean"
DIRTY: Final = "dirty"


def grade_points(state: HandState, side: int) -> dict[str, int]:
    """Return the score sheet lines for a side's canastas."""
    lines = {CLEAN: 0, SEMI_CLEAN: 0, DIRTY: 0}
    scoring = state.compiled.rules.scoring
    points = {CLEAN: scoring.natural_canasta, SEMI_CLEAN: scoring.semi_clean, DIRTY: scoring.mixed_canasta}
    for slot in state.sets_of(side):
        grade = grade_of_set(state, side, slot)
        if grade:
            lines[grade] += points[grade]
    for run in state.runs[side]:
        grade = grade_of_run(state, run)
        if grade:
            lines[grade] += _clean_run(state, run_length(run)) if grade == CLEAN else points[grade]
    return lines


def grade_of_set(state: HandState, side: int, slot: int) -> str:
    """Return the grade of a set; empty if it is not a canasta of a rank."""
    naturals = state.naturals(side, slot)
    wilds = state.wilds(side, slot)
    if naturals + wilds < state.compiled.canasta_size or state.compiled.slots.row_of(slot) == ROW_WILD:
        return ""
    if wilds == 0:
        return CLEAN
    return _semi_clean(state) if _is_semi_clean_set(state, naturals, wilds) else DIRTY


def grade_of_run(state: HandState, run: int) -> str:
    """Return the grade of a long sequence; empty if it is not a canasta."""
    if run_length(run) < state.compiled.canasta_size:
        return ""
    if wild_in(run) == 0:
        return CLEAN
    return _semi_clean(state) if _is_semi_clean_run(state, run) else DIRTY


def _semi_clean(state: HandState) -> str:
    """Return the semi-clean grade, or the dirty one if semi-clean canastas pay nothing of their own."""
    return SEMI_CLEAN if state.compiled.rules.scoring.semi_clean > 0 else DIRTY


def _is_semi_clean_set(state: HandState, naturals: int, wilds: int) -> bool:
    size = state.compiled.canasta_size
    if wilds > 1:
        return False
    return naturals == size or (naturals > size and state.compiled.rules.scoring.semi_clean_nine)


def _is_semi_clean_run(state: HandState, run: int) -> bool:
    """Return whether the wild is at an end of a full canasta or, under some readings, inside one."""
    size = state.compiled.canasta_size
    if not stands_inside(run):
        return run_length(run) > size
    if not state.compiled.rules.scoring.semi_clean_inside:
        return False
    below = wild_at(run) - run_low(run)
    return max(below, run_length(run) - 1 - below) >= size


def _clean_run(state: HandState, length: int) -> int:
    scoring = state.compiled.rules.scoring
    if length == 14 and scoring.run_14 > 0:
        return scoring.run_14
    return scoring.run_13 if length >= 13 and scoring.run_13 > 0 else scoring.natural_canasta


def pot_points(state: HandState, side: int) -> int:
    """Return the penalty (zero or negative) for a side that has taken no pot (SCOR-21)."""
    scoring = state.compiled.rules.scoring
    taker = state.pot_taker(side)
    rule = scoring.pot_not_taken_if
    if taker >= 0:
        costs = rule == "unplayed" and not state.foot_played(taker)
    else:
        costs = rule != "other_took" or max(state.pot_takers()) >= 0
    return -scoring.pot_not_taken if costs else 0
