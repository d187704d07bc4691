"""Hands and matches played as numbered actions."""

import copy
import pickle
import random

import pytest

from canasta.engine.actions.legal import legal_steps
from canasta.engine.actions.make import make_step
from canasta.engine.match import Match
from canasta.engine.moves.legal_moves import move_of_step
from canasta.engine.play.scoring import score_hand
from canasta.engine.view import state_facts
from canasta.research.episode import Episode, EpisodeGame, side_rewards
from canasta.rules import load_ruleset, player_numbers, preset_names

TABLES = [(preset, players) for preset in preset_names() for players in player_numbers(preset)]


@pytest.mark.interpreted
@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_every_seed_deals_the_first_hand_of_a_match(preset: str, players: int) -> None:
    rules = load_ruleset(preset, players)
    episode = Episode(EpisodeGame(rules, True))
    for seed in range(12):
        episode.begin(str(seed))
        match = Match.new(rules, str(seed))
        assert episode.dealer == match.dealer
        assert state_facts(episode.state) == state_facts(match.hand.state)


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_a_match_is_dealt_as_the_engine_deals_it(preset: str, players: int) -> None:
    rules = load_ruleset(preset, players)
    episode = Episode(EpisodeGame(rules, True))
    episode.begin("evening")
    match = Match.new(rules, "evening")
    choice = random.Random(preset)
    while match.hand_number < 2 and not match.over:
        assert state_facts(episode.state) == state_facts(match.hand.state)
        step = choice.choice(episode.legal)
        move = move_of_step(match.hand.state, step)
        if match.hand.state.is_opening() or match.check(move) is not None:
            # A first meld in progress is a single move in a match, so both tables play it as steps.
            match.hand.state.log = None
            make_step(match.hand.state, step)
            match.settle_if_over()
        else:
            match.apply(move)
        episode.step(step)
        if match.hand.over:
            assert episode.scores == match.scores
            assert episode.over == match.over
            if not match.over:
                match.deal_next()


def test_masks_are_the_legal_steps() -> None:
    episode = Episode(EpisodeGame(load_ruleset("jaques-samba"), False))
    episode.begin("masks")
    choice = random.Random(0)
    while not episode.over:
        steps = [step for step, allowed in zip(episode.game.steps, episode.mask(), strict=True) if allowed]
        assert steps == sorted(legal_steps(episode.state))
        episode.step(choice.choice(steps))
    assert not any(episode.mask())


def test_a_hand_pays_its_points() -> None:
    episode = Episode(EpisodeGame(load_ruleset("caliente"), False))
    episode.begin("points")
    choice = random.Random(0)
    while not episode.over:
        assert not episode.hand_ended
        episode.step(choice.choice(episode.legal))
    assert episode.hand_ended
    assert episode.points == episode.scores == [sheet.total for sheet in score_hand(episode.state)]


def test_copies_are_independent() -> None:
    episode = Episode(EpisodeGame(load_ruleset("caliente"), False))
    episode.begin("copies")
    for _ in range(20):
        episode.step(episode.legal[-1])
    facts = state_facts(episode.state)
    seen = episode.observe(0)
    for other in (episode.copy(), copy.copy(episode), copy.deepcopy(episode)):
        while not other.over:
            other.step(other.legal[0])
    assert state_facts(episode.state) == facts
    assert episode.observe(0) == seen


def test_the_next_episode_is_another_one() -> None:
    for match in (False, True):
        episode = Episode(EpisodeGame(load_ruleset("two-player"), match))
        episode.begin("x")
        first = state_facts(episode.state)
        episode.begin_next()
        assert state_facts(episode.state) != first
        episode.begin("x")
        assert state_facts(episode.state) == first


def test_five_players_sit_out_in_turn() -> None:
    episode = Episode(EpisodeGame(load_ruleset("caliente", 5), False))
    episode.begin("five")
    seen = set()
    for _ in range(30):
        seen.add(tuple(episode.state.order))
        episode.begin_next()
    assert len(seen) == 3


def test_rewards() -> None:
    assert side_rewards("points", [300, -40], [300, -40], True) == [300.0, -40.0]
    assert side_rewards("margin", [300, -40], [300, -40], True) == [340.0, -340.0]
    assert side_rewards("margin", [30, 60, 0], [30, 60, 0], True) == [0.0, 45.0, -45.0]
    assert side_rewards("result", [300, -40], [300, 340], True) == [-1.0, 1.0]
    assert side_rewards("result", [300, -40], [300, 340], False) == [0.0, 0.0]
    assert side_rewards("result", [5, 5, 0], [5, 5, 0], True) == [0.0, 0.0, -1.0]


@pytest.mark.interpreted
@pytest.mark.parametrize("whole_match", [False, True])
def test_an_episode_survives_pickling(whole_match: bool) -> None:
    episode = Episode(EpisodeGame(load_ruleset("jaques-samba"), whole_match, random_scores=not whole_match))
    episode.begin("pickled")
    choice = random.Random(4)
    for _ in range(60):
        episode.step(choice.choice(episode.legal))
    again = pickle.loads(pickle.dumps(episode))  # noqa: S301 - our own bytes
    for _ in range(400):
        assert again.legal == episode.legal
        assert again.scores == episode.scores
        assert [again.observe(seat) for seat in range(4)] == [episode.observe(seat) for seat in range(4)]
        if episode.over:
            for each in (episode, again):
                each.begin_next()
        else:
            step = choice.choice(episode.legal)
            for each in (episode, again):
                each.step(step)
