"""What the parts of a running server share."""

import asyncio
import time
from ipaddress import IPv6Network, ip_address
from typing import Any, Final

from litestar.types import Scope

from canasta.server.people.limits import Buckets, OneByOne
from canasta.server.people.push import make_pusher
from canasta.server.people.sessions import COOKIE, Player, Sessions
from canasta.server.settings import Settings
from canasta.server.store.puzzles import PuzzleStore
from canasta.server.store.store import DatabaseStore, Unavailable
from canasta.server.tables.days import Days
from canasta.server.tables.fanout import Fanout
from canasta.server.tables.house import House
from canasta.server.tables.neighbours import Neighbours
from canasta.server.thinking.reviews import Reviews

HEALTH_WITHIN: Final = 3.0
"""Seconds until the question for the server's health is answered, whatever the database does."""
_ASKED_AGAIN: Final = 1.0


class Services:
    def __init__(self, settings: Settings, store: DatabaseStore, fanout: Fanout) -> None:
        self.settings = settings
        self.store = store
        self.fanout = fanout
        self.neighbours = Neighbours(store, told_by_redis=bool(settings.redis))
        self.pusher = make_pusher(settings, store, self.neighbours.is_connected)
        """None where no notices go to closed pages."""
        self.house = House(store, fanout, settings, self.neighbours, self.pusher)
        self.days = Days(store, self.house, settings)
        self.sessions = Sessions(store)
        self.puzzles = PuzzleStore(store)
        limits = settings.limits
        self.requests = Buckets(limits.requests)
        self.guests = Buckets(limits.guests)
        self.logins = Buckets(limits.logins)
        self.new_tables = Buckets(limits.tables)
        self.new_tables_from = Buckets(limits.tables_from)
        self.new_practice = Buckets(limits.practice)
        self.new_practice_from = Buckets(limits.practice_from)
        self.new_sockets = Buckets(limits.sockets)
        self.hints = Buckets(limits.hints)
        self.hints_from = Buckets(limits.hints_from)
        self.checks = Buckets(limits.checks)
        self.checks_from = Buckets(limits.checks_from)
        self.phrases = Buckets(limits.phrases)
        self.moves = Buckets(limits.moves)
        self.changes = Buckets(limits.changes)
        self.replays = Buckets(limits.replays)
        self.replaying = OneByOne()
        self.new_reviews = Buckets(limits.reviews)
        self.reviews = Reviews(settings.review_worlds, settings.review_nice)
        self._checking: asyncio.Task[str] | None = None
        self._checked = 0.0

    async def open(self) -> None:
        await self.store.open()
        await self.fanout.open()
        if self.pusher is not None:
            await self.pusher.open()
        await self.house.open()
        await self.days.open()
        self.neighbours.also(self.sessions.drop_ended)
        await self.neighbours.open()

    async def close(self) -> None:
        await self.days.close()
        await self.house.close()
        await self.reviews.close()
        if self.pusher is not None:
            await self.pusher.close()
        await self.neighbours.close()
        if self._checking is not None:
            self._checking.cancel()
            await asyncio.gather(self._checking, return_exceptions=True)
        await self.fanout.close()
        await self.store.close()

    async def check(self) -> None:
        """Raises `Unavailable` when the database cannot be written or read, or does not answer in time.
        However often one asks, it is not asked more than once a second."""
        task = self._checking
        if task is None or (task.done() and time.monotonic() >= self._checked + _ASKED_AGAIN):
            task = self._checking = asyncio.create_task(self._problem())
        try:
            async with asyncio.timeout(HEALTH_WITHIN):
                problem = await asyncio.shield(task)
        except TimeoutError:
            problem = "The database does not answer."
        if problem:
            raise Unavailable(problem)

    async def _problem(self) -> str:
        """What is wrong with the database; empty when it is well."""
        try:
            await self.neighbours.probe()
            await self.store.lobby(1)
        except Unavailable as problem:
            return str(problem)
        finally:
            self._checked = time.monotonic()
        return ""

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
