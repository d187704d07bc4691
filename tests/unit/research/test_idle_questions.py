"""Idle questions: in the mask as the rules allow them, or left out."""

import random
from collections import Counter

import numpy as np
import pytest

from canasta import research
from canasta.engine.actions.codec import ASK
from canasta.engine.feasibility.going_out import out_in_reach
from canasta.research.episode import Episode, EpisodeGame
from canasta.rules import load_ruleset, preset_names


def played(preset: str, *, idle_questions: bool) -> Counter[str]:
    """Play random hands; count the steps, the questions among them and the idle ones among those."""
    game = EpisodeGame(load_ruleset(preset), whole_match=False, idle_questions=idle_questions)
    episode, choice, found = Episode(game), random.Random(preset), Counter[str]()
    for number in range(3):
        episode.begin(f"{preset} {number}")
        while not episode.over:
            step = choice.choice(episode.legal)
            if step == ASK:
                found["questions"] += 1
                found["idle"] += not out_in_reach(episode.state)
            found["steps"] += 1
            episode.step(step)
    return found


ASKING = [
    name for name in preset_names() if load_ruleset(name).going_out.ask != "no" and name != "two-player"
]


@pytest.mark.parametrize("preset", ASKING)
def test_idle_questions_can_be_left_out(preset: str) -> None:
    usual = played(preset, idle_questions=True)
    seldom = 2 if load_ruleset(preset).going_out.ask_limit else 1
    assert usual["idle"] > usual["steps"] // (50 * seldom)
    without = played(preset, idle_questions=False)
    assert without["idle"] == 0
    assert without["questions"] / without["steps"] < usual["questions"] / usual["steps"]


def test_the_environments_take_the_switch_and_keep_the_numbers_of_the_actions() -> None:
    ask = research.action_names("caliente").index("ask")
    for idle in (True, False):
        tables = research.vector_env(4, "caliente", idle_questions=idle)
        tables.reset("idle")
        table = research.raw_env("caliente", idle_questions=idle)
        table.reset(seed=1)
        mask = table.observe(table.agent_selection)["action_mask"]
        # Nobody can go out in the first turn of a hand.
        assert bool(mask[ask]) == idle
        assert (tables.masks[:, ask] == idle).all()
        assert len(mask) == tables.masks.shape[1]
    agents = research.parallel_env("caliente", idle_questions=False)
    observations, _ = agents.reset(seed=1)
    assert not any(np.asarray(seen["action_mask"])[ask] for seen in observations.values())
