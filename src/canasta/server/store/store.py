"""The store: the append-only log of every table, and the players. SQLite by default, PostgreSQL by URL.

Group commit: all writes that are pending at the same moment go into one transaction, so that one disk sync
serves many tables. An append returns only after that commit.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import NamedTuple, Protocol, TypeVar

from sqlalchemy import Connection, delete, func, insert, select, update
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, IntegrityError, SQLAlchemyError

from canasta.installation import why_missing
from canasta.server.store.backends import LogRow, PostgresRunner, Runner, SqliteRunner, insert_rows
from canasta.server.store.days import DaysStore, TryRow, ranked_tries
from canasta.server.store.progress import ProgressStore
from canasta.server.store.schema import (
    LISTED,
    bring_up_to_date,
    day_tries,
    days,
    log,
    players,
    presence,
    sittings,
    tables,
)
from canasta.table.game_summary import PlayedGame

T = TypeVar("T")

PRACTICE = "practice"
"""Status of a practice table, which is deleted soon."""
MOST_AT_ONCE = 500
"""Maximum number of writes per transaction; the rest wait for the next one."""


class Conflict(Exception):
    """Raised if another writer was first: the seq, command id or name is taken."""


class Unavailable(Exception):
    """Raised if the database is unavailable; a write that fails this way may still have been committed."""


class DatabaseDamaged(Unavailable):
    """Raised if the database answers, but tables are missing or its file is damaged.

    The message contains no path or host.
    """


class StoredEntry(NamedTuple):
    seq: int
    command: str | None
    payload: bytes
    """JSON of a log entry."""


class TableToOpen(NamedTuple):
    """A table to open."""

    id: str
    public: bool
    payloads: Sequence[bytes]
    """The log from its first entry."""
    people: Collection[str] = ()
    """Ids of all players that the log names."""
    status: str = "waiting"


class TableRow(NamedTuple):
    id: str
    public: bool
    status: str
    """`waiting`, `playing`, `over` or `practice`."""
    created: float
    updated: float


class Store(Protocol):
    async def open(self) -> None: ...

    async def close(self) -> None: ...

    async def write(self, work: Callable[[Connection], object]) -> None:
        """Run `work` in one transaction, grouped with other writes; all of it or nothing."""

    async def read(self, work: Callable[[Connection], T]) -> T: ...

    async def create_table(self, table: str, *, public: bool, payload: bytes) -> None:
        """Create a table with the first entry of its log, seq 0."""

    async def lay_out(self, table: str, payloads: Sequence[bytes]) -> None:
        """Create a practice table with its log; it appears in no lobby or list."""

    async def forget_practice(self, before: float) -> None:
        """Delete practice tables opened before this time, with their logs."""

    async def open_day_table(self, new: TableToOpen, first: TryRow | None, limits: tuple[int, int]) -> None:
        """Open a table with a deal of the day, and record a first try in the same transaction.

        Raise `Conflict` if the player already has one, or if it is to be ranked and its place or site has
        reached these limits.
        """

    async def end_try(self, when: str, player: str, table: str, points: int, ended: float) -> None:
        """Record the result of a player's first try."""

    async def append(self, table: str, seq: int, entries: Sequence[tuple[str | None, bytes]]) -> None:
        """Append entries (command id, payload) with consecutive numbers from `seq`, all or none; raise
        `Conflict`.

        An append whose caller was cancelled may still be made; the caller's next one then raises `Conflict`.
        """

    async def go_on(
        self, table: str, seq: int, entries: Sequence[tuple[str | None, bytes]], following: TableToOpen
    ) -> None:
        """Append, and open the table where the players continue, in the same transaction."""

    async def entries(self, table: str, since: int = 0) -> list[StoredEntry]: ...

    async def table(self, table: str) -> TableRow | None: ...

    async def lobby(self, limit: int) -> list[TableRow]:
        """Return public tables that aren't over, latest first."""

    async def occupied_elsewhere(self, process: str, limit: int) -> list[TableRow]:
        """Return public tables that aren't over and have someone connected to a process other than this one.

        Nobody's second table comes before another player's first; within a turn, the latest come first.
        """

    async def set_status(self, table: str, status: str) -> None:
        """Store the status, and update the time of the latest activity."""

    async def owners_of(self, keys: Collection[str]) -> dict[str, str]:
        """Return the accounts that own these names or look-alikes, by both keys (`name_looks.name_keys`)."""

    async def note_sitting(self, player: str, table: str) -> None:
        """Record that this player has had a seat at this table."""

    async def keep_games(self, table: str, by_player: Mapping[str, PlayedGame]) -> None:
        """Add a finished game to each player's list."""

    async def forget_in_games(self, player: str, table: str) -> None:
        """Remove a player's name from the lists of the others who played there."""

    async def write_anew(self, table: str, payloads: Mapping[int, bytes]) -> None:
        """Replace log entries, by number, with versions that don't name a deleted player."""


# -- the store -----------------------------------------------------------------------------------------------


class _Write:
    """One caller's write: optional work, then log rows; all of it or nothing."""

    __slots__ = ("done", "rows", "work")

    def __init__(self, work: Callable[[Connection], object] | None, rows: Sequence[LogRow]) -> None:
        self.work = work
        self.rows = rows
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()


def _write_together(writes: Sequence[_Write], connection: Connection) -> None:
    for write in writes:
        if write.work is not None:
            write.work(connection)
    if rows := [row for write in writes for row in write.rows]:
        insert_rows(rows, connection)


def _write_one_by_one(writes: Sequence[_Write], connection: Connection) -> list[Exception | None]:
    """Run each write in a savepoint; return the error of each, or `None`. A failed write leaves no trace."""
    hindered: list[Exception | None] = []
    for write in writes:
        try:
            with connection.begin_nested():
                _write_together([write], connection)
            hindered.append(None)
        except Conflict as error:
            hindered.append(error)
        except IntegrityError:
            hindered.append(Conflict("Somebody else was first."))
        except (SQLAlchemyError, ValueError, OverflowError) as error:
            hindered.append(_not_written(error))
    return hindered


def _not_written(error: Exception) -> Unavailable:
    problem = Unavailable(f"The database cannot be written: {_reason(error)}.")
    problem.__cause__ = error
    return problem


def _rows_of(new: TableToOpen) -> list[LogRow]:
    return [LogRow(new.id, number, None, payload) for number, payload in enumerate(new.payloads)]


def _open_table(new: TableToOpen, connection: Connection) -> None:
    now = time.time()
    row = {"id": new.id, "public": new.public, "status": new.status, "created": now, "updated": now}
    connection.execute(insert(tables), row)
    # Skip players who have deleted their account in the meantime.
    there = connection.execute(select(players.c.id).where(players.c.id.in_(new.people))).scalars()
    if sitting := [{"player_id": player, "table_id": new.id} for player in there]:
        connection.execute(insert(sittings), sitting)


class DatabaseStore(ProgressStore, DaysStore):
    """A `Store` on a database."""

    def __init__(self, runner: Runner) -> None:
        super().__init__()
        self._runner = runner
        self._waiting: list[_Write] = []
        self._wake = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None
        self._closing = False

    async def open(self) -> None:
        try:
            await self._runner.open()
            await self._runner.write(self._set_up)
        except (SQLAlchemyError, OSError) as error:
            await self._runner.close()
            raise Unavailable(f"The database cannot be opened: {_reason(error)}.") from error
        except BaseException:
            await self._runner.close()
            raise
        self._writer = asyncio.create_task(self._write_groups())

    def _set_up(self, connection: Connection) -> None:
        bring_up_to_date(connection)
        self._start_clock(connection)

    async def close(self) -> None:
        """Finish pending writes, then close the database."""
        if self._writer is None:
            return
        with contextlib.suppress(Unavailable):
            await self.write(self._note_time)
        self._closing = True
        self._wake.set()
        await self._writer
        self._writer = None
        await self._runner.close()

    # -- writing ---------------------------------------------------------------------------------------------

    async def write(self, work: Callable[[Connection], object]) -> None:
        await self._write(work)

    async def _write(self, work: Callable[[Connection], object] | None, rows: Sequence[LogRow] = ()) -> None:
        if self._closing or self._writer is None:
            raise Unavailable("The store is closed.")
        write = _Write(work, rows)
        self._waiting.append(write)
        self._wake.set()
        await write.done

    async def _write_groups(self) -> None:
        while self._waiting or not self._closing:
            if not self._waiting:
                self._wake.clear()
                await self._wake.wait()
                continue
            group, self._waiting = self._waiting[:MOST_AT_ONCE], self._waiting[MOST_AT_ONCE:]
            await self._write_group(group)

    async def _write_group(self, group: list[_Write]) -> None:
        hindered: list[Exception | None] = [None] * len(group)
        try:
            if all(write.work is None for write in group):
                await self._runner.append([row for write in group for row in write.rows])
            else:
                await self._runner.write(partial(_write_together, group))
        except TimeoutError as error:
            # The database hangs: retrying would only make everyone wait longer.
            hindered = [_not_written(error) for _ in group]
        except Exception:  # noqa: BLE001 - one caller's error must not stop the others or the writer
            try:
                hindered = await self._runner.write(partial(_write_one_by_one, group))
            except Exception as error:  # noqa: BLE001 - as above
                hindered = [_not_written(error) for _ in group]
        for write, problem in zip(group, hindered, strict=True):
            if write.done.done():
                continue
            if problem is None:
                write.done.set_result(None)
            else:
                write.done.set_exception(problem)

    async def create_table(self, table: str, *, public: bool, payload: bytes) -> None:
        new = TableToOpen(table, public, [payload])
        await self._write(partial(_open_table, new), _rows_of(new))

    async def lay_out(self, table: str, payloads: Sequence[bytes]) -> None:
        new = TableToOpen(table, public=False, payloads=payloads, status=PRACTICE)
        await self._write(partial(_open_table, new), _rows_of(new))

    async def forget_practice(self, before: float) -> None:
        old = (tables.c.status == PRACTICE, tables.c.created < before)

        def work(connection: Connection) -> None:
            connection.execute(delete(log).where(log.c.table_id.in_(select(tables.c.id).where(*old))))
            connection.execute(delete(tables).where(*old))

        await self.write(work)

    async def open_day_table(self, new: TableToOpen, first: TryRow | None, limits: tuple[int, int]) -> None:
        def work(connection: Connection) -> None:
            if first is not None:
                if first.counts:
                    # Serialize with other processes.
                    held = select(days.c.date).where(days.c.date == first.date).with_for_update()
                    connection.execute(held)
                    there = ranked_tries(connection, first.date, first.player, first.place, first.site)
                    if there[0] >= limits[0] or there[1] >= limits[1]:
                        raise Conflict("Somebody else at this address was first.")
                row = dict(zip(day_tries.c.keys(), first, strict=True))
                connection.execute(insert(day_tries), row)
            _open_table(new, connection)

        await self._write(work, _rows_of(new))

    async def go_on(
        self, table: str, seq: int, entries: Sequence[tuple[str | None, bytes]], following: TableToOpen
    ) -> None:
        rows = [LogRow(table, number, *entry) for number, entry in enumerate(entries, seq)]
        await self._write(partial(_open_table, following), [*rows, *_rows_of(following)])

    async def append(self, table: str, seq: int, entries: Sequence[tuple[str | None, bytes]]) -> None:
        rows = [LogRow(table, number, *entry) for number, entry in enumerate(entries, seq)]
        if rows:
            await self._write(None, rows)

    async def set_status(self, table: str, status: str) -> None:
        statement = update(tables).where(tables.c.id == table).values(status=status, updated=time.time())
        await self.write(lambda connection: connection.execute(statement))

    # -- reading ---------------------------------------------------------------------------------------------

    async def read(self, work: Callable[[Connection], T]) -> T:
        try:
            return await self._runner.read(work)
        except (SQLAlchemyError, OSError) as error:
            raise Unavailable(f"The database cannot be read: {_reason(error)}.") from error

    async def check(self) -> None:
        """Raise `DatabaseDamaged` if tables are missing or the file is damaged, `Unavailable` if the database
        can't be read."""
        try:
            problem = await self._runner.problem()
        except (SQLAlchemyError, OSError) as error:
            raise Unavailable(f"The database cannot be read: {_reason(error)}.") from error
        if problem:
            raise DatabaseDamaged(f"The database cannot be used: {problem}.")

    async def entries(self, table: str, since: int = 0) -> list[StoredEntry]:
        rows = await self._rows(
            select(log.c.seq, log.c.command, log.c.payload)
            .where(log.c.table_id == table, log.c.seq >= since)
            .order_by(log.c.seq)
        )
        return [StoredEntry(*row) for row in rows]

    async def table(self, table: str) -> TableRow | None:
        if not table.isprintable():
            return None  # PostgreSQL rejects some characters in a query
        rows = await self._rows(select(tables).where(tables.c.id == table))
        return TableRow(*rows[0]) if rows else None

    async def lobby(self, limit: int) -> list[TableRow]:
        statement = select(tables).where(LISTED).order_by(tables.c.updated.desc()).limit(limit)
        return [TableRow(*row) for row in await self._rows(statement)]

    async def occupied_elsewhere(self, process: str, limit: int) -> list[TableRow]:
        turn = func.row_number().over(partition_by=presence.c.player_id, order_by=tables.c.updated.desc())
        at_tables = (
            select(tables.c.id, turn.label("turn"))
            .join(presence, presence.c.table_id == tables.c.id)
            .where(LISTED, presence.c.process != process)
            .subquery()
        )
        first = (
            select(at_tables.c.id, func.min(at_tables.c.turn).label("turn"))
            .group_by(at_tables.c.id)
            .subquery()
        )
        statement = select(tables).join(first, first.c.id == tables.c.id)
        fairly = statement.order_by(first.c.turn, tables.c.updated.desc()).limit(limit)
        return [TableRow(*row) for row in await self._rows(fairly)]


def _reason(error: BaseException) -> str:
    """Return the driver's message without the statement and its values, which may be private."""
    said = str(getattr(error, "orig", None) or error).strip().partition("\n")[0].rstrip(".")
    return said or ("it does not answer" if isinstance(error, TimeoutError) else type(error).__name__)


def make_store(url: str) -> DatabaseStore:
    """Return a store for `sqlite:///file` or `postgresql://user@host/name`. Open it before use, on a running
    loop.

    Raise `ValueError` for any other URL, or if the PostgreSQL extra is missing.
    """
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise ValueError(
            f"Not the address of a database: {url}. Write sqlite:///FILE or postgresql://…"
        ) from error
    kind = parsed.drivername.partition("+")[0]
    if kind == "sqlite" and parsed.database and parsed.database != ":memory:":
        return DatabaseStore(SqliteRunner(parsed.set(drivername="sqlite")))
    if kind in ("postgres", "postgresql"):
        try:
            return DatabaseStore(PostgresRunner(parsed))
        except ModuleNotFoundError as error:
            raise ValueError(why_missing("PostgreSQL", error.name)) from error
    raise ValueError("The database is SQLite in a file or PostgreSQL: write sqlite:///FILE or postgresql://…")
