"""REST: tables, their rules, records and scores; the health of the server."""

import asyncio
import time
from datetime import date

import structlog
from litestar import MediaType
from litestar.params import FromPath, JSONBody
from msgspec import Struct

from canasta.i18n.safe_text import closest
from canasta.installation import VERSION
from canasta.notation.record import Record
from canasta.rules import RulesetError, resolve_ruleset
from canasta.server.accounts.accounts import Player
from canasta.server.accounts.rate_limits import SITE_SHARE
from canasta.server.fair_queue import Asker
from canasta.server.http.rest.common import (
    Call,
    Lang,
    OpenedTable,
    TheCall,
    api_error,
    bad_rules,
    endpoint,
    refused_request,
)
from canasta.server.http.rest.games import RuleSheetView, rules_answer
from canasta.server.services import Services
from canasta.server.store import DatabaseError
from canasta.server.tables.live_table import LONGEST_ID, LiveTable
from canasta.server.tables.registry import NewTable
from canasta.table.seats import LEVELS
from canasta.table.table import Table
from canasta.table.views import score_history, sheet_view
from canasta.table.wire import Done, Refused, SheetView
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


class Health(Struct, kw_only=True):
    status: str
    version: str
    tables: int
    """Number of tables in memory."""
    uptime: float
    """Seconds."""


class TableListing(Struct, kw_only=True):
    id: str
    title: str
    rules: str
    players: int
    seats: list[str]
    """Names by seat; empty for a free seat."""
    free: int
    """Number of seats that a player can take."""
    status: str
    hand: int
    scores: list[int]
    watching: int
    clock: int
    next: str = ""
    """The table where the players continue after this game; empty if there isn't one."""


class CommandDone(Struct, kw_only=True):
    """The answer to a command that succeeded."""

    state: int
    """Number of the table's state after the command."""


class Scores(Struct, kw_only=True):
    history: list[list[int]]
    """Scores by side after each finished hand."""
    sheets: list[SheetView]


@endpoint("GET /api/health", "Server health")
async def health(call: TheCall) -> Health:
    """Return the server's health; 503 if the database can't be read or written, is damaged, or is too slow.

    `extra.problem` names the problem.
    """
    try:
        await call.services.check()
    except DatabaseError as problem:
        _logger.error("database_unavailable", problem=str(problem))
        # The driver's message may contain hosts and paths.
        text = str(problem) if problem.is_damaged else str(problem).partition(":")[0].rstrip(".") + "."
        raise api_error(503, "NO_DATABASE", extra={"problem": text}) from None
    uptime = round(time.monotonic() - call.services.registry.began, 1)
    return Health(status="ok", version=VERSION, tables=call.services.registry.open_tables, uptime=uptime)


async def live_table(services: Services, table: str) -> LiveTable:
    live = await services.registry.find(table)
    if live is None:
        raise api_error(404, "NO_SUCH_TABLE")
    return live


async def record_of(call: Call, table: str) -> Record:
    """Return the record of the finished hands of a table; raise 403 or 404 if the caller can't have one.

    A record contains the full deal, so the deal of the day has none until its cards are revealed. Practice
    tables have none either.
    """
    there = (await live_table(call.services, table)).table
    if there.created.practice:
        raise api_error(404, "NO_RECORD_OF_PRACTICE")
    await _may_know(call, there)
    if there.created.day and not call.services.days.is_revealed(date.fromisoformat(there.created.day)):
        raise api_error(403, "DAY_UNTOLD")
    return there.written()


async def _may_know(call: Call, there: Table) -> None:
    """Raise 403 unless the caller may see the results.

    Until a deal of the day is revealed, only its player may see them; at any other table without spectators,
    only its players.
    """
    player = await call.visitor()
    if there.created.day:
        is_revealed = call.services.days.is_revealed(date.fromisoformat(there.created.day))
        if not is_revealed and (player is None or there.seat_of(player.id) is None):
            raise api_error(403, "DAY_UNTOLD")
    elif not there.may_watch("" if player is None else player.id):
        raise api_error(403, "NO_SPECTATORS")


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


@endpoint("GET /api/tables", "Public tables")
async def tables(call: TheCall) -> list[TableListing]:
    """List public tables. Those without spectators are listed only for players who have a seat or can still
    take one."""
    player = await call.visitor()
    listed = await call.services.registry.public_tables("" if player is None else player.id)
    return [table_line(live) for live in listed]


def _may_wait(services: Services, asker: Asker) -> None:
    """Raise 429 if too many public tables of this player, or from this address, are waiting for players."""
    limits = services.settings.limits
    by_person, by_address, by_site = services.registry.waiting_tables(asker)
    if by_person >= limits.waiting_tables:
        raise api_error(429, "MANY_WAITING", {"count": by_person})
    if by_address >= limits.waiting_tables_from or by_site >= SITE_SHARE * limits.waiting_tables_from:
        raise api_error(429, "MANY_TABLES_FROM")


@endpoint("POST /api/tables", "Open a table", 400, 401, 403, 413, status=201)
async def open_table(call: TheCall, data: JSONBody[NewTable]) -> OpenedTable:
    """Open a table. The caller becomes the host and takes seat 0."""
    player = await call.player()
    if data.bots not in LEVELS:
        near = closest(data.bots[:40], LEVELS)
        facts: dict[str, int | str] = {"choices": ", ".join(LEVELS), "written": near}
        raise api_error(400, "NEARLY_A_LEVEL" if near else "NO_SUCH_LEVEL", facts)
    if data.public and not data.start:
        _may_wait(call.services, Asker(player.id, call.home))
    call.check_rate("tables", player.id, "MANY_TABLES")
    call.check_rate("tables_from", call.address, "MANY_TABLES_FROM")
    try:
        live = await call.services.registry.open_table(player, data, call.home)
    except RulesetError as error:
        raise bad_rules(error, call.language()) from None
    return OpenedTable(id=live.table.name, link=f"/t/{live.table.name}")


RoomOrder = TakeSeat | LeaveSeat | SeatBot | RemovePlayer | ChangeGame | ArrangeSeats | StartGame | PlayAgain
"""Commands that work without a connection to the table."""


class Caller:
    """A `Viewer` that sends a single command and receives no updates."""

    def __init__(self, player: Player, home: str) -> None:
        self.player, self.name, self.account = player.id, player.name, player.account
        self.home = home
        self.is_behind = self.is_closing = False

    def show(self, text: str) -> None: ...

    def answer(self, text: str) -> None: ...

    def close(self, code: int, reason: str) -> None: ...


@endpoint("POST /api/tables/{table:str}/orders", "Seats, game, start, rematch", 400, 401, 403, 404, 409, 413)
async def order(call: TheCall, table: FromPath[str], data: JSONBody[RoomOrder]) -> CommandDone:
    """Carry out a command of the websocket protocol. A refused command answers 409 and changes nothing."""
    player = await call.player()
    live = await live_table(call.services, table)
    if not 1 <= len(data.id) <= LONGEST_ID or not data.id.isprintable():
        raise api_error(400, "BAD_ID", {"most": LONGEST_ID})
    here = call.address
    call.check_rate("changes_from", here)
    call.check_rate("changes", f"{player.id}@{table}")
    is_new_name = isinstance(data, TakeSeat) and data.name not in (None, player.name)
    if is_new_name and not call.services.may_try_name(player.id, here):
        raise api_error(429, "MANY_NAMES")
    if isinstance(data, ChangeGame):
        call.check_rate("game_changes_from", here)
    if not live.table.may_watch(player.id):
        raise api_error(403, "NO_SPECTATORS")
    answer = await live.handle(Caller(player, call.home), data)
    if isinstance(answer, Refused):
        if isinstance(data, ChangeGame) and answer.why.reason == "BAD_RULES":
            try:
                resolve_ruleset(data.rules, data.players, data.options)
            except RulesetError as error:
                raise bad_rules(error, call.language()) from None
        raise refused_request(answer)
    if not isinstance(answer, Done):
        raise api_error(503, "NOT_STORED")
    return CommandDone(state=answer.state)


@endpoint("GET /api/tables/{table:str}", "A table", 403, 404)
async def table_row(call: TheCall, table: FromPath[str]) -> TableListing:
    """Return a table; raise 403 if it doesn't allow spectators, the caller has no seat there and none is
    free."""
    live = await live_table(call.services, table)
    player = await call.visitor()
    if not live.table.may_watch("" if player is None else player.id):
        raise api_error(403, "NO_SPECTATORS")
    return table_line(live)


@endpoint("GET /api/tables/{table:str}/rules", "The rules of a table", 400, 404, speaks=True)
async def table_rules(call: TheCall, table: FromPath[str], lang: Lang = None) -> RuleSheetView:
    return rules_answer((await live_table(call.services, table)).table.rules, call.language(lang))


@endpoint(
    "GET /api/tables/{table:str}/record", "Record of finished hands", 403, 404, media_type=MediaType.TEXT
)
async def table_record(call: TheCall, table: FromPath[str]) -> str:
    record = await record_of(call, table)
    # Formatting a long game would block the other tables.
    return await asyncio.to_thread(record.text)


@endpoint("GET /api/tables/{table:str}/scores", "The scores of a table", 403, 404)
async def table_scores(call: TheCall, table: FromPath[str]) -> Scores:
    there = (await live_table(call.services, table)).table
    await _may_know(call, there)
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
