"""Sessions: a cookie of 256 random bits, of which only the hash is stored.

The framework's sessions can't be listed for their owner, ended from another device, or looked up by hash, and
a player may have several.
"""

import contextlib
import hashlib
import secrets
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from canasta.server.accounts.accounts import GUEST, Accounts
from canasta.server.store import DatabaseError
from canasta.server.store.players import PlayerRow, PlayersStore, SessionRow

COOKIE: Final = "canasta_session"
DEVICE_COOKIE: Final = "canasta_device"
"""Cookie that marks a browser from which an account's owner has signed in."""
LIFETIME: Final = 180 * 24 * 3600
"""Lifetime of a session in seconds, from its last use."""
_NOTED: Final = 3600.0
"""Minimum seconds between two recorded uses of a session."""
_MOST_KNOWN: Final = 20_000
_BELIEVED: Final = 60.0
"""Seconds that a cached session is trusted: another process may have ended it."""
_LONGEST_TOKEN: Final = 64


@dataclass(frozen=True)
class Player:
    id: str
    name: str
    account: bool


class Sessions:
    def __init__(self, store: PlayersStore) -> None:
        self._store = store
        self.accounts = Accounts(store)
        self._known: dict[str, tuple[Player, float]] = {}
        """Cached players by hash of the cookie, each with the time at which the entry expires."""
        self._lines: dict[str, set[Callable[[], None]]] = {}
        """Callbacks that close the open connections of each session."""

    async def player(self, token: str) -> Player | None:
        """Return the player with this cookie; `None` without a valid session."""
        if not token or len(token) > _LONGEST_TOKEN:
            return None
        hashed = hash_of(token)
        known = self._known.get(hashed)
        if known is not None and known[1] > time.monotonic():
            return known[0]
        found = await self._store.session(hashed)
        if found is None:
            self._known.pop(hashed, None)
            return None
        row, session = found
        if session.used < self._store.now - _NOTED:
            with contextlib.suppress(DatabaseError):
                await self._store.use_session(hashed, LIFETIME)
        return self._remember(hashed, row)

    async def new_guest(self, name: str, device: str = "") -> tuple[Player, str]:
        """Create a guest, and return them with their cookie; `device` is a label for the session."""
        player = secrets.token_hex(8)
        await self._store.add_player(player, name)
        return Player(player, name, account=False), await self.new_session(player, device)

    async def new_session(self, player: str, device: str = "") -> str:
        token = secrets.token_urlsafe(32)
        await self._store.add_session(hash_of(token), player, LIFETIME, device)
        return token

    async def end(self, token: str) -> None:
        """End a session and close its connections."""
        hashed = hash_of(token)
        # Delete it from the store first, or a concurrent request would cache it again.
        await self._store.drop_session(hashed)
        self._forget([hashed])

    def _forget(self, ended: Iterable[str]) -> None:
        """Drop ended sessions from the cache and close their connections."""
        for hashed in ended:
            self._known.pop(hashed, None)
            for hang_up in tuple(self._lines.get(hashed, ())):
                hang_up()

    async def of_player(self, player: str, token: str) -> list[tuple[SessionRow, bool]]:
        """Return the player's sessions, each with whether it belongs to this token."""
        own = hash_of(token)
        return [(row, row.token_hash == own) for row in await self._store.sessions_of(player)]

    async def end_one(self, player: str, name: str) -> bool:
        """End a session by its public name (`session_name`); return False if the player has no such
        session."""
        for row in await self._store.sessions_of(player):
            if session_name(row) == name:
                await self._store.drop_session(row.token_hash)
                self._forget([row.token_hash])
                return True
        return False

    async def end_others(self, player: str, token: str) -> None:
        """End all of a player's other sessions, and forget all known devices."""
        own = hash_of(token)
        await self._store.drop_sessions(player, own)
        await self._forget_player(player, but=own)

    async def delete(self, player: str) -> None:
        """Sign a player out everywhere and start their deletion; `tables.deletions` completes it."""
        await self._store.start_deletion(player, GUEST)
        await self._forget_player(player)

    async def _forget_player(self, player: str, but: str = "") -> None:
        """Drop a player's ended sessions, including ones that started a moment ago."""
        self._forget({hashed for hashed, (who, _) in self._known.items() if who.id == player} - {but})
        await self.drop_ended()

    # -- devices ---------------------------------------------------------------------------------------------

    async def know_device(self, player: str) -> str:
        """Return a cookie that marks this browser as known for the player."""
        token = secrets.token_urlsafe(32)
        await self._store.know_device(hash_of(token), player)
        return token

    async def knows_device(self, device: str, account: str) -> bool:
        if not 0 < len(device) <= _LONGEST_TOKEN:
            return False
        return await self._store.knows_device(hash_of(device), account)

    # -- connections -----------------------------------------------------------------------------------------

    async def drop_ended(self) -> None:
        """Close connections whose sessions another process has ended; raise `DatabaseError`."""
        held = [hashed for hashed in self._lines if hashed != _NOBODY]
        self._forget(set(held) - await self._store.known_sessions(held))

    @contextmanager
    def connected(self, token: str, hang_up: Callable[[], None]) -> Iterator[None]:
        """Register an open connection for the block; `hang_up` is called if the session ends first."""
        hashed = hash_of(token)
        self._lines.setdefault(hashed, set()).add(hang_up)
        try:
            yield
        finally:
            lines = self._lines[hashed]
            lines.discard(hang_up)
            if not lines:
                del self._lines[hashed]

    async def rename(self, token: str, player: Player, name: str) -> Player:
        """Rename a player; raise `InputError`."""
        row = await self._store.player(player.id)
        assert row is not None, "a session belongs to a player"
        await self.accounts.rename(row, name)
        return await self._anew(token, player)

    async def register(self, token: str, player: Player, name: str, password: str) -> Player:
        """Turn a guest into an account; raise `InputError`."""
        await self.accounts.register(player.id, name, password)
        return await self._anew(token, player)

    async def _anew(self, token: str, player: Player) -> Player:
        """Reload the player after a change, for all their sessions."""
        self._known = {key: known for key, known in self._known.items() if known[0].id != player.id}
        found = await self.player(token)
        return player if found is None else found

    def _remember(self, hashed: str, row: PlayerRow) -> Player:
        if len(self._known) >= _MOST_KNOWN:
            self._known.clear()
        player = Player(row.id, row.name, account=row.account is not None)
        self._known[hashed] = (player, time.monotonic() + _BELIEVED)
        return player


def session_name(row: SessionRow) -> str:
    """Return a session's public name, which doesn't allow anyone to sign in."""
    return row.token_hash[:16]


def device_label(agent: str) -> str:
    """Return the browser and system from a user agent, one word each: enough to recognize one's own
    session."""
    browser = next((name for sign, name in _BROWSERS if sign in agent), "")
    system = next((name for sign, name in _SYSTEMS if sign in agent), "")
    return ", ".join(filter(None, (browser, system)))


_BROWSERS: Final = (
    ("canasta-terminal", "canasta tui"), ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung"),
    ("Firefox/", "Firefox"), ("FxiOS/", "Firefox"), ("Chrom", "Chrome"), ("CriOS/", "Chrome"),
    ("Safari/", "Safari"),
)  # fmt: skip
_SYSTEMS: Final = (
    ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"),
    ("CrOS", "ChromeOS"), ("Mac OS X", "macOS"), ("Macintosh", "macOS"), ("Linux", "Linux"),
)  # fmt: skip
"""Substrings of user agents. Those that others contain, too, come last."""


def hash_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


_NOBODY: Final = hash_of("")
"""Key of the connections without a session."""
