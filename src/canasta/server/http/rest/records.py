"""REST: replays of finished hands, a player's open and finished games, and saved records."""

import asyncio
import gzip
import secrets
import time
from asyncio import QueueFull
from collections.abc import Iterator
from io import BytesIO
from typing import Annotated, Any, Final

from litestar import MediaType, Response
from litestar.params import FromPath, JSONBody, QueryParameter
from litestar.response import Stream
from msgspec import Meta, Struct

from canasta.server.accounts.accounts import Player
from canasta.server.fair_queue import Asker
from canasta.server.http.rest.common import (
    Call,
    Lang,
    RequestError,
    TheCall,
    api_error,
    encoded_response,
    endpoint,
    takes_small,
)
from canasta.server.http.rest.tables import TableListing, live_table, record_of, table_line
from canasta.server.services import Services, response_exit_stack
from canasta.server.store.store import MOST_KEPT, KeptGame, RecordsSize, stored_size
from canasta.server.workers.replays import ReplayRequest
from canasta.table.game_summary import HandPlayed, PlayedGame, played_game
from canasta.table.replay_frames import Instead, ReplayedHand

LARGEST: Final = 400_000
"""Maximum size of a record in characters: ten times a long game."""
SECONDS: Final = 8.0
"""Time limit for replaying a record; a long game takes less than one second."""

MOST_BYTES: Final = 6 * 2**20
"""Maximum size of an answer before compression; the longest hand in our own records takes 2 MB."""

_PIECE: Final = 64 * 1024

HandNumber = Annotated[int, QueryParameter(ge=1, le=1000, description="Number of the hand, from 1.")]


class RecordText(Struct, kw_only=True, forbid_unknown_fields=True):
    text: Annotated[str, Meta(max_length=LARGEST)]
    hand: Annotated[int, Meta(ge=1, le=1000)] = 1
    instead: Instead | None = None
    """Replace the rest of the hand with these moves and stop at their result."""


class Otherwise(Struct, kw_only=True, forbid_unknown_fields=True):
    hand: Annotated[int, Meta(ge=1, le=1000)] = 1
    instead: Instead


_PROBLEMS: Final = {
    "NOT_POSSIBLE": "NOT_POSSIBLE_THERE",
    "TAKES_LONG": "RECORD_TAKES_LONG",
    "TOO_LARGE": "REPLAY_TOO_LARGE",
}


async def replayed(
    call: Call, text: str, hand: int, lang: str | None, instead: Instead | None = None
) -> Response[ReplayedHand]:
    here = call.address
    call.check_rate("replays", here, "MANY_REPLAYS")
    player = await call.visitor()
    replay_request = ReplayRequest(
        text=text, hand=hand, language=call.language(lang), instead=instead, seconds=SECONDS, most=MOST_BYTES
    )
    try:
        response_exit_stack(call.request.scope).enter_context(call.services.replays.hold(here))
        reply = await call.services.replays.make(
            replay_request, Asker("" if player is None else player.id, here)
        )
    except QueueFull:
        raise api_error(429, "MANY_REPLAYS") from None
    if reply.problem == "NOT_A_RECORD":
        raise api_error(400, "NOT_A_RECORD", {"text": reply.text})
    if reply.problem == "NO_SUCH_HAND":
        raise api_error(404, "NO_SUCH_HAND", {"count": reply.hands})
    if reply.problem:
        raise api_error(400, _PROBLEMS[reply.problem])
    vary = "Accept-Language, Accept-Encoding"
    if takes_small(call.request):
        return encoded_response(reply.content, small=True, vary=vary)
    # The annotated type describes the body for OpenAPI.
    unpacked: Response[Any] = Stream(
        _unpacked(reply.content), headers={"Vary": vary}, media_type=MediaType.JSON
    )
    return unpacked


def _unpacked(content: bytes) -> Iterator[bytes]:
    """Decompress piece by piece, so that the whole answer is never in memory at once."""
    with gzip.open(BytesIO(content)) as file:
        while piece := file.read(_PIECE):
            yield piece


@endpoint("GET /api/tables/{table:str}/replay", "Replay a finished hand", 400, 403, 404)
async def table_replay(
    call: TheCall, table: FromPath[str], hand: HandNumber = 1, lang: Lang = None
) -> Response[ReplayedHand]:
    """Return a finished hand with all cards face up, to anyone with the link to the table."""
    return await replayed(call, await table_text(call, table), hand, lang)


async def table_text(call: Call, table: str) -> str:
    """Return the text of the record of a table's finished hands; raise 404 if no hand is finished."""
    record = await record_of(call, table)
    there = (await live_table(call.services, table)).table
    if there.match is None or not there.match.sheets:
        raise api_error(404, "NOTHING_TO_REPLAY")
    return await asyncio.to_thread(record.text)


@endpoint("POST /api/tables/{table:str}/replay", "Replay a hand with other moves", 400, 403, 404, 413)
async def table_otherwise(
    call: TheCall, table: FromPath[str], data: JSONBody[Otherwise], lang: Lang = None
) -> Response[ReplayedHand]:
    """Return a finished hand that continues with other moves and stops at their result."""
    text = await table_text(call, table)
    return await replayed(call, text, data.hand, lang, data.instead)


@endpoint("POST /api/replays", "Replay a hand of a record", 400, 404, 413, largest=2 * LARGEST)
async def replay_of(call: TheCall, data: JSONBody[RecordText], lang: Lang = None) -> Response[ReplayedHand]:
    """Replay a hand of a record up to its end or first problem. The record isn't stored."""
    return await replayed(call, data.text, data.hand, lang, data.instead)


REPLAYS = [table_replay, table_otherwise, replay_of]


# -- a player's games ----------------------------------------------------------------------------------------

LARGEST_KEPT = 200_000
"""Maximum size of a saved record in bytes of UTF-8."""
_MOST_OPEN = 30
"""Maximum number of tables checked for the list, latest first."""


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
    """Level of the computer players; `people` if there were other human players."""
    hands: list[HandPlayed]
    kept: bool
    """True if the player imported the record."""


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
        live = await services.registry.find(sitting.table)
        if live is None or live.table.seat_of(player.id) is None or live.table.created.day:
            continue  # deals of the day have a page of their own
        if live.table.status != "over":
            rows.append(table_line(live))
    return rows


@endpoint("GET /api/me/games", "My games", 401)
async def my_games(call: TheCall) -> MyGames:
    """Return the caller's games: a guest's belong to the session, an account's are available on any
    device."""
    player = await call.player()
    finished = [_finished(kept) for kept in await call.services.store.games_of(player.id)]
    return MyGames(open=await _open_tables(call.services, player), finished=finished)


@endpoint(
    "DELETE /api/me/games/{game:str}",
    "Remove a game from my list",
    401,
    404,
    done="Removed; the other players keep theirs.",
)
async def drop_game(call: TheCall, game: FromPath[str]) -> None:
    player = await call.player()
    if not await call.services.store.drop_game(player.id, game):
        raise api_error(404, "NO_SUCH_GAME")


@endpoint("POST /api/me/games", "Import a record", 400, 401, 409, 413, status=201, largest=4 * LARGEST_KEPT)
async def keep_record(call: TheCall, data: JSONBody[KeptText]) -> FinishedGame:
    """Import a record, which must be valid to its end.

    The player's seat is the one with their name.
    """
    player = await call.player()
    if len(data.text.encode()) > LARGEST_KEPT:
        raise api_error(413, "TOO_LARGE")
    limits = call.services.settings.limits
    most = RecordsSize(MOST_KEPT, limits.records if player.account else limits.records_of_guest)
    present = await call.services.store.records_of(player.id)
    if present.number >= most.number:
        raise api_error(409, "MANY_RECORDS", {"most": MOST_KEPT})
    if present.size >= most.size:
        raise _full(most)
    call.check_rate("replays", call.address, "MANY_REPLAYS")
    try:
        async with call.services.replays.turns.turn(Asker(player.id, call.address)):
            seats, record = await asyncio.to_thread(_read, data.text)
    except QueueFull:
        raise api_error(429, "MANY_REPLAYS") from None
    if not seats:
        raise api_error(400, "RECORD_NOT_KEPT")
    own = [game for game in seats if game.names[game.seat] == player.name]
    game = own[0] if own else seats[0]
    if not own:
        game.seat, game.hands = -1, []
    kept = KeptGame(f"my.{secrets.token_hex(8)}", time.time(), game, is_record=True)
    size = stored_size(game, record)
    if present.size + size > most.size:
        raise _full(most)
    call.check_rate("records_from", call.address, "MANY_RECORDS_FROM", size)
    if not await call.services.store.keep_record(player.id, kept.id, game, record, most):
        raise _full(most)  # another import was stored in the meantime
    return _finished(kept)


def _full(most: RecordsSize) -> RequestError:
    return api_error(409, "RECORDS_FULL", {"most": most.size // 1000})


def _read(text: str) -> tuple[list[PlayedGame] | None, bytes]:
    ends = time.monotonic() + SECONDS
    return played_game(text, lambda: time.monotonic() > ends), gzip.compress(text.encode())


async def kept_text(call: Call, game: str) -> str:
    player = await call.player()
    record = await call.services.store.kept_record(player.id, game)
    if record is None:
        raise api_error(404, "NO_SUCH_GAME")
    return gzip.decompress(record).decode()


@endpoint("GET /api/me/games/{game:str}/record", "A saved record", 401, 404, media_type=MediaType.TEXT)
async def kept_record(call: TheCall, game: FromPath[str]) -> str:
    return await kept_text(call, game)


@endpoint("GET /api/me/games/{game:str}/replay", "Replay a saved record", 400, 401, 404)
async def kept_replay(
    call: TheCall, game: FromPath[str], hand: HandNumber = 1, lang: Lang = None
) -> Response[ReplayedHand]:
    return await replayed(call, await kept_text(call, game), hand, lang)


@endpoint(
    "POST /api/me/games/{game:str}/replay", "Replay a saved record with other moves", 400, 401, 404, 413
)
async def kept_otherwise(
    call: TheCall, game: FromPath[str], data: JSONBody[Otherwise], lang: Lang = None
) -> Response[ReplayedHand]:
    text = await kept_text(call, game)
    return await replayed(call, text, data.hand, lang, data.instead)


MY_GAMES = [my_games, drop_game, keep_record, kept_record, kept_replay, kept_otherwise]
