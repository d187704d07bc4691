"""Cluster membership: which server processes share this database, and who is connected to each.

Membership is in the database, so it works without Redis; Redis only makes it faster. A process with
connections increments a heartbeat counter. Its peers consider it dead when the counter stops, so clocks need
not agree. An idle process neither writes nor polls.
"""

import asyncio
import contextlib
import secrets
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Final, Protocol, TypeVar

import structlog
from sqlalchemy import Connection, and_, delete, func, insert, select, update

from canasta.server.store import DatabaseError
from canasta.server.store.backends import portions
from canasta.server.store.schema import log, presence, processes

_logger = structlog.get_logger()

HEARTBEAT_SECONDS: Final = 2.0
"""Seconds between two heartbeats."""
LOST_AFTER: Final = 10.0
"""Seconds without a heartbeat after which a process is considered dead."""
POLL_SECONDS: Final = 0.5
"""Seconds between two polls of peers' log entries if Redis isn't configured."""
_ROOM: Final = 32 * 1024
"""Bytes that a health check writes to verify that the database can grow."""

T = TypeVar("T")


class SharedDatabase(Protocol):
    """The part of the store that this module needs."""

    async def write(self, work: Callable[[Connection], object]) -> None: ...

    async def read(self, work: Callable[[Connection], T]) -> T: ...


class Cluster:
    def __init__(self, store: SharedDatabase, *, told_by_redis: bool = False) -> None:
        self._store = store
        self._poll_seconds = HEARTBEAT_SECONDS if told_by_redis else POLL_SECONDS
        self.name: str = secrets.token_hex(8)
        self._here: Counter[tuple[str, str]] = Counter()
        """Number of connections to this process, by table and player; the player is empty for a spectator."""
        self._written: set[tuple[str, str]] = set()
        """Connections already recorded in the database."""
        self._beaten = 0.0
        self._beats: dict[str, tuple[int, float]] = {}
        """Last heartbeat seen from each peer process, and when it changed."""
        self._elsewhere: dict[str, frozenset[str]] = {}
        """Players of our tables who are connected to other processes."""
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._open_logs: Callable[[], Mapping[str, int]] = dict
        self._on_new_entries: Callable[[str, int], None] = lambda table, seq: None
        self._on_presence_change: Callable[[str], None] = lambda table: None
        self._periodic_tasks: list[Callable[[], Awaitable[None]]] = []

    def subscribe(
        self,
        *,
        open_logs: Callable[[], Mapping[str, int]],
        on_new_entries: Callable[[str, int], None],
        on_presence_change: Callable[[str], None],
    ) -> None:
        """Register callbacks.

        open_logs: returns the length of every log that is open in this process, by table. on_new_entries:
        called with a table and its last entry number when another process has written to its log.
        on_presence_change: called with a table when somebody connected to or left it in another process.
        """
        self._open_logs, self._on_new_entries, self._on_presence_change = (
            open_logs,
            on_new_entries,
            on_presence_change,
        )

    def add_periodic_task(self, work: Callable[[], Awaitable[None]]) -> None:
        """Run `work` on every poll while peers exist."""
        self._periodic_tasks.append(work)

    async def open(self) -> None:
        self._task = asyncio.create_task(self._watch())

    async def close(self) -> None:
        if self._task is None:
            return
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        with contextlib.suppress(DatabaseError):
            await self._store.write(lambda connection: _forget(connection, self.name))

    # -- connections here ------------------------------------------------------------------------------------

    def connected(self, table: str, player: str) -> None:
        self._here[table, player] += 1
        self._wake.set()

    def disconnected(self, table: str, player: str) -> None:
        self._here[table, player] -= 1
        if self._here[table, player] <= 0:
            del self._here[table, player]
        self._wake.set()

    # -- connections elsewhere -------------------------------------------------------------------------------

    def players_elsewhere(self, table: str) -> frozenset[str]:
        """Return players of this table connected to other processes, as of the last poll."""
        return self._elsewhere.get(table, frozenset())

    async def refresh_players_elsewhere(self, table: str) -> frozenset[str]:
        """Poll the database, then return the same as `players_elsewhere`. Raise `DatabaseError`."""
        await self._refresh({table})
        return self.players_elsewhere(table)

    async def is_connected(self, player: str) -> bool:
        """Return whether a player is connected to any table through any process; raise `DatabaseError`."""
        if any(here == player for _, here in self._here):
            return True
        await self._refresh(())
        statement = select(presence.c.process).where(presence.c.player_id == player)
        process_names = await self._store.read(
            lambda connection: list(connection.execute(statement).scalars())
        )
        return any(process in self._beats for process in process_names)

    async def players_at(self, tables: Collection[str]) -> dict[str, set[str]]:
        """Return the ids of the players connected to each of these tables, through any process."""
        players: dict[str, set[str]] = {}
        for table, player, process in await self._store.read(
            lambda connection: _presence(connection, tables)
        ):
            if process == self.name or process in self._beats:
                players.setdefault(table, set()).add(player)
        return players

    async def logs_with_new_entries(self, lengths: Mapping[str, int]) -> dict[str, int]:
        """Return the last entry number of each log that is longer than given in `lengths`; raise
        `DatabaseError`."""
        if not lengths:
            return {}
        last_numbers = await self._store.read(lambda connection: _last_numbers(connection, lengths))
        return {table: seq for table, seq in last_numbers.items() if seq >= lengths[table]}

    # -- heartbeats ------------------------------------------------------------------------------------------

    async def probe(self) -> None:
        """Write data that needs disk space, on the same path as every move; raise `DatabaseError`."""
        await self._store.write(lambda connection: _beat(connection, self.name, with_room=True))

    async def _watch(self) -> None:
        while True:
            if not self._here and not self._written:
                self._wake.clear()
                await self._wake.wait()
            try:
                await self._announce()
                await self._poll()
            except DatabaseError as problem:
                _logger.warning("neighbours_unknown", problem=str(problem))
                await asyncio.sleep(HEARTBEAT_SECONDS)
            except Exception:  # the watch must survive any error while tables are in play
                _logger.exception("neighbours_unknown")
                await asyncio.sleep(HEARTBEAT_SECONDS)
            self._wake.clear()
            with contextlib.suppress(TimeoutError):
                seconds = self._poll_seconds if self._beats else HEARTBEAT_SECONDS
                await asyncio.wait_for(self._wake.wait(), seconds)

    async def _announce(self) -> None:
        """Record this process's connections and its heartbeat."""
        now = time.monotonic()
        here = {key for key in self._here if key[1]}
        if here == self._written and now < self._beaten + HEARTBEAT_SECONDS:
            return
        came, went = here - self._written, self._written - here
        await self._store.write(lambda connection: _note(connection, self.name, here, came, went))
        self._written, self._beaten = here, now

    async def _poll(self) -> None:
        await self._refresh({table for table, _ in self._here})
        if not self._beats:
            return
        for table, seq in (await self.logs_with_new_entries(self._open_logs())).items():
            self._on_new_entries(table, seq)
        for work in self._periodic_tasks:
            await work()

    async def _refresh(self, tables: Collection[str]) -> None:
        """Refresh the live peers and the presence at these tables."""
        beats = await self._store.read(lambda connection: _beats(connection, self.name))
        now = time.monotonic()
        self._beats = {
            name: self._beats[name] if name in self._beats and self._beats[name][0] == beat else (beat, now)
            for name, beat in beats.items()
        }
        gone = {name: beat for name, (beat, since) in self._beats.items() if since + LOST_AFTER < now}
        if gone:
            _logger.info("neighbours_gone", count=len(gone))
            for name in gone:
                del self._beats[name]
            await self._store.write(lambda connection: _forget_all(connection, gone))
        players: dict[str, set[str]] = {table: set() for table in tables}
        if self._beats:
            for table, player, process in await self._store.read(
                lambda connection: _presence(connection, tables)
            ):
                if process in self._beats:
                    players[table].add(player)
        for table, people in players.items():
            before = self._elsewhere.pop(table, frozenset())
            if people:
                self._elsewhere[table] = frozenset(people)
            if people != before:
                self._on_presence_change(table)
        # Drop tables that are no longer open in this process.
        open_tables = {table for table, _ in self._here} | set(tables)
        self._elsewhere = {table: people for table, people in self._elsewhere.items() if table in open_tables}


# -- statements ----------------------------------------------------------------------------------------------


def _beat(connection: Connection, name: str, *, with_room: bool = False) -> bool:
    """Increment the heartbeat; return whether the process is still registered."""
    own = update(processes).where(processes.c.name == name)
    known = connection.execute(own.values(beat=processes.c.beat + 1)).rowcount > 0
    if not known:
        connection.execute(insert(processes).values(name=name, beat=1))
    if with_room:
        connection.execute(own.values(room=bytes(_ROOM)))
        connection.execute(own.values(room=None))
    return known


def _note(
    connection: Connection,
    name: str,
    here: Collection[tuple[str, str]],
    came: Collection[tuple[str, str]],
    went: Collection[tuple[str, str]],
) -> None:
    if not _beat(connection, name):
        # The peers considered this process dead, or it is new.
        connection.execute(delete(presence).where(presence.c.process == name))
        came, went = here, ()
    # Delete new rows first, too: a write that seemed to fail may have been committed.
    for table, player in (*went, *came):
        key = and_(presence.c.table_id == table, presence.c.player_id == player, presence.c.process == name)
        connection.execute(delete(presence).where(key))
    if came:
        rows = [{"table_id": table, "player_id": player, "process": name} for table, player in came]
        connection.execute(insert(presence), rows)


def _forget_all(connection: Connection, beats: Mapping[str, int]) -> None:
    for name, beat in beats.items():
        _forget(connection, name, beat)


def _forget(connection: Connection, name: str, beat: int | None = None) -> None:
    """Remove a process. If `beat` is given, remove it only if its counter still has this value: otherwise it
    is alive."""
    own = delete(processes).where(processes.c.name == name)
    gone = connection.execute(own if beat is None else own.where(processes.c.beat == beat)).rowcount > 0
    if gone or beat is None:
        connection.execute(delete(presence).where(presence.c.process == name))


def _beats(connection: Connection, but: str) -> dict[str, int]:
    rows = connection.execute(select(processes.c.name, processes.c.beat).where(processes.c.name != but))
    return {row.name: row.beat for row in rows}


def _last_numbers(connection: Connection, tables: Collection[str]) -> dict[str, int]:
    last_numbers: dict[str, int] = {}
    for some in portions(tables):
        statement = (
            select(log.c.table_id, func.max(log.c.seq))
            .where(log.c.table_id.in_(some))
            .group_by(log.c.table_id)
        )
        last_numbers |= {row[0]: row[1] for row in connection.execute(statement)}
    return last_numbers


def _presence(connection: Connection, tables: Collection[str]) -> list[tuple[str, str, str]]:
    rows: list[tuple[str, str, str]] = []
    for some in portions(tables):
        statement = select(presence).where(presence.c.table_id.in_(some))
        rows += [(table, player, process) for table, player, process in connection.execute(statement)]
    return rows
