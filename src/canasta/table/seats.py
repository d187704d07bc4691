"""The seats of a table, and the people and computer players on them, with their names and portraits."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from canasta.bots import bot_names
from canasta.bots.levels import PEOPLE
from canasta.i18n.voice import SEAT_NAMES
from canasta.table.log import Joins, Seated
from canasta.table.names import name_keys

FACES: Final = tuple(f"{figure}-{number}" for figure, names in PEOPLE.items() for number in range(len(names)))
"""Names of the portraits, which the browser draws: a few of one figure for each level. People can choose
any."""

FACE_OF: Final = dict(zip((name for names in PEOPLE.values() for name in names), FACES, strict=True))
"""The portrait of each computer player, by name."""


def names_for(level: str, seats: int) -> list[str]:
    """Return names for computer players in all seats but the first, which is a person's."""
    names = [""]
    while len(names) < seats:
        names.append(name_for(level, names))
    return names


def name_for(level: str, taken: Collection[str]) -> str:
    """Return the first name of this level that nobody at the table has; empty if all are taken."""
    looks = {key for name in taken for key in name_keys(name)}
    return next((name for name in PEOPLE.get(level, ()) if looks.isdisjoint(name_keys(name))), "")


LEVELS: Final = tuple(name for name in bot_names() if name != "random")
"""Levels of the computer players that can be seated, weakest first."""

STAND_IN: Final = "club"
"""Level of the computer player that takes the seats of people who are away or out of time."""


@dataclass(frozen=True)
class Person:
    """A person who has a seat at the table or wants one."""

    player: str
    """The person's id."""
    name: str
    account: bool = False
    """Whether the name belongs to an account and the person owns it."""
    place: str = ""
    """A keyed hash of the person's network address; empty if it is unknown."""

    @classmethod
    def of(cls, entry: "Seated | Joins | Chair") -> "Person":
        return cls(entry.player, entry.name, entry.account, entry.place)

    def sits(self, seat: int) -> Seated:
        return Seated(seat=seat, player=self.player, name=self.name, account=self.account, place=self.place)

    def joins(self, seat: int) -> Joins:
        return Joins(seat=seat, player=self.player, name=self.name, account=self.account, place=self.place)


@dataclass
class Chair:
    """A seat and its occupant."""

    player: str = ""
    """Id of the person; empty for a computer player and a free seat."""
    name: str = ""
    level: str = ""
    """Level of the computer player in the seat; empty if there is none."""
    away: bool = False
    left: bool = False
    """Whether the person chose to leave."""
    ready: bool = False
    account: bool = False
    place: str = ""
    """See `Person.place`."""
    face: str = ""
    """The portrait that the person has chosen."""
    newcomer: Person | None = None
    """The person who gets the seat after the hand in play."""

    @classmethod
    def of(cls, person: Person) -> "Chair":
        return cls(player=person.player, name=person.name, account=person.account, place=person.place)

    @property
    def is_free(self) -> bool:
        return not self.player and not self.level

    @property
    def has_bot(self) -> bool:
        """Whether a computer player makes the moves."""
        return self.away or not self.player


class TableSeats:
    """The seats of a table and its host."""

    def __init__(self, seats: int) -> None:
        self.chairs: list[Chair] = [Chair() for _ in range(seats)]
        self.host: str = ""
        """Id of the person who may start the game, choose another and arrange the seats."""

    @property
    def people(self) -> list[int]:
        """Seats of the people who, according to the log, are at the table."""
        return [seat for seat, chair in enumerate(self.chairs) if chair.player and not chair.away]

    @property
    def names(self) -> list[str]:
        places = SEAT_NAMES[len(self.chairs)]
        return [chair.name or places[seat] for seat, chair in enumerate(self.chairs)]

    def seat_of(self, player: str) -> int | None:
        for seat, chair in enumerate(self.chairs):
            if player and chair.player == player:
                return seat
        return None

    def seats_of(self, players: Collection[str]) -> set[int]:
        return {seat for seat, chair in enumerate(self.chairs) if chair.player and chair.player in players}

    def joining_seat(self, player: str) -> int | None:
        """Return the seat that this person will have from the next deal on."""
        for seat, chair in enumerate(self.chairs):
            if player and chair.newcomer is not None and chair.newcomer.player == player:
                return seat
        return None

    def sit_down(self, seat: int, person: Person) -> None:
        """Seat a person. They give up any earlier seat but keep their portrait."""
        before = self.seat_of(person.player)
        face = ""
        if before is not None:
            face = self.chairs[before].face
            self.chairs[before] = Chair()
        self.chairs[seat] = Chair.of(person)
        self.chairs[seat].face = face
        self.pass_host_on()

    def seat_bot(self, seat: int, level: str, name: str) -> None:
        """Seat a computer player, or free the seat if `level` is empty."""
        name = (name or SEAT_NAMES[len(self.chairs)][seat]) if level else ""
        self.chairs[seat] = Chair(name=name, level=level, newcomer=self.chairs[seat].newcomer)
        self.pass_host_on()

    def promise(self, seat: int, person: Person) -> None:
        """Reserve a seat for a player who joins with the next deal."""
        before = self.joining_seat(person.player)
        if before is not None:
            self.chairs[before].newcomer = None
        self.chairs[seat].newcomer = person

    def come_back(self, seat: int) -> None:
        """Give the seat back to the player who was away."""
        self.chairs[seat].away = self.chairs[seat].left = False
        self.chairs[seat].newcomer = None
        self.pass_host_on()

    def forget_name(self, player: str) -> None:
        """Erase a player's name and network address."""
        for chair in self.chairs:
            if chair.player == player:
                chair.name, chair.account, chair.place = "", False, ""

    def pass_host_on(self) -> None:
        """Make another player the host if the current one is away."""
        there = [chair.player for chair in self.chairs if chair.player and not chair.away]
        if there and self.host not in there:
            self.host = there[0]


def rearranged(chairs: Sequence[Chair], before: Sequence[int]) -> list[Chair]:
    """Return the chairs in a new order. Computer players take the names of their new seats.

    before: for each seat, the previous seat of its new occupant.
    """
    places = SEAT_NAMES[len(chairs)]
    moved = [chairs[seat] for seat in before]
    for seat, chair in enumerate(moved):
        _rename(chair, places[before[seat]], places[seat])
    return moved


def resized(chairs: Sequence[Chair], seats: int) -> list[Chair]:
    """Return the chairs for a game with another number of seats.

    People keep their seats if possible; the others get a free seat or that of a computer player. The caller
    must have checked that there are enough seats for them.
    """
    kept = [*chairs[:seats], *(Chair() for _ in range(seats - len(chairs)))]
    old, new = SEAT_NAMES[len(chairs)], SEAT_NAMES[seats]
    for seat, chair in enumerate(kept[: len(chairs)]):
        _rename(chair, old[seat], new[seat])
    for chair in chairs[seats:]:
        if chair.player:
            seat = min(
                (seat for seat in range(seats) if not kept[seat].player), key=lambda at: not kept[at].is_free
            )
            kept[seat] = chair
    return kept


def _rename(chair: Chair, before: str, after: str) -> None:
    if chair.level and not chair.player and chair.name == before:
        chair.name = after
