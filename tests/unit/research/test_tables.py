"""The PettingZoo tables, beyond what the conformance tests check."""

import numpy as np
import pytest

from canasta import research
from canasta.engine.rule_tables import minimum_for
from canasta.research.episode import REWARDS, cost_of_illegal, largest_hand, side_rewards
from canasta.research.pettingzoo_env import CanastaTable
from canasta.rules import RulesetError, load_ruleset, preset_names


def play_out(table: CanastaTable) -> dict[str, float]:
    choice = np.random.default_rng(0)
    sums = dict.fromkeys(table.possible_agents, 0.0)
    for agent in table.agent_iter():
        observation, reward, terminated, truncated, _ = table.last()
        sums[agent] += reward
        ended = terminated or truncated
        table.step(None if ended else int(choice.choice(np.flatnonzero(observation["action_mask"]))))
    return sums


@pytest.mark.parametrize("rewards", ["points", "margin", "result"])
def test_partners_are_paid_alike(rewards: str) -> None:
    table = research.env("caliente", 4, rewards=rewards)
    table.reset(seed=3)
    sums = play_out(table)
    assert sums["player_0"] == sums["player_2"]
    assert sums["player_1"] == sums["player_3"]
    points = table.episode.points
    expected = {
        "points": points,
        "margin": [points[0] - points[1], points[1] - points[0]],
        "result": [1, -1] if points[0] > points[1] else [-1, 1],
    }[rewards]
    assert [sums["player_0"], sums["player_1"]] == expected


def test_an_illegal_action_ends_the_episode_or_is_refused() -> None:
    table = research.env("caliente", 4)
    table.reset(seed=1)
    agent = table.agent_selection
    table.step(table.action_space(agent).n - 1)
    assert table.terminations[agent]
    assert table.rewards[agent] == cost_of_illegal("points", table.game.tables)
    assert table.infos[agent] == {"illegal": True}
    strict = research.raw_env("caliente", 4)
    strict.reset(seed=1)
    with pytest.raises(ValueError, match="not legal for player_"):
        strict.step(90)
    assert not any(strict.terminations.values())


@pytest.mark.parametrize("rewards", REWARDS)
@pytest.mark.parametrize("preset", preset_names())
def test_an_illegal_action_costs_more_than_any_hand(preset: str, rewards: str) -> None:
    table = research.env(preset, rewards=rewards)
    tables = table.game.tables
    cost = cost_of_illegal(rewards, tables)
    worst = largest_hand(tables)
    # The most that one side can lose, while the others win the most that they can.
    points = [-worst + 1] + [worst - 1] * (table.game.sides - 1)
    assert cost < min(side_rewards(rewards, points, points, True))
    choice = np.random.default_rng(1)
    for seed in range(3):
        table.reset(seed=seed)
        play_out(table)
        assert max(map(abs, table.episode.points)) < worst
        table.reset(seed=seed)
        for _ in range(int(choice.integers(0, 30))):
            table.step(int(np.flatnonzero(table.observe(table.agent_selection)["action_mask"])[0]))
        agent = table.agent_selection
        table.step(-1)
        assert table.rewards[agent] == cost


def test_hands_that_start_from_random_totals_see_every_minimum() -> None:
    for preset in preset_names():
        rules = load_ruleset(preset)
        table = research.raw_env(rules, start_scores="random")
        seen = set()
        for seed in range(80):
            table.reset(seed=seed)
            episode = table.episode
            minimums = [episode.state.minimum(side) for side in range(episode.state.sides)]
            assert minimums == [minimum_for(rules, score, episode.hand_number) for score in episode.scores]
            assert all(score < rules.match.target or rules.match.rounds for score in episode.scores)
            seen |= set(minimums)
        below = () if rules.opening.by_round else (rules.opening.below_zero,)
        assert seen == {*rules.opening.minimums, *below}, preset


def test_random_totals_are_seeded_and_told_and_do_not_pay() -> None:
    one, two = (research.env("jaques", start_scores="random", rewards="result") for _ in range(2))
    for table in (one, two):
        table.reset(seed=7)
    assert one.episode.scores == two.episode.scores != [0, 0]
    agent = one.agent_selection
    assert (one.observe(agent)["observation"] == two.observe(agent)["observation"]).all()
    sums = play_out(one)
    points = one.episode.points
    assert (sums["player_0"] > 0) == (points[0] > points[1])
    with pytest.raises(ValueError, match="a match starts from zero"):
        research.env(episode="match", start_scores="random")
    with pytest.raises(ValueError, match="start_scores is 'some'; choose one of zero, random"):
        research.vector_env(2, start_scores="some")


def test_nothing_goes_before_the_reset() -> None:
    table = research.env()
    for ask in (lambda: table.step(0), lambda: table.observe("player_0"), table.render):
        with pytest.raises(RuntimeError, match="reset"):
            ask()


def test_only_the_seat_to_act_has_actions() -> None:
    table = research.env("jaques", 3)
    table.reset(seed=5)
    for agent in table.agents:
        assert table.observe(agent)["action_mask"].any() == (agent == table.agent_selection)


def test_text_and_picture_show_only_the_own_hand() -> None:
    table = research.env("caliente", 4, render_mode="ansi")
    table.reset(seed=2)
    text = str(table.render())
    assert text.count("holds") == 1
    assert f"seat {table.agent_selection[-1]} holds" in text
    picture = research.env("caliente", 4, render_mode="rgb_array")
    picture.reset(seed=2)
    assert len(np.unique(np.asarray(picture.render()).reshape(-1, 3), axis=0)) > 3


def test_actions_have_names() -> None:
    for preset in ("caliente", "bolivia"):
        names = research.action_names(preset)
        assert len(set(names)) == len(names)
    table = research.env("caliente")
    table.reset(seed=0)
    assert table.action_text(0) == "draw"


def test_what_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="choose one of hand, match"):
        research.env(episode="evening")
    with pytest.raises(ValueError, match="choose one of points"):
        research.env(rewards="gold")
    with pytest.raises(ValueError, match="choose one of human"):
        research.env(render_mode="hologram")
    with pytest.raises(RulesetError):
        research.env("poker")
    with pytest.raises(AttributeError):
        _ = research.nothing
