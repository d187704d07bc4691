"""Weights on disk: what they were trained for goes with them, and what does not fit is refused."""

import pickle
from pathlib import Path
from typing import Any, Final, NamedTuple

import torch

from canasta.engine.observing.actions import UNIVERSAL_ACTIONS
from canasta.engine.observing.pieces import PREFIX_OF, universal_layout
from canasta.research import UNIVERSAL_VERSION
from training.network import Network

FORMAT: Final = 2


class WrongWeights(Exception):
    """The file is not what is needed; the message says why."""


class Kept(NamedTuple):
    """What a file of weights holds."""

    network: Network
    games: list[str]
    """Those that it was trained for."""
    steps: int
    house_rules: bool
    """It has met house rules."""


def save(file: Path, kept: Kept, optimiser: torch.optim.Optimizer) -> None:
    """Weights in half precision, and beside them what the optimiser remembers of their size."""
    network = kept.network
    shape = {"width": network.enter.out_features, "depth": len(network.blocks)}
    weights = {name: value.detach().half().cpu() for name, value in network.state_dict().items()}
    about = {"format": FORMAT, "layout": UNIVERSAL_VERSION, "games": kept.games, "steps": kept.steps}
    about["house_rules"] = kept.house_rules
    _write(file, {**about, **shape, "weights": weights})
    squares = [optimiser.state[one]["exp_avg_sq"].bfloat16().cpu() for one in _started(optimiser)]
    _write(file.with_suffix(".memory"), {"squares": squares})


def _started(optimiser: torch.optim.Optimizer) -> list[torch.Tensor]:
    return [one for group in optimiser.param_groups for one in group["params"] if one in optimiser.state]


def _write(file: Path, content: dict[str, Any]) -> None:
    fresh = file.with_suffix(".new")
    torch.save(content, fresh)
    fresh.replace(file)


def fresh_network(width: int, depth: int) -> Network:
    return Network(universal_layout().size, UNIVERSAL_ACTIONS, width, depth)


def load_network(file: Path) -> Kept:
    """Raises `WrongWeights`."""
    try:
        kept = torch.load(file, map_location="cpu", weights_only=True)
    except (OSError, RuntimeError, EOFError, pickle.UnpicklingError) as error:
        raise WrongWeights(f"{file} cannot be read as weights: {str(error).splitlines()[0]}") from error
    if not isinstance(kept, dict) or kept.get("format") != FORMAT:
        raise WrongWeights(f"{file} does not hold weights of format {FORMAT}: train it again")
    if kept["layout"] not in (UNIVERSAL_VERSION, *PREFIX_OF):
        raise WrongWeights(
            f"{file} reads layout {kept['layout']} of observations and actions; this is layout "
            f"{UNIVERSAL_VERSION}: train it again"
        )
    network = fresh_network(kept["width"], kept["depth"])
    weights = {name: value.float() for name, value in kept["weights"].items()}
    if kept["layout"] in PREFIX_OF:
        _grow(weights, network, *PREFIX_OF[kept["layout"]])
    for name, value in network.belief.state_dict(prefix="belief.").items():
        weights.setdefault(name, value)  # older files hold no belief
    network.load_state_dict(weights)
    return Kept(network.eval(), list(kept["games"]), int(kept["steps"]), bool(kept.get("house_rules")))


def _grow(weights: dict[str, torch.Tensor], network: Network, inputs: int, actions: int) -> None:
    """Make room in weights for what came after so many inputs and actions; nothing is known of it yet."""
    before = weights["enter.weight"]
    enter = torch.zeros_like(network.enter.weight)
    for part, columns in enumerate((inputs, inputs, before.shape[1] - 2 * inputs)):
        at, was_at = part * network.inputs, part * inputs
        enter[:, at : at + columns] = before[:, was_at : was_at + columns]
    weights["enter.weight"] = enter
    for name in ("policy.weight", "policy.bias"):
        grown = network.state_dict()[name].clone()
        grown[:actions] = weights[name]
        weights[name] = grown


def load_memory(file: Path, optimiser: torch.optim.Optimizer) -> None:
    """What the optimiser remembered, where it was kept."""
    beside = file.with_suffix(".memory")
    if not beside.exists():
        return
    squares = torch.load(beside, map_location="cpu", weights_only=True)["squares"]
    parameters = [one for group in optimiser.param_groups for one in group["params"]]
    if [square.shape for square in squares] != [one.shape for one in parameters]:
        return
    for one, square in zip(parameters, squares, strict=True):
        optimiser.state[one] = {
            "step": torch.tensor(1000.0, device=one.device),
            "exp_avg": torch.zeros_like(one),
            "exp_avg_sq": square.to(one.device, torch.float32),
        }
