"""Short summaries of finished games, computed by replaying their records."""

from collections.abc import Callable, Sequence

from msgspec import Struct, field

from canasta.engine.events import PilePutBack, PileTaken
from canasta.i18n.safe_text import printable
from canasta.i18n.voice import SEAT_NAMES
from canasta.notation.replay import Replayer
from canasta.table.seats import Chair

PEOPLE = "people"
"""Replaces the level if other people were at the table."""


class HandPlayed(Struct, kw_only=True):
    """One hand as played by one seat."""

    points: int
    """Points of the seat's side; the canastas are the side's, too."""
    canastas: int
    piles: int
    """Piles taken by the seat."""
    out: bool
    """Whether the seat went out."""


class PlayedGame(Struct, kw_only=True):
    """A finished game or an imported record, in the list of one player."""

    rules: str
    title: str
    players: int
    names: list[str]
    people: list[str]
    """Ids by seat; empty for computer players and in imported records."""
    seat: int
    """The owner's seat; -1 if it is unknown."""
    scores: list[int]
    """Scores by side."""
    side: int
    winner: int
    """The winning side; -2 for a draw, -1 if the game was not finished."""
    level: str
    """The level of the computer players if all have the same and no other person plays; `people` if one
    does."""
    hands: list[HandPlayed] = field(default_factory=list)
    """The hands, as played by `seat`."""

    def without(self, player: str) -> "PlayedGame":
        """Remove this player's id and name, for a player who wants to be forgotten."""
        usual = SEAT_NAMES[self.players]
        for seat, known in enumerate(self.people):
            if known == player:
                self.people[seat], self.names[seat] = "", usual[seat]
        return self


def level_of(chairs: Sequence[Chair], seat: int) -> str:
    """Return the level of the other players at this seat's table."""
    others = [chair for at, chair in enumerate(chairs) if at != seat]
    if any(chair.player for chair in others):
        return PEOPLE
    levels = {chair.level for chair in others}
    return levels.pop() if len(levels) == 1 else ""


def played_game(text: str, is_late: Callable[[], bool]) -> list[PlayedGame] | None:
    """Return the game of a record as each of its seats lists it; `None` if the record is invalid or takes too
    long."""
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
                        canastas=sum(state.canasta_counts(side)),
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
