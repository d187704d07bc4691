"""Lay the melds of a move, extend them, and take the pile with cards from the hand or onto a meld."""

from canasta.engine.actions.burraco import can_take_pile
from canasta.engine.cards import (
    ANY,
    BLACK_THREE,
    BONUS_CARD,
    CALIENTE,
    NATURAL_RANKS,
    RANK_OF,
    RANK_TEXTS,
    STOP_CARD,
    THREES,
    WILD_CARD,
    card_text,
    kind_in_suit,
)
from canasta.engine.law import reasons
from canasta.engine.law.american import why_not_on_set
from canasta.engine.law.going_out import others_than_black_threes
from canasta.engine.law.melding import slot_to_join, why_not_extend_run, why_not_run, why_not_set
from canasta.engine.law.pile import (
    why_not_by,
    why_not_take_as_it_lies,
    why_not_take_onto_run,
    why_not_take_onto_set,
    why_not_take_with,
    why_not_touch_pile,
)
from canasta.engine.law.special_cards import why_not_lay_black_threes
from canasta.engine.melds import (
    NEW,
    ROW_BLACK_THREES,
    ROW_RUN,
    ROW_WILD,
    SMALLEST_MELD,
    MeldName,
    run_length,
    run_low,
    run_suit,
)
from canasta.engine.moves.referee import Referee, rank_of, row_named
from canasta.engine.moves.refusals import RefusedMove, meld_facts, pile_facts
from canasta.engine.moves.types import Add, Meld, Take
from canasta.engine.play.melding import extend_long_run, extend_run, lay_long_run, lay_on_set, lay_run
from canasta.engine.play.turns import before_laying, take_onto_run, take_onto_set, take_pile, take_with
from canasta.engine.rule_tables import ONTO_OPEN_MELD
from canasta.engine.sequences import (
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
from canasta.engine.state import DRAW, PLAY
from canasta.i18n import Facts


def lay_melds(referee: Referee, move: Meld) -> None:
    referee.in_phase("meld", PLAY)
    before_laying(referee.state)
    lay_groups(referee, list(move.melds))
    referee.finish()


def lay_groups(referee: Referee, groups: list[tuple[int, ...]]) -> None:
    if groups:
        referee.state.compiled.family.lay_groups(referee, referee.find(groups))


def lay_sets_and_runs(referee: Referee, groups: list[list[int]]) -> None:
    """Lay groups of cards that are in the hand, black threes last."""
    role_of = referee.state.compiled.role_of
    last = [kinds for kinds in groups if any(role_of[kind] == STOP_CARD for kind in kinds)]
    for kinds in groups:
        if kinds not in last:
            _lay_group(referee, kinds)
    for kinds in last:
        _lay_group(referee, kinds)


def _lay_group(referee: Referee, kinds: list[int]) -> None:
    """Lay one group as the meld it forms: black threes, wilds, a set or a run."""
    state = referee.state
    ranks = [RANK_OF[kind] for kind in kinds]
    naturals = sorted({rank for rank in ranks if rank < NATURAL_RANKS})
    roles = [state.compiled.role_of[kind] for kind in kinds]
    wilds = roles.count(WILD_CARD)
    if BONUS_CARD in roles:
        referee.ask_rule(reasons.THREES_NEVER_MELDED if state.compiled.bonus_threes else reasons.RED_THREES)
    if CALIENTE in ranks:
        referee.ask_rule(reasons.CALIENTE_NEVER_MELDED)
    if STOP_CARD in roles:
        if roles.count(STOP_CARD) < len(roles):
            referee.ask_rule(
                reasons.BLACK_THREES_WITH_OTHERS, None, ("MELD-6",) if state.compiled.runs else ()
            )
        _lay_black_threes(referee, kinds)
        return
    if state.black_threes_now:
        referee.ask_rule(reasons.BLACK_THREES_LAST)
    if len(naturals) > 1:
        _lay_run(referee, kinds, wilds)
        return
    row = naturals[0] if naturals else ROW_WILD
    if len(kinds) < SMALLEST_MELD:
        also = ("MELD-7",) if row == ROW_WILD else ()
        referee.ask_rule(reasons.TOO_FEW_CARDS, {"size": len(kinds)}, also)
    slot = slot_to_join(state, state.side_of[state.turn], row)
    _lay_on_set(referee, row, slot, kinds)


def _lay_on_set(referee: Referee, row: int, slot: int, kinds: list[int]) -> None:
    state = referee.state
    compiled = state.compiled
    wilds = sum(1 for kind in kinds if compiled.role_of[kind] == WILD_CARD)
    reason = why_not_set(state, state.side_of[state.turn], row, slot, len(kinds) - wilds, wilds)
    if reason == reasons.OK:
        reason = why_not_on_set(state, row, len(kinds) - wilds, wilds)
    is_canasta = slot != NEW and state.size_of_set(state.side_of[state.turn], slot) >= compiled.canasta_size
    also = ("MELD-4",) if is_canasta and wilds > 0 else ("MELD-5",) if slot != NEW else ()
    referee.ask_rule(reason, meld_facts(state, row, slot, len(kinds) - wilds, wilds), also)
    for kind in kinds:
        state.remove(state.turn, kind)
    lay_on_set(state, state.turn, row, slot, kinds)


def _lay_black_threes(referee: Referee, kinds: list[int]) -> None:
    state = referee.state
    slot = state.compiled.slots.first_slot(ROW_BLACK_THREES)
    if not state.black_threes_now:
        others = others_than_black_threes(state)
        # They may be laid in two moves, as long as at least three end up on the table.
        if state.stop_cards(state.turn) < SMALLEST_MELD:
            referee.ask_rule(reasons.TOO_FEW_CARDS, {"size": len(kinds)}, ("MELD-8",))
        referee.ask_rule(why_not_lay_black_threes(state), {"others": others})
        slot = NEW
    state.black_threes_now = True
    for kind in kinds:
        state.remove(state.turn, kind)
    lay_on_set(state, state.turn, ROW_BLACK_THREES, slot, kinds)


def _lay_run(referee: Referee, kinds: list[int], wilds: int) -> None:
    state = referee.state
    ordered = sorted(kinds, key=lambda kind: RANK_OF[kind])
    low = RANK_OF[ordered[0]]
    in_sequence = all(RANK_OF[kind] == low + index for index, kind in enumerate(ordered))
    if not state.compiled.runs:
        referee.ask_rule(reasons.NO_RUNS if in_sequence else reasons.MIXED_RANKS)
    if wilds > 0:
        referee.ask_rule(reasons.RUN_CARDS, None, ("MELD-1",))
    if not in_sequence:
        referee.ask_rule(reasons.RUN_HAS_GAP)
    facts: dict[str, int | str] = {"size": len(kinds), "most": state.compiled.canasta_size}
    referee.ask_rule(why_not_run(state, low, len(kinds)), facts, ("MELD-6",))
    if state.compiled.same_suit and len({kind & 3 for kind in kinds}) > 1:
        referee.ask_rule(reasons.RUN_SUITS)
    for kind in ordered:
        state.remove(state.turn, kind)
    lay_run(state, state.turn, ordered)


def add_cards(referee: Referee, move: Add) -> None:
    referee.in_phase("add", PLAY)
    state = referee.state
    index = referee.slot(move.to)
    if index == NEW:
        _refuse_unknown_meld(referee, move.to)
    if state.black_threes_now and move.to.row != ROW_BLACK_THREES:
        referee.ask_rule(reasons.BLACK_THREES_LAST)
    before_laying(state)
    state.compiled.family.add_cards(referee, move, index)
    referee.finish()


def add_to_set_or_run(referee: Referee, move: Add, index: int) -> None:
    """Add cards to a meld of a game with sets, and sequences without wild cards."""
    if move.to.row == ROW_RUN:
        _add_to_run(referee, move, index)
        return
    kinds = referee.find([move.cards])[0]
    _check_rank(referee, move.to.row, kinds)
    if move.to.row == ROW_BLACK_THREES:
        _lay_black_threes(referee, kinds)
    else:
        _lay_on_set(referee, move.to.row, index, kinds)


def _check_rank(referee: Referee, row: int, kinds: list[int]) -> None:
    """Refuse cards that are neither of the set's rank nor wild."""
    for kind in kinds:
        rank = RANK_OF[kind]
        role = referee.state.compiled.role_of[kind]
        if role == BONUS_CARD:
            bonus_threes = referee.state.compiled.bonus_threes
            referee.ask_rule(reasons.THREES_NEVER_MELDED if bonus_threes else reasons.RED_THREES)
        if rank == CALIENTE:
            referee.ask_rule(reasons.CALIENTE_NEVER_MELDED)
        if row == ROW_BLACK_THREES:
            if role != STOP_CARD:
                referee.ask_rule(reasons.BLACK_THREES_WITH_OTHERS)
        elif role == STOP_CARD:
            referee.ask_rule(reasons.BLACK_THREES_WITH_OTHERS, None, ("MELD-1",))
        elif rank != row and role != WILD_CARD:
            referee.ask_rule(reasons.MIXED_RANKS, None, ("MELD-7",) if row == ROW_WILD else ())


def _add_to_run(referee: Referee, move: Add, index: int) -> None:
    state = referee.state
    side = state.side_of[state.turn]
    cards = list(move.cards)
    while cards:
        run = state.runs[side][index]
        suit = run >> 8
        fitting = -1
        for card in cards:
            rank = rank_of(card)
            if rank >= NATURAL_RANKS:
                referee.find([(card,)])
                referee.ask_rule(reasons.RUN_CARDS)
            if rank in (run_low(run) - 1, run_low(run) + run_length(run)):
                fitting = card
                break
        if fitting < 0:
            referee.find([tuple(cards)])
            referee.ask_rule(reasons.RUN_DOES_NOT_FIT)
        cards.remove(fitting)
        card_to_lay = fitting
        if card_to_lay >= ANY and suit < 4 and state.held(state.turn, (card_to_lay - ANY) * 4 + suit) > 0:
            card_to_lay = (card_to_lay - ANY) * 4 + suit
        kind = referee.find([(card_to_lay,)])[0][0]
        reason = why_not_extend_run(state, run, RANK_OF[kind], kind & 3)
        facts: dict[str, int | str] = {
            "size": run_length(run) + 1 + len(cards),
            "most": state.compiled.canasta_size,
        }
        if reason == reasons.RUN_DOES_NOT_FIT:
            reason = reasons.RUN_SUITS
        referee.ask_rule(reason, facts)
        state.remove(state.turn, kind)
        extend_run(state, state.turn, index, kind)


def _refuse_unknown_meld(referee: Referee, name: MeldName) -> None:
    state = referee.state
    side = state.side_of[state.turn]
    if referee.is_opponents(name):
        referee.ask_rule(reasons.OPPONENTS_MELD, None, ("NOTATION",))
    rows = sorted({state.compiled.slots.row_of(slot) for slot in state.sets_of(side)})
    names = [RANK_TEXTS[row] for row in rows if row < NATURAL_RANKS]
    names += ["3"] if state.compiled.natural_threes and ROW_BLACK_THREES in rows else []
    names += ["W"] if ROW_WILD in rows else []
    names += ["run"] if state.runs[side] else []
    referee.ask_rule(reasons.NO_SUCH_MELD, {"melds": " ".join(names) if names else "none"})


# -- games with long sequences (Burraco) --------------------------------------------------------------------


def lay_long_groups(referee: Referee, groups: list[list[int]]) -> None:
    """Lay groups of cards that are in the hand."""
    for kinds in groups:
        if len(kinds) < SMALLEST_MELD and all(wild_code(kind) == 0 for kind in kinds):
            referee.ask_rule(reasons.TOO_FEW_CARDS, {"size": len(kinds)}, ("MELD-14",))
        lay_long_group(referee, kinds)


def lay_long_group(referee: Referee, kinds: list[int]) -> None:
    """Lay one group as the meld it forms: a set, or else a sequence."""
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
        _lay_on_plain_set(referee, row, slot, kinds)
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


def _lay_on_plain_set(referee: Referee, row: int, slot: int, kinds: list[int]) -> None:
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
        _add_to_long_run(referee, cards, index, end)
        return
    kinds = referee.find([cards])[0]
    row = row_named(state.compiled, to)
    for kind in kinds:
        if wild_code(kind) == 0 and state.compiled.rank_of[kind] != state.compiled.rank_of_row[row]:
            referee.ask_rule(reasons.MIXED_RANKS)
    _lay_on_plain_set(referee, row, index, kinds)


def _add_to_long_run(referee: Referee, cards: tuple[int, ...], index: int, end: int) -> None:
    state = referee.state
    before = state.runs[state.side_of[state.turn]][index]
    cards_to_lay: list[int] = []
    for card in cards:
        kind = kind_in_suit(rank_of(card) if card >= ANY else 0, run_suit(before))
        cards_to_lay.append(kind if card >= ANY and state.held(state.turn, kind) > 0 else card)
    kinds = referee.find([tuple(cards_to_lay)])[0]
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
    state.compiled.family.lay_groups(referee, found[1:])


def _also_untouchable(referee: Referee, move: Take) -> tuple[str, ...]:
    """Return further clauses broken by trying to take a pile that can't be taken at all."""
    rank = RANK_OF[referee.state.top_card()]
    if rank == CALIENTE:
        return ("CALI-6",)
    naturals = sum(1 for card in move.cards if rank_of(card) == rank)
    return _also_broken(referee, naturals) if rank < NATURAL_RANKS else ()


def _also_missing(referee: Referee) -> tuple[str, ...]:
    """Return the clauses about the pile that also apply if the named cards are not in the hand."""
    if not referee.state.opened(referee.state.side_of[referee.state.turn]):
        return ("PILE-2", "OPEN-3", "PILE-1")
    return ("PILE-8" if referee.state.frozen else "PILE-3", "PILE-1")


def _also_broken(referee: Referee, naturals: int) -> tuple[str, ...]:
    """Return further clauses broken by taking the pile with fewer than two naturals."""
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
    """Return further clauses broken by adding the top card of the pile to a meld."""
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
