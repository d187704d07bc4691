"""Turn alerts for closed pages (Web Push).

Clients choose the URL that alerts are sent to, so only the push services in the settings are allowed. Tables
queue alerts without waiting; background tasks send them.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Collection, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec
import structlog
from sqlalchemy.engine import make_url

from canasta.i18n.voice import say
from canasta.installation import data_folder, why_missing
from canasta.server.settings import Settings
from canasta.server.store import DatabaseError
from canasta.server.store.players import PlayersStore, Subscription
from canasta.table.errors import input_error
from canasta.table.next_action import Turn, next_action
from canasta.table.table import Table

if TYPE_CHECKING:
    from canasta.server.accounts.webpush import VapidKey

_logger = structlog.get_logger()

MOST_WAITING: Final = 200
"""Maximum number of queued alerts; further ones are dropped."""
_SENDERS: Final = 4
_REQUEST_TIMEOUT_S: Final = 8.0
"""Timeout in seconds for a request to a push service."""
_KEPT_FOR: Final = 600
"""Seconds for which a push service keeps an alert for a browser that is offline."""
_LONGEST: Final = 1000
"""Maximum length of an endpoint URL in characters."""
_ADDRESS: Final = re.compile(
    r"https://([a-z0-9-]+(?:\.[a-z0-9-]+)+)(?::443)?/[\w./?&=%~:+,;@!$'()*-]*", re.ASCII
)
_NAME: Final = re.compile(r"(?:\*\.)?(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*[a-z0-9]", re.ASCII)
_MAIL: Final = re.compile(r"(?:mailto:)?([^\s@:/<>\"]+@[^\s@:/<>\"]+\.[^\s@:/<>\"]+)")
_PAGE: Final = re.compile(r"https://[^\s<>\"]+")


def contact_of(text: str) -> str | None:
    """Return a contact as `mailto:…` or `https://…`, as push services require; `None` if it is neither."""
    if mail := _MAIL.fullmatch(text):
        return f"mailto:{mail[1]}"
    return text if _PAGE.fullmatch(text) else None


def is_service_name(text: str) -> bool:
    """Return whether this is a full host name, optionally after `*.`, and neither an IP address nor a local
    name."""
    return _NAME.fullmatch(text) is not None and not text.endswith(
        (".local", ".localhost", ".internal", ".lan")
    )


def host_of(endpoint: str, services: Sequence[str]) -> str:
    """Return the host of an endpoint URL if it is one of these push services; otherwise an empty string."""
    address = _ADDRESS.fullmatch(endpoint) if len(endpoint) <= _LONGEST else None
    if address is None or not is_service_name(address[1]):
        return ""
    host = address[1]
    known = any(
        host.endswith(service[1:]) if service.startswith("*.") else host == service for service in services
    )
    return host if known else ""


class _Notice(NamedTuple):
    player: str
    table: str
    turn: int


class Pusher:
    def __init__(
        self, settings: Settings, store: PlayersStore, is_connected: Callable[[str], Awaitable[bool]]
    ) -> None:
        """Raise `ModuleNotFoundError` if the push extra is missing."""
        import httpx  # noqa: PLC0415 - an optional dependency

        from canasta.server.accounts import webpush  # noqa: PLC0415 - an optional dependency

        self._webpush = webpush
        self._httpx = httpx
        self._settings = settings
        self._store = store
        self._is_connected = is_connected
        self._row: asyncio.Queue[_Notice] = asyncio.Queue(MOST_WAITING)
        self._senders: list[asyncio.Task[None]] = []
        self._key_pair: VapidKey | None = None
        self.client: httpx.AsyncClient | None = None

    async def open(self) -> None:
        """Load the key and start the senders; raise `DatabaseError`."""
        file = await asyncio.to_thread(key_file, self._settings)
        try:
            self._key_pair = await asyncio.to_thread(self._webpush.VapidKey, file)
        except (OSError, ValueError) as error:
            problem = getattr(error, "strerror", None) or "it holds no such key"
            raise DatabaseError(f"The key for notices, {file}, cannot be used: {problem}.") from error
        # Ignore proxy settings and redirects, so that requests go only to allowed hosts.
        self.client = await asyncio.to_thread(
            self._httpx.AsyncClient, follow_redirects=False, trust_env=False, timeout=_REQUEST_TIMEOUT_S
        )
        self._senders = [asyncio.create_task(self._send_on()) for _ in range(_SENDERS)]

    async def close(self) -> None:
        for sender in self._senders:
            sender.cancel()
        await asyncio.gather(*self._senders, return_exceptions=True)
        if self.client is not None:
            await self.client.aclose()

    @property
    def key(self) -> str:
        """Public key for browsers' subscriptions."""
        assert self._key_pair is not None, "it is open"
        return self._key_pair.public

    async def keep(self, player: str, session: str, subscription: Subscription) -> None:
        """Save a subscription; raise `InputError`, or `ConflictError` if the session has just ended."""
        if not host_of(subscription.endpoint, self._settings.push_services):
            raise input_error("BAD_PUSH")
        try:
            self._webpush.check_keys(subscription.p256dh, subscription.auth)
        except ValueError as error:
            raise input_error("BAD_PUSH") from error
        await self._store.keep_push(player, session, subscription)

    # -- sending ---------------------------------------------------------------------------------------------

    def notify(self, player: str, table: str, turn: int) -> None:
        """Queue an alert that it's a player's turn. Returns at once.

        `turn` identifies the turn, so that it's announced only once.
        """
        try:
            self._row.put_nowait(_Notice(player, table, turn))
        except asyncio.QueueFull:
            _logger.warning("push_left_out", table=table)

    async def _send_on(self) -> None:
        while True:
            notice = await self._row.get()
            try:
                await self._tell(notice)
            except DatabaseError as problem:
                _logger.warning("push_failed", table=notice.table, problem=str(problem))
            except Exception:  # one alert must not stop the others
                _logger.exception("push_failed", table=notice.table)
            finally:
                self._row.task_done()

    async def _tell(self, notice: _Notice) -> None:
        if await self._is_connected(notice.player):
            return
        turn = f"{notice.table} {notice.turn}"
        for subscription in await self._store.pushes_to_tell(notice.player, turn):
            await self._send(subscription, notice.table)

    async def _send(self, subscription: Subscription, table: str) -> None:
        host = host_of(subscription.endpoint, self._settings.push_services)
        if not host:  # the settings have changed
            await self._store.drop_endpoint(subscription.endpoint)
            return
        assert self.client is not None, "it is open"
        assert self._key_pair is not None, "it is open"
        message = {"table": table, "text": say("screens.help.turn", lang=subscription.language)}
        plain = msgspec.json.encode(message)
        body = await asyncio.to_thread(self._webpush.seal, plain, subscription.p256dh, subscription.auth)
        headers = {
            "authorization": self._key_pair.sign(f"https://{host}", self._settings.push),
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            "ttl": str(_KEPT_FOR),
            # A later alert replaces an earlier one. The hash keeps the table's name from the push service.
            "topic": sha256(subscription.auth.encode() + table.encode()).hexdigest()[:32],
            "urgency": "high",
        }
        try:
            async with (
                asyncio.timeout(_REQUEST_TIMEOUT_S),
                # Only the status of the response is read.
                self.client.stream("POST", subscription.endpoint, content=body, headers=headers) as answer,
            ):
                status = answer.status_code
        except (self._httpx.HTTPError, self._httpx.InvalidURL, TimeoutError, OSError) as problem:
            _logger.warning("push_failed", host=host, problem=type(problem).__name__)
            return
        if status in {404, 410}:
            await self._store.drop_endpoint(subscription.endpoint)
        elif not 200 <= status < 300:
            _logger.warning("push_failed", host=host, status=status)

    async def sent(self) -> None:
        """Wait until the queue is empty."""
        await self._row.join()


def key_file(settings: Settings) -> Path:
    """Return the path of the key file: next to an SQLite file, or in the data folder with PostgreSQL."""
    url = make_url(settings.database) if settings.database else None
    if url is not None and url.drivername.startswith("sqlite") and url.database:
        return Path(f"{url.database}.push.pem")
    return data_folder() / "tables.db.push.pem"


def make_pusher(
    settings: Settings, store: PlayersStore, is_connected: Callable[[str], Awaitable[bool]]
) -> Pusher | None:
    """Return a pusher, or `None` if the settings don't enable turn alerts; raise `ValueError` without the
    extra."""
    if not settings.push:
        return None
    try:
        return Pusher(settings, store, is_connected)
    except ModuleNotFoundError as error:
        raise ValueError(why_missing("--push", error.name)) from error


# -- alerts of a table ---------------------------------------------------------------------------------------


class TurnAlerts:
    """Alerts a player who is to move, has no page open at this table, and keeps others waiting."""

    def __init__(
        self, table: Table, pusher: Pusher | None, after: float, present: Callable[[], Collection[int]]
    ) -> None:
        self._table = table
        self._pusher = pusher
        self._after = after
        self._present = present
        self._turn = table.current_turn
        self._since = table.move_state
        """State in which this turn began; it is the same in all processes."""
        self._rung = False
        self._timer: asyncio.TimerHandle | None = None

    def update(self) -> None:
        """Start or cancel the pending alert after the table has changed or a player has disconnected."""
        if self._pusher is None:
            return
        turn = self._table.current_turn
        if turn != self._turn:
            self.stop()
            self._turn, self._since, self._rung = turn, self._table.move_state, False
        if not self._rung and self._timer is None and self._missing():
            self._timer = asyncio.get_running_loop().call_later(self._after, self._ring)

    def _missing(self) -> str:
        """Return the id of the disconnected player who is to move; empty if there is none, or if nobody else
        is waiting."""
        table, due = self._table, next_action(self._table, ())
        if not isinstance(due, Turn) or due.level or due.seat in self._present():
            return ""
        others = any(chair.player for seat, chair in enumerate(table.chairs) if seat != due.seat)
        return table.chairs[due.seat].player if others else ""

    def _ring(self) -> None:
        self._timer = None
        player = self._missing()
        if player and self._pusher is not None:
            self._rung = True
            self._pusher.notify(player, self._table.name, self._since)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
