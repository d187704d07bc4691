"""Places: keyed hashes of network addresses, to count players per address without storing it.

Each day has its own key, which is deleted after some days. From then on nobody can recover an address from a
hash, not even with the database.
"""

import contextlib
import hmac
import secrets
import time
from datetime import date, timedelta
from typing import Final, NamedTuple

from sqlalchemy import Connection, delete, insert, select

from canasta.server.addresses import site_of
from canasta.server.store import ConflictError
from canasta.server.store.database import Database
from canasta.server.store.schema import address_keys, puzzle_sights

REMEMBERED: Final = 7
"""Days for which an address can be recognized."""
_KEPT: Final = (REMEMBERED + 1) * 86_400.0


class Place(NamedTuple):
    """The hashes of an address on one day."""

    network: str
    """Hash of the IPv4 address or IPv6 /64."""
    site: str
    """Hash of the IPv6 /48; empty for IPv4."""

    @property
    def widest(self) -> str:
        return self.site or self.network


class PlaceStore:
    """Computes the places of addresses with each day's key."""

    def __init__(self, store: Database) -> None:
        self._store = store

    async def on_day(self, address: str, day: date) -> Place:
        """Return the place of an address on this day."""
        name = day.isoformat()
        secret = (await self._keys([name])).get(name)
        if secret is None:
            with contextlib.suppress(ConflictError):  # another process was first
                await self._store.write(lambda connection: _make_key(connection, name))
            secret = (await self._keys([name]))[name]
        return _place(secret, address)

    async def lately(self, address: str, today: date) -> list[Place]:
        """Return the places of an address today and on earlier days, as long as it can be recognized."""
        first = await self.on_day(address, today)
        names = [(today - timedelta(days=count)).isoformat() for count in range(1, REMEMBERED)]
        known = await self._keys(names)
        return [first, *(_place(known[name], address) for name in names if name in known)]

    async def _keys(self, names: list[str]) -> dict[str, str]:
        wanted = select(address_keys.c.name, address_keys.c.secret).where(address_keys.c.name.in_(names))
        return await self._store.read(lambda link: {row.name: row.secret for row in link.execute(wanted)})


def _make_key(connection: Connection, name: str) -> None:
    now = time.time()
    connection.execute(delete(address_keys).where(address_keys.c.made < now - _KEPT))
    connection.execute(delete(puzzle_sights).where(puzzle_sights.c.seen < now - _KEPT))
    connection.execute(insert(address_keys), {"name": name, "secret": secrets.token_hex(32), "made": now})


def _place(secret: str, address: str) -> Place:
    site = site_of(address)
    return Place(_hash(secret, address), _hash(secret, site) if site else "")


def _hash(secret: str, text: str) -> str:
    return hmac.digest(bytes.fromhex(secret), text.encode(), "sha256").hex()[:32]
