"""Names, passwords and sessions.

A guest has only a name; an account also has a password, and its name is unique. A player can have several
sessions, list them and end them from another device. Litestar's own can't be
listed for their owner, ended from another device, or looked up by hash.
"""

import asyncio
import contextlib
import hashlib
import secrets
import time
from asyncio import QueueFull
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from canasta.errors import InputError
from canasta.server.store import ConflictError, DatabaseError
from canasta.server.store.players import PlayerRow, PlayersStore, SessionRow
from canasta.table.errors import input_error
from canasta.table.names import clean_name, is_guest_name, is_reserved, name_key, name_keys

GUEST: Final = "Guest"
"""Name of a guest who hasn't chosen one; no account can have it."""
SHORTEST_PASSWORD, LONGEST_PASSWORD = 8, 128

_MOST_STRANGERS: Final = 40
"""Maximum number of password checks waiting for unknown devices; each takes about 40 ms."""

_hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
"""OWASP's minimum for Argon2id, since sign-ins share the machine with running games."""


def check_password(password: str) -> None:
    if len(password) < SHORTEST_PASSWORD:
        raise input_error("PASSWORD_TOO_SHORT", {"needed": SHORTEST_PASSWORD})
    if len(password) > LONGEST_PASSWORD:
        raise input_error("PASSWORD_TOO_LONG", {"most": LONGEST_PASSWORD})


class Accounts:
    def __init__(self, store: PlayersStore) -> None:
        self._store = store
        # Hash one password at a time: each takes a core and some memory, which must not slow down the tables.
        self._turn = asyncio.Semaphore(1)
        # Unknown devices have their own queue, which admits one at a time. So a known device waits for at
        # most one of them.
        self._strangers = asyncio.Semaphore(1)
        self._waiting = 0
        self._nobody: str | None = None

    async def register(self, player: str, name: str, password: str) -> PlayerRow:
        """Turn a guest into an account; raise `InputError`."""
        name = clean_name(name)
        check_password(password)
        await self._check_new_name(player, name)
        async with self._as_stranger():
            password_hash = await self._hash(password)
        try:
            await self._store.make_account(player, name, password_hash)
        except ConflictError as error:
            raise input_error("NAME_TAKEN", {"name": name}) from error
        row = await self._store.player(player)
        assert row is not None
        return row

    async def _check_new_name(self, player: str, name: str) -> None:
        """Raise `InputError` unless an account may have this name."""
        if is_reserved(name):
            raise input_error("NAME_RESERVED", {"name": name})
        if not await self.is_free_for(player, name):
            raise input_error("NAME_TAKEN_OR_YOURS", {"name": name})

    async def is_free_for(self, player: str, name: str) -> bool:
        """Return whether this player may have the name: no other account has it or a look-alike."""
        owners = await self._store.owners_of(name_keys(name))
        return owners.get(name_key(name)) == player or all(owner == player for owner in owners.values())

    async def check_guest_name(self, player: str, name: str) -> str:
        """Return the cleaned name of a guest; raise `InputError`."""
        name = clean_name(name)
        if is_reserved(name) and not is_guest_name(name):
            raise input_error("NAME_RESERVED", {"name": name})
        if not await self.is_free_for(player, name):
            raise input_error("NAME_OF_ACCOUNT", {"name": name})
        return name

    async def change_password(self, player: str, old: str, new: str) -> bool:
        """Change a password; return False if the old one is wrong. Raise `InputError` or
        `QueueFull`."""
        check_password(new)
        async with self._as_stranger():
            row = await self._store.player(player)
            if row is None or row.account is None or row.password_hash is None:
                return False
            if not await self._verify(row.password_hash, old):
                return False
            await self._store.set_password(row.id, await self._hash(new))
            return True

    async def is_password(self, player: str, password: str) -> bool:
        """Return whether this is the player's password. Raise `QueueFull`."""
        row = await self._store.player(player)
        known = row.password_hash if row is not None else None
        if known is None:
            return False
        async with self._as_stranger():
            return await self._verify(known, password)

    async def login(self, name: str, password: str, *, is_known: bool = False) -> PlayerRow | None:
        """Return the account, or `None` for an unknown name or a wrong password.

        Both failures take the same time, so the time doesn't reveal whether the account exists. `is_known`:
        the owner has signed in from this device before. Raise `QueueFull`.
        """
        async with contextlib.nullcontext() if is_known else self._as_stranger():
            return await self._login(name, password)

    async def _login(self, name: str, password: str) -> PlayerRow | None:
        if self._nobody is None:
            self._nobody = await self._hash("nobody has this password")
        try:
            row = await self._store.player_by_name(name_key(clean_name(name)))
        except InputError:
            row = None
        known = row.password_hash if row is not None else None
        is_right = await self._verify(known or self._nobody, password)
        if row is None or known is None or not is_right:
            return None
        if _hasher.check_needs_rehash(known) and row.account is not None:
            stronger = await self._hash(password)
            row = row._replace(password_hash=stronger)
            await self._store.set_password(row.id, stronger)
        return row

    async def rename(self, player: PlayerRow, name: str) -> str:
        """Rename a player and return the cleaned name; raise `InputError`."""
        if player.account is not None:
            name = clean_name(name)
            await self._check_new_name(player.id, name)
        else:
            name = await self.check_guest_name(player.id, name)
        if name == player.name:
            return name
        try:
            await self._store.rename(player.id, name, is_account=player.account is not None)
        except ConflictError as error:
            raise input_error("NAME_TAKEN", {"name": name}) from error
        return name

    @contextlib.asynccontextmanager
    async def _as_stranger(self) -> AsyncIterator[None]:
        if self._waiting >= _MOST_STRANGERS:
            raise QueueFull
        self._waiting += 1
        try:
            async with self._strangers:
                yield
        finally:
            self._waiting -= 1

    async def _hash(self, password: str) -> str:
        async with self._turn:
            return await asyncio.to_thread(_hasher.hash, password)

    async def _verify(self, password_hash: str, password: str) -> bool:
        async with self._turn:
            try:
                # Longer passwords are wrong anyway, so don't hash all of their text.
                start = password[: LONGEST_PASSWORD + 1]
                return await asyncio.to_thread(_hasher.verify, password_hash, start)
            except (VerificationError, InvalidHashError):
                return False


# -- sessions ------------------------------------------------------------------------------------------------

COOKIE: Final = "canasta_session"
DEVICE_COOKIE: Final = "canasta_device"
"""Cookie that marks a browser from which an account's owner has signed in."""
LIFETIME: Final = 180 * 24 * 3600
"""Lifetime of a session in seconds, from its last use."""
_NOTED: Final = 3600.0
"""Minimum seconds between two saved updates of when a session was last used."""
_MOST_KNOWN: Final = 20_000
_BELIEVED: Final = 60.0
"""Seconds for which a cached session is used without asking the database: another process may have ended
it."""
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

    async def end_session(self, player: str, name: str) -> bool:
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
        """Sign a player out everywhere and start deleting them; `tables.registry.Deletions` does the rest."""
        await self._store.start_deletion(player, GUEST)
        await self._forget_player(player)

    async def _forget_player(self, player: str, but: str = "") -> None:
        """Drop a player's sessions from the cache, and connections whose sessions have ended in the store."""
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
        """Close the connections of sessions that another process has ended; raise `DatabaseError`."""
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
        """Rename a player; raise `NameProblem`."""
        row = await self._store.player(player.id)
        assert row is not None, "a session belongs to a player"
        await self.accounts.rename(row, name)
        return await self._reload(token, player)

    async def register(self, token: str, player: Player, name: str, password: str) -> Player:
        """Turn a guest into an account; raise `NameProblem` or `PasswordProblem`."""
        await self.accounts.register(player.id, name, password)
        return await self._reload(token, player)

    async def _reload(self, token: str, player: Player) -> Player:
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
    """Return a session's public id, which can't be used to sign in."""
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
"""Substrings of user agents, with the label for each. A substring that also occurs in other user agents comes
last."""


def hash_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


_NOBODY: Final = hash_of("")
"""Cache key for connections without a session."""
