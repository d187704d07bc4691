"""REST: lessons, practice tables, and a player's progress."""

import asyncio
import time
from asyncio import QueueFull
from typing import Annotated

from litestar import get, post, put
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody
from msgspec import Meta, Struct

from canasta.errors import InputError, UnknownNameError
from canasta.lessons import lessons, practice_of, tip_to_try
from canasta.server.fair_queue import Asker
from canasta.server.http.rest.common import (
    AnyRequest,
    TheServices,
    address,
    mistake,
    mistakes,
    player_of,
    unusable,
)
from canasta.server.http.rest.my_games import kept_text
from canasta.server.http.rest.replays import LARGEST, SECONDS, table_text
from canasta.server.http.rest.schemas import OpenedTable
from canasta.server.services import Services
from canasta.table.practice import FROM_RECORD, Practice
from canasta.table.replay_frames import MOST_FRAMES, position_in


class StepRow(Struct, kw_only=True):
    goals: list[str]
    """Goals such as `meld K 4`; empty for a step that is only text."""
    laid: bool
    """True if the step starts from its own position instead of continuing the previous step."""


class LessonRow(Struct, kw_only=True):
    id: str
    family: str
    """The family of games that it teaches; empty for the basics."""
    steps: list[StepRow]


class FromGame(Struct, kw_only=True, forbid_unknown_fields=True):
    """A position of a game that the caller may replay: from a table, a saved record, or the text of a
    record."""

    game: Annotated[str, Meta(max_length=64)] = ""
    text: Annotated[str, Meta(max_length=LARGEST)] = ""
    hand: Annotated[int, Meta(ge=1, le=1000)] = 1
    after: Annotated[int, Meta(ge=0, le=MOST_FRAMES)] = 0
    """Number of moves played before the position."""


class NewPractice(Struct, kw_only=True, forbid_unknown_fields=True):
    """The thing to practise: exactly one of lesson, tip or reviewed position.

    Clients never send positions of their own.
    """

    lesson: Annotated[str, Meta(max_length=40)] = ""
    step: Annotated[int, Meta(ge=1, le=100)] = 1
    advice: Annotated[str, Meta(max_length=40)] = ""
    review: FromGame | None = None


@get("/api/lessons", summary="List the lessons in order", responses=mistakes())
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
    except UnknownNameError:
        raise mistake(404, "NO_SUCH_TIP" if data.advice else "NO_SUCH_LESSON") from None


async def _from_game(request: AnyRequest, services: Services, wanted: FromGame) -> Practice:
    """Return the position of a replay that the caller may see, for playing on from there."""
    text = wanted.text
    if wanted.game.startswith("my."):
        text = await kept_text(request, services, wanted.game)
    elif wanted.game:
        text = await table_text(request, services, wanted.game)
    player = await player_of(request, services)
    if not services.new_replays.take(address(request)):
        raise mistake(429, "MANY_REPLAYS")
    ends = time.monotonic() + SECONDS
    try:
        async with services.replays.turns.turn(Asker(player.id, address(request))):
            position = await asyncio.to_thread(
                position_in, text, wanted.hand, wanted.after, lambda: time.monotonic() > ends
            )
    except QueueFull:
        raise mistake(429, "MANY_REPLAYS") from None
    except InputError as problem:
        raise unusable(400, problem) from None
    except TimeoutError:
        raise mistake(400, "RECORD_TAKES_LONG") from None
    return Practice(f"{FROM_RECORD}{wanted.hand}:{wanted.after}", position, level="club")


@post(
    "/api/practice",
    summary="Open a practice table",
    status_code=201,
    request_max_body_size=2 * LARGEST,
    responses=mistakes(400, 401, 403, 404, 413),
)
async def open_practice(
    request: AnyRequest, services: TheServices, data: JSONBody[NewPractice]
) -> OpenedTable:
    """Open a private table with computer players.

    It appears in no list and is deleted after a day.
    """
    player = await player_of(request, services)
    practice = await _wanted(request, services, data)
    if not services.new_practice.take(player.id):
        raise mistake(429, "MANY_TABLES")
    if not services.new_practice_from.take(address(request)):
        raise mistake(429, "MANY_TABLES_FROM")
    live = await services.house.open_practice(player, practice)
    return OpenedTable(id=live.table.name, link=f"/t/{live.table.name}")


class DoneThing(Struct, kw_only=True, forbid_unknown_fields=True):
    thing: Annotated[str, Meta(pattern=r"^[a-z]{1,12}:[a-z0-9-]{1,40}$(?!\n)")]
    """A kind and a name, such as `lesson:frozen`."""


class PracticeProgress(Struct, kw_only=True):
    done: dict[str, float]
    """Completed items with the Unix time of each."""


@get("/api/progress", summary="My progress", responses=mistakes(401))
async def progress(request: AnyRequest, services: TheServices) -> PracticeProgress:
    player = await player_of(request, services)
    return PracticeProgress(done=await services.store.things_done(player.id))


@put(
    "/api/progress",
    summary="Mark an item as completed",
    status_code=204,
    responses={204: ResponseSpec(None, description="Noted."), **mistakes(400, 401, 403, 413)},
)
async def note_done(request: AnyRequest, services: TheServices, data: JSONBody[DoneThing]) -> None:
    """Mark a lesson or similar item as completed; this only affects the caller's own progress."""
    player = await player_of(request, services)
    if not services.changes_from.take(address(request)):
        raise mistake(429, "TOO_FAST")
    await services.store.note_done(player.id, data.thing)


PRACTICE = [lesson_rows, open_practice, progress, note_done]
