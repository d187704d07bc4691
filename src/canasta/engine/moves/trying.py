"""Trying a move as a person makes it: the rules are asked on a copy, in the order a player would."""

from dataclasses import replace

from canasta.engine.cards import (
    CALIENTE,
    NATURAL_RANKS,
    RANK_OF,
    RED_THREE,
    is_wild,
)
from canasta.engine.events import Event
from canasta.engine.law import why_not as r
from canasta.engine.law.asking import why_not_ask
from canasta.engine.law.discarding import why_not_discard, why_not_keep
from canasta.engine.law.melding import (
    slot_to_join,
)
from canasta.engine.law.pile import (
    why_not_by,
    why_not_put_back,
    why_not_take_onto_run,
    why_not_take_onto_set,
    why_not_take_with,
    why_not_touch_pile,
)
from canasta.engine.law.special_cards import why_not_caliente, why_not_lay_bonus
from canasta.engine.law.taking import ONTO_ANY
from canasta.engine.meld_names import NEW, ROW_RUN, MeldName
from canasta.engine.moves.attempt_meld import MeldAttempt
from canasta.engine.moves.facts import end_facts, meld_facts, pile_facts, situation
from canasta.engine.moves.find_cards import rank_of
from canasta.engine.moves.refusals import Facts, Refusal, RefusedMove, refuse
from canasta.engine.moves.types import (
    Add,
    Answer,
    Ask,
    Discard,
    Draw,
    Keep,
    LayBonus,
    Meld,
    Move,
    Pass,
    PlayCaliente,
    PutBack,
    Take,
    defect_of,
)
from canasta.engine.play.turns import (
    answer,
    ask,
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
from canasta.engine.state import ANSWER, DRAW, OVER, PLAY, HandState, run_length
from canasta.engine.steps.legal import is_forced_to_take


def try_move(state: HandState, move: Move, *, partial: bool = False) -> HandState:
    """The state after a move, its events in `log`; raises `RefusedMove` and never changes the given state.

    `partial` lets a first meld stop short of its minimum as long as the minimum can still be reached, which
    is how a small step is judged.
    """
    trial = state.copy()
    log: list[Event] = []
    trial.log = log
    try:
        _MoveAttempt(trial, partial).make(move)
    except RefusedMove as refused:
        if not state.prepared.rules.deck.caliente_names:
            raise
        raise RefusedMove(replace(refused.refusal, caliente_names=True)) from None
    return trial


class _MoveAttempt(MeldAttempt):
    def make(self, move: Move) -> None:
        if self.state.phase == OVER:
            also = () if self.state.out >= 0 else ("END-1", "END-3", "END-4", "END-5")
            raise RefusedMove(refuse(r.HAND_IS_OVER, None, also))
        defect = defect_of(move)
        if defect:
            self.ask_rule(r.NOT_A_MOVE, {"defect": defect})
        if isinstance(move, Draw):
            self._draw()
        elif isinstance(move, Take):
            self._take(move)
        elif isinstance(move, Meld):
            self.meld(move)
        elif isinstance(move, Add):
            self.add(move)
        elif isinstance(move, Discard):
            self._discard(move)
        elif isinstance(move, Keep):
            self.in_phase("keep", PLAY, also=("DISC-5",))
            self.ask_rule(
                why_not_keep(self.state), {"size": self.state.size[self.state.turn], **end_facts(self.state)}
            )
            keep(self.state)
        elif isinstance(move, Pass):
            self._pass()
        elif isinstance(move, PlayCaliente):
            self._caliente()
        elif isinstance(move, LayBonus):
            self._lay_bonus(move)
        elif isinstance(move, Ask):
            self.in_phase("ask", DRAW, PLAY)
            self.ask_rule(why_not_ask(self.state))
            ask(self.state)
        elif isinstance(move, Answer):
            if self.state.phase != ANSWER:
                facts: Facts = {"move": "answer", "situation": situation(self.state, asking=True)}
                self.ask_rule(r.NOT_IN_THIS_PHASE, facts, ("OUT-3",))
            answer(self.state, move.yes)
        elif isinstance(move, PutBack):
            self.in_phase("putback", PLAY, also=("PILE-12",))
            self.ask_rule(why_not_put_back(self.state))
            put_back(self.state)
        else:
            raise RefusedMove(refuse(r.NOTHING_TO_UNDO))

    # -- drawing ------------------------------------------------------------------------------------------

    def _draw(self) -> None:
        self.in_phase("draw", DRAW, also=("CALI-1",) if self.state.caliente_now else ())
        if self.state.at == len(self.state.deck):
            raise RefusedMove(refuse(r.STOCK_IS_OUT))
        draw(self.state)

    def _pass(self) -> None:
        state = self.state
        if state.phase == PLAY and state.no_discard:
            if state.is_opening():
                self.refuse_opening()
        else:
            self.in_phase("pass", DRAW)
            if state.at < len(state.deck):
                self.ask_rule(r.STOCK_IS_NOT_OUT, {"stock": state.stock_size()})
            if is_forced_to_take(state):
                reason = r.MUST_TAKE_TOP_CARD if state.prepared.top_card_alone else r.MUST_TAKE
                self.ask_rule(reason, pile_facts(state, 0))
        pass_turn(state)

    def _caliente(self) -> None:
        state = self.state
        if state.phase == PLAY and state.caliente_now:
            self.ask_rule(r.SECOND_CALIENTE)
        self.in_phase("caliente", DRAW, also=("CALI-1",))
        side = state.side_of[state.turn]
        melds = [len(state.sets[s]) + len(state.runs[s]) for s in range(state.sides)]
        theirs = min(melds[s] for s in range(state.sides) if s != side)
        self.ask_rule(why_not_caliente(state), {"have": melds[side], "theirs": theirs})
        play_caliente(state)

    def _lay_bonus(self, move: LayBonus) -> None:
        self.in_phase("lay", DRAW, PLAY)
        self.ask_rule(why_not_lay_bonus(self.state), end_facts(self.state))
        kind = self.find([(move.card,)])[0][0]
        if RANK_OF[kind] != RED_THREE:
            self.ask_rule(r.NO_RED_THREE)
        lay_bonus(self.state, kind)

    # -- taking the pile ----------------------------------------------------------------------------------

    def _take(self, move: Take) -> None:
        state = self.state
        self.in_phase("take", DRAW)
        reason = why_not_touch_pile(state)
        if reason == r.PILE_IS_EMPTY:
            self.ask_rule(reason)
        self.ask_rule(reason, pile_facts(state, 0), self._also_untouchable(move))
        if move.onto is None:
            self._take_with(move)
        else:
            self._take_onto(move.onto)
            self.lay_groups(list(move.melds))
        self.finish(also=("PILE-2", "OPEN-3"))

    def _take_with(self, move: Take) -> None:
        state = self.state
        rank = RANK_OF[state.pile[-1]]
        missing: RefusedMove | None = None
        groups = [move.cards, *move.melds]
        found: list[list[int]] = []
        try:
            found = self.find(groups, self._also_missing())
        except RefusedMove as refused:
            missing = refused
        ranks = [rank_of(card) for card in move.cards]
        if any(other != rank and not is_wild(other) for other in ranks):
            self.ask_rule(r.NOT_ITS_RANK, pile_facts(state, 0), ("PILE-7",) if state.prepared.runs else ())
        if missing is not None:
            raise missing
        naturals = ranks.count(rank)
        wilds = len(ranks) - naturals
        reason = why_not_take_with(state, naturals, wilds)
        if reason != r.OK:
            facts = pile_facts(state, naturals)
            slot = slot_to_join(state, state.side_of[state.turn], rank)
            for name, fact in meld_facts(state, rank, slot, naturals + 1, wilds).items():
                facts.setdefault(name, fact)
            self.ask_rule(reason, facts, self._also_broken(naturals))
        take_with(state, found[0])
        self.lay_found(found[1:])

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
        if state.frozen and not state.prepared.always_frozen:
            broken.append("PILE-8")
        if not state.opened[state.side_of[state.turn]]:
            broken.append("PILE-2")
        if not state.prepared.natural_and_wild:
            broken.append("PILE-4")
        return tuple(broken)

    def _take_onto(self, name: MeldName) -> None:
        state = self.state
        facts = pile_facts(state, 0)
        top_rank = RANK_OF[state.pile[-1]]
        index = self.slot(name)
        self.ask_rule(why_not_by(state, ONTO_ANY), facts, self._also_broken_onto(name, index))
        if index == NEW or (name.row != ROW_RUN and name.row != top_rank):
            also = ("PILE-1", "MELD-9") if self.is_opponents(name) else ("PILE-1",)
            self.ask_rule(r.NO_MELD_OF_RANK, facts, also)
        if name.row == ROW_RUN:
            run = state.runs[state.side_of[state.turn]][index]
            facts.update({"size": run_length(run) + 1, "most": state.prepared.canasta_size})
            self.ask_rule(why_not_take_onto_run(state, run), facts, ("PILE-7",))
            take_onto_run(state, index)
        else:
            facts.update(meld_facts(state, name.row, index, 1, 0))
            facts["size"] = state.set_size(state.side_of[state.turn], index)
            self.ask_rule(why_not_take_onto_set(state, index), facts)
            take_onto_set(state, index)

    def _also_broken_onto(self, name: MeldName, index: int) -> tuple[str, ...]:
        """Every rule of the pile that adding its top card to a meld breaks at the same time."""
        state = self.state
        side = state.side_of[state.turn]
        broken = ["PILE-5"]
        if state.frozen and not state.prepared.always_frozen:
            broken.append("PILE-8")
        if not state.opened[side]:
            broken.append("PILE-2")
        if name.row == ROW_RUN:
            if not state.prepared.add_to_run:
                broken.append("PILE-7")
        elif index != NEW and state.set_size(side, index) >= state.prepared.canasta_size:
            if not state.prepared.add_to_canasta:
                broken.append("PILE-6")
        return tuple(broken)

    def _discard(self, move: Discard) -> None:
        state = self.state
        self.in_phase("discard", PLAY)
        kind = self.find([(move.card,)], ("DISC-1",) if rank_of(move.card) == RED_THREE else ())[0][0]
        reason = why_not_discard(state, RANK_OF[kind])
        also = self.also_at_the_end() if state.size[state.turn] == 1 else ()
        self.ask_rule(reason, end_facts(state), also)
        discard(state, kind)


def why_not(state: HandState, move: Move, *, partial: bool = False) -> Refusal | None:
    """The refusal that a move would meet; None when it is allowed."""
    try:
        try_move(state, move, partial=partial)
    except RefusedMove as refused:
        return refused.refusal
    return None
