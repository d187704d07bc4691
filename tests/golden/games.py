"""One recorded game for every preset, made by seeded random moves.

Run `python -m tests.golden.regenerate` to rewrite them after a change that is meant to change them.
"""

from pathlib import Path

from property.matches import PlayedMatch
from property.tables import Table

from canasta.rules import default_players, load_ruleset, preset_names

FOLDER = Path(__file__).parent
SEED = "golden"
MOST_HANDS = 4
NAMES = ("Ada", "Ben", "Cleo", "Dov", "Eva", "Finn")

TARGET = 1500
"""Low enough for a short game. A preset with a fixed number of rounds plays two instead."""


def table_of(preset: str) -> Table:
    by_rounds = load_ruleset(preset).match.rounds > 0
    option = ("match.rounds", 2) if by_rounds else ("target", TARGET)
    return Table(preset, default_players(preset), (option,))


def path_of(preset: str) -> Path:
    return FOLDER / f"{preset}.record"


def play_game(preset: str) -> PlayedMatch:
    """Return the game of the first seed that finishes within a few hands."""
    for number in range(1, 200):
        played = PlayedMatch(table_of(preset), f"{SEED} {number}")
        played.record.header.names = dict(enumerate(NAMES[: played.match.rules.seats.players]))
        played.play(5_000, hands=MOST_HANDS)
        if played.match.over and any(played.match.sheets[-1][side].lines["melded_cards"] for side in (0, 1)):
            return played
    raise AssertionError(f"no game of {preset} ends within {MOST_HANDS} hands")


def written(preset: str) -> str:
    return play_game(preset).record.text()


def presets() -> tuple[str, ...]:
    return preset_names()
