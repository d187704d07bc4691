"""A table on a server, joined by its link: frames over a websocket that reconnects."""

import asyncio
import json
import os
import re
import urllib.error
import urllib.request
from contextlib import suppress
from dataclasses import dataclass, replace
from email.message import Message as Headers
from http.client import HTTPException, HTTPResponse
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import ClassVar, Final
from urllib.parse import urlsplit

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from canasta.errors import CanastaError, InputError
from canasta.i18n import Message
from canasta.i18n.safe_text import printable
from canasta.i18n.voice import reason_in
from canasta.notation.record import LARGEST_RECORD
from canasta.table.errors import problem_of
from canasta.table.fairness.transcript import FAIR
from canasta.table.wire import AnyFrame, Done, Refused, TableState
from canasta.table.wire_commands import AnyCommand, MakeMove
from canasta.terminal.fairness import PROBLEMS, FairnessClient
from canasta.terminal.local_table import OnFrame, OnLink

COOKIE: Final = "canasta_session"
NO_SPECTATORS: Final = 4403
NO_SUCH_TABLE: Final = 4404
_PATIENCE: Final = 10.0
_WAITS: Final = (0.5, 1.0, 2.0, 4.0, 8.0)
_LARGEST_FRAME: Final = 4_000_000
_NO_SESSION: Final = "link.nobody_in"
_ANSWERS: Final = 65_536
_DECODER: Final[msgspec.json.Decoder[AnyFrame]] = msgspec.json.Decoder(AnyFrame)


class RemoteError(CanastaError):
    """Raised if the server has no such table or session, or doesn't answer as it should."""


@dataclass(frozen=True)
class Link:
    """The address of a table: `http://host:port/t/ID`."""

    base: str
    table: str
    EXAMPLE: ClassVar[str] = "http://192.168.1.5:8000/t/abc"

    @classmethod
    def parse(cls, text: str) -> "Link":
        """Parse a link copied from a browser; `http://` can be left out. Raises `InputError`."""
        whole = text.strip() if "://" in text else f"http://{text.strip()}"
        try:
            parts = urlsplit(whole)
            port = parts.port
        except ValueError:
            raise InputError(text) from None
        path = re.fullmatch(r"/t/([0-9A-Za-z_-]{1,64})/?", parts.path)
        if parts.scheme not in ("http", "https") or not parts.hostname or path is None:
            raise InputError(text)
        host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
        return cls(f"{parts.scheme}://{host}" + (f":{port}" if port else ""), path[1])

    @property
    def socket(self) -> str:
        return f"{self.base.replace('http', 'ws', 1)}/ws/tables/{self.table}"


class RemoteTable:
    """A guest's connection to a table on a server."""

    is_local = False

    def __init__(
        self, link: Link, *, name: str = "", sessions: "SavedSessions | None" = None, language: str = "en"
    ) -> None:
        self.link = link
        self._language = language
        self._name = name
        self._sessions = sessions
        self._cookie = ""
        self._outbox: asyncio.Queue[AnyCommand] = asyncio.Queue()
        self._unanswered: dict[str, MakeMove] = {}
        """Unanswered moves by id, which are sent again after a reconnection."""
        self._answered = False
        """Whether the table has answered on this connection."""
        self.connections = 0
        """Number of connections that were established."""
        self.witness = FairnessClient(link.table)
        self.earlier: list[FairnessClient] = []
        """The fairness clients of earlier tables in a series of games."""

    def send(self, command: AnyCommand) -> None:
        if isinstance(command, MakeMove):
            self._unanswered[command.id] = command
            if not self._answered:
                # The move is sent when the connection is back.
                return
        self._outbox.put_nowait(command)

    def hurry(self) -> None:
        """Do nothing: other players set the pace."""

    def check(self) -> None:
        """Check that the table exists. Raises `RemoteError`."""
        self._request(self._path)

    def record(self) -> str:
        """Return the record of the finished hands. Raises `RemoteError`."""
        return self._request(f"{self._path}/record", most=4 * LARGEST_RECORD)[1].decode(errors="replace")

    def _message(self, key: str, text: str = "", number: int = 0) -> Message:
        """Return an error message about the connection."""
        return Message(f"screens.link.{key}", {"name": self.link.base, "text": text, "number": number})

    def _say(self, key: str, text: str = "") -> str:
        return str(self._message(key, text).text(self._language))

    @property
    def _path(self) -> str:
        return f"/api/tables/{self.link.table}"

    async def run(self, on_frame: OnFrame, on_link: OnLink) -> None:
        """Stay connected until the server reports that the table no longer exists."""
        tries = 0
        while True:
            on_link("connecting", "" if tries == 0 else self._say("again"))
            self._answered = False
            try:
                self._cookie = await asyncio.to_thread(self._session_cookie)
                if await self._connected(on_frame, on_link):
                    tries = 0
                    continue
                trouble = self._say("closed")
            except RemoteError as error:
                trouble = error.in_language(self._language)
            except ConnectionClosed as closed:
                code = None if closed.rcvd is None else closed.rcvd.code
                if code == NO_SUCH_TABLE:
                    on_link("ended", self._say("no_table", self.link.table))
                    return
                if code == NO_SPECTATORS:
                    on_link("ended", self._say("no_spectators"))
                    return
                trouble = self._say("lost")
            except (OSError, WebSocketException, TimeoutError) as error:
                trouble = self._say("silent", _in_words(error, self._language))
            tries = 1 if self._answered else tries + 1
            wait = _WAITS[min(tries, len(_WAITS)) - 1]
            on_link("lost", f"{trouble} {self._say('next_try', f'{wait:g}')}")
            await asyncio.sleep(wait)

    async def _connected(self, on_frame: OnFrame, on_link: OnLink) -> bool:
        """Run one connection until it ends. Return whether the game continues at another table."""
        async with connect(
            self.link.socket,
            additional_headers={"Cookie": f"{COOKIE}={self._cookie}"} if self._cookie else None,
            origin=None,
            open_timeout=_PATIENCE,
            max_size=_LARGEST_FRAME,
        ) as socket:
            self.connections += 1
            self.witness.connected()
            writing = asyncio.create_task(self._write(socket))
            try:
                is_new = True
                async for text in socket:
                    frame = self._read(text)
                    if not self._answered:
                        self._answered = True
                        on_link("connected", "")
                    if isinstance(frame, (Done, Refused)):
                        self._unanswered.pop(frame.id, None)
                    self._examine(frame)
                    if isinstance(frame, TableState):
                        if self._follow(frame, is_new=is_new):
                            return True
                        is_new = False
                    on_frame(frame)
            finally:
                writing.cancel()
            if socket.close_code in (NO_SPECTATORS, NO_SUCH_TABLE):
                raise ConnectionClosed(socket.protocol.close_rcvd, None)
        return False

    def _follow(self, state: TableState, *, is_new: bool) -> bool:
        """Move to the next table with the players who agreed to another game, and return whether it changed.

        Spectators move too, and so does a viewer who arrives by the old link. Nobody leaves a game that isn't
        over, or before an alarm is shown.
        """
        again = state.again
        is_over = state.status == "over" and state.phase == "over"
        if not is_over or any(event.what == FAIR and event.phrase in PROBLEMS for event in state.events):
            return False
        if again is None or not again.next or not (is_new or state.seat < 0 or state.seat in again.yes):
            return False
        self.link = replace(self.link, table=again.next)
        self.earlier.append(self.witness)
        self.witness = FairnessClient(again.next)
        self.witness.connected()
        self._unanswered.clear()
        self._outbox = asyncio.Queue()
        return True

    def _examine(self, frame: AnyFrame) -> None:
        """Pass a frame to the fairness client, send its commands, and add its verdicts to the events."""
        for command in self.witness.hear(frame):
            self._outbox.put_nowait(command)
        if isinstance(frame, TableState) and frame.seat >= 0:
            frame.events += [verdict.event() for verdict in self.witness.new_verdicts()]

    def _read(self, text: str | bytes) -> AnyFrame:
        try:
            return _DECODER.decode(text)
        except msgspec.MsgspecError:
            return problem_of("bad_message", "OTHER_VERSION")

    async def _write(self, socket: ClientConnection) -> None:
        for unanswered in list(self._unanswered.values()):
            await socket.send(msgspec.json.encode(unanswered).decode())
        while True:
            command = await self._outbox.get()
            await socket.send(msgspec.json.encode(command).decode())

    def _session_cookie(self) -> str:
        """Return the session of an earlier visit if the server still knows it, otherwise a new guest session.

        Empty if the server gives none, which is enough for spectators.
        """
        kept = self._cookie or (self._sessions.load(self.link.base) if self._sessions is not None else "")
        if kept and self._is_known(kept):
            return kept
        given, _ = self._request("/api/guests", {"name": self._name} if self._name else {})
        for text in given.get_all("Set-Cookie") or []:
            cookie: SimpleCookie = SimpleCookie()
            try:
                cookie.load(text)
            except CookieError:
                continue
            if COOKIE in cookie:
                if self._sessions is not None:
                    self._sessions.save(self.link.base, cookie[COOKIE].value)
                return cookie[COOKIE].value
        return ""

    def _is_known(self, cookie: str) -> bool:
        try:
            self._request("/api/me", cookie=cookie)
        except RemoteError as error:
            if error.message.key == _NO_SESSION:
                return False
            raise
        return True

    def _request(
        self, path: str, body: dict[str, str] | None = None, cookie: str = "", most: int = _ANSWERS
    ) -> tuple[Headers, bytes]:
        """Send a request, and return the headers and content of the answer."""
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json",
            "User-Agent": "canasta-terminal",
        }
        if cookie:
            headers["Cookie"] = f"{COOKIE}={cookie}"
        data = None if body is None else json.dumps(body).encode()
        # `Link.parse` accepts only http and https.
        request = urllib.request.Request(self.link.base + path, data=data, headers=headers)  # noqa: S310 - a link is http(s)
        try:
            with urllib.request.urlopen(request, timeout=_PATIENCE) as answer:  # noqa: S310 - as above
                content: bytes = answer.read(most)
                assert isinstance(answer, HTTPResponse)
                return answer.headers, content
        except urllib.error.HTTPError as error:
            with error:
                if error.code == 401:
                    raise RemoteError(self._message("nobody_in")) from None
                if error.code == 404 and path.startswith(self._path) and _is_ours(error):
                    raise RemoteError(self._message("no_table", self.link.table)) from None
                raise RemoteError(self._message("answers", number=error.code)) from None
        except HTTPException:
            raise RemoteError(self._message("no_server")) from None
        except (OSError, ValueError) as error:
            raise RemoteError(self._message("silent", _in_words(error, self._language))) from None


def _is_ours(error: urllib.error.HTTPError) -> bool:
    """Return whether the error comes from our server, which reports errors as JSON."""
    return "json" in (error.headers.get("Content-Type") or "")


class SavedSessions:
    """Sessions of earlier visits, by server, which let players return to their own seats."""

    def __init__(self, file: Path) -> None:
        self._file = file

    @classmethod
    def usual(cls) -> "SavedSessions":
        home = os.environ.get("XDG_STATE_HOME", "")
        folder = Path(home) if home else Path("~/.local/state").expanduser()
        return cls(folder / "canasta" / "sessions.json")

    def load(self, base: str) -> str:
        cookie = self._all().get(base, "")
        return cookie if re.fullmatch(r"[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]{1,512}", cookie) else ""

    def save(self, base: str, cookie: str) -> None:
        """Save a session. If that fails, the player will be a new guest next time."""
        kept = {**self._all(), base: cookie}
        with suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._file.touch(mode=0o600)
            self._file.write_bytes(msgspec.json.encode(kept))

    def _all(self) -> dict[str, str]:
        try:
            return msgspec.json.decode(self._file.read_bytes(), type=dict[str, str])
        except (OSError, msgspec.MsgspecError):
            return {}


def _in_words(error: Exception, lang: str) -> str:
    reason = getattr(error, "reason", error)
    text = reason_in(reason, lang) if isinstance(reason, OSError) else printable(str(reason)).lower()
    return text or type(error).__name__
