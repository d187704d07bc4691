"""Any move at any moment gets an answer in words, and checking it changes nothing."""

import random
from functools import cache

from hypothesis import given
from hypothesis import strategies as st
from property.matches import PlayedMatch
from property.tables import Table, house_tables, plain_tables
from refusal_texts import check_refusal_text
from unit.engine.builders import match_at, refusal

from canasta.engine.cards import ANY, KINDS, THREES
from canasta.engine.melds import ROW_THREES, MeldName
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
    Undo,
)
from canasta.engine.view import state_facts
from canasta.notation.moves import parse_move

TABLES = [*plain_tables(), *house_tables()[::5]]

real_cards = st.one_of(st.integers(0, KINDS - 1), st.integers(ANY, ANY + THREES))
names = st.builds(MeldName, st.integers(0, ROW_THREES), st.integers(1, 3))
groups = st.lists(real_cards, min_size=1, max_size=8).map(tuple)
melds = st.lists(groups, max_size=3).map(tuple)
real_moves: st.SearchStrategy[Move] = st.one_of(
    st.sampled_from([Draw(), Keep(), Pass(), PlayCaliente(), Ask(), PutBack(), Undo()]),
    st.builds(Take, groups, st.none(), melds),
    st.builds(Take, st.just(()), names, melds),
    st.builds(Meld, st.lists(groups, min_size=1, max_size=3).map(tuple)),
    st.builds(Add, groups, names),
    st.builds(Discard, real_cards),
    st.builds(LayBonus, real_cards),
    st.builds(Answer, st.booleans()),
)

numbers = st.integers(-(2**40), 2**40)
wild_groups = st.lists(numbers, max_size=4).map(tuple)
wild_moves: st.SearchStrategy[Move] = st.one_of(
    st.builds(
        Take,
        wild_groups,
        st.none() | st.builds(MeldName, numbers, numbers),
        st.lists(wild_groups, max_size=2).map(tuple),
    ),
    st.builds(Meld, st.lists(wild_groups, max_size=2).map(tuple)),
    st.builds(Add, wild_groups, st.builds(MeldName, numbers, numbers)),
    st.builds(Discard, numbers),
    st.builds(LayBonus, numbers),
)


@cache
def played(table: Table, moves: int) -> PlayedMatch:
    match = PlayedMatch(table, "any move")
    match.play(moves, hands=1)
    return match


def ask_about(table: Table, moves: int, move: Move) -> None:
    match = played(table, moves).match
    before = state_facts(match.hand.state)
    said = match.check(move)
    assert state_facts(match.hand.state) == before
    if said is not None:
        check_refusal_text(said)


@given(st.sampled_from(TABLES), st.sampled_from((0, 1, 9, 40, 110)), real_moves)
def test_any_well_formed_move(table: Table, moves: int, move: Move) -> None:
    ask_about(table, moves, move)
    assert parse_move(str(move)) == _as_read(move)


def _as_read(move: Move) -> Move:
    """Return the move as a reader sees it: jokers, like Caliente cards, are all of one kind."""
    return parse_move(str(parse_move(str(move))))


@given(st.sampled_from(TABLES), st.sampled_from((0, 1, 40)), wild_moves)
def test_any_move_at_all(table: Table, moves: int, move: Move) -> None:
    ask_about(table, moves, move)


def test_moves_made_of_cards_in_hand() -> None:
    """Groups of cards that the player holds come closer to legal moves than chance alone."""
    choice = random.Random("held")
    allowed = 0
    for table in TABLES:
        for moves in (0, 1, 40, 90):
            match = played(table, moves).match
            held = match.hand.hand_cards(match.hand.turn)
            for _ in range(20):
                cards = tuple(choice.sample(held, min(len(held), choice.randint(1, 5))))
                for move in (Meld((cards,)), Take(cards), Add(cards, MeldName(choice.randrange(11)))):
                    ask_about(table, moves, move)
                    allowed += match.check(move) is None
    assert allowed > 10


def test_any_three_does_not_take_a_pile_of_another_rank() -> None:
    """`3` means any three only if threes are natural cards, but people can type it in other games too."""
    for top in ("K", "3b"):
        match = match_at(f"rules: caliente\ngiven: {{hands: {{0: 3b 3b 4 5}}, pile: 4 {top}}}")
        for move in ("take 3 3", "take 3 2"):
            told = refusal(match, move)
            assert told is not None
            check_refusal_text(told)
