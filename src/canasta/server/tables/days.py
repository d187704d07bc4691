"""The deal of the day on a server: seeds chosen days ahead, first tries, and results of computer players.

Only one first try per address is ranked, so that nobody peeks at the cards as one guest and plays as another.
Since a family shares an address, accounts created before the day are ranked as well, up to the size of a
household. Everyone else at the address can play unranked.
"""

import asyncio
import contextlib
from collections.abc import Callable
from datetime import date, timedelta
from typing import Final

import structlog

from canasta.server.accounts.accounts import GUEST, Player
from canasta.server.settings import Settings
from canasta.server.store import ConflictError, DatabaseError
from canasta.server.store.database import AddressHash, AddressHashStore
from canasta.server.store.days import DayRow, TryRow
from canasta.server.store.store import Store
from canasta.server.tables.live_table import LiveTable
from canasta.server.tables.registry import TableRegistry
from canasta.table import day as deals
from canasta.table.errors import input_error
from canasta.table.names import name_keys
from canasta.table.rematch import new_table_name
from canasta.table.seats import Person
from canasta.table.seed_rounds import new_seed

_logger = structlog.get_logger()

AHEAD: Final = 7
"""Number of days for which seeds are committed to in advance."""
SHOWN: Final = 60
"""Number of past days in the archive."""
_ROUND: Final = 3600.0
"""Seconds between checks that the coming days have seeds."""
_TRIES: Final = 5
HOUSEHOLD: Final = 6
"""Maximum ranked tries per address if all but one are from accounts created before the day."""
SITE_SHARE: Final = 4
"""Limit on ranked tries for an IPv6 /48, as a multiple of the limit for one /64 in it."""
_BUDGET: Final = 0.3
"""Search time in seconds per turn when a searching bot plays a deal for comparison."""


class Days:
    def __init__(self, store: Store, registry: TableRegistry, settings: Settings) -> None:
        self._store = store
        self._places = AddressHashStore(store)
        self._registry = registry
        self._games = settings.day_games
        self.now = settings.wall_clock
        self._looking: asyncio.Task[None] | None = None
        self._comparing: asyncio.Task[None] | None = None
        self._wanted: list[DayRow] = []
        """Days that the bots have yet to play."""

    async def open(self) -> None:
        self._looking = asyncio.create_task(self._look_ahead())

    async def close(self) -> None:
        tasks = [task for task in (self._looking, self._comparing) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # -- the days --------------------------------------------------------------------------------------------

    @property
    def today(self) -> date:
        return deals.day_of(self.now())

    def is_revealed(self, day: date) -> bool:
        """Return whether the cards of this day are public."""
        return self.now() >= deals.revealed_at(day)

    async def _look_ahead(self) -> None:
        while True:
            with contextlib.suppress(DatabaseError):  # a request for a day reports the error
                await self.commit()
            await asyncio.sleep(_ROUND)

    async def commit(self) -> list[DayRow]:
        """Return today and the coming days, after choosing seeds for days that have none. All processes get
        the same seeds."""
        today = self.today
        dates = [today + timedelta(days=count) for count in range(AHEAD + 1)]
        for _ in range(_TRIES):
            known = await self._store.days(today.isoformat(), dates[-1].isoformat())
            there = {row.date for row in known}
            missing = [day for day in dates if day.isoformat() not in there]
            if not missing:
                return known
            new = [
                DayRow(day.isoformat(), new_seed(), deals.game_of(day, self._games), self.now(), None)
                for day in missing
            ]
            with contextlib.suppress(ConflictError):  # another process was first, and its seeds are used
                await self._store.add_days(new)
        raise DatabaseError("The seeds of the coming days cannot be written.")

    async def archive(self) -> list[DayRow]:
        """Return the listed past days, then today and the coming days."""
        coming = await self.commit()
        first = self.today - timedelta(days=SHOWN)
        return [*await self._store.days(first.isoformat(), _before(self.today)), *coming]

    async def dates(self) -> list[date]:
        """Return the dates of all deals up to and including today."""
        return [date.fromisoformat(day) for day in await self._store.day_dates(self.today.isoformat())]

    async def find(self, day: date) -> DayRow | None:
        """Return a day; `None` for future days and days on which the server wasn't running."""
        if day > self.today:
            return None
        if day == self.today:
            return (await self.commit())[0]
        rows = await self._store.days(day.isoformat(), day.isoformat())
        return rows[0] if rows else None

    # -- playing ---------------------------------------------------------------------------------------------

    async def try_of(self, day: date, player: str) -> TryRow | None:
        """Return a player's first try. If its result couldn't be stored when the hand ended, store it now."""
        tried = await self._store.try_of(day.isoformat(), player)
        if tried is None or tried.points is not None:
            return tried
        live = await self._registry.find(tried.table)
        points = None if live is None else deals.points_of(live.table)
        if points is None:
            return tried
        await self._store.end_try(tried.date, player, tried.table, points, self.now())
        return await self._store.try_of(tried.date, player)

    async def would_count(self, player: str, address: str, day: date) -> bool:
        """Return whether a first try that this player starts now from this address would be ranked."""
        return await self._may_count(player, await self._places.on_day(address, day), day)

    async def _may_count(self, player: str, place: AddressHash, day: date) -> bool:
        here, nearby = await self._store.ranked_tries(day.isoformat(), player, place.network, place.site)
        most, most_nearby = await self._limits(player, day)
        return here < most and nearby < most_nearby

    async def _limits(self, player: str, day: date) -> tuple[int, int]:
        """Return the maximum number of ranked tries at the player's address and at its IPv6 /48, including
        their own."""
        most = HOUSEHOLD if await self._store.is_known_before(player, deals.start_of(day)) else 1
        return most, SITE_SHARE * most

    async def play(self, player: Player, row: DayRow, address: str, may_open: Callable[[], None]) -> str:
        """Return the name of the table at which a player plays the deal of a day.

        This is the table of the first try, or a new one if that try is over or the cards are public.
        `may_open` is called before a table is opened, and may raise. Raise `InputError` if the day is over
        but its cards aren't revealed yet.
        """
        day = date.fromisoformat(row.date)
        tried = await self.try_of(day, player.id)
        if tried is not None and tried.points is None and not self.is_revealed(day):
            return tried.table
        is_first = tried is None and day == self.today
        if not is_first and tried is None and not self.is_revealed(day):
            raise input_error("DAY_CLOSED")
        may_open()
        self._compare(row)
        if not is_first:
            return (await self._open(player, row, None, counts=False)).table.name
        place = await self._places.on_day(address, day)
        for _ in range(_TRIES):
            counts = await self._may_count(player.id, place, day)
            with contextlib.suppress(ConflictError):
                return (await self._open(player, row, place, counts=counts)).table.name
            # A concurrent request of this player, or of another player at this address, came first.
            tried = await self._store.try_of(row.date, player.id)
            if tried is not None:
                return tried.table
        raise DatabaseError("The table could not be opened.")

    async def _open(
        self, player: Player, row: DayRow, place: AddressHash | None, *, counts: bool
    ) -> LiveTable:
        """Open a table. `place` has the hashes of the player's address; `None` if this isn't a first try."""
        day = date.fromisoformat(row.date)
        table = deals.day_table(
            new_table_name(), day, row.game, seed=row.seed, made=self.now(), counts=counts
        )
        owners = {} if player.account else await self._store.owners_of(name_keys(player.name))
        who = Person(player.id, GUEST if owners else player.name, account=player.account)
        begins = deals.start(table, who)
        first = None
        if place is not None:
            first = TryRow(
                row.date,
                player.id,
                table.name,
                self.now(),
                counts=counts,
                place=place.network,
                site=place.site,
            )
        limits = await self._limits(player.id, day)
        return await self._registry.open_day_table(table, begins, first, limits)

    # -- computer players ------------------------------------------------------------------------------------

    def _compare(self, row: DayRow) -> None:
        """Let the bots play this deal in the background, one after the other."""
        if row.computers is not None or any(row.date == other.date for other in self._wanted):
            return
        self._wanted.append(row)
        if self._comparing is None or self._comparing.done():
            self._comparing = asyncio.create_task(self._play_all())

    async def _play_all(self) -> None:
        while self._wanted:
            row = self._wanted[0]
            try:
                points = await self._computers(row)
                if points is not None:
                    await self._store.keep_computers(row.date, points)
            except (ConflictError, DatabaseError) as problem:
                _logger.error("not_stored", day=row.date, problem=str(problem))
            except Exception:  # an error on one day must not stop the others
                _logger.exception("day_not_compared", day=row.date)
            finally:
                self._wanted.remove(row)

    async def _computers(self, row: DayRow) -> dict[str, int] | None:
        """Return each bot's result from the player's seat.

        Return `None` if a bot didn't answer in time; the next request tries again.
        """
        results: dict[str, int] = {}
        for level in deals.COMPARED:
            table = deals.comparison_table(date.fromisoformat(row.date), row.game, seed=row.seed, level=level)
            if not await self._registry.played_out(table, _BUDGET):
                _logger.warning("day_not_compared", day=row.date, level=level)
                return None
            points = deals.points_of(table)
            assert points is not None, "played to its end"
            results[level] = points
        return results

    def computers(self, row: DayRow) -> dict[str, int]:
        """Return the bots' results by level; empty while they are still playing."""
        self._compare(row)
        return row.computers or {}


def _before(day: date) -> str:
    return (day - timedelta(days=1)).isoformat()
