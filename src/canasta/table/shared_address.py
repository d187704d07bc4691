"""Detection of people at a table who share a network address."""

import hmac
from collections.abc import Collection, Iterable, Mapping

from canasta.table.table import Table
from canasta.table.viewers import Viewer


def place_of(table: Table, address: str) -> str:
    """Return the hash under which the log keeps an address.

    Equal addresses have equal hashes at one table, and without the table's secret nobody can recover the
    address.
    """
    if not table.created.secret or not address:
        return ""
    return hmac.digest(bytes.fromhex(table.created.secret), address.encode(), "sha256").hex()[:16]


def places_at(table: Table, viewers: Iterable[Viewer]) -> dict[int, set[str]]:
    """Return hashes of the addresses that people sat down or are connected from, by seat."""
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


def sharing(places: Mapping[int, Collection[str]]) -> set[int]:
    """Return the seats whose people share an address with somebody on another seat."""
    return {
        seat
        for seat, found in places.items()
        if any(not set(found).isdisjoint(others) for other, others in places.items() if other != seat)
    }
