"""Any rules that pass validation can be played: fields are drawn at random, with one hand at each table."""

import random

import pytest
from property.checked_play import play
from property.play import Game
from property.tables import Table, rules_or_none

from canasta.rules import player_numbers, preset_names
from canasta.rules.field_types import CHOICE, NUMBER, NUMBERS, YES_NO, Field
from canasta.rules.model import FIELDS

SHORT_TABLES = 12
LONG_TABLES = 400

LARGE = ("match.", "scoring.", "deck.", "opening.minimums", "opening.scores", "opening.below_zero")
"""Fields whose numbers are points; they are tried with typical sizes of points."""


def random_value(field: Field, choice: random.Random) -> object:
    if field.kind == YES_NO:
        return choice.random() < 0.5
    if field.kind == CHOICE:
        return choice.choice(field.choices)[0]
    if field.kind == NUMBER:
        if field.path.startswith(LARGE) and field.high > 100:
            return choice.choice((0, 5, 10, 50, 100, 300, 1000))
        return choice.randint(field.low, min(field.high, choice.choice((field.low + 2, 12))))
    if field.kind == NUMBERS:
        most = choice.choice((3, 100))
        return sorted(choice.randint(0, most) for _ in range(choice.randint(0, 4)))
    return "text"


def random_table(preset: str, choice: random.Random) -> Table:
    """Return a table with a few random fields that together make a valid game."""
    paths = [path for path, field in FIELDS.items() if not field.fixed]
    while True:
        chosen = {
            path: random_value(FIELDS[path], choice) for path in choice.sample(paths, choice.randint(1, 6))
        }
        options = tuple(
            (path, tuple(value) if isinstance(value, list) else value) for path, value in chosen.items()
        )
        table = Table(preset, choice.choice(player_numbers(preset)), options)
        if rules_or_none(table) is not None:
            return table


def play_tables(preset: str, seed: str, number: int) -> None:
    choice = random.Random(f"{seed}/{preset}")
    for _ in range(number):
        table = random_table(preset, choice)
        try:
            play(table, seed, 1, every=60)
        except Exception as error:
            raise AssertionError(f"at the table {table}: {error}") from error


@pytest.mark.parametrize("preset", preset_names())
def test_house_rules(preset: str) -> None:
    play_tables(preset, "short", SHORT_TABLES)


@pytest.mark.long
@pytest.mark.parametrize("part", range(6))
@pytest.mark.parametrize("preset", preset_names())
def test_many_house_rules(preset: str, part: int) -> None:
    play_tables(preset, f"long {part}", LONG_TABLES // 6)


def test_every_field_comes_up() -> None:
    choice = random.Random("fields")
    tried = {path for _ in range(5000) for path, _ in random_table("caliente", choice).options}
    assert tried == {path for path, field in FIELDS.items() if not field.fixed}


def test_house_rules_change_the_play() -> None:
    """The tables differ: hands vary in length, and in some of them somebody goes out."""
    choice = random.Random("differ")
    lengths = set()
    outs = 0
    for _ in range(20):
        game = Game(random_table("caliente", choice), "differ")
        for _ in game.walk(1):
            pass
        lengths.add(game.steps)
        outs += game.outs
    assert len(lengths) > 10
    assert outs > 0
