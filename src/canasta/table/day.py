"""The deal of the day: the same cards, the same seat and the same computer players for everybody.

A day's seed is committed to before the day comes, by fair cards version 2 with the name of the day in place
of that of a table (`docs/day.md`). Nobody adds a seed of their own, so that all tables of a day have the same
cards; and the computer players at them go by what they see and by nothing else, so that the same moves meet
the same answers, on whatever machine.
"""

import hashlib
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Final

from msgspec import Struct, field

from canasta.bots import get_bot
from canasta.engine.fair import SERVER, commit_to
from canasta.rules import Ruleset, resolve_ruleset
from canasta.table.chairs import Person
from canasta.table.due import Turn
from canasta.table.log import BotSeated, Created, Entry, Moved, Option, day_name
from canasta.table.table import Table

SEAT: Final = 0
"""Of the person; in a pair game the partner sits opposite."""
COMPARED: Final = ("novice", "casual", "club", "expert")
"""The computer players who play the deal from the person's seat, too."""
REVEAL_AFTER: Final = timedelta(hours=12)
"""From the end of a day until its seed is told, so that a hand that goes on over midnight can be finished
before anybody can look its cards up."""


MOST_BARS: Final = 12


class DayGame(Struct, kw_only=True, frozen=True):
    """What is played on a day."""

    rules: str
    players: int
    level: str = "club"
    """Of the computer players. One that searches would answer the same moves differently."""
    options: dict[str, Option] = field(default_factory=dict)

    def ruleset(self) -> Ruleset:
        return resolve_ruleset(self.rules, self.players, self.one_hand())

    def one_hand(self) -> dict[str, Option]:
        """One hand, and nobody cuts for seats."""
        once: dict[str, Option] = {"match.rounds": 1, "match.target": 0, "seats.first_dealer": "random"}
        return once | self.options


GAMES: Final = (
    DayGame(rules="original", players=4),
    DayGame(rules="two-player", players=2),
    DayGame(rules="jaques-samba", players=4),
    DayGame(rules="burraco", players=4),
    DayGame(rules="caliente", players=4),
    DayGame(rules="hand-and-foot", players=2),
    DayGame(rules="american", players=4),
)
"""By the day of the week, from Monday on."""


def day_of(seconds: float) -> date:
    """The day on which this moment falls, seconds since 1970: days are those of UTC."""
    return datetime.fromtimestamp(seconds, UTC).date()


def read_day(text: str) -> date | None:
    """A day as it is written, `2026-11-16`; None for anything else."""
    try:
        found = date.fromisoformat(text)
    except ValueError:
        return None
    return found if found.isoformat() == text else None


def begins(day: date) -> float:
    """The moment, in seconds since 1970."""
    return datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()


def ends(day: date) -> float:
    return begins(day + timedelta(days=1))


def revealed_at(day: date) -> float:
    """When its seed is told to everybody; a hand that is over later does not count."""
    return ends(day) + REVEAL_AFTER.total_seconds()


def game_of(day: date, games: Sequence[DayGame] = GAMES) -> DayGame:
    return games[day.weekday() % len(games)]


def commitment_of(day: date, seed: str) -> str:
    """What is published before the day."""
    return commit_to(seed, table=day_name(day.isoformat()), hand=1, number=1, seat=SERVER)


def lone_seed(day: date) -> str:
    """On a machine without a server, from the date: anybody could find it out."""
    return hashlib.sha256(f"canasta day {day.isoformat()}".encode()).hexdigest()


def opened(name: str, day: date, game: DayGame, *, seed: str, made: float, counts: bool) -> Table:
    """A table with the cards of a day, not dealt yet."""
    rules = game.ruleset()
    created = Created(
        rules=game.rules,
        version=rules.version,
        players=game.players,
        options=game.one_hand(),
        public=False,
        level=game.level,
        clock=0,
        spectators=False,
        seed=seed,
        made=made,
        day=day.isoformat(),
        counts=counts,
    )
    return Table(name, created)


def begin(table: Table, who: Person | BotSeated) -> list[Entry]:
    """Whoever plays sits down, the others too, and the cards are dealt; the entries are applied."""
    sits: list[Entry] = [who.sits(SEAT) if isinstance(who, Person) else who]
    table.apply(sits)
    deals = table.deal()
    deals += table.what_follows(deals, lambda _: False)
    table.apply(deals)
    return sits + deals


def points_of(table: Table) -> int | None:
    """What the side of the person has made; None while the hand is played."""
    match = table.match
    return match.scores[match.side_of[SEAT]] if match is not None and match.over else None


def to_compare(day: date, game: DayGame, *, seed: str, level: str) -> Table:
    """The cards dealt, with a computer player of this level on the person's seat."""
    table = opened(f"{day_name(day.isoformat())}-{level}", day, game, seed=seed, made=0.0, counts=False)
    begin(table, BotSeated(seat=SEAT, level=level))
    return table


def computer_points(day: date, game: DayGame, *, seed: str, level: str, budget: float) -> int:
    """What a computer player makes of a day from the person's seat; `budget`: seconds a turn where it
    searches."""
    table = to_compare(day, game, seed=seed, level=level)
    while isinstance(turn := table.next_due(()), Turn):
        assert table.match is not None, "somebody is to move"
        bot = get_bot(turn.level, f"{table.name}/{turn.seat}", budget)
        move = str(bot.choose(table.match.hand.view(turn.seat)))
        table.apply([Moved(seat=turn.seat, move=move, by="bot")])
    points = points_of(table)
    assert points is not None, "the hand is over"
    return points


def better_than(points: int, others: Sequence[int]) -> int | None:
    """Of a hundred others, so many have less; who has as much counts half. None where nobody else played."""
    if not others:
        return None
    less = sum(other < points for other in others) + sum(other == points for other in others) / 2
    return round(100 * less / len(others))


class Bar(Struct, kw_only=True):
    """How many results lie between two numbers."""

    low: int
    high: int
    """Below this."""
    count: int


def bars_of(points: Sequence[int]) -> list[Bar]:
    """Results in steps of equal width, some ten at most; the width is a round number."""
    low, high = min(points), max(points)
    width = next(
        step
        for power in range(1, 9)
        for times in (1, 2, 5)
        if (high - low) / (step := times * 10**power) <= MOST_BARS - 1
    )
    first = low // width
    counts = [0] * (high // width - first + 1)
    for each in points:
        counts[each // width - first] += 1
    return [
        Bar(low=(first + place) * width, high=(first + place + 1) * width, count=count)
        for place, count in enumerate(counts)
    ]


def streak_of(days: Sequence[date], played: set[date], today: date) -> int:
    """How many days in a row somebody has played, of the `days` that there were. Today may still come."""
    count = 0
    for day in sorted((day for day in days if day <= today), reverse=True):
        if day in played:
            count += 1
        elif day != today:
            break
    return count
