"""Players, sessions and known devices in the database."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar

from sqlalchemy import Connection, delete, insert, select, update

from canasta.server.store.backends import portions
from canasta.server.store.clock import HouseClock
from canasta.server.store.schema import (
    clock,
    day_tries,
    deletions,
    devices,
    games,
    log,
    players,
    sessions,
    sittings,
    tables,
)
from canasta.table.name_looks import name_key, name_look

_MOST_DEVICES: Final = 20
"""Maximum number of known devices per account; the least recently used one is dropped first."""
_MOST_TABLES: Final = 10_000

T = TypeVar("T")


class PlayerRow(NamedTuple):
    id: str
    name: str
    account: str | None
    """Key of an account's name; `None` for a guest."""
    password_hash: str | None
    created: float
    look: str | None = None
    """Look-alike key of an account's name; `None` for a guest.

    Of two look-alike accounts from before this column existed, the younger has none.
    """


class SessionRow(NamedTuple):
    token_hash: str
    created: float
    expires: float
    used: float
    device: str
    """Such as `Firefox, Linux`; empty if unknown."""


class SittingRow(NamedTuple):
    table: str
    opened: float
    updated: float
    status: str


class PeopleStore(ABC):
    """The part of the store for players. Times are those of `HouseClock`, not of the system clock."""

    def __init__(self) -> None:
        self._clock = HouseClock()

    @abstractmethod
    async def write(self, work: Callable[[Connection], object]) -> None:
        """Run `work` in one transaction; raise `Conflict` or `Unavailable`."""

    @abstractmethod
    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run `work` on a reading connection; raise `Unavailable`."""

    async def _rows(self, statement: Any) -> list[Any]:
        return await self.read(lambda connection: list(connection.execute(statement)))

    @property
    def now(self) -> float:
        return self._clock.now

    # -- players ---------------------------------------------------------------------------------------------

    async def add_player(
        self, player: str, name: str, account: str | None = None, password_hash: str | None = None
    ) -> None:
        look = None if account is None else name_look(name)
        row = PlayerRow(player, name, account, password_hash, self.now, look)._asdict()
        await self.write(lambda connection: connection.execute(insert(players), row))

    async def rename(self, player: str, name: str, *, is_account: bool) -> None:
        """Rename a player; raise `Conflict` if another account has the name or a look-alike."""
        await self._update(player, _owned(name) if is_account else {"name": name})

    async def make_account(self, player: str, name: str, password_hash: str) -> None:
        """Turn a guest into an account; raise `Conflict` as above."""
        await self._update(player, {**_owned(name), "password_hash": password_hash})

    async def set_password(self, player: str, password_hash: str) -> None:
        """Set a new password hash for an account."""
        await self._update(player, {"password_hash": password_hash})

    async def _update(self, player: str, values: dict[str, str]) -> None:
        statement = update(players).where(players.c.id == player).values(values)
        await self.write(lambda connection: connection.execute(statement))

    async def drop_player(self, player: str) -> None:
        """Delete a player with their sessions, devices and list of tables."""
        statement = delete(players).where(players.c.id == player)
        await self.write(lambda connection: connection.execute(statement))

    async def start_deletion(self, player: str, name: str) -> None:
        """Start deleting a player: remove at once everything that lets them sign in or shows them to others.

        `name` is their name until the deletion is complete.
        """

        def work(connection: Connection) -> None:
            mine = players.c.id == player
            if connection.execute(select(deletions.c.asked).where(deletions.c.player_id == player)).first():
                return
            connection.execute(insert(deletions).values(player_id=player, asked=self.now))
            bare = {"name": name, "account": None, "look": None, "password_hash": None}
            connection.execute(update(players).where(mine).values(bare))
            for table in (sessions, devices, day_tries):
                connection.execute(delete(table).where(table.c.player_id == player))

        await self.write(work)

    async def started_deletions(self) -> list[str]:
        """Return the players whose deletion has started, earliest first."""
        rows = await self._rows(select(deletions.c.player_id).order_by(deletions.c.asked))
        return [row[0] for row in rows]

    async def drop_some_games(self, player: str, count: int) -> bool:
        """Delete up to `count` games from a player's list; return whether there may be more."""
        some = select(games.c.id).where(games.c.player_id == player).limit(count)
        names = [row[0] for row in await self._rows(some)]
        if names:
            dropped = delete(games).where(games.c.player_id == player, games.c.id.in_(names))
            await self.write(lambda connection: connection.execute(dropped))
        return len(names) == count

    async def drop_sitting(self, player: str, table: str) -> None:
        """Record that a table no longer names this player."""
        gone = delete(sittings).where(sittings.c.player_id == player, sittings.c.table_id == table)
        await self.write(lambda connection: connection.execute(gone))

    async def player(self, player: str) -> PlayerRow | None:
        rows = await self._rows(select(players).where(players.c.id == player))
        return PlayerRow(*rows[0]) if rows else None

    async def player_by_name(self, account: str) -> PlayerRow | None:
        """Return an account by the key of its name (`name_looks.name_key`)."""
        if not account.isprintable():
            return None
        rows = await self._rows(select(players).where(players.c.account == account))
        return PlayerRow(*rows[0]) if rows else None

    async def owners_of(self, keys: Collection[str]) -> dict[str, str]:
        """Return the accounts that own these names or look-alikes, by both keys (`name_looks.name_keys`)."""
        asked = [key for key in keys if key.isprintable()]
        rows = await self._rows(
            select(players.c.account, players.c.look, players.c.id).where(
                players.c.account.in_(asked) | players.c.look.in_(asked)
            )
        )
        looks = {look: player for _, look, player in rows if look is not None}
        return looks | {account: player for account, _, player in rows}

    # -- sessions --------------------------------------------------------------------------------------------

    async def add_session(self, token_hash: str, player: str, lifetime: float, device: str = "") -> None:
        now = self.now
        row = {
            "token_hash": token_hash,
            "player_id": player,
            "created": now,
            "expires": now + lifetime,
            "used": now,
            "device": device,
        }
        await self.write(lambda connection: connection.execute(insert(sessions), row))

    async def session(self, token_hash: str) -> tuple[PlayerRow, SessionRow] | None:
        """Return a session and its player; `None` if unknown or expired."""
        rows = await self._rows(
            select(players, *_session_columns())
            .join(sessions)
            .where(sessions.c.token_hash == token_hash, sessions.c.expires > self.now)
        )
        width = len(PlayerRow._fields)
        return (PlayerRow(*rows[0][:width]), SessionRow(*rows[0][width:])) if rows else None

    async def sessions_of(self, player: str) -> list[SessionRow]:
        """Return a player's valid sessions, most recently used first."""
        rows = await self._rows(
            select(*_session_columns())
            .where(sessions.c.player_id == player, sessions.c.expires > self.now)
            .order_by(sessions.c.used.desc())
        )
        return [SessionRow(*row) for row in rows]

    async def use_session(self, token_hash: str, lifetime: float) -> None:
        """Record a use of a session and extend it by `lifetime` from now."""
        now = self.now
        statement = (
            update(sessions)
            .where(sessions.c.token_hash == token_hash)
            .values(used=now, expires=now + lifetime)
        )

        def work(connection: Connection) -> None:
            connection.execute(statement)
            self._note_time(connection)

        await self.write(work)

    async def known_sessions(self, token_hashes: Sequence[str]) -> set[str]:
        """Return those of the sessions that still exist."""
        known: set[str] = set()
        for some in portions(token_hashes):
            rows = await self._rows(select(sessions.c.token_hash).where(sessions.c.token_hash.in_(some)))
            known.update(row[0] for row in rows)
        return known

    async def drop_session(self, token_hash: str) -> None:
        statement = delete(sessions).where(sessions.c.token_hash == token_hash)
        await self.write(lambda connection: connection.execute(statement))

    async def drop_sessions(self, player: str, but: str) -> None:
        """End all sessions of a player except one, and forget all known devices."""

        def work(connection: Connection) -> None:
            connection.execute(
                delete(sessions).where(sessions.c.player_id == player, sessions.c.token_hash != but)
            )
            connection.execute(delete(devices).where(devices.c.player_id == player))

        await self.write(work)

    # -- devices ---------------------------------------------------------------------------------------------

    async def know_device(self, token_hash: str, player: str) -> None:
        """Record a device from which a player has signed in."""
        await self.write(partial(_know_device, token_hash=token_hash, player=player, now=self.now))

    async def knows_device(self, token_hash: str, account: str) -> bool:
        """Return whether the owner of this account has signed in from this device before."""
        if not account.isprintable():
            return False
        rows = await self._rows(
            select(devices.c.token_hash)
            .join(players)
            .where(devices.c.token_hash == token_hash, players.c.account == account)
        )
        return bool(rows)

    # -- tables ----------------------------------------------------------------------------------------------

    async def note_sitting(self, player: str, table: str) -> None:
        """Record that this player has had a seat at this table."""

        def work(connection: Connection) -> None:
            known = select(sittings.c.table_id).where(
                sittings.c.player_id == player, sittings.c.table_id == table
            )
            if connection.execute(known).first() is None:
                connection.execute(insert(sittings).values(player_id=player, table_id=table))

        await self.write(work)

    async def sittings_of(self, player: str, most: int = _MOST_TABLES) -> list[SittingRow]:
        """Return the tables that name this player, by a seat or in a tally, latest first."""
        rows = await self._rows(
            select(tables.c.id, tables.c.created, tables.c.updated, tables.c.status)
            .join(sittings, sittings.c.table_id == tables.c.id)
            .where(sittings.c.player_id == player)
            .order_by(tables.c.created.desc())
            .limit(most)
        )
        return [SittingRow(*row) for row in rows]

    async def write_anew(self, table: str, payloads: Mapping[int, bytes]) -> None:
        """Replace log entries, by number, with versions that don't name a deleted player."""

        def work(connection: Connection) -> None:
            for seq, payload in payloads.items():
                changed = update(log).where(log.c.table_id == table, log.c.seq == seq)
                connection.execute(changed.values(payload=payload))

        await self.write(work)

    # -- the clock -------------------------------------------------------------------------------------------

    def _start_clock(self, connection: Connection) -> None:
        """Resume the clock from the last saved reading, and delete expired sessions."""
        noted = connection.execute(select(clock.c.now, clock.c.wall)).first()
        if noted is not None:
            self._clock.go_on(*noted)
        else:
            connection.execute(insert(clock).values(id=1, now=self.now, wall=time.time()))
        self._note_time(connection)
        connection.execute(delete(sessions).where(sessions.c.expires <= self.now))

    def _note_time(self, connection: Connection) -> None:
        now = self.now
        connection.execute(update(clock).where(clock.c.now < now).values(now=now, wall=time.time()))


def _session_columns() -> list[Any]:
    return [sessions.c[name] for name in SessionRow._fields]


def _owned(name: str) -> dict[str, str]:
    """Return the name columns of an account with this name."""
    return {"name": name, "account": name_key(name), "look": name_look(name)}


def _know_device(connection: Connection, token_hash: str, player: str, now: float) -> None:
    connection.execute(delete(devices).where(devices.c.token_hash == token_hash))
    connection.execute(insert(devices).values(token_hash=token_hash, player_id=player, used=now))
    newest = (
        select(devices.c.token_hash)
        .where(devices.c.player_id == player)
        .order_by(devices.c.used.desc())
        .limit(_MOST_DEVICES)
    )
    kept = connection.execute(newest).scalars().all()
    connection.execute(
        delete(devices).where(devices.c.player_id == player, devices.c.token_hash.not_in(kept))
    )
