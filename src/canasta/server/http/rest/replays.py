"""REST: replays of finished hands, from a table or from a record that the client sends."""

import asyncio
import gzip
from asyncio import QueueFull
from collections.abc import Iterator
from io import BytesIO
from typing import Annotated, Any, Final

from litestar import MediaType, Response, get, post
from litestar.params import FromPath, JSONBody, QueryParameter
from litestar.response import Stream
from msgspec import Meta, Struct

from canasta.server.fair_queue import Asker
from canasta.server.http.rest.common import (
    AnyRequest,
    Lang,
    TheServices,
    address,
    language_of,
    mistake,
    mistakes,
    sent,
    takes_small,
)
from canasta.server.http.rest.tables import live_table, record_of
from canasta.server.services import Services, until_sent
from canasta.server.workers.replay_worker import WantedReplay
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
    """Replace part of the hand with these moves and end with their result."""


class Otherwise(Struct, kw_only=True, forbid_unknown_fields=True):
    hand: Annotated[int, Meta(ge=1, le=1000)] = 1
    instead: Instead


_PROBLEMS: Final = {
    "NOT_POSSIBLE": "NOT_POSSIBLE_THERE",
    "TAKES_LONG": "RECORD_TAKES_LONG",
    "TOO_LARGE": "REPLAY_TOO_LARGE",
}


async def replayed(
    request: AnyRequest,
    services: Services,
    text: str,
    hand: int,
    lang: str | None,
    instead: Instead | None = None,
) -> Response[ReplayedHand]:
    here = address(request)
    if not services.new_replays.take(here):
        raise mistake(429, "MANY_REPLAYS")
    player = await services.player_of(request.scope)
    wanted = WantedReplay(
        text=text,
        hand=hand,
        language=language_of(request, lang),
        instead=instead,
        seconds=SECONDS,
        most=MOST_BYTES,
    )
    try:
        until_sent(request.scope).enter_context(services.replays.hold(here))
        found = await services.replays.make(wanted, Asker("" if player is None else player.id, here))
    except QueueFull:
        raise mistake(429, "MANY_REPLAYS") from None
    if found.problem == "NOT_A_RECORD":
        raise mistake(400, "NOT_A_RECORD", {"text": found.text})
    if found.problem == "NO_SUCH_HAND":
        raise mistake(404, "NO_SUCH_HAND", {"count": found.hands})
    if found.problem:
        raise mistake(400, _PROBLEMS[found.problem])
    vary = "Accept-Language, Accept-Encoding"
    if takes_small(request):
        return sent(found.content, small=True, vary=vary)
    # The annotated type describes the body for OpenAPI.
    unpacked: Response[Any] = Stream(
        _unpacked(found.content), headers={"Vary": vary}, media_type=MediaType.JSON
    )
    return unpacked


def _unpacked(content: bytes) -> Iterator[bytes]:
    """Decompress piece by piece, so that a slow client doesn't hold the whole answer in memory."""
    with gzip.open(BytesIO(content)) as file:
        while piece := file.read(_PIECE):
            yield piece


@get(
    "/api/tables/{table:str}/replay",
    summary="Replay a finished hand",
    responses=mistakes(400, 403, 404),
)
async def table_replay(
    request: AnyRequest,
    services: TheServices,
    table: FromPath[str],
    hand: HandNumber = 1,
    lang: Lang = None,
) -> Response[ReplayedHand]:
    """Return a finished hand with all cards face up, to anyone with the link to the table."""
    return await replayed(request, services, await table_text(request, services, table), hand, lang)


async def table_text(request: AnyRequest, services: Services, table: str) -> str:
    """Return the text of the record of a table's finished hands; raise 404 if no hand is finished."""
    record = await record_of(request, services, table)
    there = (await live_table(services, table)).table
    if there.match is None or not there.match.sheets:
        raise mistake(404, "NOTHING_TO_REPLAY")
    return await asyncio.to_thread(record.text)


@post(
    "/api/tables/{table:str}/replay",
    summary="Replay a finished hand with other moves",
    status_code=200,
    responses=mistakes(400, 403, 404, 413),
)
async def table_otherwise(
    request: AnyRequest,
    services: TheServices,
    table: FromPath[str],
    data: JSONBody[Otherwise],
    lang: Lang = None,
) -> Response[ReplayedHand]:
    """Return a finished hand in which other moves are made, up to their result."""
    text = await table_text(request, services, table)
    return await replayed(request, services, text, data.hand, lang, data.instead)


@post(
    "/api/replays",
    summary="Replay a hand of a record",
    status_code=200,
    request_max_body_size=2 * LARGEST,
    responses=mistakes(400, 404, 413),
)
async def replay_of(
    request: AnyRequest, services: TheServices, data: JSONBody[RecordText], lang: Lang = None
) -> Response[ReplayedHand]:
    """Replay a hand of a record up to its end or first problem. The record isn't stored."""
    return await replayed(request, services, data.text, data.hand, lang, data.instead)


REPLAYS = [table_replay, table_otherwise, replay_of]
