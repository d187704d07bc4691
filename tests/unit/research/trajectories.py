"""Digests of learners' observations: the same on every machine, compiled or not.

`python tests/unit/research/trajectories.py` rewrites them. A changed digest is a change for every learner.
"""

import hashlib
import json
from pathlib import Path

from canasta.research.batch import Batch
from canasta.research.episode import EpisodeGame
from canasta.rules import load_ruleset, player_numbers, preset_names

FILE = Path(__file__).with_name("trajectories.json")
TABLES = 2
STEPS = 120


def digest(preset: str, players: int) -> str:
    """Return a digest of observations, masks, seats, ends and rewards in random play from a fixed seed."""
    game = EpisodeGame(load_ruleset(preset, players), whole_match=False)
    row = Batch.row_size(game)
    shown, acting, done = bytearray(TABLES * row), bytearray(TABLES), bytearray(TABLES)
    rewards = memoryview(bytearray(4 * TABLES * players)).cast("f")
    batch = Batch(game, TABLES, "points", memoryview(shown), memoryview(acting), memoryview(done), rewards)
    batch.reset("golden", 0)
    told = hashlib.sha256()
    for _ in range(STEPS):
        told.update(shown + acting + done)
        told.update(repr(rewards.tolist()).encode())
        batch.step(batch.sample())
    return told.hexdigest()[:16]


def digests() -> dict[str, str]:
    return {
        f"{preset}-{players}": digest(preset, players)
        for preset in preset_names()
        for players in player_numbers(preset)
    }


if __name__ == "__main__":
    FILE.write_text(json.dumps(digests(), indent=1) + "\n", encoding="utf-8")
