"""Deletion of players in the background: their names disappear from all tables.

A player who deletes their account is signed out at once. Their tables follow one by one, with pauses, so that
even thousands of them delay nobody. Progress is recorded table by table, so a restarted server continues.
"""

import asyncio
import contextlib
from typing import Final

import structlog

from canasta.server.store import DatabaseError
from canasta.server.store.store import Store
from canasta.server.tables.registry import House

_logger = structlog.get_logger()

BATCH: Final = 20
"""Number of tables or listed games to read at a time."""
_CHECK_EVERY: Final = 600.0
"""Seconds between checks for deletions that another process left unfinished."""
_RETRY_AFTER: Final = 5.0
"""Seconds to wait while the database is unavailable."""


class Deletions:
    """The background task that completes deletions."""

    def __init__(self, store: Store, house: House) -> None:
        self._store = store
        self._house = house
        self._asked = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._idle = asyncio.Event()
        self._failed: set[tuple[str, str]] = set()
        """Pairs of player and table that failed; the next start retries them."""

    async def open(self) -> None:
        self._asked.set()
        self._task = asyncio.create_task(self._work())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def wake(self) -> None:
        """Process a new deletion now."""
        self._idle.clear()
        self._asked.set()

    async def finished(self) -> None:
        """Wait until nothing is left to delete."""
        await self._idle.wait()

    async def _work(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._asked.wait(), _CHECK_EVERY)
            self._asked.clear()
            try:
                for player in await self._store.started_deletions():
                    await self._delete(player)
            except DatabaseError as problem:
                _logger.warning("deletion_interrupted", problem=str(problem))
                await asyncio.sleep(_RETRY_AFTER)
                self._asked.set()
            except Exception:  # one failure must not stop the other deletions
                _logger.exception("deletion_interrupted")
            if not self._asked.is_set():
                self._idle.set()

    async def _delete(self, player: str) -> None:
        is_done = True
        while sittings := await self._store.sittings_of(player, BATCH + len(self._failed)):
            left = [each for each in sittings if (player, each.table) not in self._failed]
            if not left:
                is_done = False
                break
            for sitting in left[:BATCH]:
                await self._leave(player, sitting.table, is_over=sitting.status == "over")
        has_more = True
        while has_more:
            has_more = await self._store.drop_some_games(player, BATCH)
        if is_done:
            await self._store.drop_player(player)
            _logger.info("player_deleted")

    async def _leave(self, player: str, table: str, *, is_over: bool) -> None:
        loop = asyncio.get_running_loop()
        started = loop.time()
        try:
            await self._house.forget(player, table, is_over=is_over)
            await self._store.drop_sitting(player, table)
        except DatabaseError:
            raise
        except Exception:  # one table must not block the others
            _logger.exception("table_not_cleared", table=table)
            self._failed.add((player, table))
        # Pause for as long as that took, to leave the CPU and database to others.
        await asyncio.sleep(loop.time() - started)
