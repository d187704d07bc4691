"""A server on loopback, and people who play at its tables using only their own views."""

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import msgspec
import uvicorn
from server_deadlines import lengthen_deadlines
from services import PATIENCE
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from canasta.server.run import uvicorn_config
from canasta.server.services import Services
from canasta.server.settings import Limits, Settings
from canasta.table.commands import start_entries
from canasta.table.log import Entry
from canasta.table.seed_rounds import following_entries
from canasta.table.table import Table
from canasta.table.wire import (
    AnyFrame,
    Checked,
    Done,
    Hints,
    HintView,
    Problem,
    Refused,
    TableState,
    Welcome,
)
from canasta.terminal.fairness import FairnessClient

_frames: msgspec.json.Decoder[AnyFrame] = msgspec.json.Decoder(AnyFrame)
_ids = itertools.count(1)

lengthen_deadlines()


def dealt_alone(table: Table) -> list[Entry]:
    """Return the log entries for the next hand or cut, to which only the server contributes."""
    asked = start_entries(table)
    return [*asked, *following_entries(table.shuffling, asked, [], lambda _: False)]


def deal_alone(table: Table) -> None:
    """Deal the next hand, cutting first if the players cut."""
    hand = 0 if table.match is None else table.match.hand_number
    while table.match is None or table.match.hand_number == hand:
        table.apply(dealt_alone(table))


class Running:
    """A server and its address."""

    def __init__(self, server: uvicorn.Server, services: Services, port: int) -> None:
        self.server = server
        self.services = services
        self.port = port
        self.host = f"127.0.0.1:{port}"
        self.url = f"http://{self.host}"
        self.people: list[Person] = []

    async def guest(self, name: str, address: str = "") -> "Person":
        """Return a new guest with a session, who seems to connect from this address through a local proxy."""
        person = Person(self, name, address)
        await person.come_in()
        return person


@asynccontextmanager
async def running(folder: Path, **changes: Any) -> AsyncIterator[Running]:
    """Run a real server on a free port, fast and without rate limits unless set otherwise."""
    usual: dict[str, Any] = {
        "pace": 0.0,
        "limits": Limits.loose(),
        "port": 0,
        "fair_patience": 0.0,
        "cut_pause": 0.0,
    }
    usual["database"] = f"sqlite:///{folder / 'tables.db'}"
    config = uvicorn_config(Settings(**(usual | changes)))
    guard: Any = config.app
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve())
    while not server.started:
        assert not task.done(), "the server did not start"
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    there = Running(server, guard.services, port)
    try:
        yield there
    finally:
        for person in there.people:
            await person.rest.aclose()
        server.should_exit = True
        await task


class Person:
    """A person with a session, who uses REST through `rest` and joins a table with `join`."""

    def __init__(self, server: Running, name: str, address: str = "") -> None:
        self.server = server
        self.name = name
        self._proxied = {"x-forwarded-for": address} if address else {}
        self.rest = httpx.AsyncClient(base_url=server.url, headers=self._proxied, timeout=PATIENCE)
        server.people.append(self)

    async def come_in(self) -> None:
        (await self.rest.post("/api/guests", json={"name": self.name})).raise_for_status()

    async def open_table(self, **wanted: Any) -> str:
        answer = await self.rest.post("/api/tables", json=wanted)
        assert answer.status_code == 201, answer.text
        table: str = answer.json()["id"]
        return table

    def move_to(self, address: str) -> None:
        """Let later requests seem to come from this address."""
        self._proxied = {"x-forwarded-for": address}
        self.rest.headers.update(self._proxied)

    def headers(self) -> dict[str, str]:
        cookie = self.rest.cookies.get("canasta_session")
        return self._proxied | ({"cookie": f"canasta_session={cookie}"} if cookie else {})

    @asynccontextmanager
    async def join(self, table: str, *, fair: bool = False, **more: Any) -> AsyncIterator["AtTable"]:
        """Connect to a table. If `fair`, the page contributes seeds of its own, as real pages do."""
        address = f"ws://{self.server.host}/ws/tables/{quote(table)}"
        patient = {"open_timeout": PATIENCE, "ping_timeout": PATIENCE, **more}
        async with connect(address, additional_headers=self.headers(), compression=None, **patient) as socket:
            seat = AtTable(socket, FairnessClient(table) if fair else None)
            await seat.begin()
            yield seat


class AtTable:
    """A connection to a table; `state` is the last one shown, and `frames` has every message received."""

    def __init__(self, socket: ClientConnection, witness: FairnessClient | None = None) -> None:
        self.socket = socket
        self.witness = witness
        self.frames: list[str] = []
        self.welcome: Welcome
        self.state: TableState

    async def begin(self) -> None:
        first = await self.receive()
        assert isinstance(first, Welcome), first
        self.welcome = first
        second = await self.receive()
        assert isinstance(second, TableState), second

    async def receive(self, seconds: float = 240) -> AnyFrame:
        text = await asyncio.wait_for(self.socket.recv(), seconds)
        assert isinstance(text, str)
        self.frames.append(text)
        frame = _frames.decode(text)
        if isinstance(frame, TableState):
            self.state = frame
        for command in self.witness.hear(frame) if self.witness is not None else ():
            await self.socket.send(msgspec.json.encode(command).decode())
        return frame

    async def send(self, kind: str, *, id: str | None = None, **parts: Any) -> str:  # noqa: A002 - as the wire
        name = id if id is not None else f"c{next(_ids)}"
        await self.socket.send(msgspec.json.encode({"t": kind, "id": name, **parts}).decode())
        return name

    async def ask(self, kind: str, **parts: Any) -> Done | Refused | Checked | Hints | Problem:
        """Send a command and wait for its answer, taking in the states that arrive first."""
        name = await self.send(kind, **parts)
        while True:
            frame = await self.receive()
            if isinstance(frame, (Welcome, TableState)):
                continue
            if isinstance(frame, Problem):
                return frame
            if frame.id == name:
                return frame

    async def move(self, move: str, **parts: Any) -> Done | Refused | Checked | Hints | Problem:
        return await self.ask("move", move=move, **({"state": self.state.state} | parts))

    async def hints(self) -> list[HintView]:
        answer = await self.ask("hint")
        assert isinstance(answer, Hints)
        return answer.hints

    async def until(self, wanted: Any, seconds: float = 240) -> TableState:
        """Wait for a state for which `wanted` returns true."""
        async with asyncio.timeout(seconds):
            while not wanted(self.state):
                await self.receive()
        return self.state

    async def end(self) -> int:
        """Read until the server closes the connection; return the close code."""
        try:
            while True:
                await self.receive()
        except ConnectionClosed as closed:
            assert closed.rcvd is not None, "the connection broke"
            return closed.rcvd.code

    async def my_turn(self) -> TableState:
        """Wait until this player has to act, or the hand is over."""
        return await self.until(lambda state: state.phase == "over" or bool(state.you and state.you.turn))

    async def play_hand(self) -> TableState:
        """Play by the hints until the hand is over."""
        while (await self.my_turn()).phase != "over":
            hints = await self.hints()
            if hints:
                answer = await self.move(hints[0].move)
                assert isinstance(answer, (Done, Refused)), answer
        return self.state
