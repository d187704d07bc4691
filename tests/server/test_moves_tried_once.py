"""A move is parsed once and tried once on its way to the new state; a failing store changes nothing."""

import sys

import pytest
from server.test_commands import HOST, Onlooker, Shelf, a_house

from canasta.bots import get_bot
from canasta.engine.hand import Hand, TriedMove
from canasta.engine.moves.types import Move
from canasta.engine.state import HandState
from canasta.notation.moves import parse_move
from canasta.rules import load_ruleset
from canasta.server.store import DatabaseError
from canasta.server.tables.live_table import LiveTable
from canasta.server.tables.registry import NewTable
from canasta.server.workers.bot_worker import BotReply
from canasta.server.workers.pool import BotPool, BotRequest
from canasta.table.log import Moved, Said, decode_entry, encode_entry
from canasta.table.next_action import Turn
from canasta.table.table import Table
from canasta.table.wire import Checked, Done, Problem, Refused
from canasta.table.wire_commands import CheckMove, MakeMove
from canasta.terminal.local_table import Host, new_table


class CountedHand(Hand):
    """A hand that lists the moves tried on it, with the state that they were tried on."""

    def __init__(self, hand: Hand) -> None:
        super().__init__(hand.state, hand.scores)
        self.trials: list[tuple[HandState, Move]] = []

    def try_move(self, move: Move) -> TriedMove:
        self.trials.append((self.state, move))
        return super().try_move(move)


class Counts:
    """The moves parsed in this process, and those tried on the cards as they were at the start."""

    def __init__(self, table: Table) -> None:
        assert table.match is not None
        self.parsed: list[str] = []
        self.hand = table.match.hand = CountedHand(table.match.hand)
        self._before = self.hand.state

    @property
    def tried(self) -> list[str]:
        """Moves tried on the first cards. The frames of later states try others, to show what is allowed."""
        return [str(move) for state, move in self.hand.trials if state is self._before]


def counted(table: Table, monkeypatch: pytest.MonkeyPatch) -> Counts:
    counts = Counts(table)

    def parse(text: str) -> Move:
        counts.parsed.append(text)
        return parse_move(text)

    for name, module in list(sys.modules.items()):
        if name.startswith("canasta.") and getattr(module, "parse_move", None) is parse_move:
            monkeypatch.setattr(module, "parse_move", parse)
    return counts


async def a_table(shelf: Shelf, *, turn: int, pace: float = 3600.0) -> tuple[LiveTable, Onlooker]:
    """Return a table of two where this seat is to move: 0 for the person, 1 for the computer player."""
    house = a_house(shelf, pace=pace)
    while True:
        live = await house.open_table(HOST, NewTable(rules="two-player", start=True))
        assert live.table.match is not None
        if live.table.match.hand.turn == turn:
            viewer = Onlooker(HOST.id, HOST.name)
            await live.enter(viewer)
            return live, viewer


def facts(table: Table) -> tuple[object, ...]:
    assert table.match is not None
    return (
        table.match.facts(),
        table.state,
        table.move_state,
        table.steps.copy(),
        table.chain,
        table.hand_events.copy(),
    )


async def test_a_move_of_a_person(monkeypatch: pytest.MonkeyPatch) -> None:
    live, viewer = await a_table(Shelf(), turn=0)
    counts = counted(live.table, monkeypatch)
    answer = await live.handle(viewer, MakeMove(id="1", state=live.table.state, move="draw"))
    assert answer == Done(id="1", state=live.table.state)
    assert live.table.steps[1:] == ["draw"]
    assert (counts.parsed, counts.tried) == (["draw"], ["draw"])


async def test_a_refused_move(monkeypatch: pytest.MonkeyPatch) -> None:
    live, viewer = await a_table(Shelf(), turn=0)
    counts, before = counted(live.table, monkeypatch), facts(live.table)
    answer = await live.handle(viewer, MakeMove(id="1", state=live.table.state, move="discard 4"))
    assert isinstance(answer, Refused)
    assert facts(live.table) == before
    assert (counts.parsed, counts.tried) == (["discard 4"], ["discard 4"])


async def test_a_question_about_a_move(monkeypatch: pytest.MonkeyPatch) -> None:
    live, viewer = await a_table(Shelf(), turn=0)
    counts, before = counted(live.table, monkeypatch), facts(live.table)
    answer = await live.handle(viewer, CheckMove(id="1", move="draw"))
    assert answer == Checked(id="1", why=None)
    assert facts(live.table) == before
    assert (counts.parsed, counts.tried) == (["draw"], ["draw"])


async def test_a_move_of_a_computer_player(monkeypatch: pytest.MonkeyPatch) -> None:
    moves: list[str] = []

    async def answer(_: BotPool, asked: BotRequest) -> BotReply:
        assert live.table.match is not None
        moves.append(str(get_bot("novice").choose(live.table.match.hand.view(asked.seat))))
        return BotReply(move=moves[-1])

    monkeypatch.setattr(BotPool, "answer", answer)
    monkeypatch.setattr(BotPool, "warm", lambda _: None)
    live, _ = await a_table(Shelf(), turn=1, pace=0.0)
    counts = counted(live.table, monkeypatch)
    await live._do_what_is_due()
    assert live.table.steps[1:2] == moves[:1]
    assert (counts.parsed[:1], counts.tried) == (moves[:1], moves[:1])


def a_local_table(seed: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Host, Turn, Counts]:
    host = Host(new_table(load_ruleset("two-player"), "novice", seed))
    host.enter()
    turn = host.due()
    assert isinstance(turn, Turn)
    return host, turn, counted(host.table, monkeypatch)


def test_a_move_of_a_person_at_a_local_table(monkeypatch: pytest.MonkeyPatch) -> None:
    host, turn, counts = a_local_table("seed 0", monkeypatch)
    assert not turn.level
    answer = host.handle(MakeMove(id="1", state=host.table.state, move="draw"))
    assert isinstance(answer, Done)
    assert (counts.parsed, counts.tried) == (["draw"], ["draw"])


def test_a_move_of_a_computer_player_at_a_local_table(monkeypatch: pytest.MonkeyPatch) -> None:
    host, turn, counts = a_local_table("seed 1", monkeypatch)
    assert turn.level
    host.play(turn, host.choose(turn))
    assert counts.parsed == [], "it answers with a move, not with text"
    assert counts.tried == host.table.steps[1:]


async def test_a_store_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = Shelf()
    live, viewer = await a_table(shelf, turn=0)
    counts, before, shown = counted(live.table, monkeypatch), facts(live.table), len(viewer.texts)
    log = shelf.logs[live.table.name].copy()
    command = MakeMove(id="1", state=live.table.state, move="draw")
    shelf.failing = DatabaseError("the disk is full")
    assert isinstance(await live.handle(viewer, command), Problem)
    assert facts(live.table) == before
    assert (shelf.logs[live.table.name], len(viewer.texts)) == (log, shown)
    shelf.failing = None
    assert isinstance(await live.handle(viewer, command), Done)
    assert isinstance(await live.handle(viewer, command), Done), "the same command again"
    assert live.table.steps[1:] == ["draw"]
    assert (counts.parsed, counts.tried) == (["draw"] * 2, ["draw"] * 2)


async def test_another_process_that_writes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = Shelf()
    live, viewer = await a_table(shelf, turn=0)
    counts, length = counted(live.table, monkeypatch), live.table.length
    said = encode_entry(Said(seat=0, phrase="hello"))
    await shelf.append(live.table.name, length, [(None, said)])
    answer = await live.handle(viewer, MakeMove(id="1", state=live.table.state, move="draw"))
    assert isinstance(answer, Done)
    log = [decode_entry(row.payload) for row in shelf.logs[live.table.name][length:]]
    assert [type(entry) for entry in log] == [Said, Moved]
    assert live.table.steps[1:] == ["draw"]
    assert counts.parsed == ["draw"] * 2, "once for each attempt"


async def test_a_log_is_replayed_with_one_trial_a_move(monkeypatch: pytest.MonkeyPatch) -> None:
    live, _ = await a_table(Shelf(), turn=0)
    counts = counted(live.table, monkeypatch)
    live.table.apply([decode_entry(encode_entry(Moved(seat=0, move="draw")))])
    assert (counts.parsed, counts.tried) == (["draw"], ["draw"])


async def test_a_trial_of_earlier_cards_is_never_made() -> None:
    live, _ = await a_table(Shelf(), turn=0)
    match = live.table.match
    assert match is not None
    tried = match.try_move(parse_move("draw"))
    match.apply(parse_move("draw"))
    before = facts(live.table)
    with pytest.raises(ValueError, match="has changed"):
        live.table.apply([Moved(seat=0, move="draw")], tried=tried)
    assert facts(live.table) == before
