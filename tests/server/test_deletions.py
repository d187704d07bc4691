"""Deleting an account with many tables: immediate, cleaned up in the background, resumed on restart."""

import asyncio
from pathlib import Path

import pytest
from server.running_server import Person, Running, running
from sqlalchemy import func, insert, select

from canasta.server.store.schema import deletions, log, players, sittings, tables
from canasta.server.tables import registry as background
from canasta.server.tables.registry import TableRegistry
from canasta.table.log import Created, Seated, encode_entry

ADA = {"name": "Ada", "password": "correct horse"}
MANY = 60


async def with_tables(server: Running, count: int) -> Person:
    """Return Ada, who has an account and a seat at that many tables."""
    ada = await server.guest("Ada")
    await ada.rest.post("/api/accounts", json=ADA)
    store = server.services.store
    player = await store.player_by_name("ada")
    assert player is not None
    created = Created(
        rules="two-player", version=1, players=2, options={}, public=False, level="club", clock=0,
        spectators=True, seed="00" * 32, made=0.0,
    )  # fmt: skip
    entries = [
        encode_entry(created),
        encode_entry(Seated(seat=0, player=player.id, name="Ada", account=True)),
    ]
    names = [f"table{number:09d}" for number in range(count)]
    times = {"created": 0.0, "updated": 0.0}
    await store.write(
        lambda link: (
            link.execute(
                insert(tables),
                [{"id": name, "public": False, "status": "over", **times} for name in names],
            ),
            link.execute(
                insert(log),
                [
                    {"table_id": name, "seq": seq, "command": None, "payload": payload}
                    for name in names
                    for seq, payload in enumerate(entries)
                ],
            ),
            link.execute(insert(sittings), [{"player_id": player.id, "table_id": name} for name in names]),
        )
    )
    return ada


async def left(server: Running) -> tuple[int, int, int]:
    """Count the tables that still name Ada, her sittings, and unfinished deletions."""
    store = server.services.store
    payloads = await store.read(lambda link: list(link.execute(select(log.c.payload)).scalars()))
    seats = await store.read(
        lambda link: link.execute(select(func.count()).select_from(sittings)).scalar_one()
    )
    asked = await store.read(
        lambda link: link.execute(select(func.count()).select_from(deletions)).scalar_one()
    )
    return sum(b"Ada" in bytes(payload) for payload in payloads), int(seats), int(asked)


async def test_an_account_with_many_tables_is_gone_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "BATCH", 10)
    async with running(tmp_path) as server:
        ada = await with_tables(server, MANY)
        forget, gate, cleared = TableRegistry.forget, asyncio.Event(), 0

        async def slowly(house: TableRegistry, player: str, name: str, *, is_over: bool) -> None:
            nonlocal cleared
            if cleared == 25:
                await gate.wait()
            await forget(house, player, name, is_over=is_over)
            cleared += 1

        monkeypatch.setattr(TableRegistry, "forget", slowly)
        assert (await ada.rest.post("/api/me/delete", json={"password": ADA["password"]})).status_code == 204
        # While the tables are being cleared, the account is unusable, its name free, and others are served.
        assert (await ada.rest.get("/api/me")).status_code == 401
        assert (await ada.rest.post("/api/login", json=ADA)).status_code == 401
        other = await server.guest("Ben")
        assert (await other.rest.post("/api/accounts", json=ADA)).status_code == 200
        assert cleared < MANY
        assert (await left(server))[2] == 1
        gate.set()
        await server.services.deletions.finished()
        assert cleared == MANY
        assert await left(server) == (0, 0, 0)
        rows = await server.services.store.read(
            lambda link: link.execute(select(players.c.name)).scalars().all()
        )
        assert rows == ["Ada"], "the new one"


async def test_a_server_that_is_started_again_goes_on_deleting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forget, stuck, count = TableRegistry.forget, asyncio.Event(), 0

    async def until_it_stops(house: TableRegistry, player: str, name: str, *, is_over: bool) -> None:
        nonlocal count
        if count == 7:
            stuck.set()
            await asyncio.Event().wait()
        await forget(house, player, name, is_over=is_over)
        count += 1

    with monkeypatch.context() as patch:
        patch.setattr(TableRegistry, "forget", until_it_stops)
        async with running(tmp_path) as server:
            ada = await with_tables(server, 20)
            assert (
                await ada.rest.post("/api/me/delete", json={"password": ADA["password"]})
            ).status_code == 204
            await stuck.wait()
            assert await left(server) == (13, 13, 1)
    async with running(tmp_path) as server:
        await server.services.deletions.finished()
        assert await left(server) == (0, 0, 0)
        assert (await Person(server, "").rest.post("/api/login", json=ADA)).status_code == 401


async def test_a_table_that_cannot_be_cleared_keeps_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forget = TableRegistry.forget

    async def broken(house: TableRegistry, player: str, name: str, *, is_over: bool) -> None:
        if name.endswith("3"):
            raise ValueError(name)
        await forget(house, player, name, is_over=is_over)

    with monkeypatch.context() as patch:
        patch.setattr(TableRegistry, "forget", broken)
        async with running(tmp_path) as server:
            ada = await with_tables(server, 10)
            assert (
                await ada.rest.post("/api/me/delete", json={"password": ADA["password"]})
            ).status_code == 204
            await server.services.deletions.finished()
            assert await left(server) == (1, 1, 1)
    async with running(tmp_path) as server:
        await server.services.deletions.finished()
        assert await left(server) == (0, 0, 0)


async def test_tables_that_are_read_for_a_deletion_do_not_stay_in_memory(tmp_path: Path) -> None:
    async with running(tmp_path, pace=3600.0) as server:
        ada = await server.guest("Ada")
        for _ in range(5):
            await ada.open_table()
        server.services.registry._open.clear()
        assert (await ada.rest.post("/api/me/delete", json={})).status_code == 204
        await server.services.deletions.finished()
        assert server.services.registry.open_tables == 0
        assert await left(server) == (0, 0, 0)
