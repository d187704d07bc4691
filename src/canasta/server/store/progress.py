"""Players' progress in the database: completed items, with times."""

import contextlib
import time
from typing import Final

from sqlalchemy import Connection, func, insert, select
from sqlalchemy.exc import IntegrityError

from canasta.server.store.pushes import PushStore
from canasta.server.store.schema import players, progress

MOST_DONE: Final = 500
"""Maximum number of items stored per player; fewer exist."""


class ProgressStore(PushStore):
    """The part of the store for completed items such as `lesson:frozen`."""

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
