"""How far people have come, in the database: what they have done, and when."""

import contextlib
import time
from typing import Final

from sqlalchemy import Connection, func, insert, select
from sqlalchemy.exc import IntegrityError

from canasta.server.store.pushes import PushStore
from canasta.server.store.schema import players, progress

MOST_DONE: Final = 500
"""Things that are kept of one person; there are fewer to do."""


class ProgressStore(PushStore):
    """The part of a store that knows what people have done: `lesson:frozen`."""

    async def note_done(self, player: str, thing: str) -> None:
        """For whoever has done it before, nothing changes."""
        own = progress.c.player_id == player

        def work(connection: Connection) -> None:
            known = connection.execute(select(progress.c.thing).where(own, progress.c.thing == thing)).first()
            there = connection.execute(select(players.c.id).where(players.c.id == player)).first()
            count = connection.execute(select(func.count()).select_from(progress).where(own)).scalar_one()
            if known is None and there is not None and count < MOST_DONE:
                row = {"player_id": player, "thing": thing, "done": time.time()}
                # Another process may have noted the same at this moment: then there is nothing to do.
                with contextlib.suppress(IntegrityError), connection.begin_nested():
                    connection.execute(insert(progress), row)

        await self.write(work)

    async def things_done(self, player: str) -> dict[str, float]:
        """With the time of each, the first first."""
        rows = await self._rows(
            select(progress.c.thing, progress.c.done)
            .where(progress.c.player_id == player)
            .order_by(progress.c.done, progress.c.thing)
        )
        return dict(map(tuple, rows))
