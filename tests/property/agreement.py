"""The list of legal steps, the check of a move and the making of a step agree."""

from property.brute import told
from refusal_texts import check_refusal_text

from canasta.engine.actions.codec import (
    ADD_BLACK_THREE,
    ANY_PAIR,
    ANY_SUIT,
    ANY_TRIPLE,
    PUT_BACK,
    RUN_SLOTS,
    START_BLACK_THREES,
    discard_step,
    start_naturals_step,
    start_pair_step,
    start_run_step,
    start_wilds_step,
    take_mixed_step,
    take_pair_step,
)
from canasta.engine.actions.legal import legal_steps
from canasta.engine.actions.make import make_step
from canasta.engine.cards import NATURAL_RANKS, RANKS
from canasta.engine.melds import ROW_WILD, run_length, run_low
from canasta.engine.moves.apply import try_move, why_not
from canasta.engine.moves.legal_moves import legal_whole_moves, move_of_step
from canasta.engine.moves.refusals import RefusedMove
from canasta.engine.state import HandState
from canasta.engine.view import state_facts


def meaningful_steps(state: HandState) -> list[int]:
    """Return every step that is a move of its own in this state, legal or not.

    Left out are:

    - steps that name suits where suits do not matter;
    - steps that name no suits where they do matter (a person may say `K K K`, but a step names the three
      kings);
    - steps on melds that the side does not have;
    - takes from an empty pile;
    - new sets of a rank (or of black threes) whose cards would join the set on the table: that is an
      addition.
    """
    same_suit = state.compiled.same_suit
    suits = range(4) if same_suit else [ANY_SUIT]
    pairs = range(ANY_PAIR) if same_suit else [ANY_PAIR]
    triples = range(ANY_TRIPLE) if same_suit else [ANY_TRIPLE]
    layout = state.compiled.layout
    slots = state.compiled.slots
    side = state.side_of[state.turn]
    steps = [*range(PUT_BACK + 1), ADD_BLACK_THREE]
    if not state.black_threes_now:
        steps.append(START_BLACK_THREES)
    if state.compiled.special_hands:
        steps.append(layout.lay_special)
    for rank in range(RANKS):
        steps += [discard_step(rank, suit) for suit in (suits if rank < NATURAL_RANKS else [ANY_SUIT])]
    for low in range(NATURAL_RANKS - 2):
        steps += [start_run_step(low, suit) for suit in suits]
    for rank in range(NATURAL_RANKS):
        if not _would_join(state, side, rank):
            steps += [start_naturals_step(rank, triple) for triple in triples]
            steps += [start_pair_step(rank, pair, joker) for pair in pairs for joker in range(2)]
    if not _would_join(state, side, ROW_WILD):
        steps += [start_wilds_step(jokers) for jokers in range(4)]
    if state.pile:
        steps += [take_pair_step(pair) for pair in pairs]
        steps += [take_mixed_step(suit, joker) for suit in suits for joker in range(2)]
        steps += [layout.take_onto_set_step(number) for number in range(slots.per_row)]
        steps += [layout.take_onto_run_step(number) for number in range(RUN_SLOTS)]
    for slot in state.sets_of(side):
        if slots.row_of(slot) < NATURAL_RANKS:
            steps += [layout.add_natural_step(slot, suit) for suit in suits]
        if slots.row_of(slot) <= ROW_WILD:
            steps += [layout.add_wild_step(slot, joker) for joker in range(2)]
    for index, run in enumerate(state.runs[side][:RUN_SLOTS]):
        if run_low(run) > 0:
            steps.append(layout.extend_run_step(index, False))
        if run_low(run) + run_length(run) < NATURAL_RANKS:
            steps.append(layout.extend_run_step(index, True))
    return steps


def _would_join(state: HandState, side: int, row: int) -> bool:
    """MELD-5: cards of this row join a set that is already on the table."""
    rule = state.compiled.rules.melds.sets_per_rank
    if rule == "any":
        return False
    sizes = [
        state.size_of_set(side, slot)
        for slot in state.sets_of(side)
        if state.compiled.slots.row_of(slot) == row
    ]
    return bool(sizes) if rule == "one" else any(size < state.compiled.canasta_size for size in sizes)


def check_mask(state: HandState, steps: list[int]) -> None:
    """Check that the check of a person's move accepts exactly the legal ones among these steps."""
    legal = set(legal_steps(state))
    for step in steps:
        move = move_of_step(state, step)
        refusal = why_not(state, move, partial=True)
        if (refusal is None) != (step in legal):
            verdict = "allowed" if refusal is None else f"refused: {refusal}"
            raise AssertionError(f"{move} is {verdict}, legal steps say otherwise: {told(state)}")


def check_legal_steps(state: HandState, legal: list[int]) -> None:
    """Check that each legal step is in the layout, is listed once, and gives the same state as its move."""
    assert len(set(legal)) == len(legal)
    assert set(legal) <= set(meaningful_steps(state))
    for step in legal:
        assert 0 <= step < state.compiled.layout.size
        after = state.copy()
        make_step(after, step)
        tried = try_move(state, move_of_step(state, step), partial=True)
        assert state_facts(after) == state_facts(tried)


def check_refused(state: HandState, steps: list[int]) -> int:
    """Check that refused moves change nothing and give a reason; return how many were refused."""
    before = state_facts(state)
    refused = 0
    for step in steps:
        move = move_of_step(state, step)
        try:
            try_move(state, move, partial=True)
        except RefusedMove as error:
            refused += 1
            check_refusal_text(error.refusal)
    assert state_facts(state) == before
    return refused


def check_whole_moves(state: HandState) -> None:
    """Check that every move offered to a person is allowed and offered only once."""
    moves = legal_whole_moves(state)
    assert moves
    assert len(set(moves)) == len(moves)
    for move in moves:
        refusal = why_not(state, move)
        assert refusal is None, f"{move} is offered and refused: {refusal}"
