"""The answer to "may I go out?": what visibly prevents the partner from going out, and the reply."""

from typing import Final

from canasta.bots.card_counting import foe_is_close, open_slot
from canasta.bots.club.going_out import gain_of_going_out
from canasta.bots.club.weights import Weights
from canasta.engine.cards import CALIENTE, NATURAL_RANKS
from canasta.engine.cards_in_play import MIXED, NATURAL, SAMBA, WILD
from canasta.engine.law.going_out import teammates_played_feet
from canasta.engine.melds import ROW_WILD, run_length
from canasta.engine.state import DRAW, HandState

NOTHING_BARS: Final = 0
ASKERS_FOOT_BARS: Final = 1
TEAMMATES_FOOT_BARS: Final = 2
CANASTAS_BAR: Final = 3


def what_bars(state: HandState) -> int:
    """Return what keeps the asking player from going out this turn, whatever cards that player holds."""
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
    begun: list[int] = []
    for kind in (NATURAL, MIXED, WILD, SAMBA):
        # A wild card turns a natural set into one on its way to a mixed canasta.
        melds = sorted(lacking[kind] + begun if kind == MIXED else lacking[kind])
        if kind == MIXED:
            begun = []
        needed = max(0, compiled.kinds_needed[kind] - canastas[kind])
        count += needed
        cards += sum(melds[:needed]) + size * max(0, needed - len(melds))
        begun += melds[needed:]
    begun.sort()
    needed = max(0, compiled.canastas_needed - count)
    return cards + sum(begun[:needed]) + size * max(0, needed - len(begun))


def says_yes(state: HandState, seat: int, weights: Weights) -> bool:
    """Return whether to let the partner go out: not if it is
    impossible or this hand can still finish a canasta."""
    if what_bars(state) != NOTHING_BARS:
        return False
    side = state.side_of[seat]
    if foe_is_close(state, side):
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
