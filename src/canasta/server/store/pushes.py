"""Push subscriptions in the database.

A subscription belongs to a session: each browser has one, and it ends with the session, the account or the
player.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Select, and_, delete, insert, or_, select, update

from canasta.server.store.games import GamesStore
from canasta.server.store.schema import pushes, sessions

MOST_PUSHES: Final = 5
"""Maximum number of subscriptions per player; the oldest is dropped first."""


class Subscription(NamedTuple):
    """A browser's push subscription."""

    endpoint: str
    """URL at the browser's push service."""
    p256dh: str
    """The browser's public key, in base64url."""
    auth: str
    """Secret shared by the browser and this server, in base64url."""
    language: str


class PushStore(GamesStore):
    """The part of the store for push subscriptions."""

    async def keep_push(self, player: str, session: str, subscription: Subscription) -> None:
        """Save a subscription, replacing earlier ones of this session, this player in this browser, or
        another player in this very browser.

        Raise `Conflict` if the session has just ended.

        Only the browser's `auth` secret proves that it is the same browser, not the endpoint's URL. A
        stranger who knows the URL can't remove the owner's subscription, block it by being first, or find out
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
            newest = _of(player).order_by(pushes.c.made.desc())
            too_many = [each.session for each in connection.execute(newest)][MOST_PUSHES:]
            connection.execute(delete(pushes).where(pushes.c.session.in_(too_many)))

        await self.write(work)

    async def drop_push(self, session: str) -> None:
        statement = delete(pushes).where(pushes.c.session == session)
        await self.write(lambda connection: connection.execute(statement))

    async def drop_endpoint(self, endpoint: str) -> None:
        """Delete a subscription that its push service no longer accepts."""
        statement = delete(pushes).where(pushes.c.endpoint == endpoint)
        await self.write(lambda connection: connection.execute(statement))

    async def pushes_of(self, player: str) -> list[Subscription]:
        return _subscriptions(await self._rows(_of(player)))

    async def pushes_to_tell(self, player: str, turn: str) -> list[Subscription]:
        """Return the subscriptions that haven't been alerted to this turn by any process, and mark them as
        alerted."""
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
