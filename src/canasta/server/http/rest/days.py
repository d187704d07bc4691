"""REST: the deal of the day."""

from datetime import date
from functools import cache
from typing import Literal

from litestar.params import FromPath
from msgspec import Struct

from canasta.errors import InputError
from canasta.rules import RulesetError, resolve_ruleset
from canasta.server.accounts.accounts import Player
from canasta.server.http.rest.common import (
    Lang,
    OpenedTable,
    TheCall,
    api_error,
    bad_input_error,
    bad_rules,
    endpoint,
)
from canasta.server.services import Services
from canasta.server.store.days import DayRow, ResultRow
from canasta.table import day as deals
from canasta.table.day import Bar, share_line

_LISTED = 20
"""Maximum number of best results shown for a day."""


DayState = Literal["coming", "open", "closed", "revealed"]


class DayLine(Struct, kw_only=True):
    """A listed day."""

    date: str
    """A UTC date, such as `2026-11-16`."""
    rules: str
    title: str
    players: int
    level: str
    """Level of the computer players."""
    commitment: str
    published: float
    """Unix time at which the commitment was published."""
    state: DayState
    """`open` is today; a `closed` day is over, but its seed isn't revealed yet."""
    reveals: float
    """Unix time at which the seed is revealed."""
    seed: str
    """Empty until revealed."""
    count: int
    """Number of ranked results."""
    mine: int | None
    """The caller's points, if they finished in time."""


class AllDays(Struct, kw_only=True):
    now: float
    """The server's clock as Unix time."""
    today: str
    ends: float
    """Unix time at which today ends."""
    days: list[DayLine]
    """Past days, today, and the coming days whose seeds are committed to."""
    streak: int
    """The caller's current streak in days."""
    played: int
    best: int | None
    """The caller's best result in the list."""


class DayResult(Struct, kw_only=True):
    rank: int
    name: str
    guest: bool
    """True if the player has no account. One person can appear as several guests."""
    you: bool
    points: int


class DayStanding(Struct, kw_only=True):
    """Statistics of a day's results."""

    mean: int
    rank: int
    """The caller's rank; 0 without a result."""
    better: int | None
    """Percentage of the other players with fewer points than the caller; ties count half. `None` if the
    caller has no result or nobody else played."""
    bars: list[Bar]
    best: list[DayResult]
    """The best results, plus the caller's."""


class ComputerResult(Struct, kw_only=True):
    level: str
    points: int


class DayDetail(Struct, kw_only=True):
    day: DayLine
    table: str
    """The table of the caller's first try; empty if they have none."""
    over: bool
    """True if the hand of the first try is over."""
    points: int | None
    counts: bool
    """Whether the caller's first try is ranked if they finish in time; if they have none, whether one started
    now would be.

    False if another player at the same address is ranked and the caller has no account from before the day.
    """
    in_time: bool
    """True if the hand was finished before the seed was revealed."""
    counted: bool
    """True if the result is ranked."""
    streak: int
    standing: DayStanding | None
    """`None` while the day is open and the caller hasn't played, so that nobody plays to beat a known
    score."""
    computers: list[ComputerResult]
    """Results of the computer players in the same seat, weakest level first. Empty while `standing` is hidden
    or the computer players are still playing."""
    share: str
    """A spoiler-free text to share; empty without a result."""


@cache
def _title(rules: str) -> str:
    """Return the title of a game; the short name if this version no longer has the game."""
    try:
        return resolve_ruleset(rules).title
    except RulesetError:
        return rules


def _line(services: Services, row: DayRow, count: int, mine: int | None) -> DayLine:
    day, today = date.fromisoformat(row.date), services.days.today
    is_revealed = services.days.is_revealed(day)
    state: DayState = "revealed" if is_revealed else "closed"
    if day >= today:
        state = "open" if day == today else "coming"
    return DayLine(
        date=row.date,
        rules=row.game.rules,
        title=_title(row.game.rules),
        players=row.game.players,
        level=row.game.level,
        commitment=deals.commitment_of(day, row.seed),
        published=row.made,
        state=state,
        reveals=deals.revealed_at(day),
        seed=row.seed if is_revealed else "",
        count=count,
        mine=mine,
    )


async def _played(services: Services, player: Player | None) -> dict[str, int]:
    """Return the player's points by day, for first tries that were over in time."""
    if player is None:
        return {}
    tries = await services.store.tries_of(player.id)
    return {row.date: row.points for row in tries if row.was_in_time and row.points is not None}


async def _streak(services: Services, mine: dict[str, int]) -> int:
    """Return the player's streak over all days, not only the listed ones."""
    if not mine:
        return 0
    played = {date.fromisoformat(day) for day in mine}
    return deals.streak_of(await services.days.dates(), played, services.days.today)


@endpoint("GET /api/days", "List the deals of the day")
async def all_days(call: TheCall) -> AllDays:
    """Return commitments, the caller's results, and the seeds of revealed days."""
    player = await call.visitor()
    days = await call.services.days.archive()
    mine = await _played(call.services, player)
    counted = await call.services.store.result_numbers(days[0].date, days[-1].date)
    today = call.services.days.today
    points = [mine[row.date] for row in days if row.date in mine]
    return AllDays(
        now=call.services.days.now(),
        today=today.isoformat(),
        ends=deals.end_of(today),
        days=[_line(call.services, row, counted.get(row.date, 0), mine.get(row.date)) for row in days],
        streak=await _streak(call.services, mine),
        played=len(mine),
        best=max(points, default=None),
    )


async def _day(services: Services, text: str) -> tuple[date, DayRow]:
    day = deals.parse_day(text)
    row = None if day is None else await services.days.find(day)
    if day is None or row is None:
        raise api_error(404, "NO_SUCH_DAY")
    return day, row


@endpoint("GET /api/days/{day:str}", "The deal of a day", 400, 404, speaks=True)
async def one_day(call: TheCall, day: FromPath[str], lang: Lang = None) -> DayDetail:
    """Return a day; include everybody's results once the caller has played or the day is over."""
    language = call.language(lang)
    when, row = await _day(call.services, day)
    player = await call.visitor()
    tried = None if player is None else await call.services.days.try_of(when, player.id)
    mine = await _played(call.services, player)
    results = await call.services.store.results(row.date)
    line = _line(call.services, row, len(results), mine.get(row.date))
    is_over = tried is not None and tried.points is not None
    shows = is_over or line.state != "open"
    standing = _standing(results, player) if shows and results else None
    streak = await _streak(call.services, mine)
    points = None if tried is None else tried.points
    counts = False
    if tried is not None:
        counts = tried.counts
    elif line.state == "open":
        counts = await call.services.days.would_count("" if player is None else player.id, call.address, when)
    share = ""
    if row.date in mine and points is not None:
        better = None if standing is None else standing.better
        share = share_line(row.date, points, better, streak, language)
    return DayDetail(
        day=line,
        table="" if tried is None else tried.table,
        over=is_over,
        points=points,
        counts=counts,
        in_time=row.date in mine,
        counted=tried is not None and tried.counted,
        streak=streak,
        standing=standing,
        computers=_computers(call.services, row) if shows else [],
        share=share,
    )


def _standing(results: list[ResultRow], player: Player | None) -> DayStanding:
    points = [row.points for row in results]
    own = next((row for row in results if player is not None and row.player == player.id), None)
    others = [row.points for row in results if row is not own]
    listed = [row for place, row in enumerate(results) if place < _LISTED or row is own]
    return DayStanding(
        mean=round(sum(points) / len(points)),
        rank=0 if own is None else _rank(points, own.points),
        better=None if own is None else deals.percentile(own.points, others),
        bars=deals.bars_of(points),
        best=[
            DayResult(
                rank=_rank(points, row.points),
                name=row.name,
                guest=not row.is_account,
                you=row is own,
                points=row.points,
            )
            for row in listed
        ],
    )


def _rank(points: list[int], own: int) -> int:
    return 1 + sum(other > own for other in points)


def _computers(services: Services, row: DayRow) -> list[ComputerResult]:
    results = services.days.computers(row)
    return [
        ComputerResult(level=level, points=results[level]) for level in deals.COMPARED if level in results
    ]


@endpoint("POST /api/days/{day:str}/play", "Play the deal of a day", 400, 401, 403, 404, 409)
async def play_day(call: TheCall, day: FromPath[str]) -> OpenedTable:
    """Start or continue the caller's first try.

    Later tries, and tries after the seed is revealed, use an unranked table. A first try is also unranked if
    another player at the same address is ranked and the caller has no account from before the day: see
    `counts` of the day.
    """
    player = await call.player()
    _, row = await _day(call.services, day)

    def may_open() -> None:
        call.check_rate("tables", player.id, "MANY_TABLES")
        call.check_rate("tables_from", call.address, "MANY_TABLES_FROM")

    try:
        name = await call.services.days.play(player, row, call.address, may_open)
    except InputError as problem:
        raise bad_input_error(409, problem) from None
    except RulesetError as error:  # the game or one of its options no longer exists
        raise bad_rules(error, call.language()) from None
    return OpenedTable(id=name, link=f"/t/{name}")


DAYS = [all_days, one_day, play_day]
