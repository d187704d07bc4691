"""Clients that send too many messages are disconnected, and the others at the table play on."""

import asyncio
import json
from contextlib import closing
from pathlib import Path

import pytest
from server.running_server import running
from server.test_slow_clients import sent_until_cut_off, upgraded
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame

from canasta.server.http import slow_clients, websocket
from canasta.server.http.slow_clients import LimitedWebSocketProtocol
from canasta.server.settings import Limits
from canasta.table.wire import Done, Problem

NEVER = 1e-9


def frame(opcode: int, content: bytes) -> bytes:
    return bytes([0x80 | opcode, 0x80 | len(content)]) + bytes(4) + content


PING = frame(1, json.dumps({"t": "ping", "id": "x"}).encode())
PONG = frame(10, b"")


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that grows with every message that the server parses."""
    messages: list[str] = []
    usual = LimitedWebSocketProtocol.send_receive_event_to_app

    def count(line: LimitedWebSocketProtocol) -> None:
        messages.append("message")
        usual(line)

    monkeypatch.setattr(LimitedWebSocketProtocol, "send_receive_event_to_app", count)
    return messages


async def test_a_client_that_fills_the_queue_is_disconnected(tmp_path: Path, parsed: list[str]) -> None:
    async with running(tmp_path) as server:
        ada = await server.guest("Ada")
        table = await ada.open_table()
        with closing(await upgraded(server, ada, table)) as line:
            assert await sent_until_cut_off(line, PING * 5000, 100_000_000) < 100_000_000
        in_a_slice = slow_clients._SLICE // len(PING) + 1
        assert len(parsed) <= slow_clients.MOST_QUEUED + in_a_slice
        async with ada.join(table) as seat:
            assert isinstance(await seat.ask("ping"), Done)


async def test_pongs_nobody_asked_for_end_the_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    handled: list[Frame] = []
    monkeypatch.setattr(slow_clients, "PINGS", (60.0, NEVER))
    monkeypatch.setattr(WebSocketsSansIOProtocol, "handle_pong", lambda line, event: handled.append(event))
    async with running(tmp_path) as server:
        ada = await server.guest("Ada")
        table = await ada.open_table()
        with closing(await upgraded(server, ada, table)) as line:
            await sent_until_cut_off(line, PONG * 5000, 100_000)
            async with ada.join(table) as seat:
                assert isinstance(await seat.ask("ping"), Done)
            assert len(handled) == 60


async def test_messages_after_the_close_frame_end_the_connection(tmp_path: Path, parsed: list[str]) -> None:
    """A client that ignores the close frame would otherwise be read for another ten seconds."""
    limits = Limits(commands=(2.0, NEVER))
    async with running(tmp_path, limits=limits) as server:
        ada = await server.guest("Ada")
        with closing(await upgraded(server, ada, await ada.open_table())) as line:
            loop = asyncio.get_running_loop()
            await loop.sock_sendall(line, PING * 6)
            while b"\x88" not in (received := await loop.sock_recv(line, 100_000)):
                assert received, "there must be a close frame"
            await sent_until_cut_off(line, PING * 50, 100_000_000)
        assert len(parsed) <= 2 * slow_clients.MOST_QUEUED + 100


async def test_twice_the_budget_closes_the_connection(tmp_path: Path) -> None:
    async with running(tmp_path, limits=Limits(commands=(5.0, NEVER))) as server:
        ada, ben = await server.guest("Ada"), await server.guest("Ben")
        table = await ada.open_table()
        async with ada.join(table) as seat, ben.join(table) as other:
            answers = [await seat.ask("ping") for _ in range(10)]
            assert [isinstance(answer, Done) for answer in answers] == [True] * 5 + [False] * 5
            with pytest.raises(ConnectionClosed) as ended:
                await seat.ask("ping")
            assert ended.value.rcvd is not None
            assert (ended.value.rcvd.code, ended.value.rcvd.reason) == (
                websocket.TOO_MUCH,
                "Too many messages.",
            )
            assert isinstance(await other.ask("ping"), Done)


async def test_messages_are_counted_by_address_too(tmp_path: Path) -> None:
    async with running(tmp_path, limits=Limits(commands_from=(4.0, NEVER))) as server:
        ada, ben = await server.guest("Ada", "192.0.2.1"), await server.guest("Ben", "192.0.2.2")
        table = await ada.open_table()
        async with ada.join(table) as one, ada.join(table) as two, ben.join(table) as other:
            for seat in (one, two, one, two):
                assert isinstance(await seat.ask("ping"), Done)
            for seat in (one, two):
                answer = await seat.ask("ping")
                assert isinstance(answer, Problem)
                assert answer.code == "too_fast"
            assert isinstance(await other.ask("ping"), Done)
