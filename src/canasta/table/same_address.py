"""Where people at a table come from, as far as the others may know: who shares a network address."""

import hmac
from collections.abc import Collection, Iterable, Mapping

from canasta.table.table import Table
from canasta.table.viewers import Viewer


def place_of(table: Table, address: str) -> str:
    """What the log keeps of an address: equal for equal ones at this table, and not to be read back without
    the table's secret."""
    if not table.created.secret or not address:
        return ""
    return hmac.digest(bytes.fromhex(table.created.secret), address.encode(), "sha256").hex()[:16]


def places_at(table: Table, viewers: Iterable[Viewer]) -> dict[int, set[str]]:
    """By seat, for people alone: hashes of the addresses that they sat down or are connected from."""
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
    """Seats whose people share an address with somebody on another seat."""
    return {
        seat
        for seat, found in places.items()
        if any(not set(found).isdisjoint(others) for other, others in places.items() if other != seat)
    }
