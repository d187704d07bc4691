"""REST: what somebody plays and has played, and records that they keep."""

import asyncio
import gzip
import secrets
import time
from typing import Annotated

from litestar import MediaType, Response, delete, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, JSONBody
from msgspec import Meta, Struct

from canasta.server.http.rest.calls import (
    AnyRequest,
    Lang,
    TheServices,
    address,
    mistake,
    mistakes,
    player_of,
)
from canasta.server.http.rest.messages import TableRow
from canasta.server.http.rest.replays import HandNumber, Otherwise, replayed
from canasta.server.http.rest.tables_and_records import table_line
from canasta.server.people.sessions import Player
from canasta.server.services import Services
from canasta.server.store.games import MOST_KEPT, KeptGame
from canasta.table.played import HandPlayed, PlayedGame, played_game
from canasta.table.replaying import ReplayedHand

LARGEST_KEPT = 200_000
"""Characters of a record that somebody keeps here."""
_MOST_OPEN = 30
"""Tables that are looked at for a list, the latest first."""
_SECONDS = 8.0


class FinishedGame(Struct, kw_only=True):
    id: str
    ended: float
    """Seconds since 1970."""
    rules: str
    title: str
    names: list[str]
    """By seat."""
    seat: int
    """The asker's; -1 in a record in which they have none."""
    side: int
    scores: list[int]
    """By side."""
    winner: int
    """The side; -2 for a draw, -1 where the game was not played to its end."""
    level: str
    """Of the computer players; `people` where other people played."""
    hands: list[HandPlayed]
    kept: bool
    """A record from elsewhere."""


class MyGames(Struct, kw_only=True):
    open: list[TableRow]
    """Tables at which the asker has a seat, and the game is not over."""
    finished: list[FinishedGame]
    """The latest first."""


class KeptText(Struct, kw_only=True, forbid_unknown_fields=True):
    text: Annotated[str, Meta(max_length=LARGEST_KEPT)]


def _finished(kept: KeptGame) -> FinishedGame:
    game = kept.game
    return FinishedGame(
        id=kept.id,
        ended=kept.ended,
        rules=game.rules,
        title=game.title,
        names=game.names,
        seat=game.seat,
        side=game.side,
        scores=game.scores,
        winner=game.winner,
        level=game.level,
        hands=game.hands,
        kept=kept.is_record,
    )


async def _open_tables(services: Services, player: Player) -> list[TableRow]:
    rows: list[TableRow] = []
    sittings = [one for one in await services.store.sittings_of(player.id) if one.status != "over"]
    for sitting in sittings[:_MOST_OPEN]:
        live = await services.house.find(sitting.table)
        if live is None or live.table.seat_of(player.id) is None or live.table.created.day:
            continue  # deals of the day have a page of their own
        if live.table.status != "over":
            rows.append(table_line(live))
    return rows


@get("/api/me/games", summary="My games", responses=mistakes(401))
async def my_games(request: AnyRequest, services: TheServices) -> MyGames:
    """Of a guest by the session, of an account from any device."""
    player = await player_of(request, services)
    finished = [_finished(kept) for kept in await services.store.games_of(player.id)]
    return MyGames(open=await _open_tables(services, player), finished=finished)


@delete(
    "/api/me/games/{game:str}",
    summary="Take a game off my list",
    status_code=204,
    responses={
        204: ResponseSpec(None, description="Gone; others who played keep theirs."),
        **mistakes(401, 404),
    },
)
async def drop_game(request: AnyRequest, services: TheServices, game: FromPath[str]) -> None:
    player = await player_of(request, services)
    if not await services.store.drop_game(player.id, game):
        raise mistake(404, "NO_SUCH_GAME")


@post(
    "/api/me/games",
    summary="Keep a record from elsewhere",
    status_code=201,
    request_max_body_size=4 * LARGEST_KEPT,
    responses=mistakes(400, 401, 409, 413),
)
async def keep_record(request: AnyRequest, services: TheServices, data: JSONBody[KeptText]) -> FinishedGame:
    """It must hold to its end. The asker's seat is the one that has their name."""
    player = await player_of(request, services)
    if await services.store.records_of(player.id) >= MOST_KEPT:
        raise mistake(409, "MANY_RECORDS", {"most": MOST_KEPT})
    if not services.replays.take(address(request)) or services.replaying.is_full:
        raise mistake(429, "MANY_REPLAYS")
    async with services.replaying:
        seats, record = await asyncio.to_thread(_read, data.text)
    if not seats:
        raise mistake(400, "RECORD_NOT_KEPT")
    own = [game for game in seats if game.names[game.seat] == player.name]
    game = own[0] if own else seats[0]
    if not own:
        game.seat, game.hands = -1, []
    kept = KeptGame(f"my.{secrets.token_hex(8)}", time.time(), game, is_record=True)
    await services.store.keep_record(player.id, kept.id, game, record)
    return _finished(kept)


def _read(text: str) -> tuple[list[PlayedGame] | None, bytes]:
    ends = time.monotonic() + _SECONDS
    return played_game(text, lambda: time.monotonic() > ends), gzip.compress(text.encode())


async def kept_text(request: AnyRequest, services: Services, game: str) -> str:
    player = await player_of(request, services)
    record = await services.store.kept_record(player.id, game)
    if record is None:
        raise mistake(404, "NO_SUCH_GAME")
    return gzip.decompress(record).decode()


@get(
    "/api/me/games/{game:str}/record",
    summary="A record that I keep",
    media_type=MediaType.TEXT,
    responses=mistakes(401, 404),
)
async def kept_record(request: AnyRequest, services: TheServices, game: FromPath[str]) -> str:
    return await kept_text(request, services, game)


@get(
    "/api/me/games/{game:str}/replay",
    summary="A hand of a record that I keep, position by position",
    responses=mistakes(400, 401, 404),
)
async def kept_replay(
    request: AnyRequest,
    services: TheServices,
    game: FromPath[str],
    hand: HandNumber = 1,
    lang: Lang = None,
) -> Response[ReplayedHand]:
    return await replayed(request, services, await kept_text(request, services, game), hand, lang)


@post(
    "/api/me/games/{game:str}/replay",
    summary="A hand of a record that I keep, with other moves in it",
    status_code=200,
    responses=mistakes(400, 401, 404, 413),
)
async def kept_otherwise(
    request: AnyRequest,
    services: TheServices,
    game: FromPath[str],
    data: JSONBody[Otherwise],
    lang: Lang = None,
) -> Response[ReplayedHand]:
    text = await kept_text(request, services, game)
    return await replayed(request, services, text, data.hand, lang, data.instead)


MY_GAMES = [my_games, drop_game, keep_record, kept_record, kept_replay, kept_otherwise]
