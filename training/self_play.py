"""Masters among themselves: greedy play of every game, to see that all steps are legal and all hands end."""

from pathlib import Path

import numpy as np
import torch

from canasta.rules import load_ruleset
from training.keeping import load_network
from training.mixture import Sort, rules_of, weighed
from training.sampler import Sampler

_LONGEST = 20_000
"""Steps of a hand that goes on for ever."""


def self_play(weights: Path, games: str, hands: int, tables: int, processes: int, seed: str) -> list[str]:
    """Play so many hands of each game, or more; a line for each. An illegal step or a hand without an end is
    an error."""
    names = list(weighed(games))
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    network = load_network(weights).network.to(device)
    # One game to a process, as far as they go round: each has as many tables as the others.
    each = max(1, tables // 2 // len(names))
    sorts = [Sort(load_ruleset(*rules_of(name)), number, each) for number, name in enumerate(names)]
    shared = [sorts[number::processes] for number in range(min(processes, len(sorts)))]
    sampler = Sampler(shared, 2, seed)
    played = np.zeros(len(names), int)
    longest = np.zeros(len(names), int)
    of = np.array([sort.game for sort in sampler.groups[0].sorts for _ in range(sort.count)])
    steps = [np.zeros(len(of), int) for _ in sampler.groups]
    try:
        while played.min() < hands:
            for number, group in enumerate(sampler.groups):
                sampler.wait(number)
                ended = group.rewards.any(1) | (group.done > 0)
                np.add.at(played, of[ended], 1)
                np.maximum.at(longest, of, steps[number])
                steps[number] = np.where(ended, 1, steps[number] + 1)
                if longest.max() > _LONGEST:
                    raise RuntimeError(f"a hand of {names[int(longest.argmax())]} does not end")
                rows = torch.from_numpy(group.shown).to(device)
                seen, mask, _ = rows.split([group.observation_size, group.action_count, group.hidden_size], 1)
                with torch.inference_mode():
                    group.actions[:] = network(seen, mask)[0].argmax(1).cpu().numpy()
                sampler.go(number)
    finally:
        sampler.close()
    return [
        f"{name}: {count:,} hands, the longest of {most} steps"
        for name, count, most in zip(names, played.tolist(), longest.tolist(), strict=True)
    ]
