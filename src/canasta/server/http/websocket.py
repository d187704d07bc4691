"""The websocket connection to a table: commands in, frames out."""

import asyncio
import contextlib
from asyncio import QueueFull
from collections import deque
from typing import Any, Final

import msgspec
import structlog
from litestar.types import Receive, Scope, Send
from msgspec import UNSET, Struct, UnsetType

from canasta.server.accounts.accounts import Player
from canasta.server.accounts.rate_limits import Bucket
from canasta.server.addresses import address_of, home_of
from canasta.server.services import Services, token_of
from canasta.server.store import DatabaseError
from canasta.server.tables.live_table import LONGEST_ID, NOT_ALLOWED, LiveTable
from canasta.server.tables.viewers import Viewer
from canasta.table.errors import problem_of
from canasta.table.frames import encode_frame
from canasta.table.wire import AnyFrame, Problem
from canasta.table.wire_commands import (
    LONGEST_COMMAND,
    AnyCommand,
    AskHint,
    ChangeGame,
    CheckMove,
    MakeMove,
    Ping,
    Say,
    TakeSeat,
)

_logger = structlog.get_logger()

LOGGED_OUT: Final = 4401
UNKNOWN_TABLE: Final = 4404
TOO_MUCH: Final = 4408
"""Close code for a client that sends too many messages or doesn't read."""
TRY_LATER: Final = 1013
READ_WITHIN: Final = 30.0
"""Time limit in seconds for a client to read a message."""
_MOST_ANSWERS: Final = 200
"""Maximum number of unread answers per client."""

_decoder: Final[msgspec.json.Decoder[AnyCommand]] = msgspec.json.Decoder(AnyCommand)


class _OnlyId(Struct):
    id: str = ""


_id_decoder: Final = msgspec.json.Decoder(_OnlyId)


class Connection:
    """A `Viewer` with a queue of messages that the client hasn't read yet."""

    def __init__(
        self, send: Send, player: Player | None, *, token: str = "", address: str = "", home: str = ""
    ) -> None:
        self.player = "" if player is None else player.id
        self.name = "" if player is None else player.name
        self.account = player is not None and player.account
        self.home = home
        self.token = "" if player is None else token
        """Session token that the connection was opened with."""
        self.address = address
        self._send = send
        self._waiting: deque[list[str]] = deque()
        self._state: list[str] = [""]
        """The last queued state, in a list so that it can be replaced while it waits."""
        self._wake = asyncio.Event()
        self._closing: tuple[int, str] | None = None

    def show(self, text: str) -> None:
        # A state is complete, so only the newest one is worth sending.
        if self._waiting and self._waiting[-1] is self._state:
            self._state[0] = text
            return
        self._state[0] = ""
        self._state = [text]
        self._waiting.append(self._state)
        self._wake.set()

    @property
    def is_behind(self) -> bool:
        return any(waiting is self._state for waiting in self._waiting)

    def answer(self, text: str) -> None:
        self._waiting.append([text])
        self._wake.set()
        if len(self._waiting) > _MOST_ANSWERS:
            self.close(TOO_MUCH, "You do not read what the table tells you.")

    def close(self, code: int, reason: str) -> None:
        self._closing = (code, reason)
        self._wake.set()

    def log_out(self) -> None:
        self.close(LOGGED_OUT, "Your session has ended.")

    @property
    def is_closing(self) -> bool:
        return self._closing is not None

    async def write(self) -> None:
        """Send queued messages until the connection is to be closed."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                text = self._waiting.popleft()[0]
                if text:
                    await self._post({"type": "websocket.send", "text": text, "bytes": None})
            if self._closing is not None:
                code, reason = self._closing
                await self._post({"type": "websocket.close", "code": code, "reason": reason})
                return

    async def _post(self, message: Any) -> None:
        """Send a message; raise `TimeoutError` if the client doesn't read the previous ones."""
        async with asyncio.timeout(READ_WITHIN):
            await self._send(message)


async def serve_table(scope: Scope, receive: Receive, send: Send, services: Services, table: str) -> None:
    """Serve a connection to a table from start to end."""
    first = await receive()
    if first["type"] != "websocket.connect":
        return
    await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
    try:
        player = await services.player_of(scope)
        live = await services.registry.find(table)
    except DatabaseError as error:
        _logger.error("database_unavailable", problem=str(error))
        await _turn_away(send, problem_of("server_error", "NO_DATABASE"), TRY_LATER)
        return
    connection = Connection(
        send, player, token=token_of(scope), address=address_of(scope), home=home_of(scope)
    )
    if live is None:
        await _turn_away(send, problem_of("unknown_table", "NO_SUCH_TABLE"), UNKNOWN_TABLE)
        return
    if not live.table.may_watch(connection.player):
        await _turn_away(send, problem_of("not_allowed", "NO_SPECTATORS"), NOT_ALLOWED)
        return
    seated = connection.player if live.table.seat_of(connection.player) is not None else ""
    with contextlib.ExitStack() as counted:
        try:
            counted.enter_context(live.viewer_limits.hold(seated, connection.address))
        except QueueFull:
            await _turn_away(send, problem_of("busy", "MANY_SPECTATORS"), TRY_LATER)
            return
        await _serve(receive, connection, live, services)


async def _serve(receive: Receive, connection: Connection, live: LiveTable, services: Services) -> None:
    writer = asyncio.create_task(connection.write())
    # Remove the viewer as soon as its writer has ended, without waiting for `leave`.
    writer.add_done_callback(lambda _: live.drop(connection))
    try:
        with services.sessions.connected(connection.token, connection.log_out):
            await live.enter(connection)
            await _read(receive, connection, live, services, writer)
    finally:
        await live.leave(connection)
        writer.cancel()
        with contextlib.suppress(asyncio.CancelledError, Exception):
            await writer


async def _turn_away(send: Send, why: Problem, code: int) -> None:
    with contextlib.suppress(OSError, RuntimeError):
        await send({"type": "websocket.send", "text": encode_frame(why), "bytes": None})
        await send({"type": "websocket.close", "code": code, "reason": why.code})


async def _read(
    receive: Receive, connection: Connection, live: LiveTable, services: Services, writer: asyncio.Task[None]
) -> None:
    budget = _MessageBudget(connection, services)
    advice: asyncio.Task[None] | None = None
    try:
        while True:
            message = await _next_message(receive, writer)
            if message["type"] != "websocket.receive":
                return
            if connection.is_closing or not await _is_known(connection, services):
                await asyncio.wait([writer])  # it still has to send why the connection ends
                return
            text = message.get("text")
            command = _admitted(
                text if text is not None else message.get("bytes") or b"", connection, live, services, budget
            )
            if command is None:
                connection.close(TOO_MUCH, "Too many messages.")
                continue
            if isinstance(command, Problem):
                connection.answer(encode_frame(command))
            elif not isinstance(command, AskHint):
                connection.answer(encode_frame(await carry_out(command, connection, live)))
            elif advice is not None and not advice.done():
                connection.answer(encode_frame(_too_fast(command.id, "STILL_THINKING")))
            else:
                # Run in a task of its own: the player may move before the hint is ready.
                advice = asyncio.create_task(_advise(command, connection, live))
    finally:
        if advice is not None:
            advice.cancel()
            await asyncio.gather(advice, return_exceptions=True)


async def _next_message(receive: Receive, writer: asyncio.Task[None]) -> Any:
    """Return the next message, or a disconnect as soon as the writer has ended."""
    try:
        async with asyncio.timeout(None) as reading:

            def end(_: object) -> None:
                with contextlib.suppress(RuntimeError):  # a message came at the same moment
                    reading.reschedule(asyncio.get_running_loop().time())

            writer.add_done_callback(end)
            try:
                return await receive()
            finally:
                writer.remove_done_callback(end)
    except TimeoutError:
        return {"type": "websocket.disconnect"}


async def _advise(command: AskHint, connection: Connection, live: LiveTable) -> None:
    connection.answer(encode_frame(await carry_out(command, connection, live)))


async def _is_known(connection: Connection, services: Services) -> bool:
    """Return whether the session is still valid: it may have expired or been ended by another process."""
    if connection.token:
        # Without the database nothing can be written anyway, so there's no reason to disconnect anyone.
        with contextlib.suppress(DatabaseError):
            if await services.sessions.player(connection.token) is None:
                connection.log_out()
    return not connection.is_closing


class _MessageBudget:
    """The message budget of one connection.

    Before the connection is closed, some messages are refused, since a client that sends too many may
    recover.
    """

    def __init__(self, connection: Connection, services: Services) -> None:
        self._address = connection.address
        self._own = Bucket(services.settings.limits.commands)
        self._refused = Bucket(services.settings.limits.commands)
        self._limits = services.limits

    def take(self) -> bool:
        """Count a message; return False if it must be refused."""
        return self._own.take() and self._limits.take("commands_from", self._address)

    def may_refuse(self) -> bool:
        """Count a refusal; return False if the connection must be closed."""
        return self._refused.take()


def _admitted(
    content: str | bytes, connection: Connection, live: LiveTable, services: Services, budget: _MessageBudget
) -> AnyCommand | Problem | None:
    """Return the command if it is valid and within the limits, otherwise the problem.

    `None` means that the connection must be closed.
    """
    is_within = budget.take()
    if not is_within and not budget.may_refuse():
        return None
    command = read_command(content)
    if isinstance(command, Problem):
        return command if is_within else _too_fast(command.id)
    return command if is_within and _is_within(command, connection, live, services) else _too_fast(command.id)


def _is_within(command: AnyCommand, connection: Connection, live: LiveTable, services: Services) -> bool:
    """Return whether a command is within its rate limits.

    Expensive requests are limited by player and by address, since a player can have many connections and an
    address many players. Log entries are limited by player and table.
    """
    player, address = connection.player, connection.address
    match command:
        case Ping():
            return True
        case AskHint():
            return services.limits.take("hints", player) and services.limits.take("hints_from", address)
        case CheckMove():
            return services.limits.take("checks", player) and services.limits.take("checks_from", address)
        case MakeMove():
            written = "moves"
        case Say():
            written = "phrases"
        case _ if not services.limits.take("changes_from", address):
            return False
        case ChangeGame() if not services.limits.take("game_changes_from", address):
            return False
        case TakeSeat(name=str(name)) if name != connection.name and not services.may_try_name(
            player, address
        ):
            return False
        case _:
            written = "changes"
    return services.limits.take(written, f"{player}@{live.table.name}")


def _too_fast(name: str | UnsetType, reason: str = "TOO_FAST") -> Problem:
    return problem_of("too_fast", reason, answers=name)


def read_command(content: str | bytes) -> AnyCommand | Problem:
    """Parse a message; return the command, or the problem with it."""
    if len(content) > LONGEST_COMMAND:
        return problem_of("too_long", "TOO_LONG", {"most": LONGEST_COMMAND})
    try:
        command = _decoder.decode(content)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        return problem_of("bad_message", "BAD_MESSAGE", {"text": str(error)}, answers=_id_in(content))
    if not 1 <= len(command.id) <= LONGEST_ID or not command.id.isprintable():
        return problem_of("bad_message", "BAD_ID", {"most": LONGEST_ID})
    return command


def _id_in(content: str | bytes) -> str | UnsetType:
    """Return the id of a message that is otherwise invalid; unset if it has none."""
    try:
        name = _id_decoder.decode(content).id[:LONGEST_ID]
        return name if name and name.isprintable() else UNSET
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return UNSET


async def carry_out(command: AnyCommand, viewer: Viewer, live: LiveTable) -> AnyFrame:
    try:
        return await live.handle(viewer, command)
    except Exception:  # an error in one command must not end the connection
        _logger.exception("command_failed", table=live.table.name, command=type(command).__name__)
        return problem_of("server_error", "NOT_DONE", answers=command.id)
