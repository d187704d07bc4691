"""Weights on disk, with a description of their training. Files that don't fit are rejected."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeGuard

import torch

from canasta.engine.observation.layout import PREFIX_OF, UNIVERSAL_ACTIONS, universal_layout
from canasta.errors import CanastaError
from canasta.research import UNIVERSAL_VERSION
from training.network import Diverged, Network, Weights, are_finite

FORMAT: Final = 2
MOST_SELVES: Final = 6
"""Maximum number of earlier versions of the network saved with the weights."""


class WeightsError(CanastaError):
    """Raised if a file can't be used; the message says why."""


class Checkpoint(NamedTuple):
    """The contents of a weights file."""

    network: Network
    games: list[str]
    """The games it was trained for."""
    steps: int
    house_rules: bool
    """Whether house rules occurred in training."""


def save(file: Path, kept: Checkpoint, optimiser: torch.optim.Optimizer) -> None:
    """Save the weights in half precision, and next to them the optimiser's second moments.

    Raise `Diverged` if the weights are not finite; the previous files are then kept.
    """
    network = kept.network
    shape = {"width": network.enter.out_features, "depth": len(network.blocks)}
    weights = {name: value.detach().half().cpu() for name, value in network.state_dict().items()}
    if not are_finite(weights.values()):
        raise Diverged
    about = {"format": FORMAT, "layout": UNIVERSAL_VERSION, "games": kept.games, "steps": kept.steps}
    about["house_rules"] = kept.house_rules
    _write(file, {**about, **shape, "weights": weights})
    squares = [optimiser.state[one]["exp_avg_sq"].bfloat16().cpu() for one in _started(optimiser)]
    _write(file.with_suffix(".memory"), {"squares": squares})


def _started(optimiser: torch.optim.Optimizer) -> list[torch.Tensor]:
    return [one for group in optimiser.param_groups for one in group["params"] if one in optimiser.state]


def _write(file: Path, content: dict[str, Any]) -> None:
    with written_beside(file) as fresh, fresh.open("wb") as to:
        torch.save(content, to)


@contextmanager
def written_beside(file: Path) -> Iterator[Path]:
    """Yield a temporary path that replaces the file on success. Raise `CanastaError` on failure."""
    if file.exists() and not file.is_file():
        raise CanastaError(f"{file} cannot be written: it is no file.")
    fresh = file.with_name(f"{file.name}.new")
    try:
        yield fresh
        fresh.replace(file)
    except (OSError, RuntimeError) as error:  # PyTorch raises RuntimeError if the disk is full
        with suppress(OSError):
            fresh.unlink()
        why = getattr(error, "strerror", None) or str(error).partition("\n")[0]
        raise CanastaError(f"{file} cannot be written: {why}.") from error


def _read(file: Path, what: str) -> dict[object, Any]:
    """Read a file saved by PyTorch as a dictionary. Raise `WeightsError` if that fails."""
    try:
        kept = torch.load(file, map_location="cpu", weights_only=True)
    except OSError as error:
        raise WeightsError(f"{file} cannot be read as {what}: {error.strerror or error}.") from error
    except Exception as error:  # a file that PyTorch didn't write may raise anything
        raise WeightsError(f"{file} cannot be read as {what}: PyTorch has not written it.") from error
    return kept if isinstance(kept, dict) else {}


def fresh_network(width: int, depth: int) -> Network:
    return Network(universal_layout().size, UNIVERSAL_ACTIONS, width, depth)


def load_network(file: Path) -> Checkpoint:
    """Load a weights file. Raise `WeightsError` if it is invalid."""
    kept = _read(file, "weights")
    about = {name: value for name, value in kept.items() if isinstance(value, int)}
    if about.get("format") != FORMAT:
        raise WeightsError(f"{file} does not hold weights of format {FORMAT}: train it again.")
    layout = about.get("layout", 0)
    if layout not in (UNIVERSAL_VERSION, *PREFIX_OF):
        raise WeightsError(
            f"{file} reads layout {layout} of observations and actions; this is layout "
            f"{UNIVERSAL_VERSION}: train it again."
        )
    games, steps, weights = kept.get("games"), about.get("steps", -1), kept.get("weights")
    if not isinstance(games, list) or not all(isinstance(game, str) for game in games):
        raise WeightsError(f"{file} does not name the games of its weights.")
    if steps < 0:
        raise WeightsError(f"{file} does not tell how many steps its weights have learned from.")
    if not _are_weights(weights):
        raise WeightsError(f"{file} holds weights that are no numbers.")
    try:
        network = _network(layout, about.get("width"), about.get("depth"), weights)
    except (KeyError, IndexError, RuntimeError) as error:
        raise WeightsError(f"{file} holds weights of another size than it says.") from error
    return Checkpoint(network, games, steps, bool(about.get("house_rules")))


def _are_weights(value: object) -> TypeGuard[Weights]:
    return (
        isinstance(value, dict)
        and all(isinstance(name, str) for name in value)
        and _are_numbers(list(value.values()))
    )


def _are_numbers(values: object) -> TypeGuard[list[torch.Tensor]]:
    """Return whether the value is a list of tensors of finite numbers."""
    return (
        isinstance(values, list)
        and all(isinstance(value, torch.Tensor) and value.is_floating_point() for value in values)
        and are_finite(values)
    )


def _network(layout: int, width: int | None, depth: int | None, kept: Weights) -> Network:
    """Build the network.

    Raise `KeyError`, `IndexError` or `RuntimeError` if the weights have another size.
    """
    there = {name.split(".")[1] for name in kept if name.startswith("blocks.")}
    if not width or not depth or (width, depth) != (kept["enter.weight"].shape[0], len(there)):
        raise IndexError
    network = fresh_network(width, depth)
    weights = {name: value.float() for name, value in kept.items()}
    if layout in PREFIX_OF:
        _grow(weights, network, *PREFIX_OF[layout])
    for name, value in network.belief.state_dict(prefix="belief.").items():
        weights.setdefault(name, value)  # older files have no belief
    network.load_state_dict(weights)
    network.eval()
    return network


def load_earlier(file: Path, network: Network) -> Weights:
    """Load an earlier version of the network. Raise `WeightsError` if it doesn't fit."""
    weights = load_network(file).network.state_dict()
    if not _are_alike(weights, network):
        raise WeightsError(f"{file} is of another width or depth than the network that learns.")
    return _beside(weights, network)


def _are_alike(weights: Weights, network: Network) -> bool:
    now = network.state_dict()
    return {name: value.shape for name, value in weights.items()} == {n: v.shape for n, v in now.items()}


def _beside(weights: Weights, network: Network) -> Weights:
    """Return the weights on the network's device and in its precision."""
    now = network.state_dict()
    return {name: value.to(now[name].device, now[name].dtype) for name, value in weights.items()}


def _grow(weights: Weights, network: Network, inputs: int, actions: int) -> None:
    """Extend weights by the inputs and actions that were added later, with values that have no effect."""
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


def save_league(file: Path, selves: list[Weights]) -> None:
    """Save the latest of the earlier versions next to the weights."""
    kept = [
        {name: value.detach().half().cpu() for name, value in one.items()} for one in selves[-MOST_SELVES:]
    ]
    _write(file.with_suffix(".league"), {"selves": kept})


def load_league(file: Path, network: Network) -> list[Weights]:
    """Load the saved earlier versions that have the network's shape. Raise `WeightsError` if the file is
    invalid.
    """
    beside = file.with_suffix(".league")
    if not beside.exists():
        return []
    selves = _read(beside, "a league").get("selves")
    if not isinstance(selves, list) or not all(map(_are_weights, selves)):
        raise WeightsError(f"{beside} holds no earlier selves: without it the league begins anew.")
    return [_beside(one, network) for one in selves if _are_alike(one, network)]


def load_memory(file: Path, optimiser: torch.optim.Optimizer) -> None:
    """Restore the optimiser's second moments, if they were saved.

    Raise `WeightsError` if the file is invalid.
    """
    beside = file.with_suffix(".memory")
    if not beside.exists():
        return
    squares = _read(beside, "the memory of learning").get("squares")
    if not _are_numbers(squares) or any(bool((square < 0).any()) for square in squares):
        raise WeightsError(f"{beside} holds no memory of learning: without it, it begins anew.")
    parameters = [one for group in optimiser.param_groups for one in group["params"]]
    if [square.shape for square in squares] != [one.shape for one in parameters]:
        return
    for one, square in zip(parameters, squares, strict=True):
        optimiser.state[one] = {
            "step": torch.tensor(1000.0, device=one.device),
            "exp_avg": torch.zeros_like(one),
            "exp_avg_sq": square.to(one.device, torch.float32),
        }
