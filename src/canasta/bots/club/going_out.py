"""Going out: whether the hand can be played out and whether that pays, and the reply to "may I go out?"."""

from typing import Final

from canasta.bots.card_counting import fits_own, may_go_out, open_slot, opponent_near_going_out
from canasta.bots.club.weights import Weights
from canasta.engine.actions.codec import (
    ADD_BLACK_THREE,
    ADD_NATURAL,
    ADD_WILD,
    DISCARD,
    EXTEND_RUN,
    START_BLACK_THREES,
    START_NATURALS,
    START_PAIR,
    START_RUN,
    START_WILDS,
    is_discard,
    lays_cards,
)
from canasta.engine.actions.legal import legal_steps
from canasta.engine.actions.make import make_step
from canasta.engine.cards import CALIENTE, JOKER, NATURAL_RANKS, TWO
from canasta.engine.feasibility.last_discard import LastDiscardSearch
from canasta.engine.law.going_out import canastas_suffice, teammates_played_feet, why_not_out
from canasta.engine.law.reasons import OK
from canasta.engine.melds import MIXED, NATURAL, ROW_WILD, SAMBA, WILD, run_length
from canasta.engine.state import DRAW, OVER, PLAY, SAID_YES, HandState


def could_play_out(state: HandState) -> bool:
    """Check quickly whether at most one card of the hand cannot be melded."""
    seat = state.turn
    if state.foot_waits(seat):
        return False
    side = state.side_of[seat]
    counts = state.counts_of(seat)
    if state.bonus_cards(seat) > 0:
        return False
    wilds = counts[TWO] + counts[JOKER]
    stranded = counts[CALIENTE]
    if state.stop_cards(seat) < 3:
        stranded += state.stop_cards(seat)
    runs = state.compiled.runs
    lonely = 0
    for rank in range(NATURAL_RANKS):
        count = counts[rank]
        if count == 0 or count >= 3 or fits_own(state, side, rank):
            continue
        if runs:
            lonely += 1
        elif count == 1:
            stranded += 1
        else:
            wilds -= 1
            if wilds < 0:
                # One of the two could be discarded only if the other could be melded, and it can't.
                stranded += 2
                wilds = 0
        if stranded > 1:
            return False
    if lonely > 1 and lonely > state.size(seat) // 2 + 3:
        return False
    if state.size(seat) > 14:
        return False
    return stranded <= 1 and _canastas_in_reach(state, side)


def _canastas_in_reach(state: HandState, side: int) -> bool:
    """Return whether the side has the canastas to go out, or could have them with the cards of this hand."""
    compiled = state.compiled
    canastas = state.canasta_counts(side)
    if may_go_out(state, side):
        return True
    seat = state.turn
    counts = state.counts_of(seat)
    wilds = counts[TWO] + counts[JOKER]
    slots = compiled.slots
    natural = canastas[NATURAL]
    mixed = canastas[MIXED]
    wild = canastas[WILD]
    samba = canastas[SAMBA]
    size = compiled.canasta_size
    for slot in state.sets_of(side):
        row = slots.row_of(slot)
        there = state.size_of_set(side, slot)
        if there >= size:
            continue
        if row == ROW_WILD:
            if there + wilds >= size:
                wild += 1
        elif row < NATURAL_RANKS:
            if state.wilds(side, slot) == 0 and there + counts[row] >= size:
                natural += 1
            elif there + counts[row] + wilds >= size:
                mixed += 1
    for rank in range(NATURAL_RANKS):
        if counts[rank] >= size:
            natural += 1
        elif counts[rank] >= size - 3 and counts[rank] + wilds >= size:
            mixed += 1
    if compiled.runs:
        for run in state.runs[side]:
            if run_length(run) < size and run_length(run) + state.size(seat) >= size:
                samba += 1
        if state.size(seat) >= size:
            samba += 1
    return canastas_suffice(compiled, natural, mixed, wild, samba)


_LAID_FIRST: Final = {
    ADD_NATURAL: 100,
    EXTEND_RUN: 90,
    START_NATURALS: 80,
    START_RUN: 70,
    START_PAIR: 60,
    START_WILDS: 30,
    START_BLACK_THREES: 10,
    ADD_BLACK_THREE: 10,
}
"""The order in which everything is laid down, the highest number first."""


def plain_out_step(state: HandState, said_yes: bool) -> int:
    """Return the first step of a way to play out the whole hand this turn, or -1 if none is found.

    With `said_yes`, assume that the partner agrees.
    """
    if not could_play_out(state):
        return -1
    trial = state.copy()
    if said_yes:
        trial.asked = SAID_YES
    first = -1
    while trial.phase != OVER:
        step = _lay_all_step(trial)
        if step < 0:
            return -1
        if first < 0:
            first = step
        make_step(trial, step)
    return first if trial.out == state.turn else -1


def exact_out_step(state: HandState, said_yes: bool) -> int:
    """Return a step after which the whole hand can still be played out, or -1 if there is none.

    This is an exact search, for games that restrict melds.
    """
    side = state.side_of[state.turn]
    if not state.opened(side) or sum(state.canasta_counts(side)) + 1 < state.compiled.canastas_needed:
        return -1
    trial = state.copy()
    if said_yes:
        trial.asked = SAID_YES
    if trial.size(trial.turn) > 1 and not LastDiscardSearch(trial).exists():
        return -1
    for step in legal_steps(trial):
        if is_discard(step):
            if trial.size(trial.turn) == 1 and why_not_out(trial, trial.turn) == OK:
                return step
        elif lays_cards(step):
            after = trial.copy()
            make_step(after, step)
            if after.phase != PLAY:
                continue
            if LastDiscardSearch(after).exists() or (
                after.size(after.turn) == 1 and why_not_out(after, after.turn) == OK
            ):
                return step
    return -1


def _lay_all_step(state: HandState) -> int:
    """Return the next step of laying down everything, or -1 if
    nothing can be laid and the hand is not empty."""
    size = state.compiled.canasta_size
    side = state.side_of[state.turn]
    needs = not may_go_out(state, side)
    best = -1
    best_score = -1
    for step in legal_steps(state):
        score = -1
        decoded = state.compiled.layout.decoded[step]
        what = decoded.what
        if what == ADD_WILD:
            slot = decoded.slot
            there = state.size_of_set(side, slot)
            if there == size - 1:
                score = 95 if needs else 50
            elif there >= size:
                score = 20 if state.wilds(side, slot) > 0 else 5
            else:
                score = (40 if needs else 20) + there
        elif what == DISCARD:
            if state.size(state.turn) == 1:
                score = 0
        else:
            score = _LAID_FIRST.get(what, -1)
        if score > best_score:
            best_score = score
            best = step
    return best


def gain_of_going_out(state: HandState, seat: int, weights: Weights) -> float:
    """Return the gain in points of ending the hand now over playing on."""
    side = state.side_of[seat]
    compiled = state.compiled
    gain = weights.out_bias + compiled.score.going_out
    for other in state.order:
        if other == seat:
            continue
        cards = state.size(other)
        if state.foot_waits(other):
            cards += len(state.feet[other])
        if state.side_of[other] == side:
            gain -= weights.out_our_card * cards
        else:
            gain += weights.out_their_card * cards
    if compiled.has_pots:
        for their in range(state.sides):
            if their != side and state.pot_taker(their) < 0:
                gain += compiled.rules.scoring.pot_not_taken
    slots = compiled.slots
    for whose in [side, *[their for their in range(state.sides) if their != side]]:
        price = -weights.out_growth if whose == side else weights.out_growth
        for slot in state.sets_of(whose):
            there = state.size_of_set(whose, slot)
            if slots.row_of(slot) <= ROW_WILD and there < compiled.canasta_size:
                gain += price * (there - 2) / 4.0
        for run in state.runs[whose]:
            length = run_length(run)
            if length < compiled.canasta_size:
                gain += price * (length - 2)
    if opponent_near_going_out(state, side):
        gain += weights.out_threat
    return gain


NOTHING_BARS: Final = 0
ASKERS_FOOT_BARS: Final = 1
TEAMMATES_FOOT_BARS: Final = 2
CANASTAS_BAR: Final = 3


def what_bars(state: HandState) -> int:
    """Return the obstacle to going out this turn, whatever cards the asking player holds."""
    asker = state.turn
    if state.foot_waits(asker):
        return ASKERS_FOOT_BARS
    if not teammates_played_feet(state, asker):
        return TEAMMATES_FOOT_BARS
    return (
        CANASTAS_BAR if cards_to_canastas(state, state.side_of[asker]) > most_cards(state) else NOTHING_BARS
    )


def most_cards(state: HandState) -> int:
    """Return an upper bound on the cards that the asking player can lay this turn."""
    cards = state.size(state.turn)
    if state.asked_in == DRAW:
        cards += max(state.compiled.draw, state.pile_size())
    return cards


def cards_to_canastas(state: HandState, side: int) -> int:
    """Return the fewest cards that must be melded before the side has the canastas to go out."""
    compiled = state.compiled
    size = compiled.canasta_size
    lacking: list[list[int]] = [[], [], [], []]
    """By kind of canasta: the number of cards that each unfinished meld lacks."""
    for slot in state.sets_of(side):
        row = compiled.slots.row_of(slot)
        missing = size - state.size_of_set(side, slot)
        if row <= ROW_WILD and missing > 0:
            kind = WILD if row == ROW_WILD else NATURAL if state.wilds(side, slot) == 0 else MIXED
            lacking[kind].append(missing)
    for run in state.runs[side]:
        if run_length(run) < size:
            lacking[SAMBA].append(size - run_length(run))
    canastas = state.canasta_counts(side)
    count = sum(canastas)
    cards = 0
    unfinished: list[int] = []
    for kind in (NATURAL, MIXED, WILD, SAMBA):
        # A wild card turns a natural set into one on its way to a mixed canasta.
        melds = sorted(lacking[kind] + unfinished if kind == MIXED else lacking[kind])
        if kind == MIXED:
            unfinished = []
        needed = max(0, compiled.kinds_needed[kind] - canastas[kind])
        count += needed
        cards += sum(melds[:needed]) + size * max(0, needed - len(melds))
        unfinished += melds[needed:]
    unfinished.sort()
    needed = max(0, compiled.canastas_needed - count)
    return cards + sum(unfinished[:needed]) + size * max(0, needed - len(unfinished))


def says_yes(state: HandState, seat: int, weights: Weights) -> bool:
    """Return whether to let the partner go out: yes, unless it is impossible or this hand can still finish a
    canasta.
    """
    if what_bars(state) != NOTHING_BARS:
        return False
    side = state.side_of[seat]
    if opponent_near_going_out(state, side):
        return True
    counts = state.counts_of(seat)
    held = 0
    saved = 0
    values = state.compiled.values
    for rank in range(NATURAL_RANKS + 2):
        held += counts[rank] * values[rank]
    for rank in range(NATURAL_RANKS):
        slot = open_slot(state, side, rank)
        if counts[rank] > 0 and slot >= 0:
            if state.size_of_set(side, slot) + counts[rank] >= state.compiled.canasta_size:
                saved += state.compiled.canasta_bonus[1]
            saved += 2 * counts[rank] * values[rank]
        elif counts[rank] >= 3:
            saved += 2 * counts[rank] * values[rank]
    if counts[CALIENTE] > 0:
        held *= 2
    return gain_of_going_out(state, state.turn, weights) + 40.0 > saved + 0.3 * held
