"""Duplicate play: the same cards with the bots in each other's
seats, so that the luck of the deal cancels out."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from canasta.arena.play import BotSpec, TableResult, play_match, play_single_hand
from canasta.engine.seating import sides_of_seats
from canasta.rules import load_ruleset
from canasta.rules.field_types import Value
from canasta.rules.model import Ruleset

By = Literal["match", "hand"]


@dataclass(frozen=True)
class GameSpec:
    """The game to play, in a form that can be sent to another process."""

    preset: str
    players: int
    options: tuple[tuple[str, Value], ...] = ()
    by: By = "match"

    def rules(self) -> Ruleset:
        return _rules(self.preset, self.players, self.options)


@lru_cache(maxsize=16)
def _rules(preset: str, players: int, options: tuple[tuple[str, Value], ...]) -> Ruleset:
    return load_ruleset(preset, players, dict(options))


@dataclass(frozen=True)
class DuplicateTable:
    """One table of a pair: which of the two bots (0 or 1) played each side, and the result."""

    seating: tuple[int, ...]
    result: TableResult

    def difference(self) -> float:
        """Return by how many points the average side of the first bot did better than that of the second."""
        first = [points for points, bot in zip(self.result.points, self.seating, strict=True) if bot == 0]
        second = [points for points, bot in zip(self.result.points, self.seating, strict=True) if bot == 1]
        return sum(first) / len(first) - sum(second) / len(second)


@dataclass(frozen=True)
class PairResult:
    """The same cards at every table of the pair. All numbers are from the first bot's point of view."""

    seed: str
    tables: tuple[DuplicateTable, ...]

    @property
    def difference(self) -> float:
        """The first bot's lead in points, over all tables and hands."""
        return sum(table.difference() for table in self.tables)

    @property
    def hands(self) -> int:
        return sum(table.result.hands for table in self.tables)

    @property
    def won(self) -> int:
        return sum(self._winner(table) == 0 for table in self.tables)

    @property
    def lost(self) -> int:
        return sum(self._winner(table) == 1 for table in self.tables)

    @property
    def drawn(self) -> int:
        return len(self.tables) - self.won - self.lost

    def turned(self) -> "PairResult":
        """Return the same result from the other bot's point of view."""
        tables = [
            DuplicateTable(tuple(1 - bot for bot in table.seating), table.result) for table in self.tables
        ]
        return PairResult(self.seed, tuple(tables))

    @staticmethod
    def _winner(table: DuplicateTable) -> int | None:
        return None if table.result.winner is None else table.seating[table.result.winner]


def seatings(sides: int) -> tuple[tuple[int, ...], ...]:
    """Return every way to seat two bots on the sides so that both of them play.

    >>> seatings(2)
    ((0, 1), (1, 0))
    >>> len(seatings(3))
    6
    """
    every = [tuple((number >> side) & 1 for side in range(sides)) for number in range(2**sides)]
    mixed = [seating for seating in every if len(set(seating)) == 2]
    return tuple(sorted(mixed))


def duplicate_pair(game: GameSpec, first: BotSpec, second: BotSpec, seed: str) -> PairResult:
    """Play two bots in every seating of the sides with the same dealer, decks and (for single hands) scores.

    Bots are seeded by their seat, so a bot against itself scores exactly 0, unless it uses a clock.
    """
    rules = game.rules()
    side_of = sides_of_seats(rules)
    specs = (first, second)
    play = play_match if game.by == "match" else play_single_hand
    tables = []
    for seating in seatings(rules.seats.sides):
        bots = [specs[seating[side]].sit_down(seed, seat) for seat, side in enumerate(side_of)]
        tables.append(DuplicateTable(seating, play(rules, bots, seed)))
    return PairResult(seed, tuple(tables))
