"""The tables of all presets, for tests that try each preset."""

import pytest

from canasta.rules import player_numbers, preset_names

EVERY_TABLE = [(preset, players) for preset in preset_names() for players in player_numbers(preset)]


def one_table_per_preset(tables: list[tuple[str, int]]) -> list[object]:
    """Return each game with one number of players, varied from game to game; the long run takes them all."""
    numbers: dict[str, list[int]] = {}
    for preset, players in tables:
        numbers.setdefault(preset, []).append(players)
    chosen = {preset: of[at % len(of)] for at, (preset, of) in enumerate(numbers.items())}
    return [
        pytest.param(preset, players, marks=() if chosen[preset] == players else pytest.mark.long)
        for preset, players in tables
    ]
