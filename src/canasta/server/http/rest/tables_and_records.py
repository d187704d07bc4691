"""REST: tables, their rules, records and scores; the health of the server."""

import asyncio
import time
from datetime import date

from litestar import MediaType, get, post
from litestar.params import FromPath, JSONBody

from canasta.notation.errors import nearest
from canasta.notation.record import Record
from canasta.release import VERSION
from canasta.rules import RulesetError, resolve_ruleset
from canasta.server.http.rest.calls import (
    SPEAKS,
    AnyRequest,
    Lang,
    Refusal,
    TheServices,
    address,
    bad_rules,
    home,
    language_of,
    mistake,
    mistakes,
    player_of,
)
from canasta.server.http.rest.games_and_rules import rules_answer
from canasta.server.http.rest.messages import Carried, Health, NewTable, OpenedTable, Rules, Scores, TableRow
from canasta.server.people.sessions import Player
from canasta.server.services import Services
from canasta.server.tables.house import Wish
from canasta.server.tables.live import LONGEST_ID, LiveTable
from canasta.table.chairs import LEVELS
from canasta.table.table import Table
from canasta.table.views import score_history, sheet_view
from canasta.table.wire import Done, Refused
from canasta.table.wire_commands import (
    ArrangeSeats,
    ChangeGame,
    LeaveSeat,
    PlayAgain,
    SeatBot,
    StartGame,
    TakeSeat,
)


@get("/api/health", summary="Is the server well?", responses=mistakes())
async def health(services: TheServices) -> Health:
    """503 when the database cannot be read or written, or does not answer within seconds."""
    await services.check()
    uptime = round(time.monotonic() - services.house.began, 1)
    return Health(status="ok", version=VERSION, tables=services.house.open_tables, uptime=uptime)


async def live_table(services: Services, table: str) -> LiveTable:
    live = await services.house.find(table)
    if live is None:
        raise mistake(404, "NO_SUCH_TABLE")
    return live


async def record_of(request: AnyRequest, services: Services, table: str) -> Record:
    """The hands of a table that are over. Those of a deal of the day are its player's alone, until everybody
    may know the cards; where cards were laid out for practice, none could deal them again."""
    there = (await live_table(services, table)).table
    if there.created.practice:
        raise mistake(404, "NO_RECORD_OF_PRACTICE")
    await _may_know(request, services, there)
    return there.written()


async def _may_know(request: AnyRequest, services: Services, there: Table) -> None:
    """What came of a deal of the day is its player's alone, until everybody may know the cards."""
    if there.created.day and not services.days.is_revealed(date.fromisoformat(there.created.day)):
        player = await services.player_of(request.scope)
        if player is None or there.seat_of(player.id) is None:
            raise mistake(403, "DAY_UNTOLD")


def table_line(live: LiveTable) -> TableRow:
    table = live.table
    return TableRow(
        id=table.name,
        title=table.rules.title,
        rules=table.rules.name,
        players=len(table.chairs),
        seats=[chair.name for chair in table.chairs],
        free=len(table.open_seats()) if live.table.may_look("") else 0,
        status=table.status,
        hand=table.match.hand_number if table.match is not None else 0,
        scores=list(table.match.scores) if table.match is not None else [0] * table.rules.seats.sides,
        watching=live.watching,
        clock=table.created.clock,
        next=table.next_table,
    )


@get("/api/tables", summary="Public tables", responses=mistakes())
async def tables(services: TheServices) -> list[TableRow]:
    return [table_line(live) for live in await services.house.public_tables()]


@post("/api/tables", summary="Open a table", status_code=201, responses=mistakes(400, 401, 403, 413))
async def open_table(request: AnyRequest, services: TheServices, data: JSONBody[NewTable]) -> OpenedTable:
    """Whoever opens it sits on seat 0 and is the host."""
    player = await player_of(request, services)
    if data.bots not in LEVELS:
        near = nearest(data.bots[:40], LEVELS)
        facts: dict[str, int | str] = {"choices": ", ".join(LEVELS), "written": near}
        raise mistake(400, "NEARLY_A_LEVEL" if near else "NO_SUCH_LEVEL", facts)
    if not services.new_tables.take(player.id):
        raise mistake(429, "MANY_TABLES")
    if not services.new_tables_from.take(address(request)):
        raise mistake(429, "MANY_TABLES_FROM")
    try:
        wish = Wish(
            rules=data.rules,
            players=data.players,
            options=data.options,
            public=data.public,
            level=data.bots,
            clock=data.clock,
            spectators=data.spectators,
            one_seat=data.one_seat,
            start=data.start,
        )
        live = await services.house.open_table(player, wish, home(request))
    except RulesetError as error:
        raise bad_rules(error, language_of(request, None)) from None
    return OpenedTable(id=live.table.name, link=f"/t/{live.table.name}")


RoomOrder = TakeSeat | LeaveSeat | SeatBot | ChangeGame | ArrangeSeats | StartGame | PlayAgain
"""What can be ordered without a connection to the table."""


class Caller:
    """A `Viewer` who asks and does not stay to look."""

    def __init__(self, player: Player, home: str) -> None:
        self.player, self.name, self.account = player.id, player.name, player.account
        self.home = home

    def show(self, text: str) -> None: ...

    def answer(self, text: str) -> None: ...

    def close(self, code: int, reason: str) -> None: ...


@post(
    "/api/tables/{table:str}/orders",
    summary="Seats, the game, the start, once more",
    status_code=200,
    responses=mistakes(400, 401, 403, 404, 409, 413),
)
async def order(
    request: AnyRequest, services: TheServices, table: FromPath[str], data: JSONBody[RoomOrder]
) -> Carried:
    """The same commands as on the websocket. One that is refused has changed nothing: 409."""
    player = await player_of(request, services)
    live = await live_table(services, table)
    if not 1 <= len(data.id) <= LONGEST_ID or not data.id.isprintable():
        raise mistake(400, "BAD_ID", {"most": LONGEST_ID})
    if not services.changes.take(f"{player.id}@{table}"):
        raise mistake(429, "TOO_FAST")
    if not live.table.may_look(player.id):
        raise mistake(403, "NO_SPECTATORS")
    answer = await live.handle(Caller(player, home(request)), data)
    if isinstance(answer, Refused):
        if isinstance(data, ChangeGame) and answer.why.reason == "BAD_RULES":
            try:
                resolve_ruleset(data.rules, data.players, data.options)
            except RulesetError as error:
                raise bad_rules(error, language_of(request, None)) from None
        raise Refusal(answer)
    if not isinstance(answer, Done):
        raise mistake(503, "NOT_STORED")
    return Carried(state=answer.state)


@get("/api/tables/{table:str}", summary="A table", responses=mistakes(404))
async def table_row(services: TheServices, table: FromPath[str]) -> TableRow:
    return table_line(await live_table(services, table))


@get(
    "/api/tables/{table:str}/rules",
    summary="The rules of a table",
    responses=mistakes(400, 404),
    response_headers=SPEAKS,
)
async def table_rules(
    request: AnyRequest, services: TheServices, table: FromPath[str], lang: Lang = None
) -> Rules:
    return rules_answer((await live_table(services, table)).table.rules, language_of(request, lang))


@get(
    "/api/tables/{table:str}/record",
    summary="The hands that are over, as a record",
    media_type=MediaType.TEXT,
    responses=mistakes(403, 404),
)
async def table_record(request: AnyRequest, services: TheServices, table: FromPath[str]) -> str:
    record = await record_of(request, services, table)
    # A long game takes longer than the other tables should wait.
    return await asyncio.to_thread(record.text)


@get("/api/tables/{table:str}/scores", summary="The scores of a table", responses=mistakes(403, 404))
async def table_scores(request: AnyRequest, services: TheServices, table: FromPath[str]) -> Scores:
    there = (await live_table(services, table)).table
    await _may_know(request, services, there)
    history = score_history(there.match)
    sheets = there.match.sheets if there.match is not None else []
    outs = there.went_out
    return Scores(
        history=history,
        sheets=[
            sheet_view(number, sheet, scores, out)
            for number, (sheet, scores, out) in enumerate(zip(sheets, history, outs, strict=True), 1)
        ],
    )


TABLES = [health, tables, open_table, order, table_row, table_rules, table_record, table_scores]
