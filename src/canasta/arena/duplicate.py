"""Duplicate play: the same cards with the bots in each other's seats, so that luck of the deal cancels."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from canasta.arena.bot_games import BotSpec, TableResult, play_match, play_single_hand
from canasta.engine.seating import sides_of_seats
from canasta.rules import load_ruleset
from canasta.rules.fields import Value
from canasta.rules.model import Ruleset

By = Literal["match", "hand"]


@dataclass(frozen=True)
class Game:
    """What is played, in a form that travels to another process."""

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
class Table:
    """One table of a pair: which of the two bots (0 or 1) played each side, and what it came to."""

    seating: tuple[int, ...]
    result: TableResult

    def difference(self) -> float:
        """By how many points the average side of the first bot did better than that of the second."""
        first = [points for points, bot in zip(self.result.points, self.seating, strict=True) if bot == 0]
        second = [points for points, bot in zip(self.result.points, self.seating, strict=True) if bot == 1]
        return sum(first) / len(first) - sum(second) / len(second)


@dataclass(frozen=True)
class PairResult:
    """The same cards at every table of the pair. All numbers are those of the first bot."""

    seed: str
    tables: tuple[Table, ...]

    @property
    def difference(self) -> float:
        """Points better than the other, all tables and hands together."""
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
        """The same, seen from the other bot."""
        tables = [Table(tuple(1 - bot for bot in table.seating), table.result) for table in self.tables]
        return PairResult(self.seed, tuple(tables))

    @staticmethod
    def _winner(table: Table) -> int | None:
        return None if table.result.winner is None else table.seating[table.result.winner]


def seatings(sides: int) -> tuple[tuple[int, ...], ...]:
    """Every way to seat two bots over the sides in which both of them sit.

    >>> seatings(2)
    ((0, 1), (1, 0))
    >>> len(seatings(3))
    6
    """
    every = [tuple((number >> side) & 1 for side in range(sides)) for number in range(2**sides)]
    mixed = [seating for seating in every if len(set(seating)) == 2]
    return tuple(sorted(mixed))


def duplicate_pair(game: Game, first: BotSpec, second: BotSpec, seed: str) -> PairResult:
    """Two bots over every seating of the sides with the same dealer, decks and (in single hands) scores.

    Bots are seeded by their seat. A bot against itself comes to exactly 0, then, if it keeps no clock.
    """
    rules = game.rules()
    side_of = sides_of_seats(rules)
    specs = (first, second)
    play = play_match if game.by == "match" else play_single_hand
    tables = []
    for seating in seatings(rules.seats.sides):
        bots = [specs[seating[side]].sit_down(seed, seat) for seat, side in enumerate(side_of)]
        tables.append(Table(seating, play(rules, bots, seed)))
    return PairResult(seed, tuple(tables))
