"""REST: reviews of finished hands.

A review takes a while: the client polls its state until it is done.
"""

import asyncio
from asyncio import QueueFull
from collections.abc import Awaitable, Callable
from typing import Annotated, Literal

from litestar.params import FromPath, JSONBody, QueryParameter
from msgspec import Struct, structs

from canasta.i18n.events import Speaker
from canasta.i18n.voice import Voice
from canasta.review.data import HandReport
from canasta.review.narrative import most_important, tell
from canasta.review.worker import ReviewedHand
from canasta.server.http.rest.common import Call, Lang, TheCall, api_error, endpoint
from canasta.server.http.rest.records import LARGEST, HandNumber, RecordText, kept_text
from canasta.server.http.rest.tables import live_table, record_of

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


def _state(call: Call, key: str, lang: str | None, seat: int | None) -> ReviewState:
    language = call.language(lang)
    state = call.services.reviews.state_of(key)
    if state is None:
        raise api_error(404, "NO_SUCH_REVIEW")
    if isinstance(state, ReviewedHand):
        return _finished(key, state, language, seat)
    if state.status == "failed":
        raise api_error(400, "NOT_REVIEWED")
    before = call.services.reviews.before(state)
    return ReviewState(id=key, status=state.status, before=before, done=state.done, of=state.of)


def _finished(key: str, reviewed: ReviewedHand, language: str, seat: int | None) -> ReviewState:
    reader = seat if seat is not None and seat < len(reviewed.names) else None
    speaker = Speaker(reviewed.names, reader, Voice(language, reviewed.caliente))
    points = most_important(reviewed.hand.turning_points, reader)
    return ReviewState(
        id=key,
        status="done",
        review=structs.replace(reviewed.hand, turning_points=points),
        told=[" ".join(tell(point, speaker)) for point in points],
    )


async def _asked(
    call: Call, key: str, hand: int, lang: str | None, record: Callable[[], Awaitable[str]]
) -> None:
    call.language(lang)  # an invalid request must not start a review
    player = await call.visitor()
    who = call.address if player is None else player.id
    may_begin = lambda: call.services.limits.take("reviews", call.address)  # noqa: E731 - called for new reviews only
    try:
        await call.services.reviews.ask(key, who, hand, record, new=may_begin, address=call.address)
    except QueueFull:
        raise api_error(429, "MANY_REVIEWS") from None


@endpoint("POST /api/tables/{table:str}/review", "Review a finished hand", 400, 403, 404, speaks=True)
async def table_review(
    call: TheCall, table: FromPath[str], hand: HandNumber = 1, lang: Lang = None, seat: Reader = None
) -> ReviewState:
    """Start a review of a finished hand, or return its state.

    Anyone who has the link to the table may ask, as for the replay.
    """
    record = await record_of(call, table)
    there = (await live_table(call.services, table)).table
    over = 0 if there.match is None else len(there.match.sheets)
    if not over:
        raise api_error(404, "NOTHING_TO_REPLAY")
    if hand > over:
        raise api_error(404, "NO_SUCH_HAND", {"count": over})
    key = call.services.reviews.key_of("table", there.name, hand)

    async def text() -> str:
        return await asyncio.to_thread(record.text)

    await _asked(call, key, hand, lang, text)
    return _state(call, key, lang, seat)


@endpoint("POST /api/me/games/{game:str}/review", "Review a saved record", 400, 401, 404, speaks=True)
async def kept_review(
    call: TheCall, game: FromPath[str], hand: HandNumber = 1, lang: Lang = None, seat: Reader = None
) -> ReviewState:
    text = await kept_text(call, game)
    return await _of_text(call, text, hand, lang, seat)


@endpoint("POST /api/reviews", "Review a hand of a record", 400, 413, speaks=True, largest=2 * LARGEST)
async def review_of(
    call: TheCall, data: JSONBody[RecordText], lang: Lang = None, seat: Reader = None
) -> ReviewState:
    """Review a hand of a record.

    The record isn't stored. The review is kept for a while, for anyone who sends the same record.
    """
    return await _of_text(call, data.text, data.hand, lang, seat)


async def _of_text(call: Call, text: str, hand: int, lang: str | None, seat: int | None) -> ReviewState:
    if not text.strip():
        raise api_error(400, "NOT_REVIEWED")
    key = call.services.reviews.key_of("record", text, hand)

    async def record() -> str:
        return text

    await _asked(call, key, hand, lang, record)
    return _state(call, key, lang, seat)


@endpoint("GET /api/reviews/{review:str}", "State of a review", 400, 404, speaks=True)
async def review_state(
    call: TheCall, review: FromPath[str], lang: Lang = None, seat: Reader = None
) -> ReviewState:
    """Return the state of a review.

    Polling keeps the review alive. An abandoned one is stopped and answers 404 from then on.
    """
    return _state(call, review, lang, seat)


REVIEWS = [table_review, kept_review, review_of, review_state]
