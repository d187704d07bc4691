"""The player that has learned: what it remembers, what it reckons, and where it lets the expert play."""

import random
from pathlib import Path

import pytest

from canasta.arena.bot_games import play_hand
from canasta.bots import get_bot, load_bot
from canasta.bots.hearing import Listeners
from canasta.bots.learned.memory import Memory
from canasta.engine.observing.pieces import universal_layout
from canasta.engine.play.deal import deal_from_seed
from canasta.engine.prepared import PreparedRules
from canasta.engine.state import HandState
from canasta.engine.steps.legal import legal_steps
from canasta.engine.view import View
from canasta.research.episode import Episode, Game
from canasta.rules import load_ruleset, player_numbers, preset_names

np = pytest.importorskip("numpy", reason="NumPy is an extra and is not installed")

TABLES = [(preset, players) for preset in preset_names() for players in player_numbers(preset)]


class Listening:
    """Remembers, and chooses at random."""

    name = "listening"

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    def begin(self, view: View) -> None:
        self.memory.begin(view.state)

    def hear(self, event: object) -> None:
        self.memory.hear(event)  # type: ignore[arg-type] # it is an event


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_who_hears_remembers_what_a_learner_is_told(preset: str, players: int) -> None:
    game = Game(load_ruleset(preset, players), whole_match=False, universal=True)
    layout = game.marks.layout
    episode = Episode(game)
    episode.begin("heard")
    memory = Memory(game.tables, layout, game.seats)
    listeners = Listeners({episode.state.order[0]: Listening(memory)})
    listeners.deal(episode.state, episode.scores)
    choice = random.Random(f"{preset}{players}")
    counted = 0
    while not episode.over and counted < 400:
        state = episode.state
        state.log = []
        episode.step(choice.choice(episode.legal))
        listeners.tell(state.log or ())
        state.log = None
        for heard, told in zip(memory.blocks(), episode.observer.remembered(), strict=True):
            assert heard[layout.discarded :] == told[layout.discarded :]
        counted += 1
    assert counted > 30


def dealt(preset: str, players: int, options: dict[str, object] | None = None) -> HandState:
    rules = load_ruleset(preset, players, options or {})
    return deal_from_seed(
        PreparedRules(rules),
        seed="learned",
        hand_number=1,
        dealer=0,
        scores=[0] * rules.seats.sides,
    )


@pytest.mark.parametrize(("preset", "players"), [("caliente", 4), ("bolivia", 3), ("two-player", 2)])
def test_a_hand_of_master(preset: str, players: int) -> None:
    """Every step is legal, and what it does hangs on nothing that is hidden."""
    state = dealt(preset, players)
    bots = [get_bot("master", str(seat)) for seat in range(players)]
    play_hand(state, bots, [0] * state.sides)
    again = dealt(preset, players)
    play_hand(again, [get_bot("master") for _ in range(players)], [0] * state.sides)
    assert state.out == again.out
    assert state.points == again.points
    assert sum(state.points) > 0


def test_hints_are_the_best_moves_with_their_chances() -> None:
    state = dealt("jaques", 4)
    bot = get_bot("master")
    view = View(state, state.turn, [0, 0])
    hints = bot.hint(view, 3)
    assert hints[0].move == bot.choose(view)
    assert [hint.reason.numbers["chance"] for hint in hints] == sorted(
        (hint.reason.numbers["chance"] for hint in hints), reverse=True
    )
    assert hints[0].reason.text


def test_where_a_game_was_not_trained_the_expert_sits_in() -> None:
    state = dealt("caliente", 4, {"hand_size": 13})
    bot = get_bot("master", "s", -1.0)
    expert = get_bot("expert", "s", -1.0)
    view = View(state, state.turn, [0, 0])
    assert bot.step(view) == expert.step(view)
    assert bot.step(view) in legal_steps(state)
    said = bot.explain(view, bot.choose(view)).text
    assert said.startswith("The master has not learned this game with these house rules: the expert sits in.")
    usual = View(dealt("caliente", 4), state.turn, [0, 0])
    assert "expert" not in bot.explain(usual, bot.choose(usual)).text


def test_it_sits_down_when_it_is_named() -> None:
    assert load_bot("master") == "master"
    assert get_bot("master").name == "master"


def test_weights_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    from canasta.bots.learned.network import LearnedNetwork, WrongWeights  # noqa: PLC0415 - they need NumPy

    with pytest.raises(WrongWeights, match="cannot be read as weights"):
        LearnedNetwork(b"nothing")
    file = tmp_path / "other.npz"
    np.savez(file, about=np.array([1, 2, 0]))
    with pytest.raises(WrongWeights, match="reads layout 2 of observations and actions; these are 1 and 3"):
        LearnedNetwork(file.read_bytes())


def test_numpy_reckons_what_pytorch_reckons(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is an extra and is not installed")
    from canasta.bots.learned.network import LearnedNetwork  # noqa: PLC0415 - it needs NumPy
    from training.export import export  # noqa: PLC0415 - it needs PyTorch
    from training.keeping import fresh_network, load_network, save  # noqa: PLC0415 - likewise

    torch.manual_seed(1)
    made = fresh_network(width=24, depth=2)
    for parameter in made.parameters():
        parameter.data += 0.05 * torch.randn_like(parameter)
    save(tmp_path / "w.pt", made, torch.optim.AdamW(made.parameters()), ["caliente/4"], 5)
    export(tmp_path / "w.pt", tmp_path / "w.npz")
    network, _, _ = load_network(tmp_path / "w.pt")
    learned = LearnedNetwork((tmp_path / "w.npz").read_bytes())
    assert learned.steps == 5
    seen = np.random.default_rng(0).integers(0, 255, universal_layout().size).astype(np.uint8)
    seen[::2] = 0
    with torch.no_grad():
        logits, value = network(torch.from_numpy(seen)[None], torch.ones((1, network.policy.out_features)))
    actions = [3, 40, 700]
    wanted, expected = learned.look(seen.tobytes(), actions)
    assert wanted == pytest.approx(logits[0, actions].tolist(), abs=1e-3)
    assert expected == pytest.approx(float(value), abs=1e-3)
