"""Practice: a table that starts from laid-out cards, for one person among computer players."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from canasta.notation.record import told_options
from canasta.table.history import LaidStep
from canasta.table.log import BotSeated, Created, Entry, Laid, Option
from canasta.table.portraits import name_for
from canasta.table.seats import Person
from canasta.table.seed_rounds import new_seed

FROM_RECORD: Final = "review:"
"""Prefix of the topic of a practice that starts from a position of a game."""


@dataclass(frozen=True)
class Practice:
    """A practice task. The position comes from the program or from a game that the player may see, never from
    the client."""

    thing: str
    """The topic: `lesson:frozen:2`."""
    position: str
    goals: Sequence[str] = ()
    avoid: Sequence[str] = ()
    turns: int = 0
    """The number of own turns that the player has; see `log.Laid`."""
    level: str = "novice"
    """The level of the computer players."""

    def entries(self, player: str, *, made: float) -> list[Entry]:
        """Return the first entries of the table's log. The player gets the seat that is to move.

        Raises `PositionError` or `RulesetError`.
        """
        match = LaidStep(position=self.position).match()
        rules, seat = match.rules, match.hand.turn
        options: dict[str, Option] = {}
        for path, value in told_options(rules).items():
            assert isinstance(value, (bool, int, str, list))
            options[path] = value
        created = Created(
            rules=rules.name,
            version=rules.version,
            players=rules.seats.players,
            options=options,
            public=False,
            level=self.level,
            clock=0,
            spectators=False,
            seed=new_seed(),
            made=made,
            practice=self.thing,
        )
        names: list[str] = []
        bots: list[Entry] = []
        for at in range(created.players):
            if at != seat:
                names.append(name_for(self.level, names))
                bots.append(BotSeated(seat=at, level=self.level, name=names[-1]))
        laid = Laid(
            position=self.position,
            seat=seat,
            goals=list(self.goals),
            avoid=list(self.avoid),
            turns=self.turns,
        )
        return [created, Person(player, "").sits(seat), *bots, laid]
