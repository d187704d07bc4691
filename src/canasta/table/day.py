"""The deal of the day: the same cards, the same seat and the same computer players for everybody.

A day's seed is committed to before the day begins, as with fair cards, but bound to the name of the day and
not of a table (`docs/day.md`). Players don't contribute seeds, so all tables of a day have the same cards.
The computer players decide by their own view alone, so the same moves get the same replies on any machine.
"""

import hashlib
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Final

from msgspec import Struct, field

from canasta.bots import get_bot
from canasta.engine.fairness import SERVER, commit_to
from canasta.i18n.voice import Voice
from canasta.rules import Ruleset, resolve_ruleset
from canasta.table.commands import start_entries
from canasta.table.log import BotSeated, Created, Entry, Moved, Option, day_name
from canasta.table.next_action import Turn, next_action
from canasta.table.seats import Person
from canasta.table.table import Table

SEAT: Final = 0
"""The player's seat; in a partnership game the partner sits opposite."""
COMPARED: Final = ("novice", "casual", "club", "expert")
"""Levels of the computer players that also play the deal from the player's seat, for comparison."""
REVEAL_AFTER: Final = timedelta(hours=12)
"""Time from the end of a day until its seed is revealed, so that a hand in play at midnight can be finished
before anybody can look up its cards."""


MOST_BARS: Final = 12


class DayGame(Struct, kw_only=True, frozen=True):
    """The game of a day."""

    rules: str
    players: int
    level: str = "club"
    """The level of the computer players. It must not be one that searches, which wouldn't always reply to the
    same moves the same way."""
    options: dict[str, Option] = field(default_factory=dict)

    def ruleset(self) -> Ruleset:
        return resolve_ruleset(self.rules, self.players, self.one_hand())

    def one_hand(self) -> dict[str, Option]:
        """Return options that limit the game to one hand, without a cut for seats."""
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
"""The games by day of the week, starting on Monday."""


def day_of(seconds: float) -> date:
    """Return the UTC day of a time in seconds since 1970."""
    return datetime.fromtimestamp(seconds, UTC).date()


def parse_day(text: str) -> date | None:
    """Parse a day such as `2026-11-16`. Return None for anything else."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if day.isoformat() == text else None


def start_of(day: date) -> float:
    """Return the start of the day in seconds since 1970."""
    return datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()


def end_of(day: date) -> float:
    return start_of(day + timedelta(days=1))


def revealed_at(day: date) -> float:
    """Return the time at which the day's seed is revealed. A hand finished after that doesn't count."""
    return end_of(day) + REVEAL_AFTER.total_seconds()


def game_of(day: date, games: Sequence[DayGame] = GAMES) -> DayGame:
    return games[day.weekday() % len(games)]


def commitment_of(day: date, seed: str) -> str:
    """Return the commitment that is published before the day."""
    return commit_to(seed, table=day_name(day.isoformat()), hand=1, number=1, seat=SERVER)


def local_seed(day: date) -> str:
    """Return the seed to use without a server. It is computed from the date, so it isn't secret."""
    return hashlib.sha256(f"canasta day {day.isoformat()}".encode()).hexdigest()


def day_table(name: str, day: date, game: DayGame, *, seed: str, made: float, counts: bool) -> Table:
    """Return a table with the cards of a day, before the deal."""
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


def start(table: Table, who: Person | BotSeated) -> list[Entry]:
    """Seat the player and the computer players, deal, and return the entries, which are already applied."""
    sits: list[Entry] = [who.sits(SEAT) if isinstance(who, Person) else who]
    table.apply(sits)
    deals = start_entries(table)
    deals += table.following_entries(deals, lambda _: False)
    table.apply(deals)
    return sits + deals


def points_of(table: Table) -> int | None:
    """Return the points of the player's side, or `None` if the hand isn't over."""
    match = table.match
    return match.scores[match.side_of[SEAT]] if match is not None and match.over else None


def comparison_table(day: date, game: DayGame, *, seed: str, level: str) -> Table:
    """Return a table with the cards dealt and a computer player of this level in the player's seat."""
    table = day_table(f"{day_name(day.isoformat())}-{level}", day, game, seed=seed, made=0.0, counts=False)
    start(table, BotSeated(seat=SEAT, level=level))
    return table


def computer_points(day: date, game: DayGame, *, seed: str, level: str, budget: float) -> int:
    """Return the points that a computer player makes on a day from the player's seat.

    budget: seconds per turn, for levels that search.
    """
    table = comparison_table(day, game, seed=seed, level=level)
    while isinstance(turn := next_action(table, ()), Turn):
        assert table.match is not None, "somebody is to move"
        bot = get_bot(turn.level, f"{table.name}/{turn.seat}", budget)
        tried = table.match.try_move(bot.choose(table.match.hand.view(turn.seat)))
        table.apply([Moved(seat=turn.seat, move=str(tried.move), by="bot")], tried=tried)
    points = points_of(table)
    assert points is not None, "the hand is over"
    return points


def percentile(points: int, others: Sequence[int]) -> int | None:
    """Return the percentage of other players with fewer points; ties count half. `None` if nobody else
    played."""
    if not others:
        return None
    less = sum(other < points for other in others) + sum(other == points for other in others) / 2
    return round(100 * less / len(others))


class Bar(Struct, kw_only=True):
    """The number of results in a range."""

    low: int
    high: int
    """Exclusive."""
    count: int


def bars_of(points: Sequence[int]) -> list[Bar]:
    """Return a histogram with about ten bars of equal width, which is a round number."""
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
    """Return the number of consecutive `days`, up to the last one, that the player has played.

    A day without a game ends the streak, except that today can still be played.
    """
    count = 0
    for day in sorted((day for day in days if day <= today), reverse=True):
        if day in played:
            count += 1
        elif day != today:
            break
    return count


# -- the text to share --------------------------------------------------------------------------------------

_BAR_WIDTH: Final = 10
_FULL: Final = "\u25b0"
_EMPTY: Final = "\u25b1"


def share_line(date: str, points: int, better: int | None, streak: int, lang: str) -> str:
    """Return the text to share. `better` is the percentage of other players beaten; `None` if there are none.

    >>> print(share_line("2026-11-16", 845, 72, 5, "en"))
    Canasta of 2026-11-16 · +845 · better than 72% · 5 days in a row
    ▰▰▰▰▰▰▰▱▱▱
    """
    parts = [Voice(lang).say("days.share", {"name": date, "text": signed(points)})]
    if better is not None:
        parts.append(Voice(lang).say("days.share_better", {"percent": better}))
    if streak > 1:
        parts.append(Voice(lang).say("days.share_streak", {"count": streak}))
    line = " · ".join(parts)
    return line if better is None else f"{line}\n{_bar(better)}"


def signed(points: int) -> str:
    """Return the points with a sign, unless they are zero."""
    return f"{points:+d}" if points else "0"


def _bar(percent: int) -> str:
    """Draw a percentage as a bar of characters."""
    full = round(percent * _BAR_WIDTH / 100)
    return _FULL * full + _EMPTY * (_BAR_WIDTH - full)
