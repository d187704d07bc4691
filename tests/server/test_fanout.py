"""Processes tell each other that a log has grown."""

import asyncio
import json
import secrets
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from services import RedisServer, free_port, wait_for_port
from websockets.sync.client import ClientConnection, connect

from canasta.server.fanout import CHANNEL, NoFanout, RedisFanout, make_fanout


async def until(condition: Callable[[], bool], patience: float = 10) -> None:
    async with asyncio.timeout(patience):
        while not condition():  # noqa: ASYNC110  # Redis tells us nothing that could be waited for
            await asyncio.sleep(0.01)


class Ear:
    def __init__(self) -> None:
        self.heard: list[tuple[str | None, int]] = []

    def __call__(self, table: str | None, seq: int) -> None:
        self.heard.append((table, seq))


async def test_one_process_hears_nothing() -> None:
    fanout, ear = make_fanout(None), Ear()
    assert isinstance(fanout, NoFanout)
    await fanout.open()
    fanout.subscribe(ear)
    fanout.publish("t", 1)
    await fanout.close()
    assert ear.heard == []


async def test_the_others_hear_and_the_speaker_does_not(redis_server: RedisServer) -> None:
    speaker, listener = make_fanout(redis_server.url), make_fanout(redis_server.url)
    own, other = Ear(), Ear()
    speaker.subscribe(own)
    listener.subscribe(other)
    await speaker.open()
    await listener.open()
    speaker.publish("t", 7)
    speaker.publish("a table with spaces", 1)
    await until(lambda: len(other.heard) == 2)
    assert other.heard == [("t", 7), ("a table with spaces", 1)]
    assert own.heard == []
    await speaker.close()
    await listener.close()


async def test_only_the_newest_number_of_a_moment_travels(redis_server: RedisServer) -> None:
    speaker, listener, ear = make_fanout(redis_server.url), make_fanout(redis_server.url), Ear()
    listener.subscribe(ear)
    await speaker.open()
    await listener.open()
    for seq in (3, 5, 4):
        speaker.publish("t", seq)
    await until(lambda: bool(ear.heard))
    assert ear.heard == [("t", 5)]
    await speaker.close()
    await listener.close()


async def test_after_an_outage_listeners_know_that_they_may_have_missed_something(
    redis_server: RedisServer,
) -> None:
    speaker, listener, ear = make_fanout(redis_server.url), make_fanout(redis_server.url), Ear()
    listener.subscribe(ear)
    await speaker.open()
    await listener.open()
    redis_server.stop()
    speaker.publish("t", 1)
    await asyncio.sleep(0.2)
    assert ear.heard == []
    redis_server.start()
    await until(lambda: (None, 0) in ear.heard)
    speaker.publish("t", 2)
    await until(lambda: ("t", 2) in ear.heard)
    await speaker.close()
    await listener.close()


async def test_a_table_plays_on_without_redis() -> None:
    fanout = RedisFanout("redis://127.0.0.1:9/0")
    fanout.subscribe(Ear())
    await fanout.open()
    for seq in range(1000):
        fanout.publish("t", seq)
    await fanout.close()


@pytest.mark.parametrize("message", [b"", b"one two", b"x y z", b"\xff\xfe 3 t", b"x 3"])
async def test_strange_messages_are_passed_over(redis_server: RedisServer, message: bytes) -> None:
    import redis.asyncio  # noqa: PLC0415  # an extra

    listener, ear = make_fanout(redis_server.url), Ear()
    listener.subscribe(ear)
    await listener.open()
    client = redis.asyncio.Redis.from_url(redis_server.url)
    await client.publish(CHANNEL, message)
    await client.publish(CHANNEL, b"somebody 12 t")
    await until(lambda: ("t", 12) in ear.heard)
    assert [table for table, _ in ear.heard if table != "t"] == []
    await client.aclose()
    await listener.close()


class Process:
    """One of several server processes on the same database."""

    def __init__(self, database: str, redis: str, folder: Path) -> None:
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        words = ["--port", str(self.port), "--database", database, "--redis", redis, "--no-limits"]
        with (folder / f"{self.port}.log").open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "canasta.server", *words], stdout=log, stderr=log
            )

    def new_guest(self) -> str:
        """A cookie."""
        answer = httpx.post(f"{self.address}/api/guests", json={}, headers={"Origin": self.address})
        return f"canasta_session={answer.raise_for_status().cookies['canasta_session']}"

    def at(self, table: str, cookie: str) -> ClientConnection:
        return connect(
            f"ws://127.0.0.1:{self.port}/ws/tables/{table}",
            additional_headers={"Cookie": cookie, "Origin": self.address},
            compression=None,
            proxy=None,
        )

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()


class Client:
    """Somebody at a table, through one of the processes."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self.state: dict[str, Any] = {}
        self.until(lambda: bool(self.state))

    def until(self, condition: Callable[[], bool]) -> None:
        while not condition():
            frame = json.loads(self._socket.recv(timeout=20))
            assert frame["t"] not in ("refused", "error"), frame
            if frame["t"] == "state":
                self.state = frame

    def send(self, **words: object) -> None:
        self._socket.send(json.dumps({"id": secrets.token_hex(6), **words}))

    @property
    def is_to_move(self) -> bool:
        return bool(self.state["you"] and self.state["you"]["turn"])

    def move(self) -> None:
        you = self.state["you"]
        move = "draw" if "draw" in you["can"] else f"discard {you['cards'][0]}"
        self.send(t="move", state=self.state["state"], move=move)


def test_two_processes_hold_one_table(tmp_path: Path, redis_server: RedisServer) -> None:
    database = f"sqlite:///{tmp_path / 'canasta.db'}"
    processes = [Process(database, redis_server.url, tmp_path) for _ in range(2)]
    try:
        for process in processes:
            wait_for_port(process.port)
        first, second = processes
        # A session that one process has given is good for the other.
        host, guest = first.new_guest(), first.new_guest()
        headers = {"Origin": first.address, "Cookie": host}
        wish = {"rules": "two-player", "players": 2, "public": False, "start": False}
        answer = httpx.post(f"{first.address}/api/tables", json=wish, headers=headers)
        table = answer.raise_for_status().json()["id"]
        with first.at(table, host) as at_first, second.at(table, guest) as at_second:
            play_together(Client(at_first), Client(at_second))
    finally:
        for process in processes:
            process.stop()


def play_together(south: Client, north: Client) -> None:
    north.send(t="sit", seat=1)
    south.until(lambda: bool(south.state["seats"][1]["who"] == "person"))
    south.send(t="start")
    for client in (south, north):
        client.until(lambda: bool(client.state["status"] == "playing"))  # noqa: B023  # called at once
    for _ in range(12):
        mover = south if south.is_to_move else north
        before = mover.state["state"]
        mover.move()
        for client in (south, north):
            client.until(lambda: bool(client.state["state"] // 1000 > before // 1000))  # noqa: B023
        assert south.state["stock"] == north.state["stock"]
        assert south.state["pile"] == north.state["pile"]
