"""Store what a table leaves behind: its players, its finished games, and the result of a deal of the day.

A failure is logged and changes nothing at the table.
"""

import asyncio
import contextlib
from collections.abc import Sequence

import structlog

from canasta.server.store import ConflictError, DatabaseError
from canasta.server.store.store import Store
from canasta.table.day import SEAT, points_of
from canasta.table.game_summary import level_of, played_game
from canasta.table.log import Entry, Joins, Seated
from canasta.table.table import Table

_logger = structlog.get_logger()


async def note_new_players(store: Store, table: Table, entries: Sequence[Entry]) -> None:
    """Record new players of the table, for lists of their tables and for deletion."""
    for entry in entries:
        if isinstance(entry, (Joins, Seated)) and not table.created.practice:
            with contextlib.suppress(ConflictError, DatabaseError):
                await store.note_sitting(entry.player, table.name)


async def keep_day_result(store: Store, table: Table, when: float) -> None:
    """Record the result of a first try. Deals of the day don't appear in lists of games."""
    points, chair = points_of(table), table.chairs[SEAT]
    if points is None or not chair.player:
        return
    try:
        await store.end_try(table.created.day, chair.player, table.name, points, when)
    except (ConflictError, DatabaseError) as problem:
        # The page of the day reads the result from the table if none is stored.
        _logger.error("not_stored", table=table.name, problem=str(problem))


async def keep_games(store: Store, table: Table) -> None:
    """Add the game to the players' lists, in the background because it takes a moment."""
    chairs, record = table.chairs, table.written()
    seats = await asyncio.to_thread(lambda: played_game(record.text(), lambda: False))
    if seats is None:
        return
    people = [chair.player for chair in chairs]
    for game in seats:
        game.people, game.level = people, level_of(chairs, game.seat)
    try:
        await store.keep_games(
            table.name, {game.people[game.seat]: game for game in seats if people[game.seat]}
        )
    except (ConflictError, DatabaseError) as problem:
        _logger.error("not_stored", table=table.name, problem=str(problem))
