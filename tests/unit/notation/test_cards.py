"""The text of cards, written and read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from canasta.engine.cards import (
    ANY,
    BLACK_THREE,
    CALIENTE_KIND,
    HEARTS,
    JOKER,
    JOKER_KIND,
    KINDS,
    KINDS_OF,
    KING,
    RANKS,
    RED_THREE,
    SPADES,
    THREE_OF_CLUBS,
    THREE_OF_HEARTS,
    THREES,
    TWO,
)
from canasta.notation.cards import (
    any_of,
    format_card,
    format_cards,
    is_run,
    list_hand,
    parse_card,
    parse_cards,
    rank_of_card,
    same_cards,
)
from canasta.notation.errors import NotationError

KING_OF_HEARTS = KINDS_OF[KING][HEARTS]
TEN_OF_SPADES = KINDS_OF[6][SPADES]


@pytest.mark.parametrize(
    ("text", "card", "written"),
    [
        ("Kh", KING_OF_HEARTS, "Kh"),
        ("kH", KING_OF_HEARTS, "Kh"),
        ("K♥", KING_OF_HEARTS, "Kh"),
        ("K♥️", KING_OF_HEARTS, "Kh"),
        ("K♡", KING_OF_HEARTS, "Kh"),
        ("Ts", TEN_OF_SPADES, "Ts"),
        ("10s", TEN_OF_SPADES, "Ts"),
        ("10♠", TEN_OF_SPADES, "Ts"),
        ("10", ANY + 6, "T"),
        ("t", ANY + 6, "T"),
        ("K", ANY + KING, "K"),
        ("4", ANY, "4"),
        ("A", ANY + 10, "A"),
        ("2", ANY + TWO, "2"),
        ("2♣", KINDS_OF[TWO][0], "2c"),
        ("Jo", JOKER_KIND, "Jo"),
        ("joker", JOKER_KIND, "Jo"),
        ("J", ANY + 7, "J"),
        ("Jc", KINDS_OF[7][0], "Jc"),
        ("3r", ANY + RED_THREE, "3r"),
        ("3B", ANY + BLACK_THREE, "3b"),
        ("3h", THREE_OF_HEARTS, "3h"),
        ("3♣", THREE_OF_CLUBS, "3c"),
        ("Ca", CALIENTE_KIND, "Ca"),
        ("CA", CALIENTE_KIND, "Ca"),
    ],
)
def test_a_card_is_read_and_written(text: str, card: int, written: str) -> None:
    assert parse_card(text) == card
    assert format_card(card) == written


@pytest.mark.parametrize("card", [*range(KINDS), *(any_of(rank) for rank in range(RANKS))])
@pytest.mark.parametrize("symbols", [False, True])
def test_every_card_survives_writing_and_reading(card: int, symbols: bool) -> None:
    assert parse_card(format_card(card, symbols=symbols)) == card


def test_any_joker_is_written_like_a_joker() -> None:
    assert format_card(ANY + JOKER) == "Jo"


@pytest.mark.parametrize("number", [-1, KINDS, ANY - 1, ANY + THREES + 1])
def test_a_number_that_is_no_card_is_not_written(number: int) -> None:
    with pytest.raises(ValueError, match="is not a card"):
        format_card(number)


@pytest.mark.parametrize(
    ("text", "column", "part"),
    [
        ("K Kx", 2, '"Kx" isn’t a card'),
        ("KKK", 0, "separated by spaces: K K K"),
        ("K 1", 2, "an ace is A"),
        ("K *3", 2, "without spaces"),
        ("W", 0, "a wild card is 2 or Jo"),
        ("K*0", 0, "no deck holds 0"),
        ("K*9999", 0, "no deck holds 9999"),
        ("K*300 Q*300", 6, "more cards than any deck"),
        ("K,K", 0, "separated by spaces"),
        ("Jos", 0, "isn’t a card"),
        ("3rh", 0, "isn’t a card"),
        ("ſ", 0, "isn’t a card"),
        ("٤", 0, "isn’t a card"),
    ],
)
def test_what_is_no_card_is_told_with_its_place(text: str, column: int, part: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_cards(text)
    assert caught.value.column == column
    assert part in caught.value.summary()


def test_the_error_shows_the_line_with_a_caret_under_the_place() -> None:
    with pytest.raises(NotationError) as caught:
        parse_cards("K Q Z 9")
    line, below = str(caught.value).splitlines()
    assert line == "K Q Z 9"
    assert below.startswith("    ^ ")


def test_a_long_or_strange_line_is_shown_cut_and_clean() -> None:
    with pytest.raises(NotationError) as caught:
        parse_cards("K " * 100 + "\x1b[2J" + " K" * 100)
    line, below = str(caught.value).splitlines()
    assert len(line) <= 100
    assert "\x1b" not in str(caught.value)
    assert line[below.index("^")] == "\N{REPLACEMENT CHARACTER}"


def test_lists_of_cards() -> None:
    assert parse_cards("") == ()
    assert parse_cards(" K*3  Jo\t10h ") == (ANY + KING,) * 3 + (JOKER_KIND, KINDS_OF[6][HEARTS])
    assert parse_cards("K, Jo,9", commas=True) == parse_cards("K Jo 9")
    assert format_cards(parse_cards("Kh 2 3r")) == "Kh 2 3r"
    with pytest.raises(NotationError, match="expected one card"):
        parse_card("K K")


def test_a_hand_is_listed_by_rank() -> None:
    hand = parse_cards("Kh 3s 4s Jo Ah Kd 4c 2c Ca")
    assert list_hand(hand) == "4♣ 4♠  K♦ K♥  A♥  2♣  Jo  3♠  Ca"
    assert list_hand([]) == ""


@pytest.mark.parametrize(
    ("expected", "actual", "same"),
    [
        ("K K Kh", "Kh Ks Kd", True),
        ("K K Kh", "Kc Ks Kd", False),
        ("Kh K", "Kh Kh", True),
        ("Kh Kh", "Kh Kd", False),
        ("K K", "Kh Kd Kc", False),
        ("K K K", "Kh Kd", False),
        ("", "", True),
        ("", "Kh", False),
        ("3r 3b", "3h 3s", True),
        ("3r 3r", "3h 3s", False),
        ("Jo 2", "2c Jo", True),
    ],
)
def test_cards_are_compared_in_any_order(expected: str, actual: str, same: bool) -> None:
    assert same_cards(parse_cards(expected), parse_cards(actual)) is same


@pytest.mark.parametrize(
    ("cards", "run"),
    [("5 6 7", True), ("5h 6 7", True), ("K K 2", False), ("K K K", False), ("2 2 Jo", False)],
)
def test_sequences_are_told_from_sets(cards: str, run: bool) -> None:
    assert is_run(parse_cards(cards)) is run


@given(st.text())
def test_any_text_is_cards_or_an_error_with_a_place(text: str) -> None:
    try:
        cards = parse_cards(text)
    except NotationError as error:
        assert 0 <= error.column <= len(text) + 1
        assert len(str(error).splitlines()) == 2
    else:
        assert parse_cards(format_cards(cards)) == cards


@given(st.lists(st.sampled_from([*range(KINDS), *(any_of(rank) for rank in range(RANKS))])))
def test_lists_survive_writing_and_reading(cards: list[int]) -> None:
    assert parse_cards(format_cards(cards)) == tuple(cards)
    assert parse_cards(format_cards(cards, symbols=True)) == tuple(cards)
    assert sorted(parse_cards(list_hand(cards))) == sorted(cards)
    assert {rank_of_card(card) for card in cards} <= set(range(RANKS))
