"""Where notices go for people whose page is closed, in the database. A subscription belongs to a session: one
browser has one, and it ends with the session, the account or the player."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Select, delete, insert, or_, select, update

from canasta.server.store.games import GamesStore
from canasta.server.store.schema import pushes, sessions

MOST_PUSHES: Final = 5
"""Subscriptions of one person; the one that was made longest ago is forgotten first."""


class Subscription(NamedTuple):
    """What a browser gives whoever may send notices to it."""

    endpoint: str
    """An address of the browser's push service."""
    p256dh: str
    """The browser's public key, in base64url."""
    auth: str
    """A secret between the browser and us, in base64url."""
    language: str


class PushStore(GamesStore):
    """The part of a store that knows how closed pages are reached."""

    async def keep_push(self, player: str, session: str, subscription: Subscription) -> None:
        """In the place of what this session, or this browser, had before; raises `Conflict` where the session
        has just ended."""
        row = {**subscription._asdict(), "session": session, "made": self.now}

        def work(connection: Connection) -> None:
            known = or_(pushes.c.session == session, pushes.c.endpoint == subscription.endpoint)
            connection.execute(delete(pushes).where(known))
            connection.execute(insert(pushes), row)
            newest = _of(player).order_by(pushes.c.made.desc())
            too_many = [each.session for each in connection.execute(newest)][MOST_PUSHES:]
            connection.execute(delete(pushes).where(pushes.c.session.in_(too_many)))

        await self.write(work)

    async def drop_push(self, session: str) -> None:
        statement = delete(pushes).where(pushes.c.session == session)
        await self.write(lambda connection: connection.execute(statement))

    async def drop_endpoint(self, endpoint: str) -> None:
        """Its push service does not know it any more."""
        statement = delete(pushes).where(pushes.c.endpoint == endpoint)
        await self.write(lambda connection: connection.execute(statement))

    async def pushes_of(self, player: str) -> list[Subscription]:
        return _subscriptions(await self._rows(_of(player)))

    async def pushes_to_tell(self, player: str, turn: str) -> list[Subscription]:
        """Those to which nobody, in whatever process, has told of this turn; now somebody does."""
        found: list[Subscription] = []
        wanted = _of(player).where(sessions.c.expires > self.now, pushes.c.told != turn).with_for_update()

        def work(connection: Connection) -> None:
            rows = list(connection.execute(wanted))
            found[:] = _subscriptions(rows)
            ids = [row.session for row in rows]
            connection.execute(update(pushes).where(pushes.c.session.in_(ids)).values(told=turn))

        await self.write(work)
        return found


def _of(player: str) -> Select[tuple[str, str, str, str, str]]:
    columns = pushes.c
    return (
        select(columns.session, columns.endpoint, columns.p256dh, columns.auth, columns.language)
        .join(sessions)
        .where(sessions.c.player_id == player)
    )


def _subscriptions(rows: Sequence[Any]) -> list[Subscription]:
    return [Subscription(*row[1:]) for row in rows]
