"""Database backends: threads for SQLite, the event loop for PostgreSQL."""

import asyncio
import contextlib
import os
import sqlite3
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from errno import ENOENT
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple, Protocol, TypeVar
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event, insert, inspect
from sqlalchemy.engine import URL

from canasta.server.store.schema import log, metadata

T = TypeVar("T")

QUERY_TIMEOUT_S: Final = 10.0
"""Timeout in seconds for connecting to PostgreSQL and for each query."""
_MOST_VALUES: Final = 500
"""Maximum number of values per query: databases allow only a few thousand."""


def portions(values: Collection[T]) -> Iterator[list[T]]:
    """Split values into lists short enough for one query."""
    left = list(values)
    for at in range(0, len(left), _MOST_VALUES):
        yield left[at : at + _MOST_VALUES]


class LogRow(NamedTuple):
    table_id: str
    seq: int
    command: str | None
    payload: bytes


class Runner(Protocol):
    async def open(self) -> None: ...

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run `work` in one transaction, which is committed when this returns."""

    async def append(self, rows: Sequence[LogRow]) -> None:
        """Append log rows in one transaction."""

    async def read(self, work: Callable[[Connection], T]) -> T: ...

    async def problem(self) -> str:
        """Return what is wrong with a database that responds; empty if it is intact."""

    async def close(self) -> None: ...


class SqliteRunner:
    """SQLite with one writer thread and one reader thread.

    Each unit of work runs entirely in its thread. Switching threads for every statement would cost more than
    the statements.
    """

    def __init__(self, url: URL) -> None:
        self._file = Path(url.database or "")
        self._folder = self._file.parent
        self._opened: tuple[int, int] | None = None
        """Device and inode of the database file."""
        self._writer = create_engine(url, pool_size=1, max_overflow=0)
        self._reader = create_engine(url, pool_size=1, max_overflow=0)
        event.listen(self._writer, "connect", partial(_prepare_sqlite, reading=False))
        event.listen(self._reader, "connect", partial(_prepare_sqlite, reading=True))
        event.listen(self._writer, "begin", _begin_immediate)
        self._writing = ThreadPoolExecutor(1, "store-write")
        self._reading = ThreadPoolExecutor(1, "store-read")
        self._soundness = IntegrityChecker(self._file, metadata.tables)

    async def open(self) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        await asyncio.to_thread(_keep_from_others, self._file)

    async def write(self, work: Callable[[Connection], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._writing, self._write, work)

    def _write(self, work: Callable[[Connection], T]) -> T:
        self._must_be_there()
        done = _run(self._writer, work)
        if self._opened is None:
            self._opened = self._identity()
        return done

    def _identity(self) -> tuple[int, int]:
        status = self._file.stat()
        return status.st_dev, status.st_ino

    def _must_be_there(self) -> None:
        """Raise `FileNotFoundError` if the file was removed or replaced.

        A process that has it open can still write to a removed file, but the data would be lost at the next
        start.
        """
        if self._opened is not None and self._identity() != self._opened:
            raise FileNotFoundError(ENOENT, "the database was replaced by another file", str(self._file))

    async def append(self, rows: Sequence[LogRow]) -> None:
        if len(rows) > _MOST_SQLITE_ROWS:
            return await self.write(partial(insert_rows, rows))
        # Under load the thread waits for the interpreter after every statement, longer than the statement
        # takes. So all rows go into one statement, which is a transaction by itself.
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._writing, self._append, rows)

    def _append(self, rows: Sequence[LogRow]) -> None:
        self._must_be_there()
        _insert_at_once(self._writer, rows)

    async def read(self, work: Callable[[Connection], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._reading, _run, self._reader, work)

    async def problem(self) -> str:
        return await self._soundness.problem()

    async def close(self) -> None:
        self._soundness.close()
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._reading, self._reader.dispose)
        await loop.run_in_executor(self._writing, self._writer.dispose)
        self._reading.shutdown()
        self._writing.shutdown()


def _keep_from_others(file: Path) -> None:
    """Make a new file private to its owner, whatever the umask; remove other users' rights from an old one.

    SQLite gives its auxiliary files the same rights.
    """
    try:
        handle = os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        beside = [file.with_name(file.name + ending) for ending in ("", "-wal", "-shm", "-journal")]
        for each in beside:
            with contextlib.suppress(FileNotFoundError, PermissionError):
                mode = each.stat().st_mode & 0o777
                if mode & 0o007:
                    each.chmod(mode & ~0o007)
    else:
        os.close(handle)
        file.chmod(0o600)


def _run(engine: Engine, work: Callable[[Connection], T]) -> T:
    with engine.begin() as connection:
        return work(connection)


_MOST_SQLITE_ROWS = 5_000
"""Maximum rows per statement: SQLite allows about 32,000 values."""


def _insert_at_once(engine: Engine, rows: Sequence[LogRow]) -> None:
    statement = "INSERT INTO log (table_id, seq, command, payload) VALUES (?, ?, ?, ?)"
    statement += ", (?, ?, ?, ?)" * (len(rows) - 1)
    values = [value for row in rows for value in row]
    connection = engine.raw_connection()
    try:
        connection.cursor().execute(statement, values)
    finally:
        connection.close()


def insert_rows(rows: Sequence[LogRow], connection: Connection) -> None:
    connection.execute(insert(log), [row._asdict() for row in rows])


def _prepare_sqlite(connection: sqlite3.Connection, _record: object, *, reading: bool) -> None:
    # We issue BEGIN ourselves: the driver's implicit transactions don't work with savepoints.
    connection.isolation_level = None
    connection.execute("PRAGMA busy_timeout = 5000")
    if reading:
        connection.execute("PRAGMA query_only = ON")
        return
    connection.execute("PRAGMA journal_mode = WAL")
    # FULL syncs at every commit, so an acknowledged move survives a power cut, not only a killed process.
    # Group commit makes that affordable.
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")


def _begin_immediate(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


# -- health of SQLite files ----------------------------------------------------------------------------------

CHECK_AGAIN: Final = 5.0
"""Minimum seconds between two checks of the file."""
_SHARE: Final = 0.02
"""Maximum fraction of the time spent on checking a large file."""
_WAIT: Final = 1.0
"""Seconds to wait for a running check before returning the previous result."""


class IntegrityChecker:
    """Regularly checks that an SQLite file is intact: not emptied, overwritten or damaged.

    A long-lived connection answers from its cache and doesn't notice damage. So each check reads the file
    through a new connection in a separate thread. Larger files are checked less often.
    """

    def __init__(self, file: Path, tables: Collection[str]) -> None:
        self._file = file
        self._tables = frozenset(tables)
        self._checking = ThreadPoolExecutor(1, "store-check")
        self._task: asyncio.Future[str] | None = None
        self._due = 0.0
        self._problem = ""

    async def problem(self) -> str:
        """Return what is wrong with the file, as of the latest check; empty if it is intact."""
        if self._task is None and time.monotonic() >= self._due:
            loop = asyncio.get_running_loop()
            self._task = loop.run_in_executor(self._checking, self._check)
        if self._task is not None:
            await asyncio.wait([self._task], timeout=_WAIT)
            if self._task.done():
                self._problem = self._task.result()
                self._task = None
        return self._problem

    def _check(self) -> str:
        started = time.monotonic()
        try:
            return problem_of_file(self._file, self._tables)
        finally:
            took = time.monotonic() - started
            self._due = time.monotonic() + max(CHECK_AGAIN, took / _SHARE)

    def close(self) -> None:
        self._checking.shutdown(wait=False, cancel_futures=True)


def problem_of_file(file: Path, tables: Collection[str]) -> str:
    """Return what is wrong with an SQLite file that should have these tables; empty if it is intact."""
    try:
        # Only SQLite may open the file in this process: closing any other handle drops the locks of all
        # connections. The next program to close the database would then delete the log while the server uses
        # it.
        if not file.stat().st_size:
            return "its file is empty"
        address = f"file:{quote(str(file.absolute()))}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, timeout=_WAIT)) as connection:
            names = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
            if missing := sorted(set(tables) - names):
                return f"it lacks tables: {', '.join(missing)}"
            result = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
            return "its file is not an SQLite database"
        is_busy = error.sqlite_errorcode in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
        return "" if is_busy else f"its file is damaged: {error}"
    except OSError as error:
        return f"its file cannot be read: {error.strerror}"
    return "" if result == ("ok",) else "its file is damaged"


# -- PostgreSQL ----------------------------------------------------------------------------------------------


class PostgresRunner:
    """PostgreSQL through asyncpg. Connections are bound to the event loop."""

    def __init__(self, url: URL) -> None:
        # It imports the whole ORM, which SQLite doesn't need.
        from sqlalchemy.ext.asyncio import create_async_engine  # noqa: PLC0415 - slow import

        self._engine = create_async_engine(
            url.set(drivername="postgresql+asyncpg"),
            pool_size=4,
            max_overflow=2,
            pool_pre_ping=True,
            pool_timeout=QUERY_TIMEOUT_S,
            # A hanging database must not block every caller.
            connect_args={"timeout": QUERY_TIMEOUT_S, "command_timeout": QUERY_TIMEOUT_S},
        )

    async def open(self) -> None:
        """Do nothing: connections are opened on demand."""

    async def write(self, work: Callable[[Connection], T]) -> T:
        async with self._engine.begin() as connection:
            return await connection.run_sync(work)

    async def append(self, rows: Sequence[LogRow]) -> None:
        await self.write(partial(insert_rows, rows))

    async def read(self, work: Callable[[Connection], T]) -> T:
        async with self._engine.connect() as connection:
            return await connection.run_sync(work)

    async def problem(self) -> str:
        async with self._engine.connect() as connection:
            names = await connection.run_sync(lambda link: inspect(link).get_table_names())
        missing = sorted(set(metadata.tables) - set(names))
        return f"it lacks tables: {', '.join(missing)}" if missing else ""

    async def close(self) -> None:
        await self._engine.dispose()
