"""Opponents at the tables of a learner, and the observations that only a critic gets."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from librt.strings import BytesWriter

from canasta import research
from canasta.arena.play import play_match
from canasta.bots import SeatedBot, get_bot
from canasta.bots.learned import network as learned
from canasta.bots.learned.coverage import TrainedNetwork
from canasta.bots.learned.network import LearnedNetwork, master_network
from canasta.engine.cards import RANKS
from canasta.engine.observation.encoder import HIDDEN_NUMBERS, NEXT_CARDS
from canasta.engine.seating import order_of_hand
from canasta.engine.view import View
from canasta.errors import CanastaError, InputError
from canasta.research.batch import Batch
from canasta.research.episode import Episode, EpisodeGame
from canasta.research.opponents import Opponents
from canasta.research.vector import VectorTables
from canasta.rules import load_ruleset

WEIGHTS = Path(learned.__file__).with_name("master.npz")


class ByHand:
    """A table whose opponents are asked one after the other, as in an ordinary match."""

    def __init__(self, game: EpisodeGame, seed: str, opponents: Mapping[int, str]) -> None:
        self.table = Episode(game)
        self.table.begin(seed)
        by_name: dict[str, SeatedBot] = {name: get_bot(name, seed) for name in opponents.values()}
        self.bots = {seat: by_name[name] for seat, name in opponents.items()}
        self.hands = 0
        """How many hands have ended since the last action."""
        self.done = False
        self.paid = [0] * game.seats

    def step(self, step: int) -> None:
        self.hands, self.done = 0, False
        self.paid = [0] * len(self.paid)
        self._make(step)
        self.play_on()

    def play_on(self) -> None:
        table = self.table
        while (seat := table.to_act()) in self.bots:
            self._make(self.bots[seat].step(View(table.state, seat, table.scores)))

    def _make(self, step: int) -> None:
        table = self.table
        table.step(step)
        if table.hand_ended:
            self.hands += 1
            side_of = table.game.side_of
            if not self.done:
                self.paid = [paid + table.points[side_of[seat]] for seat, paid in enumerate(self.paid)]
            if table.over:
                self.done = True
                table.begin_next()


def assert_shown(many: VectorTables, index: int, table: Episode) -> None:
    seat = table.to_act()
    assert many.seats[index] == seat
    assert many.observations[index].tobytes() == table.observe(seat)
    assert many.masks[index].tobytes() == table.mask()


SEATED: list[tuple[str, int, dict[int, str], dict[str, Any]]] = [
    ("caliente", 4, {1: "club", 3: "novice"}, {}),
    ("caliente", 4, {2: "random"}, {"idle_questions": False}),
    ("jaques", 3, {0: "casual", 2: "random"}, {"start_scores": "random"}),
    ("caliente", 5, {0: "club", 1: "random", 2: "casual", 3: "novice"}, {}),
    ("bolivia", 6, {0: "novice", 2: "club", 3: "club", 4: "random"}, {"episode": "match"}),
    ("hand-and-foot", 2, {0: "club"}, {}),
    ("burraco", 4, {0: "random", 1: "casual", 3: "club"}, {}),
    ("american", 4, {1: "club", 2: "novice"}, {"layout": "universal"}),
]


@pytest.mark.interpreted
@pytest.mark.parametrize(("preset", "players", "opponents", "more"), SEATED)
def test_scripted_opponents_play_as_they_do_at_any_table(
    preset: str, players: int, opponents: dict[int, str], more: dict[str, Any]
) -> None:
    count = 3
    many = research.vector_env(count, preset, players, opponents=opponents, **more)
    game = EpisodeGame(
        many.rules,
        more.get("episode") == "match",
        "start_scores" in more,
        more.get("idle_questions", True),
        "layout" in more,
    )
    many.reset("x")
    tables = [ByHand(game, f"x/{index}", opponents) for index in range(count)]
    for each in tables:
        each.play_on()
    assert not many.done.any()
    assert not many.rewards.any()
    hands = 0
    for _ in range(250):
        for index, each in enumerate(tables):
            assert_shown(many, index, each.table)
            assert many.seats[index] not in opponents
        actions = many.sample()
        many.step(actions)
        for index, each in enumerate(tables):
            each.step(game.steps[actions[index]])
            hands += each.hands
            assert many.done[index] == each.done
            assert many.rewards[index, :players].tolist() == each.paid
            assert not many.rewards[index, players:].any()
    assert hands > 0


@pytest.mark.interpreted
def test_hands_of_their_own_that_the_learner_sits_out_are_not_paid() -> None:
    rules = load_ruleset("caliente", 5)
    learner = next(seat for seat in range(5) if seat not in order_of_hand(rules, 1))
    opponents = {seat: "novice" for seat in range(5) if seat != learner}
    many = research.vector_env(8, rules, opponents=opponents)
    many.reset("sits out")
    game = EpisodeGame(rules, whole_match=False)
    tables = [ByHand(game, f"sits out/{index}", opponents) for index in range(8)]
    for each in tables:
        each.play_on()
    # The others have already played some of them to the end before the learner's first action.
    assert any(each.hands for each in tables)
    assert not many.done.any()
    assert not many.rewards.any()
    most = 0
    for _ in range(60):
        actions = many.sample()
        many.step(actions)
        for index, each in enumerate(tables):
            each.step(game.steps[actions[index]])
            most = max(most, each.hands)
            assert many.done[index] == each.done
            assert many.rewards[index].tolist() == each.paid
    assert most > 1


def test_the_result_of_a_hand_is_that_of_the_learners_own() -> None:
    others = dict.fromkeys(range(1, 5), "novice")
    with research.vector_env(32, "caliente", 5, opponents=others, rewards="result") as many:
        many.reset("results")
        found = set()
        for _ in range(120):
            many.step(many.sample())
            found |= set(many.rewards[many.done > 0].ravel().tolist())
    assert {-1.0, 1.0} <= found <= {-1.0, 0.0, 1.0}


def other_weights(folder: Path) -> Path:
    """Save weights that prefer what master avoids."""
    kept = dict(np.load(WEIGHTS))
    kept["policy.weight"] = -kept["policy.weight"]
    file = folder / "earlier.npz"
    np.savez(file, **kept)
    return file


@pytest.mark.interpreted
def test_learned_opponents_do_what_their_networks_want_most(tmp_path: Path) -> None:
    file = other_weights(tmp_path)
    opponents: dict[int, str | Path] = {1: "master", 2: "club", 3: file}
    networks = {1: master_network(), 3: LearnedNetwork(file.read_bytes())}
    many = research.vector_env(3, "caliente", 4, opponents=opponents, layout="universal", episode="match")
    game = EpisodeGame(many.rules, whole_match=True, universal=True)
    trained = {seat: TrainedNetwork(network, game.tables, game.side_of) for seat, network in networks.items()}
    club = get_bot("club")
    tables = [Episode(game) for _ in range(3)]

    def play_on(table: Episode) -> int:
        asked = 0
        while (seat := table.to_act()) != 0:
            if seat == 2:
                table.step(club.step(View(table.state, seat, table.scores)))
            else:
                asked += table.legal_count() > 1
                table.step(trained[seat].ranked(table.state, table.observer, seat)[0][1])
        return asked

    many.reset(2)
    asked = 0
    for index, table in enumerate(tables):
        table.begin(f"2/{index}")
        asked += play_on(table)
    for _ in range(8):
        actions = many.sample()
        for index, table in enumerate(tables):
            assert_shown(many, index, table)
            table.step(game.steps[actions[index]])
            asked += play_on(table)
        many.step(actions)
    assert asked > 20


@pytest.mark.parametrize(("preset", "players"), [("caliente", 4), ("jaques", 3)])
def test_master_plays_as_it_does_in_a_match(preset: str, players: int) -> None:
    """In the match it hears all events; the learner's seat plays like club in both."""
    club = get_bot("club")
    masters = dict.fromkeys(range(1, players), "master")
    many = research.vector_env(1, preset, players, opponents=masters, layout="universal", episode="match")
    many.reset("m")
    bots = [club, *(get_bot("master") for _ in masters)]
    result = play_match(many.rules, bots, "m/0", most_hands=2)
    batch = many._dealt_batch()
    table = batch.tables[0]
    paid = np.zeros(many.rewards.shape[1])
    while table.hand_number <= result.hands:
        step = club.step(View(table.state, 0, table.scores))
        many.step([table.game.action_of[step]])
        paid += many.rewards[0]
    assert [paid[many.side_of.index(side)] for side in range(len(result.points))] == list(result.points)


class Counting(LearnedNetwork):
    """Always chooses the last of its actions."""

    asked: list[int]

    def choose(self, seen: list[bytes], actions: list[list[int]]) -> list[int]:
        assert len(seen) == len(actions)
        assert all(len(each) > 1 for each in actions)
        self.asked.append(len(seen))
        return [len(each) - 1 for each in actions]


@pytest.fixture(scope="module")
def counting() -> LearnedNetwork:
    return Counting(WEIGHTS.read_bytes())


def batch_against(network: LearnedNetwork, count: int) -> tuple[Batch, memoryview, memoryview]:
    game = EpisodeGame(load_ruleset("caliente", 4), whole_match=False, universal=True)
    shown, acting = memoryview(bytearray(count * Batch.row_size(game))), memoryview(bytearray(count))
    paid = memoryview(bytearray(4 * 6 * count)).cast("f")
    opponents = Opponents(game, {1: "one", 2: "novice", 3: "one"}, {"one": network})
    made = Batch(game, count, "points", shown, acting, memoryview(bytearray(count)), paid, opponents)
    return made, shown, acting


def assert_learner_is_shown(batch: Batch, shown: memoryview, acting: memoryview) -> None:
    row = Batch.row_size(batch.game)
    assert set(acting) == {0}
    for index, table in enumerate(batch.tables):
        assert table.to_act() == 0
        assert shown[index * row : (index + 1) * row] == table.observe(0) + table.mask()


@pytest.mark.interpreted
def test_a_network_is_asked_for_all_tables_together(counting: Counting) -> None:
    batch, shown, acting = batch_against(counting, 40)
    counting.asked = []
    batch.reset("many", 0)
    assert max(counting.asked) > 16  # more tables than are stepped together
    assert_learner_is_shown(batch, shown, acting)
    for _ in range(6):
        batch.step_randomly()
        assert_learner_is_shown(batch, shown, acting)


def test_tables_that_moved_before_an_illegal_action_are_shown(counting: Counting) -> None:
    batch, shown, acting = batch_against(counting, 20)
    counting.asked = []
    batch.reset("illegal", 0)
    actions = batch.sample()
    actions[17] = next(
        action for action, step in enumerate(batch.game.steps) if not batch.tables[17].is_legal(step)
    )
    with pytest.raises(InputError, match="at table 17"):
        batch.step(actions, are_legal=True)
    assert_learner_is_shown(batch, shown, acting)


@pytest.mark.parametrize(
    ("players", "opponents", "more"),
    [
        (5, {0: "random", 1: "club", 4: "random"}, {"steps": 100}),
        (4, {1: "master", 2: "random", 3: "casual"}, {"steps": 12, "layout": "universal"}),
    ],
)
def test_processes_change_nothing(players: int, opponents: dict[int, str], more: dict[str, Any]) -> None:
    steps = more.pop("steps")
    alone = research.vector_env(5, "jaques", players, opponents=opponents, hidden=True, **more)
    with research.vector_env(
        5, "jaques", players, opponents=opponents, hidden=True, processes=2, **more
    ) as shared:
        for many in (alone, shared):
            many.reset("p")
        for _ in range(steps):
            for name in ("observations", "masks", "hidden", "seats", "done", "rewards"):
                assert np.array_equal(getattr(alone, name), getattr(shared, name)), name
            actions = alone.sample()
            alone.step(actions)
            shared.step(actions)


@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("preset", "players", "layout"), [("caliente", 4, "rules"), ("bolivia", 6, "universal")]
)
def test_a_critic_is_shown_what_is_hidden(preset: str, players: int, layout: str) -> None:
    many = research.vector_env(3, preset, players, hidden=True, layout=layout, opponents={1: "novice"})
    plain = research.vector_env(3, preset, players, layout=layout, opponents={1: "novice"})
    for each in (many, plain):
        each.reset(4)
    assert many.hidden.shape == (3, HIDDEN_NUMBERS) == (3, many.hidden_size)
    assert plain.hidden.shape == (3, 0)
    tables = many._dealt_batch().tables
    pieces = {piece.name: piece for piece in research.hidden_pieces()}
    for _ in range(60):
        actions = plain.sample()
        for each in (many, plain):
            each.step(actions)
        assert np.array_equal(many.observations, plain.observations)
        assert np.array_equal(many.masks, plain.masks)
        for index, table in enumerate(tables):
            seat = table.to_act()
            row = BytesWriter()
            table.observer.write_hidden_to(row, table.state, seat)
            assert many.hidden[index].tobytes() == row.getvalue()
            told = {
                name: many.hidden[index, piece.offset : piece.offset + piece.length].tolist()
                for name, piece in pieces.items()
            }
            for ahead in range(1, players):
                assert told[f"seat+{ahead}.hand"] == table.state.counts_of((seat + ahead) % players)
            deck, at = table.state.deck, table.state.at
            for ahead in range(NEXT_CARDS):
                rank = table.game.tables.rank_of[deck[at + ahead]]
                assert told[f"next+{ahead}"] == [int(rank == each) for each in range(RANKS)]


def test_the_pieces_of_what_is_hidden() -> None:
    pieces = research.hidden_pieces()
    assert [piece.name for piece in pieces[:6]] == [
        *(f"seat+{ahead}.hand" for ahead in range(1, 6)),
        "next+0",
    ]
    assert [piece.offset for piece in pieces] == list(range(0, HIDDEN_NUMBERS, RANKS))
    assert pieces[-1].offset + pieces[-1].length == HIDDEN_NUMBERS


@pytest.mark.parametrize(
    ("opponents", "sentence"),
    [
        (dict.fromkeys(range(4), "club"), "sit at every seat; leave one of them out for the learner"),
        ({4: "club"}, "there is no seat 4; the seats of this table are 0 to 3"),
        ({-1: "club"}, "there is no seat -1"),
        ({"north": "club"}, "there is no seat 'north'"),
        ({True: "club"}, "there is no seat True"),
        ({1.0: "club"}, "there is no seat 1.0"),
        ({1: None}, "there is no opponent None; choose one of"),
        ({1: b"club.npz"}, "there is no opponent b'club.npz'"),
        ({1: 3}, "there is no opponent 3"),
        ({1: "a\0.npz"}, r"there is no opponent 'a\\x00.npz'"),
        ({1: "\ud800.npz"}, r"there is no opponent '\\ud800.npz'"),
        ((), r"opponents are named by seat, as {1: 'club'}; \(\) was given"),
        (0, "named by seat"),
        (False, "named by seat"),
        (["club"], "named by seat"),
        ("club", "named by seat"),
        ({1: "clubb"}, "no opponent 'clubb'; choose one of random, novice, casual, club, master, or a file"),
        ({1: "expert"}, "expert searches, which takes too long at many tables; choose one of random"),
        ({1: "grandmaster"}, "grandmaster searches"),
        (
            {1: "nowhere.npz"},
            "nowhere.npz cannot be read: No such file or directory; `python -m training export`",
        ),
    ],
)
def test_who_cannot_sit_down(opponents: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence) as told:
        research.vector_env(2, opponents=opponents, layout="universal")
    assert isinstance(told.value, CanastaError)


def test_weights_that_cannot_sit_down(tmp_path: Path) -> None:
    for name, content, said in (
        ("text", b"none", "is no file of weights"),
        ("torn", WEIGHTS.read_bytes()[:5000], "is damaged and cannot be read as weights"),
    ):
        file = tmp_path / f"{name}.npz"
        file.write_bytes(content)
        with pytest.raises(ValueError, match=rf"{name}.npz {said}; `python -m training export` writes"):
            research.vector_env(2, opponents={1: file}, layout="universal")
    for opponent in ("master", WEIGHTS):
        with pytest.raises(ValueError, match=r"reads the universal layout: add layout='universal'"):
            research.vector_env(2, opponents={1: opponent})
        with pytest.raises(ValueError, match="not trained for these rules of caliente with 4 players"):
            research.vector_env(2, opponents={1: opponent}, layout="universal", options={"hand_size": 7})


def test_a_master_without_its_weights_cannot_sit_down(monkeypatch: pytest.MonkeyPatch) -> None:
    master_network.cache_clear()
    monkeypatch.setattr(Path, "read_bytes", lambda _: b"torn")
    with pytest.raises(ValueError, match=r"master's weights is no file of weights; install canasta again$"):
        research.vector_env(2, opponents={1: "master"}, layout="universal")


@pytest.mark.parametrize("nobody", [None, {}])
def test_nobody_needs_to_sit_down(nobody: dict[int, str] | None) -> None:
    many = research.vector_env(2, opponents=nobody)
    many.reset()
    many.step_randomly(50)
    assert set(many.seats.tolist()) <= {0, 1, 2, 3}


def test_a_seed_deals_and_plays_the_same_again() -> None:
    many = research.vector_env(4, opponents={1: "random", 2: "club", 3: "random"})
    seen = []
    for _ in range(2):
        many.reset("again")
        for _ in range(20):
            many.step(many.masks.argmax(axis=1))
        seen.append(many.observations.tobytes())
    assert seen[0] == seen[1]


def test_seats_may_be_numbers_of_numpy() -> None:
    many = research.vector_env(2, opponents=dict.fromkeys(np.array([1, 3]), "novice"))
    many.reset()
    many.step_randomly(5)
    assert set(many.seats.tolist()) <= {0, 2}
