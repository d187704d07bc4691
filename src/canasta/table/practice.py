"""Practice: a table that begins with cards laid out, for one person among computer players."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from canasta.notation.record import told_options
from canasta.table.chairs import Person
from canasta.table.deals_and_moves import LaidStep
from canasta.table.figures import name_for
from canasta.table.log import BotSeated, Created, Entry, Laid, Option
from canasta.table.shuffling import new_seed

FROM_RECORD: Final = "review:"
"""So begins what a position out of a game is practised as."""


@dataclass(frozen=True)
class Practice:
    """What is to be practised. The position comes from the program or from a game that its player may see,
    never from a caller."""

    thing: str
    """What it is, in one word: `lesson:frozen:2`."""
    position: str
    goals: Sequence[str] = ()
    avoid: Sequence[str] = ()
    turns: int = 0
    """See `log.Laid`."""
    level: str = "novice"
    """Of the computer players."""

    def entries(self, player: str, *, made: float) -> list[Entry]:
        """The log of its table as it begins: this person sits where the position has somebody to move. Raises
        `PositionError` or `RulesetError`."""
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
