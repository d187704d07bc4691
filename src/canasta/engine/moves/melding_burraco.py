"""Meld cards the way people do, in games with long sequences (Burraco)."""

from canasta.engine.cards import ANY, BLACK_THREE, kind_in_suit
from canasta.engine.families.burraco import (
    NO_RUN,
    kinds_in,
    new_run,
    run_with,
    stands_inside,
    why_not_add,
    why_not_new_run,
    wild_at,
    wild_code,
    wild_in,
)
from canasta.engine.law import reasons
from canasta.engine.law.melding import (
    extend_long_run,
    lay_long_run,
    lay_on_set,
    slot_to_join,
    why_not_set,
)
from canasta.engine.meld_names import NEW, ROW_BLACK_THREES, ROW_RUN, MeldName
from canasta.engine.moves.facts import meld_facts
from canasta.engine.moves.find_cards import rank_of
from canasta.engine.moves.move_context import Referee, row_named
from canasta.engine.moves.refusals import Facts
from canasta.engine.runs import run_suit


def lay_long_group(referee: Referee, kinds: list[int]) -> None:
    """Lay one group as whatever meld it is: a set, or else a sequence."""
    state = referee.state
    compiled = state.compiled
    naturals = [kind for kind in kinds if wild_code(kind) == 0]
    ranks = sorted({compiled.rank_of[kind] for kind in naturals})
    if not naturals:
        referee.ask_rule(reasons.NO_SETS_OF_RANK, {"rank": "2"}, ("MELD-7", "DECK-6"))
    if len(ranks) == 1 and len(naturals) > 1:
        row = ROW_BLACK_THREES if ranks[0] == BLACK_THREE else ranks[0]
        slot = slot_to_join(state, state.side_of[state.turn], row)
        if slot == NEW and row not in compiled.set_rows:
            referee.ask_rule(reasons.NO_SETS_OF_RANK, {"rank": _rank_text(row)}, ("MELD-1",))
        _lay_on_set(referee, row, slot, kinds)
        return
    run = new_run(compiled.run_rules, kinds)
    if run == NO_RUN:
        also = ("MELD-1", "MELD-2") if len(ranks) == 1 else ()
        reason = why_not_new_run(compiled.run_rules, kinds)
        first = () if reason == reasons.TOO_FEW_CARDS else ("MELD-14",)
        referee.ask_rule(reason, {"size": len(kinds)}, ("MELD-14", *also), first=first)
    for kind in kinds:
        state.remove(state.turn, kind)
    lay_long_run(state, state.turn, run)


def _rank_text(row: int) -> str:
    return "3" if row == ROW_BLACK_THREES else "456789TJQKA"[row]


def _lay_on_set(referee: Referee, row: int, slot: int, kinds: list[int]) -> None:
    state = referee.state
    wilds = sum(1 for kind in kinds if wild_code(kind) > 0)
    reason = why_not_set(state, state.side_of[state.turn], row, slot, len(kinds) - wilds, wilds)
    also = ("MELD-5",) if slot != NEW else ()
    referee.ask_rule(reason, meld_facts(state, row, slot, len(kinds) - wilds, wilds), also)
    for kind in kinds:
        state.remove(state.turn, kind)
    lay_on_set(state, state.turn, row, slot, kinds)


def add_long(referee: Referee, cards: tuple[int, ...], to: MeldName, index: int, end: int) -> None:
    """Add cards to a meld on the table."""
    state = referee.state
    if to.row == ROW_RUN:
        _add_to_run(referee, cards, index, end)
        return
    kinds = referee.find([cards])[0]
    row = row_named(state.compiled, to)
    for kind in kinds:
        if wild_code(kind) == 0 and state.compiled.rank_of[kind] != state.compiled.rank_of_row[row]:
            referee.ask_rule(reasons.MIXED_RANKS)
    _lay_on_set(referee, row, index, kinds)


def _add_to_run(referee: Referee, cards: tuple[int, ...], index: int, end: int) -> None:
    state = referee.state
    before = state.runs[state.side_of[state.turn]][index]
    wanted: list[int] = []
    for card in cards:
        kind = kind_in_suit(rank_of(card) if card >= ANY else 0, run_suit(before))
        wanted.append(kind if card >= ANY and state.held(state.turn, kind) > 0 else card)
    kinds = referee.find([tuple(wanted)])[0]
    rules = state.compiled.run_rules
    after = run_with(rules, before, kinds, end)
    if after == NO_RUN:
        facts: Facts = {"size": len(kinds_in(before)) + len(kinds), "place": wild_at(before)}
        facts["wilds"] = 1 if wild_in(before) > 0 else 0
        reason = why_not_add(rules, before, kinds)
        # A wild card inside the sequence can't move to make room for the card either.
        also = ("MELD-15",) if stands_inside(before) else ()
        referee.ask_rule(reason, facts, also, first=() if reason == reasons.WILD_STAYS else ("MELD-14",))
    for kind in kinds:
        state.remove(state.turn, kind)
    extend_long_run(state, state.turn, index, after, kinds)
