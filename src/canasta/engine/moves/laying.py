"""Laying cards as a person does: several groups at once, additions of several cards."""

from canasta.engine.cards import (
    ANY,
    BLACK_THREE,
    CALIENTE,
    NATURAL_RANKS,
    RANK_OF,
    RANK_TEXTS,
    RED_THREE,
    is_wild,
)
from canasta.engine.law import why_not as r
from canasta.engine.law.going_out import others_than_black_threes
from canasta.engine.law.melding import (
    extend_run,
    lay_on_set,
    lay_run,
    slot_to_join,
    why_not_extend_run,
    why_not_run,
    why_not_set,
)
from canasta.engine.law.special_cards import why_not_lay_black_threes
from canasta.engine.meld_names import NEW, ROW_BLACK_THREES, ROW_RUN, ROW_WILD, SMALLEST_MELD, MeldName
from canasta.engine.moves.attempt import Attempt
from canasta.engine.moves.facts import meld_facts
from canasta.engine.moves.find_cards import rank_of
from canasta.engine.moves.types import Add, Meld
from canasta.engine.play.turns import (
    before_laying,
)
from canasta.engine.state import PLAY, run_length, run_low


def lay_melds(attempt: Attempt, move: Meld) -> None:
    attempt.in_phase("meld", PLAY)
    before_laying(attempt.state)
    lay_groups(attempt, list(move.melds))
    attempt.finish()


def lay_groups(attempt: Attempt, groups: list[tuple[int, ...]]) -> None:
    if groups:
        lay_found(attempt, attempt.find(groups))


def lay_found(attempt: Attempt, groups: list[list[int]]) -> None:
    """Lay groups of cards that are in the hand; black threes after all others."""
    last = [kinds for kinds in groups if any(RANK_OF[kind] == BLACK_THREE for kind in kinds)]
    for kinds in groups:
        if kinds not in last:
            _lay_group(attempt, kinds)
    for kinds in last:
        _lay_group(attempt, kinds)


def _lay_group(attempt: Attempt, kinds: list[int]) -> None:
    """Lay one group as the meld that it is: black threes, wilds, a set or a run."""
    state = attempt.state
    ranks = [RANK_OF[kind] for kind in kinds]
    naturals = sorted({rank for rank in ranks if rank < NATURAL_RANKS})
    wilds = sum(1 for rank in ranks if is_wild(rank))
    if RED_THREE in ranks:
        attempt.ask_rule(r.RED_THREES)
    if CALIENTE in ranks:
        attempt.ask_rule(r.CALIENTE_NEVER_MELDED)
    if BLACK_THREE in ranks:
        if ranks.count(BLACK_THREE) < len(ranks):
            attempt.ask_rule(r.BLACK_THREES_WITH_OTHERS, None, ("MELD-6",) if state.prepared.runs else ())
        _lay_black_threes(attempt, kinds)
        return
    if state.black_threes_now:
        attempt.ask_rule(r.BLACK_THREES_LAST)
    if len(naturals) > 1:
        _lay_run(attempt, kinds, wilds)
        return
    row = naturals[0] if naturals else ROW_WILD
    if len(kinds) < SMALLEST_MELD:
        also = ("MELD-7",) if row == ROW_WILD else ()
        attempt.ask_rule(r.TOO_FEW_CARDS, {"size": len(kinds)}, also)
    slot = slot_to_join(state, state.side_of[state.turn], row)
    _lay_on_set(attempt, row, slot, kinds)


def _lay_on_set(attempt: Attempt, row: int, slot: int, kinds: list[int]) -> None:
    state = attempt.state
    prepared = state.prepared
    wilds = sum(1 for kind in kinds if is_wild(RANK_OF[kind]))
    reason = why_not_set(state, state.side_of[state.turn], row, slot, len(kinds) - wilds, wilds)
    is_canasta = slot != NEW and state.set_size(state.side_of[state.turn], slot) >= prepared.canasta_size
    also = ("MELD-4",) if is_canasta and wilds > 0 else ("MELD-5",) if slot != NEW else ()
    attempt.ask_rule(reason, meld_facts(state, row, slot, len(kinds) - wilds, wilds), also)
    for kind in kinds:
        state.remove(state.turn, kind)
    lay_on_set(state, state.turn, row, slot, kinds)


def _lay_black_threes(attempt: Attempt, kinds: list[int]) -> None:
    state = attempt.state
    slot = ROW_BLACK_THREES * state.prepared.slots
    if not state.black_threes_now:
        others = others_than_black_threes(state)
        # They may be laid in two moves, as long as three lie in the end.
        if state.count(state.turn, BLACK_THREE) < SMALLEST_MELD:
            attempt.ask_rule(r.TOO_FEW_CARDS, {"size": len(kinds)}, ("MELD-8",))
        attempt.ask_rule(why_not_lay_black_threes(state), {"others": others})
        slot = NEW
    state.black_threes_now = True
    for kind in kinds:
        state.remove(state.turn, kind)
    lay_on_set(state, state.turn, ROW_BLACK_THREES, slot, kinds)


def _lay_run(attempt: Attempt, kinds: list[int], wilds: int) -> None:
    state = attempt.state
    ordered = sorted(kinds, key=lambda kind: RANK_OF[kind])
    low = RANK_OF[ordered[0]]
    in_sequence = all(RANK_OF[kind] == low + index for index, kind in enumerate(ordered))
    if not state.prepared.runs:
        attempt.ask_rule(r.NO_RUNS if in_sequence else r.MIXED_RANKS)
    if wilds > 0:
        attempt.ask_rule(r.RUN_CARDS, None, ("MELD-1",))
    if not in_sequence:
        attempt.ask_rule(r.RUN_HAS_GAP)
    facts: dict[str, int | str] = {"size": len(kinds), "most": state.prepared.canasta_size}
    attempt.ask_rule(why_not_run(state, low, len(kinds)), facts, ("MELD-6",))
    if state.prepared.same_suit and len({kind & 3 for kind in kinds}) > 1:
        attempt.ask_rule(r.RUN_SUITS)
    for kind in ordered:
        state.remove(state.turn, kind)
    lay_run(state, state.turn, ordered)


def add_cards(attempt: Attempt, move: Add) -> None:
    attempt.in_phase("add", PLAY)
    state = attempt.state
    index = attempt.slot(move.to)
    if index == NEW:
        _refuse_unknown_meld(attempt, move.to)
    if state.black_threes_now and move.to.row != ROW_BLACK_THREES:
        attempt.ask_rule(r.BLACK_THREES_LAST)
    before_laying(state)
    if move.to.row == ROW_RUN:
        _add_to_run(attempt, move, index)
    else:
        kinds = attempt.find([move.cards])[0]
        _check_rank(attempt, move.to.row, kinds)
        if move.to.row == ROW_BLACK_THREES:
            _lay_black_threes(attempt, kinds)
        else:
            _lay_on_set(attempt, move.to.row, index, kinds)
    attempt.finish()


def _check_rank(attempt: Attempt, row: int, kinds: list[int]) -> None:
    """Cards added to a set are of its rank, or wild."""
    for kind in kinds:
        rank = RANK_OF[kind]
        if rank == RED_THREE:
            attempt.ask_rule(r.RED_THREES)
        if rank == CALIENTE:
            attempt.ask_rule(r.CALIENTE_NEVER_MELDED)
        if row == ROW_BLACK_THREES:
            if rank != BLACK_THREE:
                attempt.ask_rule(r.BLACK_THREES_WITH_OTHERS)
        elif rank == BLACK_THREE:
            attempt.ask_rule(r.BLACK_THREES_WITH_OTHERS, None, ("MELD-1",))
        elif rank != row and not is_wild(rank):
            attempt.ask_rule(r.MIXED_RANKS, None, ("MELD-7",) if row == ROW_WILD else ())


def _add_to_run(attempt: Attempt, move: Add, index: int) -> None:
    state = attempt.state
    side = state.side_of[state.turn]
    cards = list(move.cards)
    while cards:
        run = state.runs[side][index]
        suit = run >> 8
        fitting = -1
        for card in cards:
            rank = rank_of(card)
            if rank >= NATURAL_RANKS:
                attempt.find([(card,)])
                attempt.ask_rule(r.RUN_CARDS)
            if rank in (run_low(run) - 1, run_low(run) + run_length(run)):
                fitting = card
                break
        if fitting < 0:
            attempt.find([tuple(cards)])
            attempt.ask_rule(r.RUN_DOES_NOT_FIT)
        cards.remove(fitting)
        wanted = fitting
        if wanted >= ANY and suit < 4 and state.held(state.turn, (wanted - ANY) * 4 + suit) > 0:
            wanted = (wanted - ANY) * 4 + suit
        kind = attempt.find([(wanted,)])[0][0]
        reason = why_not_extend_run(state, run, RANK_OF[kind], kind & 3)
        facts: dict[str, int | str] = {
            "size": run_length(run) + 1 + len(cards),
            "most": state.prepared.canasta_size,
        }
        if reason == r.RUN_DOES_NOT_FIT:
            reason = r.RUN_SUITS
        attempt.ask_rule(reason, facts)
        state.remove(state.turn, kind)
        extend_run(state, state.turn, index, kind)


def _refuse_unknown_meld(attempt: Attempt, name: MeldName) -> None:
    state = attempt.state
    side = state.side_of[state.turn]
    if attempt.is_opponents(name):
        attempt.ask_rule(r.OPPONENTS_MELD, None, ("NOTATION",))
    rows = sorted({slot // state.prepared.slots for slot in state.sets[side]})
    names = [RANK_TEXTS[row] for row in rows if row < NATURAL_RANKS]
    names += ["W"] if ROW_WILD in rows else []
    names += ["run"] if state.runs[side] else []
    attempt.ask_rule(r.NO_SUCH_MELD, {"melds": " ".join(names) if names else "none"})
