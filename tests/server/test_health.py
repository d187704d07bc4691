"""`/api/health` is accurate: it returns 503 while nothing can be written or read, and always answers."""

import asyncio
import contextlib
import ctypes
import ctypes.util
import os
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Collection, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from server.running_server import Running, running
from services import PATIENCE

from canasta.server import services
from canasta.server.store import backends
from canasta.server.store.backends import SqliteRunner
from canasta.server.tables.cluster import Cluster
from canasta.table.wire import Done, Problem


@pytest.fixture
def every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check the database on every request."""
    monkeypatch.setattr(services, "_ASKED_AGAIN", 0.0)
    monkeypatch.setattr(backends, "CHECK_AGAIN", 0.0)
    monkeypatch.setattr(backends, "_SHARE", 1e9)


async def is_well(server: Running) -> bool:
    async with httpx.AsyncClient(base_url=server.url, timeout=PATIENCE) as rest:
        answer = await rest.get("/api/health")
        assert answer.status_code in (200, 503)
        if answer.status_code == 503:
            assert answer.json()["detail"].startswith("The server can’t reach its database right now.")
        return answer.status_code == 200


async def on_writer(server: Running, statement: str) -> int:
    """Run a statement on the connection that writes the log."""
    runner = server.services.store._runner
    assert isinstance(runner, SqliteRunner)

    def work() -> int:
        connection = runner._writer.raw_connection()
        try:
            row = connection.cursor().execute(statement).fetchone()
            return int(row[0]) if row else 0
        finally:
            connection.close()

    return await asyncio.get_running_loop().run_in_executor(runner._writing, work)


async def test_when_the_database_file_is_gone(tmp_path: Path, every_time: None) -> None:
    async with running(tmp_path, pace=3600.0) as server:
        ada = await server.guest("Ada")
        table = await ada.open_table()
        async with ada.join(table) as seat:
            assert await is_well(server)
            away = tmp_path / "away"
            away.mkdir()
            files = [tmp_path / f"tables.db{end}" for end in ("", "-wal", "-shm")]
            for file in files:
                file.rename(away / file.name)
            assert not await is_well(server)
            # An entry that could not be stored is not acknowledged.
            answer = await seat.ask("say", phrase="hello")
            assert isinstance(answer, Problem)
            assert (answer.code, "couldn’t save this" in answer.message) == ("server_error", True)
            # Another file in its place is another database.
            shutil.copy(away / "tables.db", tmp_path / "tables.db")
            assert not await is_well(server)
            for file in files:
                (away / file.name).rename(file)
            assert await is_well(server)
            assert isinstance(await seat.ask("say", phrase="hello"), Done)


async def test_when_the_database_is_full(tmp_path: Path, every_time: None) -> None:
    async with running(tmp_path) as server:
        pages = await on_writer(server, "PRAGMA page_count")
        await on_writer(server, f"PRAGMA max_page_count = {pages}")
        assert not await is_well(server)
        await on_writer(server, f"PRAGMA max_page_count = {pages + 1000}")
        assert await is_well(server)


async def test_when_the_database_is_read_only(tmp_path: Path, every_time: None) -> None:
    async with running(tmp_path) as server:
        await on_writer(server, "PRAGMA query_only = ON")
        assert not await is_well(server)
        await on_writer(server, "PRAGMA query_only = OFF")
        assert await is_well(server)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a disk of two megabytes."""
    libc = ctypes.CDLL(ctypes.util.find_library("c"), use_errno=True)
    folder = tmp_path / "disk"
    folder.mkdir()
    place = os.fsencode(folder)
    if libc.mount(b"tmpfs", place, b"tmpfs", 0, b"size=2m") != 0:
        pytest.skip("a file system of one's own takes more rights")
    try:
        yield folder
    finally:
        libc.umount2(place, 2)


async def test_when_the_disk_is_full(small_disk: Path, every_time: None) -> None:
    async with running(small_disk, pace=3600.0) as server:
        ada = await server.guest("Ada")
        table = await ada.open_table()
        async with ada.join(table) as seat:
            assert await is_well(server)
            with (small_disk / "films").open("wb", buffering=0) as films, contextlib.suppress(OSError):
                while True:
                    films.write(bytes(1000))
            assert not await is_well(server)
            assert isinstance(await seat.ask("say", phrase="hello"), Problem)
            (small_disk / "films").unlink()
            assert await is_well(server)
            assert isinstance(await seat.ask("say", phrase="hello"), Done)


class Line:
    """A proxy to PostgreSQL that can be switched to drop everything."""

    def __init__(self, url: str) -> None:
        there = urlsplit(url)
        assert there.hostname is not None
        assert there.port is not None
        self._to = (there.hostname, there.port)
        self._open = asyncio.Event()
        self._open.set()
        self._tasks: set[asyncio.Task[None]] = set()

    @contextlib.asynccontextmanager
    async def passing(self, url: str) -> AsyncIterator[str]:
        """Yield the address of a proxy for this database."""
        server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        try:
            yield url.replace(f":{self._to[1]}/", f":{port}/")
        finally:
            self._open.set()
            server.close()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def swallow(self) -> None:
        self._open.clear()

    def go_on(self) -> None:
        self._open.set()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(*self._to)
        for source, sink in ((reader, back), (there, writer)):
            task = asyncio.create_task(self._pass_on(source, sink))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _pass_on(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        try:
            while data := await source.read(65_536):
                await self._open.wait()
                sink.write(data)
                await sink.drain()
        except OSError:
            pass
        finally:
            sink.close()


@pytest.mark.parametrize("database_url", ["postgres"], indirect=True)
async def test_when_postgres_hangs(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, every_time: None
) -> None:
    monkeypatch.setattr(backends, "QUERY_TIMEOUT_S", 1.0)
    line = Line(database_url)
    async with line.passing(database_url) as url, running(tmp_path, database=url, pace=3600.0) as server:
        ada = await server.guest("Ada")
        table = await ada.open_table()
        async with ada.join(table) as seat:
            assert await is_well(server)
            line.swallow()
            assert not await is_well(server)
            answer = await seat.ask("say", phrase="hello")
            assert isinstance(answer, Problem)
            assert answer.code == "server_error"
            assert not await is_well(server)
            line.go_on()
            async with asyncio.timeout(PATIENCE):
                while not await is_well(server):  # noqa: ASYNC110 - PostgreSQL tells nobody that it is back
                    await asyncio.sleep(0.2)
            assert isinstance(await seat.ask("say", phrase="hello"), Done)


async def test_however_often_one_asks_the_database_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    probes = 0
    probe = Cluster.probe

    async def counted(self: Cluster) -> None:
        nonlocal probes
        probes += 1
        await probe(self)

    monkeypatch.setattr(Cluster, "probe", counted)
    monkeypatch.setattr(services, "_ASKED_AGAIN", 3600.0)
    async with running(tmp_path) as server:
        assert all(await asyncio.gather(*(is_well(server) for _ in range(30))))
        assert await is_well(server)
        assert probes == 1


async def test_a_question_that_is_never_answered_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(_: Cluster) -> None:
        await asyncio.get_running_loop().create_future()

    monkeypatch.setattr(Cluster, "probe", never)
    monkeypatch.setattr(services, "HEALTH_WITHIN", 0.05)
    async with running(tmp_path) as server:
        assert not await is_well(server)


# -- damage --------------------------------------------------------------------------------------------------


async def problem_text(server: Running) -> str:
    """Return the problem that a health check reports; empty if the server is well."""
    async with httpx.AsyncClient(base_url=server.url, timeout=PATIENCE) as rest:
        answer = await rest.get("/api/health")
    return "" if answer.status_code == 200 else str(answer.json()["extra"]["problem"])


async def test_when_the_file_is_emptied(tmp_path: Path, every_time: None) -> None:
    async with running(tmp_path) as server:
        await server.guest("Ada")
        assert await problem_text(server) == ""
        os.truncate(tmp_path / "tables.db", 0)
        assert await problem_text(server) == "The database cannot be used: its file is empty."


async def test_when_the_file_is_partly_damaged(tmp_path: Path, every_time: None) -> None:
    async with running(tmp_path, pace=3600.0) as server:
        ada = await server.guest("Ada")
        for _ in range(10):
            await ada.open_table()
        await on_writer(server, "PRAGMA wal_checkpoint(TRUNCATE)")
        assert await problem_text(server) == ""
        file = tmp_path / "tables.db"
        pages = file.stat().st_size // 4096
        whole = file.read_bytes()
        with file.open("r+b") as content:
            content.seek(4096 * (pages // 2))
            content.write(bytes(range(256)) * 16 * (pages // 2))
        told = await problem_text(server)
        assert told.startswith("The database cannot be used: its file is damaged")
        assert str(tmp_path) not in told
        with file.open("r+b") as content:
            content.write(whole)
        assert await problem_text(server) == ""


async def test_when_the_file_is_something_else(tmp_path: Path, every_time: None) -> None:
    async with running(tmp_path) as server:
        # As long as its log has the first page, SQLite doesn't read it from the file.
        await on_writer(server, "PRAGMA wal_checkpoint(TRUNCATE)")
        with (tmp_path / "tables.db").open("r+b") as content:
            content.write(b"Dear diary, today")
        assert (
            await problem_text(server) == "The database cannot be used: its file is not an SQLite database."
        )


NAMES_IN = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
print(*sorted(row[0] for row in connection.execute("SELECT name FROM players")))
connection.close()
"""


async def test_a_health_check_lets_other_programs_read_the_database(tmp_path: Path, every_time: None) -> None:
    """Another program, such as a backup, can open the file at any time and finds every write."""
    async with running(tmp_path) as server:
        for name, names in (("Ada", "Ada"), ("Ben", "Ada Ben"), ("Cem", "Ada Ben Cem")):
            assert await problem_text(server) == ""
            await server.guest(name)
            beside = await asyncio.create_subprocess_exec(
                sys.executable, "-c", NAMES_IN, str(tmp_path / "tables.db"), stdout=subprocess.PIPE
            )
            found, _ = await beside.communicate()
            assert found.decode().strip() == names


async def test_when_a_table_of_the_database_is_gone(
    database_url: str, tmp_path: Path, every_time: None
) -> None:
    async with running(tmp_path, database=database_url) as server:
        assert await problem_text(server) == ""
        await server.services.store.write(lambda link: link.exec_driver_sql("DROP TABLE progress"))
        assert await problem_text(server) == "The database cannot be used: it lacks tables: progress."


async def test_a_health_check_names_no_path(tmp_path: Path, every_time: None) -> None:
    async with running(tmp_path) as server:
        (tmp_path / "tables.db").rename(tmp_path / "elsewhere.db")
        told = await problem_text(server)
        assert told.startswith("The database cannot be")
        assert str(tmp_path) not in told


async def test_a_large_file_is_checked_seldom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checks = 0
    check = backends.problem_of_file

    def counted(file: Path, tables: Collection[str]) -> str:
        nonlocal checks
        checks += 1
        return check(file, tables)

    monkeypatch.setattr(backends, "problem_of_file", counted)
    monkeypatch.setattr(services, "_ASKED_AGAIN", 0.0)
    monkeypatch.setattr(backends, "CHECK_AGAIN", 3600.0)
    async with running(tmp_path) as server:
        for _ in range(5):
            assert await problem_text(server) == ""
    assert checks == 1
