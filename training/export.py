"""The weights as the package reads them: NumPy arrays in half precision and less."""

from pathlib import Path

import numpy as np

from canasta.bots.learned.network import FORMAT
from canasta.engine.observing.pieces import UNIVERSAL_VERSION
from canasta.engine.observing.rule_numbers import rule_numbers
from canasta.engine.prepared import PreparedRules
from canasta.rules import load_ruleset
from training.keeping import load_network
from training.mixture import rules_of

_IN_TRAINING = "value."
"""What nobody asks for later: the judge knows better."""
_LARGEST = 127
"""Of the whole numbers by which the weights of the inputs are told."""


def export(kept: Path, to: Path) -> int:
    """Write the file; how many bytes it has."""
    network, games, steps, house_rules = load_network(kept)
    weights = network.state_dict()
    # By input, since most inputs of an observation are nothing; and in a byte each, with a scale for every
    # input: they are half of all.
    entering = weights.pop("enter.weight").numpy().T
    scale = np.maximum(np.abs(entering).max(1, keepdims=True), 1e-9).astype(np.float32) / _LARGEST
    arrays = {
        name: value.half().numpy() for name, value in weights.items() if not name.startswith(_IN_TRAINING)
    }
    arrays["enter.weight"] = np.ascontiguousarray(np.rint(entering / scale).astype(np.int8))
    arrays["enter.scale"] = scale
    rules = [rule_numbers(PreparedRules(load_ruleset(*rules_of(game)))) for game in games]
    with to.open("wb") as file:
        np.savez_compressed(
            file,
            about=np.array([FORMAT, UNIVERSAL_VERSION, steps, int(house_rules)]),
            games=np.array(games),
            rules=np.array([list(row) for row in rules], np.uint8),
            large=network.large.numpy().astype(np.int32),
            inputs=np.array(network.inputs),
            allow_pickle=False,
            **arrays,
        )
    return to.stat().st_size
