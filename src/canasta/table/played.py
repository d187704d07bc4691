"""What a game was like for those who played it, in a few numbers; found by playing its record once more."""

from collections.abc import Callable, Sequence

from msgspec import Struct, field

from canasta.engine.events import PilePutBack, PileTaken
from canasta.notation.errors import printable
from canasta.notation.replay import Replayer
from canasta.notation.seat_names import SEAT_NAMES
from canasta.table.chairs import Chair

PEOPLE = "people"
"""In place of a level: somebody else of flesh and blood sat there too."""


class HandPlayed(Struct, kw_only=True):
    """One hand as one seat played it."""

    points: int
    """Of the side, and so the canastas."""
    canastas: int
    piles: int
    """That the seat took."""
    out: bool
    """The seat went out."""


class PlayedGame(Struct, kw_only=True):
    """A game that is over, or a record of one, as somebody keeps it."""

    rules: str
    title: str
    players: int
    names: list[str]
    people: list[str]
    """Ids by seat; empty for computer players and in records from elsewhere."""
    seat: int
    """Whose game it is; -1: nobody's who is known here."""
    scores: list[int]
    """By side."""
    side: int
    winner: int
    """The side; -2 for a draw, -1 where the game was not played to its end."""
    level: str
    """Of the computer players, where all are alike and no other person plays; `people` where one does."""
    hands: list[HandPlayed] = field(default_factory=list)
    """Those of `seat`."""

    def without(self, player: str) -> "PlayedGame":
        """As it is when this player wants to be forgotten."""
        usual = SEAT_NAMES[self.players]
        for seat, known in enumerate(self.people):
            if known == player:
                self.people[seat], self.names[seat] = "", usual[seat]
        return self


def level_of(chairs: Sequence[Chair], seat: int) -> str:
    """Against whom, and with whom, this seat plays."""
    others = [chair for at, chair in enumerate(chairs) if at != seat]
    if any(chair.player for chair in others):
        return PEOPLE
    levels = {chair.level for chair in others}
    return levels.pop() if len(levels) == 1 else ""


def played_game(text: str, is_late: Callable[[], bool]) -> list[PlayedGame] | None:
    """The game of a record for each of its seats; None where it does not hold, or takes too long."""
    replayer = Replayer(text)
    match, header = replayer.replay.match, replayer.replay.header
    if match is None or header is None:
        return None
    players = match.rules.seats.players
    usual = SEAT_NAMES[players]
    names = [printable(header.names.get(seat, name)) for seat, name in enumerate(usual)]
    hands: list[list[HandPlayed]] = [[] for _ in range(players)]
    piles = [0] * players
    while replayer.step() is not None:
        if is_late():
            return None
        for event in replayer.events:
            if isinstance(event, PileTaken):
                piles[event.seat] += 1
            elif isinstance(event, PilePutBack):
                piles[event.seat] -= 1
        if match.hand.over:
            state = match.hand.state
            for seat in state.order:
                side = state.side_of[seat]
                hands[seat].append(
                    HandPlayed(
                        points=match.sheets[-1][side].total,
                        canastas=sum(state.canastas_of(side)),
                        piles=piles[seat],
                        out=match.hand.out == seat,
                    )
                )
            piles = [0] * players
    if replayer.replay.problem is not None:
        return None
    winner = -1 if not match.over else -2 if match.winner is None else match.winner
    return [
        PlayedGame(
            rules=match.rules.name,
            title=match.rules.title,
            players=players,
            names=names,
            people=[""] * players,
            seat=seat,
            scores=list(match.scores),
            side=match.side_of[seat],
            winner=winner,
            level="",
            hands=hands[seat],
        )
        for seat in range(players)
    ]
