"""What is of the wrong type is told so, and is never taken for a move."""

from typing import Any

import pytest

import canasta
from canasta.words import UnknownLanguage


@pytest.mark.parametrize("wrong", [None, 3, [], canasta.Card("Kh")])
def test_what_is_no_move_is_told(wrong: Any) -> None:
    match = canasta.Match("two-player", seed=7)
    for ask in (match.push, match.check, match.why_not):
        with pytest.raises(TypeError, match="a move is a text or a Move, and this is of type"):
            ask(wrong)
    assert match.moves == []


def test_what_are_no_rules_is_told() -> None:
    wrong: Any = None
    with pytest.raises(TypeError, match="rules are a name or a Ruleset, and this is of type NoneType"):
        canasta.Match(wrong)


def test_a_language_that_is_none_is_told() -> None:
    match = canasta.Match("caliente", seed=7)
    for language in ("xx", "../catalogues/en", ""):
        with pytest.raises(UnknownLanguage, match="There is no language"):
            match.why_not("discard 3r", lang=language)


def test_as_many_names_as_seats_and_a_hand_at_least() -> None:
    match = canasta.Match("caliente", seed=7)
    with pytest.raises(canasta.CanastaError, match="4 players sit here, and 1 are named"):
        match.record(names=["a"])
    for hands in (0, -1):
        with pytest.raises(canasta.CanastaError, match="one hand at the least"):
            match.play("novice", hands=hands)
