"""Random play that checks everything along the way."""

import random

from property.agreement import (
    check_legal_steps,
    check_mask,
    check_refused,
    check_whole_moves,
    meaningful_steps,
)
from property.invariants import check_frozen, check_state
from property.long_checks import check_long_steps, check_no_other_move
from property.play import Game
from property.tables import Table

from canasta.engine.actions.space import StepSpace

SOME_STEPS = 200
"""The number of steps to try at a time if long sequences have too many to try them all."""


def play(table: Table, seed: str, moves: int, *, every: int) -> Game:
    """Play this many moves.

    The cards, melds and facts are checked before every move. Before one in `every` moves, spread evenly but
    not regularly, the steps are compared with the checks as well.
    """
    game = Game(table, seed)
    picks = random.Random(f"picks/{game.seed}")
    space = StepSpace(game.tables)
    for moment in game.walk(moves):
        state = moment.state
        check_state(state)
        check_frozen(state)
        if picks.randrange(every) > 0:
            continue
        if state.compiled.family.name == "burraco":
            assert all(step in space.index for step in moment.legal)
            check_long_steps(state, moment.legal)
            check_no_other_move(state, moment.legal, picks.sample(space.steps, SOME_STEPS))
        else:
            steps = meaningful_steps(state)
            check_mask(state, steps)
            check_legal_steps(state, moment.legal)
            if not state.is_opening():  # a person's first meld is one move
                check_whole_moves(state)
            check_refused(state, picks.sample(steps, min(20, len(steps))))
    return game
