"""Who can sit at a table, and on what."""

from dataclasses import dataclass
from typing import Final

from canasta.bots import bot_names
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
    def of(cls, entry: Seated | Joins) -> "Person":
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
