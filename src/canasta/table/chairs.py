"""Who can sit at a table, and on what."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from canasta.bots import bot_names
from canasta.notation.seat_names import SEAT_NAMES
from canasta.table.log import Joins, Seated

LEVELS: Final = tuple(name for name in bot_names() if name != "random")
"""The computer players that can be seated, weakest first."""

STAND_IN: Final = "club"
"""Plays for people who are away or out of time."""


@dataclass(frozen=True)
class Person:
    """Somebody who sits at the table or wants to."""

    player: str
    """Their id."""
    name: str
    account: bool = False
    """The name is that of an account, and they own it."""
    place: str = ""
    """A keyed hash of their address; empty where it says nothing."""

    @classmethod
    def of(cls, entry: "Seated | Joins | Chair") -> "Person":
        return cls(entry.player, entry.name, entry.account, entry.place)

    def sits(self, seat: int) -> Seated:
        return Seated(seat=seat, player=self.player, name=self.name, account=self.account, place=self.place)

    def joins(self, seat: int) -> Joins:
        return Joins(seat=seat, player=self.player, name=self.name, account=self.account, place=self.place)


@dataclass
class Chair:
    """A seat and who has it."""

    player: str = ""
    """Id of the person; empty for a computer player and a free seat."""
    name: str = ""
    level: str = ""
    """Of the computer player that sits there."""
    away: bool = False
    left: bool = False
    """Away of their own will."""
    ready: bool = False
    account: bool = False
    place: str = ""
    """Of the person: see `Person`."""
    face: str = ""
    """The portrait that the person has chosen."""
    newcomer: Person | None = None
    """Has the seat when the hand is over."""

    @classmethod
    def of(cls, person: Person) -> "Chair":
        return cls(player=person.player, name=person.name, account=person.account, place=person.place)

    @property
    def is_free(self) -> bool:
        return not self.player and not self.level

    @property
    def plays_itself(self) -> bool:
        """A computer player makes the moves."""
        return self.away or not self.player


class Company:
    """Who sits at a table."""

    def __init__(self, seats: int) -> None:
        self.chairs: list[Chair] = [Chair() for _ in range(seats)]
        self.host: str = ""
        """Id of the person who may start the game, choose another and say who sits where."""

    @property
    def people(self) -> list[int]:
        """Seats of people who are there, as far as the log tells."""
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
        """The seat that this person has from the next deal on."""
        for seat, chair in enumerate(self.chairs):
            if player and chair.newcomer is not None and chair.newcomer.player == player:
                return seat
        return None

    def pass_host_on(self) -> None:
        """The host is somebody who is there, as long as anybody is."""
        there = [chair.player for chair in self.chairs if chair.player and not chair.away]
        if there and self.host not in there:
            self.host = there[0]


def rearranged(chairs: Sequence[Chair], before: Sequence[int]) -> list[Chair]:
    """On each seat whoever sat where `before` says. Computer players have the names of their seats."""
    places = SEAT_NAMES[len(chairs)]
    moved = [chairs[seat] for seat in before]
    for seat, chair in enumerate(moved):
        _rename(chair, places[before[seat]], places[seat])
    return moved


def resized(chairs: Sequence[Chair], seats: int) -> list[Chair]:
    """As many chairs as a game has seats. People stay where they are; whose seat is gone takes a free one, or
    that of a computer player. There is room for all of them."""
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
