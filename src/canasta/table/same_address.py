"""Where people at a table come from, as far as the others may know: who shares a network address."""

from collections.abc import Collection, Iterable, Mapping

from canasta.table.table import Table
from canasta.table.viewers import Viewer


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
        homes.setdefault(viewer.player, set()).add(table.place_of(viewer.home))
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
