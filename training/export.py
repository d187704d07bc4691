"""The weights as the package reads them: NumPy arrays in half precision and less."""

from collections.abc import Collection
from pathlib import Path

import numpy as np

from canasta.bots.learned.network import FORMAT
from canasta.engine.observing.pieces import UNIVERSAL_VERSION
from canasta.engine.observing.rule_numbers import rule_numbers
from canasta.engine.prepared import PreparedRules
from canasta.rules import load_ruleset
from training.keeping import WrongWeights, load_network, written_beside
from training.mixture import rules_of

_IN_TRAINING = "value."
"""What nobody asks for later: the judge knows better."""
_LARGEST = 127
"""Of the whole numbers by which most weights are told."""
_BY_OUTPUT = ("policy.weight", "belief.weight", "hidden.weight")


def export(kept: Path, to: Path, without: Collection[str] = ()) -> int:
    """Write the file; how many bytes it has. `without`: games that it met and has not learned well enough.

    Raises `CanastaError`; a file that was there before stays then.
    """
    network, met, steps, house_rules = load_network(kept)
    games = [game for game in met if game not in without]
    if not games:
        raise WrongWeights(f"no game is left that {kept} was trained for: there is nothing to export.")
    weights = network.state_dict()
    # By input, since most inputs of an observation are nothing. These and what is read for each action are
    # most of all: a byte each, with a scale for every row.
    rows = {"enter.weight": weights.pop("enter.weight").numpy().T}
    rows |= {name: weights.pop(name).numpy() for name in _BY_OUTPUT}
    arrays = {
        name: value.half().numpy() for name, value in weights.items() if not name.startswith(_IN_TRAINING)
    }
    for name, numbers in rows.items():
        scale = np.maximum(np.abs(numbers).max(1, keepdims=True), 1e-9).astype(np.float32) / _LARGEST
        arrays[name] = np.ascontiguousarray(np.rint(numbers / scale).astype(np.int8))
        arrays[name.replace("weight", "scale")] = scale
    told = [rule_numbers(PreparedRules(load_ruleset(*rules_of(game)))) for game in games]
    with written_beside(to) as fresh, fresh.open("wb") as file:
        np.savez_compressed(
            file,
            about=np.array([FORMAT, UNIVERSAL_VERSION, steps, int(house_rules)]),
            games=np.array(games),
            rules=np.array([list(row) for row in told], np.uint8),
            large=network.large.numpy().astype(np.int32),
            inputs=np.array(network.inputs),
            allow_pickle=False,
            **arrays,
        )
    return to.stat().st_size
