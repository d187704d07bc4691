"""Computer players think in other processes: with a deadline, in bounded queues, people before bots."""

import asyncio
from asyncio import QueueFull
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from server.running_server import AtTable, Running, running

from canasta.bots import get_bot
from canasta.engine.match import Match
from canasta.notation.moves import parse_move
from canasta.rules import resolve_ruleset
from canasta.server.fair_queue import SERVER, Asker
from canasta.server.settings import Limits
from canasta.server.workers import pool as thinking
from canasta.server.workers.bot_worker import BotQuestion, BotReply, BotWorker
from canasta.server.workers.pool import (
    MOST_WAITING,
    PEOPLE_IN_TURN,
    PROVED_QUICK,
    BotPool,
    BotRequest,
    TableBots,
)
from canasta.table.log import FairStep, Moved, Step, decode_entry
from canasta.table.next_action import simple_move
from canasta.table.wire import Done, Hints, Problem, TableState

DEAL = FairStep(hand=1, number=1, server_seed="ab" * 32, seeds={0: "cd" * 32})


def an_ask(table: str = "t", level: str = "club", steps: list[Step] | None = None) -> BotRequest:
    seat = a_match(table).hand.turn if steps is None else 1
    steps = [DEAL] if steps is None else steps
    return BotRequest(
        table=table, rules="two-player", version=2, players=2, options={}, steps=steps, length=len(steps),
        seat=seat, level=level, budget=0.0,
    )  # fmt: skip


def a_match(table: str = "t") -> Match:
    return Match.new(resolve_ruleset("two-player", 2, {}), table, fair=DEAL.fair_round(table))


@pytest.fixture
def strange_player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Replace the worker processes' club player with one whose methods are the given text."""

    def give(text: str) -> None:
        folder = tmp_path / "strange"
        folder.mkdir()
        body = "".join(f"    {line}\n" for line in text.splitlines())
        (folder / "sitecustomize.py").write_text(
            "import canasta.bots\nfrom canasta.bots import Bot\nusual = canasta.bots.get_bot\n"
            f"class Strange(Bot):\n{body}"
            "def get_bot(level, *more):\n    return Strange() if level == 'club' else usual(level, *more)\n"
            "canasta.bots.get_bot = get_bot\n"
        )
        monkeypatch.syspath_prepend(str(folder))

    return give


def be_impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "MOST_QUICK", 0.1)
    monkeypatch.setattr(thinking, "MOST_DEEP", 0.1)


async def test_a_player_who_never_answers_stops_nobody_and_its_move_is_told_as_a_simple_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, strange_player: Callable[[str], None]
) -> None:
    monkeypatch.setattr(thinking, "MOST_QUICK", 1000.0)
    monkeypatch.setattr(thinking, "ANSWER_TIMEOUT_S", 1000.0)
    strange_player("def choose(self, view):\n    while True: pass")
    async with running(tmp_path) as server:
        ada, ben = await server.guest("Ada"), await server.guest("Ben")
        table, other = await ada.open_table(rules="two-player", start=True), await ben.open_table()
        async with ada.join(table) as seat, ben.join(other) as elsewhere:
            live = await server.services.registry.find(table)
            assert live is not None
            await _until_the_bot_is_to_move(seat)
            length = live.table.length
            # While it thinks, everyone else is served.
            for _ in range(20):
                assert isinstance(await elsewhere.ask("ping"), Done)
                assert (await ben.rest.get("/api/health")).status_code == 200
            assert live.table.length == length
            # Its process is killed, and the next one gets little time.
            monkeypatch.setattr(thinking, "MOST_DEEP", 0.05)
            for process in server.services.registry._bot_pool._quick._processes:
                assert process._worker._process is not None
                process._worker._process.kill()
            state = await seat.until(lambda state: any(event.what == "hurried" for event in state.events))
            told = next(event for event in state.events if event.what == "hurried")
            assert told.seat == 1
            moved = [entry for entry in await _log(server, table) if isinstance(entry, Moved)]
            assert next(entry.hurried for entry in moved if entry.seat == 1)
            assert not any(entry.hurried for entry in moved if entry.seat == 0)


async def _until_the_bot_is_to_move(seat: AtTable) -> None:
    while seat.state.turn != 1:
        state = await seat.my_turn()
        if state.turn != 1 and state.you is not None:
            await seat.move("draw" if "draw" in state.you.can else f"discard {state.you.cards[0]}")


async def _log(server: Running, table: str) -> list[Any]:
    return [decode_entry(row.payload) for row in await server.services.store.entries(table)]


async def test_who_waits_for_a_hint_can_move_meanwhile_and_does_not_ask_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, strange_player: Callable[[str], None]
) -> None:
    be_impatient(monkeypatch)
    strange_player("def hint(self, view, most=3):\n    while True: pass")
    async with running(tmp_path, pace=3600.0) as server:
        ada, ben = await server.guest("Ada"), await server.guest("Ben")
        table = await ada.open_table(rules="two-player")
        async with ada.join(table) as first, ben.join(table) as second:
            await second.ask("sit")
            await first.ask("start")
            await second.until(lambda state: state.hand == 1)
            seat = first if first.state.turn == 0 else second
            asked = await seat.send("hint")
            again = await seat.ask("hint")
            assert isinstance(again, Problem)
            assert (again.code, again.message[-14:]) == ("too_fast", "Wait a moment.")
            assert isinstance(await seat.move("draw"), Done)
            answer = await seat.receive()
            while isinstance(answer, TableState):
                answer = await seat.receive()
            assert answer == Hints(id=asked, hints=[])


async def test_a_process_that_dies_is_replaced(tmp_path: Path, strange_player: Callable[[str], None]) -> None:
    mark = tmp_path / "once"
    strange_player(
        "def choose(self, view):\n"
        "    import os, pathlib\n"
        f"    mark = pathlib.Path({str(mark)!r})\n"
        "    if not mark.exists():\n"
        "        mark.touch()\n"
        "        os.abort()\n"
        "    return usual('novice').choose(view)"
    )
    async with running(tmp_path) as server:
        ada = await server.guest("Ada")
        table = await ada.open_table(rules="two-player", start=True)
        async with ada.join(table) as seat:
            await _until_the_bot_is_to_move(seat)
            await seat.my_turn()
            # The queue for slow players answered instead, so no fallback move was needed.
            moved = [entry for entry in await _log(server, table) if isinstance(entry, Moved)]
            assert mark.exists()
            assert any(entry.by == "bot" for entry in moved)
            assert not any(entry.hurried for entry in moved)


async def test_a_player_that_stumbles_or_talks_nonsense_gets_a_simple_move(
    tmp_path: Path, strange_player: Callable[[str], None]
) -> None:
    strange_player("def choose(self, view):\n    print('lost')\n    raise KeyError('lost')")
    async with running(tmp_path) as server:
        ada = await server.guest("Ada")
        table = await ada.open_table(rules="two-player", start=True)
        async with ada.join(table) as seat:
            await _until_the_bot_is_to_move(seat)
            await seat.until(lambda state: any(event.what == "hurried" for event in state.events))


async def test_patience_ends_though_nobody_is_there_to_think(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(*_: object) -> BotReply:
        await asyncio.get_running_loop().create_future()
        return BotReply()

    monkeypatch.setattr(thinking._Process, "answer", never)
    table: Any = _Table([DEAL])
    thinkers = BotPool()
    monkeypatch.setattr(thinking, "ANSWER_TIMEOUT_S", 0.05)
    waits = TableBots(table, thinkers, 0.0)
    chosen = await waits.choose(a_match(), 1, "club", SERVER)
    assert chosen is not None
    assert chosen.hurried
    assert await waits.hints(1, SERVER) == []
    await thinkers.close()


class _Table:
    """The parts of a table that computer players use."""

    def __init__(self, steps: list[Step]) -> None:
        self.name, self.steps, self.move_state = "t", steps, 1
        self.created = self
        self.rules, self.version, self.players, self.options = "two-player", 2, 2, dict[str, Any]()
        self.practice = ""


def test_a_simple_move_is_always_a_legal_one() -> None:
    match = a_match()
    for _ in range(400):
        if match.hand.over:
            break
        tried = simple_move(match)
        assert match.check(tried.move) is None
        match.make(tried)
    assert match.hand.over, "drawing and throwing away comes to the end of the stock"


# -- queues --------------------------------------------------------------------------------------------------


class Gate:
    """A stand-in for the process: it answers on request and records the order of the questions."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked: list[str] = []
        self.may = asyncio.Semaphore(0)
        self.is_asked = asyncio.Event()
        monkeypatch.setattr(thinking._Process, "answer", lambda _, ask, most: self._answer(ask))
        monkeypatch.setattr(thinking._Process, "start", self._start)

    async def _start(self) -> None:
        """Do nothing; no process has to start."""

    async def _answer(self, ask: BotRequest) -> BotReply:
        self.asked.append(("person " if ask.of_person else "") + ask.table)
        self.is_asked.set()
        await self.may.acquire()
        return BotReply(move="draw")


async def test_people_come_first_but_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    gate, thinkers = Gate(monkeypatch), BotPool()
    begun = asyncio.create_task(thinkers.answer(an_ask("busy")))
    await gate.is_asked.wait()
    asks = [an_ask(name) for name in "ab"] + [an_ask(name, level="") for name in "cdefgh"]
    waiting = [asyncio.create_task(thinkers.answer(ask)) for ask in asks]
    await asyncio.sleep(0)
    for _ in range(9):
        gate.may.release()
    await asyncio.gather(begun, *waiting)
    people = [f"person {name}" for name in "cdefgh"]
    assert gate.asked == ["busy", *people[:PEOPLE_IN_TURN], "a", *people[PEOPLE_IN_TURN:], "b"]
    await thinkers.close()


async def test_what_comes_out_of_a_record_never_holds_up_those_who_play(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gate, thinkers = Gate(monkeypatch), BotPool()
    strange = [structs.replace(an_ask(f"strange {number}"), from_record=True) for number in range(9)]
    waiting = [asyncio.create_task(thinkers.answer(ask)) for ask in strange]
    await gate.is_asked.wait()
    # However many bots are waiting, a question about a person's move goes first.
    gate.is_asked.clear()
    waiting.append(asyncio.create_task(thinkers.answer(an_ask("ours"))))
    await gate.is_asked.wait()
    assert gate.asked[-1] == "ours"
    for _ in waiting:
        gate.may.release()
    await asyncio.gather(*waiting)
    await thinkers.close()


async def test_a_full_row_takes_nobody_until_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    gate, thinkers = Gate(monkeypatch), BotPool()
    waiting = [asyncio.create_task(thinkers.answer(an_ask(f"t{number}"))) for number in range(MOST_WAITING)]
    await gate.is_asked.wait()
    waiting.append(asyncio.create_task(thinkers.answer(an_ask("last"))))
    await asyncio.sleep(0)
    with pytest.raises(QueueFull):
        await thinkers.answer(an_ask("one more"))
    # A cancelled request gives up its place in the queue.
    waiting[5].cancel()
    await asyncio.sleep(0)
    waiting.append(asyncio.create_task(thinkers.answer(an_ask("a person", level=""))))
    await asyncio.sleep(0)
    for _ in waiting:
        gate.may.release()
    answers = await asyncio.gather(*waiting, return_exceptions=True)
    assert sum(isinstance(answer, BotReply) for answer in answers) == MOST_WAITING + 1
    assert "t5" not in gate.asked
    await thinkers.close()


def an_ask_of(asker: Asker, table: str, **options: Any) -> BotRequest:
    return structs.replace(an_ask(table), asker=asker, options=options)


async def test_the_tables_of_one_address_wait_behind_the_first_of_everyone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Thirty tables from one address, each with its own host, delay others by at most one question."""
    gate, thinkers = Gate(monkeypatch), BotPool()
    asks = [an_ask_of(Asker(f"guest {number}", "198.51.100.1"), f"t{number}") for number in range(30)]
    waiting = [asyncio.create_task(thinkers.answer(ask)) for ask in asks]
    await gate.is_asked.wait()
    waiting.append(asyncio.create_task(thinkers.answer(an_ask_of(Asker("ada", "203.0.113.1"), "ours"))))
    await asyncio.sleep(0)
    for _ in waiting:
        gate.may.release()
    await asyncio.gather(*waiting)
    assert gate.asked.index("ours") == 1
    await thinkers.close()


async def test_a_full_row_has_a_place_for_the_first_question_of_anyone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gate, thinkers = Gate(monkeypatch), BotPool()
    eve = [an_ask_of(Asker("eve", "198.51.100.1"), f"t{number}") for number in range(1 + MOST_WAITING)]
    waiting = [asyncio.create_task(thinkers.answer(eve[0]))]
    await gate.is_asked.wait()
    waiting += [asyncio.create_task(thinkers.answer(ask)) for ask in eve[1:]]
    await asyncio.sleep(0)
    ours = asyncio.create_task(thinkers.answer(an_ask_of(Asker("ada", "203.0.113.1"), "ours")))
    with pytest.raises(QueueFull):
        await waiting.pop()
    for _ in range(1 + len(waiting)):
        gate.may.release()
    assert await ours == BotReply(move="draw")
    await asyncio.gather(*waiting)
    await thinkers.close()


async def test_house_rules_prove_quick_before_they_share_the_quick_row(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    thinkers = BotPool()
    rows: list[str] = []
    took = 0.0

    def answers(row: str) -> Callable[..., Any]:
        async def answer(*_: object) -> BotReply:
            rows.append(row)
            return BotReply(move="draw", took=took)

        return answer

    monkeypatch.setattr(thinkers._quick, "answer", answers("quick"))
    monkeypatch.setattr(thinkers._deep, "answer", answers("deep"))

    async def row_of(table: str, **options: Any) -> str:
        await thinkers.answer(an_ask_of(SERVER, table, **options))
        return rows[-1]

    assert await row_of("by the book") == "quick"
    assert [await row_of("a", target=100) for _ in range(PROVED_QUICK + 1)] == [
        *["deep"] * PROVED_QUICK,
        "quick",
    ]
    assert await row_of("b", target=100) == "quick"
    assert await row_of("b", target=200) == "deep"
    took = 1.0
    assert await row_of("b", target=100) == "quick"  # … and that one was slow
    took = 0.0
    for table in ("a", "b", "new"):
        assert {await row_of(table, target=100) for _ in range(PROVED_QUICK + 1)} == {"deep"}
    assert await row_of("by the book") == "quick"


async def test_a_full_row_is_told_to_a_person_and_does_not_stop_a_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def full(*_: object) -> BotReply:
        raise QueueFull

    monkeypatch.setattr(BotPool, "answer", full)
    table: Any = _Table([DEAL])
    waits = TableBots(table, BotPool(), 0.0)
    chosen = await waits.choose(a_match(), 1, "club", SERVER)
    assert chosen is not None
    assert chosen.hurried
    with pytest.raises(QueueFull):
        await waits.hints(1, SERVER)


async def test_a_player_without_an_answer_makes_no_move_once_the_hand_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = a_match()
    table: Any = _Table([DEAL])

    async def too_late(*_: object) -> None:
        bot = get_bot("club")
        while not match.hand.over:
            match.apply(bot.choose(match.hand.view(match.hand.turn)))
        table.move_state += 1

    monkeypatch.setattr(BotPool, "answer", too_late)
    assert await TableBots(table, BotPool(), 0.0).choose(match, 1, "club", SERVER) is None


async def test_who_may_have_to_search_is_given_the_time_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """This includes the master: for a game it hasn't learned, the expert plays instead."""
    given: dict[str, float] = {}

    async def note(_: object, ask: BotRequest) -> None:
        given[ask.level] = ask.budget

    monkeypatch.setattr(BotPool, "answer", note)
    table: Any = _Table([DEAL])
    waits = TableBots(table, BotPool(), 0.7)
    for level in ("club", "expert", "master", "grandmaster"):
        await waits.choose(a_match(), 1, level, SERVER)
    assert given == {"club": 0.0, "expert": 0.7, "master": 0.7, "grandmaster": 0.7}


# -- the process ---------------------------------------------------------------------------------------------


def a_question(ask: BotRequest, since: int = 0) -> BotQuestion:
    return BotQuestion(
        table=ask.table, rules=ask.rules, version=ask.version, players=ask.players, options=ask.options,
        since=since, steps=list(ask.steps[since:]), seat=ask.seat, level=ask.level, budget=0.0,
        time_limit=10.0,
    )  # fmt: skip


def test_a_thinker_is_told_what_is_new_and_asks_for_the_rest() -> None:
    match, thinker, bot = a_match(), BotWorker(), get_bot("club")
    steps: list[Step] = [DEAL]
    told = 0
    for number in range(40):
        seat = match.hand.turn
        ask = structs.replace(an_ask(steps=steps), seat=seat)
        expected = str(bot.choose(match.hand.view(seat)))
        if number % 7 == 3:  # another process has answered in the meantime
            assert BotWorker().answer(a_question(ask, since=told)).is_behind
        answer = thinker.answer(a_question(ask, since=told))
        assert answer.move == expected
        told = len(steps)
        advice = thinker.answer(a_question(structs.replace(ask, level=""), since=told)).advice
        assert advice[0].text
        match.apply(parse_move(expected))
        steps.append(expected)


async def test_real_processes_answer_many_tables(tmp_path: Path) -> None:
    thinkers = BotPool()
    tables = [f"t{number}" for number in range(20)]
    answers = await asyncio.gather(*(thinkers.answer(an_ask(table)) for table in tables))
    for table, answer in zip(tables, answers, strict=True):
        assert answer is not None
        assert a_match(table).check(parse_move(answer.move)) is None
    hints = await thinkers.answer(an_ask("t3", level=""))
    assert hints is not None
    assert hints.advice
    await thinkers.close()


# -- limits --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["hint", "check"])
async def test_hints_and_checks_are_limited_by_player_and_address_not_by_connection(
    kind: str, tmp_path: Path
) -> None:
    few = {f"{kind}s": (3.0, 0.0001), f"{kind}s_from": (5.0, 0.0001)}
    parts = {} if kind == "hint" else {"move": "draw"}
    async with running(tmp_path, limits=Limits(**few), pace=3600.0) as server:  # type: ignore[arg-type]
        ada, ben = await server.guest("Ada"), await server.guest("Ben")
        table = await ada.open_table(rules="two-player")

        async def asked(person: Any, times: int) -> list[bool]:
            """Ask this many times, each on a new connection; return which requests were allowed."""
            good = []
            for _ in range(times):
                async with person.join(table) as seat:
                    answer = await seat.ask(kind, **parts)
                    good.append(not isinstance(answer, Problem))
                    if isinstance(answer, Problem):
                        assert (answer.code, answer.message[-14:]) == ("too_fast", "Wait a moment.")
            return good

        assert await asked(ada, 4) == [True, True, True, False]
        assert await asked(ben, 3) == [True, True, False]
