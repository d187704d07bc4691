"""Masters among themselves: greedy play of every game, to see that all steps are legal and all hands end."""

import time
from pathlib import Path

import numpy as np
import torch

from canasta.errors import CanastaError
from canasta.rules import load_ruleset
from training.keeping import load_network
from training.mixture import Sort, rules_of, weighed
from training.sampler import Sampler

_LONGEST = 20_000
"""Steps of a hand that goes on for ever."""
_EVERY = 20.0
"""Seconds between two words on how far it has come."""


def self_play(weights: Path, games: str, hands: int, tables: int, processes: int, seed: str) -> list[str]:
    """Play so many hands of each game, or more; a line for each. An illegal step or a hand without an end is
    an error. A game of long hands ends with the others if it has more weight, and so more tables."""
    names = weighed(games)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    network = load_network(weights).network.to(device)
    # Every process has tables of all games: a step takes all of them the same time.
    whole = sum(names.values()) * 2 * processes
    sorts = [
        Sort(load_ruleset(*rules_of(name)), number, max(1, round(tables * weight / whole)))
        for number, (name, weight) in enumerate(names.items())
    ]
    sampler = Sampler([sorts] * processes, 2, seed)
    played = np.zeros(len(names), int)
    longest = np.zeros(len(names), int)
    of = np.array([sort.game for sort in sampler.groups[0].sorts for _ in range(sort.count)])
    steps = [np.zeros(len(of), int) for _ in sampler.groups]
    told = time.monotonic()
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
            if time.monotonic() - told > _EVERY:
                told = time.monotonic()
                fewest = int(played.argmin())
                print(f"{played.sum():,} hands; {played[fewest]:,} of {list(names)[fewest]}", flush=True)
    finally:
        sampler.close()
    return [
        f"{name}: {count:,} hands, the longest of {most} steps"
        for name, count, most in zip(names, played.tolist(), longest.tolist(), strict=True)
    ]
