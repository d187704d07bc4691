"""Players in the database: their sessions, devices, push subscriptions, tables and completed items."""

import contextlib
import time
from collections.abc import Collection, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, and_, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from canasta.server.store.backends import portions
from canasta.server.store.database import Database, columns_of
from canasta.server.store.schema import (
    day_tries,
    deletions,
    devices,
    players,
    progress,
    pushes,
    sessions,
    sittings,
    tables,
)
from canasta.table.names import name_key, name_look

MOST_PUSHES: Final = 5
"""Maximum number of push subscriptions per player; the oldest is dropped first."""
MOST_DONE: Final = 500
"""Maximum number of completed items stored per player; fewer exist."""
_MOST_DEVICES: Final = 20
"""Maximum number of known devices per account; the least recently used one is dropped first."""
_MOST_TABLES: Final = 10_000


class PlayerRow(NamedTuple):
    id: str
    name: str
    account: str | None
    """Key of an account's name; `None` for a guest."""
    password_hash: str | None
    created: float
    look: str | None = None
    """Look-alike key of an account's name; `None` for a guest."""


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


class Subscription(NamedTuple):
    """A browser's push subscription."""

    endpoint: str
    """URL at the browser's push service."""
    p256dh: str
    """The browser's public key, in base64url."""
    auth: str
    """Secret shared by the browser and this server, in base64url."""
    language: str


_PLAYER: Final = columns_of(PlayerRow._fields, players)
_SESSION: Final = columns_of(SessionRow._fields, sessions)
_SUBSCRIPTION: Final = columns_of(Subscription._fields, pushes)


class PlayersStore(Database):
    """The part of the store for players. Times are those of `SessionClock`, not of the system clock."""

    # -- players ---------------------------------------------------------------------------------------------

    async def add_player(
        self, player: str, name: str, account: str | None = None, password_hash: str | None = None
    ) -> None:
        look = None if account is None else name_look(name)
        row = PlayerRow(player, name, account, password_hash, self.now, look)._asdict()
        await self._execute(insert(players), row)

    async def rename(self, player: str, name: str, *, is_account: bool) -> None:
        """Rename a player; raise `ConflictError` if another account has the name or a look-alike."""
        await self._update(player, _owned(name) if is_account else {"name": name})

    async def make_account(self, player: str, name: str, password_hash: str) -> None:
        """Turn a guest into an account; raise `ConflictError` if another account has the name or a
        look-alike."""
        await self._update(player, {**_owned(name), "password_hash": password_hash})

    async def set_password(self, player: str, password_hash: str) -> None:
        """Set a new password hash for an account."""
        await self._update(player, {"password_hash": password_hash})

    async def _update(self, player: str, values: dict[str, str]) -> None:
        await self._execute(update(players).where(players.c.id == player).values(values))

    async def drop_player(self, player: str) -> None:
        """Delete a player with their sessions, devices and list of tables."""
        await self._execute(delete(players).where(players.c.id == player))

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

    async def drop_sitting(self, player: str, table: str) -> None:
        """Delete the record that this player sat at this table."""
        await self._execute(
            delete(sittings).where(sittings.c.player_id == player, sittings.c.table_id == table)
        )

    async def player(self, player: str) -> PlayerRow | None:
        rows = await self._rows(select(*_PLAYER).where(players.c.id == player))
        return PlayerRow._make(rows[0]) if rows else None

    async def player_by_name(self, account: str) -> PlayerRow | None:
        """Return an account by the key of its name (`name_looks.name_key`)."""
        if not account.isprintable():
            return None
        rows = await self._rows(select(*_PLAYER).where(players.c.account == account))
        return PlayerRow._make(rows[0]) if rows else None

    async def owners_of(self, keys: Collection[str]) -> dict[str, str]:
        """Return the accounts that own these names or look-alikes, by both keys (`name_looks.name_keys`)."""
        printable = [key for key in keys if key.isprintable()]
        rows = await self._rows(
            select(players.c.account, players.c.look, players.c.id).where(
                players.c.account.in_(printable) | players.c.look.in_(printable)
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
        await self._execute(insert(sessions), row)

    async def session(self, token_hash: str) -> tuple[PlayerRow, SessionRow] | None:
        """Return a session and its player; `None` if unknown or expired."""
        rows = await self._rows(
            select(*_PLAYER, *_SESSION)
            .join(sessions)
            .where(sessions.c.token_hash == token_hash, sessions.c.expires > self.now)
        )
        width = len(_PLAYER)
        return (PlayerRow._make(rows[0][:width]), SessionRow._make(rows[0][width:])) if rows else None

    async def sessions_of(self, player: str) -> list[SessionRow]:
        """Return a player's valid sessions, most recently used first."""
        rows = await self._rows(
            select(*_SESSION)
            .where(sessions.c.player_id == player, sessions.c.expires > self.now)
            .order_by(sessions.c.used.desc())
        )
        return list(map(SessionRow._make, rows))

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
        await self._execute(delete(sessions).where(sessions.c.token_hash == token_hash))

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
        """Return the tables that name this player, in a seat or in the session's results, latest first."""
        rows = await self._rows(
            select(*columns_of(SittingRow._fields, tables, table=tables.c.id, opened=tables.c.created))
            .join(sittings, sittings.c.table_id == tables.c.id)
            .where(sittings.c.player_id == player)
            .order_by(tables.c.created.desc())
            .limit(most)
        )
        return list(map(SittingRow._make, rows))

    # -- push subscriptions ------------------------------------------------------------------------------

    async def keep_push(self, player: str, session: str, subscription: Subscription) -> None:
        """Save a subscription, and delete the ones it replaces. Raise `ConflictError` if the session has just
        ended.

        It replaces the earlier subscriptions of this session and of this browser, even another player's. Only
        the browser's `auth` secret proves that it is the same browser, not the endpoint's URL. So somebody
        who knows the URL can't remove the owner's subscription, block it by subscribing first, or find out
        that it exists.
        """
        row = {**subscription._asdict(), "session": session, "made": self.now}
        endpoint, auth = subscription.endpoint, subscription.auth
        mine = select(sessions.c.token_hash).where(sessions.c.player_id == player)
        known = or_(
            pushes.c.session == session,
            and_(pushes.c.endpoint == endpoint, or_(pushes.c.auth == auth, pushes.c.session.in_(mine))),
        )

        def work(connection: Connection) -> None:
            connection.execute(delete(pushes).where(known))
            connection.execute(insert(pushes), row)
            newest = _pushes_of(player, pushes.c.session).order_by(pushes.c.made.desc())
            too_many = connection.execute(newest).scalars().all()[MOST_PUSHES:]
            connection.execute(delete(pushes).where(pushes.c.session.in_(too_many)))

        await self.write(work)

    async def drop_push(self, session: str) -> None:
        await self._execute(delete(pushes).where(pushes.c.session == session))

    async def drop_endpoint(self, endpoint: str) -> None:
        """Delete a subscription that its push service no longer accepts."""
        await self._execute(delete(pushes).where(pushes.c.endpoint == endpoint))

    async def pushes_of(self, player: str) -> list[Subscription]:
        return list(map(Subscription._make, await self._rows(_pushes_of(player, *_SUBSCRIPTION))))

    async def pushes_to_tell(self, player: str, turn: str) -> list[Subscription]:
        """Return the subscriptions that haven't been alerted to this turn by any process, and mark them as
        alerted."""
        subscriptions: list[Subscription] = []
        waiting = _pushes_of(player, *_SUBSCRIPTION, pushes.c.session).where(
            sessions.c.expires > self.now, pushes.c.told != turn
        )

        def work(connection: Connection) -> None:
            rows = list(connection.execute(waiting.with_for_update()))
            subscriptions[:] = [Subscription._make(row[:-1]) for row in rows]
            alerted = pushes.c.session.in_([row.session for row in rows])
            connection.execute(update(pushes).where(alerted).values(told=turn))

        await self.write(work)
        return subscriptions

    # -- completed items -------------------------------------------------------------------------------------

    async def note_done(self, player: str, thing: str) -> None:
        """Record an item as completed; the first time counts."""
        own = progress.c.player_id == player

        def work(connection: Connection) -> None:
            known = connection.execute(select(progress.c.thing).where(own, progress.c.thing == thing)).first()
            there = connection.execute(select(players.c.id).where(players.c.id == player)).first()
            count = connection.execute(select(func.count()).select_from(progress).where(own)).scalar_one()
            if known is None and there is not None and count < MOST_DONE:
                row = {"player_id": player, "thing": thing, "done": time.time()}
                # Another process may have recorded the same at this moment.
                with contextlib.suppress(IntegrityError), connection.begin_nested():
                    connection.execute(insert(progress), row)

        await self.write(work)

    async def things_done(self, player: str) -> dict[str, float]:
        """Return completed items with their times, oldest first."""
        rows = await self._rows(
            select(progress.c.thing, progress.c.done)
            .where(progress.c.player_id == player)
            .order_by(progress.c.done, progress.c.thing)
        )
        return dict(map(tuple, rows))


def _owned(name: str) -> dict[str, str]:
    """Return the values of the name columns for an account with this name."""
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


def _pushes_of(player: str, *columns: ColumnElement[Any]) -> Select[Any]:
    return select(*columns).join_from(pushes, sessions).where(sessions.c.player_id == player)
