"""REST: tables, their rules, records and scores; the health of the server."""

import asyncio
import time
from datetime import date

import structlog
from litestar import MediaType, get, post
from litestar.params import FromPath, JSONBody

from canasta.i18n.safe_text import closest
from canasta.installation import VERSION
from canasta.notation.record import Record
from canasta.rules import RulesetError, resolve_ruleset
from canasta.server.accounts.rate_limits import SITE_SHARE
from canasta.server.accounts.sessions import Player
from canasta.server.fair_queue import Asker
from canasta.server.http.rest.common import (
    SPEAKS,
    AnyRequest,
    Lang,
    TheServices,
    address,
    bad_rules,
    home,
    language_of,
    mistake,
    mistakes,
    player_of,
    refused_request,
)
from canasta.server.http.rest.games import rules_answer
from canasta.server.http.rest.schemas import (
    CommandDone,
    Health,
    NewTable,
    OpenedTable,
    RuleSheetView,
    Scores,
    TableListing,
)
from canasta.server.services import Services
from canasta.server.store import DatabaseError
from canasta.server.tables.live_table import LONGEST_ID, LiveTable
from canasta.server.tables.registry import Wish
from canasta.table.seats import LEVELS
from canasta.table.table import Table
from canasta.table.views import score_history, sheet_view
from canasta.table.wire import Done, Refused
from canasta.table.wire_commands import (
    ArrangeSeats,
    ChangeGame,
    LeaveSeat,
    PlayAgain,
    RemovePlayer,
    SeatBot,
    StartGame,
    TakeSeat,
)

_logger = structlog.get_logger()


@get("/api/health", summary="Server health", responses=mistakes())
async def health(services: TheServices) -> Health:
    """Return the server's health; 503 if the database can't be read or written, is damaged, or is too slow.

    `extra.problem` names the problem.
    """
    try:
        await services.check()
    except DatabaseError as problem:
        _logger.error("database_unavailable", problem=str(problem))
        # The driver's message may contain hosts and paths.
        told = str(problem) if problem.is_damaged else str(problem).partition(":")[0].rstrip(".") + "."
        raise mistake(503, "NO_DATABASE", extra={"problem": told}) from None
    uptime = round(time.monotonic() - services.house.began, 1)
    return Health(status="ok", version=VERSION, tables=services.house.open_tables, uptime=uptime)


async def live_table(services: Services, table: str) -> LiveTable:
    live = await services.house.find(table)
    if live is None:
        raise mistake(404, "NO_SUCH_TABLE")
    return live


async def record_of(request: AnyRequest, services: Services, table: str) -> Record:
    """Return the record of the finished hands of a table; raise 403 or 404 if there isn't one for the caller.

    A record contains the full deal, so the deal of the day has none until its cards are revealed. Practice
    tables have none either.
    """
    there = (await live_table(services, table)).table
    if there.created.practice:
        raise mistake(404, "NO_RECORD_OF_PRACTICE")
    await _may_know(request, services, there)
    if there.created.day and not services.days.is_revealed(date.fromisoformat(there.created.day)):
        raise mistake(403, "DAY_UNTOLD")
    return there.written()


async def _may_know(request: AnyRequest, services: Services, there: Table) -> None:
    """Raise 403 unless the caller may see the results.

    Until a deal of the day is revealed, only its player may see them; at any other table without spectators,
    only its players.
    """
    player = await services.player_of(request.scope)
    if there.created.day:
        is_revealed = services.days.is_revealed(date.fromisoformat(there.created.day))
        if not is_revealed and (player is None or there.seat_of(player.id) is None):
            raise mistake(403, "DAY_UNTOLD")
    elif not there.may_watch("" if player is None else player.id):
        raise mistake(403, "NO_SPECTATORS")


def table_line(live: LiveTable) -> TableListing:
    table = live.table
    return TableListing(
        id=table.name,
        title=table.rules.title,
        rules=table.rules.name,
        players=len(table.chairs),
        seats=[chair.name for chair in table.chairs],
        free=len(table.open_seats()) if live.table.may_watch("") else 0,
        status=table.status,
        hand=table.match.hand_number if table.match is not None else 0,
        scores=list(table.match.scores) if table.match is not None else [0] * table.rules.seats.sides,
        watching=live.watching,
        clock=table.created.clock,
        next=table.next_table,
    )


@get("/api/tables", summary="Public tables", responses=mistakes())
async def tables(request: AnyRequest, services: TheServices) -> list[TableListing]:
    """List public tables; those without spectators only for people who have a seat or can still take one."""
    player = await services.player_of(request.scope)
    listed = await services.house.public_tables("" if player is None else player.id)
    return [table_line(live) for live in listed]


def _may_wait(services: Services, asker: Asker) -> None:
    """Raise 429 if too many public tables of this person, or from this address, are waiting for players."""
    limits = services.settings.limits
    by_person, by_address, by_site = services.house.waiting_tables(asker)
    if by_person >= limits.waiting_tables:
        raise mistake(429, "MANY_WAITING", {"count": by_person})
    if by_address >= limits.waiting_tables_from or by_site >= SITE_SHARE * limits.waiting_tables_from:
        raise mistake(429, "MANY_TABLES_FROM")


@post("/api/tables", summary="Open a table", status_code=201, responses=mistakes(400, 401, 403, 413))
async def open_table(request: AnyRequest, services: TheServices, data: JSONBody[NewTable]) -> OpenedTable:
    """Open a table. The caller becomes the host and takes seat 0."""
    player = await player_of(request, services)
    if data.bots not in LEVELS:
        near = closest(data.bots[:40], LEVELS)
        facts: dict[str, int | str] = {"choices": ", ".join(LEVELS), "written": near}
        raise mistake(400, "NEARLY_A_LEVEL" if near else "NO_SUCH_LEVEL", facts)
    if data.public and not data.start:
        _may_wait(services, Asker(player.id, home(request)))
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


RoomOrder = TakeSeat | LeaveSeat | SeatBot | RemovePlayer | ChangeGame | ArrangeSeats | StartGame | PlayAgain
"""Commands that work without a connection to the table."""


class Caller:
    """A `Viewer` that sends one command and receives no updates."""

    def __init__(self, player: Player, home: str) -> None:
        self.player, self.name, self.account = player.id, player.name, player.account
        self.home = home
        self.is_behind = self.is_closing = False

    def show(self, text: str) -> None: ...

    def answer(self, text: str) -> None: ...

    def close(self, code: int, reason: str) -> None: ...


@post(
    "/api/tables/{table:str}/orders",
    summary="Seats, game, start, rematch",
    status_code=200,
    responses=mistakes(400, 401, 403, 404, 409, 413),
)
async def order(
    request: AnyRequest, services: TheServices, table: FromPath[str], data: JSONBody[RoomOrder]
) -> CommandDone:
    """Carry out a command of the websocket protocol. A refused command answers 409 and changes nothing."""
    player = await player_of(request, services)
    live = await live_table(services, table)
    if not 1 <= len(data.id) <= LONGEST_ID or not data.id.isprintable():
        raise mistake(400, "BAD_ID", {"most": LONGEST_ID})
    here = address(request)
    if not services.changes_from.take(here) or not services.changes.take(f"{player.id}@{table}"):
        raise mistake(429, "TOO_FAST")
    is_new_name = isinstance(data, TakeSeat) and data.name not in (None, player.name)
    if is_new_name and not services.may_try_name(player.id, here):
        raise mistake(429, "MANY_NAMES")
    if isinstance(data, ChangeGame) and not services.game_changes_from.take(here):
        raise mistake(429, "TOO_FAST")
    if not live.table.may_watch(player.id):
        raise mistake(403, "NO_SPECTATORS")
    answer = await live.handle(Caller(player, home(request)), data)
    if isinstance(answer, Refused):
        if isinstance(data, ChangeGame) and answer.why.reason == "BAD_RULES":
            try:
                resolve_ruleset(data.rules, data.players, data.options)
            except RulesetError as error:
                raise bad_rules(error, language_of(request, None)) from None
        raise refused_request(answer)
    if not isinstance(answer, Done):
        raise mistake(503, "NOT_STORED")
    return CommandDone(state=answer.state)


@get("/api/tables/{table:str}", summary="A table", responses=mistakes(403, 404))
async def table_row(request: AnyRequest, services: TheServices, table: FromPath[str]) -> TableListing:
    """Return a table; 403 without a seat or free place if it doesn't allow spectators."""
    live = await live_table(services, table)
    player = await services.player_of(request.scope)
    if not live.table.may_watch("" if player is None else player.id):
        raise mistake(403, "NO_SPECTATORS")
    return table_line(live)


@get(
    "/api/tables/{table:str}/rules",
    summary="The rules of a table",
    responses=mistakes(400, 404),
    response_headers=SPEAKS,
)
async def table_rules(
    request: AnyRequest, services: TheServices, table: FromPath[str], lang: Lang = None
) -> RuleSheetView:
    return rules_answer((await live_table(services, table)).table.rules, language_of(request, lang))


@get(
    "/api/tables/{table:str}/record",
    summary="Record of the finished hands",
    media_type=MediaType.TEXT,
    responses=mistakes(403, 404),
)
async def table_record(request: AnyRequest, services: TheServices, table: FromPath[str]) -> str:
    record = await record_of(request, services, table)
    # Formatting a long game would block the other tables.
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
