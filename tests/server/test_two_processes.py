"""Several server processes on one database, with and without Redis: real programs, really killed."""

import asyncio
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from finished_games import finished_table
from server.running_server import AtTable, Person, Running
from services import PATIENCE, RedisServer, free_port, wait_for_port

from canasta.server.store.store import Store, make_store
from canasta.server.tables import cluster
from canasta.table.wire import Done, Refused

everybody: list[Person] = []
"""The people of the running test."""


@pytest.fixture(autouse=True)
async def goodbye() -> AsyncIterator[None]:
    yield
    while everybody:
        await everybody.pop().rest.aclose()


PROGRAM = """
import sys
from pathlib import Path
from canasta.__main__ import main
from canasta.server.settings import Settings
from canasta.server.tables import cluster

hurry, cluster.LOST_AFTER = Path(sys.argv.pop(1)), float(sys.argv.pop(1))
Settings.away_after = property(lambda _: 0.0 if hurry.exists() else 3600.0, lambda _, seconds: None)
main()
"""
"""The server program, in which nobody counts as away until the test wants it.

So it makes no difference if a busy machine is slow to record who has connected.
"""


class Process:
    """A server program."""

    def __init__(
        self, database: str, redis: str, folder: Path, lost_after: float = cluster.LOST_AFTER
    ) -> None:
        self.port = free_port()
        self.host = f"127.0.0.1:{self.port}"
        self.url = f"http://{self.host}"
        self.people = everybody
        self.database = database
        self._hurry = folder / "hurry"
        words = ["--port", str(self.port), "--database", database, "--no-limits", "--pace", "0"]
        if redis:
            words += ["--redis", redis]
        with (folder / f"{self.port}.log").open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-c", PROGRAM, str(self._hurry), str(lost_after), "serve", *words],
                stdout=log,
                stderr=log,
            )

    @contextmanager
    def in_a_hurry(self) -> Iterator[None]:
        """While this runs, anyone without a connection counts as away, in all processes of the folder."""
        self._hurry.touch()
        try:
            yield
        finally:
            self._hurry.unlink()

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    async def guest(self, name: str) -> Person:
        person = Person(cast(Running, self), name)
        await person.come_in()
        return person

    def same(self, person: Person) -> Person:
        """Return the same person, with the same cookie, at this process."""
        other = Person(cast(Running, self), person.name)
        other.rest.cookies.update(dict(person.rest.cookies))
        return other


@pytest.fixture(scope="module", params=["SQLite", "PostgreSQL and Redis"])
def two(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Process, Process]]:
    """Yield two processes on one database, in the smallest and in the largest setup."""
    folder = tmp_path_factory.mktemp("two")
    with ExitStack() as stack:
        if request.param == "SQLite":
            database, redis = f"sqlite:///{folder / 'tables.db'}", ""
        else:
            program = shutil.which("redis-server") or shutil.which("valkey-server")
            if program is None:
                pytest.skip("Redis is not installed")
            pytest.importorskip("redis", reason="redis-py is not installed")
            database = f"{request.getfixturevalue('postgres')}/postgres"
            server = RedisServer(program, folder)
            server.start()
            stack.callback(server.stop)
            redis = server.url
        started = [Process(database, redis, folder) for _ in range(2)]
        for process in started:
            stack.callback(process.kill)
        for process in started:
            wait_for_port(process.port)
        yield started[0], started[1]


@asynccontextmanager
async def three_at_a_table(first: Process, second: Process) -> AsyncIterator[list[AtTable]]:
    """Seat Ada through the first process, Ben and Cleo through the second, and start a game."""
    ada, ben, cleo = await first.guest("Ada"), await second.guest("Ben"), await second.guest("Cleo")
    table = await ada.open_table(players=3)
    async with AsyncExitStack() as stack:
        seats = [await stack.enter_async_context(person.join(table)) for person in (ada, ben, cleo)]
        for number in (1, 2):
            assert isinstance(await seats[number].ask("sit", seat=number), Done)
        await until(seats[0], lambda state: all(seat.who == "person" for seat in state.seats))
        assert isinstance(await seats[0].ask("start"), Done)
        for seat in seats:
            await until(seat, lambda state: state.hand == 1 and all(one.connected for one in state.seats))
        yield seats


@asynccontextmanager
async def opened_store(process: Process) -> AsyncIterator[Store]:
    """Open the database of a running program a second time."""
    store = make_store(process.database)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


async def until(seat: AtTable, wanted: Any) -> None:
    await seat.until(wanted, PATIENCE)


async def test_a_game_is_played_through_two_processes(two: tuple[Process, Process]) -> None:
    first, second = two
    ada, ben = await first.guest("Ada"), await second.guest("Ben")
    table = await ada.open_table(rules="two-player")
    async with ada.join(table) as south, ben.join(table) as north:
        assert isinstance(await north.ask("sit", seat=1), Done)
        await until(south, lambda state: state.seats[1].who == "person" and state.seats[1].connected)
        assert isinstance(await south.ask("start"), Done)
        for seat in (south, north):
            await until(seat, lambda state: state.hand == 1)
        for _ in range(8):
            mover, other = (south, north) if south.state.turn == 0 else (north, south)
            state = mover.state
            assert state.you is not None
            move = "draw" if "draw" in state.you.can else f"discard {state.you.cards[0]}"
            assert isinstance(await mover.move(move), Done)
            length = mover.state.state // 1000
            await until(other, lambda state, length=length: state.state // 1000 >= length)
            assert (south.state.stock, south.state.pile) == (north.state.stock, north.state.pile)
        # REST calls give the same answer at the process to which a person isn't connected.
        rows = [
            await person.rest.get(f"/api/tables/{table}") for person in (second.same(ada), first.same(ben))
        ]
        assert rows[0].json() == rows[1].json()


async def test_nobody_plays_for_somebody_at_the_other_process(two: tuple[Process, Process]) -> None:
    first, second = two
    async with three_at_a_table(first, second) as (ada, ben, cleo):
        # Cleo leaves and counts as away; Ada, who isn't connected to the second process, never does.
        with first.in_a_hurry():
            await cleo.socket.close()
            for seat in (ada, ben):
                # The log shows at once that Cleo is away; the list of connections follows a little later.
                await until(seat, lambda state: state.seats[2].away and not state.seats[2].connected)
        for seat in (ada, ben):
            assert [one.away for one in seat.state.seats] == [False, False, True]
            assert [one.connected for one in seat.state.seats] == [True, True, False]
        log = [event.what for text in ben.frames for event in _events(text)]
        assert log.count("left") == 1


def _events(text: str) -> list[Any]:
    from server.running_server import _frames  # noqa: PLC0415 - the decoder of the clients

    return getattr(_frames.decode(text), "events", [])


async def test_who_logs_out_is_cut_off_everywhere(two: tuple[Process, Process]) -> None:
    first, second = two
    ada = await first.guest("Ada")
    table = await ada.open_table()
    async with ada.join(table) as here, second.same(ada).join(table) as there:
        assert (await ada.rest.post("/api/logout")).status_code == 204
        assert await here.end() == 4401
        assert await there.end() == 4401


async def test_two_who_want_the_same_at_the_same_moment(two: tuple[Process, Process]) -> None:
    """Commands that don't depend on the cards are carried out after the other process's entries."""
    first, second = two
    ada, ben, cleo = await first.guest("Ada"), await first.guest("Ben"), await second.guest("Cleo")
    table = await ada.open_table(players=6, rules="caliente")
    async with ada.join(table) as host, ben.join(table) as one, cleo.join(table) as other:
        answers = await asyncio.gather(one.ask("sit"), other.ask("sit"))
        assert [type(answer) for answer in answers] == [Done, Done]
        for _ in range(3):
            said = await asyncio.gather(*(seat.ask("say", phrase="hello") for seat in (host, one, other)))
            assert [type(answer) for answer in said] == [Done] * 3
        answers = await asyncio.gather(host.ask("start"), other.ask("say", phrase="thanks"))
        assert [type(answer) for answer in answers] == [Done, Done]
        await until(other, lambda state: state.hand == 1)
        assert sorted(seat.name for seat in other.state.seats if seat.who == "person") == [
            "Ada",
            "Ben",
            "Cleo",
        ]
        # A stale move is refused as usual.
        mover = next((seat for seat in (host, one, other) if seat.state.turn == seat.state.seat), None)
        if mover is not None:
            assert isinstance(await mover.move("draw", state=1), Refused)


async def test_a_room_and_a_rematch_through_two_processes(two: tuple[Process, Process]) -> None:
    first, second = two
    ada, ben = await first.guest("Ada"), await second.guest("Ben")
    async with opened_store(first) as store:
        table = await finished_table(store, [ada, ben])
    async with ada.join(table) as one, ben.join(table) as other:
        answers = await asyncio.gather(one.ask("again"), other.ask("again"))
        assert [type(answer) for answer in answers] == [Done, Done]
        for seat in (one, other):
            await until(seat, lambda state: state.again.next)
        assert one.state.again is not None
        assert one.state.again == other.state.again, "both were led to the same table"
        new = one.state.again.next
    async with ada.join(new) as one, ben.join(new) as other:
        await until(one, lambda state: state.seats[1].connected)
        seen = one.state.state
        # The host doesn't know yet that Ben has moved through the other process.
        chosen = {"rules": "caliente", "players": 4, "options": {"target": 500}}
        assert isinstance(await one.ask("game", state=seen, **chosen), Done)
        await until(other, lambda state: len(state.seats) == 4)
        assert isinstance(await other.ask("sit", seat=2), Done)
        answer = await one.ask("arrange", state=seen, seats=[1, 0, 2, 3])
        assert isinstance(answer, Refused)
        assert answer.stale
        await until(one, lambda state: state.seats[2].who == "person")
        assert isinstance(await one.ask("arrange", state=one.state.state, seats=[0, 2, 1, 3]), Done)
        await until(other, lambda state: state.seat == 1)
        assert isinstance(await one.ask("start"), Done)
        await until(other, lambda state: state.hand == 1)


@pytest.mark.long
async def test_a_server_killed_between_two_games_has_lost_nothing(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'tables.db'}"

    @asynccontextmanager
    async def alive() -> AsyncIterator[Process]:
        process = Process(database, "", tmp_path)
        try:
            await asyncio.to_thread(wait_for_port, process.port)
            yield process
        finally:
            process.kill()

    async with alive() as process:
        ada, ben = await process.guest("Ada"), await process.guest("Ben")
        async with opened_store(process) as store:
            table = await finished_table(store, [ada, ben])
        async with ada.join(table) as seat:
            assert isinstance(await seat.ask("again"), Done)
            process.kill()
    async with alive() as process, process.same(ben).join(table) as seat:
        assert seat.state.again is not None
        assert seat.state.again.yes == [0]
        assert isinstance(await seat.ask("again"), Done)
        process.kill()
        new = seat.state.again.next
    async with alive() as process, process.same(ada).join(table) as old:
        assert old.state.again is not None
        assert old.state.again.next == new
        async with process.same(ada).join(new) as seat:
            assert [(one.name, one.who) for one in seat.state.seats] == [("Ada", "person"), ("Ben", "person")]
        record = (await process.same(ada).rest.get(f"/api/tables/{table}/record")).text
        assert "result: side" in record


async def test_the_lobby_knows_the_tables_of_other_processes(two: tuple[Process, Process]) -> None:
    first, second = two
    ada = await first.guest("Ada")
    table = await ada.open_table(public=True)
    async with ada.join(table), httpx.AsyncClient(base_url=second.url, timeout=PATIENCE) as rest:
        assert [row["id"] for row in (await rest.get("/api/tables")).json()] == [table]


async def test_who_was_at_a_process_that_died_is_away_in_the_end(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    # A process that is slow for once is missed and found again; nobody counts as away yet.
    first, second = [Process(database, "", tmp_path, lost_after=3.0) for _ in range(2)]
    try:
        for process in (first, second):
            await asyncio.to_thread(wait_for_port, process.port)
        async with three_at_a_table(first, second) as (_, ben, cleo):
            first.kill()
            with first.in_a_hurry():
                for seat in (ben, cleo):
                    await until(seat, lambda state: [one.away for one in state.seats] == [True, False, False])
    finally:
        for process in (first, second):
            process.kill()
