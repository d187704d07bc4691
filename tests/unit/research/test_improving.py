"""Improving decisions by trying them in play, and learning from the result.

Tests that need PyTorch are skipped without it.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from canasta.bots.learned.coverage import unit_of
from canasta.bots.learned.search import LEAST, TURNS
from canasta.engine.play.scoring import score_hand
from canasta.engine.state import OVER
from canasta.research.batch import Batch
from canasta.research.episode import Episode
from canasta.rules import load_ruleset
from training.curves import curves
from training.log import read_log
from training.lookahead import MOST, NONE, Board, Lookahead, Share, Table, row_of
from training.sampler import game_of
from training.task_mix import TableSet

GAMES = (
    *(("caliente", 4), ("jaques", 3), ("caliente", 6), ("hand-and-foot", 4)),
    *(("bolivia", 2), ("burraco", 4), ("american", 4)),
)


def board_of(table_sets: list[TableSet]) -> Board:
    tables = sum(table_set.count for table_set in table_sets)
    return Board(1, tables, Batch.row_size(game_of(table_sets[0]), hidden=True))


def wish(row: bytes, mask: slice) -> list[int]:
    """Rank the legal actions as a made-up network would, in an order that depends on the row."""
    legal = [action for action, is_legal in enumerate(row[mask]) if is_legal]
    return sorted(legal, key=lambda action: (action * 7919 + sum(row)) % 101)


def verdict(row: bytes) -> float:
    return (sum(row) % 1000) / 1000


def answer(board: Board, mask: slice) -> None:
    count = int(board.counts[0, 0])
    for at in range(count):
        row = board.asked[0, at].tobytes()
        wished = wish(row, mask)[:MOST]
        # At every third table all of these actions are nearly as likely; at the others only one is.
        behind = -LEAST / -8 if sum(row) % 3 == 0 else 2 * LEAST
        board.actions[0, at, : len(wished)] = wished
        board.chances[0, at] = -1e9
        board.chances[0, at, : len(wished)] = [-1.0 + behind * place for place in range(len(wished))]
        board.judged[0, at] = verdict(row)


def played_on(episode: Episode, action: int, mask: slice) -> float:
    """Return the value of an action, computed in a separate episode.

    It plays to the end of the next player's turn, or until the side acts again, and evaluates that
    observation.
    """
    game, state = episode.game, episode.state
    side = game.side_of[episode.to_act()]
    turns = TURNS + 1
    while True:
        turn = state.turn
        episode.make(game.steps[action])
        turns -= state.turn != turn
        if state.phase == OVER:
            points = [sheet.total for sheet in score_hand(state)]
            others = (sum(points) - points[side]) / (len(points) - 1)
            return (points[side] - others) / unit_of(game.rules)
        legal = game.legal(state)
        if len(legal) == 1:
            action = game.action_of[legal[0]]
            continue
        row = row_of(game, state, episode.observer, legal)
        mine = game.side_of[episode.to_act()] == side
        if turns <= 0 and (game.sides == 2 or mine):
            return verdict(row) if mine else -verdict(row)
        action = wish(row, mask)[0]


def mask_of(table: Table) -> slice:
    first = table.game.marks.layout.size
    return slice(first, first + table.game.actions)


def test_rows_are_those_of_a_batch() -> None:
    for preset, players in GAMES:
        game = game_of(TableSet(load_ruleset(preset, players), 0, 1))
        size = Batch.row_size(game, hidden=True)
        shown = bytearray(size)
        batch = Batch(
            game, 1, "margin", memoryview(shown), memoryview(bytearray(1)), memoryview(bytearray(1)),
            memoryview(bytearray(24)).cast("f"), hidden=True,
        )  # fmt: skip
        batch.reset("s", 0)
        episode = Episode(game)
        episode.begin("s/0")
        for _ in range(40):
            assert row_of(game, episode.state, episode.observer, episode.legal) == shown
            batch.step([game.action_of[episode.legal[-1]]])
            episode.step(episode.legal[-1])


@pytest.mark.parametrize(("preset", "players"), GAMES)
def test_candidates_are_played_on_in_the_same_deal_and_judged(preset: str, players: int) -> None:
    table_sets = [TableSet(load_ruleset(preset, players), 5, 3)]
    board = board_of(table_sets)
    share = Share(board, 0, table_sets, [game_of(table_sets[0])], "s")
    mask = mask_of(share.tables[0])
    before: dict[bytes, Episode] = {}
    done = 0
    for _ in range(150):
        share.step()
        for at in range(int(board.counts[0, 1])):
            row = board.seen[0, at].tobytes()
            tried = [action for action in board.tried[0, at].tolist() if action != NONE]
            assert tried == wish(row, mask)[:MOST][: len(tried)]
            assert len(tried) > 1
            assert board.chosen[0, at] < len(tried)
            assert board.games[0, at] == 5
            values = [played_on(before[row].copy(), action, mask) for action in tried]
            assert board.values[0, at, : len(tried)].tolist() == pytest.approx(values)
            done += 1
        for table in share.tables:
            before[table.root] = table.episode.copy()
        answer(board, mask)
    board.close()
    assert done > 10


def test_tables_go_on_with_what_was_chosen() -> None:
    table_sets = [TableSet(load_ruleset("caliente", 4), 0, 1)]
    board = board_of(table_sets)
    share = Share(board, 0, table_sets, [game_of(table_sets[0])], "s")
    table = share.tables[0]
    mask = mask_of(table)
    made = 0
    for _ in range(300):
        before = table.episode.copy()
        share.step()
        if board.counts[0, 1]:
            before.step(before.game.steps[int(board.tried[0, 0, board.chosen[0, 0]])])
            while before.legal_count() == 1:
                before.step(before.legal_at(0))
            if before.hand_number == table.episode.hand_number:
                seat = before.to_act()
                assert before.observe(seat) == table.episode.observe(seat)
                assert before.mask() == table.episode.mask()
                made += 1
        answer(board, mask)
    board.close()
    assert made > 10


def test_processes_ask_and_are_answered() -> None:
    table_sets = [TableSet(load_ruleset("caliente", 4), 0, 2), TableSet(load_ruleset("two-player", 2), 1, 1)]
    lookahead = Lookahead([table_sets, table_sets], groups=2, seed="s")
    first = game_of(table_sets[0]).marks.layout.size
    done: list[int] = []
    try:
        for _ in range(120):
            for number, board in enumerate(lookahead.boards):
                lookahead.wait(number)
                for process in range(2):
                    asked, tried = board.counts[process].tolist()
                    assert 3 <= asked <= 3 * MOST
                    done += board.games[process, :tried].tolist()
                    legal = board.asked[process, :asked, first : first + 3544]
                    best = np.argsort(-legal.astype(int), axis=1, kind="stable")[:, :MOST]
                    board.actions[process, :asked] = best
                    is_legal = np.take_along_axis(legal, best, 1) > 0
                    board.chances[process, :asked] = np.where(is_legal, -1.0, -1e9)
                    board.judged[process, :asked] = 0.25
                lookahead.go(number)
    finally:
        lookahead.close()
    assert set(done) == {0, 1}


def test_gains_are_told_from_what_the_network_expects() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is an extra and is not installed")
    from training.expert_iteration import gains_of, scaled  # noqa: PLC0415 - PyTorch may not be installed

    before = torch.tensor([[0.5, 0.25, 0.25, 1.0], [0.5, 0.5, 1.0, 1.0]]).log()
    values = torch.tensor([[1.0, 3.0, -1.0, 99.0], [0.0, 4.0, 99.0, 99.0]])
    is_there = torch.tensor([[True, True, True, False], [True, True, False, False]])
    gains = gains_of(before, values, is_there)
    assert gains.tolist() == [[0.0, 2.0, -2.0, 0.0], [-2.0, 2.0, 0.0, 0.0]]
    # In the first row two points are won or lost half of the time; in the second, always.
    alike = scaled(gains, before, torch.tensor([1, 0]), 2)
    assert alike[1].tolist() == pytest.approx([-1.0, 1.0, 0.0, 0.0])
    assert alike[0].tolist() == pytest.approx([0.0, 2**0.5, -(2**0.5), 0.0])


@pytest.fixture
def lookahead() -> Iterator[Lookahead]:
    table_sets = [TableSet(load_ruleset("caliente", 4), 0, 4), TableSet(load_ruleset("jaques", 3), 1, 2)]
    lookahead = Lookahead([table_sets], groups=2, seed="s")
    yield lookahead
    lookahead.close()


def test_the_network_learns_what_its_copy_has_tried(lookahead: Lookahead) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is an extra and is not installed")
    from training.checkpoints import fresh_network  # noqa: PLC0415 - as above
    from training.expert_iteration import ExpertIteration, Plan  # noqa: PLC0415 - PyTorch may not be installed

    torch.manual_seed(0)
    network = fresh_network(width=16, depth=1)
    before = [parameter.detach().clone() for parameter in network.parameters()]
    plan = Plan(seconds=1e9, stretch=40, batch=32, generation=1e9, rate=3e-3, hold=0.9)
    games = ["caliente/4", "jaques/3"]
    optimiser = torch.optim.AdamW(network.parameters())
    improver = ExpertIteration(network, optimiser, lookahead, games, [640.0, 640.0], plan)

    class Enough(Exception):
        pass

    def stop(told: object) -> None:
        if improver.stats.decisions > 250:
            raise Enough

    with pytest.raises(Enough):
        improver.run(stop)
    told = improver.stats
    assert improver.updates > 4
    assert set(told.gained) == set(games)
    entry = told.entry()
    assert entry.shift is not None
    assert entry.shift > 0.0
    assert "gained a decision: " in entry.line()
    assert all((one != two).any() for one, two in zip(before, network.parameters(), strict=True))
    for one, two in zip(before, improver.player.parameters(), strict=True):
        assert torch.equal(one, two)
    improver.plan = Plan(generation=0.0)
    improver._renew()
    assert told.generations == 2
    assert torch.equal(improver.player.policy.weight, network.policy.weight)


def test_better_candidates_become_likelier_and_what_is_sure_stays() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is an extra and is not installed")
    from training.checkpoints import fresh_network  # noqa: PLC0415 - as above
    from training.expert_iteration import _held, _loss  # noqa: PLC0415 - PyTorch may not be installed

    torch.manual_seed(0)
    episode = Episode(game_of(TableSet(load_ruleset("caliente", 4), 0, 1)))
    episode.begin("s")
    while episode.legal_count() < 6:
        episode.step(episode.legal_at(0))
    row = row_of(episode.game, episode.state, episode.observer, episode.legal)
    rows = torch.frombuffer(bytearray(row), dtype=torch.uint8)[None].repeat(8, 1)
    tried = torch.tensor([[*episode.legal_actions()[:3], NONE]] * 8)
    network, player = fresh_network(width=16, depth=1), fresh_network(width=16, depth=1)
    player.load_state_dict(network.state_dict())
    assert float(_held(network, player, rows)[1]) == pytest.approx(0.0, abs=1e-6)

    def chances() -> list[float]:
        found: list[float] = network.with_critic(rows)[0].softmax(1)[0, tried[0, :3]].tolist()
        return found

    begun = chances()
    before = torch.tensor([[*begun, 1.0]] * 8).log()
    gains = torch.tensor([[-1.0, 2.0, -1.0, 0.0]] * 8)
    optimiser = torch.optim.Adam(network.parameters(), lr=3e-3)
    for _ in range(60):
        optimiser.zero_grad()
        _loss(network, rows, tried, before, gains, torch.zeros(8), 0.15)[0].backward()
        optimiser.step()
    now = chances()
    assert now[1] > 0.8
    assert now[0] < begun[0]
    # With enough caution nothing changes.
    network.load_state_dict(player.state_dict())
    for _ in range(60):
        optimiser.zero_grad()
        _loss(network, rows, tried, before, gains, torch.zeros(8), 1000.0)[0].backward()
        optimiser.step()
    assert chances() == pytest.approx(begun, abs=0.05)


def test_weights_are_improved_by_the_command(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is an extra and is not installed")
    from training.__main__ import main  # noqa: PLC0415 - as above
    from training.checkpoints import Checkpoint, fresh_network, load_network, save  # noqa: PLC0415 - as above

    network = fresh_network(width=16, depth=1)
    optimiser = torch.optim.AdamW(network.parameters())
    save(tmp_path / "from.pt", Checkpoint(network, ["bolivia/4"], 7, house_rules=True), optimiser)
    to = tmp_path / "to.pt"
    main(
        f"improve --games caliente/4,jaques/4 --from {tmp_path}/from.pt --weights {to} --seconds 3 "
        "--tables 16 --stretch 16 --batch 16".split()
    )
    improved, games, steps, house_rules = load_network(to)
    assert games == ["caliente/4", "jaques/4"]
    assert steps > 7
    assert house_rules
    log = read_log(tmp_path / "to.log.jsonl")
    assert [run.steps_before for run in log] == [7]
    assert log[0].entries[-1].decisions
    assert "points a decision over the beginning" in curves({"to": log})
    assert not torch.equal(improved.policy.weight, network.policy.weight)
