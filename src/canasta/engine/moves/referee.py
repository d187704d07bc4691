"""The referee of a move being applied: it checks the rules and finds the cards and melds that are meant."""

from canasta.engine.cards import ANY, THREES, card_text
from canasta.engine.cards_in_play import NOT_A_CANASTA
from canasta.engine.compiled_rules import CompiledRules
from canasta.engine.feasibility.contract import why_not_contract
from canasta.engine.feasibility.turn_end import why_not_end
from canasta.engine.law import reasons
from canasta.engine.law.going_out import has_canastas, must_still_ask, teammates_played_feet
from canasta.engine.melds import NEW, NO_ROW, ROW_RUN, MeldName
from canasta.engine.moves.find_cards import MissingCards, find_cards
from canasta.engine.moves.refusals import Facts, RefusedMove, end_facts, refuse, situation
from canasta.engine.play.turns import (
    after_laying,
)
from canasta.engine.state import ANSWER, PLAY, HandState


def row_named(compiled: CompiledRules, name: MeldName) -> int:
    """Return the row of the sets with this name, or `NO_ROW` if this game has none."""
    return compiled.name_of_row.index(name.row) if name.row in compiled.name_of_row else NO_ROW


class Referee:
    """A move being applied to a copy of the state. A broken rule raises `RefusedMove`."""

    def __init__(self, state: HandState, partial: bool) -> None:
        self.state: HandState = state
        self.partial: bool = partial

    def ask_rule(
        self,
        reason: int,
        facts: Facts | None = None,
        also: tuple[str, ...] = (),
        *,
        first: tuple[str, ...] = (),
    ) -> None:
        if reason != reasons.OK:
            raise RefusedMove(refuse(reason, facts, also, first=first))

    def in_phase(self, what: str, *phases: int, also: tuple[str, ...] = ()) -> None:
        if self.state.phase not in phases:
            if self.state.phase == ANSWER:
                also = (*also, "OUT-3")
            raise RefusedMove(
                refuse(reasons.NOT_IN_THIS_PHASE, {"move": what, "situation": situation(self.state)}, also)
            )

    def find(self, groups: list[tuple[int, ...]], also: tuple[str, ...] = ()) -> list[list[int]]:
        if not self.state.compiled.natural_threes and any(ANY + THREES in group for group in groups):
            raise RefusedMove(refuse(reasons.WHICH_THREE))
        try:
            return find_cards(self.state, groups)
        except MissingCards as missing:
            facts: Facts = {"cards": missing.text}
            if missing.held == 0:
                raise RefusedMove(refuse(reasons.NOT_IN_HAND, facts, also)) from None
            facts["held"] = missing.held
            raise RefusedMove(refuse(reasons.TOO_FEW_IN_HAND, facts, also)) from None

    def slot(self, name: MeldName) -> int:
        """Return the slot (or the index of the run) that a name means; `NEW` if the side has no such meld."""
        state = self.state
        side = state.side_of[state.turn]
        if name.row == ROW_RUN:
            return name.number - 1 if 1 <= name.number <= len(state.runs[side]) else NEW
        row = row_named(state.compiled, name)
        if row < 0 or not 1 <= name.number <= state.compiled.slots.per_row:
            return NEW
        slot = state.compiled.slots.slot_of(row, name.number)
        return slot if state.size_of_set(side, slot) > 0 else NEW

    def is_opponents(self, name: MeldName) -> bool:
        """Return whether another side has a meld with this name."""
        state = self.state
        for other in range(state.sides):
            if other == state.side_of[state.turn]:
                continue
            if name.row == ROW_RUN:
                if len(state.runs[other]) >= name.number:
                    return True
            elif row_named(state.compiled, name) >= 0:
                row = row_named(state.compiled, name)
                if state.size_of_set(other, state.compiled.slots.first_slot(row)) > 0:
                    return True
        return False

    # -- the end of a move --------------------------------------------------------------------------------

    def finish(self, also: tuple[str, ...] = ()) -> None:
        """Apply the automatic consequences, then require a valid first meld and a way to end the turn."""
        state = self.state
        after_laying(state)
        if state.phase == PLAY and state.stuck == reasons.OK and state.is_opening() and not self.partial:
            self.refuse_opening(also)
        if state.top_due and self.partial:
            return
        if state.top_due:
            self.ask_rule(reasons.TOP_CARD_FIRST, {"card": card_text(state.taken_top)})
        reason = why_not_end(state)
        if reason in (reasons.BELOW_MINIMUM, reasons.NO_PURE_MELD, reasons.NOT_FROM_THE_HAND):
            self.refuse_opening(also)
        self.ask_rule(reason, end_facts(state), self.also_at_the_end())

    def also_at_the_end(self) -> tuple[str, ...]:
        """Return the clauses, besides the one named first, that keep this player from going out."""
        state = self.state
        seat = state.turn
        also: list[str] = []
        if state.black_threes_now:
            also.append("MELD-8")
        if state.compiled.keep_last_card:
            also.append("DISC-5")
        if not has_canastas(state, state.side_of[seat], NOT_A_CANASTA, NOT_A_CANASTA):
            also.append("OUT-1")
        if must_still_ask(state, seat):
            also.append("OUT-3")
        if not teammates_played_feet(state, seat):
            also.append("OUT-5")
        return tuple(also)

    def refuse_opening(self, also: tuple[str, ...] = ()) -> None:
        """Refuse a first meld below the minimum, naming the alternatives (a
        canasta, an empty hand) other games have."""
        state = self.state
        compiled = state.compiled
        beside = list(also)
        if sum(state.canasta_counts(state.side_of[state.turn])) > 0:
            beside += [] if compiled.canasta_suffices else ["OPEN-4"]
            beside += [] if compiled.canasta_bonus_counts or compiled.from_hand else ["OPEN-6"]
        if state.size(state.turn) <= 1 or compiled.concealed_suffices:
            beside.append("OPEN-5")
        if not compiled.american:
            self.ask_rule(reasons.BELOW_MINIMUM, end_facts(state), tuple(beside))
        reason = why_not_contract(state)
        if reason == reasons.NOT_FROM_THE_HAND and compiled.pure_meld:
            beside.append("OPEN-7")
        self.ask_rule(reason, end_facts(state), tuple(beside))
