"""The same seed gives the same trajectory everywhere."""

import json

import pytest
from unit.research.trajectories import FILE, digest

from canasta.rules import player_numbers, preset_names

GOLDEN = json.loads(FILE.read_text(encoding="utf-8"))


@pytest.mark.interpreted
@pytest.mark.parametrize("table", GOLDEN)
def test_a_trajectory_is_as_recorded(table: str) -> None:
    preset, players = table.rsplit("-", 1)
    assert digest(preset, int(players)) == GOLDEN[table]


def test_every_table_has_a_record() -> None:
    assert set(GOLDEN) == {f"{preset}-{n}" for preset in preset_names() for n in player_numbers(preset)}
