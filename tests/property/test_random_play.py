"""Seeded random play at every table: no invariant ever breaks."""

import pytest
from property.checked_play import play
from property.play import Game
from property.tables import Table, all_tables, options_never_tried, plain_tables, some_tables

LONG_MOVES = 1_000_000


@pytest.mark.parametrize("table", some_tables(), ids=str)
def test_a_hand_at_every_table(table: Table) -> None:
    """The long run below tries every option with every number of players."""
    game = play(table, "short", 1, every=40)
    assert game.steps > 0


@pytest.mark.long
@pytest.mark.parametrize("part", range(2))
@pytest.mark.parametrize("plain", plain_tables(), ids=str)
def test_a_million_moves(plain: Table, part: int) -> None:
    """The moves are split by preset and number of players; each part visits all the tables of its kind."""
    tables = [
        table for table in all_tables() if (table.preset, table.players) == (plain.preset, plain.players)
    ]
    moves = LONG_MOVES // len(plain_tables()) // len(tables) + 1
    for table in tables[part::2]:
        assert play(table, "long", moves, every=25).steps >= moves


def test_every_option_has_a_table() -> None:
    assert options_never_tried() == set()


def test_random_play_reaches_the_ends_of_the_game() -> None:
    """At most plain tables somebody goes out within a few hands; otherwise the play above proves little."""
    outs = {}
    for table in plain_tables():
        game = Game(table, "ends")
        for _ in game.walk(4_000):
            pass
        outs[str(table)] = game.outs
    assert sum(1 for number in outs.values() if number) > len(outs) // 2, outs
