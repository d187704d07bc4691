"""Who is asking: a cookie of 256 random bits, of which only the hash is kept."""

import hashlib
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from canasta.server.accounts import Accounts
from canasta.server.store import PlayerRow, Store

COOKIE: Final = "canasta_session"
LIFETIME: Final = 180 * 24 * 3600
"""Seconds."""
_MOST_KNOWN: Final = 20_000
_BELIEVED: Final = 60.0
"""Seconds: another process may have ended the session."""
_LONGEST_TOKEN: Final = 64


@dataclass(frozen=True)
class Player:
    id: str
    name: str
    account: bool


class Sessions:
    def __init__(self, store: Store) -> None:
        self._store = store
        self.accounts = Accounts(store)
        self._known: dict[str, tuple[Player, float]] = {}
        """By the hash of the cookie, with the time until which it is believed without asking again."""
        self._lines: dict[str, set[Callable[[], None]]] = {}
        """Open connections of each session: how to end them."""

    async def player(self, token: str) -> Player | None:
        """The player who has this cookie."""
        if not token or len(token) > _LONGEST_TOKEN:
            return None
        hashed = _hashed(token)
        known = self._known.get(hashed)
        if known is not None and known[1] > time.monotonic():
            return known[0]
        row = await self._store.session(hashed)
        if row is None:
            self._known.pop(hashed, None)
            return None
        return self._remember(hashed, row.player)

    async def new_guest(self, name: str) -> tuple[Player, str]:
        """A guest, and the cookie for them."""
        player = secrets.token_hex(8)
        await self._store.add_player(player, name)
        return Player(player, name, account=False), await self.new_session(player)

    async def new_session(self, player: str) -> str:
        token = secrets.token_urlsafe(32)
        await self._store.add_session(_hashed(token), player, LIFETIME)
        return token

    async def end(self, token: str) -> None:
        """Its open connections end with it."""
        hashed = _hashed(token)
        # First where everybody asks, or a request in between would make it known again.
        await self._store.drop_session(hashed)
        self._known.pop(hashed, None)
        for hang_up in tuple(self._lines.get(hashed, ())):
            hang_up()

    @contextmanager
    def connected(self, token: str, hang_up: Callable[[], None]) -> Iterator[None]:
        """A connection is open for so long; `hang_up` is called when the session ends before it."""
        hashed = _hashed(token)
        self._lines.setdefault(hashed, set()).add(hang_up)
        try:
            yield
        finally:
            lines = self._lines[hashed]
            lines.discard(hang_up)
            if not lines:
                del self._lines[hashed]

    async def rename(self, token: str, player: Player, name: str) -> Player:
        """Raises `NameProblem`."""
        row = await self._store.player(player.id)
        assert row is not None, "a session belongs to a player"
        await self.accounts.rename(row, name)
        return await self._anew(token, player)

    async def register(self, token: str, player: Player, name: str, password: str) -> Player:
        """Raises `NameProblem` or `PasswordProblem`."""
        await self.accounts.register(player.id, name, password)
        return await self._anew(token, player)

    async def _anew(self, token: str, player: Player) -> Player:
        """Read the player again after a change, in whatever session."""
        self._known = {key: known for key, known in self._known.items() if known[0].id != player.id}
        found = await self.player(token)
        return player if found is None else found

    def _remember(self, hashed: str, row: PlayerRow) -> Player:
        if len(self._known) >= _MOST_KNOWN:
            self._known.clear()
        player = Player(row.id, row.name, account=row.account is not None)
        self._known[hashed] = (player, time.monotonic() + _BELIEVED)
        return player


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
