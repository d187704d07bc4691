"""Trying a move as a person makes it: the rules are asked on a copy, in the order a player would."""

from canasta.engine import reasons as r
from canasta.engine.cards import (
    ANY,
    BLACK_THREE,
    CALIENTE,
    NATURAL_RANKS,
    RANK_OF,
    RED_THREE,
    is_wild,
    plural,
)
from canasta.engine.events import Event
from canasta.engine.explain import end_facts, meld_facts, pile_facts, situation
from canasta.engine.going_out import has_canastas, must_still_ask, teammates_played_feet
from canasta.engine.hand_cards import MissingCards, find_cards, rank_of
from canasta.engine.legal_steps import is_forced_to_take
from canasta.engine.melding import (
    NEW,
    SMALLEST_MELD,
    extend_run,
    lay_on_set,
    lay_run,
    slot_to_join,
    why_not_extend_run,
    why_not_run,
    why_not_set,
)
from canasta.engine.moves import (
    ROW_BLACK_THREES,
    ROW_RUN,
    ROW_WILD,
    Add,
    Answer,
    Ask,
    Discard,
    Draw,
    Keep,
    LayBonus,
    Meld,
    MeldName,
    Move,
    Pass,
    PlayCaliente,
    PutBack,
    Take,
    defect_of,
)
from canasta.engine.pile import (
    why_not_onto,
    why_not_take_onto_run,
    why_not_take_onto_set,
    why_not_take_with,
    why_not_touch_pile,
)
from canasta.engine.refusals import Refusal, RefusedMove, refuse
from canasta.engine.state import ANSWER, DRAW, NOT_A_CANASTA, OVER, PLAY, HandState, run_length, run_low
from canasta.engine.turn_end import why_not_end
from canasta.engine.turn_rules import (
    why_not_ask,
    why_not_caliente,
    why_not_discard,
    why_not_keep,
    why_not_lay_black_threes,
    why_not_lay_bonus,
    why_not_put_back,
)
from canasta.engine.turns import (
    after_laying,
    answer,
    ask,
    before_laying,
    discard,
    draw,
    keep,
    lay_bonus,
    pass_turn,
    play_caliente,
    put_back,
    take_onto_run,
    take_onto_set,
    take_with,
)


def try_move(state: HandState, move: Move, *, partial: bool = False) -> HandState:
    """The state after a move, its events in `log`; raises `RefusedMove` and never changes the given state.

    `partial` lets a first meld stop short of its minimum as long as the minimum can still be reached, which
    is how a small step is judged.
    """
    trial = state.copy()
    log: list[Event] = []
    trial.log = log
    _Attempt(trial, partial).make(move)
    return trial


class _Attempt:
    def __init__(self, state: HandState, partial: bool) -> None:
        self.state: HandState = state
        self.partial: bool = partial

    def make(self, move: Move) -> None:
        if self.state.phase == OVER:
            also = () if self.state.out >= 0 else ("END-1", "END-3", "END-4", "END-5")
            raise RefusedMove(refuse(r.HAND_IS_OVER, None, also))
        defect = defect_of(move)
        if defect:
            self._ask_rule(r.NOT_A_MOVE, {"defect": defect})
        if isinstance(move, Draw):
            self._draw()
        elif isinstance(move, Take):
            self._take(move)
        elif isinstance(move, Meld):
            self._meld(move)
        elif isinstance(move, Add):
            self._add(move)
        elif isinstance(move, Discard):
            self._discard(move)
        elif isinstance(move, Keep):
            self._in_phase("keep the last card", PLAY, also=("DISC-5",))
            self._ask_rule(why_not_keep(self.state), {"size": self.state.size[self.state.turn]})
            keep(self.state)
        elif isinstance(move, Pass):
            self._pass()
        elif isinstance(move, PlayCaliente):
            self._caliente()
        elif isinstance(move, LayBonus):
            self._lay_bonus(move)
        elif isinstance(move, Ask):
            self._in_phase("ask your partner", DRAW, PLAY)
            self._ask_rule(why_not_ask(self.state))
            ask(self.state)
        elif isinstance(move, Answer):
            if self.state.phase != ANSWER:
                facts = situation(self.state, asking=True)
                self._ask_rule(r.NOT_IN_THIS_PHASE, {"move": "answer", **facts}, ("OUT-3",))
            answer(self.state, move.yes)
        elif isinstance(move, PutBack):
            self._in_phase("put the pile back", PLAY, also=("PILE-12",))
            self._ask_rule(why_not_put_back(self.state))
            put_back(self.state)
        else:
            raise RefusedMove(refuse(r.NOTHING_TO_UNDO))

    def _ask_rule(
        self, reason: int, facts: dict[str, int | str] | None = None, also: tuple[str, ...] = ()
    ) -> None:
        if reason != r.OK:
            raise RefusedMove(refuse(reason, facts, also))

    def _in_phase(self, what: str, *phases: int, also: tuple[str, ...] = ()) -> None:
        if self.state.phase not in phases:
            if self.state.phase == ANSWER:
                also = (*also, "OUT-3")
            raise RefusedMove(refuse(r.NOT_IN_THIS_PHASE, {"move": what, **situation(self.state)}, also))

    def _find(self, groups: list[tuple[int, ...]], also: tuple[str, ...] = ()) -> list[list[int]]:
        try:
            return find_cards(self.state, groups)
        except MissingCards as missing:
            raise RefusedMove(refuse(r.NOT_IN_HAND, {"cards": str(missing)}, also)) from None

    def _slot(self, name: MeldName) -> int:
        """The slot (or the index of the run) that a name means; `NEW` when the side has no such meld."""
        state = self.state
        side = state.side_of[state.turn]
        if name.row == ROW_RUN:
            return name.number - 1 if 1 <= name.number <= len(state.runs[side]) else NEW
        if not 1 <= name.number <= state.tables.slots:
            return NEW
        slot = name.row * state.tables.slots + name.number - 1
        return slot if state.set_size(side, slot) > 0 else NEW

    # -- drawing ------------------------------------------------------------------------------------------

    def _draw(self) -> None:
        self._in_phase("draw", DRAW, also=("CALI-1",) if self.state.caliente_now else ())
        if self.state.at == len(self.state.deck):
            raise RefusedMove(refuse(r.STOCK_IS_OUT))
        draw(self.state)

    def _pass(self) -> None:
        state = self.state
        if state.phase == PLAY and state.no_discard:
            if state.is_opening():
                self._refuse_opening()
        else:
            self._in_phase("pass", DRAW)
            if state.at < len(state.deck):
                self._ask_rule(r.STOCK_IS_NOT_OUT, {"stock": state.stock_size()})
            if is_forced_to_take(state):
                reason = r.MUST_TAKE_TOP_CARD if state.tables.top_card_alone else r.MUST_TAKE
                self._ask_rule(reason, pile_facts(state, 0))
        pass_turn(state)

    def _caliente(self) -> None:
        state = self.state
        if state.phase == PLAY and state.caliente_now:
            self._ask_rule(r.SECOND_CALIENTE)
        self._in_phase("play a Caliente card", DRAW, also=("CALI-1",))
        side = state.side_of[state.turn]
        melds = [len(state.sets[s]) + len(state.runs[s]) for s in range(state.sides)]
        theirs = min(melds[s] for s in range(state.sides) if s != side)
        self._ask_rule(why_not_caliente(state), {"have": melds[side], "theirs": theirs})
        play_caliente(state)

    def _lay_bonus(self, move: LayBonus) -> None:
        self._in_phase("lay out a red three", DRAW, PLAY)
        self._ask_rule(why_not_lay_bonus(self.state))
        kind = self._find([(move.card,)])[0][0]
        if RANK_OF[kind] != RED_THREE:
            self._ask_rule(r.NO_RED_THREE)
        lay_bonus(self.state, kind)

    # -- taking the pile ----------------------------------------------------------------------------------

    def _take(self, move: Take) -> None:
        state = self.state
        self._in_phase("take the pile", DRAW)
        reason = why_not_touch_pile(state)
        if reason == r.PILE_IS_EMPTY:
            self._ask_rule(reason)
        self._ask_rule(reason, pile_facts(state, 0), self._also_untouchable(move))
        if move.onto is None:
            self._take_with(move)
        else:
            self._take_onto(move.onto)
            self._lay_groups(list(move.melds))
        self._finish(also=("PILE-2", "OPEN-3"))

    def _take_with(self, move: Take) -> None:
        state = self.state
        rank = RANK_OF[state.pile[-1]]
        missing: RefusedMove | None = None
        groups = [move.cards, *move.melds]
        found: list[list[int]] = []
        try:
            found = self._find(groups, self._also_missing())
        except RefusedMove as refused:
            missing = refused
        ranks = [rank_of(card) for card in move.cards]
        if any(other != rank and not is_wild(other) for other in ranks):
            self._ask_rule(r.NOT_ITS_RANK, pile_facts(state, 0), ("PILE-7",) if state.tables.runs else ())
        if missing is not None:
            raise missing
        naturals = ranks.count(rank)
        wilds = len(ranks) - naturals
        reason = why_not_take_with(state, naturals, wilds)
        if reason != r.OK:
            facts = pile_facts(state, naturals)
            slot = slot_to_join(state, state.side_of[state.turn], rank)
            facts.update(meld_facts(state, rank, slot, naturals + 1, wilds))
            self._ask_rule(reason, facts, self._also_broken(naturals))
        take_with(state, found[0])
        self._lay_found(found[1:])

    def _also_untouchable(self, move: Take) -> tuple[str, ...]:
        """What a take of an untouchable pile breaks besides."""
        rank = RANK_OF[self.state.pile[-1]]
        if rank == CALIENTE:
            return ("CALI-6",)
        naturals = sum(1 for card in move.cards if rank_of(card) == rank)
        return self._also_broken(naturals) if rank < NATURAL_RANKS else ()

    def _also_missing(self) -> tuple[str, ...]:
        """The rules of the pile that cards missing from the hand offend."""
        if not self.state.opened[self.state.side_of[self.state.turn]]:
            return ("PILE-2", "OPEN-3", "PILE-1")
        return ("PILE-8" if self.state.frozen else "PILE-3", "PILE-1")

    def _also_broken(self, naturals: int) -> tuple[str, ...]:
        """Every rule of the pile that an offer with fewer than two naturals breaks at the same time."""
        state = self.state
        if naturals >= 2:
            return ()
        broken: list[str] = []
        if state.frozen and not state.tables.always_frozen:
            broken.append("PILE-8")
        if not state.opened[state.side_of[state.turn]]:
            broken.append("PILE-2")
        if not state.tables.natural_and_wild:
            broken.append("PILE-4")
        return tuple(broken)

    def _take_onto(self, name: MeldName) -> None:
        state = self.state
        facts = pile_facts(state, 0)
        top_rank = RANK_OF[state.pile[-1]]
        index = self._slot(name)
        self._ask_rule(why_not_onto(state, 0), facts, self._also_broken_onto(name, index))
        if index == NEW or (name.row != ROW_RUN and name.row != top_rank):
            also = ("PILE-1", "MELD-9") if self._is_opponents(name) else ("PILE-1",)
            self._ask_rule(r.NO_MELD_OF_RANK, facts, also)
        if name.row == ROW_RUN:
            run = state.runs[state.side_of[state.turn]][index]
            facts.update({"size": run_length(run) + 1, "most": state.tables.canasta_size})
            self._ask_rule(why_not_take_onto_run(state, run), facts, ("PILE-7",))
            take_onto_run(state, index)
        else:
            facts.update(meld_facts(state, name.row, index, 1, 0))
            facts["size"] = state.set_size(state.side_of[state.turn], index)
            self._ask_rule(why_not_take_onto_set(state, index), facts)
            take_onto_set(state, index)

    def _also_broken_onto(self, name: MeldName, index: int) -> tuple[str, ...]:
        """Every rule of the pile that adding its top card to a meld breaks at the same time."""
        state = self.state
        side = state.side_of[state.turn]
        broken = ["PILE-5"]
        if state.frozen and not state.tables.always_frozen:
            broken.append("PILE-8")
        if not state.opened[side]:
            broken.append("PILE-2")
        if name.row == ROW_RUN:
            if not state.tables.add_to_run:
                broken.append("PILE-7")
        elif index != NEW and state.set_size(side, index) >= state.tables.canasta_size:
            if not state.tables.add_to_canasta:
                broken.append("PILE-6")
        return tuple(broken)

    # -- melding ------------------------------------------------------------------------------------------

    def _meld(self, move: Meld) -> None:
        self._in_phase("meld", PLAY)
        before_laying(self.state)
        self._lay_groups(list(move.melds))
        self._finish()

    def _lay_groups(self, groups: list[tuple[int, ...]]) -> None:
        if groups:
            self._lay_found(self._find(groups))

    def _lay_found(self, groups: list[list[int]]) -> None:
        """Lay groups of cards that are in the hand; black threes after all others."""
        last = [kinds for kinds in groups if any(RANK_OF[kind] == BLACK_THREE for kind in kinds)]
        for kinds in groups:
            if kinds not in last:
                self._lay_group(kinds)
        for kinds in last:
            self._lay_group(kinds)

    def _lay_group(self, kinds: list[int]) -> None:
        """Lay one group as the meld that it is: black threes, wilds, a set or a run."""
        state = self.state
        ranks = [RANK_OF[kind] for kind in kinds]
        naturals = sorted({rank for rank in ranks if rank < NATURAL_RANKS})
        wilds = sum(1 for rank in ranks if is_wild(rank))
        if RED_THREE in ranks:
            self._ask_rule(r.RED_THREES)
        if CALIENTE in ranks:
            self._ask_rule(r.CALIENTE_NEVER_MELDED)
        if BLACK_THREE in ranks:
            if ranks.count(BLACK_THREE) < len(ranks):
                self._ask_rule(r.BLACK_THREES_WITH_OTHERS, None, ("MELD-6",) if state.tables.runs else ())
            self._lay_black_threes(kinds)
            return
        if state.black_threes_now:
            self._ask_rule(r.BLACK_THREES_LAST)
        if len(naturals) > 1:
            self._lay_run(kinds, wilds)
            return
        row = naturals[0] if naturals else ROW_WILD
        if len(kinds) < SMALLEST_MELD:
            also = ("MELD-7",) if row == ROW_WILD else ()
            self._ask_rule(r.TOO_FEW_CARDS, {"size": len(kinds)}, also)
        slot = slot_to_join(state, state.side_of[state.turn], row)
        self._lay_on_set(row, slot, kinds)

    def _lay_on_set(self, row: int, slot: int, kinds: list[int]) -> None:
        state = self.state
        tables = state.tables
        wilds = sum(1 for kind in kinds if is_wild(RANK_OF[kind]))
        reason = why_not_set(state, state.side_of[state.turn], row, slot, len(kinds) - wilds, wilds)
        is_canasta = slot != NEW and state.set_size(state.side_of[state.turn], slot) >= tables.canasta_size
        also = ("MELD-4",) if is_canasta and wilds > 0 else ("MELD-5",) if slot != NEW else ()
        self._ask_rule(reason, meld_facts(state, row, slot, len(kinds) - wilds, wilds), also)
        for kind in kinds:
            state.remove(state.turn, kind)
        lay_on_set(state, state.turn, row, slot, kinds)

    def _lay_black_threes(self, kinds: list[int]) -> None:
        state = self.state
        seat = state.turn
        slot = ROW_BLACK_THREES * state.tables.slots
        if not state.black_threes_now:
            others = state.size[seat] - state.counts[seat][BLACK_THREE]
            if len(kinds) < SMALLEST_MELD:
                self._ask_rule(r.TOO_FEW_CARDS, {"size": len(kinds)}, ("MELD-8",))
            self._ask_rule(why_not_lay_black_threes(state), {"others": others})
            slot = NEW
        state.black_threes_now = True
        self._lay_on_set(ROW_BLACK_THREES, slot, kinds)

    def _lay_run(self, kinds: list[int], wilds: int) -> None:
        state = self.state
        ordered = sorted(kinds, key=lambda kind: RANK_OF[kind])
        low = RANK_OF[ordered[0]]
        in_sequence = all(RANK_OF[kind] == low + index for index, kind in enumerate(ordered))
        if not state.tables.runs:
            self._ask_rule(r.NO_RUNS if in_sequence else r.MIXED_RANKS)
        if wilds > 0:
            self._ask_rule(r.RUN_CARDS, None, ("MELD-1",))
        if not in_sequence:
            self._ask_rule(r.RUN_HAS_GAP)
        facts: dict[str, int | str] = {"size": len(kinds), "most": state.tables.canasta_size}
        self._ask_rule(why_not_run(state, low, len(kinds)), facts, ("MELD-6",))
        if state.tables.same_suit and len({kind & 3 for kind in kinds}) > 1:
            self._ask_rule(r.RUN_SUITS)
        for kind in ordered:
            state.remove(state.turn, kind)
        lay_run(state, state.turn, ordered)

    def _add(self, move: Add) -> None:
        self._in_phase("add to a meld", PLAY)
        state = self.state
        index = self._slot(move.to)
        if index == NEW:
            self._refuse_unknown_meld(move.to)
        if state.black_threes_now and move.to.row != ROW_BLACK_THREES:
            self._ask_rule(r.BLACK_THREES_LAST)
        before_laying(state)
        if move.to.row == ROW_RUN:
            self._add_to_run(move, index)
        else:
            kinds = self._find([move.cards])[0]
            self._check_rank(move.to.row, kinds)
            if move.to.row == ROW_BLACK_THREES:
                self._lay_black_threes(kinds)
            else:
                self._lay_on_set(move.to.row, index, kinds)
        self._finish()

    def _check_rank(self, row: int, kinds: list[int]) -> None:
        """Cards added to a set are of its rank, or wild."""
        for kind in kinds:
            rank = RANK_OF[kind]
            if rank == RED_THREE:
                self._ask_rule(r.RED_THREES)
            if rank == CALIENTE:
                self._ask_rule(r.CALIENTE_NEVER_MELDED)
            if row == ROW_BLACK_THREES:
                if rank != BLACK_THREE:
                    self._ask_rule(r.BLACK_THREES_WITH_OTHERS)
            elif rank == BLACK_THREE:
                self._ask_rule(r.BLACK_THREES_WITH_OTHERS, None, ("MELD-1",))
            elif rank != row and not is_wild(rank):
                self._ask_rule(r.MIXED_RANKS, None, ("MELD-7",) if row == ROW_WILD else ())

    def _add_to_run(self, move: Add, index: int) -> None:
        state = self.state
        side = state.side_of[state.turn]
        cards = list(move.cards)
        while cards:
            run = state.runs[side][index]
            suit = run >> 8
            fitting = -1
            for card in cards:
                rank = rank_of(card)
                if rank >= NATURAL_RANKS:
                    self._find([(card,)])
                    self._ask_rule(r.RUN_CARDS)
                if rank in (run_low(run) - 1, run_low(run) + run_length(run)):
                    fitting = card
                    break
            if fitting < 0:
                self._find([tuple(cards)])
                self._ask_rule(r.RUN_DOES_NOT_FIT)
            cards.remove(fitting)
            wanted = fitting
            if wanted >= ANY and suit < 4 and state.cards[state.turn][(wanted - ANY) * 4 + suit] > 0:
                wanted = (wanted - ANY) * 4 + suit
            kind = self._find([(wanted,)])[0][0]
            reason = why_not_extend_run(state, run, RANK_OF[kind], kind & 3)
            facts: dict[str, int | str] = {
                "size": run_length(run) + 1 + len(cards),
                "most": state.tables.canasta_size,
            }
            if reason == r.RUN_DOES_NOT_FIT:
                reason = r.RUN_SUITS
            self._ask_rule(reason, facts)
            state.remove(state.turn, kind)
            extend_run(state, state.turn, index, kind)

    def _refuse_unknown_meld(self, name: MeldName) -> None:
        state = self.state
        side = state.side_of[state.turn]
        if self._is_opponents(name):
            self._ask_rule(r.OPPONENTS_MELD, None, ("NOTATION",))
        rows = [slot // state.tables.slots for slot in state.sets[side]]
        names = [plural(row) for row in rows if row < NATURAL_RANKS]
        self._ask_rule(r.NO_SUCH_MELD, {"melds": ", ".join(names) if names else "none yet"})

    def _is_opponents(self, name: MeldName) -> bool:
        """Another side has a meld of this name."""
        state = self.state
        for other in range(state.sides):
            if other == state.side_of[state.turn]:
                continue
            if name.row == ROW_RUN:
                if len(state.runs[other]) >= name.number:
                    return True
            elif state.set_size(other, name.row * state.tables.slots) > 0:
                return True
        return False

    # -- the end of a move --------------------------------------------------------------------------------

    def _finish(self, also: tuple[str, ...] = ()) -> None:
        """What follows by itself; then the first meld must be good and the turn must have an end."""
        state = self.state
        after_laying(state)
        if state.phase == PLAY and state.stuck == r.OK and state.is_opening() and not self.partial:
            self._refuse_opening(also)
        reason = why_not_end(state)
        if reason == r.BELOW_MINIMUM:
            self._refuse_opening(also)
        self._ask_rule(reason, end_facts(state), self._also_at_the_end())

    def _also_at_the_end(self) -> tuple[str, ...]:
        """Everything that keeps this player from going out, beside what is named first."""
        state = self.state
        seat = state.turn
        also: list[str] = []
        if state.black_threes_now:
            also.append("MELD-8")
        if state.tables.keep_last_card:
            also.append("DISC-5")
        if not has_canastas(state, state.side_of[seat], NOT_A_CANASTA, NOT_A_CANASTA):
            also.append("OUT-1")
        if must_still_ask(state, seat):
            also.append("OUT-3")
        if not teammates_played_feet(state, seat):
            also.append("OUT-5")
        return tuple(also)

    def _refuse_opening(self, also: tuple[str, ...] = ()) -> None:
        """The minimum is missed; a canasta or an empty hand would do in other games."""
        state = self.state
        tables = state.tables
        beside = list(also)
        if sum(state.canastas[state.side_of[state.turn]]) > 0:
            beside += [] if tables.canasta_suffices else ["OPEN-4"]
            beside += [] if tables.canasta_bonus_counts else ["OPEN-6"]
        if state.size[state.turn] <= 1 or tables.concealed_suffices:
            beside.append("OPEN-5")
        self._ask_rule(r.BELOW_MINIMUM, end_facts(state), tuple(beside))

    def _discard(self, move: Discard) -> None:
        state = self.state
        self._in_phase("discard", PLAY)
        kind = self._find([(move.card,)], ("DISC-1",) if rank_of(move.card) == RED_THREE else ())[0][0]
        reason = why_not_discard(state, RANK_OF[kind])
        also = self._also_at_the_end() if state.size[state.turn] == 1 else ()
        self._ask_rule(reason, end_facts(state), also)
        discard(state, kind)


def why_not(state: HandState, move: Move, *, partial: bool = False) -> Refusal | None:
    """The refusal that a move would meet; None when it is allowed."""
    try:
        try_move(state, move, partial=partial)
    except RefusedMove as refused:
        return refused.refusal
    return None
