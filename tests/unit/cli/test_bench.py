"""The engine benchmark, `canasta bench engine`."""

import json

import pytest
from unit.cli.conftest import Run

from canasta.arena.benchmark import RandomTable, checksum, copy_cost, measure
from canasta.rules import default_players, load_ruleset, player_numbers, preset_names


@pytest.mark.interpreted
@pytest.mark.parametrize("name", preset_names())
def test_the_work_is_the_same_each_time(name: str) -> None:
    rules = load_ruleset(name)
    assert checksum(rules, 2) == checksum(rules, 2)
    assert len(checksum(rules, 1)) == 12
    assert checksum(rules, 1) != checksum(rules, 2)


def test_other_rules_are_other_work() -> None:
    assert checksum(load_ruleset("caliente"), 1) != checksum(
        load_ruleset("caliente", None, {"hand_size": 12}), 1
    )


def test_a_measurement_counts_whole_hands() -> None:
    rules = load_ruleset("caliente")
    one = measure(rules, 0)
    assert one.hands == 1
    assert one.moves == RandomTable(rules, "bench").play_hand()
    assert one.moves_per_second == pytest.approx(one.moves / one.seconds)
    assert one.hands_per_second == pytest.approx(1 / one.seconds)
    assert one.copy_microseconds > 0
    assert measure(rules, 0.05).seconds >= 0.05


def test_a_copy_costs_less_than_a_hand() -> None:
    assert 0 < copy_cost(load_ruleset("two-player"), 0.01) < 0.001


def test_players_who_sit_out_take_turns() -> None:
    table = RandomTable(load_ruleset("caliente", 5), "five")
    playing = [set(table.deal().order) for _ in range(3)]
    assert [len(seats) for seats in playing] == [4, 4, 4]
    assert set.union(*playing) == {0, 1, 2, 3, 4}


def test_every_game_is_measured(run: Run) -> None:
    result = run("bench", "engine", "--seconds", "0")
    lines = result.stdout.splitlines()
    games = [line.split()[:2] for line in lines[2 : 2 + len(preset_names())]]
    assert games == [[name, str(default_players(name))] for name in preset_names()]
    assert " engine, " in lines[-1]
    assert result.stderr.splitlines()[0] == f"1 of {len(preset_names())}: caliente, 4 players"


def test_measurements_as_data(run: Run) -> None:
    data = json.loads(
        run("bench", "engine", "-s", "0", "-r", "jaques", "-r", "caliente", "-p", "3", "--json").stdout
    )
    assert [(result["rules"], result["players"]) for result in data["results"]] == [
        ("jaques", 3),
        ("caliente", 3),
    ]
    assert data["results"][0]["checksum"] == checksum(load_ruleset("jaques", 3))
    assert data["results"][0]["moves_per_second"] > 0
    assert isinstance(data["compiled"], bool)


def test_games_that_do_not_fit_the_players_are_left_out(run: Run) -> None:
    data = json.loads(run("bench", "engine", "-s", "0", "-p", "3", "--json").stdout)
    assert [result["rules"] for result in data["results"]] == [
        n for n in preset_names() if 3 in player_numbers(n)
    ]


@pytest.mark.parametrize("words", [["-r", "calente"], ["-p", "9"], ["-r", "two-player", "-p", "4"]])
def test_what_cannot_be_measured(run: Run, words: list[str]) -> None:
    result = run("bench", "engine", "-s", "0", *words)
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
