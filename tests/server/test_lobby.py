"""The lobby: one address can't fill it, and a waiting table stays visible."""

from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from server.running_server import Person, Running, running

from canasta.server.accounts.rate_limits import SITE_SHARE
from canasta.server.settings import Limits
from canasta.server.tables import registry

EVE, ADA = "198.51.100.1", "203.0.113.1"


async def listed(server: Running, person: Person | None = None) -> list[str]:
    rest = Person(server, "").rest if person is None else person.rest
    return [row["id"] for row in (await rest.get("/api/tables")).json()]


async def test_nobodys_second_table_comes_before_another_ones_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "_LISTED", 6)
    async with running(tmp_path) as server, AsyncExitStack() as stack:
        ada = await server.guest("Ada", ADA)
        waiting = await ada.open_table(public=True)
        await stack.enter_async_context(ada.join(waiting))
        tables = []
        for number in range(registry._LISTED + 5):
            eve = await server.guest(f"Eve {number}", EVE)
            tables.append(await eve.open_table(public=True))
            await stack.enter_async_context(eve.join(tables[-1]))
        rows = await listed(server)
        assert len(rows) == registry._LISTED
        assert rows[:2] == [tables[-1], waiting]


async def test_a_network_with_many_tables_hides_nobodys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "_LISTED", 3)
    monkeypatch.setattr(registry, "_CONSIDERED", 4)
    async with running(tmp_path) as server, AsyncExitStack() as stack:
        ada = await server.guest("Ada", ADA)
        waiting = await ada.open_table(public=True)
        await stack.enter_async_context(ada.join(waiting))
        for number in range(8):
            eve = await server.guest(f"Eve {number}", f"2001:db8:0:{number}::1")
            table = await eve.open_table(public=True, start=number % 2 == 0)
            await stack.enter_async_context(eve.join(table))
        rows = await listed(server)
        assert len(rows) == 3
        assert waiting in rows[:2]


async def test_empty_tables_sink_and_disappear(tmp_path: Path) -> None:
    async with running(tmp_path) as server, AsyncExitStack() as stack:
        ada = await server.guest("Ada", ADA)
        waiting = await ada.open_table(public=True)
        await stack.enter_async_context(ada.join(waiting))
        eve = await server.guest("Eve", EVE)
        empty = [await eve.open_table(public=True) for _ in range(registry._LISTED + 5)]
        rows = await listed(server)
        assert rows[0] == waiting
        assert rows[1] in empty
        await server.services.store.write(_age)
        for name in empty:
            live = await server.services.registry.find(name)
            assert live is not None
            live.active -= 1000
        assert await listed(server) == [waiting]


def _age(connection: object) -> None:
    from sqlalchemy import Connection, update  # noqa: PLC0415 - here alone

    from canasta.server.store.schema import tables  # noqa: PLC0415 - as above

    assert isinstance(connection, Connection)
    connection.execute(update(tables).values(updated=tables.c.updated - 1000))


async def test_a_waiting_host_stays_and_who_sits_down_brings_the_table_forward(
    tmp_path: Path,
) -> None:
    async with running(tmp_path) as server, AsyncExitStack() as stack:
        tables = []
        for name, address in (("Ada", ADA), ("Ben", "203.0.113.2"), ("Col", "203.0.113.3")):
            host = await server.guest(name, address)
            tables.append(await host.open_table(public=True))
            await stack.enter_async_context(host.join(tables[-1]))
        await server.services.store.write(_age)
        for name in tables:
            live = await server.services.registry.find(name)
            assert live is not None
            live.active -= 1000
        assert set(await listed(server)) == set(tables)
        guest = await server.guest("Dot", "203.0.113.4")
        seat = await stack.enter_async_context(guest.join(tables[0]))
        await seat.ask("sit", seat=1)
        assert (await listed(server))[0] == tables[0]
        row = await server.services.store.table(tables[0])
        other = await server.services.store.table(tables[1])
        assert row is not None
        assert other is not None
        assert row.updated > other.updated + 500


async def test_one_person_and_one_address_have_few_waiting_tables(tmp_path: Path) -> None:
    limits = Limits(waiting_tables=2, waiting_tables_from=3)
    async with running(tmp_path, limits=limits) as server:
        ada, ben = await server.guest("Ada", ADA), await server.guest("Ben", ADA)
        for _ in range(2):
            await ada.open_table(public=True)
        refused = await ada.rest.post("/api/tables", json={"public": True})
        assert (refused.status_code, refused.json()["reason"]) == (429, "MANY_WAITING")
        # Private tables and tables that start at once take nobody's place.
        await ada.open_table()
        await ada.open_table(public=True, start=True)
        last = await ben.open_table(public=True)
        refused = await (await server.guest("Cat", ADA)).rest.post("/api/tables", json={"public": True})
        assert (refused.status_code, refused.json()["reason"]) == (429, "MANY_TABLES_FROM")
        async with ben.join(last) as seat:
            await seat.ask("start")
        await (await server.guest("Dot", ADA)).open_table(public=True)


async def test_an_ipv6_site_has_few_waiting_tables(tmp_path: Path) -> None:
    async with running(tmp_path, limits=Limits(waiting_tables_from=1)) as server:
        for number in range(SITE_SHARE):
            await (await server.guest("Eve", f"2001:db8:0:{number}::1")).open_table(public=True)
        refused = await (await server.guest("Eve", "2001:db8:0:ff::1")).rest.post(
            "/api/tables", json={"public": True}
        )
        assert (refused.status_code, refused.json()["reason"]) == (429, "MANY_TABLES_FROM")
        await (await server.guest("Ada", "2001:db8:1::1")).open_table(public=True)


async def test_a_table_without_spectators_is_listed_for_its_players_alone(tmp_path: Path) -> None:
    async with running(tmp_path, pace=3600.0) as server:
        ada, eve = await server.guest("Ada", ADA), await server.guest("Eve", EVE)
        table = await ada.open_table(public=True, spectators=False)
        async with ada.join(table) as seat:
            assert await listed(server, eve) == [table]
            await seat.ask("start")
            assert await listed(server, eve) == []
            assert await listed(server) == []
            assert await listed(server, ada) == [table]
