"""People, their sessions and known devices, in the database."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar

from sqlalchemy import Connection, delete, func, insert, select, update

from canasta.server.store.clock import HouseClock
from canasta.server.store.databases import portions
from canasta.server.store.schema import clock, devices, log, players, sessions, sittings, tables
from canasta.table.names import name_key, name_look

_MOST_DEVICES: Final = 20
"""Of one account; the one that was used longest ago is forgotten first."""
_MOST_TABLES: Final = 10_000

T = TypeVar("T")


class PlayerRow(NamedTuple):
    id: str
    name: str
    account: str | None
    """The key of the name for an account, None for a guest."""
    password_hash: str | None
    created: float
    look: str | None = None
    """What an account's name looks like, None for a guest. Of two accounts that were alike before looks were
    noted, the younger has none."""


class SessionRow(NamedTuple):
    token_hash: str
    created: float
    expires: float
    used: float
    device: str
    """`Firefox, Linux`; empty where nothing is known."""


class SittingRow(NamedTuple):
    table: str
    opened: float
    updated: float
    status: str


class PeopleStore(ABC):
    """The part of a store that knows people. Times are those of the house's clock, not of the system's."""

    def __init__(self) -> None:
        self._clock = HouseClock()

    @abstractmethod
    async def write(self, work: Callable[[Connection], object]) -> None:
        """In one transaction; raises `Conflict` or `Unavailable`."""

    @abstractmethod
    async def read(self, work: Callable[[Connection], T]) -> T:
        """Raises `Unavailable`."""

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
        """Raises `Conflict` where another account has the name, or one that looks like it."""
        await self._update(player, _owned(name) if is_account else {"name": name})

    async def make_account(self, player: str, name: str, password_hash: str) -> None:
        """Turns a guest into an account; raises `Conflict` as above."""
        await self._update(player, {**_owned(name), "password_hash": password_hash})

    async def set_password(self, player: str, password_hash: str) -> None:
        """Gives an account a new password."""
        await self._update(player, {"password_hash": password_hash})

    async def _update(self, player: str, values: dict[str, str]) -> None:
        statement = update(players).where(players.c.id == player).values(values)
        await self.write(lambda connection: connection.execute(statement))

    async def drop_player(self, player: str) -> None:
        """With sessions, devices and what is known of their tables."""
        statement = delete(players).where(players.c.id == player)
        await self.write(lambda connection: connection.execute(statement))

    async def player(self, player: str) -> PlayerRow | None:
        rows = await self._rows(select(players).where(players.c.id == player))
        return PlayerRow(*rows[0]) if rows else None

    async def player_by_name(self, account: str) -> PlayerRow | None:
        """An account by the key of its name (`names.name_key`)."""
        if not account.isprintable():
            return None
        rows = await self._rows(select(players).where(players.c.account == account))
        return PlayerRow(*rows[0]) if rows else None

    async def owners_of(self, keys: Collection[str]) -> dict[str, str]:
        """Ids of the accounts that have these names or look like them, by both keys (`names.name_keys`)."""
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
        """None when unknown or expired."""
        rows = await self._rows(
            select(players, *_session_columns())
            .join(sessions)
            .where(sessions.c.token_hash == token_hash, sessions.c.expires > self.now)
        )
        width = len(PlayerRow._fields)
        return (PlayerRow(*rows[0][:width]), SessionRow(*rows[0][width:])) if rows else None

    async def sessions_of(self, player: str) -> list[SessionRow]:
        """Those that last, the one that was used last first."""
        rows = await self._rows(
            select(*_session_columns())
            .where(sessions.c.player_id == player, sessions.c.expires > self.now)
            .order_by(sessions.c.used.desc())
        )
        return [SessionRow(*row) for row in rows]

    async def use_session(self, token_hash: str, lifetime: float) -> None:
        """It was used now, and lasts so much longer."""
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
        """Those of them that nobody has ended."""
        known: set[str] = set()
        for some in portions(token_hashes):
            rows = await self._rows(select(sessions.c.token_hash).where(sessions.c.token_hash.in_(some)))
            known.update(row[0] for row in rows)
        return known

    async def drop_session(self, token_hash: str) -> None:
        statement = delete(sessions).where(sessions.c.token_hash == token_hash)
        await self.write(lambda connection: connection.execute(statement))

    async def drop_sessions(self, player: str, but: str) -> None:
        """All of a player but one; and devices are known no longer."""

        def work(connection: Connection) -> None:
            connection.execute(
                delete(sessions).where(sessions.c.player_id == player, sessions.c.token_hash != but)
            )
            connection.execute(delete(devices).where(devices.c.player_id == player))

        await self.write(work)

    # -- devices ---------------------------------------------------------------------------------------------

    async def know_device(self, token_hash: str, player: str) -> None:
        """Somebody has logged in from it."""
        await self.write(partial(_know_device, token_hash=token_hash, player=player, now=self.now))

    async def knows_device(self, token_hash: str, account: str) -> bool:
        """Has the owner of this account logged in from it before?"""
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
        """This player has had a seat at this table."""

        def work(connection: Connection) -> None:
            known = select(sittings.c.table_id).where(
                sittings.c.player_id == player, sittings.c.table_id == table
            )
            if connection.execute(known).first() is None:
                connection.execute(insert(sittings).values(player_id=player, table_id=table))

        await self.write(work)

    async def sittings_of(self, player: str) -> list[SittingRow]:
        """The tables that know this player, by a seat or by a tally, the latest first."""
        rows = await self._rows(
            select(tables.c.id, tables.c.created, tables.c.updated, tables.c.status)
            .join(sittings, sittings.c.table_id == tables.c.id)
            .where(sittings.c.player_id == player)
            .order_by(tables.c.created.desc())
            .limit(_MOST_TABLES)
        )
        return [SittingRow(*row) for row in rows]

    async def write_anew(self, table: str, payloads: Mapping[int, bytes]) -> None:
        """Entries of a table's log, by number, without the name of somebody who wants to be forgotten."""

        def work(connection: Connection) -> None:
            for seq, payload in payloads.items():
                changed = update(log).where(log.c.table_id == table, log.c.seq == seq)
                connection.execute(changed.values(payload=payload))

        await self.write(work)

    # -- the clock -------------------------------------------------------------------------------------------

    def _start_clock(self, connection: Connection) -> None:
        """Goes on from the last note, and forgets sessions whose time is over."""
        noted = connection.execute(select(clock.c.now, clock.c.wall)).first()
        if noted is not None:
            self._clock.go_on(*noted)
        else:
            # Sessions of older versions went by the system's clock: when the last began, it was that late.
            latest = connection.execute(select(func.max(sessions.c.created))).scalar()
            if latest is not None:
                self._clock.go_on(latest, latest)
            connection.execute(insert(clock).values(id=1, now=self.now, wall=time.time()))
        self._note_time(connection)
        connection.execute(delete(sessions).where(sessions.c.expires <= self.now))

    def _note_time(self, connection: Connection) -> None:
        now = self.now
        connection.execute(update(clock).where(clock.c.now < now).values(now=now, wall=time.time()))


def _session_columns() -> list[Any]:
    return [sessions.c[name] for name in SessionRow._fields]


def _owned(name: str) -> dict[str, str]:
    """What an account of this name has to itself."""
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
