"""What the parts of a running server share."""

import time
from ipaddress import IPv6Network, ip_address
from typing import Any

from litestar.types import Scope

from canasta.server.fanout import Fanout
from canasta.server.house import House
from canasta.server.limits import Buckets
from canasta.server.sessions import COOKIE, Player, Sessions
from canasta.server.settings import Settings
from canasta.server.store import DatabaseStore


class Services:
    def __init__(self, settings: Settings, store: DatabaseStore, fanout: Fanout) -> None:
        self.settings = settings
        self.store = store
        self.fanout = fanout
        self.house = House(store, fanout, settings)
        self.sessions = Sessions(store)
        limits = settings.limits
        self.requests = Buckets(limits.requests)
        self.guests = Buckets(limits.guests)
        self.logins = Buckets(limits.logins)
        self.new_tables = Buckets(limits.tables)
        self.new_tables_from = Buckets(limits.tables_from)
        self.new_sockets = Buckets(limits.sockets)
        self.hints = Buckets(limits.hints)
        self.hints_from = Buckets(limits.hints_from)
        self.checks = Buckets(limits.checks)
        self.checks_from = Buckets(limits.checks_from)
        self.phrases = Buckets(limits.phrases)
        self.moves = Buckets(limits.moves)
        self.changes = Buckets(limits.changes)
        self._well_until = 0.0

    async def open(self) -> None:
        await self.store.open()
        await self.fanout.open()
        await self.house.open()

    async def close(self) -> None:
        await self.house.close()
        await self.fanout.close()
        await self.store.close()

    async def check(self) -> None:
        """Raises `Unavailable` when the database is away. However often one asks, it is not asked more than
        once a second."""
        if time.monotonic() >= self._well_until:
            await self.store.lobby(1)
            self._well_until = time.monotonic() + 1.0

    async def player_of(self, scope: Scope) -> Player | None:
        """Whoever sent this request."""
        token = token_of(scope)
        return await self.sessions.player(token) if token else None


def header_of(scope: Any, name: bytes) -> str:
    """A header of the request; empty when it is not there."""
    for key, value in scope["headers"]:
        if key == name:
            return str(value.decode("latin-1"))
    return ""


def token_of(scope: Any) -> str:
    """The session cookie."""
    return cookie_of(scope, COOKIE)


def cookie_of(scope: Any, wanted: str) -> str:
    """A cookie; empty when it is not there. Other programs on the same host set theirs, in whatever form they
    like, so ours is found by its name and the rest is not read: `SimpleCookie` gives up at the first odd
    one."""
    for key, value in scope["headers"]:
        if key != b"cookie":
            continue
        for part in value.decode("latin-1").split(";"):
            name, _, token = part.partition("=")
            if name.strip() == wanted:
                return str(token.strip().strip('"'))
    return ""


def home_of(scope: Any) -> str:
    """The address, as far as it tells households apart. Empty for this machine itself: there a proxy may
    stand that does not say for whom it asks."""
    client = scope.get("client")
    try:
        is_telling = bool(client) and not ip_address(str(client[0]).partition("%")[0]).is_loopback
    except ValueError:
        is_telling = False
    return address_of(scope) if is_telling else ""


def address_of(scope: Any) -> str:
    """Where the request came from. In IPv6 one household has a whole network of addresses."""
    client = scope.get("client")
    if not client:
        return "?"
    host = str(client[0])
    if ":" not in host:
        return host
    try:
        return str(IPv6Network((host.partition("%")[0], 64), strict=False))
    except ValueError:
        return host
