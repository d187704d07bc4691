"""The deal of the day on a server: commitments, who may play, what is shown, and to whom."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from browser.day_server import know_seeds
from server.running_server import Person, Running, running
from services import PATIENCE
from sqlalchemy import insert, select, update

from canasta.bots import get_bot
from canasta.server.settings import Limits
from canasta.server.store import ConflictError
from canasta.server.store.days import DayRow, TryRow
from canasta.server.store.schema import day_tries, players
from canasta.server.store.store import Store, TableToOpen
from canasta.server.tables import days
from canasta.server.tables.days import AHEAD
from canasta.table import day as deals
from canasta.table.day import DayGame, signed
from canasta.table.log import Moved
from canasta.table.next_action import Turn, next_action
from canasta.table.wire import Refused

TODAY = date(2026, 11, 16)
SHORT = DayGame(
    rules="two-player", players=2, level="novice", options={"deal.hand_size": 4, "going_out.canastas": 0}
)


@pytest.fixture(autouse=True)
def _known_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use fixed seeds, so that no hand ends before anyone has moved. With the first one, Ada starts."""
    know_seeds(monkeypatch.setattr)


class Time:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = deals.start_of(TODAY) + 3600.0

    def __call__(self) -> float:
        return self.now

    def until(self, moment: float) -> None:
        self.now = moment


@asynccontextmanager
async def day_server(folder: Path, clock: Time) -> AsyncIterator[Running]:
    async with running(folder, day_games=(SHORT,), wall_clock=clock, pace=0.0) as house:
        yield house


async def asked(person: Person, path: str, status: int = 200) -> Any:
    answer = await person.rest.get(path)
    assert answer.status_code == status, answer.text
    return answer.json()


async def seeds_of(house: Running) -> dict[str, str]:
    return {row.date: row.seed for row in await house.services.store.days("2000-01-01", "2999-01-01")}


async def begun(person: Person, day: date = TODAY, status: int = 200) -> Any:
    answer = await person.rest.post(f"/api/days/{day}/play")
    assert answer.status_code == status, answer.text
    return answer.json().get("id") or answer.json()["reason"]


async def finish(house: Running, table: str) -> int:
    """Let a casual player finish the hand; wait until its points are saved and return them."""
    live = await house.services.registry.find(table)
    assert live is not None
    while live.table.status != "over":
        async with live._lock:  # a computer player may have been thinking when the last page was closed
            due, match = next_action(live.table, {deals.SEAT}), live.table.match
            if isinstance(due, Turn) and match is not None:
                move = get_bot(due.level or "casual").choose(match.hand.view(due.seat))
                await live._commit([Moved(seat=due.seat, move=str(move))], None)
    assert live._keeping is not None
    await live._keeping
    points = deals.points_of(live.table)
    assert points is not None
    return points


async def test_seeds_are_made_days_ahead_and_told_when_a_day_is_over(tmp_path: Path) -> None:
    clock = Time()
    async with day_server(tmp_path, clock) as house:
        ada = await house.guest("Ada")
        told = await asked(ada, "/api/days")
        assert [day["date"] for day in told["days"]] == [
            str(TODAY + timedelta(days=count)) for count in range(AHEAD + 1)
        ]
        assert told["today"] == str(TODAY)
        assert {day["seed"] for day in told["days"]} == {""}
        seeds = await seeds_of(house)
        assert [day["commitment"] for day in told["days"]] == [
            deals.commitment_of(date.fromisoformat(day), seed) for day, seed in seeds.items()
        ]
        clock.until(deals.end_of(TODAY))
        later = await asked(ada, "/api/days")
        assert [day["state"] for day in later["days"]][:3] == ["closed", "open", "coming"]
        assert {day["seed"] for day in later["days"]} == {""}
        before = {day["date"]: day["commitment"] for day in told["days"]}
        assert {day["date"]: day["commitment"] for day in later["days"]}.items() >= before.items()
        clock.until(deals.revealed_at(TODAY))
        shown = (await asked(ada, "/api/days"))["days"]
        assert [day["seed"] for day in shown] == [seeds[str(TODAY)], *[""] * (AHEAD + 1)]
        assert deals.commitment_of(TODAY, shown[0]["seed"]) == before[str(TODAY)]
    async with day_server(tmp_path, clock) as house:
        assert (await seeds_of(house)).items() >= seeds.items(), "a restart changes none"


async def test_several_processes_agree(store: Store) -> None:
    """The process that comes second uses the existing seeds."""
    rows = [DayRow(str(TODAY), f"{number:064x}", SHORT, 0.0, None) for number in range(2)]
    await store.add_days(rows[:1])
    with pytest.raises(ConflictError):
        await store.add_days([rows[1], rows[1]._replace(date="2026-11-17")])
    assert await store.days("2026-11-01", "2026-11-30") == rows[:1]
    for points in ({"club": 5}, {"club": 6}):
        await store.keep_computers(str(TODAY), points)
    assert (await store.days(str(TODAY), str(TODAY)))[0].computers == {"club": 5}


async def test_one_try_counts(tmp_path: Path) -> None:
    clock = Time()
    async with day_server(tmp_path, clock) as house:
        ada, ben = await house.guest("Ada"), await house.guest("Ben", "203.0.113.2")
        before = await asked(ada, f"/api/days/{TODAY}")
        assert (before["table"], before["standing"], before["computers"], before["share"]) == (
            "",
            None,
            [],
            "",
        )
        first, second = await asyncio.gather(begun(ada), begun(ada))
        assert first == second, "two pages at once have one table"
        async with ada.join(first) as seat:
            assert (seat.welcome.day, seat.welcome.counts) == (str(TODAY), True)
            hint = await seat.ask("hint")
            assert isinstance(hint, Refused)
            assert hint.why.reason == "DAY_WITHOUT_HINTS"
        async with ada.join(await begun(ada)) as seat:
            assert seat.welcome.table == first, "one goes on after a disconnect"
        points = await finish(house, first)
        clock.until(clock.now + 1)  # of two equal results, the faster one is listed first
        table = await begun(ben)
        # The same cards, moves and answers give the same points. A tie doesn't count as better.
        assert await finish(house, table) == points
        told = await asked(ada, f"/api/days/{TODAY}")
        assert (told["points"], told["over"], told["counted"], told["streak"]) == (points, True, True, 1)
        assert (told["standing"]["rank"], told["standing"]["better"]) == (1, 50)
        assert sum(bar["count"] for bar in told["standing"]["bars"]) == 2
        assert [(row["name"], row["guest"], row["you"]) for row in told["standing"]["best"]] == [
            ("Ada", True, True), ("Ben", True, False),
        ]  # fmt: skip
        assert told["share"].startswith(f"Canasta of {TODAY} · {signed(points)} · better than 50%")
        again = await begun(ada)
        live = await house.services.registry.find(again)
        assert live is not None
        assert again != first
        assert not live.table.created.counts
        await finish(house, again)
        assert (await asked(ada, f"/api/days/{TODAY}"))["table"] == first
        listed = await asked(ada, "/api/me/games")
        assert listed == {"open": [], "finished": []}, "it is in no other list"
        export = await asked(ada, "/api/me/export")
        assert export["days"] == [{"date": str(TODAY), "table": first, "points": points}]


async def test_nobody_learns_the_cards_of_a_day_too_early(tmp_path: Path) -> None:
    clock = Time()
    async with day_server(tmp_path, clock) as house:
        ada, ben = await house.guest("Ada"), await house.guest("Ben", "203.0.113.2")
        stranger = httpx.AsyncClient(base_url=house.url)
        table, tomorrow = await begun(ada), TODAY + timedelta(days=1)
        seeds = await seeds_of(house)
        assert len(seeds) == AHEAD + 1
        for day in (tomorrow, TODAY - timedelta(days=1), "x", "2026-11-16T00:00:00", "%00"):
            assert (await ben.rest.get(f"/api/days/{day}")).status_code == 404
            assert (await ben.rest.post(f"/api/days/{day}/play")).status_code == 404
        assert (await stranger.post(f"/api/days/{TODAY}/play")).status_code == 401
        async with ada.join(table) as seat:
            for order in ({"t": "bot", "seat": 1, "level": "club"}, {"t": "again"}, {"t": "leave"}):
                await seat.ask(order.pop("t"), **order)  # type: ignore[arg-type]
            heard = "".join(seat.frames)
        paths = [
            *("/api/days", f"/api/days/{TODAY}", "/api/openapi.json", "/api/tables", "/api/me/games"),
            *(f"/api/tables/{table}{part}" for part in ("", "/record", "/scores", "/rules", "/replay")),
        ]

        async def all_told() -> str:
            people = (ada.rest, ben.rest, stranger)
            return "".join([(await who.get(path)).text for who in people for path in paths])

        told = heard + await all_told()
        assert not [seed for seed in seeds.values() if seed in told]
        await finish(house, table)
        for part, hers in (("record", 403), ("replay", 403), ("scores", 200)):
            path = f"/api/tables/{table}/{part}"
            answers = [(await who.get(path)).status_code for who in (ada.rest, ben.rest, stranger)]
            assert answers == [hers, 403, 403], "the player sees the result, and nobody what deals it again"
        described = (await stranger.get("/api/openapi.json")).json()["paths"]
        otherwise = {"instead": {"after": 0, "moves": ["draw"]}}
        for part, sent in (("review", None), ("replay", otherwise)):
            for who in (ada.rest, stranger):
                answer = await who.post(f"/api/tables/{table}/{part}", json=sent)
                assert (answer.status_code, answer.json()["reason"]) == (403, "DAY_UNTOLD")
            assert "403" in described[f"/api/tables/{{table}}/{part}"]["post"]["responses"]
        async with ada.join(table) as seat:
            assert (seat.state.status, seat.state.sheet is not None) == ("over", True)
            assert seat.state.fair is not None
            assert seat.state.fair.dealt is not None
            assert seat.state.fair.dealt.server_seed == ""
            assert [shown.shows for shown in seat.state.seats] == [[]] * len(seat.state.seats)
            told = await all_told() + "".join(seat.frames)
        assert not [seed for seed in seeds.values() if seed in told]
        clock.until(deals.end_of(TODAY))
        assert await begun(ben, status=409) == "DAY_CLOSED"
        clock.until(deals.revealed_at(TODAY))
        assert (await stranger.get(f"/api/tables/{table}/record")).status_code == 200
        async with ada.join(table) as seat:
            assert seat.state.fair is not None
            assert seat.state.fair.dealt is not None
            assert seat.state.fair.dealt.server_seed == seeds[str(TODAY)]
        late = await house.services.registry.find(await begun(ben))
        assert late is not None
        assert not late.table.created.counts
        await stranger.aclose()


async def test_a_hand_over_midnight_counts_for_its_first_day_until_the_seed_is_told(tmp_path: Path) -> None:
    clock = Time()
    async with day_server(tmp_path, clock) as house:
        ada, ben = await house.guest("Ada"), await house.guest("Ben", "203.0.113.2")
        clock.until(deals.end_of(TODAY) - 1)
        tables = [await begun(ada), await begun(ben)]
        clock.until(deals.revealed_at(TODAY) - 1)
        assert await begun(ada) == tables[0]
        await finish(house, tables[0])
        clock.until(deals.revealed_at(TODAY))
        await finish(house, tables[1])
        told = [await asked(person, f"/api/days/{TODAY}") for person in (ada, ben)]
        assert [one["counted"] for one in told] == [True, False]
        assert [one["day"]["count"] for one in told] == [1, 1]
        assert [one["streak"] for one in told] == [1, 0]
        assert told[1]["share"] == ""


async def test_computer_players_play_the_same_deal_and_it_is_kept(tmp_path: Path) -> None:
    async with day_server(tmp_path, Time()) as house:
        ada = await house.guest("Ada")
        await finish(house, await begun(ada))
        async with asyncio.timeout(PATIENCE):
            # If one of them did not answer in time, they start again at the next request.
            while not (told := await asked(ada, f"/api/days/{TODAY}"))["computers"]:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        assert [row["level"] for row in told["computers"]] == list(deals.COMPARED)
        casual = next(row["points"] for row in told["computers"] if row["level"] == "casual")
        assert casual == told["points"], "the hand was played as a casual player does"


async def test_a_result_that_was_not_noted_is_found_at_its_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with day_server(tmp_path, Time()) as house:
        ada = await house.guest("Ada")
        table = await begun(ada)
        live = await house.services.registry.find(table)
        assert live is not None
        monkeypatch.setattr(live, "_store", Forgetful(live._store))
        points = await finish(house, table)
        (row,) = await house.services.store.tries_of((await tries(house))[0].player)
        assert row.points is None
        assert (await asked(ada, f"/api/days/{TODAY}"))["points"] == points
        assert (await tries(house))[0].points == points


class Forgetful:
    """A store whose process dies before it writes a result."""

    def __init__(self, store: object) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def end_try(self, *_: object) -> None:
        pass


async def tries(house: Running) -> list[TryRow]:
    store = house.services.store
    return [TryRow(*row) for row in await store.read(lambda link: list(link.execute(select(day_tries))))]


async def test_who_deletes_an_account_is_in_no_ranking(tmp_path: Path) -> None:
    async with day_server(tmp_path, Time()) as house:
        ada, ben = await house.guest("Ada"), await house.guest("Ben", "203.0.113.2")
        secret = {"name": "Ada", "password": "correct horse"}
        assert (await ada.rest.post("/api/accounts", json=secret)).status_code == 200
        for person in (ada, ben):
            await finish(house, await begun(person))
        best = (await asked(ben, f"/api/days/{TODAY}"))["standing"]["best"]
        assert {(row["name"], row["guest"]) for row in best} == {("Ada", False), ("Ben", True)}
        gone = await ada.rest.post("/api/me/delete", json={"password": secret["password"]})
        assert gone.status_code == 204
        told = await asked(ben, f"/api/days/{TODAY}")
        assert [row["name"] for row in told["standing"]["best"]] == ["Ben"]


async def test_a_streak_is_counted_over_all_days(tmp_path: Path) -> None:
    """It isn't limited to the days that the page lists."""
    async with day_server(tmp_path, Time()) as house:
        ada, store = await house.guest("Ada"), house.services.store
        await finish(house, await begun(ada))
        (mine,) = await tries(house)
        before = [str(TODAY - timedelta(days=count)) for count in range(1, 2 * days.SHOWN)]
        await store.add_days([DayRow(day, "0" * 64, SHORT, 0.0, None) for day in before])
        earlier = [
            dict(zip(day_tries.c.keys(), mine._replace(date=day, ended=0.0), strict=True)) for day in before
        ]
        await store.write(lambda link: link.execute(insert(day_tries), earlier))
        told = [await asked(ada, path) for path in ("/api/days", f"/api/days/{TODAY}")]
        assert [one["streak"] for one in told] == [2 * days.SHOWN] * 2
        assert len(told[0]["days"]) == days.SHOWN + 1 + AHEAD


async def test_a_day_that_cannot_be_compared_keeps_no_other_from_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with day_server(tmp_path, Time()) as house:
        days_there = house.services.days
        first, second, *_ = await days_there.commit()

        async def computers(row: DayRow) -> dict[str, int]:
            if row == first:
                raise ValueError(row.date)
            return {"club": 5}

        monkeypatch.setattr(days_there, "_computers", computers)
        for row in (first, second):
            days_there.computers(row)
        assert days_there._comparing is not None
        await days_there._comparing
        assert days_there._wanted == []
        rows = await house.services.store.days(first.date, second.date)
        assert [row.computers for row in rows] == [None, {"club": 5}]


async def test_who_goes_on_with_a_hand_opens_no_table(tmp_path: Path) -> None:
    few = Limits(tables=(2.0, 0.0))
    async with running(tmp_path, day_games=(SHORT,), wall_clock=Time(), limits=few) as house:
        ada = await house.guest("Ada")
        table = await begun(ada)
        assert {await begun(ada) for _ in range(5)} == {table}
        await finish(house, table)
        assert await begun(ada) != table
        assert await begun(ada, status=429) == "MANY_TABLES"


# -- people at one address -----------------------------------------------------------------------------------

HOME = "203.0.113.7"


async def member(house: Running, name: str, address: str = HOME, *, days_ago: float = 0.0) -> Person:
    """Return a person with an account who first came here that many days before today."""
    person = await house.guest(name, address)
    answer = await person.rest.post("/api/accounts", json={"name": name, "password": "correct horse"})
    assert answer.status_code == 200, answer.text
    created = deals.start_of(TODAY) - days_ago * 86_400 + (0 if days_ago else 60)
    born = update(players).where(players.c.name == name).values(created=created)
    await house.services.store.write(lambda link: link.execute(born))
    return person


async def played(house: Running, person: Person) -> Any:
    """Play the hand as this person; return their page of the day afterwards."""
    before = await asked(person, f"/api/days/{TODAY}")
    await finish(house, await begun(person))
    after = await asked(person, f"/api/days/{TODAY}")
    assert after["counts"] == before["counts"], "what is said before holds"
    assert after["in_time"]
    return after


async def test_one_guest_of_an_address_is_ranked(tmp_path: Path) -> None:
    async with day_server(tmp_path, Time()) as house:
        told = [await played(house, await house.guest(name, HOME)) for name in ("Ada", "Ben", "Cem")]
        assert [one["counted"] for one in told] == [True, False, False]
        assert [one["streak"] for one in told] == [1, 1, 1], "a streak is everybody's own"
        assert [row["name"] for row in told[2]["standing"]["best"]] == ["Ada"]
        assert told[2]["day"]["count"] == 1
        # An account created today by somebody who has seen the cards doesn't get around the limit.
        assert not (await played(house, await member(house, "Dora")))["counted"]
        assert (await played(house, await house.guest("Eve", "203.0.113.8")))["counted"]


async def test_a_family_with_accounts_is_ranked_at_one_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(days, "HOUSEHOLD", 3)
    async with day_server(tmp_path, Time()) as house:
        people = [await house.guest("Guest", HOME)]
        people += [await member(house, name, days_ago=3) for name in ("Ada", "Ben", "Cem")]
        told = [await played(house, person) for person in people]
        assert [one["counted"] for one in told] == [True, True, True, False]


async def test_somebody_who_has_played_unranked_is_not_ranked_elsewhere(tmp_path: Path) -> None:
    async with day_server(tmp_path, Time()) as house:
        ada, ben = [await house.guest(name, HOME) for name in ("Ada", "Ben")]
        await begun(ada)
        table = await begun(ben)
        ben.move_to("198.51.100.1")
        assert await begun(ben) == table
        await finish(house, table)
        assert not (await asked(ben, f"/api/days/{TODAY}"))["counted"]
        assert await begun(ben) != table
        assert not (await asked(ben, f"/api/days/{TODAY}"))["counted"]


async def test_guests_of_one_ipv6_site_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(days, "SITE_SHARE", 2)
    async with day_server(tmp_path, Time()) as house:
        people = [await house.guest(f"Guest {at}", f"2001:db8:1:{at}::7") for at in range(1, 5)]
        told = [await played(house, person) for person in people]
        assert [one["counted"] for one in told] == [True, True, False, False]


async def test_of_guests_at_once_one_is_ranked(store: Store) -> None:
    await store.add_days([DayRow(str(TODAY), "0" * 64, SHORT, 0.0, None)])
    for player in ("ada", "ben", "cem"):
        await store.add_player(player, player)
    opened = [
        store.open_day_table(
            TableToOpen(f"table {player}", public=False, payloads=[b"{}"]),
            TryRow(str(TODAY), player, f"table {player}", 1.0, place="here"),
            (1, 4),
        )
        for player in ("ada", "ben", "cem")
    ]
    results = await asyncio.gather(*opened, return_exceptions=True)
    assert sum(isinstance(result, ConflictError) for result in results) == 2


async def test_an_unranked_hand_does_not_end_the_first_try(tmp_path: Path) -> None:
    """An unfinished first try doesn't get the points of a hand played after the cards are known."""
    clock = Time()
    async with day_server(tmp_path, clock) as house:
        ada = await house.guest("Ada")
        first = await begun(ada)
        clock.until(deals.revealed_at(TODAY))
        later = await begun(ada)
        assert later != first
        await finish(house, later)
        (row,) = await tries(house)
        assert (row.table, row.points) == (first, None)
