"""Texts that are not a card or a move: one code with facts, in every language."""

import pickle
from collections.abc import Callable

import pytest

from canasta import Card
from canasta.i18n import Message, MessageText
from canasta.i18n.catalogue import languages, texts
from canasta.i18n.voice import Voice
from canasta.notation.cards import parse_card, parse_cards
from canasta.notation.errors import NotationError
from canasta.notation.moves import LONGEST_MOVE, parse_meld_name, parse_move
from canasta.table.commands import CommandError, read_move

MOVES = (
    *("", "darw", "fold", "draw 2", "draw\ndraw", "d" * (LONGEST_MOVE + 1), "answer maybe", "put it back"),
    *("take onto", "take onto Kh", "take onto 2", "take onto 3s", "take onto K#0"),
    *("meld", "meld K K K +", "meld KKK", "meld K, K", "meld *3", "meld W", "meld 1", "meld Kx"),
    *("meld K*9999", "meld K*300 Q*300", "add to K", "add K 2", "discard", "discard 7 7", "lay", "lay 3r 3r"),
)


def error_of(read: Callable[[], object]) -> NotationError:
    with pytest.raises(NotationError) as caught:
        read()
    return caught.value


def errors() -> list[NotationError]:
    told = [error_of(lambda text=text: parse_move(text)) for text in MOVES]  # type: ignore[misc]
    told += [error_of(lambda: parse_card("K K")), error_of(lambda: parse_meld_name("K K"))]
    return [*told, error_of(lambda: Card(99)), error_of(lambda: parse_cards("KKK"))]


def test_every_sentence_can_be_caused() -> None:
    facts = [error.facts for error in errors()]
    assert {name for each in facts for key, name in each.items() if key in ("unreadable", "how")} == set(
        texts("en", "notation")
    )


def test_the_bare_error_says_the_english_of_the_catalogue() -> None:
    for error in errors():
        assert error.summary() == Voice("en").say(f"notation.{error.code}", error.facts).rstrip(".")
        assert str(pickle.loads(pickle.dumps(error))) == str(error)  # noqa: S301 - our own bytes


@pytest.mark.parametrize("language", languages())
def test_a_table_refuses_it_once_and_in_the_language(language: str) -> None:
    for text in MOVES:
        with pytest.raises(CommandError) as caught:
            read_move(text)
        why = caught.value.why
        assert (why.reason, why.clause) == ("UNREADABLE", "NOTATION")
        told = Voice(language).tell(Message(f"refusals.{why.reason}", why.facts))
        assert told.remedy == ""
        assert told.message.endswith((".", "?"))
        assert (told.message == why.message) == (language == "en")


def test_a_german_sentence() -> None:
    with pytest.raises(CommandError) as caught:
        read_move("take K W")
    why = caught.value.why
    assert why.facts == {"unreadable": "NOT_A_CARD", "text": "W", "how": "WILD_CARD"}
    assert str(Voice("de").tell(Message(f"refusals.{why.reason}", why.facts))) == (
        "„W“ ist keine Karte: eine wilde Karte ist 2 oder Jo."
    )


@pytest.mark.parametrize("how", ["NOT_A_CARD", "NO_MELD_NAME", "WHICH_MELD", "nothing"])
def test_a_sentence_that_would_hold_itself_is_not_said(how: str) -> None:
    facts: dict[str, int | str] = {"unreadable": "NOT_A_CARD", "text": "W", "how": how}
    english = MessageText("English.")
    assert Voice("de").tell_or(Message("refusals.UNREADABLE", facts), english) == english
