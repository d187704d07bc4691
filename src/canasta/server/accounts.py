"""Names and passwords. A guest has a name and no password; an account has both, and its name to itself."""

import asyncio

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from canasta.server.names import NameProblem, clean_name, name_key
from canasta.server.store import Conflict, PlayerRow, Store

SHORTEST_PASSWORD, LONGEST_PASSWORD = 8, 128

_hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
"""The least that OWASP recommends for Argon2id: whoever logs in shares the machine with running games."""


class PasswordProblem(ValueError):
    """A password that cannot be used; the text says why."""


class NameTaken(NameProblem):
    """Another account has this name."""


def check_password(password: str) -> None:
    if len(password) < SHORTEST_PASSWORD:
        raise PasswordProblem(f"A password has at least {SHORTEST_PASSWORD} characters.")
    if len(password) > LONGEST_PASSWORD:
        raise PasswordProblem(f"A password has at most {LONGEST_PASSWORD} characters.")


class Accounts:
    def __init__(self, store: Store) -> None:
        self._store = store
        # Each hash takes a core and some memory for a moment: the tables must not notice.
        self._turn = asyncio.Semaphore(1)
        self._nobody: str | None = None

    async def register(self, player: str, name: str, password: str) -> PlayerRow:
        """Turn a guest into an account; raises `NameProblem` or `PasswordProblem`."""
        name = clean_name(name)
        check_password(password)
        taken = await self._store.player_by_name(name_key(name))
        if taken is not None and taken.id != player:
            raise NameTaken(f"The name {name} is taken. Choose another one, or log in if it is yours.")
        password_hash = await self._hash(password)
        try:
            await self._store.set_password(player, name, name_key(name), password_hash)
        except Conflict as error:
            raise NameTaken(f"The name {name} is taken. Choose another one.") from error
        row = await self._store.player(player)
        assert row is not None
        return row

    async def login(self, name: str, password: str) -> PlayerRow | None:
        """The account, or None. An unknown name takes as long as a wrong password: neither can be told."""
        if self._nobody is None:
            self._nobody = await self._hash("nobody has this password")
        try:
            row = await self._store.player_by_name(name_key(clean_name(name)))
        except NameProblem:
            row = None
        known = row.password_hash if row is not None else None
        is_right = await self._verify(known or self._nobody, password[: LONGEST_PASSWORD + 1])
        if row is None or known is None or not is_right:
            return None
        if _hasher.check_needs_rehash(known) and row.account is not None:
            await self._store.set_password(row.id, row.name, row.account, await self._hash(password))
        return row

    async def rename(self, player: PlayerRow, name: str) -> str:
        """The new name as it is shown; raises `NameProblem`."""
        name = clean_name(name)
        try:
            await self._store.rename(player.id, name, name_key(name) if player.account is not None else None)
        except Conflict as error:
            raise NameTaken(f"The name {name} is taken. Choose another one.") from error
        return name

    async def _hash(self, password: str) -> str:
        async with self._turn:
            return await asyncio.to_thread(_hasher.hash, password)

    async def _verify(self, password_hash: str, password: str) -> bool:
        async with self._turn:
            try:
                return await asyncio.to_thread(_hasher.verify, password_hash, password)
            except (VerificationError, InvalidHashError):
                return False
