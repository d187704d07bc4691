"""Many tables of four connected players: the server process and its clients, used by `load` and `crash`."""

import asyncio
import contextlib
import http.client
import json
import random
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

SEATS = 4
VALUES = {**dict.fromkeys("4567", 5), **dict.fromkeys("89TJQK", 10), "A": 20}
"""Points of a natural card, the same in every game used here."""


class Server:
    """A server process on loopback that can be killed and restarted on the same port and database."""

    def __init__(self, python: str = sys.executable, database: str = "") -> None:
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            self.port: int = listener.getsockname()[1]
        self.folder = tempfile.TemporaryDirectory(prefix="canasta-load-")
        self.database = database or f"sqlite:///{self.folder.name}/canasta.db"
        self._log = Path(self.folder.name, "server.log")
        self._python = python
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self, patience: float = 60) -> None:
        """Start the server, and return when it answers."""
        command = [
            self._python,
            "-m",
            "canasta",
            "serve",
            "--port",
            str(self.port),
            "--database",
            self.database,
        ]
        # These clients send no seeds, so deals must not wait for them.
        command += ["--no-limits", "--next-after", "5", "--fair-patience", "0"]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log)  # noqa: S603  # our own
        give_up = time.monotonic() + patience
        while True:
            with contextlib.suppress(OSError):
                if self.ask("GET", "/api/health")["status"] == "ok":
                    return
            if self._process.poll() is not None or time.monotonic() > give_up:
                raise SystemExit(f"The server did not start:\n{self.said()}")
            time.sleep(0.05)

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def stop(self) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None

    def said(self) -> str:
        """Return the end of the server's log."""
        return self._log.read_text(errors="replace")[-4_000:]

    def close(self) -> None:
        self.stop()
        self.folder.cleanup()

    def ask(self, method: str, path: str, body: object = None, cookie: str = "") -> Any:
        return self._answer(method, path, body, cookie)[0]

    def new_guest(self) -> str:
        """Return the cookie of a new guest."""
        return self._answer("POST", "/api/guests", {"name": "Guest"}, "")[1]

    def _answer(self, method: str, path: str, body: object, cookie: str) -> tuple[Any, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        headers = {"Origin": f"http://127.0.0.1:{self.port}", "Content-Type": "application/json"}
        if cookie:
            headers["Cookie"] = cookie
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            content = answer.read()
        finally:
            connection.close()
        if answer.status >= 400:
            raise OSError(f"{method} {path}: {answer.status} {content[:300]!r}")
        is_json = "json" in (answer.headers.get("Content-Type") or "")
        cookie = (answer.headers.get("Set-Cookie") or "").partition(";")[0]
        return (json.loads(content) if is_json and content else content.decode()), cookie


# -- what a client reads: other parts of a frame are ignored -------------------------------------------------


class You(msgspec.Struct):
    turn: bool
    cards: list[str]
    can: list[str]
    takes: list[dict[str, Any]]
    can_discard: bool


class Side(msgspec.Struct):
    minimum: int
    opened: bool


class Frame(msgspec.Struct):
    t: str
    state: int = 0
    id: str = ""
    status: str = ""
    phase: str = ""
    you: You | str | None = None
    sides: list[Side] = []
    stale: bool = False
    message: str = ""
    why: dict[str, Any] | None = None
    hints: list[dict[str, Any]] = []


_read = msgspec.json.Decoder(Frame).decode


class Player:
    """A connected client that keeps the last state it was shown."""

    def __init__(self, server: Server, table: str, seat: int, cookie: str, told: Callable[[], None]) -> None:
        self.server = server
        self.table = table
        self.seat = seat
        self.cookie = cookie
        self.shown: Frame | None = None
        self.shown_at = 0.0
        self.answers: dict[str, Frame] = {}
        """Answers to commands, by id."""
        self.connection: ClientConnection | None = None
        self.lost = 0
        self.problems: list[str] = []
        self._told = told

    async def stay(self) -> None:
        """Connect, and reconnect whenever the connection is lost."""
        wait = 0.05
        while True:
            try:
                async with self._connect() as connection:
                    wait = 0.05
                    async for message in connection:
                        self._hear(connection, message)
            except (OSError, WebSocketException, TimeoutError):
                pass
            self.lost += self.connection is not None
            self.connection = None
            self._told()
            await asyncio.sleep(wait * random.uniform(0.5, 1.5))
            wait = min(2 * wait, 1.0)

    def _connect(self) -> connect:
        return connect(
            f"ws://127.0.0.1:{self.server.port}/ws/tables/{self.table}",
            additional_headers={"Cookie": self.cookie},
            origin=f"http://127.0.0.1:{self.server.port}",  # type: ignore[arg-type]
            compression=None,
            ping_interval=None,
            proxy=None,
            open_timeout=30,
            close_timeout=1,
        )

    def _hear(self, connection: ClientConnection, message: str | bytes) -> None:
        frame = _read(message)
        if frame.t == "state":
            self.shown = frame
            self.shown_at = time.perf_counter()
            # A client may act once it has seen the table: before that, a command would have no state to refer
            # to.
            self.connection = connection
        elif frame.t in ("done", "refused", "hints"):
            self.answers[frame.id] = frame
        elif frame.t == "error":
            self.problems.append(frame.message)
        self._told()

    @property
    def state(self) -> int:
        return self.shown.state if self.shown is not None and self.connection is not None else -1

    async def send(self, **words: object) -> bool:
        """Send a command and return whether that was possible. It may still not be answered."""
        if self.connection is None:
            return False
        try:
            await self.connection.send(msgspec.json.encode(words).decode())
        except (OSError, WebSocketException):
            return False
        return True


class LoadedTable:
    """A table of four players that make legal moves."""

    def __init__(self, server: Server, name: str, cookies: list[str]) -> None:
        self.name = name
        self.changed = asyncio.Event()
        self.players = [
            Player(server, name, seat, cookie, self.changed.set) for seat, cookie in enumerate(cookies)
        ]
        self.tasks = [asyncio.create_task(player.stay()) for player in self.players]
        self.refused = 0
        self.last_refusal = ""
        self.asked: dict[str, dict[str, object]] = {}
        """Commands waiting for their answers."""
        self.resent = 0
        """Number of commands resent after a lost connection."""
        self.found_done = 0
        """Number of these that had already been executed."""
        self._refused_here: set[str] = set()
        self._refused_state = -1

    async def until(self, condition: Callable[[], bool], patience: float = 60) -> None:
        async with asyncio.timeout(patience):
            while not condition():
                self.changed.clear()
                await self.changed.wait()

    async def ask(self, player: Player, **words: object) -> Frame:
        """Send a command, again after each lost connection, until it is answered."""
        command = secrets.token_hex(8)
        sent_on = shown_before = -1
        self.asked[command] = words
        async with asyncio.timeout(60):
            while command not in player.answers:
                if player.connection is not None and sent_on != player.lost:
                    if sent_on >= 0:
                        self.resent += 1
                        shown_before = player.state
                    sent_on = player.lost
                    await player.send(id=command, **words)
                self.changed.clear()
                if command not in player.answers and (player.connection is None or sent_on == player.lost):
                    await self.changed.wait()
        del self.asked[command]
        answer = player.answers.pop(command)
        self.found_done += answer.t == "done" and answer.state <= shown_before
        return answer

    async def begin(self) -> None:
        """Seat everyone and start the game."""
        await self.until(lambda: all(player.connection is not None for player in self.players))
        for player in self.players[1:]:
            await self._must(player, t="sit", seat=player.seat)
        await self._must(self.players[0], t="start")
        await self.until(lambda: self.mover() is not None)

    async def _must(self, player: Player, **words: object) -> None:
        answer = await self.ask(player, **words)
        if answer.t != "done":
            raise SystemExit(f"Table {self.name}: {words} was refused: {answer.why}")

    def mover(self) -> Player | None:
        """Return the player whose turn it is, once all are shown the same state."""
        newest = max(player.state for player in self.players)
        for player in self.players:
            if player.state == newest >= 0 and player.shown is not None:
                if isinstance(player.shown.you, You) and player.shown.you.turn:
                    return player
        return None

    @property
    def is_between_hands(self) -> bool:
        shown = self.players[0].shown
        return shown is not None and shown.phase == "over" and shown.status == "playing"

    @property
    def is_over(self) -> bool:
        shown = self.players[0].shown
        return shown is not None and shown.status == "over"

    def describe(self) -> str:
        """Describe the table, to diagnose why nothing happens."""
        lines = [f"table {self.name}, waiting for: {self.asked or 'nothing'}; refused: {self.last_refusal}"]
        for player in self.players:
            shown = player.shown
            about = "nothing" if shown is None else f"{shown.state} {shown.status} {shown.phase} {shown.you}"
            where = "connected" if player.connection is not None else "not connected"
            lines.append(f"  seat {player.seat} {where}, sees {about}; problems: {player.problems[-2:]}")
        return "\n".join(lines)

    def note_refusal(self, state: int, move: str, answer: Frame) -> None:
        self.refused += 1
        self.last_refusal = f"{move}: {(answer.why or {}).get('message')}"
        if state != self._refused_state:
            self._refused_state, self._refused_here = state, set()
        self._refused_here.add(move)

    async def choose(self, player: Player) -> str:
        """Return a move that is likely to be legal and quick to find, or else the server's hint."""
        shown = player.shown
        assert shown is not None
        assert isinstance(shown.you, You)
        you = shown.you
        tried = self._refused_here if shown.state == self._refused_state else set()
        for move in self._choices(you, shown.sides[player.seat % len(shown.sides)]):
            if move not in tried:
                return move
        advice = await self.ask(player, t="hint")
        return str(advice.hints[0]["move"]) if advice.hints else "draw"

    def _choices(self, you: You, side: Side) -> list[str]:
        choices = [take["move"] for take in you.takes if take["short"] == 0][:1]
        choices += [word for word in ("draw", "answer no") if word in you.can]
        if you.can_discard or not choices:
            if (meld := self._meld(you.cards, side)) is not None:
                choices.append(meld)
            # Discard single cards first: a pair may still become a meld.
            counts = {card: sum(other[0] == card[0] for other in you.cards) for card in you.cards}
            choices += [f"discard {card}" for card in sorted(you.cards, key=lambda card: counts[card])]
        return choices + [word for word in you.can if word not in ("undo", "ask")]

    def _meld(self, cards: list[str], side: Side) -> str | None:
        groups: dict[str, list[str]] = {}
        for card in cards:
            if card[0] not in "23" and card not in ("Jo", "Ca"):
                groups.setdefault(card[0], []).append(card)
        melds = [group for group in groups.values() if len(group) >= 3]
        laid = sum(map(len, melds))
        worth = sum(VALUES[card[0]] for group in melds for card in group)
        if not melds or laid > len(cards) - 2 or (not side.opened and worth < side.minimum):
            return None
        return "meld " + " + ".join(" ".join(group) for group in melds)

    async def close(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


async def open_tables(
    server: Server, count: int, rules: str, tell: Callable[[int], None] = lambda done: None
) -> list[LoadedTable]:
    """Open this many tables with four players each, and deal the first hands."""
    tables: list[LoadedTable] = []
    for first in range(0, count, 10):
        made = [asyncio.to_thread(_new_table, server, rules) for _ in range(first, min(first + 10, count))]
        fresh = [LoadedTable(server, name, cookies) for name, cookies in await asyncio.gather(*made)]
        await asyncio.gather(*(table.begin() for table in fresh))
        tables += fresh
        tell(len(tables))
    return tables


def _new_table(server: Server, rules: str) -> tuple[str, list[str]]:
    cookies = [server.new_guest() for _ in range(SEATS)]
    wish = {"rules": rules, "players": SEATS, "options": {}, "public": False, "start": False}
    return server.ask("POST", "/api/tables", wish, cookies[0])["id"], cookies
