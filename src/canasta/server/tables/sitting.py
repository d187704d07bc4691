"""Who sits down: where people come from, whose names they have, and how a table forgets them."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from canasta.server.store.store import Store, StoredEntry
from canasta.table.log import BotSeated, Entry, Joins, Seated, Withdrew, decode_entry, encode_entry
from canasta.table.names import NameProblem, clean_name, name_keys
from canasta.table.orders import names_here
from canasta.table.room import STAND_IN, Person, Room
from canasta.table.viewers import Viewer
from canasta.table.wire import AnyCommand, TakeSeat

# -- addresses -----------------------------------------------------------------------------------------------


def places_at(room: Room, viewers: Iterable[Viewer]) -> dict[int, set[str]]:
    """By seat, for people alone: hashes of the addresses that they sat down or are connected from."""
    people = [
        (seat, person)
        for seat, chair in enumerate(room.chairs)
        for person in (chair, chair.newcomer)
        if person is not None and person.player
    ]
    homes: dict[str, set[str]] = {}
    for viewer in viewers:
        homes.setdefault(viewer.player, set()).add(room.place_of(viewer.home))
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


# -- names ---------------------------------------------------------------------------------------------------


async def sitter(room: Room, viewer: Viewer, command: AnyCommand, store: Store) -> tuple[Person, set[str]]:
    """Whoever gives this command; and when they want to sit, the keys of the names that are not for them
    because accounts of others have them."""
    place = room.place_of(viewer.home)
    who = Person(viewer.player, viewer.name, account=viewer.account, place=place)
    if not isinstance(command, TakeSeat):
        return who, set()
    try:
        name = viewer.name if command.name is None else clean_name(command.name)
    except NameProblem:
        return who, set()  # refused later, and told why
    owners = await store.owners_of({key for tried in names_here(room, name) for key in name_keys(tried)})
    is_own = any(owners.get(key) == viewer.player for key in name_keys(name))
    owned = {key for key, owner in owners.items() if owner != viewer.player}
    return Person(viewer.player, viewer.name, account=is_own, place=place), owned


# -- forgetting ----------------------------------------------------------------------------------------------


def farewell(room: Room, player: str) -> list[Entry]:
    """For the log, when somebody deletes their account: a computer player has the seat of a game that goes
    on."""
    seat, joining = room.seat_of(player), room.joining_seat(player)
    entries: list[Entry] = [] if joining is None else [Withdrew(seat=joining)]
    if seat is not None and room.status != "over":
        level = "" if room.match is None else room.created.level or STAND_IN
        entries.append(BotSeated(seat=seat, level=level))
    return entries


def without_name(stored: Sequence[StoredEntry], player: str) -> dict[int, bytes]:
    """Entries of a log that name this player, by number, as they are without the name."""
    anew: dict[int, bytes] = {}
    for row in stored:
        entry = decode_entry(row.payload)
        if isinstance(entry, (Seated, Joins)) and entry.player == player:
            entry.name, entry.account, entry.place = "", False, ""
            anew[row.seq] = encode_entry(entry)
    return anew
