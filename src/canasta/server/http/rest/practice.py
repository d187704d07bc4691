"""REST: tables for practice, lessons, and how far somebody has come in them."""

import asyncio
import time
from typing import Annotated

from litestar import get, post, put
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody
from msgspec import Meta, Struct

from canasta.lessons import lessons, practice_of, tip_to_try
from canasta.lessons.advice import NoSuchTip
from canasta.lessons.path import NoSuchLesson
from canasta.server.http.rest.calls import AnyRequest, TheServices, address, mistake, mistakes, player_of
from canasta.server.http.rest.messages import OpenedTable
from canasta.server.http.rest.my_games import kept_text
from canasta.server.http.rest.replays import LARGEST, SECONDS, table_text
from canasta.server.services import Services
from canasta.table.practice import FROM_RECORD, Practice
from canasta.table.replaying import MOST_FRAMES, NotPossible, TakesTooLong, position_in


class StepRow(Struct, kw_only=True):
    goals: list[str]
    """What is to be done: `meld K 4`; empty where there is something to read."""
    laid: bool
    """It begins with cards of its own, not with those of the step before."""


class LessonRow(Struct, kw_only=True):
    id: str
    family: str
    """The game that it leads to; empty for what all of them share."""
    steps: list[StepRow]


class FromGame(Struct, kw_only=True, forbid_unknown_fields=True):
    """A position of a game that its asker may see: of a table or a record that they keep, or of a record."""

    game: Annotated[str, Meta(max_length=64)] = ""
    text: Annotated[str, Meta(max_length=LARGEST)] = ""
    hand: Annotated[int, Meta(ge=1, le=1000)] = 1
    after: Annotated[int, Meta(ge=0, le=MOST_FRAMES)] = 0
    """So many moves of the hand."""


class NewPractice(Struct, kw_only=True, forbid_unknown_fields=True):
    """What is to be practised: one of these. Positions come from the program alone."""

    lesson: Annotated[str, Meta(max_length=40)] = ""
    step: Annotated[int, Meta(ge=1, le=100)] = 1
    advice: Annotated[str, Meta(max_length=40)] = ""
    review: FromGame | None = None


@get("/api/lessons", summary="The lessons, in their order", responses=mistakes())
async def lesson_rows() -> list[LessonRow]:
    return [
        LessonRow(
            id=lesson.id,
            family=lesson.family,
            steps=[StepRow(goals=step.goals, laid=bool(step.position)) for step in lesson.step],
        )
        for lesson in lessons().values()
    ]


async def _wanted(request: AnyRequest, services: Services, data: NewPractice) -> Practice:
    if data.review is not None:
        return await _from_game(request, services, data.review)
    try:
        if data.advice:
            return tip_to_try(data.advice)
        return practice_of(data.lesson, data.step)
    except NoSuchLesson:
        raise mistake(404, "NO_SUCH_LESSON") from None
    except NoSuchTip:
        raise mistake(404, "NO_SUCH_TIP") from None


async def _from_game(request: AnyRequest, services: Services, wanted: FromGame) -> Practice:
    """What its asker may look at again, they may play on."""
    text = wanted.text
    if wanted.game.startswith("my."):
        text = await kept_text(request, services, wanted.game)
    elif wanted.game:
        text = await table_text(request, services, wanted.game)
    if not services.replays.take(address(request)) or services.replaying.is_full:
        raise mistake(429, "MANY_REPLAYS")
    ends = time.monotonic() + SECONDS
    try:
        async with services.replaying:
            position = await asyncio.to_thread(
                position_in, text, wanted.hand, wanted.after, lambda: time.monotonic() > ends
            )
    except NotPossible:
        raise mistake(400, "NOT_PLAYED_ON") from None
    except TakesTooLong:
        raise mistake(400, "RECORD_TAKES_LONG") from None
    return Practice(f"{FROM_RECORD}{wanted.hand}:{wanted.after}", position, level="club")


@post(
    "/api/practice",
    summary="A table with cards laid out",
    status_code=201,
    request_max_body_size=2 * LARGEST,
    responses=mistakes(400, 401, 403, 404, 413),
)
async def open_practice(
    request: AnyRequest, services: TheServices, data: JSONBody[NewPractice]
) -> OpenedTable:
    """For whoever asks alone, with computer players; it is in no list, and it is forgotten after a day."""
    player = await player_of(request, services)
    practice = await _wanted(request, services, data)
    if not services.new_practice.take(player.id):
        raise mistake(429, "MANY_TABLES")
    if not services.new_practice_from.take(address(request)):
        raise mistake(429, "MANY_TABLES_FROM")
    live = await services.house.open_practice(player, practice)
    return OpenedTable(id=live.table.name, link=f"/t/{live.table.name}")


class Done(Struct, kw_only=True, forbid_unknown_fields=True):
    thing: Annotated[str, Meta(pattern=r"^[a-z]{1,12}:[a-z0-9-]{1,40}$(?!\n)")]
    """`lesson:frozen`"""


class Progress(Struct, kw_only=True):
    done: dict[str, float]
    """What the asker has done, with the time of each in seconds since 1970."""


@get("/api/progress", summary="How far I have come", responses=mistakes(401))
async def progress(request: AnyRequest, services: TheServices) -> Progress:
    player = await player_of(request, services)
    return Progress(done=await services.store.things_done(player.id))


@put(
    "/api/progress",
    summary="I have done this",
    status_code=204,
    responses={204: ResponseSpec(None, description="Noted."), **mistakes(400, 401, 403, 413)},
)
async def note_done(request: AnyRequest, services: TheServices, data: JSONBody[Done]) -> None:
    """Lessons and the like; it is for the marks on the asker's own path alone."""
    player = await player_of(request, services)
    await services.store.note_done(player.id, data.thing)


PRACTICE = [lesson_rows, open_practice, progress, note_done]
