"""Explain moves in games with long sequences: reason codes with facts for melds and discards."""

from canasta.bots.card_counting import FITS, NEAR, fit
from canasta.bots.club.burraco import neighbours
from canasta.bots.protocol import Reason
from canasta.engine.cards import JOKER_KIND, WILD_CARD
from canasta.engine.cards_in_play import MIXED, NATURAL
from canasta.engine.families.burraco import wild_at, wild_in
from canasta.engine.melds import run_length, run_low
from canasta.engine.moves.refusals import Facts
from canasta.engine.state import HandState


def new_run(state: HandState, side: int, after: HandState) -> Reason:
    """Return the reason for the sequence that was laid last."""
    run = after.runs[side][-1]
    is_wild = wild_in(run) > 0
    points = state.compiled.canasta_bonus[MIXED if is_wild else NATURAL]
    facts: Facts = {"count": run_length(run), "points": points}
    return Reason("new_run_wild" if is_wild else "new_run", facts)


def moved_wild(state: HandState, side: int, number: int, after: HandState) -> list[Reason]:
    """Return the reason that a natural card freed the sequence's wild card, if it did."""
    before, now = state.runs[side][number], after.runs[side][number]
    if wild_in(before) == 0 or wild_at(before) == wild_at(now):
        return []
    was_inside = run_low(before) < wild_at(before) < run_low(before) + run_length(before) - 1
    return [Reason("wild_freed" if was_inside else "wild_moves")]


def discard_reasons(state: HandState, seat: int, kind: int, is_best: bool) -> list[Reason]:
    """Return what the next player's side, and the player's own, could do with a card."""
    compiled = state.compiled
    if kind == JOKER_KIND or compiled.role_of[kind] == WILD_CARD:
        return [Reason("wild_given" if not compiled.use_top else "wild_on_top")]
    foe = state.side_of[state.next_seat[seat]]
    theirs = fit(state, foe, kind)
    danger = "fits_theirs" if theirs == FITS else "near_theirs" if theirs == NEAR else "not_theirs"
    own = fit(state, state.side_of[seat], kind)
    if own == FITS:
        loss = "would_fit" if is_best else "fits_meld"
    elif own == NEAR:
        loss = "near_own"
    elif state.held(seat, kind) == 1 and neighbours(state, seat, kind) > 0:
        loss = "parts_neighbours"
    elif compiled.set_rows and state.count(seat, compiled.rank_of[kind]) > 1:
        loss = "breaks_pair"
    else:
        loss = "stands_alone"
    return [Reason(danger), Reason(loss)]
