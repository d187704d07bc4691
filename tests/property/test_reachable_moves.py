"""Every result of a move that the rules accept can also be reached by the listed moves and steps."""

import random
from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from property.brute import told
from property.candidates import any_position, plain_moves, random_laying_move
from property.granularity import laying_steps, outcome
from property.tables import Table, all_tables

from canasta.engine.actions.codec import ADD_BLACK_THREE
from canasta.engine.actions.legal import legal_steps
from canasta.engine.actions.make import make_step
from canasta.engine.cards import NATURAL_RANKS, RANK_OF
from canasta.engine.moves.apply import try_move
from canasta.engine.moves.legal_moves import legal_whole_moves
from canasta.engine.moves.refusals import RefusedMove
from canasta.engine.moves.types import Add, Meld, Move, Take
from canasta.engine.sequences import HIGH_ACE, LOCKED, LOW_ACE, naturals_of, stands_inside, wild_at
from canasta.engine.state import DRAW, PLAY, HandState
from canasta.rules import preset_names

SHORT_POSITIONS = 120
LONG_POSITIONS = 4_000
MOVES = 12
"""The number of moves to try in each position."""

Where = tuple[object, ...]
Successors = Callable[[HandState], Iterator[HandState]]


def where(state: HandState) -> Where:
    """Return the result of a move, whatever the order of laying and the choice between equal cards."""
    more = (
        state.turn,
        state.asked,
        state.answering,
        state.no_discard,
        *map(len, state.bonus),
        len(state.pots),
    )
    if state.compiled.family.name != "burraco":
        place, phase, out, _ = outcome(state)
        return (place, phase, out, tuple(_named(state, kind) for kind in state.pile), more)
    hands = tuple(tuple(state.cards_of(seat)) for seat in state.order)
    side = state.side_of[state.turn]
    sets = tuple(sorted(card for card in state.cards_laid_by(side) if card >> 6 < state.compiled.slots.count))
    runs: list[tuple[int, ...]] = []
    for index, run in enumerate(state.runs[side]):
        number = state.compiled.slots.count + index
        kinds = sorted(card & 63 for card in state.cards_laid_by(side) if card >> 6 == number)
        # A wild card that may move is the same at either end, and so is a two that may be wild or natural.
        is_fixed = stands_inside(run) or state.compiled.run_rules.wild_moves == LOCKED
        aces = naturals_of(run) & (1 << LOW_ACE | 1 << HIGH_ACE)
        runs.append((aces, wild_at(run) if is_fixed else 0, *kinds))
    return (hands, sets, tuple(sorted(runs)), tuple(state.pile), state.phase, state.out, more)


def _named(state: HandState, kind: int) -> int:
    """Return a card if its suit matters, otherwise its rank."""
    rank = RANK_OF[kind]
    return kind if state.compiled.same_suit and rank < NATURAL_RANKS else -1 - rank


def laid(state: HandState, side: int) -> Counter[int]:
    """Return the cards that a side has on the table, by suit if suits matter."""
    if state.compiled.family.name == "burraco":
        return Counter(card & 63 for card in state.cards_laid_by(side))
    return Counter(_named(state, card & 63) for card in state.cards_laid_by(side))


def by_steps(state: HandState) -> Iterator[HandState]:
    for step in laying_steps(state):
        after = state.copy()
        make_step(after, step)
        yield after


def by_moves(state: HandState) -> Iterator[HandState]:
    for move in legal_whole_moves(state):
        if isinstance(move, (Take, Meld, Add)):
            yield try_move(state, move)


def leads(state: HandState, target: HandState, successors: Successors) -> bool:
    """Return whether the target can be reached by laying only cards that it has on the table."""
    side = state.side_of[state.turn]
    wanted = where(target)
    most = laid(target, side)
    seen: set[Where] = set()
    to_try = [state]
    while to_try:
        here = to_try.pop()
        if here.phase not in (DRAW, PLAY) or here.turn != state.turn:
            continue
        for after in successors(here):
            there = where(after)
            if there == wanted and not after.top_due:
                return True
            key = (there, after.top_due)
            if key not in seen and laid(after, side) <= most:
                seen.add(key)
                to_try.append(after)
    return False


def complete_black_threes(state: HandState) -> None:
    """Complete a meld of black threes: a person may lay one or two first, but steps must make three."""
    while state.phase == PLAY and state.black_threes_now and legal_steps(state) == [ADD_BLACK_THREE]:
        make_step(state, ADD_BLACK_THREE)


def check_position(table: Table, choice: random.Random) -> Counter[bool]:
    """Try moves in a random position; return how many were accepted and how many were not."""
    phase = choice.choice(("draw", "play"))
    state = any_position(table, choice, opened=choice.random() < 0.7, phase=phase)
    tried: Counter[bool] = Counter()
    if phase == "play" or state.pile:
        for _ in range(MOVES):
            move = random_laying_move(state, choice)
            after = attempt(state, move)
            tried[after is not None] += 1
            if after is None:
                continue
            complete_black_threes(after)
            for successors in (by_steps, by_moves):
                if not leads(state, after, successors):
                    how = successors.__name__.replace("_", " ")
                    raise AssertionError(
                        f"{table}: {move!s} is accepted, and nothing leads there {how}: {told(state)}"
                    )
    listed = [where(try_move(state, move)) for move in legal_whole_moves(state)]
    for move in plain_moves(state):
        after = attempt(state, move)
        if after is not None and where(after) not in listed:
            raise AssertionError(f"{table}: {move!s} is accepted and not listed: {told(state)}")
    return tried


def attempt(state: HandState, move: Move) -> HandState | None:
    try:
        return try_move(state, move)
    except RefusedMove:
        return None


def check_positions(preset: str, number: int, seed: str) -> None:
    choice = random.Random(f"{seed}/{preset}")
    tables = [table for table in all_tables() if table.preset == preset]
    tried: Counter[bool] = Counter()
    for _ in range(number):
        tried += check_position(choice.choice(tables), choice)
    assert tried[False] > number
    assert tried[True] > number // 4


@pytest.mark.parametrize("preset", preset_names())
def test_accepted_moves_are_reached_through_listed_ones(preset: str) -> None:
    check_positions(preset, SHORT_POSITIONS, "short")


@pytest.mark.long
@pytest.mark.parametrize("preset", preset_names())
def test_accepted_moves_are_reached_through_listed_ones_many_times(preset: str) -> None:
    check_positions(preset, LONG_POSITIONS, "long")
