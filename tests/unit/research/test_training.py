"""The training package: its processes step tables as the vector environment does, and unfit weights are
refused.

Tests that need PyTorch are skipped without it.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from canasta.bots.learned.coverage import house_rules, unit_of
from canasta.engine.observation.layout import PREFIX_OF
from canasta.engine.seating import sides_of_seats
from canasta.errors import CanastaError
from canasta.research import UNIVERSAL_VERSION, vector_env
from canasta.research.batch import Batch
from canasta.rules import load_ruleset, player_numbers, preset_names
from canasta.rules.loader import values_of
from training.sampler import Sampler, game_of
from training.task_mix import Mix, TableSet, distribute_tables, parse_games, rules_of

CALIENTE = load_ruleset("caliente", 4)


def test_tables_in_groups_are_stepped_as_the_vector_environment_steps_them() -> None:
    table_sets = [TableSet(CALIENTE, 0, 6), TableSet(load_ruleset("jaques", 3), 1, 3, whole_match=False)]
    sampler = Sampler([table_sets, table_sets], groups=2, seed="s")
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
    table_sets = [TableSet(CALIENTE, 0, 3, is_shown=True), TableSet(CALIENTE, 1, 2)]
    sampler = Sampler([table_sets], groups=1, seed="s", advised=True)
    group = sampler.groups[0]
    masks = slice(group.observation_size, group.observation_size + group.action_count)
    alone = Batch(
        game_of(group.table_sets[0]), 3, "margin", memoryview(bytearray(3 * group.plan.row)),
        memoryview(bytearray(3)), memoryview(bytearray(3)), memoryview(bytearray(72)).cast("f"), hidden=True,
    )  # fmt: skip
    alone.reset("s/0", 0)
    for _ in range(60):
        sampler.wait(0)
        assert group.actions[:3].tolist() == alone.advice()
        # Tables without an adviser get the network's choice.
        group.actions[3:] = group.shown[3:, masks].argmax(1)
        alone.step(alone.advice())
        sampler.go(0)
    sampler.close()


def test_a_process_that_has_ended_is_told_in_a_sentence() -> None:
    sampler = Sampler([[TableSet(CALIENTE, 0, 2)]], groups=1, seed="s")
    sampler.wait(0)
    (process,) = sampler._processes
    process.terminate()
    process.join()
    sampler.go(0)
    with pytest.raises(CanastaError, match="a process that steps tables has ended by itself"):
        sampler.wait(0)
    sampler.close()


ALONE = """
import time
from canasta.rules import load_ruleset
from training.task_mix import TableSet
from training.sampler import Sampler

if __name__ == "__main__":
    sampler = Sampler([[TableSet(load_ruleset("caliente", 4), 0, 1)]], groups=1, seed="s")
    sampler.wait(0)
    print(sampler._processes[0].pid, flush=True)
    time.sleep(600)
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="only Linux tells of other processes so")
def test_processes_end_with_the_one_who_gives_orders(tmp_path: Path) -> None:
    script = tmp_path / "alone.py"
    script.write_text(ALONE, encoding="utf-8")
    found = {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    with subprocess.Popen(
        [sys.executable, script], stdout=subprocess.PIPE, env=os.environ | found
    ) as trainer:
        assert trainer.stdout is not None
        worker = Path("/proc") / trainer.stdout.readline().decode().strip() / "stat"
        assert worker.exists()
        trainer.kill()
    until = time.monotonic() + 300
    while is_running(worker):
        assert time.monotonic() < until, "it goes on"
        time.sleep(0.1)


def is_running(stat: Path) -> bool:
    try:
        return ") Z " not in stat.read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_mixture_has_every_game() -> None:
    games = parse_games("all")
    assert len(games) == sum(len(player_numbers(preset)) for preset in preset_names())
    table_sets = distribute_tables(games, 400, Mix())
    assert {table_set.game for table_set in table_sets} == set(range(len(games)))
    assert abs(sum(table_set.count for table_set in table_sets) - 400) < 40
    assert min(table_set.count for table_set in table_sets) > 0
    club = [table_set for table_set in table_sets if table_set.opponents]
    for table_set in club:
        side_of = sides_of_seats(table_set.rules)
        assert set(table_set.opponents.values()) == {"club"}
        learner = [seat for seat in range(len(side_of)) if seat not in table_set.opponents]
        assert learner == [seat for seat, side in enumerate(side_of) if side == side_of[table_set.learns]]
    assert {list(games)[table_set.game] for table_set in club} > {"caliente/4", "bolivia/4", "two-player/2"}
    assert any(not table_set.whole_match for table_set in table_sets)
    assert parse_games("all,bolivia=4") == {**games, "bolivia/4": 4.0}
    assert parse_games("caliente/4=3,jaques") == {"caliente/4": 3.0, "jaques/4": 1.0}
    units = {game: unit_of(load_ruleset(*rules_of(game))) for game in games}
    assert units["caliente/4"] < units["caliente-samba/4"] < units["bolivia/4"]


def test_a_mixture_has_a_league_and_house_rules() -> None:
    games = parse_games("caliente/4=2,jaques/3,hand-and-foot/4")
    table_sets = distribute_tables(games, 240, Mix(league=0.1, house_rules=0.1), "one")
    assert sum(table_set.count for table_set in table_sets) == 240
    league = [table_set for table_set in table_sets if table_set.earlier_sides]
    assert [(table_set.game, table_set.earlier_sides, table_set.learns) for table_set in league] == [
        *((0, 0b10, 0), (0, 0b01, 1)),
        *((1, 0b110, 0), (1, 0b101, 1), (1, 0b011, 2)),
        *((2, 0b10, 0), (2, 0b01, 1)),
    ]
    usual = [load_ruleset(*rules_of(game)) for game in games]
    drawn = [table_set for table_set in table_sets if table_set.rules != usual[table_set.game]]
    assert [sum(table_set.game == number for table_set in drawn) for number in range(3)] == [12, 6, 6]
    assert {table_set.count for table_set in drawn} == {1}
    assert distribute_tables(games, 240, Mix(house_rules=0.1), "one") != distribute_tables(
        games, 240, Mix(house_rules=0.1), "two"
    )
    # A game with such rules counts as learned.
    for table_set in drawn:
        changed = house_rules(values_of(usual[table_set.game]), values_of(table_set.rules))
        assert changed is not None
        preset, players = rules_of(list(games)[table_set.game])
        assert load_ruleset(preset, players, changed) == table_set.rules


def test_the_league_grows_and_each_has_its_turn() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is an extra and is not installed")
    from training.checkpoints import fresh_network  # noqa: PLC0415 - PyTorch may not be installed
    from training.learner import Learner, Plan  # noqa: PLC0415 - as above

    sampler = Sampler([[TableSet(CALIENTE, 0, 2, earlier_sides=1)]], groups=2, seed="s")
    network, older = fresh_network(width=16, depth=1), fresh_network(width=16, depth=1)
    learner = Learner(
        network, torch.optim.AdamW(network.parameters()), sampler, ["caliente/4"],
        Plan(stretch=4, keep_every=1e9), [older.state_dict()],
    )  # fmt: skip
    sampler.close()
    met = []
    for number in range(3):
        learner._meet(number)
        met.append(torch.equal(learner.earlier.enter.weight, older.enter.weight))
    assert met == [True, False, True]
    learner.plan = Plan(stretch=4, keep_every=0.0)
    learner._meet(0)
    assert len(learner.league) == 2


def test_earlier_selves_are_kept_and_met_again(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is an extra and is not installed")
    from training.checkpoints import MOST_SELVES, fresh_network, load_league, save_league  # noqa: PLC0415

    network = fresh_network(width=16, depth=1)
    file = tmp_path / "w.pt"
    assert load_league(file, network) == []
    selves = [fresh_network(width=16, depth=1).state_dict() for _ in range(MOST_SELVES + 2)]
    save_league(file, selves)
    again = load_league(file, network)
    assert len(again) == MOST_SELVES
    for one, two in zip(again, selves[2:], strict=True):
        assert torch.allclose(one["policy.weight"], two["policy.weight"], atol=1e-3)
        network.load_state_dict(one)
    # For another network size, the league is empty.
    assert load_league(file, fresh_network(width=24, depth=1)) == []


def test_a_duel_of_two_networks_and_of_one_by_house_rules(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is an extra and is not installed")
    from training.checkpoints import Checkpoint, fresh_network, save  # noqa: PLC0415 - as above
    from training.evaluate import DuelRequest, _play  # noqa: PLC0415 - PyTorch may not be installed

    files = [tmp_path / "one.pt", tmp_path / "two.pt"]
    for seed, file in enumerate(files):
        torch.manual_seed(seed)
        network = fresh_network(width=16, depth=1)
        optimiser = torch.optim.AdamW(network.parameters())
        save(file, Checkpoint(network, ["hand-and-foot/4"], 0, house_rules=False), optimiser)
    one, two = files
    # Against itself with the same cards, the result is exactly even.
    assert _play(DuelRequest(one, "hand-and-foot/4", str(one)), ["a"]) == [(0.0, 8, 0.5)]
    assert _play(DuelRequest(one, "hand-and-foot/4", str(two)), ["a"])[0][0] != 0.0
    by_house = DuelRequest(one, "hand-and-foot/3", "novice", house_rules=True)
    assert [hands for _, hands, _ in _play(by_house, ["a", "b"])] == [12, 12]


def test_exported_weights_sit_down_as_an_opponent(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is an extra and is not installed")
    from training.checkpoints import Checkpoint, fresh_network, save  # noqa: PLC0415 - as above
    from training.export import export  # noqa: PLC0415 - PyTorch may not be installed

    network = fresh_network(width=16, depth=1)
    kept = Checkpoint(network, ["caliente/4"], 0, house_rules=False)
    save(tmp_path / "w.pt", kept, torch.optim.AdamW(network.parameters()))
    export(tmp_path / "w.pt", tmp_path / "earlier.npz")
    opponents = dict.fromkeys((1, 3), tmp_path / "earlier.npz")
    with vector_env(4, CALIENTE, layout="universal", opponents=opponents) as tables:
        tables.reset(1)
        tables.step_randomly(20)
        assert set(tables.seats.tolist()) <= {0, 2}
    with pytest.raises(ValueError, match="not trained for these rules of jaques with 4 players"):
        vector_env(4, "jaques", layout="universal", opponents=opponents)
    with pytest.raises(ValueError, match=r"no opponent .*choose one of"):
        vector_env(4, CALIENTE, layout="universal", opponents={1: tmp_path / "w.pt"})


def test_a_stretch_of_learning(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is an extra and is not installed")
    from training.checkpoints import (  # noqa: PLC0415 - PyTorch may not be installed
        Checkpoint,
        WeightsError,
        fresh_network,
        load_memory,
        load_network,
        save,
    )
    from training.learner import Learner, Plan  # noqa: PLC0415 - as above

    torch.manual_seed(0)
    table_sets = [
        TableSet(CALIENTE, 0, 4, is_shown=True),
        *(
            TableSet(CALIENTE, 0, 2, opponents={0: "club", 2: "club"}),
            TableSet(CALIENTE, 0, 2, earlier_sides=2),
        ),
        TableSet(load_ruleset("bolivia", 6), 1, 2),
    ]
    network = fresh_network(width=16, depth=1)
    optimiser = torch.optim.AdamW(network.parameters(), lr=1e-3)
    before = [parameter.detach().clone() for parameter in network.parameters()]
    sampler = Sampler([table_sets], groups=2, seed="s", advised=True)
    plan = Plan(seconds=1e9, imitate=1e-9, stretch=24, batch=64)
    learner = Learner(network, optimiser, sampler, ["caliente/4", "bolivia/6"], plan)
    first, second = learner.stretches
    for number, (stretch, imitates) in enumerate(((first, True), (second, False))):
        learner._meet(number)
        learner._play(stretch, imitates, iter(()))
        learner._finish(learner._learn(stretch))
        learner._count(stretch)
    sampler.close()
    # The moves that club advised are imitated, and only during the first stretch.
    assert first.imitated.all(0).nonzero().squeeze(1).tolist() == [0, 1, 2, 3, 10, 11, 12, 13]
    assert not second.imitated.any()
    entry = learner.stats.entry()
    assert entry.steps == 2 * 24 * 20
    assert entry.belief_loss is not None
    assert 0.0 < entry.belief_loss < 1.5
    # The next entry covers only what happens after it.
    after = learner.stats.entry()
    assert after.steps == entry.steps
    assert after.steps_a_second is after.entropy is None
    assert not after.over_club
    # Nothing is learned from the moves of an earlier self in the league.
    in_league = second.in_league.nonzero().squeeze(1).tolist()
    assert in_league == [6, 7, 16, 17]
    theirs = second.seats[:, in_league] % 2 == 1
    assert theirs.any()
    assert not theirs.all()
    assert not second.choices[:, in_league][theirs].any()
    assert second.choices[:, in_league][~theirs].any()
    assert learner.updates > 2
    assert all((one != two).any() for one, two in zip(before, network.parameters(), strict=True))
    for one, two in zip(learner.player.parameters(), network.parameters(), strict=True):
        assert (one == two).all()

    file = tmp_path / "weights.pt"
    save(file, Checkpoint(network, ["caliente/4"], 7, house_rules=True), optimiser)
    again, *about = load_network(file)
    assert about == [["caliente/4"], 7, True]
    other = torch.optim.AdamW(again.parameters())
    load_memory(file, other)
    assert other.state[again.policy.weight]["exp_avg_sq"].any()
    kept = torch.load(file, weights_only=True)
    torch.save({**kept, "layout": UNIVERSAL_VERSION + 1}, file)
    with pytest.raises(WeightsError, match="this is layout 4: train it again"):
        load_network(file)
    file.write_bytes(b"none")
    with pytest.raises(WeightsError, match="cannot be read as weights"):
        load_network(file)


def test_older_weights_grow_into_a_larger_layout(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is an extra and is not installed")
    from training.checkpoints import Checkpoint, fresh_network, load_network, save  # noqa: PLC0415 - as above

    inputs, actions = PREFIX_OF[3]
    torch.manual_seed(0)
    network = fresh_network(width=16, depth=1)
    file = tmp_path / "older.pt"
    save(
        file,
        Checkpoint(network, ["caliente/4"], 0, house_rules=False),
        torch.optim.AdamW(network.parameters()),
    )
    kept = torch.load(file, weights_only=True)
    weights = kept["weights"]
    large = int((network.large < inputs).sum())
    enter = weights["enter.weight"].split([network.inputs, network.inputs, len(network.large)], 1)
    weights["enter.weight"] = torch.cat([enter[0][:, :inputs], enter[1][:, :inputs], enter[2][:, :large]], 1)
    for name in ("policy.weight", "policy.bias"):
        weights[name] = weights[name][:actions]
    del weights["belief.weight"], weights["belief.bias"]
    torch.save({**kept, "layout": 3}, file)
    seen = torch.randint(0, 60, (4, network.inputs), dtype=torch.uint8)
    seen[:, inputs:] = 0
    mask = torch.ones((4, network.policy.out_features), dtype=torch.uint8)
    grown = load_network(file).network
    with torch.no_grad():
        before, after = network(seen, mask)[0], grown(seen, mask)[0]
    assert torch.allclose(before[:, :actions], after[:, :actions], atol=0.01)
    assert not grown.enter.weight[:, inputs : network.inputs].any()


def test_self_play_counts_the_hands_of_each_game(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is an extra and is not installed")
    from training.checkpoints import Checkpoint, fresh_network, save  # noqa: PLC0415 - as above
    from training.self_play import self_play  # noqa: PLC0415 - as above

    network = fresh_network(width=16, depth=1)
    save(
        tmp_path / "w.pt",
        Checkpoint(network, [], 0, house_rules=False),
        torch.optim.AdamW(network.parameters()),
    )
    lines = self_play(tmp_path / "w.pt", "caliente/4,two-player/2", 1, tables=8, processes=2, seed="s")
    assert [line.split(":")[0] for line in lines] == ["caliente/4", "two-player/2"]
    assert all(int(line.split()[1]) >= 1 for line in lines)
