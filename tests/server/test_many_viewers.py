"""Spectators of one table can't hold up the server: each event costs one frame for all of them."""

import asyncio
from asyncio import QueueFull
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path
from typing import Any

import pytest
from server.running_server import Person, running
from server.test_commands import HOST, Onlooker, Shelf, a_house, answer_to
from websockets.asyncio.client import connect

from canasta.server.http import websocket
from canasta.server.http.websocket import Connection
from canasta.server.settings import Limits
from canasta.server.tables.live_table import LiveTable
from canasta.server.tables.registry import NewTable
from canasta.server.tables.viewers import ViewerLimits
from canasta.table.frames import Frames
from canasta.table.wire import Done

MANY = 12


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that grows with every state that is built."""
    states: list[str] = []
    usual = Frames._state

    def state(frames: Frames, *key: Any) -> Any:
        states.append("state")
        return usual(frames, *key)

    monkeypatch.setattr(Frames, "_state", state)
    return states


async def a_watched_table(shelf: Shelf) -> tuple[LiveTable, Onlooker, list[Onlooker]]:
    """Return a table with its host and `MANY` spectators."""
    live = await a_house(shelf).open_table(HOST, NewTable(rules="two-player", start=True))
    host = Onlooker("ada", "Ada")
    watchers = [Onlooker("", "") for _ in range(MANY)]
    for viewer in (host, *watchers):
        await live.enter(viewer)
    return live, host, watchers


async def test_spectators_who_are_behind_share_one_state(built: list[str]) -> None:
    live, host, watchers = await a_watched_table(Shelf())
    for watcher in watchers:
        watcher.is_behind = True
    built.clear()
    assert isinstance(await answer_to(b'{"t":"say","id":"1","phrase":"hello"}', host, live), Done)
    assert len(built) == 2  # the host's and the spectators'
    assert len({watcher.texts[-1] for watcher in watchers}) == 1
    assert watchers[0].state.log
    assert host.state.events
    assert not host.state.log


async def test_nothing_is_built_for_connections_that_are_closing(built: list[str]) -> None:
    live, host, watchers = await a_watched_table(Shelf())
    for watcher in watchers:
        watcher.is_behind = watcher.is_closing = True
    before = [len(watcher.texts) for watcher in watchers]
    built.clear()
    assert isinstance(await answer_to(b'{"t":"say","id":"1","phrase":"hello"}', host, live), Done)
    assert len(built) == 1
    assert [len(watcher.texts) for watcher in watchers] == before


async def test_viewers_who_leave_together_are_gone_at_once_and_shown_once(built: list[str]) -> None:
    live, host, watchers = await a_watched_table(Shelf())
    built.clear()
    async with live._lock:
        leaving = [asyncio.create_task(live.leave(watcher)) for watcher in watchers]
        await asyncio.sleep(0)
        assert live.watching == 0
        assert not live.is_idle
    await asyncio.gather(*leaving)
    assert len(built) == 1
    assert host.state.watching == 0


async def test_a_viewer_is_dropped_when_the_writer_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client neither reads nor hangs up, so nothing arrives that could end the connection."""

    async def broken(connection: Connection) -> None:
        await connection._wake.wait()
        raise TimeoutError

    async with running(tmp_path) as server:
        ada = await server.guest("Ada")
        table = await ada.open_table(start=True)
        async with ada.join(table) as seat:
            monkeypatch.setattr(websocket.Connection, "write", broken)
            address = f"ws://{server.host}/ws/tables/{table}"
            async with connect(address, compression=None, ping_interval=None) as socket:
                await socket.wait_closed()
            assert isinstance(await seat.ask("ping"), Done)
            live = await server.services.registry.find(table)
            assert live is not None
            assert live.watching == 0


async def test_spectators_of_one_address_are_limited(tmp_path: Path) -> None:
    async with running(tmp_path, limits=Limits(viewers_from=3)) as server:
        ada = await server.guest("Ada", "192.0.2.1")
        table = await ada.open_table(start=True)
        stranger, other = Person(server, "", "192.0.2.1"), Person(server, "", "192.0.2.2")
        async with AsyncExitStack() as stack:
            for _ in range(3):
                await stack.enter_async_context(stranger.join(table))
            assert await _turned_away(stranger, table) == ("MANY_SPECTATORS", 1013)
            await stack.enter_async_context(other.join(table))
            await stack.enter_async_context(ada.join(table))  # players always have their seats
        live = await server.services.registry.find(table)
        assert live is not None
        while len(live.viewer_limits):  # noqa: ASYNC110 - the server notices the ends of connections later
            await asyncio.sleep(0.01)
        async with stranger.join(table) as watcher:
            assert watcher.state.seat == -1


async def _turned_away(person: Person, table: str) -> tuple[str, int]:
    """Return the reason and the close code of a refused connection."""
    address = f"ws://{person.server.host}/ws/tables/{table}"
    async with connect(address, additional_headers=person.headers(), compression=None) as socket:
        text = await socket.recv()
        await socket.wait_closed()
        assert socket.close_code is not None
        return ("MANY_SPECTATORS" if "MANY_SPECTATORS" in str(text) else str(text)), socket.close_code


def test_the_limits_of_a_table() -> None:
    limits = ViewerLimits(Limits(spectators=20, viewers_from=2))
    with ExitStack() as stack:
        for number in range(8):
            for _ in range(2):
                stack.enter_context(limits.hold("", f"2001:db8:1:{number}::/64"))
            with pytest.raises(QueueFull), limits.hold("", f"2001:db8:1:{number}::/64"):
                pass
        with pytest.raises(QueueFull), limits.hold("", "2001:db8:1:9::/64"):  # the /48
            pass
        for number in range(4):
            stack.enter_context(limits.hold("", f"192.0.2.{number}"))
        with pytest.raises(QueueFull), limits.hold("", "192.0.2.9"):  # the table
            pass
        for _ in range(2):
            stack.enter_context(limits.hold("ada", "192.0.2.9"))
        with pytest.raises(QueueFull), limits.hold("ada", "192.0.2.9"):
            pass
        stack.enter_context(limits.hold("ben", "192.0.2.9"))
    assert len(limits) == 0
