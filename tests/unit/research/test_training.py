"""The folder that trains: its processes step tables as the vector environment does, weights that do not fit
are refused with a sentence. What needs PyTorch is skipped where it is not installed."""

from pathlib import Path

import numpy as np
import pytest

from canasta.research import OBSERVATION_VERSION, vector_env
from canasta.rules import load_ruleset
from training.sampler import Sampler


def test_tables_in_groups_are_stepped_as_the_vector_environment_steps_them() -> None:
    rules = load_ruleset("caliente", 4)
    sampler = Sampler([rules, load_ruleset("jaques", 4)], tables=12, processes=2, seed="s")
    with vector_env(6, rules, episode="match", rewards="margin") as env:
        env.reset("s/0")
        group = sampler.groups[0]
        for _ in range(400):
            for number in range(2):
                sampler.wait(number)
            assert (group.shown[:, : group.observation_size] == env.observations).all()
            assert (group.shown[:, group.observation_size :] == env.masks).all()
            assert (group.acting == env.seats).all()
            assert (group.rewards == env.rewards).all()
            actions = env.sample()
            group.actions[:] = actions
            other = sampler.groups[1]
            other.actions[:] = other.shown[:, other.observation_size :].argmax(1)
            env.step(actions)
            for number in range(2):
                sampler.go(number)
        assert np.any(env.seats != env.seats[0])
    sampler.close()


def test_weights_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is an extra and is not installed")
    keeping = pytest.importorskip("training.keeping")
    network = pytest.importorskip("training.network").Network(352, 91, width=16, depth=1)
    optimiser = torch.optim.AdamW(network.parameters())
    file = tmp_path / "weights.pt"
    keeping.save(file, network, optimiser, ["caliente/4"], 0)
    assert keeping.load_network(file)[1] == ["caliente/4"]
    assert keeping.load_network(file, ["jaques/4"])[1] == ["jaques/4"]
    with pytest.raises(keeping.WrongWeights, match="bolivia/4 has"):
        keeping.load_network(file, ["bolivia/4"])
    kept = torch.load(file, weights_only=True)
    torch.save({**kept, "observations": OBSERVATION_VERSION + 1}, file)
    with pytest.raises(keeping.WrongWeights, match="train it again"):
        keeping.load_network(file)
