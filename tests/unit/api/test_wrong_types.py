"""Values of the wrong type are reported as such and never taken for a move."""

from collections.abc import Callable
from typing import Any

import pytest

import canasta
from canasta.errors import UnknownNameError


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
        with pytest.raises(UnknownNameError, match="There is no language"):
            match.why_not("discard 3r", lang=language)


def test_as_many_names_as_seats_and_a_hand_at_least() -> None:
    match = canasta.Match("caliente", seed=7)
    with pytest.raises(canasta.CanastaError, match="4 players sit here, and 1 are named"):
        match.record(names=["a"])
    for hands in (0, -1):
        with pytest.raises(canasta.CanastaError, match="one hand at the least"):
            match.play("novice", hands=hands)


class Odd:
    """An object from another program."""


WRONG: list[Any] = [
    *(None, -1, 10**5000, 3.5, float("nan"), 1 + 2j, b"abc", object(), Odd(), Odd, print, set()),
    *([], [1], ["x"], range(10**6), {}, {"a": 1}, {"target": 10**5000}),
    *("", "x", "\0", "\ud800", "\u202e", "é" * 10000, "9" * 6000, "K" * 3000),
]


def match() -> canasta.Match:
    return canasta.Match("two-player", seed=7)


CALLS: dict[str, Callable[[Any], object]] = {
    "Match": canasta.Match,
    "Match players": lambda value: canasta.Match("caliente", players=value),
    "Match seed": lambda value: canasta.Match("caliente", seed=value),
    "Match options": lambda value: canasta.Match("caliente", options=value),
    "Match dealer": lambda value: canasta.Match("caliente", dealer=value),
    "Match.from_position": canasta.Match.from_position,
    "Match.from_record": canasta.Match.from_record,
    "cards": lambda value: match().cards(value),
    "melds": lambda value: match().melds(value),
    "view": lambda value: match().view(value),
    "push": lambda value: match().push(value),
    "check": lambda value: match().check(value),
    "why_not": lambda value: match().why_not(value),
    "why_not lang": lambda value: match().why_not("discard K", lang=value),
    "play": lambda value: match().play(value),
    "play hands": lambda value: match().play("novice", hands=value) if value != 10**5000 else None,
    "play seats": lambda value: match().play([value, value]),
    "record": lambda value: str(match().record(names=value)),
    "record names": lambda value: str(match().record(names=[value, value])),
    "Position": canasta.Position,
    "Position.parse": canasta.Position.parse,
    "Card": canasta.Card,
    "canasta.cards": canasta.cards,
    "several cards": lambda value: canasta.cards([value]),
    "load_rules": canasta.load_rules,
    "load_rules players": lambda value: canasta.load_rules("caliente", value),
    "load_rules options": lambda value: canasta.load_rules("caliente", 4, value),
    "load_rules value": lambda value: canasta.load_rules("caliente", 4, {"target": value}),
    "legal_moves": canasta.legal_moves,
    "get_bot": canasta.get_bot,
    "get_bot seed": lambda value: canasta.get_bot("random", value),
    "get_bot budget": lambda value: canasta.get_bot("expert", "s", value),
    "parse_move": canasta.parse_move,
}


@pytest.mark.parametrize("call", CALLS)
def test_whatever_is_given_is_used_or_told_in_a_sentence(call: str) -> None:
    told = 0
    for value in WRONG:
        try:
            CALLS[call](value)
        except canasta.CanastaError as error:
            told += 1
            words = str(error)
            assert 10 < len(words) < 600, (call, type(value))
            assert words.replace("\n", "").isprintable(), (call, type(value))
    assert told > 5


def test_a_class_in_place_of_a_player_is_told_how_one_is_made() -> None:
    class Eager(canasta.Bot):
        pass

    wrong: Any = [Eager, "novice"]
    with pytest.raises(canasta.WrongTypeError, match=r"seat 0 needs a player, made as Eager\(\)"):
        match().play(wrong)


def test_a_seat_that_is_none_is_an_index_too() -> None:
    with pytest.raises(IndexError, match="there is no seat 2: they are 0 to 1") as told:
        match().cards(2)
    assert isinstance(told.value, canasta.UnknownNameError)
    assert canasta.__version__
