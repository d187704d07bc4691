"""Weights on disk: what they were trained for goes with them, and what does not fit is refused."""

import pickle
from pathlib import Path
from typing import Any, Final

import torch

from canasta.research import OBSERVATION_VERSION
from canasta.research.episode import Game
from canasta.rules import load_ruleset
from training.network import Network

FORMAT: Final = 1


class WrongWeights(Exception):
    """The file is not what is needed; the message says why."""


def rules_of(game: str) -> tuple[str, int]:
    """`caliente/4`: a preset and a number of players."""
    name, _, players = game.partition("/")
    return name, int(players or 4)


def save(
    file: Path, network: Network, optimiser: torch.optim.Optimizer, games: list[str], steps: int
) -> None:
    """Weights in half precision, and beside them what the optimiser remembers."""
    sizes = {"inputs": network.enter.in_features // 3, "actions": network.policy.out_features}
    shape = {"width": network.enter.out_features, "depth": len(network.blocks)}
    weights = {name: value.detach().half().cpu() for name, value in network.state_dict().items()}
    about = {"format": FORMAT, "observations": OBSERVATION_VERSION, "games": games, "steps": steps}
    _write(file, {**about, **sizes, **shape, "weights": weights})
    memory = optimiser.state_dict()
    kept = {
        number: {
            name: value.cpu().bfloat16() if value.dim() else value.cpu() for name, value in state.items()
        }
        for number, state in memory["state"].items()
    }
    _write(file.with_suffix(".memory"), {**memory, "state": kept})


def _write(file: Path, content: dict[str, Any]) -> None:
    fresh = file.with_suffix(".new")
    torch.save(content, fresh)
    fresh.replace(file)


def load_network(file: Path, games: list[str] | None = None) -> tuple[Network, list[str]]:
    """The network and the games that it was trained for, or as many others to which it is put now.
    Raises `WrongWeights`."""
    try:
        kept = torch.load(file, map_location="cpu", weights_only=True)
    except (OSError, RuntimeError, EOFError, pickle.UnpicklingError) as error:
        raise WrongWeights(f"{file} cannot be read as weights: {str(error).splitlines()[0]}") from error
    if not isinstance(kept, dict) or kept.get("format") != FORMAT:
        raise WrongWeights(f"{file} does not hold weights of format {FORMAT}")
    if kept["observations"] != OBSERVATION_VERSION:
        raise WrongWeights(
            f"{file} reads observations of version {kept['observations']}; these are {OBSERVATION_VERSION}: "
            "train it again"
        )
    if games is not None and len(games) != len(kept["games"]):
        raise WrongWeights(f"{file} was trained for {len(kept['games'])} games, not for {len(games)}")
    games = games or list(kept["games"])
    for name in games:
        game = Game(load_ruleset(*rules_of(name)), whole_match=True)
        if (game.marks.layout.size, game.actions) != (kept["inputs"], kept["actions"]):
            raise WrongWeights(
                f"{file} was trained with {kept['inputs']} inputs and {kept['actions']} actions; "
                f"{name} has {game.marks.layout.size} and {game.actions} now: train it again"
            )
    network = Network(kept["inputs"], kept["actions"], len(games), kept["width"], kept["depth"])
    network.load_state_dict({name: value.float() for name, value in kept["weights"].items()})
    return network.eval(), games


def load_memory(file: Path, optimiser: torch.optim.Optimizer) -> None:
    """What the optimiser remembered, where it was kept."""
    beside = file.with_suffix(".memory")
    if not beside.exists():
        return
    memory = torch.load(beside, map_location="cpu", weights_only=True)
    for state in memory["state"].values():
        for name, value in state.items():
            state[name] = value.float() if value.dim() else value
    optimiser.load_state_dict(memory)
