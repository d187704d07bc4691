"""Witnesses at honest tables never raise an alarm, whatever is played and however bad the connection is."""

import random

import pytest
from property.tables import Table, all_tables, plain_tables
from property.test_house_rules import random_table
from witnessed_table import Viewing, WitnessedTable

from canasta.rules import preset_names
from canasta.terminal.fairness import CHECKED

SHORT_TABLES = 1
LONG_TABLES = 40
MOST_MOVES = 1500


def watched_hand(table: Table, seed: str, *, luck: random.Random) -> WitnessedTable:
    """Play a hand with two people; one loses states and connections."""
    options = {name: list(value) if isinstance(value, tuple) else value for name, value in table.options}
    moves = "random" if luck.random() < 0.7 else "bot"
    watched = WitnessedTable(
        table.preset, table.players, min(2, table.players), seed=seed, options=options, moves=moves
    )
    watched.start()
    assert watched.table.match is not None
    watched.play_hand(lambda _: trouble(watched, watched.viewings[-1], luck), MOST_MOVES)
    if watched.table.match.hand.over and not watched.viewings[-1].connected:
        watched.connect(watched.viewings[-1])
        watched.settle()
    return watched


def trouble(watched: WitnessedTable, viewing: Viewing, luck: random.Random) -> None:
    """Sometimes a state gets lost, or the connection."""
    kind = luck.random()
    if kind < 0.02:
        viewing.missed = viewing.connected
    elif kind < 0.05:
        viewing.connected = False
    elif kind < 0.3 and not viewing.connected:
        watched.connect(viewing)
        watched.settle()


def check(table: Table, seed: str) -> None:
    luck = random.Random(f"{seed}/{table}")
    watched = watched_hand(table, f"{seed}/{table}", luck=luck)
    assert watched.table.match is not None
    for viewing in watched.viewings:
        wanted = [CHECKED] if watched.table.match.hand.over else []
        assert viewing.results() == wanted, f"{table}: {viewing.player}"


@pytest.mark.parametrize("table", plain_tables()[::4], ids=str)
def test_presets(table: Table) -> None:
    check(table, "presets")


@pytest.mark.parametrize("preset", preset_names())
def test_house_rules(preset: str) -> None:
    luck = random.Random(preset)
    for number in range(SHORT_TABLES):
        check(random_table(preset, luck), f"house {number}")


@pytest.mark.long
@pytest.mark.parametrize("plain", plain_tables(), ids=str)
def test_all_tables(plain: Table) -> None:
    for table in all_tables():
        if (table.preset, table.players) == (plain.preset, plain.players):
            check(table, "all")


@pytest.mark.long
@pytest.mark.parametrize("preset", preset_names())
def test_many_house_rules(preset: str) -> None:
    luck = random.Random(f"many/{preset}")
    for number in range(LONG_TABLES):
        check(random_table(preset, luck), f"many {number}")
