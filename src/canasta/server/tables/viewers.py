"""Viewers of a table: their connections, limits on connections, and players who share a network address."""

import hmac
from asyncio import QueueFull
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final, Protocol

from canasta.server.accounts.rate_limits import SITE_SHARE
from canasta.server.addresses import site_of
from canasta.server.settings import Limits
from canasta.table.table import Table


class Viewer(Protocol):
    """A connection to the table."""

    player: str
    """Empty for a spectator without a session."""
    name: str
    account: bool
    """Whether the name belongs to an account and the viewer owns it."""
    home: str
    """The viewer's network address; empty if it is unknown."""

    @property
    def is_behind(self) -> bool:
        """Whether the last state has not been sent yet. The next state will replace it."""

    @property
    def is_closing(self) -> bool:
        """Whether the connection is about to end, so that nothing more needs to be shown."""

    def show(self, text: str) -> None:
        """Send a state. It replaces one that has not been sent yet."""

    def answer(self, text: str) -> None:
        """Send an answer, after everything that was sent before."""

    def close(self, code: int, reason: str) -> None: ...


def place_of(table: Table, address: str) -> str:
    """Return the hash that the log stores for an address.

    Equal addresses have equal hashes at one table. Without the table's secret, nobody can recover the
    address.
    """
    if not table.created.secret or not address:
        return ""
    return hmac.digest(bytes.fromhex(table.created.secret), address.encode(), "sha256").hex()[:16]


def places_at(table: Table, viewers: Iterable[Viewer]) -> dict[int, set[str]]:
    """Return, by seat, hashes of the address where the player sat down and of those they are connected
    from."""
    people = [
        (seat, person)
        for seat, chair in enumerate(table.chairs)
        for person in (chair, chair.newcomer)
        if person is not None and person.player
    ]
    homes: dict[str, set[str]] = {}
    for viewer in viewers:
        homes.setdefault(viewer.player, set()).add(place_of(table, viewer.home))
    places: dict[int, set[str]] = {seat: set() for seat, _ in people}
    for seat, person in people:
        places[seat] |= {person.place, *homes.get(person.player, ())} - {""}
    return places


def seats_sharing_address(places: Mapping[int, Collection[str]]) -> set[int]:
    """Return the seats of players who share an address with a player in another seat."""
    return {
        seat
        for seat, found in places.items()
        if any(not set(found).isdisjoint(others) for other, others in places.items() if other != seat)
    }


_SPECTATORS: Final = "spectators"


class ViewerLimits:
    """Counts the connections to one table: by player for seated players, by address for all others."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._open: Counter[tuple[str, str]] = Counter()

    def __len__(self) -> int:
        """Return the number of keys in use, for tests."""
        return len(self._open)

    @contextmanager
    def hold(self, player: str, address: str) -> Iterator[None]:
        """Count a connection until it ends; raise `QueueFull` above a limit.

        `player` is empty for a spectator.
        """
        most = self._limits.viewers_from
        limits: dict[tuple[str, str], int] = {}
        if player:
            limits["player", player] = most
        else:
            limits[_SPECTATORS, ""] = self._limits.spectators
            limits["address", address] = most
            if site := site_of(address):
                limits["address", site] = SITE_SHARE * most
        if any(self._open[key] >= limit for key, limit in limits.items()):
            self._forget(limits)
            raise QueueFull
        self._open.update(limits.keys())
        try:
            yield
        finally:
            self._open.subtract(limits.keys())
            self._forget(limits)

    def _forget(self, keys: dict[tuple[str, str], int]) -> None:
        for key in keys:
            if not self._open[key]:
                del self._open[key]
