"""The database: reading, writing and the session clock.

Group commit: all writes that are pending at the same time go into one transaction, so that one disk sync
serves many tables. A write returns only after the commit.
"""

import asyncio
import contextlib
import hmac
import secrets
import time
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar

from sqlalchemy import ColumnElement, Connection, Table, delete, insert, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from canasta.server.addresses import site_of
from canasta.server.store import ConflictError, DatabaseError
from canasta.server.store.backends import LogRow, Runner, insert_rows
from canasta.server.store.schema import address_keys, bring_up_to_date, clock, puzzle_sights, sessions

T = TypeVar("T")

MOST_AT_ONCE: Final = 500
"""Maximum number of writes per transaction; the rest wait for the next one."""
LONGEST_PAUSE: Final = 30 * 24 * 3600.0
"""Maximum downtime in seconds that the session clock counts between two runs."""


def columns_of(
    fields: Sequence[str], table: Table, /, **others: ColumnElement[Any]
) -> list[ColumnElement[Any]]:
    """Return the columns for the fields of a row class, in order, so that its `_make` can read a row.

    `others` are the columns of fields whose names differ from the table's columns.
    """
    return [others[name] if name in others else table.c[name] for name in fields]


class SessionClock:
    """The clock for session lifetimes, which is close to Unix time as long as the system clock is right.

    The system clock can be wrong, be changed, or start in 1970 after a power cut; this clock never jumps or
    runs backwards. It follows the monotonic clock while the server runs. Downtime is taken from the system
    clock, up to a limit.
    """

    def __init__(self) -> None:
        self._base = time.time()
        self._since = time.monotonic()

    @property
    def now(self) -> float:
        return self._base + time.monotonic() - self._since

    def resume(self, now: float, wall: float) -> None:
        """Resume from the last saved reading of this clock and of the system clock at that moment."""
        self._base = now + min(max(0.0, time.time() - wall), LONGEST_PAUSE)
        self._since = time.monotonic()


class _Write:
    """One caller's write: optional work, then log rows; all of it or nothing."""

    __slots__ = ("done", "rows", "work")

    def __init__(self, work: Callable[[Connection], object] | None, rows: Sequence[LogRow]) -> None:
        self.work = work
        self.rows = rows
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()


class Database:
    """A database that many callers can read and write concurrently."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._clock = SessionClock()
        self._waiting: list[_Write] = []
        self._wake = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None
        self._closing = False

    async def open(self) -> None:
        """Open the database, creating its tables if it is new; raise `DatabaseError`."""
        try:
            await self._runner.open()
            await self._runner.write(self._set_up)
        except (SQLAlchemyError, OSError) as error:
            await self._runner.close()
            raise DatabaseError(f"The database cannot be opened: {_reason(error)}.") from error
        except BaseException:
            await self._runner.close()
            raise
        self._writer = asyncio.create_task(self._write_groups())

    def _set_up(self, connection: Connection) -> None:
        """Create the tables, resume the clock from its last saved reading, and delete expired sessions."""
        bring_up_to_date(connection)
        noted = connection.execute(select(clock.c.now, clock.c.wall)).first()
        if noted is not None:
            self._clock.resume(noted.now, noted.wall)
        else:
            connection.execute(insert(clock).values(id=1, now=self.now, wall=time.time()))
        self._note_time(connection)
        connection.execute(delete(sessions).where(sessions.c.expires <= self.now))

    async def close(self) -> None:
        """Finish pending writes, then close the database."""
        if self._writer is None:
            return
        with contextlib.suppress(DatabaseError):
            await self.write(self._note_time)
        self._closing = True
        self._wake.set()
        await self._writer
        self._writer = None
        await self._runner.close()

    @property
    def now(self) -> float:
        """The session clock, not the system clock."""
        return self._clock.now

    def _note_time(self, connection: Connection) -> None:
        now = self.now
        connection.execute(update(clock).where(clock.c.now < now).values(now=now, wall=time.time()))

    # -- writing ---------------------------------------------------------------------------------------------

    async def write(self, work: Callable[[Connection], object] | None, rows: Sequence[LogRow] = ()) -> None:
        """Run `work` and append log rows in one transaction, grouped with other writes; all of it or nothing.

        Raise `ConflictError` or `DatabaseError`. `work` may run twice. If the caller is cancelled, the write
        may still be committed.
        """
        if self._closing or self._writer is None:
            raise DatabaseError("The store is closed.")
        write = _Write(work, rows)
        self._waiting.append(write)
        self._wake.set()
        await write.done

    async def _execute(self, statement: Any, *values: Any) -> None:
        """Run one statement as a write."""
        await self.write(lambda connection: connection.execute(statement, *values))

    async def _write_groups(self) -> None:
        while self._waiting or not self._closing:
            if not self._waiting:
                self._wake.clear()
                await self._wake.wait()
                continue
            group, self._waiting = self._waiting[:MOST_AT_ONCE], self._waiting[MOST_AT_ONCE:]
            await self._write_group(group)

    async def _write_group(self, group: list[_Write]) -> None:
        problems: list[Exception | None] = [None] * len(group)
        try:
            if all(write.work is None for write in group):
                await self._runner.append([row for write in group for row in write.rows])
            else:
                await self._runner.write(partial(_write_together, group))
        except TimeoutError as error:
            # The database hangs: retrying would only make everyone wait longer.
            problems = [_not_written(error) for _ in group]
        except Exception:  # noqa: BLE001 - one caller's error must not stop the others or the writer
            try:
                problems = await self._runner.write(partial(_write_one_by_one, group))
            except Exception as error:  # noqa: BLE001 - as above
                problems = [_not_written(error) for _ in group]
        for write, problem in zip(group, problems, strict=True):
            if write.done.done():
                continue
            if problem is None:
                write.done.set_result(None)
            else:
                write.done.set_exception(problem)

    # -- reading ---------------------------------------------------------------------------------------------

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run `work` on a reading connection; raise `DatabaseError`."""
        try:
            return await self._runner.read(work)
        except (SQLAlchemyError, OSError) as error:
            raise DatabaseError(f"The database cannot be read: {_reason(error)}.") from error

    async def _rows(self, statement: Any) -> list[Any]:
        return await self.read(lambda connection: list(connection.execute(statement)))

    async def check(self) -> None:
        """Raise `DatabaseError` if tables are missing, the file is damaged, or the database
        can't be read."""
        try:
            problem = await self._runner.problem()
        except (SQLAlchemyError, OSError) as error:
            raise DatabaseError(f"The database cannot be read: {_reason(error)}.") from error
        if problem:
            raise DatabaseError(f"The database cannot be used: {problem}.", is_damaged=True)


def _write_together(writes: Sequence[_Write], connection: Connection) -> None:
    for write in writes:
        if write.work is not None:
            write.work(connection)
    if rows := [row for write in writes for row in write.rows]:
        insert_rows(rows, connection)


def _write_one_by_one(writes: Sequence[_Write], connection: Connection) -> list[Exception | None]:
    """Run each write in a savepoint; return the error of each, or `None`. A failed write leaves no trace."""
    problems: list[Exception | None] = []
    for write in writes:
        try:
            with connection.begin_nested():
                _write_together([write], connection)
            problems.append(None)
        except ConflictError as error:
            problems.append(error)
        except IntegrityError:
            problems.append(ConflictError("Somebody else was first."))
        except (SQLAlchemyError, ValueError, OverflowError) as error:
            problems.append(_not_written(error))
    return problems


def _not_written(error: Exception) -> DatabaseError:
    problem = DatabaseError(f"The database cannot be written: {_reason(error)}.")
    problem.__cause__ = error
    return problem


def _reason(error: BaseException) -> str:
    """Return the driver's message without the statement and its values, which may be private."""
    message = str(getattr(error, "orig", None) or error).strip().partition("\n")[0].rstrip(".")
    return message or ("it does not answer" if isinstance(error, TimeoutError) else type(error).__name__)


# -- addresses -----------------------------------------------------------------------------------------------

REMEMBERED: Final = 7
"""Number of days for which an address can be recognized."""
_KEPT: Final = (REMEMBERED + 1) * 86_400.0


class AddressHash(NamedTuple):
    """Keyed hashes of an address, valid for one day."""

    network: str
    """Hash of the IPv4 address or IPv6 /64."""
    site: str
    """Hash of the IPv6 /48; empty for IPv4."""

    @property
    def widest(self) -> str:
        return self.site or self.network


class AddressHashStore:
    """Hashes addresses with a key per day, so that the store can count players per address without storing
    it.

    Each key is deleted after a few days. From then on nobody can recover an address from a hash, even with
    the database.
    """

    def __init__(self, store: Database) -> None:
        self._store = store

    async def on_day(self, address: str, day: date) -> AddressHash:
        """Return the hashes of an address for this day."""
        name = day.isoformat()
        secret = (await self._keys([name])).get(name)
        if secret is None:
            with contextlib.suppress(ConflictError):  # another process was first
                await self._store.write(lambda connection: _make_key(connection, name))
            secret = (await self._keys([name]))[name]
        return _place(secret, address)

    async def recent_hashes(self, address: str, today: date) -> list[AddressHash]:
        """Return the hashes of an address for today and earlier days, as long as their keys exist."""
        first = await self.on_day(address, today)
        names = [(today - timedelta(days=count)).isoformat() for count in range(1, REMEMBERED)]
        known = await self._keys(names)
        return [first, *(_place(known[name], address) for name in names if name in known)]

    async def _keys(self, names: list[str]) -> dict[str, str]:
        statement = select(address_keys.c.name, address_keys.c.secret).where(address_keys.c.name.in_(names))
        return await self._store.read(lambda link: {row.name: row.secret for row in link.execute(statement)})


def _make_key(connection: Connection, name: str) -> None:
    now = time.time()
    connection.execute(delete(address_keys).where(address_keys.c.made < now - _KEPT))
    connection.execute(delete(puzzle_sights).where(puzzle_sights.c.seen < now - _KEPT))
    connection.execute(insert(address_keys), {"name": name, "secret": secrets.token_hex(32), "made": now})


def _place(secret: str, address: str) -> AddressHash:
    site = site_of(address)
    return AddressHash(_hash(secret, address), _hash(secret, site) if site else "")


def _hash(secret: str, text: str) -> str:
    return hmac.digest(bytes.fromhex(secret), text.encode(), "sha256").hex()[:32]
