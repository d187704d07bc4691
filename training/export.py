"""Export the weights for the package: NumPy arrays in half precision or less."""

from collections.abc import Collection
from pathlib import Path

import numpy as np

from canasta.bots.learned.network import FORMAT
from canasta.engine.families.factory import compile_rules
from canasta.engine.observation.layout import UNIVERSAL_VERSION, rule_numbers
from canasta.rules import load_ruleset
from training.checkpoints import WeightsError, load_network, written_beside
from training.task_mix import rules_of

_IN_TRAINING = "value."
"""Prefix of weights that are only used in training; players use the critic instead, which is more
accurate.
"""
_LARGEST = 127
"""Largest integer of quantised weights."""
_BY_OUTPUT = ("policy.weight", "belief.weight", "hidden.weight")


def export(kept: Path, to: Path, without: Collection[str] = ()) -> int:
    """Write the file and return its size in bytes.

    `without` lists games that were not learned well enough. Raise `CanastaError` if writing fails; an
    existing file is then kept.
    """
    network, met, steps, house_rules = load_network(kept)
    games = [game for game in met if game not in without]
    if not games:
        raise WeightsError(f"no game is left that {kept} was trained for: there is nothing to export.")
    weights = network.state_dict()
    # Scale the input layer by input, since most inputs of an observation are zero. This layer and the heads
    # read per action make up most of the size, so they get one byte per weight, with a scale for every row.
    rows = {"enter.weight": weights.pop("enter.weight").numpy().T}
    rows |= {name: weights.pop(name).numpy() for name in _BY_OUTPUT}
    arrays = {
        name: value.half().numpy() for name, value in weights.items() if not name.startswith(_IN_TRAINING)
    }
    for name, numbers in rows.items():
        scale = np.maximum(np.abs(numbers).max(1, keepdims=True), 1e-9).astype(np.float32) / _LARGEST
        arrays[name] = np.ascontiguousarray(np.rint(numbers / scale).astype(np.int8))
        arrays[name.replace("weight", "scale")] = scale
    rule_rows = [rule_numbers(compile_rules(load_ruleset(*rules_of(game)))) for game in games]
    with written_beside(to) as fresh, fresh.open("wb") as file:
        np.savez_compressed(
            file,
            about=np.array([FORMAT, UNIVERSAL_VERSION, steps, int(house_rules)]),
            games=np.array(games),
            rules=np.array([list(row) for row in rule_rows], np.uint8),
            large=network.large.numpy().astype(np.int32),
            inputs=np.array(network.inputs),
            allow_pickle=False,
            **arrays,
        )
    return to.stat().st_size
