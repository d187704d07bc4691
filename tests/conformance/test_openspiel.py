"""OpenSpiel's own tests: random simulation with serialisation, and the API tests that apply to any game."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")

from canasta import research  # noqa: E402 - after the question if it can be
from canasta.notation.cards import format_cards  # noqa: E402 - as above
from canasta.rules import RulesetError, load_ruleset, player_numbers, preset_names  # noqa: E402 - as above

TABLES = [(preset, players) for preset in preset_names() for players in player_numbers(preset)]


@pytest.mark.parametrize("preset", ["caliente", "two-player", "hand-and-foot", "bolivia"])
def test_random_simulation(preset: str) -> None:
    pyspiel.random_sim_test(research.load_game(preset), num_sims=1, serialize=True, verbose=False)


@pytest.mark.long
@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_random_simulation_everywhere(preset: str, players: int) -> None:
    pyspiel.random_sim_test(research.load_game(preset, players), num_sims=1, serialize=True, verbose=False)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("preset", ["caliente", "two-player"])
def test_api(preset: str) -> None:
    import unittest  # noqa: PLC0415 - OpenSpiel's tests are made with it

    api_test: Any = pytest.importorskip(
        "open_spiel.integration_tests.api_test", reason="OpenSpiel came without its tests"
    )
    game = research.load_game(preset)
    case = type("OnCanasta", (api_test.EnforceAPIOnPartialTreeBase,), {"game": game, "game_name": "canasta"})
    result = unittest.TestResult()
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(case)
    assert suite.countTestCases() >= 5
    suite.run(result)
    assert not result.failures + result.errors, (result.failures + result.errors)[0][1]


def play(game: Any, choice: np.random.Generator, steps: int) -> Any:
    state = game.new_initial_state()
    while not state.is_terminal() and steps > 0:
        state.apply_action(int(choice.choice(state.legal_actions())))
        steps -= 1
    return state


def test_a_game_is_found_by_its_name() -> None:
    game = pyspiel.load_game("canasta(rules=jaques,players=3)")
    assert game.num_players() == 3
    assert str(game) == str(research.load_game("jaques", 3))
    assert game.num_distinct_actions() == len(research.action_names("jaques", 3))


def test_actions_are_told_in_our_notation() -> None:
    state = play(research.load_game("caliente"), np.random.default_rng(0), 4)
    assert state.action_to_string(state.legal_actions()[0]) == "draw"


def test_a_copy_goes_its_own_way() -> None:
    state = play(research.load_game("caliente"), np.random.default_rng(1), 40)
    text = str(state)
    clone = state.clone()
    assert str(clone) == text
    clone.apply_action(clone.legal_actions()[0])
    assert str(clone) != text
    assert str(state) == text
    assert state.history() == clone.history()[:-1]


def test_a_state_survives_pickling() -> None:
    state = play(research.load_game("two-player"), np.random.default_rng(2), 60)
    again = pickle.loads(pickle.dumps(state))  # noqa: S301 - our own bytes
    assert str(again) == str(state)
    assert again.legal_actions() == state.legal_actions()
    for player in range(2):
        assert again.information_state_tensor(player) == state.information_state_tensor(player)
        assert again.observation_string(player) == state.observation_string(player)


def test_an_information_state_tells_more_than_an_observation() -> None:
    game = research.load_game("caliente")
    state = play(game, np.random.default_rng(3), 30)
    player = state.current_player()
    tensor = state.information_state_tensor(player)
    size = game.observation_tensor_size()
    assert tensor[:size] == state.observation_tensor(player)
    assert sum(number > 0 for number in tensor[size:]) > 30


def test_an_observation_by_its_pieces() -> None:
    observation = pytest.importorskip("open_spiel.python.observation")
    game = research.load_game("caliente")
    state = play(game, np.random.default_rng(5), 30)
    player = state.current_player()
    whole = observation.make_observation(game)
    by_piece = observation.make_observation(game, params={"pieces": True})
    for each in (whole, by_piece):
        each.set_from(state, player)
    assert list(whole.dict) == ["observation"]
    assert list(by_piece.dict) == [piece.name for piece in research.observation_pieces("caliente")]
    assert np.concatenate(list(by_piece.dict.values())).tolist() == whole.tensor.tolist()
    assert whole.tensor.tolist() == state.observation_tensor(player)
    with pytest.raises(ValueError, match="takes the parameter 'pieces'"):
        observation.make_observation(game, params={"colour": True})


def test_house_rules_are_a_parameter() -> None:
    given = {"hand_size": 13, "put_back": True, "opening.minimums": [60, 100, 120]}
    game = research.load_game("jaques", 4, given)
    assert game.num_distinct_actions() == len(research.action_names("jaques", 4, given))
    again = pyspiel.load_game(str(game))
    assert str(again) == str(game)
    assert again.num_distinct_actions() != research.load_game("jaques", 4).num_distinct_actions()
    state = play(again, np.random.default_rng(0), 4)
    assert state.episode.game.rules == load_ruleset("jaques", 4, dict(given))
    assert sum(state.episode.state.cards_of(state.current_player())) >= 13
    copy = pickle.loads(pickle.dumps(state))  # noqa: S301 - our own bytes
    assert str(copy) == str(state)
    by_text = pyspiel.load_game("canasta(rules=jaques,options=hand_size:13;opening.minimums:60 100 120)")
    assert by_text.num_players() == 4
    with pytest.raises(RulesetError, match="hand_sise"):
        research.load_game("jaques", options={"hand_sise": 13})


def test_a_file_of_rules_is_loaded_and_not_needed_again(tmp_path: Path) -> None:
    club = tmp_path / "club.toml"
    club.write_text('base = "jaques"\ndefault_players = 3\n[deal]\nhand_size = 9\n')
    game = research.load_game(str(club))
    rules = load_ruleset(club)
    club.unlink()
    state = play(pyspiel.load_game(str(game)), np.random.default_rng(0), 4)
    assert state.episode.game.rules == rules


def test_an_information_state_recalls_the_pile() -> None:
    """A pile that was taken has left the table, but the player's information state still lists its cards."""
    state = play(research.load_game("caliente"), np.random.default_rng(6), 4)
    hand = state.episode.state
    seen = list(hand.pile)
    choice = np.random.default_rng(7)
    while not state.is_terminal():
        hand = state.episode.state
        before = len(hand.pile)
        state.apply_action(int(choice.choice(state.legal_actions())))
        if len(hand.pile) == before + 1:
            seen.append(hand.pile[-1])
    assert len(seen) > len(hand.pile)
    observation = pytest.importorskip("open_spiel.python.observation")
    whole = observation.make_observation(state.get_game(), pyspiel.IIGObservationType(perfect_recall=True))
    whole.set_from(state, 1)
    assert [int(number) - 1 for number in whole.dict["piled"] if number] == seen
    assert f"piled {format_cards(seen)}" in state.information_state_string(1)
    assert "piled" not in state.observation_string(1)


@pytest.mark.parametrize("preset", preset_names())
def test_a_resampled_state_looks_the_same_to_its_player(preset: str) -> None:
    game = research.load_game(preset)
    choice = np.random.default_rng(11)
    state = play(game, choice, 4)
    changed = 0
    while not state.is_terminal() and state.move_number() < 150:
        if state.move_number() % 12 == 0:
            player = state.current_player()
            other = state.resample_from_infostate(player, choice.random)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.information_state_tensor(player) == state.information_state_tensor(player)
            assert other.legal_actions() == state.legal_actions()
            assert other.current_player() == player
            assert other.history()[4:] == state.history()[4:]
            changed += str(other) != str(state)
            # Every seat has gained what it holds and what it has melded or discarded.
            assert [len(cards) for cards in other.gained] == [len(cards) for cards in state.gained]
            again = game.deserialize_state(other.serialize())
            assert str(again) == str(other)
            for each in (other, again):
                each.apply_action(state.legal_actions()[0])
            assert str(again) == str(other)
        state.apply_action(int(choice.choice(state.legal_actions())))
    assert changed > 3


def test_a_resampled_state_does_not_give_the_seed_away() -> None:
    state = play(research.load_game("caliente"), np.random.default_rng(12), 40)
    seeds = {
        tuple(state.resample_from_infostate(0, np.random.default_rng(n).random).history()[:4])
        for n in range(5)
    }
    assert len(seeds) == 5
    assert tuple(state.history()[:4]) not in seeds


def test_a_player_who_is_not_to_act_may_imagine_too() -> None:
    game = research.load_game("hand-and-foot")
    choice = np.random.default_rng(13)
    state = play(game, choice, 4)
    for _ in range(120):
        for player in range(4):
            other = state.resample_from_infostate(player, choice.random)
            assert other.observation_string(player) == state.observation_string(player)
            assert other.legal_actions()
        state.apply_action(int(choice.choice(state.legal_actions())))


def test_a_search_on_information_sets() -> None:
    """OpenSpiel's own search, which resamples the state in every simulation."""
    ismcts: Any = pytest.importorskip("open_spiel.python.algorithms.ismcts")
    mcts: Any = pytest.importorskip("open_spiel.python.algorithms.mcts")
    state = play(research.load_game("two-player"), np.random.default_rng(14), 9)
    bot = ismcts.ISMCTSBot(
        game=state.get_game(),
        uct_c=1000.0,
        evaluator=mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)),
        max_simulations=3,
        random_state=np.random.RandomState(2),
    )
    assert bot.step(state) in state.legal_actions()


def test_margins_at_the_end() -> None:
    state = play(research.load_game("caliente"), np.random.default_rng(4), 10_000)
    returns = state.returns()
    assert returns[0] == returns[2] == -returns[1] == -returns[3]


def test_idle_questions_can_be_left_out() -> None:
    """A random player asks in most turns of the usual game; in the other one, only if it could go out."""
    asks = {}
    for idle in (True, False):
        game = research.load_game("caliente", 4, idle_questions=idle)
        state = pickle.loads(pickle.dumps(game.new_initial_state()))  # noqa: S301 - our own
        state.apply_action(7)
        asks[idle] = 0
        for _ in range(60):
            actions = state.legal_actions()
            names = [state.action_to_string(state.current_player(), action) for action in actions]
            asks[idle] += "ask" in names
            state.apply_action(actions[0])
    assert asks[False] < 5
    assert asks[True] > 10
    assert str(pyspiel.load_game("canasta(idle_questions=False)")) != str(pyspiel.load_game("canasta()"))
