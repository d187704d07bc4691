"""The services of a running server, and helpers for reading requests."""

import asyncio
import time
from contextlib import ExitStack
from typing import Any, Final

from litestar.types import Scope

from canasta.server.accounts.accounts import COOKIE, Player, Sessions
from canasta.server.accounts.push import make_pusher
from canasta.server.accounts.rate_limits import RateLimits, SignInLimits
from canasta.server.settings import Settings
from canasta.server.store import DatabaseError
from canasta.server.store.puzzles import PuzzleStore
from canasta.server.store.store import Store
from canasta.server.tables.cluster import Cluster
from canasta.server.tables.days import Days
from canasta.server.tables.pubsub import Fanout
from canasta.server.tables.registry import Deletions, TableRegistry
from canasta.server.workers.replays import Replays
from canasta.server.workers.review_jobs import Reviews

HEALTH_WITHIN: Final = 3.0
"""Seconds within which a health check answers, whatever the database does."""
_ASKED_AGAIN: Final = 1.0


class Services:
    def __init__(self, settings: Settings, store: Store, fanout: Fanout) -> None:
        self.settings = settings
        self.store = store
        self.fanout = fanout
        self.cluster = Cluster(store, told_by_redis=bool(settings.redis))
        self.pusher = make_pusher(settings, store, self.cluster.is_connected)
        """`None` if this server sends no turn alerts."""
        self.registry = TableRegistry(store, fanout, settings, self.cluster, self.pusher)
        self.days = Days(store, self.registry, settings)
        self.deletions = Deletions(store, self.registry)
        self.sessions = Sessions(store)
        self.puzzles = PuzzleStore(store)
        self.limits = RateLimits(settings.limits)
        self.sign_ins = SignInLimits(settings.limits.strangers)
        self.replays = Replays()
        self.reviews = Reviews(settings.review_worlds, settings.review_nice)
        self._checking: asyncio.Task[DatabaseError | None] | None = None
        self._checked = 0.0

    async def open(self) -> None:
        await self.store.open()
        await self.fanout.open()
        if self.pusher is not None:
            await self.pusher.open()
        await self.registry.open()
        await self.days.open()
        await self.deletions.open()
        self.cluster.add_periodic_task(self.sessions.drop_ended)
        await self.cluster.open()

    async def close(self) -> None:
        await self.deletions.close()
        await self.days.close()
        await self.registry.close()
        await self.reviews.close()
        await self.replays.close()
        if self.pusher is not None:
            await self.pusher.close()
        await self.cluster.close()
        if self._checking is not None:
            self._checking.cancel()
            await asyncio.gather(self._checking, return_exceptions=True)
        await self.fanout.close()
        await self.store.close()

    async def check(self) -> None:
        """Raise `DatabaseError` if the database can't be written or read, is damaged, or doesn't answer in
        time.

        The database is checked at most once a second.
        """
        task = self._checking
        if task is None or (task.done() and time.monotonic() >= self._checked + _ASKED_AGAIN):
            task = self._checking = asyncio.create_task(self._problem())
        try:
            async with asyncio.timeout(HEALTH_WITHIN):
                problem = await asyncio.shield(task)
        except TimeoutError:
            raise DatabaseError("The database does not answer.") from None
        if problem is not None:
            raise problem

    async def _problem(self) -> DatabaseError | None:
        """Return the problem of the database; `None` if it is healthy."""
        try:
            await self.store.check()
            await self.cluster.probe()
            await self.store.lobby(1)
        except DatabaseError as problem:
            return problem
        finally:
            self._checked = time.monotonic()
        return None

    def may_try_name(self, player: str, address: str) -> bool:
        """Count a name that this player tries; return False above the limit. Visitors without a session are
        counted by address only."""
        return (not player or self.limits.take("names", player)) and self.limits.take("names_from", address)

    async def player_of(self, scope: Scope) -> Player | None:
        """Return the player who sent this request; `None` without a valid session."""
        token = token_of(scope)
        return await self.sessions.player(token) if token else None


RESPONSE_EXIT_STACK: Final = "canasta.response_exit_stack"


def response_exit_stack(scope: Any) -> ExitStack:
    """Return the contexts that are exited once the client has read the answer or disconnected."""
    contexts: ExitStack = scope[RESPONSE_EXIT_STACK]
    return contexts


def token_of(scope: Any) -> str:
    """Return the session cookie."""
    return cookie_of(scope, COOKIE)


def cookie_of(scope: Any, name_of_cookie: str) -> str:
    """Return a cookie; empty if missing.

    Other programs on the same host can set malformed cookies, at which `SimpleCookie` stops parsing. So this
    looks only for the given name.
    """
    for key, value in scope["headers"]:
        if key != b"cookie":
            continue
        for part in value.decode("latin-1").split(";"):
            name, _, token = part.partition("=")
            if name.strip() == name_of_cookie:
                return str(token.strip().strip('"'))
    return ""
