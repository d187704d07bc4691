"""Greedy self-play of every game, to check that all steps are legal and all hands end."""

import time
from pathlib import Path

import numpy as np
import torch

from canasta.errors import CanastaError
from canasta.rules import load_ruleset
from training.checkpoints import load_network
from training.sampler import Sampler
from training.task_mix import TableSet, parse_games, rules_of

_LONGEST = 20_000
"""Number of steps after which a hand counts as endless."""
_EVERY = 20.0
"""Seconds between progress reports."""


def self_play(weights: Path, games: str, hands: int, tables: int, processes: int, seed: str) -> list[str]:
    """Play at least this many hands of each game and return a line of results for each.

    Raise an error for an illegal step or an endless hand. Games with long hands can be given a higher weight,
    and so more tables, to finish together with the others.
    """
    names = parse_games(games)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    network = load_network(weights).network.to(device)
    # Every process has tables of all games, so a step takes the same time in each.
    whole = sum(names.values()) * 2 * processes
    table_sets = [
        TableSet(load_ruleset(*rules_of(name)), number, max(1, round(tables * weight / whole)))
        for number, (name, weight) in enumerate(names.items())
    ]
    sampler = Sampler([table_sets] * processes, 2, seed)
    played = np.zeros(len(names), int)
    longest = np.zeros(len(names), int)
    of = np.array(
        [table_set.game for table_set in sampler.groups[0].table_sets for _ in range(table_set.count)]
    )
    steps = [np.zeros(len(of), int) for _ in sampler.groups]
    reported = time.monotonic()
    try:
        while played.min() < hands:
            for number, group in enumerate(sampler.groups):
                sampler.wait(number)
                ended = group.rewards.any(1) | (group.done > 0)
                np.add.at(played, of[ended], 1)
                np.maximum.at(longest, of, steps[number])
                steps[number] = np.where(ended, 1, steps[number] + 1)
                if longest.max() > _LONGEST:
                    raise CanastaError(f"a hand of {list(names)[int(longest.argmax())]} does not end.")
                rows = torch.from_numpy(group.shown).to(device)
                seen, mask, _ = rows.split([group.observation_size, group.action_count, group.hidden_size], 1)
                with torch.inference_mode():
                    group.actions[:] = network(seen, mask)[0].argmax(1).cpu().numpy()
                sampler.go(number)
            if time.monotonic() - reported > _EVERY:
                reported = time.monotonic()
                fewest = int(played.argmin())
                print(f"{played.sum():,} hands; {played[fewest]:,} of {list(names)[fewest]}", flush=True)
    finally:
        sampler.close()
    return [
        f"{name}: {count:,} hands, the longest of {most} steps"
        for name, count, most in zip(names, played.tolist(), longest.tolist(), strict=True)
    ]
