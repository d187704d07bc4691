"""REST: games looked at again. The hands of a table that are over, and records that somebody has."""

import asyncio
import time
from functools import partial
from typing import Annotated, Final

from litestar import Response, get, post
from litestar.params import FromPath, JSONBody, QueryParameter
from msgspec import Meta, Struct

from canasta.server.http.rest.calls import (
    AnyRequest,
    Lang,
    TheServices,
    address,
    language_of,
    mistake,
    mistakes,
    packed,
    sent,
    takes_small,
)
from canasta.server.http.rest.tables_and_records import live_table, record_of
from canasta.server.services import Services
from canasta.table.replaying import Instead, NotPossible, ReplayedHand, TakesTooLong, replayed_hand

LARGEST: Final = 400_000
"""Bytes of a record that is sent here: ten times a long game."""
SECONDS: Final = 8.0
"""For playing a record through; a long game takes less than one."""

HandNumber = Annotated[int, QueryParameter(ge=1, le=1000, description="Which hand, counted from 1.")]


class RecordText(Struct, kw_only=True, forbid_unknown_fields=True):
    text: Annotated[str, Meta(max_length=LARGEST)]
    hand: Annotated[int, Meta(ge=1, le=1000)] = 1
    instead: Instead | None = None
    """The hand ends in what would have come, had these moves been made."""


class Otherwise(Struct, kw_only=True, forbid_unknown_fields=True):
    hand: Annotated[int, Meta(ge=1, le=1000)] = 1
    instead: Instead


class Unshown(Exception):
    """What keeps a record from being shown, in a sentence of the asker's language."""


def _packed(text: str, hand: int, language: str, instead: Instead | None, *, small: bool) -> bytes:
    """The answer as it travels; made off the loop, all of it."""
    ends = time.monotonic() + SECONDS
    found = replayed_hand(text, hand, language, lambda: time.monotonic() > ends, instead)
    if isinstance(found, str):
        raise Unshown(found)
    if hand > len(found.lengths):
        raise IndexError(len(found.lengths))
    return packed(found, small=small)


async def replayed(
    request: AnyRequest,
    services: Services,
    text: str,
    hand: int,
    lang: str | None,
    instead: Instead | None = None,
) -> Response[ReplayedHand]:
    if not services.replays.take(address(request)) or services.replaying.is_full:
        raise mistake(429, "MANY_REPLAYS")
    small = takes_small(request)
    work = partial(_packed, text, hand, language_of(request, lang), instead, small=small)
    try:
        async with services.replaying:
            answer = await asyncio.to_thread(work)
    except Unshown as problem:
        raise mistake(400, "NOT_A_RECORD", {"text": str(problem)}) from None
    except IndexError as problem:
        raise mistake(404, "NO_SUCH_HAND", {"count": int(problem.args[0])}) from None
    except NotPossible:
        raise mistake(400, "NOT_POSSIBLE_THERE") from None
    except TakesTooLong:
        raise mistake(400, "RECORD_TAKES_LONG") from None
    return sent(answer, small=small, vary="Accept-Language, Accept-Encoding")


@get(
    "/api/tables/{table:str}/replay",
    summary="A hand that is over, position by position",
    responses=mistakes(400, 403, 404),
)
async def table_replay(
    request: AnyRequest,
    services: TheServices,
    table: FromPath[str],
    hand: HandNumber = 1,
    lang: Lang = None,
) -> Response[ReplayedHand]:
    """With all cards open, for whoever has the link, as the record. A hand in play is not in it."""
    return await replayed(request, services, await table_text(request, services, table), hand, lang)


async def table_text(request: AnyRequest, services: Services, table: str) -> str:
    """The record of the hands of a table that are over."""
    record = await record_of(request, services, table)
    there = (await live_table(services, table)).table
    if there.match is None or not there.match.sheets:
        raise mistake(404, "NOTHING_TO_REPLAY")
    return await asyncio.to_thread(record.text)


@post(
    "/api/tables/{table:str}/replay",
    summary="A hand that is over, with other moves in it",
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
    """It ends in what would have come."""
    text = await table_text(request, services, table)
    return await replayed(request, services, text, data.hand, lang, data.instead)


@post(
    "/api/replays",
    summary="A hand of a record, position by position",
    status_code=200,
    request_max_body_size=2 * LARGEST,
    responses=mistakes(400, 404, 413),
)
async def replay_of(
    request: AnyRequest, services: TheServices, data: JSONBody[RecordText], lang: Lang = None
) -> Response[ReplayedHand]:
    """The record is played by the rules up to its end or its first problem, and not kept."""
    return await replayed(request, services, data.text, data.hand, lang, data.instead)


REPLAYS = [table_replay, table_otherwise, replay_of]
