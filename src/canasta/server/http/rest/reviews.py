"""REST: reviews of finished hands.

A review takes a while: the client polls its state until it is done.
"""

import asyncio
from asyncio import QueueFull
from collections.abc import Awaitable, Callable
from typing import Annotated, Literal

from litestar import get, post
from litestar.params import FromPath, JSONBody, QueryParameter
from msgspec import Struct, structs

from canasta.i18n.events import Speaker
from canasta.i18n.voice import Voice
from canasta.review.data import HandReport
from canasta.review.narrative import foremost, tell
from canasta.review.worker import ReviewedHand
from canasta.server.http.rest.common import (
    SPEAKS,
    AnyRequest,
    Lang,
    TheServices,
    address,
    language_of,
    mistake,
    mistakes,
)
from canasta.server.http.rest.my_games import kept_text
from canasta.server.http.rest.replays import LARGEST, HandNumber, RecordText
from canasta.server.http.rest.tables import live_table, record_of
from canasta.server.services import Services

Reader = Annotated[
    int | None,
    QueryParameter(ge=0, le=9, description="Seat of the reader; turning points are described from there."),
]


class ReviewState(Struct, kw_only=True):
    """Progress of a review, with the result once it is done."""

    id: str
    """Poll with this id until the review is done."""
    status: Literal["waiting", "running", "done"]
    before: int = 0
    """Number of reviews ahead of this one in the queue."""
    done: int = 0
    of: int = 0
    """Total number of decisions to judge; `done` counts the finished ones."""
    review: HandReport | None = None
    told: list[str] | None = None
    """One text per turning point."""


def _state(
    request: AnyRequest, services: Services, key: str, lang: str | None, seat: int | None
) -> ReviewState:
    language = language_of(request, lang)
    found = services.reviews.look(key)
    if found is None:
        raise mistake(404, "NO_SUCH_REVIEW")
    if isinstance(found, ReviewedHand):
        return _told(key, found, language, seat)
    if found.status == "failed":
        raise mistake(400, "NOT_REVIEWED")
    before = services.reviews.before(found)
    return ReviewState(id=key, status=found.status, before=before, done=found.done, of=found.of)


def _told(key: str, found: ReviewedHand, language: str, seat: int | None) -> ReviewState:
    reader = seat if seat is not None and seat < len(found.names) else None
    speaker = Speaker(found.names, reader, Voice(language, found.caliente))
    points = foremost(found.hand.turning_points, reader)
    return ReviewState(
        id=key,
        status="done",
        review=structs.replace(found.hand, turning_points=points),
        told=[" ".join(tell(point, speaker)) for point in points],
    )


async def _asked(
    request: AnyRequest,
    services: Services,
    key: str,
    hand: int,
    lang: str | None,
    record: Callable[[], Awaitable[str]],
) -> None:
    language_of(request, lang)  # an invalid request must not start a review
    player = await services.player_of(request.scope)
    who = address(request) if player is None else player.id
    may_begin = lambda: services.new_reviews.take(address(request))  # noqa: E731 - called for new reviews only
    try:
        await services.reviews.ask(key, who, hand, record, new=may_begin, address=address(request))
    except QueueFull:
        raise mistake(429, "MANY_REVIEWS") from None


@post(
    "/api/tables/{table:str}/review",
    summary="Review a finished hand",
    status_code=200,
    response_headers=SPEAKS,
    responses=mistakes(400, 403, 404),
)
async def table_review(
    request: AnyRequest,
    services: TheServices,
    table: FromPath[str],
    hand: HandNumber = 1,
    lang: Lang = None,
    seat: Reader = None,
) -> ReviewState:
    """Start a review of a finished hand, or return its state.

    Anyone who has the link to the table may ask, as for the replay.
    """
    record = await record_of(request, services, table)
    there = (await live_table(services, table)).table
    over = 0 if there.match is None else len(there.match.sheets)
    if not over:
        raise mistake(404, "NOTHING_TO_REPLAY")
    if hand > over:
        raise mistake(404, "NO_SUCH_HAND", {"count": over})
    key = services.reviews.key_of("table", there.name, hand)

    async def text() -> str:
        return await asyncio.to_thread(record.text)

    await _asked(request, services, key, hand, lang, text)
    return _state(request, services, key, lang, seat)


@post(
    "/api/me/games/{game:str}/review",
    summary="Review a hand of a saved record",
    status_code=200,
    response_headers=SPEAKS,
    responses=mistakes(400, 401, 404),
)
async def kept_review(
    request: AnyRequest,
    services: TheServices,
    game: FromPath[str],
    hand: HandNumber = 1,
    lang: Lang = None,
    seat: Reader = None,
) -> ReviewState:
    text = await kept_text(request, services, game)
    return await _of_text(request, services, text, hand, lang, seat)


@post(
    "/api/reviews",
    summary="Review a hand of a record",
    status_code=200,
    request_max_body_size=2 * LARGEST,
    response_headers=SPEAKS,
    responses=mistakes(400, 413),
)
async def review_of(
    request: AnyRequest,
    services: TheServices,
    data: JSONBody[RecordText],
    lang: Lang = None,
    seat: Reader = None,
) -> ReviewState:
    """Review a hand of a record.

    The record isn't stored. The review is kept for a while, for anyone who sends the same record.
    """
    return await _of_text(request, services, data.text, data.hand, lang, seat)


async def _of_text(
    request: AnyRequest, services: Services, text: str, hand: int, lang: str | None, seat: int | None
) -> ReviewState:
    if not text.strip():
        raise mistake(400, "NOT_REVIEWED")
    key = services.reviews.key_of("record", text, hand)

    async def record() -> str:
        return text

    await _asked(request, services, key, hand, lang, record)
    return _state(request, services, key, lang, seat)


@get(
    "/api/reviews/{review:str}",
    summary="State of a review",
    response_headers=SPEAKS,
    responses=mistakes(400, 404),
)
async def review_state(
    request: AnyRequest, services: TheServices, review: FromPath[str], lang: Lang = None, seat: Reader = None
) -> ReviewState:
    """Return the state of a review.

    Polling keeps the review alive. An abandoned one is stopped and answers 404 from then on.
    """
    return _state(request, services, review, lang, seat)


REVIEWS = [table_review, kept_review, review_of, review_state]
