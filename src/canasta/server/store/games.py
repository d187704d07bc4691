"""Players' finished games in the database. Each player has their own row for a game."""

import time
from collections.abc import Mapping
from typing import NamedTuple

import msgspec
from sqlalchemy import Connection, delete, func, insert, select, update

from canasta.server.store.database import Database
from canasta.server.store.schema import games, players
from canasta.table.game_summary import PlayedGame

MOST_LISTED = 500
"""Maximum number of games in a list, latest first."""
MOST_KEPT = 50
"""Maximum number of imported records per player."""


class KeptGame(NamedTuple):
    id: str
    ended: float
    """Unix time."""
    game: PlayedGame
    is_record: bool
    """True for an imported record, whose text is stored here."""


class RecordsSize(NamedTuple):
    """The number and size of imported records."""

    number: int
    size: int
    """In bytes."""


def stored_size(game: PlayedGame, record: bytes) -> int:
    """Return the number of bytes that an imported record takes in the database."""
    return len(msgspec.json.encode(game)) + len(record)


def _records_size(connection: Connection, player: str) -> RecordsSize:
    in_bytes = func.length(games.c.told) + func.length(games.c.record)
    kept = select(func.count(), func.coalesce(func.sum(in_bytes), 0)).where(
        games.c.player_id == player, games.c.record.is_not(None)
    )
    number, size = connection.execute(kept).one()
    return RecordsSize(int(number), int(size))


class GamesStore(Database):
    """The part of the store for finished games."""

    async def keep_games(self, table: str, by_player: Mapping[str, PlayedGame]) -> None:
        """Add a finished game to each player's list; existing rows are kept."""
        rows = [
            {"player_id": player, "id": table, "ended": time.time(), "told": msgspec.json.encode(game)}
            for player, game in by_player.items()
        ]

        def work(connection: Connection) -> None:
            known = set(connection.execute(select(games.c.player_id).where(games.c.id == table)).scalars())
            # Players who have deleted their account in the meantime have no list.
            there = select(players.c.id).where(players.c.id.in_(by_player))
            wanted = set(connection.execute(there).scalars()) - known
            if new := [row for row in rows if row["player_id"] in wanted]:
                connection.execute(insert(games), new)

        await self.write(work)

    async def keep_record(
        self, player: str, name: str, game: PlayedGame, record: bytes, most: RecordsSize
    ) -> bool:
        """Store an imported record; return False if the player's records would exceed `most`."""
        row = {
            "player_id": player,
            "id": name,
            "ended": time.time(),
            "told": msgspec.json.encode(game),
            "record": record,
        }

        stored: list[bool] = []

        def work(connection: Connection) -> None:
            # Serialize the imports of one player across processes.
            mine_alone = select(players.c.id).where(players.c.id == player).with_for_update(key_share=True)
            connection.execute(mine_alone)
            kept = _records_size(connection, player)
            fits = kept.number < most.number and kept.size + stored_size(game, record) <= most.size
            # A write that is grouped with others may run twice.
            stored[:] = [fits]
            if fits:
                connection.execute(insert(games), row)

        await self.write(work)
        return stored[0]

    async def records_of(self, player: str) -> RecordsSize:
        """Return the number and stored size of a player's imported records."""
        return await self.read(lambda connection: _records_size(connection, player))

    async def games_of(self, player: str) -> list[KeptGame]:
        rows = await self._rows(
            select(games.c.id, games.c.ended, games.c.told, games.c.record.is_not(None).label("is_record"))
            .where(games.c.player_id == player)
            .order_by(games.c.ended.desc())
            .limit(MOST_LISTED)
        )
        return [
            KeptGame(row.id, row.ended, msgspec.json.decode(row.told, type=PlayedGame), row.is_record)
            for row in rows
        ]

    async def kept_record(self, player: str, name: str) -> bytes | None:
        """Return the text of an imported record; `None` if it isn't one of this player's."""
        if not name.isprintable():
            return None
        rows = await self._rows(select(games.c.record).where(games.c.player_id == player, games.c.id == name))
        return bytes(rows[0][0]) if rows and rows[0][0] is not None else None

    async def drop_game(self, player: str, name: str) -> bool:
        """Remove a game from a player's list; return False if it isn't there."""
        mine = (games.c.player_id == player, games.c.id == name)
        if not name.isprintable() or not await self._rows(select(games.c.id).where(*mine)):
            return False
        await self._execute(delete(games).where(*mine))
        return True

    async def drop_some_games(self, player: str, count: int) -> bool:
        """Delete up to `count` games from a player's list; return whether there may be more."""
        some = select(games.c.id).where(games.c.player_id == player).limit(count)
        names = [row[0] for row in await self._rows(some)]
        if names:
            dropped = delete(games).where(games.c.player_id == player, games.c.id.in_(names))
            await self._execute(dropped)
        return len(names) == count

    async def forget_in_games(self, player: str, table: str) -> None:
        """Remove a deleted player's name from the other players' lists."""

        def work(connection: Connection) -> None:
            for owner, told in connection.execute(
                select(games.c.player_id, games.c.told).where(games.c.id == table)
            ).all():
                game = msgspec.json.decode(told, type=PlayedGame)
                if player in game.people:
                    changed = update(games).where(games.c.player_id == owner, games.c.id == table)
                    connection.execute(changed.values(told=msgspec.json.encode(game.without(player))))

        await self.write(work)
