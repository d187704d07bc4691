"""Random play with everything looked at on the way."""

import random

from property.agreement import (
    check_legal_steps,
    check_mask,
    check_refused,
    check_whole_moves,
    meaningful_steps,
)
from property.invariants import check_frozen, check_state
from property.play import Game
from property.tables import Table


def play(table: Table, seed: str, moves: int, *, every: int) -> Game:
    """Play so many moves. The cards, melds and facts are looked at before every move; before one in `every`
    moves (evenly spread, but not regularly) the steps are compared with the checks as well."""
    game = Game(table, seed)
    picks = random.Random(f"picks/{game.seed}")
    for moment in game.walk(moves):
        state = moment.state
        check_state(state)
        check_frozen(state)
        if picks.randrange(every) == 0:
            steps = meaningful_steps(state)
            check_mask(state, steps)
            check_legal_steps(state, moment.legal)
            if not state.is_opening():  # a person's first meld is one move
                check_whole_moves(state)
            check_refused(state, picks.sample(steps, min(20, len(steps))))
    return game
