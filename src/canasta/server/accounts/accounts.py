"""Names and passwords. A guest has only a name; an account has both, and its name is unique."""

import asyncio
import contextlib
from asyncio import QueueFull
from collections.abc import AsyncIterator
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from canasta.errors import InputError
from canasta.server.store import ConflictError
from canasta.server.store.players import PlayerRow, PlayersStore
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
        # Unknown devices use a queue of their own that admits one at a time. So a known device waits for at
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
        """Return whether no other account has this name or a look-alike."""
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

        Both take the same time, so that nobody can tell them apart. `is_known` means that the owner has
        signed in from this device before. Raise `QueueFull`.
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
