"""One connection to a table: messages in, frames out."""

import asyncio
import contextlib
from collections import deque
from typing import Any, Final

import msgspec
import structlog
from litestar.types import Receive, Scope, Send
from msgspec import UNSET, Struct, UnsetType

from canasta.server.people.limits import Bucket
from canasta.server.people.sessions import Player
from canasta.server.services import Services, address_of, home_of, token_of
from canasta.server.store.store import Unavailable
from canasta.server.tables.live import LONGEST_ID, NOT_ALLOWED, LiveTable
from canasta.table.frames import encode_frame
from canasta.table.problems import problem_of
from canasta.table.viewers import Viewer
from canasta.table.wire import AnyFrame, Problem
from canasta.table.wire_commands import (
    LONGEST_COMMAND,
    AnyCommand,
    AskHint,
    CheckMove,
    MakeMove,
    Ping,
    Say,
)

_logger = structlog.get_logger()

LOGGED_OUT: Final = 4401
UNKNOWN_TABLE: Final = 4404
TOO_SLOW: Final = 4408
TRY_LATER: Final = 1013
READ_WITHIN: Final = 30.0
"""Seconds for a client to read what it was sent."""
_MOST_ANSWERS: Final = 200
"""Answers that wait for a client to read them."""

_decoder: Final[msgspec.json.Decoder[AnyCommand]] = msgspec.json.Decoder(AnyCommand)


class _OnlyId(Struct):
    id: str = ""


_id_decoder: Final = msgspec.json.Decoder(_OnlyId)


class Connection:
    """A `Viewer`. What it sends waits here until the client has read what came before."""

    def __init__(
        self, send: Send, player: Player | None, *, token: str = "", address: str = "", home: str = ""
    ) -> None:
        self.player = "" if player is None else player.id
        self.name = "" if player is None else player.name
        self.account = player is not None and player.account
        self.home = home
        self.token = "" if player is None else token
        """The cookie of the session that it was opened with."""
        self.address = address
        self._send = send
        self._waiting: deque[list[str]] = deque()
        self._state: list[str] = [""]
        """The state that was put into the row last."""
        self._wake = asyncio.Event()
        self._closing: tuple[int, str] | None = None

    def show(self, text: str) -> None:
        # A state tells everything, so only the newest one is worth sending.
        if self._waiting and self._waiting[-1] is self._state:
            self._state[0] = text
            return
        self._state[0] = ""
        self._state = [text]
        self._waiting.append(self._state)
        self._wake.set()

    def answer(self, text: str) -> None:
        self._waiting.append([text])
        self._wake.set()
        if len(self._waiting) > _MOST_ANSWERS:
            self.close(TOO_SLOW, "You do not read what the table tells you.")

    def close(self, code: int, reason: str) -> None:
        self._closing = (code, reason)
        self._wake.set()

    def log_out(self) -> None:
        self.close(LOGGED_OUT, "Your session has ended.")

    @property
    def is_closing(self) -> bool:
        return self._closing is not None

    async def write(self) -> None:
        """Sends until the connection is to be closed."""
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
        """Raises `TimeoutError` when the client does not read what came before."""
        async with asyncio.timeout(READ_WITHIN):
            await self._send(message)


async def serve_table(scope: Scope, receive: Receive, send: Send, services: Services, table: str) -> None:
    """The whole life of a connection."""
    first = await receive()
    if first["type"] != "websocket.connect":
        return
    await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
    try:
        player = await services.player_of(scope)
        live = await services.house.find(table)
    except Unavailable as error:
        _logger.error("database_unavailable", problem=str(error))
        await _turn_away(send, problem_of("server_error", "NO_DATABASE"), TRY_LATER)
        return
    connection = Connection(
        send, player, token=token_of(scope), address=address_of(scope), home=home_of(scope)
    )
    if live is None:
        await _turn_away(send, problem_of("unknown_table", "NO_SUCH_TABLE"), UNKNOWN_TABLE)
        return
    if not live.table.may_look(connection.player):
        await _turn_away(send, problem_of("not_allowed", "NO_SPECTATORS"), NOT_ALLOWED)
        return
    writer = asyncio.create_task(connection.write())
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
    bucket = Bucket(services.settings.limits.commands)
    advice: asyncio.Task[None] | None = None
    try:
        while not writer.done():
            message: Any = await receive()
            if message["type"] != "websocket.receive":
                return
            if connection.is_closing or not await _is_known(connection, services):
                continue
            text = message.get("text")
            command = _admitted(
                text if text is not None else message.get("bytes") or b"", connection, live, services, bucket
            )
            if isinstance(command, Problem):
                connection.answer(encode_frame(command))
            elif not isinstance(command, AskHint):
                connection.answer(encode_frame(await carry_out(command, connection, live)))
            elif advice is not None and not advice.done():
                connection.answer(encode_frame(_too_fast(command.id, "STILL_THINKING")))
            else:
                # Beside the reading: a player may well move before the advice is there.
                advice = asyncio.create_task(_advise(command, connection, live))
    finally:
        if advice is not None:
            advice.cancel()
            await asyncio.gather(advice, return_exceptions=True)


async def _advise(command: AskHint, connection: Connection, live: LiveTable) -> None:
    connection.answer(encode_frame(await carry_out(command, connection, live)))


async def _is_known(connection: Connection, services: Services) -> bool:
    """Whether the session lasts: another process may have ended it, or its time is over."""
    if connection.token:
        # Without the database nothing can be written anyway; the table need not send people away.
        with contextlib.suppress(Unavailable):
            if await services.sessions.player(connection.token) is None:
                connection.log_out()
    return not connection.is_closing


def _admitted(
    content: str | bytes, connection: Connection, live: LiveTable, services: Services, bucket: Bucket
) -> AnyCommand | Problem:
    """The command, if it is one and within the limits."""
    command = read_command(content)
    is_within = bucket.take()
    if isinstance(command, Problem):
        return command if is_within else _too_fast(command.id)
    return command if is_within and _is_within(command, connection, live, services) else _too_fast(command.id)


def _is_within(command: AnyCommand, connection: Connection, live: LiveTable, services: Services) -> bool:
    """What costs thought is limited by player and by address, since a player can have many connections and an
    address many players; what is written, by player and table."""
    player, address = connection.player, connection.address
    match command:
        case Ping():
            return True
        case AskHint():
            return services.hints.take(player) and services.hints_from.take(address)
        case CheckMove():
            return services.checks.take(player) and services.checks_from.take(address)
        case MakeMove():
            written = services.moves
        case Say():
            written = services.phrases
        case _:
            written = services.changes
    return written.take(f"{player}@{live.table.name}")


def _too_fast(name: str | UnsetType, reason: str = "TOO_FAST") -> Problem:
    return problem_of("too_fast", reason, answers=name)


def read_command(content: str | bytes) -> AnyCommand | Problem:
    """The command that a message is, or what is wrong with it."""
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
    """The id of a message that may be nothing at all."""
    try:
        name = _id_decoder.decode(content).id[:LONGEST_ID]
        return name if name and name.isprintable() else UNSET
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return UNSET


async def carry_out(command: AnyCommand, viewer: Viewer, live: LiveTable) -> AnyFrame:
    try:
        return await live.handle(viewer, command)
    except Exception:  # whatever it is, it must not take the connection down
        _logger.exception("command_failed", table=live.table.name, command=type(command).__name__)
        return problem_of("server_error", "NOT_DONE", answers=command.id)
