"""The deal of the day on a server: seeds made days ahead, one try that counts for everybody, and what the
computer players make of the same cards."""

import asyncio
import contextlib
from collections.abc import Callable
from datetime import date, timedelta
from typing import Final

import structlog

from canasta.server.people.accounts import GUEST
from canasta.server.people.sessions import Player
from canasta.server.settings import Settings
from canasta.server.store.days import DayRow, TryRow
from canasta.server.store.store import Conflict, DatabaseStore, Unavailable
from canasta.server.tables.house import House
from canasta.server.tables.live import LiveTable
from canasta.table import day as deals
from canasta.table.chairs import Person
from canasta.table.evening import new_table_name
from canasta.table.names import name_keys
from canasta.table.shuffling import new_seed

_logger = structlog.get_logger()

AHEAD: Final = 7
"""Days whose seeds are committed to beforehand."""
SHOWN: Final = 60
"""Past days that the archive lists."""
_ROUND: Final = 3600.0
"""Seconds after which it is seen to that the seeds of the coming days are there."""
_TRIES: Final = 5
_BUDGET: Final = 0.3
"""Seconds a turn for the computer player who searches, when it plays a deal to be compared with."""


class NotPlayed(Exception):
    """The deal of this day is over, and its cards are not open to all yet."""


class Days:
    def __init__(self, store: DatabaseStore, house: House, settings: Settings) -> None:
        self._store = store
        self._house = house
        self._games = settings.day_games
        self.now = settings.wall_clock
        self._looking: asyncio.Task[None] | None = None
        self._comparing: asyncio.Task[None] | None = None
        self._wanted: list[DayRow] = []
        """Days that computer players are still to play."""

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
        """Everybody may know its cards."""
        return self.now() >= deals.revealed_at(day)

    async def _look_ahead(self) -> None:
        while True:
            with contextlib.suppress(Unavailable):  # whoever asks for a day is told
                await self.commit()
            await asyncio.sleep(_ROUND)

    async def commit(self) -> list[DayRow]:
        """Today and the days to come; those that have no seed yet get one. All processes have the same."""
        today = self.today
        wanted = [today + timedelta(days=count) for count in range(AHEAD + 1)]
        for _ in range(_TRIES):
            known = await self._store.days(today.isoformat(), wanted[-1].isoformat())
            there = {row.date for row in known}
            missing = [day for day in wanted if day.isoformat() not in there]
            if not missing:
                return known
            new = [
                DayRow(day.isoformat(), new_seed(), deals.game_of(day, self._games), self.now(), None)
                for day in missing
            ]
            with contextlib.suppress(Conflict):  # another process was first, and its seeds hold
                await self._store.add_days(new)
        raise Unavailable("The seeds of the coming days cannot be written.")

    async def archive(self) -> list[DayRow]:
        """Past days, as many as are shown, then today and those to come."""
        coming = await self.commit()
        first = self.today - timedelta(days=SHOWN)
        return [*await self._store.days(first.isoformat(), _before(self.today)), *coming]

    async def dates(self) -> list[date]:
        """Of all deals that there have been, today's included."""
        return [date.fromisoformat(day) for day in await self._store.day_dates(self.today.isoformat())]

    async def find(self, day: date) -> DayRow | None:
        """None for days to come, and those on which there was no server."""
        if day > self.today:
            return None
        if day == self.today:
            return (await self.commit())[0]
        found = await self._store.days(day.isoformat(), day.isoformat())
        return found[0] if found else None

    # -- playing ---------------------------------------------------------------------------------------------

    async def try_of(self, day: date, player: str) -> TryRow | None:
        """Somebody's try; what was not noted when its hand was over is noted now."""
        tried = await self._store.try_of(day.isoformat(), player)
        if tried is None or tried.points is not None:
            return tried
        live = await self._house.find(tried.table)
        points = None if live is None else deals.points_of(live.table)
        if points is None:
            return tried
        await self._store.end_try(tried.date, player, points, self.now())
        return await self._store.try_of(tried.date, player)

    async def play(self, player: Player, row: DayRow, may_open: Callable[[], None]) -> str:
        """The table at which this person plays the deal of a day, by its name: the one try that counts, or,
        where that is over or the cards are known to all, one that does not. Raises `NotPlayed`, and what
        `may_open` raises, which is asked where a table must be opened."""
        day = date.fromisoformat(row.date)
        tried = await self.try_of(day, player.id)
        if tried is not None and tried.points is None and not self.is_revealed(day):
            return tried.table
        counts = tried is None and day == self.today
        if not counts and tried is None and not self.is_revealed(day):
            raise NotPlayed
        may_open()
        self._compare(row)
        try:
            live = await self._open(player, row, counts=counts)
        except Conflict:
            # Another page of the same person was quicker.
            tried = await self._store.try_of(row.date, player.id)
            if tried is None:
                raise Unavailable("The table could not be opened.") from None
            return tried.table
        return live.table.name

    async def _open(self, player: Player, row: DayRow, *, counts: bool) -> LiveTable:
        day = date.fromisoformat(row.date)
        table = deals.opened(new_table_name(), day, row.game, seed=row.seed, made=self.now(), counts=counts)
        owners = {} if player.account else await self._store.owners_of(name_keys(player.name))
        who = Person(player.id, GUEST if owners else player.name, account=player.account)
        begins = deals.begin(table, who)
        counted = TryRow(row.date, player.id, table.name, self.now()) if counts else None
        return await self._house.open_day_table(table, begins, counted)

    # -- computer players ------------------------------------------------------------------------------------

    def _compare(self, row: DayRow) -> None:
        """Have the computer players play this deal, in the background and one after the other."""
        if row.computers is not None or any(row.date == wanted.date for wanted in self._wanted):
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
            except (Conflict, Unavailable) as problem:
                _logger.error("not_stored", day=row.date, problem=str(problem))
            except Exception:  # whatever one day leads to, the others are still to be played
                _logger.exception("day_not_compared", day=row.date)
            finally:
                self._wanted.remove(row)

    async def _computers(self, row: DayRow) -> dict[str, int] | None:
        """What each of them makes of it from the person's seat; None where one did not answer in time: then
        it is tried again when somebody asks."""
        found: dict[str, int] = {}
        for level in deals.COMPARED:
            table = deals.to_compare(date.fromisoformat(row.date), row.game, seed=row.seed, level=level)
            if not await self._house.played_out(table, _BUDGET):
                _logger.warning("day_not_compared", day=row.date, level=level)
                return None
            points = deals.points_of(table)
            assert points is not None, "played to its end"
            found[level] = points
        return found

    def computers(self, row: DayRow) -> dict[str, int]:
        """By level; empty while they are still at it."""
        self._compare(row)
        return row.computers or {}


def _before(day: date) -> str:
    return (day - timedelta(days=1)).isoformat()
