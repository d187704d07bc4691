"""Connections that misbehave are cut off; the others are not."""

import asyncio
import socket
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import structlog
from server.running_server import AtTable, Person, Running, running
from services import PATIENCE

from canasta.server.addresses import hides_addresses
from canasta.server.http import app as application
from canasta.server.http import slow_clients, websocket
from canasta.server.http.websocket import Connection
from canasta.table.commands import MOST_TAKEN_BACK
from canasta.table.wire import Done, Refused


async def spoken(server: Running, text: bytes) -> bytes:
    """Return everything that the server sends in response, until it hangs up."""
    reader, writer = await asyncio.open_connection(*server.host.split(":"))
    writer.write(text)
    try:
        async with asyncio.timeout(PATIENCE):
            return await reader.read()
    except ConnectionResetError:
        return b""
    finally:
        writer.close()


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"GET /api/health HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
        b"GET /ws/tables/x HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: webso",
    ],
)
async def test_a_request_that_does_not_come_is_not_waited_for(
    text: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slow_clients, "HEAD_WITHIN", 0.1)
    async with running(tmp_path) as server:
        assert await spoken(server, text) == b""


async def test_nor_is_the_second_one_on_a_connection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slow_clients, "HEAD_WITHIN", 0.3)
    async with running(tmp_path) as server:
        whole = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n"
        assert (await spoken(server, whole + b"GET /api/he")).startswith(b"HTTP/1.1 200")


async def test_a_body_that_does_not_come_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(application, "BODY_WITHIN", 0.1)
    monkeypatch.setattr(slow_clients, "HEAD_WITHIN", 0.3)
    async with running(tmp_path) as server:
        head = b"POST /api/guests HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        said = await spoken(server, head + b'Content-Length: 100\r\n\r\n{"na')
        assert said.startswith(b"HTTP/1.1 408")
        assert "didn’t arrive in time".encode() in said


async def test_a_connection_that_is_used_is_not_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[slow_clients.TimeoutHttpProtocol] = []
    usual = slow_clients.TimeoutHttpProtocol.handle_websocket_upgrade

    def upgrade(line: slow_clients.TimeoutHttpProtocol, event: Any) -> None:
        assert line._waits is not None
        used.append(line)
        usual(line, event)

    monkeypatch.setattr(slow_clients.TimeoutHttpProtocol, "handle_websocket_upgrade", upgrade)
    async with running(tmp_path) as server:
        ada = await server.guest("Ada")
        async with ada.join(await ada.open_table()) as seat:
            assert isinstance(await seat.ask("ping"), Done)
            assert [line._waits for line in used] == [None]


# -- websockets ----------------------------------------------------------------------------------------------

PING = b"\x89\xfd" + bytes(4) + bytes(125)
"""A ping frame with the largest allowed payload."""


async def upgraded(server: Running, person: Person, table: str) -> socket.socket:
    """Return a raw connection to a table with a small receive buffer."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    host, port = server.host.split(":")
    line.connect((host, int(port)))
    cookie = person.headers()["cookie"]
    request = f"GET /ws/tables/{table} HTTP/1.1\r\nHost: {server.host}\r\nCookie: {cookie}\r\n"
    request += "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    request += "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    line.sendall(request.encode())
    line.setblocking(False)  # the event loop needs it
    answer = await asyncio.get_running_loop().sock_recv(line, 1000)
    assert answer.startswith(b"HTTP/1.1 101")
    return line


async def sent_until_cut_off(line: socket.socket, data: bytes, most: int) -> int:
    """Return the number of bytes that the server accepted while its responses were left unread."""
    loop = asyncio.get_running_loop()
    sent = 0
    try:
        async with asyncio.timeout(PATIENCE):
            while sent < most:
                await loop.sock_sendall(line, data)
                sent += len(data)
                await asyncio.sleep(0)  # the server runs in the same event loop
    except OSError:
        pass
    return sent


@pytest.mark.parametrize("pings", [slow_clients.PINGS, (1e9, 1e9)])
async def test_pings_without_reading_do_not_fill_the_memory(
    pings: tuple[float, float], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slow_clients, "PINGS", pings)
    most = 100_000_000
    async with running(tmp_path) as server:
        ada = await server.guest("Ada")
        table = await ada.open_table()
        with closing(await upgraded(server, ada, table)) as line:
            assert await sent_until_cut_off(line, PING * 500, most) < most
        async with ada.join(table) as seat:
            assert isinstance(await seat.ask("ping"), Done)


async def test_a_message_in_endless_pieces_is_not_taken(tmp_path: Path) -> None:
    most = 10_000_000
    async with running(tmp_path) as server:
        ada = await server.guest("Ada")
        with closing(await upgraded(server, ada, await ada.open_table())) as line:
            loop = asyncio.get_running_loop()
            await loop.sock_sendall(line, b"\x01\x80" + bytes(4))
            assert await sent_until_cut_off(line, (b"\x00\x80" + bytes(4)) * 100, most) < most


async def test_who_does_not_read_is_not_written_to_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket, "READ_WITHIN", 0.01)

    async def stuck(_: Any) -> None:
        await asyncio.get_running_loop().create_future()

    connection = Connection(stuck, None)
    connection.answer("hello")
    with pytest.raises(TimeoutError):
        await connection.write()


# -- the log -------------------------------------------------------------------------------------------------


async def test_melding_and_taking_back_comes_to_an_end(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        ada = await server.guest("Ada")
        table = await ada.open_table(rules="two-player", start=True)
        live = await server.services.registry.find(table)
        assert live is not None
        async with ada.join(table) as seat:
            meld = await _lay_a_meld(seat)
            for _ in range(MOST_TAKEN_BACK):
                assert "undo" in seat.state.you.can  # type: ignore[union-attr]
                assert isinstance(await seat.move("undo"), Done)
                assert isinstance(await seat.move(meld), Done)
            length = live.table.length
            answer = await seat.move("undo")
            assert isinstance(answer, Refused)
            assert answer.why.reason == "TOO_OFTEN"
            assert "20 times this turn" in answer.why.message
            assert answer.why.remedy
            assert live.table.length == length
            assert seat.state.you is not None
            assert "undo" not in seat.state.you.can
            # The count starts again in the next turn.
            await seat.play_hand()
            assert live.table.taken_back == 0


async def _lay_a_meld(seat: AtTable) -> str:
    """Play until a meld has been laid that can be undone."""
    while True:
        if (await seat.my_turn()).phase == "over":
            await seat.ask("next")
            continue
        hints = await seat.hints()
        if hints:
            await seat.move(hints[0].move)
            mine = seat.state.you
            if hints[0].move.startswith("meld") and mine is not None and "undo" in mine.can:
                return hints[0].move


# -- proxies -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("client", "headers", "expected"),
    [
        (("127.0.0.1", 4711), {"via": "1.1 proxy"}, True),
        # not trusted: the settings don't name this proxy
        (("172.17.0.1", 4711), {"x-forwarded-for": "192.0.2.1"}, True),
        (("10.0.0.1", 4711), {"host": "cards.example.org"}, True),
        (("127.0.0.1", 4711), {"host": "localhost"}, False),
        (("198.51.100.7", 0), {"x-forwarded-for": "198.51.100.7"}, False),  # declared and trusted
        (("10.1.2.3", 0), {"host": "cards.example.org", "x-forwarded-for": "10.1.2.3"}, False),
        (("8.8.8.8", 4711), {"via": "1.1 mine", "host": "cards.example.org"}, False),
        (None, {"via": "1.1 proxy"}, False),
        (("unix", 1), {"via": "1.1 proxy"}, False),
    ],
)
def test_a_proxy_that_hides_its_visitors(client: Any, headers: dict[str, str], *, expected: bool) -> None:
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    assert hides_addresses({"client": client, "headers": raw}, ("cards.example.org",)) is expected


async def test_it_is_told_once(tmp_path: Path) -> None:
    async with running(tmp_path, origins=("cards.example.org",)) as server:
        rest = Person(server, "").rest
        called = {"host": "cards.example.org"}
        with structlog.testing.capture_logs() as told:
            for _ in range(3):
                await rest.get("/api/games", headers={**called, "x-forwarded-for": "192.0.2.1"})
            assert [line for line in told if line["event"] == "proxy_hides_addresses"] == []
            for _ in range(3):
                await rest.get("/api/games", headers=called)
        found = [line for line in told if line["event"] == "proxy_hides_addresses"]
        assert len(found) == 1
        assert "X-Forwarded-For" in found[0]["hint"]
