"""The player's part of the weights, as the package reads them: NumPy arrays in half precision."""

from pathlib import Path

import numpy as np

from canasta.bots.learned.network import FORMAT
from canasta.engine.observing.pieces import UNIVERSAL_VERSION
from canasta.engine.observing.rule_numbers import rule_numbers
from canasta.engine.prepared import PreparedRules
from canasta.rules import load_ruleset
from training.keeping import load_network
from training.mixture import rules_of

_JUDGE = ("hidden.", "judge_")


def export(weights: Path, to: Path) -> int:
    """Write the file; how many bytes it has."""
    network, games, steps = load_network(weights)
    arrays = {
        name: value.half().numpy()
        for name, value in network.state_dict().items()
        if not name.startswith(_JUDGE)
    }
    # By input, since most inputs of an observation are nothing.
    arrays["enter.weight"] = np.ascontiguousarray(arrays["enter.weight"].T)
    rules = [rule_numbers(PreparedRules(load_ruleset(*rules_of(game)))) for game in games]
    with to.open("wb") as file:
        np.savez_compressed(
            file,
            about=np.array([FORMAT, UNIVERSAL_VERSION, steps]),
            games=np.array(games),
            rules=np.array([list(row) for row in rules], np.uint8),
            large=network.large.numpy().astype(np.int32),
            inputs=np.array(network.inputs),
            allow_pickle=False,
            **arrays,
        )
    return to.stat().st_size
