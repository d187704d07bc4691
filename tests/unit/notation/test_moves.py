"""The text of moves, written and read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from canasta.engine.cards import KINDS, RANKS
from canasta.engine.melds import ROW_BLACK_THREES, ROW_RUN, ROW_WILD, MeldName
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
from canasta.notation.cards import any_of, parse_card, parse_cards
from canasta.notation.errors import NotationError
from canasta.notation.moves import cards_in, parse_meld_name, parse_move

KINGS = MeldName(9)


def cards(text: str) -> tuple[int, ...]:
    return parse_cards(text)


MOVES: list[tuple[str, Move]] = [
    ("draw", Draw()),
    ("take K K", Take(cards("K K"))),
    ("take Kh 2", Take(cards("Kh 2"))),
    ("take onto K", Take(onto=KINGS)),
    ("take onto K#2", Take(onto=MeldName(9, 2))),
    ("take onto run#1", Take(onto=MeldName(ROW_RUN))),
    ("take Q Q + A A Jo", Take(cards("Q Q"), melds=(cards("A A Jo"),))),
    ("take Q Q + A A Jo + 9 9 9", Take(cards("Q Q"), melds=(cards("A A Jo"), cards("9 9 9")))),
    ("take onto K + 9 9 9", Take(onto=KINGS, melds=(cards("9 9 9"),))),
    ("meld K K K", Meld((cards("K K K"),))),
    ("meld K K K + 9 9 2", Meld((cards("K K K"), cards("9 9 2")))),
    ("add K 2 to K", Add(cards("K 2"), KINGS)),
    ("add 2 to W#2", Add(cards("2"), MeldName(ROW_WILD, 2))),
    ("add 3c to 3b", Add(cards("3c"), MeldName(ROW_BLACK_THREES))),
    ("add 8h to run#2", Add(cards("8h"), MeldName(ROW_RUN, 2))),
    ("discard 7", Discard(parse_card("7"))),
    ("discard Th", Discard(parse_card("Th"))),
    ("keep", Keep()),
    ("pass", Pass()),
    ("caliente", PlayCaliente()),
    ("lay 3r", LayBonus(parse_card("3r"))),
    ("lay 3h", LayBonus(parse_card("3h"))),
    ("ask", Ask()),
    ("answer yes", Answer(True)),
    ("answer no", Answer(False)),
    ("putback", PutBack()),
    ("undo", Undo()),
]


@pytest.mark.parametrize(("text", "move"), MOVES)
def test_a_move_is_read_and_written(text: str, move: Move) -> None:
    assert parse_move(text) == move
    assert str(move) == text


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("  DRAW ", "draw"),
        ("Take  Onto\tk", "take onto K"),
        ("MELD k*3+9 9 2", "meld K K K + 9 9 2"),
        ("add 10♥ TO t", "add Th to T"),
        ("add K onto K#1", "add K to K"),
        ("take onto run 2", "take onto run#2"),
        ("take onto Run", "take onto run#1"),
        ("take onto run1", "take onto run#1"),
        ("add 2 to w", "add 2 to W"),
        ("put back", "putback"),
        ("Put-Back", "putback"),
        ("Answer YES", "answer yes"),
        ("answer n", "answer no"),
        ("Discard jo", "discard Jo"),
    ],
)
def test_case_and_spaces_do_not_matter(text: str, written: str) -> None:
    assert str(parse_move(text)) == written


@pytest.mark.parametrize(
    ("text", "column", "part"),
    [
        ("", 0, "there’s no move here"),
        ("dsicard 7", 0, "did you mean discard?"),
        ("fold", 0, "a move begins with one of draw, take"),
        ("draw 2", 5, "nothing else may follow draw"),
        ("take onto", 10, "which meld?"),
        ("take onto K 2", 12, "nothing else may follow"),
        ("take onto Kh", 10, "named by its rank, K"),
        ("take onto 2", 10, "a meld of wild cards is W"),
        ("take onto 3s", 10, "a meld of black threes is 3b"),
        ("take onto K#0", 10, "isn’t the name of a meld"),
        ("take onto K2", 10, "isn’t the name of a meld"),
        ("take onto run 0", 10, "isn’t the name of a meld"),
        ("meld", 5, "meld which cards? For example: meld K K K"),
        ("meld K K K +", 13, "there’s no meld next to the +"),
        ("meld K K K + + 9 9 9", 13, "there’s no meld next to the +"),
        ("meld K K K, 9 9 9", 9, "separated by spaces"),
        ("meld KKK", 5, "separated by spaces"),
        ("add to K", 4, "add which cards?"),
        ("add K 2", 8, "which meld"),
        ("add K to", 9, "which meld?"),
        ("add K to K K", 11, "nothing else"),
        ("discard", 8, "discard which card?"),
        ("discard 7 7", 10, "discard one card at a time"),
        ("discard 7*2", 8, "discard one card at a time"),
        ("lay", 4, "lay out which card?"),
        ("answer", 7, "yes or no"),
        ("answer maybe", 7, "yes or no"),
        ("put it back", 4, "put what?"),
        ("draw\ndraw", 4, "one line of plain text"),
        ("draw \x00", 5, "one line of plain text"),
    ],
)
def test_what_is_no_move_is_told_with_its_place(text: str, column: int, part: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_move(text)
    assert caught.value.column == column, str(caught.value)
    assert part in caught.value.summary()


def test_an_endless_move_is_refused() -> None:
    with pytest.raises(NotationError, match="too long for a move"):
        parse_move("meld " + "K " * 100_000)
    with pytest.raises(NotationError, match="more cards than any deck"):
        parse_move("meld " + "K*400 " * 3)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("K", MeldName(9)),
        ("K#2", MeldName(9, 2)),
        ("W", MeldName(ROW_WILD)),
        ("W#2", MeldName(ROW_WILD, 2)),
        ("3b", MeldName(ROW_BLACK_THREES)),
        ("run#1", MeldName(ROW_RUN)),
        ("run#12", MeldName(ROW_RUN, 12)),
        ("4", MeldName(0)),
        ("T", MeldName(6)),
    ],
)
def test_melds_have_names(text: str, name: MeldName) -> None:
    assert parse_meld_name(text) == name
    assert str(name) == text


def test_a_meld_has_one_name() -> None:
    with pytest.raises(NotationError, match="only one meld"):
        parse_meld_name("K Q")


def test_the_cards_of_a_move() -> None:
    assert cards_in(parse_move("take Q Q + A A Jo")) == cards("Q Q A A Jo")
    assert cards_in(parse_move("meld K K K + 9 9 2")) == cards("K K K 9 9 2")
    assert cards_in(parse_move("add K 2 to K")) == cards("K 2")
    assert cards_in(parse_move("lay 3h")) == cards("3h")
    assert cards_in(parse_move("draw")) == ()


card = st.sampled_from([*range(KINDS), *(any_of(rank) for rank in range(RANKS))])
some_cards = st.lists(card, min_size=1, max_size=9).map(tuple)
some_melds = st.lists(some_cards, max_size=4).map(tuple)
name = st.builds(MeldName, st.integers(0, ROW_RUN), st.integers(1, 20))
move = st.one_of(
    st.sampled_from([Draw(), Keep(), Pass(), PlayCaliente(), Ask(), PutBack(), Undo()]),
    st.builds(Take, some_cards, st.none(), some_melds),
    st.builds(Take, st.just(()), name, some_melds),
    st.builds(Meld, st.lists(some_cards, min_size=1, max_size=4).map(tuple)),
    st.builds(Add, some_cards, name),
    st.builds(Discard, card),
    st.builds(LayBonus, card),
    st.builds(Answer, st.booleans()),
)


@given(move)
def test_every_move_survives_writing_and_reading(made: Move) -> None:
    assert parse_move(str(made)) == made


words = st.sampled_from(
    "draw take onto meld add to discard lay answer yes run#1 K K#2 W + 3b 3 Jo * #".split()
)


@given(st.one_of(st.text(), st.lists(words, max_size=12).map(" ".join)))
def test_any_text_is_a_move_or_an_error_with_a_place(text: str) -> None:
    try:
        read = parse_move(text)
    except NotationError as error:
        assert 0 <= error.column <= len(text) + 1
        assert "\n" not in error.summary()
    else:
        assert parse_move(str(read)) == read


@pytest.mark.parametrize("column", [0, 3, 30, 89])
def test_the_place_of_a_slip_is_shown_in_a_narrow_window(column: int) -> None:
    error = NotationError("0123456789" * 9, column, "ONE_NAME")
    text, caret = error.shown(20)
    assert len(text) <= 20
    assert len(caret) <= 22
    assert text[caret.index("^")] == str(column % 10)
