"""Take the pile the way people do: with cards from the hand, or onto a meld."""

from canasta.engine.actions.burraco import can_take_pile
from canasta.engine.cards import (
    CALIENTE,
    NATURAL_RANKS,
    RANK_OF,
    RANK_TEXTS,
    THREES,
    WILD_CARD,
    card_text,
)
from canasta.engine.law import reasons
from canasta.engine.law.melding import (
    slot_to_join,
)
from canasta.engine.law.pile import (
    why_not_by,
    why_not_take_as_it_lies,
    why_not_take_onto_run,
    why_not_take_onto_set,
    why_not_take_with,
    why_not_touch_pile,
)
from canasta.engine.law.rule_tables import ONTO_OPEN_MELD
from canasta.engine.melds import NEW, ROW_RUN, MeldName, run_length
from canasta.engine.moves.find_cards import rank_of
from canasta.engine.moves.melding import add_long, lay_found, lay_groups, lay_long_group
from canasta.engine.moves.referee import Referee
from canasta.engine.moves.refusals import RefusedMove, meld_facts, pile_facts
from canasta.engine.moves.types import (
    Take,
)
from canasta.engine.play.turns import (
    take_onto_run,
    take_onto_set,
    take_pile,
    take_with,
)
from canasta.engine.state import DRAW


def take(referee: Referee, move: Take) -> None:
    state = referee.state
    referee.in_phase("take", DRAW)
    if state.compiled.takes_at_once:
        _take_as_it_lies(referee, move)
        return
    if not move.cards and move.onto is None:
        referee.ask_rule(reasons.NOT_A_MOVE, {"defect": "take"})
    if move.cards and move.onto is not None:
        referee.ask_rule(reasons.NOT_A_MOVE, {"defect": "take"})
    reason = why_not_touch_pile(state)
    if reason == reasons.PILE_IS_EMPTY:
        referee.ask_rule(reason)
    referee.ask_rule(reason, pile_facts(state, 0), _also_untouchable(referee, move))
    if move.onto is None:
        _take_with(referee, move)
    else:
        _take_onto(referee, move.onto)
        lay_groups(referee, list(move.melds))
    referee.finish(also=("PILE-2", "OPEN-8" if state.compiled.from_hand else "OPEN-3"))


def _take_as_it_lies(referee: Referee, move: Take) -> None:
    """Take the whole pile. If its top card must be used, also make the meld that uses it (PILE-16)."""
    state = referee.state
    referee.ask_rule(why_not_take_as_it_lies(state), {"stock": state.stock_size()}, ("PILE-1",))
    named = bool(move.cards or move.melds) or move.onto is not None
    if state.compiled.free_take and named:
        referee.ask_rule(reasons.TAKEN_AS_IT_LIES)
    top = state.top_card()
    if state.compiled.use_top and not can_take_pile(state) and not move.onto and len(move.cards) < 2:
        referee.ask_rule(reasons.TOP_CARD_FITS_NOTHING, {"card": card_text(top)})
    take_pile(state)
    if move.onto is not None:
        index = referee.slot(move.onto)
        if index == NEW:
            referee.ask_rule(reasons.NO_MELD_OF_RANK, {"rank": RANK_TEXTS[RANK_OF[top]]}, ("PILE-16",))
        add_long(referee, (top, *move.cards), move.onto, index, move.end)
    elif move.cards:
        lay_long_group(referee, referee.find([(*move.cards, top)])[0])
    lay_groups(referee, list(move.melds))
    if state.top_due and not (referee.partial and not named):
        referee.ask_rule(reasons.TOP_CARD_FIRST, {"card": card_text(top)})
    if not state.top_due:
        referee.finish(also=("PILE-16",))


def _take_with(referee: Referee, move: Take) -> None:
    state = referee.state
    rank = RANK_OF[state.top_card()]
    missing: RefusedMove | None = None
    groups = [move.cards, *move.melds]
    found: list[list[int]] = []
    try:
        found = referee.find(groups, _also_missing(referee))
    except RefusedMove as refused:
        missing = refused
    ranks = [rank_of(card) for card in move.cards]
    role_of_rank = state.compiled.role_of_rank
    if any(other != rank and (other == THREES or role_of_rank[other] != WILD_CARD) for other in ranks):
        referee.ask_rule(
            reasons.NOT_ITS_RANK, pile_facts(state, 0), ("PILE-7",) if state.compiled.runs else ()
        )
    if missing is not None:
        raise missing
    naturals = ranks.count(rank)
    wilds = len(ranks) - naturals
    reason = why_not_take_with(state, naturals, wilds)
    if reason != reasons.OK:
        facts = pile_facts(state, naturals)
        slot = slot_to_join(state, state.side_of[state.turn], rank)
        for name, fact in meld_facts(state, rank, slot, naturals + 1, wilds).items():
            facts.setdefault(name, fact)
        referee.ask_rule(reason, facts, _also_broken(referee, naturals))
    take_with(state, found[0])
    lay_found(referee, found[1:])


def _also_untouchable(referee: Referee, move: Take) -> tuple[str, ...]:
    """Return the clauses that a take of an untouchable pile also breaks."""
    rank = RANK_OF[referee.state.top_card()]
    if rank == CALIENTE:
        return ("CALI-6",)
    naturals = sum(1 for card in move.cards if rank_of(card) == rank)
    return _also_broken(referee, naturals) if rank < NATURAL_RANKS else ()


def _also_missing(referee: Referee) -> tuple[str, ...]:
    """Return the clauses about the pile that cards missing from the hand violate."""
    if not referee.state.opened(referee.state.side_of[referee.state.turn]):
        return ("PILE-2", "OPEN-3", "PILE-1")
    return ("PILE-8" if referee.state.frozen else "PILE-3", "PILE-1")


def _also_broken(referee: Referee, naturals: int) -> tuple[str, ...]:
    """Return every clause about the pile that an offer with fewer than two naturals breaks as well."""
    state = referee.state
    if naturals >= 2:
        return ()
    broken: list[str] = []
    if state.frozen and not state.compiled.always_frozen:
        broken.append("PILE-8")
    if not state.opened(state.side_of[state.turn]):
        broken.append("PILE-2")
    if not state.compiled.natural_and_wild:
        broken.append("PILE-4")
    return tuple(broken)


def _take_onto(referee: Referee, name: MeldName) -> None:
    state = referee.state
    facts = pile_facts(state, 0)
    top_rank = RANK_OF[state.top_card()]
    index = referee.slot(name)
    referee.ask_rule(why_not_by(state, ONTO_OPEN_MELD), facts, _also_broken_onto(referee, name, index))
    if index == NEW or (name.row != ROW_RUN and name.row != top_rank):
        also = ("PILE-1", "MELD-9") if referee.is_opponents(name) else ("PILE-1",)
        referee.ask_rule(reasons.NO_MELD_OF_RANK, facts, also)
    if name.row == ROW_RUN:
        run = state.runs[state.side_of[state.turn]][index]
        facts.update({"size": run_length(run) + 1, "most": state.compiled.canasta_size})
        referee.ask_rule(why_not_take_onto_run(state, run), facts, ("PILE-7",))
        take_onto_run(state, index)
    else:
        facts.update(meld_facts(state, name.row, index, 1, 0))
        facts["size"] = state.size_of_set(state.side_of[state.turn], index)
        referee.ask_rule(why_not_take_onto_set(state, index), facts)
        take_onto_set(state, index)


def _also_broken_onto(referee: Referee, name: MeldName, index: int) -> tuple[str, ...]:
    """Return every clause about the pile that adding its top card to a meld breaks as well."""
    state = referee.state
    side = state.side_of[state.turn]
    broken = ["PILE-5"]
    if state.frozen and not state.compiled.always_frozen:
        broken.append("PILE-8")
    if not state.opened(side):
        broken.append("PILE-2")
    if name.row == ROW_RUN:
        if not state.compiled.add_to_run:
            broken.append("PILE-7")
    elif index != NEW and state.size_of_set(side, index) >= state.compiled.canasta_size:
        if not state.compiled.add_to_canasta:
            broken.append("PILE-6")
    return tuple(broken)
