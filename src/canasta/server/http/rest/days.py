"""REST: the deal of the day."""

from datetime import date
from functools import cache

from litestar import get, post
from litestar.params import FromPath
from msgspec import Struct

from canasta.rules import RulesetError, resolve_ruleset
from canasta.server.http.rest.calls import (
    SPEAKS,
    AnyRequest,
    Lang,
    TheServices,
    address,
    bad_rules,
    language_of,
    mistake,
    mistakes,
    player_of,
)
from canasta.server.http.rest.messages import OpenedTable
from canasta.server.people.sessions import Player
from canasta.server.services import Services
from canasta.server.store.days import DayRow, ResultRow
from canasta.server.tables.days import NotPlayed
from canasta.table import day as deals
from canasta.table.day import Bar
from canasta.words.days import share_line

_LISTED = 20
"""Of the results of a day, the best."""


class DayLine(Struct, kw_only=True):
    """A day in a list."""

    date: str
    """`2026-11-16`, a day of UTC."""
    rules: str
    title: str
    players: int
    level: str
    """Of the computer players."""
    commitment: str
    published: float
    """When it was committed to, in seconds since 1970."""
    state: str
    """`coming`; `open`, today; `closed`, over and its seed not told yet; `revealed`."""
    reveals: float
    """When the seed is told, in seconds since 1970."""
    seed: str
    """Empty until then."""
    count: int
    """Results of people that count."""
    mine: int | None
    """The asker's points, if they count."""


class AllDays(Struct, kw_only=True):
    now: float
    """The server's clock, in seconds since 1970."""
    today: str
    ends: float
    """When today is over."""
    days: list[DayLine]
    """Past ones, today, and those to come, for which the seeds are committed to."""
    streak: int
    """The asker's days in a row."""
    played: int
    best: int | None
    """The asker's most points on one day of the list."""


class DayResult(Struct, kw_only=True):
    rank: int
    name: str
    guest: bool
    """Not an account: one person can be many guests."""
    you: bool
    points: int


class DayStanding(Struct, kw_only=True):
    """How people have fared."""

    mean: int
    rank: int
    """The asker's; 0 where they have no result."""
    better: int | None
    """Of a hundred others, so many have less than the asker."""
    bars: list[Bar]
    best: list[DayResult]
    """The best, and the asker."""


class ComputerResult(Struct, kw_only=True):
    level: str
    points: int


class DayDetail(Struct, kw_only=True):
    day: DayLine
    table: str
    """The asker's try that counts; empty where they have none."""
    over: bool
    """… and its hand is over."""
    points: int | None
    counted: bool
    """It was over before the seed was told."""
    streak: int
    standing: DayStanding | None
    """None while the day is open and the asker has not played: nobody shall play to a known mark."""
    computers: list[ComputerResult]
    """From the same seat, weakest first; as `standing`, and empty while they still play."""
    share: str
    """A text that tells nothing of the cards; empty where there is no result."""


@cache
def _title(rules: str) -> str:
    """Of a game; one that there is no longer has its short name."""
    try:
        return resolve_ruleset(rules).title
    except RulesetError:
        return rules


def _line(services: Services, row: DayRow, count: int, mine: int | None) -> DayLine:
    day, today = date.fromisoformat(row.date), services.days.today
    is_revealed = services.days.is_revealed(day)
    state = "coming" if day > today else "open" if day == today else "revealed" if is_revealed else "closed"
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
    """The points of somebody's tries that count, by day."""
    if player is None:
        return {}
    tries = await services.store.tries_of(player.id)
    return {row.date: row.points for row in tries if row.counted and row.points is not None}


async def _streak(services: Services, mine: dict[str, int]) -> int:
    """Over all days, and not those of the list alone."""
    if not mine:
        return 0
    played = {date.fromisoformat(day) for day in mine}
    return deals.streak_of(await services.days.dates(), played, services.days.today)


@get("/api/days", summary="The deals of the day", responses=mistakes())
async def all_days(request: AnyRequest, services: TheServices) -> AllDays:
    """What is committed to, what was played, and the seeds of days that are over."""
    player = await services.player_of(request.scope)
    days = await services.days.archive()
    mine = await _played(services, player)
    counted = await services.store.result_numbers(days[0].date, days[-1].date)
    today = services.days.today
    points = [mine[row.date] for row in days if row.date in mine]
    return AllDays(
        now=services.days.now(),
        today=today.isoformat(),
        ends=deals.ends(today),
        days=[_line(services, row, counted.get(row.date, 0), mine.get(row.date)) for row in days],
        streak=await _streak(services, mine),
        played=len(mine),
        best=max(points, default=None),
    )


async def _day(services: Services, text: str) -> tuple[date, DayRow]:
    day = deals.read_day(text)
    row = None if day is None else await services.days.find(day)
    if day is None or row is None:
        raise mistake(404, "NO_SUCH_DAY")
    return day, row


@get(
    "/api/days/{day:str}",
    summary="The deal of a day",
    responses=mistakes(400, 404),
    response_headers=SPEAKS,
)
async def one_day(
    request: AnyRequest, services: TheServices, day: FromPath[str], lang: Lang = None
) -> DayDetail:
    """With everybody's results, once the asker has played or the day is over."""
    language = language_of(request, lang)
    when, row = await _day(services, day)
    player = await services.player_of(request.scope)
    tried = None if player is None else await services.days.try_of(when, player.id)
    mine = await _played(services, player)
    results = await services.store.results(row.date)
    line = _line(services, row, len(results), mine.get(row.date))
    is_over = tried is not None and tried.points is not None
    shows = is_over or line.state != "open"
    standing = _standing(results, player) if shows and results else None
    streak = await _streak(services, mine)
    points = None if tried is None else tried.points
    counted = row.date in mine
    share = ""
    if counted and points is not None:
        better = None if standing is None else standing.better
        share = share_line(row.date, points, better, streak, language)
    return DayDetail(
        day=line,
        table="" if tried is None else tried.table,
        over=is_over,
        points=points,
        counted=counted,
        streak=streak,
        standing=standing,
        computers=_computers(services, row) if shows else [],
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
        better=None if own is None else deals.better_than(own.points, others),
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
    found = services.days.computers(row)
    return [ComputerResult(level=level, points=found[level]) for level in deals.COMPARED if level in found]


@post(
    "/api/days/{day:str}/play",
    summary="Play the deal of a day",
    status_code=200,
    responses=mistakes(400, 401, 403, 404, 409),
)
async def play_day(request: AnyRequest, services: TheServices, day: FromPath[str]) -> OpenedTable:
    """The asker's try that counts, begun now or gone on with. Who has played it, and on a day whose seed is
    told everybody, gets a table that does not count."""
    player = await player_of(request, services)
    _, row = await _day(services, day)

    def may_open() -> None:
        if not services.new_tables.take(player.id):
            raise mistake(429, "MANY_TABLES")
        if not services.new_tables_from.take(address(request)):
            raise mistake(429, "MANY_TABLES_FROM")

    try:
        name = await services.days.play(player, row, may_open)
    except NotPlayed:
        raise mistake(409, "DAY_CLOSED") from None
    except (
        RulesetError
    ) as error:  # of a game that there is no longer, or with an option that it has no longer
        raise bad_rules(error, language_of(request, None)) from None
    return OpenedTable(id=name, link=f"/t/{name}")


DAYS = [all_days, one_day, play_day]
