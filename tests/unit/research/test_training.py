"""The folder that trains: its processes step tables as the vector environment does, weights that do not fit
are refused with a sentence. What needs PyTorch is skipped where it is not installed."""

from pathlib import Path

import numpy as np
import pytest

from canasta.research import UNIVERSAL_VERSION, vector_env
from canasta.research.batch import Batch
from canasta.rules import load_ruleset, player_numbers, preset_names
from training.mixture import Sort, rules_of, sorts_of, unit_of, weighed
from training.sampler import Sampler, game_of

CALIENTE = load_ruleset("caliente", 4)


def test_tables_in_groups_are_stepped_as_the_vector_environment_steps_them() -> None:
    sorts = [Sort(CALIENTE, 0, 6), Sort(load_ruleset("jaques", 3), 1, 3, whole_match=False)]
    sampler = Sampler(sorts, groups=2, processes=2, seed="s")
    with vector_env(6, CALIENTE, episode="match", rewards="margin", layout="universal") as env:
        env.reset("s/0")
        group = sampler.groups[0]
        masks = slice(group.observation_size, group.observation_size + group.action_count)
        for _ in range(300):
            for number in range(2):
                sampler.wait(number)
            assert (group.shown[:6, : group.observation_size] == env.observations).all()
            assert (group.shown[:6, masks] == env.masks).all()
            assert (group.acting[:6] == env.seats).all()
            assert (group.rewards[:6] == env.rewards).all()
            actions = env.sample()
            for each in sampler.groups:
                each.actions[:] = each.shown[:, masks].argmax(1)
            group.actions[:6] = actions
            env.step(actions)
            for number in range(2):
                sampler.go(number)
        assert np.any(env.seats != env.seats[0])
    sampler.close()


def test_advice_of_club_is_there_when_it_is_wanted() -> None:
    sampler = Sampler([Sort(CALIENTE, 0, 3)], groups=1, processes=1, seed="s", advised=True)
    group = sampler.groups[0]
    alone = Batch(
        game_of(group.sorts[0]), 3, "margin", memoryview(bytearray(3 * group.plan.row)),
        memoryview(bytearray(3)), memoryview(bytearray(3)), memoryview(bytearray(72)).cast("f"), hidden=True,
    )  # fmt: skip
    alone.reset("s/0", 0)
    for _ in range(60):
        sampler.wait(0)
        assert group.actions.tolist() == alone.advice()
        alone.step(alone.advice())
        sampler.go(0)
    sampler.close()


def test_a_mixture_has_every_game() -> None:
    games = weighed("all")
    assert len(games) == sum(len(player_numbers(preset)) for preset in preset_names())
    sorts = sorts_of(games, 400)
    assert {sort.game for sort in sorts} == set(range(len(games)))
    assert abs(sum(sort.count for sort in sorts) - 400) < 40
    assert min(sort.count for sort in sorts) > 0
    club = [sort for sort in sorts if sort.club_sides]
    for sort in club:
        assert sum(sort.club_sides >> side & 1 for side in range(3)) == sort.rules.seats.sides - 1
    assert {list(games)[sort.game] for sort in club} > {"caliente/4", "bolivia/4", "two-player/2"}
    assert any(not sort.whole_match for sort in sorts)
    assert weighed("all,bolivia=4") == {**games, "bolivia/4": 4.0}
    assert weighed("caliente/4=3,jaques") == {"caliente/4": 3.0, "jaques/4": 1.0}
    units = {game: unit_of(load_ruleset(*rules_of(game))) for game in games}
    assert units["caliente/4"] < units["caliente-samba/4"] < units["bolivia/4"]


def test_a_stretch_of_learning(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is an extra and is not installed")
    from training.keeping import (  # noqa: PLC0415 - PyTorch may not be installed
        WrongWeights,
        fresh_network,
        load_memory,
        load_network,
        save,
    )
    from training.learner import Learner, Plan  # noqa: PLC0415 - likewise

    torch.manual_seed(0)
    sorts = [Sort(CALIENTE, 0, 6), Sort(CALIENTE, 0, 2, club_sides=1), Sort(load_ruleset("bolivia", 6), 1, 2)]
    network = fresh_network(width=16, depth=1)
    optimiser = torch.optim.AdamW(network.parameters(), lr=1e-3)
    before = [parameter.detach().clone() for parameter in network.parameters()]
    sampler = Sampler(sorts, groups=2, processes=1, seed="s", advised=True)
    plan = Plan(seconds=1e9, imitate=1e-9, stretch=24, batch=64)
    learner = Learner(network, optimiser, sampler, ["caliente/4", "bolivia/6"], plan)
    first, second = learner.stretches
    for stretch, imitates in ((first, True), (second, False)):
        learner._play(stretch, imitates, iter(()))
        learner._finish(learner._learn(stretch, imitates))
        learner._count(stretch)
    sampler.close()
    assert learner.told.steps == 2 * 24 * 20
    assert learner.updates > 2
    assert all((one != two).any() for one, two in zip(before, network.parameters(), strict=True))
    for one, two in zip(learner.player.parameters(), network.parameters(), strict=True):
        assert (one == two).all()

    file = tmp_path / "weights.pt"
    save(file, network, optimiser, ["caliente/4"], 7)
    again, games, steps = load_network(file)
    assert (games, steps) == (["caliente/4"], 7)
    other = torch.optim.AdamW(again.parameters())
    load_memory(file, other)
    assert other.state[again.policy.weight]["exp_avg_sq"].any()
    kept = torch.load(file, weights_only=True)
    torch.save({**kept, "layout": UNIVERSAL_VERSION + 1}, file)
    with pytest.raises(WrongWeights, match="this is layout 4: train it again"):
        load_network(file)
    file.write_bytes(b"none")
    with pytest.raises(WrongWeights, match="cannot be read as weights"):
        load_network(file)
