"""The store: the append-only log of every table, and all other data by topic."""

import time
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

import msgspec
from sqlalchemy import Connection, delete, func, insert, select, update
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from canasta.installation import why_missing
from canasta.server.store import ConflictError
from canasta.server.store.backends import LogRow, PostgresRunner, SqliteRunner
from canasta.server.store.database import Database, columns_of
from canasta.server.store.days import DaysStore, TryRow, ranked_tries
from canasta.server.store.schema import (
    LISTED,
    day_tries,
    days,
    games,
    log,
    players,
    presence,
    sittings,
    tables,
)
from canasta.table.game_summary import PlayedGame

# -- players' finished games; each player has their own row for a game ---------------------------------------

MOST_LISTED = 500
"""Maximum number of games in a list, latest first."""
MOST_KEPT = 50
"""Maximum number of imported records per player."""


class KeptGame(NamedTuple):
    id: str
    ended: float
    """Unix time."""
    game: PlayedGame
    is_record: bool
    """True for an imported record, whose text is stored here."""


class RecordsSize(NamedTuple):
    """The number and size of imported records."""

    number: int
    size: int
    """In bytes."""


def stored_size(game: PlayedGame, record: bytes) -> int:
    """Return the number of bytes that an imported record takes in the database."""
    return len(msgspec.json.encode(game)) + len(record)


def _records_size(connection: Connection, player: str) -> RecordsSize:
    in_bytes = func.length(games.c.told) + func.length(games.c.record)
    kept = select(func.count(), func.coalesce(func.sum(in_bytes), 0)).where(
        games.c.player_id == player, games.c.record.is_not(None)
    )
    number, size = connection.execute(kept).one()
    return RecordsSize(int(number), int(size))


class GamesStore(Database):
    """The part of the store for finished games."""

    async def keep_games(self, table: str, by_player: Mapping[str, PlayedGame]) -> None:
        """Add a finished game to each player's list; existing rows are kept."""
        rows = [
            {"player_id": player, "id": table, "ended": time.time(), "told": msgspec.json.encode(game)}
            for player, game in by_player.items()
        ]

        def work(connection: Connection) -> None:
            known = set(connection.execute(select(games.c.player_id).where(games.c.id == table)).scalars())
            # Players who have deleted their account in the meantime have no list.
            there = select(players.c.id).where(players.c.id.in_(by_player))
            new_players = set(connection.execute(there).scalars()) - known
            if new := [row for row in rows if row["player_id"] in new_players]:
                connection.execute(insert(games), new)

        await self.write(work)

    async def keep_record(
        self, player: str, name: str, game: PlayedGame, record: bytes, most: RecordsSize
    ) -> bool:
        """Store an imported record; return False if the player's records would exceed `most`."""
        row = {
            "player_id": player,
            "id": name,
            "ended": time.time(),
            "told": msgspec.json.encode(game),
            "record": record,
        }

        stored: list[bool] = []

        def work(connection: Connection) -> None:
            # Serialize the imports of one player across processes.
            mine_alone = select(players.c.id).where(players.c.id == player).with_for_update(key_share=True)
            connection.execute(mine_alone)
            kept = _records_size(connection, player)
            fits = kept.number < most.number and kept.size + stored_size(game, record) <= most.size
            # A write that is grouped with others may run twice.
            stored[:] = [fits]
            if fits:
                connection.execute(insert(games), row)

        await self.write(work)
        return stored[0]

    async def records_of(self, player: str) -> RecordsSize:
        """Return the number and stored size of a player's imported records."""
        return await self.read(lambda connection: _records_size(connection, player))

    async def games_of(self, player: str) -> list[KeptGame]:
        rows = await self._rows(
            select(games.c.id, games.c.ended, games.c.told, games.c.record.is_not(None).label("is_record"))
            .where(games.c.player_id == player)
            .order_by(games.c.ended.desc())
            .limit(MOST_LISTED)
        )
        return [
            KeptGame(row.id, row.ended, msgspec.json.decode(row.told, type=PlayedGame), row.is_record)
            for row in rows
        ]

    async def kept_record(self, player: str, name: str) -> bytes | None:
        """Return the text of an imported record; `None` if it isn't one of this player's."""
        if not name.isprintable():
            return None
        rows = await self._rows(select(games.c.record).where(games.c.player_id == player, games.c.id == name))
        return bytes(rows[0][0]) if rows and rows[0][0] is not None else None

    async def drop_game(self, player: str, name: str) -> bool:
        """Remove a game from a player's list; return False if it isn't there."""
        mine = (games.c.player_id == player, games.c.id == name)
        if not name.isprintable() or not await self._rows(select(games.c.id).where(*mine)):
            return False
        await self._execute(delete(games).where(*mine))
        return True

    async def drop_some_games(self, player: str, count: int) -> bool:
        """Delete up to `count` games from a player's list; return whether there may be more."""
        some = select(games.c.id).where(games.c.player_id == player).limit(count)
        names = [row[0] for row in await self._rows(some)]
        if names:
            dropped = delete(games).where(games.c.player_id == player, games.c.id.in_(names))
            await self._execute(dropped)
        return len(names) == count

    async def forget_in_games(self, player: str, table: str) -> None:
        """Remove a deleted player's name from the other players' lists."""

        def work(connection: Connection) -> None:
            for owner, told in connection.execute(
                select(games.c.player_id, games.c.told).where(games.c.id == table)
            ).all():
                game = msgspec.json.decode(told, type=PlayedGame)
                if player in game.people:
                    changed = update(games).where(games.c.player_id == owner, games.c.id == table)
                    connection.execute(changed.values(told=msgspec.json.encode(game.without(player))))

        await self.write(work)


# -- tables --------------------------------------------------------------------------------------------------

PRACTICE: Final = "practice"
"""Status of a practice table, which is deleted soon."""


class StoredEntry(NamedTuple):
    seq: int
    command: str | None
    payload: bytes
    """JSON of a log entry."""


class TableToOpen(NamedTuple):
    id: str
    public: bool
    payloads: Sequence[bytes]
    """The log from its first entry."""
    people: Collection[str] = ()
    """Ids of all players that the log mentions."""
    status: str = "waiting"


class TableRow(NamedTuple):
    id: str
    public: bool
    status: str
    """`waiting`, `playing`, `over` or `practice`."""
    created: float
    updated: float


_TABLE_ROW: Final = columns_of(TableRow._fields, tables)


class Store(GamesStore, DaysStore):
    """All data of the server. Times of sessions are those of `SessionClock`."""

    async def create_table(self, table: str, *, public: bool, payload: bytes) -> None:
        """Create a table with the first entry of its log, seq 0."""
        await self._open(TableToOpen(table, public, [payload]))

    async def create_practice_table(self, table: str, payloads: Sequence[bytes]) -> None:
        """Create a practice table with its log; it appears in no lobby or list."""
        await self._open(TableToOpen(table, public=False, payloads=payloads, status=PRACTICE))

    async def _open(self, new: TableToOpen) -> None:
        await self.write(partial(_open_table, new), _log_of(new))

    async def forget_practice(self, before: float) -> None:
        """Delete practice tables opened before this time, with their logs."""
        old = (tables.c.status == PRACTICE, tables.c.created < before)

        def work(connection: Connection) -> None:
            connection.execute(delete(log).where(log.c.table_id.in_(select(tables.c.id).where(*old))))
            connection.execute(delete(tables).where(*old))

        await self.write(work)

    async def open_day_table(self, new: TableToOpen, first: TryRow | None, limits: tuple[int, int]) -> None:
        """Open a table with a deal of the day, and record a first try in the same transaction.

        Raise `ConflictError` if the player already has one, or if it is to be ranked and its address
        (`place`) or IPv6 /48 (`site`) has reached these limits.
        """

        def work(connection: Connection) -> None:
            if first is not None:
                if first.counts:
                    # Serialize with other processes.
                    held = select(days.c.date).where(days.c.date == first.date).with_for_update()
                    connection.execute(held)
                    there = ranked_tries(connection, first.date, first.player, first.place, first.site)
                    if there[0] >= limits[0] or there[1] >= limits[1]:
                        raise ConflictError("Somebody else at this address was first.")
                row = first._asdict()
                row["player_id"], row["table_id"] = row.pop("player"), row.pop("table")
                connection.execute(insert(day_tries), row)
            _open_table(new, connection)

        await self.write(work, _log_of(new))

    async def append(self, table: str, seq: int, entries: Sequence[tuple[str | None, bytes]]) -> None:
        """Append entries (command id, payload), numbered from `seq`, all or none; raise `ConflictError`.

        If the caller is cancelled, the entries may still be written; the next append then raises
        `ConflictError`.
        """
        if entries:
            await self.write(None, _numbered(table, seq, entries))

    async def append_and_open(
        self, table: str, seq: int, entries: Sequence[tuple[str | None, bytes]], following: TableToOpen
    ) -> None:
        """Append entries, and open the table where the players continue, in the same transaction."""
        rows = [*_numbered(table, seq, entries), *_log_of(following)]
        await self.write(partial(_open_table, following), rows)

    async def set_status(self, table: str, status: str) -> None:
        """Store the status, and update the time of the latest activity."""
        await self._execute(
            update(tables).where(tables.c.id == table).values(status=status, updated=time.time())
        )

    async def rewrite_entries(self, table: str, payloads: Mapping[int, bytes]) -> None:
        """Replace log entries, by number, with versions that don't name a deleted player."""

        def work(connection: Connection) -> None:
            for seq, payload in payloads.items():
                changed = update(log).where(log.c.table_id == table, log.c.seq == seq)
                connection.execute(changed.values(payload=payload))

        await self.write(work)

    # -- reading ---------------------------------------------------------------------------------------------

    async def entries(self, table: str, since: int = 0) -> list[StoredEntry]:
        rows = await self._rows(
            select(*columns_of(StoredEntry._fields, log))
            .where(log.c.table_id == table, log.c.seq >= since)
            .order_by(log.c.seq)
        )
        return list(map(StoredEntry._make, rows))

    async def table(self, table: str) -> TableRow | None:
        if not table.isprintable():
            return None  # PostgreSQL rejects some characters in a query
        rows = await self._rows(select(*_TABLE_ROW).where(tables.c.id == table))
        return TableRow._make(rows[0]) if rows else None

    async def lobby(self, limit: int) -> list[TableRow]:
        """Return public tables that aren't over, latest first."""
        listed = select(*_TABLE_ROW).where(LISTED).order_by(tables.c.updated.desc()).limit(limit)
        return list(map(TableRow._make, await self._rows(listed)))

    async def occupied_elsewhere(self, process: str, limit: int) -> list[TableRow]:
        """Return public tables that aren't over and have a player connected to another process.

        Nobody's second table comes before another player's first; apart from that, the latest come first.
        """
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
        statement = select(*_TABLE_ROW).join(first, first.c.id == tables.c.id)
        fairly = statement.order_by(first.c.turn, tables.c.updated.desc()).limit(limit)
        return list(map(TableRow._make, await self._rows(fairly)))


def _numbered(table: str, seq: int, entries: Sequence[tuple[str | None, bytes]]) -> list[LogRow]:
    return [LogRow(table, number, *entry) for number, entry in enumerate(entries, seq)]


def _log_of(new: TableToOpen) -> list[LogRow]:
    return _numbered(new.id, 0, [(None, payload) for payload in new.payloads])


def _open_table(new: TableToOpen, connection: Connection) -> None:
    now = time.time()
    row = {"id": new.id, "public": new.public, "status": new.status, "created": now, "updated": now}
    connection.execute(insert(tables), row)
    # Skip players who have deleted their account in the meantime.
    there = connection.execute(select(players.c.id).where(players.c.id.in_(new.people))).scalars()
    if sitting := [{"player_id": player, "table_id": new.id} for player in there]:
        connection.execute(insert(sittings), sitting)


def make_store(url: str) -> Store:
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
        return Store(SqliteRunner(parsed.set(drivername="sqlite")))
    if kind in ("postgres", "postgresql"):
        try:
            return Store(PostgresRunner(parsed))
        except ModuleNotFoundError as error:
            raise ValueError(why_missing("PostgreSQL", error.name)) from error
    raise ValueError("The database is SQLite in a file or PostgreSQL: write sqlite:///FILE or postgresql://…")
