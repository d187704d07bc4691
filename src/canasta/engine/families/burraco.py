"""Burraco and Buraco: sequences from ace to ace, in which a wild card fills a place (see `sequences`)."""

from canasta.engine.actions.burraco import long_play_steps
from canasta.engine.actions.space import possible_long_steps
from canasta.engine.compiled_rules import CompiledRules
from canasta.engine.families.classic import Classic
from canasta.engine.feasibility.turn_end import last_card_goes_out
from canasta.engine.law.going_out import why_not_throw
from canasta.engine.law.reasons import OK
from canasta.engine.melds import MIXED, NATURAL, NOT_A_CANASTA, run_length
from canasta.engine.moves.melding import add_long, lay_long_groups
from canasta.engine.moves.referee import Referee, looks_like_long_run
from canasta.engine.moves.types import Add
from canasta.engine.position import lay_set_or_long_run
from canasta.engine.sequences import EITHER_END, kinds_in, run_with, wild_in
from canasta.engine.state import PLAY, HandState


class Burraco(Classic):
    def __init__(self) -> None:
        self.name = "burraco"

    def canasta_of_run(self, compiled: CompiledRules, run: int) -> int:
        if run_length(run) < compiled.canasta_size:
            return NOT_A_CANASTA
        return MIXED if wild_in(run) > 0 else NATURAL

    def in_order(self, run: int, kinds: list[int]) -> list[int]:
        return kinds_in(run)

    def run_with(self, state: HandState, run: int, kind: int) -> int:
        return run_with(state.compiled.run_rules, run, [kind], EITHER_END)

    def why_not_end(self, state: HandState) -> int:
        seat = state.turn
        if state.stuck != OK or state.phase != PLAY or state.size(seat) != 1 or state.top_due:
            return super().why_not_end(state)
        # The rules forbid some last cards (DISC-8, DISC-9).
        rank = 0
        while state.count(seat, rank) == 0:
            rank += 1
        reason = why_not_throw(state, state.any_kind(seat, rank))
        return OK if reason == OK or last_card_goes_out(state, seat) else reason

    def play_steps(self, state: HandState, steps: list[int]) -> None:
        long_play_steps(state, steps)

    def possible_steps(self, compiled: CompiledRules) -> list[int]:
        return possible_long_steps(compiled)

    def looks_like_run(self, group: tuple[int, ...]) -> bool:
        return looks_like_long_run(group)

    def lay_groups(self, referee: Referee, groups: list[list[int]]) -> None:
        lay_long_groups(referee, groups)

    def add_cards(self, referee: Referee, move: Add, index: int) -> None:
        add_long(referee, move.cards, move.to, index, move.end)

    def lay_given(self, state: HandState, seat: int, kinds: list[int]) -> None:
        lay_set_or_long_run(state, seat, kinds)
