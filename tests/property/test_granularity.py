"""Moves at two granularities: what a person lays at once, small steps lay one after the other."""

import random
from collections import Counter

import pytest
from property.brute import told
from property.granularity import Outcome, first_melds_by_steps, laying_steps, outcome, reached_by_steps
from property.positions import random_position
from property.score import hand_of
from property.tables import Table, all_tables, classic_presets, rules_or_none

from canasta.engine.actions.codec import ADD_BLACK_THREE
from canasta.engine.actions.legal import legal_steps
from canasta.engine.actions.make import make_step
from canasta.engine.cards import BLACK_THREE, JOKER, KINDS_OF, RANK_OF, TWO
from canasta.engine.melds import ROW_BLACK_THREES, SMALLEST_MELD
from canasta.engine.moves.apply import try_move
from canasta.engine.moves.legal_moves import legal_whole_moves
from canasta.engine.moves.refusals import RefusedMove
from canasta.engine.moves.types import Meld, Move, Take
from canasta.engine.position import Position, set_up
from canasta.engine.state import DRAW, PLAY, HandState
from canasta.rules import load_ruleset

SHORT_POSITIONS = 200
LONG_POSITIONS = 4_000


def random_group(hand: list[int], choice: random.Random) -> tuple[int, ...]:
    """Take a few cards out of the hand: mostly of one rank with wild cards or in sequence, sometimes any."""
    first = choice.choice(hand)
    rank = RANK_OF[first]
    fitting = [kind for kind in hand if RANK_OF[kind] == rank]
    how = choice.random()
    if how < 0.5:
        wilds = [kind for kind in hand if RANK_OF[kind] in (TWO, JOKER) and RANK_OF[kind] != rank]
        group = fitting[: choice.choice((2, 3, 3, 4, 8))] + wilds[: choice.choice((0, 0, 1, 2))]
    elif how < 0.8:
        ranks = range(rank, rank + choice.choice((3, 4, 7)))
        by_rank = {RANK_OF[kind]: kind for kind in hand if choice.random() < 0.5 or (kind ^ first) & 3 == 0}
        group = [by_rank[other] for other in ranks if other in by_rank]
    else:
        group = choice.sample(hand, min(len(hand), choice.choice((3, 3, 4))))
    for kind in group:
        hand.remove(kind)
    return tuple(group)


def random_move(state: HandState, choice: random.Random) -> Move:
    """Return some cards of the hand in one to three groups, sensible or not."""
    hand = list(hand_of(state, state.turn))
    choice.shuffle(hand)
    if state.phase == DRAW:
        rank = RANK_OF[state.top_card()]
        with_top = [kind for kind in hand if RANK_OF[kind] in (rank, TWO, JOKER)][
            : choice.choice((2, 2, 3, 4))
        ]
        for kind in with_top:
            hand.remove(kind)
        melds = [random_group(hand, choice) for _ in range(choice.choice((0, 0, 1, 2))) if hand]
        return Take(tuple(with_top), None, tuple(group for group in melds if group))
    groups = [random_group(hand, choice) for _ in range(choice.choice((1, 1, 2, 3))) if hand]
    return Meld(tuple(group for group in groups if group))


def complete_black_threes(state: HandState) -> None:
    """Complete a meld of black threes: a person may lay one or two first, but steps must make three."""
    slot = state.compiled.slots.first_slot(ROW_BLACK_THREES)
    while state.phase == PLAY and 0 < state.size_of_set(state.side_of[state.turn], slot) < SMALLEST_MELD:
        assert legal_steps(state) == [ADD_BLACK_THREE]
        make_step(state, ADD_BLACK_THREE)


def compare_moves(table: Table, choice: random.Random, *, takes: bool = False) -> Counter[bool]:
    """Check that steps lead where random moves lead; with `takes`, a side that has melded takes the pile."""
    phase = "draw" if takes else choice.choice(("draw", "play", "play"))
    state = random_position(table, choice, opened=takes or choice.random() < 0.5, phase=phase)
    verdicts: Counter[bool] = Counter()
    if phase == "draw" and not state.pile:
        return verdicts
    reached: set[Outcome] = set()
    for _ in range(25):
        move = random_move(state, choice)
        try:
            after = try_move(state, move)
        except RefusedMove:
            verdicts[False] += 1
            continue
        verdicts[True] += 1
        complete_black_threes(after)
        if not reached:
            reached = reached_by_steps(state)
            if not reached:
                break
        assert outcome(after) in reached, f"{table}: no steps lead where {move!s} leads"
    return verdicts


def first_meld(before: HandState, after: HandState) -> Move:
    """Return the cards that a side laid in its first meld, as one move."""
    side = before.side_of[before.turn]
    groups: dict[int, list[int]] = {}
    for card in after.cards_laid_by(side):
        groups.setdefault(card >> 6, []).append(card & 63)
    laid = [tuple(cards) for cards in groups.values()]
    if before.phase != DRAW:
        return Meld(tuple(laid))
    # The top card was laid first, and it does not come from the hand.
    return Take(laid[0][1:], None, tuple(laid[1:]))


def compare_first_melds(table: Table, choice: random.Random) -> bool:
    """Lay a first meld by random steps, and check that one move with the same cards gives the same state."""
    phase = choice.choice(("draw", "play"))
    state = random_position(table, choice, opened=False, phase=phase)
    before = state.copy()
    side = state.side_of[state.turn]
    steps = 0
    while state.phase in (DRAW, PLAY) and not state.opened(side):
        lays = laying_steps(state)
        if not lays:
            return False
        make_step(state, choice.choice(lays))
        steps += 1
    move = first_meld(before, state)
    assert outcome(try_move(before, move)) == outcome(state), f"{table}: {move!s}"
    return steps > 1


def compare_lists(table: Table, choice: random.Random) -> int:
    """Check that a person is offered exactly the first melds that steps reach; return their number."""
    phase = choice.choice(("draw", "play"))
    state = random_position(table, choice, opened=False, phase=phase)
    expected = first_melds_by_steps(state)
    if expected is None:
        return 0
    moves = [move for move in legal_whole_moves(state) if isinstance(move, (Meld, Take))]
    offered = {outcome(try_move(state, move)) for move in moves}
    assert offered == expected, f"{table}: {told(state)}"
    return len(offered)


def compare_many(preset: str, number: int, seed: str) -> None:
    choice = random.Random(f"{seed}/{preset}")
    tables = [table for table in all_tables() if table.preset == preset]
    verdicts: Counter[bool] = Counter()
    several = 0
    offered = 0
    for _ in range(number):
        offered += compare_lists(choice.choice(tables), choice)
        verdicts += compare_moves(choice.choice(tables), choice)
        several += compare_first_melds(choice.choice(tables), choice)
    # A first meld that fulfils a contract is rare.
    wanted = number // 10 if load_ruleset(preset).opening.pure_meld != "no" else number // 2
    assert verdicts[True] > wanted, verdicts
    assert several > number // 50, several
    assert offered > wanted // 2, offered


@pytest.mark.parametrize("preset", classic_presets())
def test_moves_are_steps_and_first_melds_are_moves(preset: str) -> None:
    compare_many(preset, SHORT_POSITIONS, "short")


@pytest.mark.long
@pytest.mark.parametrize("preset", classic_presets())
def test_moves_are_steps_and_first_melds_are_moves_many_times(preset: str) -> None:
    compare_many(preset, LONG_POSITIONS, "long")


def late_wilds() -> list[Table]:
    """Return tables with one set per rank and no wild cards on a canasta: taking the pile may complete it."""
    rule: tuple[tuple[str, object], ...] = (("melds.sets_per_rank", "one"), ("melds.wilds_on_canasta", False))
    sizes: list[tuple[str, object]] = [("melds.canasta_size", size) for size in (5, 6, 7)]
    piles: list[tuple[str, object]] = [
        ("pile.natural_and_wild", False),
        ("pile.natural_and_wild", True),
        ("always_frozen", True),
    ]
    tables = [
        Table(preset, 4, (*rule, size, pile))
        for preset in classic_presets()
        for size in sizes
        for pile in piles
    ]
    return [table for table in tables if rules_or_none(table) is not None]


def compare_late_wilds(number: int, seed: str) -> None:
    choice = random.Random(seed)
    tables = late_wilds()
    verdicts: Counter[bool] = Counter()
    for _ in range(number):
        verdicts += compare_moves(choice.choice(tables), choice, takes=True)
    assert min(verdicts.values()) > number // 2, verdicts


def test_taking_the_pile_is_a_sequence_of_steps_where_wilds_come_too_late() -> None:
    compare_late_wilds(5 * SHORT_POSITIONS, "late wilds")


@pytest.mark.long
def test_taking_the_pile_is_a_sequence_of_steps_where_wilds_come_too_late_many_times() -> None:
    compare_late_wilds(LONG_POSITIONS, "late wilds, long")


def test_wilds_come_too_late_once_the_pair_has_completed_the_canasta() -> None:
    """PILE-3, MELD-4: the top card and the pair are laid first."""
    options: tuple[tuple[str, object], ...] = (
        ("deck.decks", 3),
        ("melds.sets_per_rank", "one"),
        ("melds.wilds_on_canasta", False),
        ("pile.natural_and_wild", False),
    )
    queen, two = KINDS_OF[8], KINDS_OF[TWO]
    position = Position(
        phase="draw",
        hands={0: [*queen[:3], two[0], 0], 1: [1]},
        melds={0: [[*queen, queen[0]]]},
        pile=[queen[3]],
        stock=[2, 3],
    )
    state = set_up(Table("caliente", 4, options).tables(), position)
    take = Take(tuple(queen[:2]))
    assert outcome(try_move(state, take)) in reached_by_steps(state)
    for cards in ((*queen[:3], two[0]), (*queen[:2], two[0])):
        with pytest.raises(RefusedMove) as refused:
            try_move(state, Take(cards))
        assert refused.value.refusal.clause == "MELD-4"
    looser = set_up(Table("caliente", 4, options[:3]).tables(), position)
    with_wild = try_move(looser, Take((*queen[:3], two[0])))
    assert outcome(with_wild) in reached_by_steps(looser)


def test_black_threes_are_laid_last_whatever_the_order_of_the_groups() -> None:
    """MELD-8: a move may name them first."""
    table = Table("caliente", 4)
    choice = random.Random("black threes")
    found = 0
    for _ in range(3000):
        state = random_position(table, choice, opened=True, phase="play")
        hand = list(hand_of(state, state.turn))
        threes = tuple(kind for kind in hand if RANK_OF[kind] == BLACK_THREE)
        others = tuple(kind for kind in hand if RANK_OF[kind] != BLACK_THREE)
        if len(threes) < 3 or len(others) < 3:
            continue
        verdicts: list[Outcome | str] = []
        for groups in ((threes, others), (others, threes)):
            try:
                verdicts.append(outcome(try_move(state, Meld(groups))))
            except RefusedMove as error:
                verdicts.append(error.refusal.clause)
        assert verdicts[0] == verdicts[1]
        found += not isinstance(verdicts[0], str)
    assert found > 0
