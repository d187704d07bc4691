"""What must survive: the append-only log of every table, and who plays. SQLite by default, PostgreSQL by URL.

Group commit: whatever wants to be written at the same moment goes into one transaction, so that one sync to
the disk serves many tables. An append returns after that commit, never before.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import NamedTuple, Protocol, TypeVar

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, IntegrityError, SQLAlchemyError

from canasta.extras import why_missing
from canasta.server.store.databases import LogRow, PostgresRunner, Runner, SqliteRunner, insert_rows
from canasta.server.store.days import DaysStore, TryRow
from canasta.server.store.progress import ProgressStore
from canasta.server.store.schema import LISTED, bring_up_to_date, day_tries, log, players, sittings, tables
from canasta.table.played import PlayedGame

T = TypeVar("T")

PRACTICE = "practice"
"""In place of a table's status: its cards are laid out, and it is forgotten soon."""
MOST_AT_ONCE = 500
"""Writes in one transaction; the rest wait for the next."""


class Conflict(Exception):
    """Somebody else was first: the seq, the command id or the name is taken."""


class Unavailable(Exception):
    """The database cannot be used now; a write that ended so may or may not have been made."""


class StoredEntry(NamedTuple):
    seq: int
    command: str | None
    payload: bytes
    """JSON of a log entry."""


class TableToOpen(NamedTuple):
    """A table as it is opened."""

    id: str
    public: bool
    payloads: Sequence[bytes]
    """Its log from the beginning."""
    people: Collection[str] = ()
    """Ids of all whom the log names."""
    status: str = "waiting"


class TableRow(NamedTuple):
    id: str
    public: bool
    status: str
    """`waiting`, `playing`, `over`, or `practice` where cards are laid out"""
    created: float
    updated: float


class Store(Protocol):
    async def open(self) -> None: ...

    async def close(self) -> None: ...

    async def write(self, work: Callable[[Connection], object]) -> None:
        """In one transaction, together with what others write at this moment; all of it or nothing."""

    async def read(self, work: Callable[[Connection], T]) -> T: ...

    async def create_table(self, table: str, *, public: bool, payload: bytes) -> None:
        """The table and the first entry of its log, seq 0."""

    async def lay_out(self, table: str, payloads: Sequence[bytes]) -> None:
        """A table for practice with its log: in no lobby, and in nobody's list."""

    async def forget_practice(self, before: float) -> None:
        """Tables for practice that were opened before then, and their logs."""

    async def open_day_table(self, new: TableToOpen, counted: TryRow | None) -> None:
        """A table with the cards of a day; where the try counts, it is noted in the same transaction.
        `Conflict` where this person has one already."""

    async def end_try(self, when: str, player: str, points: int, ended: float) -> None:
        """The hand of somebody's counted try is over."""

    async def append(self, table: str, seq: int, entries: Sequence[tuple[str | None, bytes]]) -> None:
        """Entries (command id, payload) with consecutive numbers from `seq`, all or none; or `Conflict`.

        An append whose caller was cancelled may still be made; the caller's next one then meets a `Conflict`.
        """

    async def go_on(
        self, table: str, seq: int, entries: Sequence[tuple[str | None, bytes]], following: TableToOpen
    ) -> None:
        """As `append`, and the table at which these people go on, in the same transaction."""

    async def entries(self, table: str, since: int = 0) -> list[StoredEntry]: ...

    async def table(self, table: str) -> TableRow | None: ...

    async def lobby(self, limit: int) -> list[TableRow]:
        """Public tables that are not over, the latest first."""

    async def set_status(self, table: str, status: str) -> None: ...

    async def owners_of(self, keys: Collection[str]) -> dict[str, str]:
        """Ids of the accounts that have these names or look like them, by both keys (`names.name_keys`)."""

    async def note_sitting(self, player: str, table: str) -> None:
        """This player has had a seat at this table."""

    async def keep_games(self, table: str, by_player: Mapping[str, PlayedGame]) -> None:
        """A game is over: so it was for each of these people."""

    async def forget_in_games(self, player: str, table: str) -> None:
        """The lists of others who played there have this player's name no longer."""

    async def write_anew(self, table: str, payloads: Mapping[int, bytes]) -> None:
        """Entries of a table's log, by number, without the name of somebody who wants to be forgotten."""


# -- the store -----------------------------------------------------------------------------------------------


class _Write:
    """One caller's write: a piece of work of its own, then rows of a log; all of it or nothing."""

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
    """What hindered each of them; one that was hindered left no trace."""
    hindered: list[Exception | None] = []
    for write in writes:
        try:
            with connection.begin_nested():
                _write_together([write], connection)
            hindered.append(None)
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
    # Who has deleted their account meanwhile sits nowhere.
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
        """Write what waits, then let go of the database."""
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
            # The database hangs, so to try again would only let everybody wait longer.
            hindered = [_not_written(error) for _ in group]
        except Exception:  # noqa: BLE001 - whatever one caller brought must not stop the others, nor the writer
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

    async def open_day_table(self, new: TableToOpen, counted: TryRow | None) -> None:
        def work(connection: Connection) -> None:
            _open_table(new, connection)
            if counted is not None:
                row = dict(zip(day_tries.c.keys(), counted, strict=True))
                connection.execute(insert(day_tries), row)

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

    async def entries(self, table: str, since: int = 0) -> list[StoredEntry]:
        rows = await self._rows(
            select(log.c.seq, log.c.command, log.c.payload)
            .where(log.c.table_id == table, log.c.seq >= since)
            .order_by(log.c.seq)
        )
        return [StoredEntry(*row) for row in rows]

    async def table(self, table: str) -> TableRow | None:
        if not table.isprintable():
            return None  # PostgreSQL does not even take some characters in a question
        rows = await self._rows(select(tables).where(tables.c.id == table))
        return TableRow(*rows[0]) if rows else None

    async def lobby(self, limit: int) -> list[TableRow]:
        statement = select(tables).where(LISTED).order_by(tables.c.updated.desc()).limit(limit)
        return [TableRow(*row) for row in await self._rows(statement)]


def _reason(error: BaseException) -> str:
    """What the driver said, without the statement and its values: they could hold what nobody should read."""
    said = str(getattr(error, "orig", None) or error).strip().partition("\n")[0].rstrip(".")
    return said or ("it does not answer" if isinstance(error, TimeoutError) else type(error).__name__)


def make_store(url: str) -> DatabaseStore:
    """For `sqlite:///file` or `postgresql://user@host/name`; to be opened before use, on a running loop."""
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
