"""The games that people have played, in the database. A row is one person's: others keep theirs."""

import time
from collections.abc import Mapping
from typing import NamedTuple

import msgspec
from sqlalchemy import Connection, delete, func, insert, select, update

from canasta.server.store.people import PeopleStore
from canasta.server.store.schema import games, players
from canasta.table.played import PlayedGame

MOST_LISTED = 500
"""Games that a list shows, the latest first."""
MOST_KEPT = 50
"""Records from elsewhere that one person can keep."""


class KeptGame(NamedTuple):
    id: str
    ended: float
    """Seconds since 1970."""
    game: PlayedGame
    is_record: bool
    """It came from elsewhere, and its text is kept here."""


class GamesStore(PeopleStore):
    """The part of a store that knows what people have played."""

    async def keep_games(self, table: str, by_player: Mapping[str, PlayedGame]) -> None:
        """A game at a table is over; for who has it already, nothing changes."""
        rows = [
            {"player_id": player, "id": table, "ended": time.time(), "told": msgspec.json.encode(game)}
            for player, game in by_player.items()
        ]

        def work(connection: Connection) -> None:
            known = set(connection.execute(select(games.c.player_id).where(games.c.id == table)).scalars())
            # Who has deleted their account while the game went on has no list.
            there = select(players.c.id).where(players.c.id.in_(by_player))
            wanted = set(connection.execute(there).scalars()) - known
            if new := [row for row in rows if row["player_id"] in wanted]:
                connection.execute(insert(games), new)

        await self.write(work)

    async def keep_record(self, player: str, name: str, game: PlayedGame, record: bytes) -> None:
        row = {
            "player_id": player,
            "id": name,
            "ended": time.time(),
            "told": msgspec.json.encode(game),
            "record": record,
        }
        await self.write(lambda connection: connection.execute(insert(games), row))

    async def records_of(self, player: str) -> int:
        """How many records from elsewhere somebody keeps."""
        kept = (
            select(func.count())
            .select_from(games)
            .where(games.c.player_id == player, games.c.record.is_not(None))
        )
        return int((await self._rows(kept))[0][0])

    async def games_of(self, player: str) -> list[KeptGame]:
        rows = await self._rows(
            select(games.c.id, games.c.ended, games.c.told, games.c.record.is_not(None))
            .where(games.c.player_id == player)
            .order_by(games.c.ended.desc())
            .limit(MOST_LISTED)
        )
        return [
            KeptGame(name, ended, msgspec.json.decode(told, type=PlayedGame), bool(is_record))
            for name, ended, told, is_record in rows
        ]

    async def kept_record(self, player: str, name: str) -> bytes | None:
        """Of a record from elsewhere; None for anything that is not this person's."""
        if not name.isprintable():
            return None
        rows = await self._rows(select(games.c.record).where(games.c.player_id == player, games.c.id == name))
        return bytes(rows[0][0]) if rows and rows[0][0] is not None else None

    async def drop_game(self, player: str, name: str) -> bool:
        """From this person's list; False where it is not there."""
        mine = (games.c.player_id == player, games.c.id == name)
        if not name.isprintable() or not await self._rows(select(games.c.id).where(*mine)):
            return False
        await self.write(lambda connection: connection.execute(delete(games).where(*mine)))
        return True

    async def forget_in_games(self, player: str, table: str) -> None:
        """Somebody deletes their account: the lists of others have their name no longer."""

        def work(connection: Connection) -> None:
            for owner, told in connection.execute(
                select(games.c.player_id, games.c.told).where(games.c.id == table)
            ).all():
                game = msgspec.json.decode(told, type=PlayedGame)
                if player in game.people:
                    changed = update(games).where(games.c.player_id == owner, games.c.id == table)
                    connection.execute(changed.values(told=msgspec.json.encode(game.without(player))))

        await self.write(work)
