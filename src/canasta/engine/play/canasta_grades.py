"""Canasta grades at the end of a hand: clean, semi-clean and dirty (SCOR-20)."""

from typing import Final

from canasta.engine.families.burraco import stands_inside, wild_at, wild_in
from canasta.engine.meld_names import ROW_WILD
from canasta.engine.runs import run_length, run_low
from canasta.engine.state import HandState

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
