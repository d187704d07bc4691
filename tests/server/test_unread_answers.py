"""Clients that don't read their answers can't fill the memory of the server."""

import logging
import socket
from asyncio import QueueFull
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from server.running_server import Person, Running, running
from services import wait_until

from canasta.server import run
from canasta.server.http import slow_clients
from canasta.server.http.slow_clients import MOST_UNREAD_FROM, MOST_UNREAD_IN_ALL, UnreadAnswers

LARGE = "/api/openapi.json"
EVE = "198.51.100.1"


def asks_and_never_reads(server: Running, address: str, path: str = LARGE) -> socket.socket:
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
    client.connect(("127.0.0.1", server.port))
    request = f"GET {path} HTTP/1.1\r\nHost: {server.host}\r\nX-Forwarded-For: {address}\r\n\r\n"
    client.sendall(request.encode())
    return client


def with_small_buffers(server: Running) -> UnreadAnswers:
    """Make the system buffer little of each answer; return the server's count of unread answers."""
    server.server.servers[0].sockets[0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8192)
    guard: Any = server.server.config.app
    unread: UnreadAnswers = guard._unread
    return unread


async def test_an_address_that_does_not_read_gets_only_small_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path) as server:
        unread = with_small_buffers(server)
        ada, eve = Person(server, "", "203.0.113.1").rest, Person(server, "", EVE).rest
        size = len((await ada.get(LARGE)).content)
        monkeypatch.setattr(slow_clients, "MOST_UNREAD_FROM", 2 * size)
        with ExitStack() as stack:
            for _ in range(2):
                stack.enter_context(asks_and_never_reads(server, EVE))
            await wait_until(lambda: unread.unread_from(EVE) == 2 * size)
            answer = await eve.get(LARGE, headers={"accept-language": "de"})
            assert (answer.status_code, answer.json()["reason"]) == (429, "MANY_UNREAD")
            assert "noch nicht gelesen" in answer.json()["detail"]
            assert answer.headers["retry-after"] == "2"
            assert "content-security-policy" in answer.headers
            assert (await eve.get("/api/health")).status_code == 200
            assert (await ada.get(LARGE)).status_code == 200
            assert unread.unread_from("203.0.113.1") == 0
            assert unread.unread_from(EVE) == 2 * size
        await wait_until(lambda: unread.unread_from(EVE) == 0)
        assert (await eve.get(LARGE)).status_code == 200


async def test_files_of_the_page_count_by_the_piece(tmp_path: Path) -> None:
    (tmp_path / "static").mkdir()
    (tmp_path / "static" / "long.bin").write_bytes(bytes(1_000_000))
    async with running(tmp_path, static=tmp_path / "static") as server:
        unread = with_small_buffers(server)
        with asks_and_never_reads(server, EVE, "/long.bin"):
            await wait_until(lambda: unread.unread_from(EVE) > 0)
            assert unread.unread_from(EVE) == slow_clients._PIECE
        await wait_until(lambda: unread.unread_from(EVE) == 0)
        assert len((await Person(server, "", EVE).rest.get("/long.bin")).content) == 1_000_000


async def test_a_client_that_stops_reading_is_cut_off_without_a_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(slow_clients, "READ_WITHIN", 0.05)
    caplog.set_level(logging.INFO)
    async with running(tmp_path) as server:
        unread = with_small_buffers(server)
        with asks_and_never_reads(server, EVE) as client:
            await wait_until(lambda: unread.unread_from(EVE) > 0)
            await wait_until(lambda: unread.unread_from(EVE) == 0)
            client.setblocking(False)
            await wait_until(lambda: not server.server.server_state.connections)
    assert [record for record in caplog.records if record.exc_info] == []
    errors = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
    assert [error for error in errors if not error.startswith(run._BY_STRANGERS)] == []


def test_the_limits_by_network_and_in_all() -> None:
    unread = UnreadAnswers()
    for number in range(8):
        unread.add(f"2001:db8:1:{number}::/64", MOST_UNREAD_FROM // 2)
    unread.add("192.0.2.1", 10)
    with pytest.raises(QueueFull):
        unread.add("192.0.2.1", MOST_UNREAD_FROM)
    with pytest.raises(QueueFull):  # the total
        unread.add("192.0.2.1", 10)
    unread.add("192.0.2.2", 10)  # a first answer is always sent
    for number in range(8):
        unread.add(f"2001:db8:1:1{number}::/64", MOST_UNREAD_FROM // 2)
    with pytest.raises(QueueFull):  # the /48
        unread.add("2001:db8:1:99::/64", 1)
    for number in range(8):
        for network in (f"2001:db8:1:{number}::/64", f"2001:db8:1:1{number}::/64"):
            unread.remove(network, MOST_UNREAD_FROM // 2)
    unread.remove("192.0.2.2", 10)
    unread.add("192.0.2.1", 10)
    unread.remove("192.0.2.1", 20)
    assert not unread._bytes
    assert unread._bytes.total == 0
    assert MOST_UNREAD_IN_ALL == 4 * MOST_UNREAD_FROM
