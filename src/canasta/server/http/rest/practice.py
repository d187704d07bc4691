"""REST: lessons, tips, practice tables, and a player's progress."""

import asyncio
import time
from asyncio import QueueFull
from functools import cache
from typing import Annotated

from litestar.params import JSONBody
from msgspec import Meta, Struct

from canasta.errors import InputError, UnknownNameError
from canasta.lessons import Tip, lessons, practice_of, tip_to_try, tips
from canasta.notation.cards import format_card
from canasta.server.fair_queue import Asker
from canasta.server.http.rest.common import Call, OpenedTable, TheCall, api_error, bad_input_error, endpoint
from canasta.server.http.rest.records import LARGEST, SECONDS, kept_text, table_text
from canasta.table.log import LaidStep
from canasta.table.practice import FROM_RECORD, Practice
from canasta.table.replay_frames import MOST_FRAMES, position_in
from canasta.table.views import game_view, meld_view, pile_view
from canasta.table.wire import GameView, MeldView, PileView


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


@endpoint("GET /api/lessons", "List the lessons in order")
async def lesson_rows() -> list[LessonRow]:
    return [
        LessonRow(
            id=lesson.id,
            family=lesson.family,
            steps=[StepRow(goals=step.goals, laid=bool(step.position)) for step in lesson.step],
        )
        for lesson in lessons().values()
    ]


async def _wanted(call: Call, data: NewPractice) -> Practice:
    if data.review is not None:
        return await _from_game(call, data.review)
    try:
        if data.advice:
            return tip_to_try(data.advice)
        return practice_of(data.lesson, data.step)
    except UnknownNameError:
        raise api_error(404, "NO_SUCH_TIP" if data.advice else "NO_SUCH_LESSON") from None


async def _from_game(call: Call, source: FromGame) -> Practice:
    """Return a practice that starts from a position of a replay that the caller may see."""
    text = source.text
    if source.game.startswith("my."):
        text = await kept_text(call, source.game)
    elif source.game:
        text = await table_text(call, source.game)
    player = await call.player()
    call.check_rate("replays", call.address, "MANY_REPLAYS")
    ends = time.monotonic() + SECONDS
    try:
        async with call.services.replays.turns.turn(Asker(player.id, call.address)):
            position = await asyncio.to_thread(
                position_in, text, source.hand, source.after, lambda: time.monotonic() > ends
            )
    except QueueFull:
        raise api_error(429, "MANY_REPLAYS") from None
    except InputError as problem:
        raise bad_input_error(400, problem) from None
    except TimeoutError:
        raise api_error(400, "RECORD_TAKES_LONG") from None
    return Practice(f"{FROM_RECORD}{source.hand}:{source.after}", position, level="club")


@endpoint(
    "POST /api/practice", "Open a practice table", 400, 401, 403, 404, 413, status=201, largest=2 * LARGEST
)
async def open_practice(call: TheCall, data: JSONBody[NewPractice]) -> OpenedTable:
    """Open a private table with computer players.

    It appears in no list and is deleted after a day.
    """
    player = await call.player()
    practice = await _wanted(call, data)
    call.check_rate("practice", player.id, "MANY_TABLES")
    call.check_rate("practice_from", call.address, "MANY_TABLES_FROM")
    live = await call.services.registry.open_practice(player, practice)
    return OpenedTable(id=live.table.name, link=f"/t/{live.table.name}")


class DoneThing(Struct, kw_only=True, forbid_unknown_fields=True):
    thing: Annotated[str, Meta(pattern=r"^[a-z]{1,12}:[a-z0-9-]{1,40}$(?!\n)")]
    """A kind and a name, such as `lesson:frozen`."""


class PracticeProgress(Struct, kw_only=True):
    done: dict[str, float]
    """Completed items with the Unix time of each."""


@endpoint("GET /api/progress", "My progress", 401)
async def progress(call: TheCall) -> PracticeProgress:
    player = await call.player()
    return PracticeProgress(done=await call.services.store.things_done(player.id))


@endpoint("PUT /api/progress", "Mark an item as completed", 400, 401, 403, 413, done="Noted.")
async def note_done(call: TheCall, data: JSONBody[DoneThing]) -> None:
    """Mark a lesson or similar item as completed; this only affects the caller's own progress."""
    player = await call.player()
    call.check_rate("changes_from", call.address)
    await call.services.store.note_done(player.id, data.thing)


PRACTICE = [lesson_rows, open_practice, progress, note_done]


# -- tips ----------------------------------------------------------------------------------------------------


class Trial(Struct, kw_only=True):
    """A position to try, as its player sees it."""

    game: GameView
    hand: list[str]
    ours: list[MeldView]
    theirs: list[MeldView]
    pile: PileView
    best: list[str]
    """The recommended moves; any of them is right."""
    ahead: int
    """Average advantage in points over any other move."""


class TipRow(Struct, kw_only=True):
    id: str
    group: str
    rules: str
    """The game that the tip is about, or that illustrates it."""
    trial: Trial | None


@endpoint("GET /api/advice", "Tips, some with a position to try", sync_to_thread=True)
def advice() -> list[TipRow]:
    return list(_rows())


@cache
def _rows() -> tuple[TipRow, ...]:
    """Return all tips; the positions are computed only once."""
    return tuple(
        TipRow(id=tip.id, group=tip.group, rules=tip.rules, trial=_trial(tip) if tip.position else None)
        for tip in tips().values()
    )


def _trial(tip: Tip) -> Trial:
    match = LaidStep(position=tip.position).match()
    hand, seat = match.hand, match.hand.turn
    melds = [
        (side == match.side_of[seat], meld_view(hand.state, side, meld))
        for side in range(match.rules.seats.sides)
        for meld in hand.melds(side)
    ]
    return Trial(
        game=game_view(match.rules),
        hand=[format_card(card) for card in hand.hand_cards(seat)],
        ours=[meld for is_ours, meld in melds if is_ours],
        theirs=[meld for is_ours, meld in melds if not is_ours],
        pile=pile_view(match, hand.view(seat)),
        best=tip.best,
        ahead=tip.ahead,
    )


ADVICE = [advice]
