"""Deals of the day in the database: seeds and players' results."""

from collections.abc import Sequence
from datetime import date
from typing import Final, NamedTuple

import msgspec
from sqlalchemy import Connection, false, func, insert, select, update

from canasta.server.store.database import columns_of
from canasta.server.store.players import PlayersStore
from canasta.server.store.schema import day_tries, days, players
from canasta.table.day import DayGame, revealed_at

MOST_RESULTS = 20_000
"""Maximum number of results per day to compare."""


class DayRow(NamedTuple):
    date: str
    seed: str
    game: DayGame
    made: float
    """Unix time at which the commitment was published."""
    computers: dict[str, int] | None
    """The bots' results by level; `None` until known."""


class TryRow(NamedTuple):
    """A player's first try of a day."""

    date: str
    player: str
    table: str
    began: float
    points: int | None = None
    """`None` while the hand is in play."""
    ended: float | None = None
    counted: bool = False
    """True if the hand was over in time and the result is ranked."""
    counts: bool = True
    """True if the result will be ranked if the hand is over in time."""
    place: str = ""
    """Keyed hash of the address it was started from (`database.AddressHash.network`)."""
    site: str = ""

    @property
    def was_in_time(self) -> bool:
        return self.ended is not None and self.ended < revealed_at(date.fromisoformat(self.date))


class ResultRow(NamedTuple):
    date: str
    player: str
    name: str
    is_account: bool
    points: int


_TRY: Final = columns_of(TryRow._fields, day_tries, player=day_tries.c.player_id, table=day_tries.c.table_id)
_RESULT: Final = columns_of(
    ResultRow._fields,
    day_tries,
    player=day_tries.c.player_id,
    name=players.c.name,
    is_account=players.c.account.is_not(None),
)


class DaysStore(PlayersStore):
    """The part of the store for deals of the day.

    It returns secret seeds: callers must not reveal the seed of a day that isn't over.
    """

    async def days(self, first: str, last: str) -> list[DayRow]:
        """Return the days from `first` to `last`, both inclusive, in order."""
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
        """Return the dates of all days up to and including `last`, in order."""
        statement = select(days.c.date).where(days.c.date <= last).order_by(days.c.date)
        return [row.date for row in await self._rows(statement)]

    async def add_days(self, new: Sequence[DayRow]) -> None:
        """Add all days, or raise `ConflictError` if another process was first."""
        rows = [
            {"date": row.date, "seed": row.seed, "game": msgspec.json.encode(row.game), "made": row.made}
            for row in new
        ]
        await self._execute(insert(days), rows)

    async def keep_computers(self, date: str, points: dict[str, int]) -> None:
        """Store the bots' results of a day; existing ones are kept."""
        known = update(days).where(days.c.date == date, days.c.computers.is_(None))
        changed = known.values(computers=msgspec.json.encode(points))
        await self._execute(changed)

    async def is_known_before(self, player: str, moment: float) -> bool:
        """Return whether this is an account whose player, perhaps still as a guest, was created before this
        moment."""
        row = await self.player(player)
        return row is not None and row.account is not None and row.created < moment

    async def ranked_tries(self, date: str, player: str, place: str, site: str) -> tuple[int, int]:
        """Run the function `ranked_tries` in a read of its own."""
        return await self.read(lambda connection: ranked_tries(connection, date, player, place, site))

    async def try_of(self, date: str, player: str) -> TryRow | None:
        mine = (day_tries.c.date == date, day_tries.c.player_id == player)
        rows = await self._rows(select(*_TRY).where(*mine))
        return TryRow._make(rows[0]) if rows else None

    async def tries_of(self, player: str) -> list[TryRow]:
        """Return a player's first tries, latest first."""
        mine = select(*_TRY).where(day_tries.c.player_id == player).order_by(day_tries.c.date.desc())
        return list(map(TryRow._make, await self._rows(mine)))

    async def end_try(self, when: str, player: str, table: str, points: int, ended: float) -> None:
        """Record the result of a first try at this table; it is ranked if it was in time.

        An existing result is kept.
        """
        mine = (
            day_tries.c.date == when,
            day_tries.c.player_id == player,
            day_tries.c.table_id == table,
            day_tries.c.points.is_(None),
        )
        in_time = ended < revealed_at(date.fromisoformat(when))
        counted = day_tries.c.counts if in_time else false()
        changed = update(day_tries).where(*mine).values(points=points, ended=ended, counted=counted)
        await self._execute(changed)

    async def results(self, date: str) -> list[ResultRow]:
        """Return the ranked results of a day, highest first."""
        statement = (
            select(*_RESULT)
            .join(players, players.c.id == day_tries.c.player_id)
            .where(day_tries.c.date == date, day_tries.c.counted)
            .order_by(day_tries.c.points.desc(), day_tries.c.ended)
            .limit(MOST_RESULTS)
        )
        return list(map(ResultRow._make, await self._rows(statement)))

    async def result_numbers(self, first: str, last: str) -> dict[str, int]:
        """Return the number of ranked results by day."""
        statement = (
            select(day_tries.c.date, func.count())
            .where(day_tries.c.date.between(first, last), day_tries.c.counted)
            .group_by(day_tries.c.date)
        )
        return {date: int(count) for date, count in await self._rows(statement)}


def ranked_tries(connection: Connection, date: str, player: str, place: str, site: str) -> tuple[int, int]:
    """Return how many ranked tries other players made from this network address, and from its whole network
    (both hashed)."""
    others = select(func.count()).where(
        day_tries.c.date == date, day_tries.c.player_id != player, day_tries.c.counts
    )
    here = connection.execute(others.where(day_tries.c.place == place)).scalar_one()
    nearby = connection.execute(others.where(day_tries.c.site == site)).scalar_one() if site else 0
    return int(here), int(nearby)
