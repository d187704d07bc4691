"""Deals of the day in the database: their seeds, made days ahead, and what people have made of them."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

import msgspec
from sqlalchemy import func, insert, select, update

from canasta.server.store.people import PeopleStore
from canasta.server.store.schema import day_tries, days, players
from canasta.table.day import DayGame, revealed_at

MOST_RESULTS = 20_000
"""Of one day that are compared."""


class DayRow(NamedTuple):
    date: str
    seed: str
    game: DayGame
    made: float
    """When it was committed to, in seconds since 1970."""
    computers: dict[str, int] | None
    """What computer players have made of it, by level; None while that is not known."""


class TryRow(NamedTuple):
    """Somebody's one try that counts."""

    date: str
    player: str
    table: str
    began: float
    points: int | None = None
    """None while the hand is played."""
    ended: float | None = None
    counted: bool = False
    """It was over in time."""


class ResultRow(NamedTuple):
    date: str
    player: str
    name: str
    is_account: bool
    points: int


class DaysStore(PeopleStore):
    """The part of a store that knows the deals of the day. It tells seeds: nobody may be shown those
    of days that are not over."""

    async def days(self, first: str, last: str) -> list[DayRow]:
        """From one day to another, both included, in order."""
        rows = await self._rows(select(days).where(days.c.date.between(first, last)).order_by(days.c.date))
        return [
            DayRow(
                row.date,
                row.seed,
                msgspec.json.decode(row.game, type=DayGame),
                row.made,
                None if row.computers is None else msgspec.json.decode(row.computers, type=dict[str, int]),
            )
            for row in rows
        ]

    async def day_dates(self, last: str) -> list[str]:
        """Of all days until this one, in order."""
        found = select(days.c.date).where(days.c.date <= last).order_by(days.c.date)
        return [row.date for row in await self._rows(found)]

    async def add_days(self, new: Sequence[DayRow]) -> None:
        """All of them, or `Conflict` where another process was first."""
        rows = [
            {"date": row.date, "seed": row.seed, "game": msgspec.json.encode(row.game), "made": row.made}
            for row in new
        ]
        await self.write(lambda connection: connection.execute(insert(days), rows))

    async def keep_computers(self, date: str, points: dict[str, int]) -> None:
        """What computer players have made of a day; what is known stays."""
        known = update(days).where(days.c.date == date, days.c.computers.is_(None))
        changed = known.values(computers=msgspec.json.encode(points))
        await self.write(lambda connection: connection.execute(changed))

    async def try_of(self, date: str, player: str) -> TryRow | None:
        mine = (day_tries.c.date == date, day_tries.c.player_id == player)
        rows = await self._rows(select(day_tries).where(*mine))
        return TryRow(*rows[0]) if rows else None

    async def tries_of(self, player: str) -> list[TryRow]:
        """All of one person's, the latest first."""
        mine = select(day_tries).where(day_tries.c.player_id == player).order_by(day_tries.c.date.desc())
        return [TryRow(*row) for row in await self._rows(mine)]

    async def end_try(self, when: str, player: str, points: int, ended: float) -> None:
        """The hand is over, and counts if that was in time; what was told before stays."""
        mine = (day_tries.c.date == when, day_tries.c.player_id == player, day_tries.c.points.is_(None))
        counted = ended < revealed_at(date.fromisoformat(when))
        changed = update(day_tries).where(*mine).values(points=points, ended=ended, counted=counted)
        await self.write(lambda connection: connection.execute(changed))

    async def results(self, date: str) -> list[ResultRow]:
        """Those of a day that count, the most points first."""
        found = (
            select(
                day_tries.c.date,
                day_tries.c.player_id,
                players.c.name,
                players.c.account.is_not(None),
                day_tries.c.points,
            )
            .join(players, players.c.id == day_tries.c.player_id)
            .where(day_tries.c.date == date, day_tries.c.counted)
            .order_by(day_tries.c.points.desc(), day_tries.c.ended)
            .limit(MOST_RESULTS)
        )
        return [ResultRow(*row) for row in await self._rows(found)]

    async def result_numbers(self, first: str, last: str) -> dict[str, int]:
        """How many there are of each day."""
        found = (
            select(day_tries.c.date, func.count())
            .where(day_tries.c.date.between(first, last), day_tries.c.counted)
            .group_by(day_tries.c.date)
        )
        return {date: int(count) for date, count in await self._rows(found)}
