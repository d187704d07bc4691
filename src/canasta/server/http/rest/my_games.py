"""REST: a player's open and finished games, and saved records."""

import asyncio
import gzip
import secrets
import time
from asyncio import QueueFull
from typing import Annotated

from litestar import MediaType, Response, delete, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, JSONBody
from msgspec import Meta, Struct

from canasta.server.accounts.sessions import Player
from canasta.server.fair_queue import Asker
from canasta.server.http.rest.common import (
    AnyRequest,
    Lang,
    RequestError,
    TheServices,
    address,
    mistake,
    mistakes,
    player_of,
)
from canasta.server.http.rest.replays import HandNumber, Otherwise, replayed
from canasta.server.http.rest.schemas import TableListing
from canasta.server.http.rest.tables import table_line
from canasta.server.services import Services
from canasta.server.store.games import MOST_KEPT, KeptGame, RecordsSize, stored_size
from canasta.table.game_summary import HandPlayed, PlayedGame, played_game
from canasta.table.replay_frames import ReplayedHand

LARGEST_KEPT = 200_000
"""Maximum size of a saved record in bytes of UTF-8."""
_MOST_OPEN = 30
"""Maximum number of tables checked for the list, latest first."""
_SECONDS = 8.0


class FinishedGame(Struct, kw_only=True):
    id: str
    ended: float
    """Unix time at which the game ended."""
    rules: str
    title: str
    names: list[str]
    """By seat."""
    seat: int
    """The player's seat; -1 in a record that doesn't include them."""
    side: int
    scores: list[int]
    """By side."""
    winner: int
    """The winning side; -2 for a draw, -1 if the game wasn't finished."""
    level: str
    """Level of the computer players; `people` if other people played."""
    hands: list[HandPlayed]
    kept: bool
    """True for a record imported by the player."""


class MyGames(Struct, kw_only=True):
    open: list[TableListing]
    """Unfinished games in which the player has a seat."""
    finished: list[FinishedGame]
    """Finished games, latest first."""


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


async def _open_tables(services: Services, player: Player) -> list[TableListing]:
    rows: list[TableListing] = []
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
    """Return the caller's games: a guest's belong to the session, an account's are available on any
    device."""
    player = await player_of(request, services)
    finished = [_finished(kept) for kept in await services.store.games_of(player.id)]
    return MyGames(open=await _open_tables(services, player), finished=finished)


@delete(
    "/api/me/games/{game:str}",
    summary="Remove a game from my list",
    status_code=204,
    responses={
        204: ResponseSpec(None, description="Removed; the other players keep theirs."),
        **mistakes(401, 404),
    },
)
async def drop_game(request: AnyRequest, services: TheServices, game: FromPath[str]) -> None:
    player = await player_of(request, services)
    if not await services.store.drop_game(player.id, game):
        raise mistake(404, "NO_SUCH_GAME")


@post(
    "/api/me/games",
    summary="Import a record",
    status_code=201,
    request_max_body_size=4 * LARGEST_KEPT,
    responses=mistakes(400, 401, 409, 413),
)
async def keep_record(request: AnyRequest, services: TheServices, data: JSONBody[KeptText]) -> FinishedGame:
    """Import a record, which must be valid to its end.

    The player's seat is the one with their name.
    """
    player = await player_of(request, services)
    if len(data.text.encode()) > LARGEST_KEPT:
        raise mistake(413, "TOO_LARGE")
    limits = services.settings.limits
    most = RecordsSize(MOST_KEPT, limits.records if player.account else limits.records_of_guest)
    present = await services.store.records_of(player.id)
    if present.number >= most.number:
        raise mistake(409, "MANY_RECORDS", {"most": MOST_KEPT})
    if present.size >= most.size:
        raise _full(most)
    if not services.new_replays.take(address(request)):
        raise mistake(429, "MANY_REPLAYS")
    try:
        async with services.replays.turns.turn(Asker(player.id, address(request))):
            seats, record = await asyncio.to_thread(_read, data.text)
    except QueueFull:
        raise mistake(429, "MANY_REPLAYS") from None
    if not seats:
        raise mistake(400, "RECORD_NOT_KEPT")
    own = [game for game in seats if game.names[game.seat] == player.name]
    game = own[0] if own else seats[0]
    if not own:
        game.seat, game.hands = -1, []
    kept = KeptGame(f"my.{secrets.token_hex(8)}", time.time(), game, is_record=True)
    size = stored_size(game, record)
    if present.size + size > most.size:
        raise _full(most)
    if not services.new_records.take(address(request), size):
        raise mistake(429, "MANY_RECORDS_FROM")
    if not await services.store.keep_record(player.id, kept.id, game, record, most):
        raise _full(most)  # another import was stored in the meantime
    return _finished(kept)


def _full(most: RecordsSize) -> RequestError:
    return mistake(409, "RECORDS_FULL", {"most": most.size // 1000})


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
    summary="A saved record",
    media_type=MediaType.TEXT,
    responses=mistakes(401, 404),
)
async def kept_record(request: AnyRequest, services: TheServices, game: FromPath[str]) -> str:
    return await kept_text(request, services, game)


@get(
    "/api/me/games/{game:str}/replay",
    summary="Replay a hand of a saved record",
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
    summary="Replay a hand of a saved record with other moves",
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
