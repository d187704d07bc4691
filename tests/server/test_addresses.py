"""Two seats at one network address: shown to everyone, and refused if the table's settings forbid it."""

import asyncio
import socket
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from server.running_server import running

from canasta.server.addresses import trusted_proxies
from canasta.server.run import uvicorn_config
from canasta.server.settings import Settings
from canasta.table.wire import Done, Refused, TableState

HOME, ELSEWHERE = "203.0.113.7", "198.51.100.20"


def sharing(state: TableState) -> list[int]:
    return [seat.seat for seat in state.seats if seat.same_address]


async def test_a_shared_address_is_shown_and_nothing_of_it_is_told(tmp_path: Path) -> None:
    async with running(tmp_path, pace=3600.0) as server:
        ada, ben, eve = [
            await server.guest(name, address)
            for name, address in (("Ada", HOME), ("Ben", ELSEWHERE), ("Eve", HOME))
        ]
        table = await ada.open_table()
        async with ada.join(table) as first, ben.join(table) as second, eve.join(table) as third:
            assert not first.welcome.one_seat
            assert isinstance(await second.ask("sit", seat=1), Done)
            assert sharing(await second.until(lambda state: state.seats[1].who == "person")) == []
            assert isinstance(await third.ask("sit", seat=2), Done)
            assert sharing(await second.until(lambda state: state.seats[2].who == "person")) == [0, 2]
            seen = "".join(first.frames + second.frames + third.frames)
            stored = b"".join(row.payload for row in await server.services.store.entries(table))
            live = await server.services.registry.find(table)
            assert live is not None
            place = live.table.chairs[0].place
            assert place == live.table.chairs[2].place != ""
            for secret in (HOME, ELSEWHERE, place, live.table.created.secret):
                assert secret not in seen
            assert HOME.encode() not in stored
            assert ELSEWHERE.encode() not in stored
        other = await server.services.registry.find(await ada.open_table())
        assert other is not None
        assert other.table.chairs[0].place not in ("", place)


async def test_one_who_comes_back_from_another_address_is_known_by_both(tmp_path: Path) -> None:
    async with running(tmp_path, pace=3600.0) as server:
        ada, ben = await server.guest("Ada", HOME), await server.guest("Ben", ELSEWHERE)
        table = await ada.open_table(rules="two-player")
        async with ada.join(table) as first:
            async with ben.join(table) as second:
                await second.ask("sit")
                await first.ask("start")
                assert sharing(await first.until(lambda state: state.hand == 1)) == []
            ben.move_to(HOME)
            async with ben.join(table):
                assert sharing(await first.until(lambda state: bool(sharing(state)))) == [0, 1]


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="no IPv6 here")
async def test_a_proxy_on_this_machine_is_believed_on_an_ipv6_socket_too(tmp_path: Path) -> None:
    """On an IPv6 socket, the proxy's IPv4 address appears as `::ffff:127.0.0.1`."""
    config = uvicorn_config(Settings(host="::", database=f"sqlite:///{tmp_path / 'tables.db'}"))
    app: Any = config.app
    with socket.create_server(("::", 0), family=socket.AF_INET6, dualstack_ipv6=True) as listening:
        server = uvicorn.Server(config)
        task = asyncio.create_task(server.serve([listening]))
        while not server.started:
            assert not task.done(), "the server did not start"
            await asyncio.sleep(0.01)
        port = listening.getsockname()[1]
        for host, address in (("127.0.0.1", "203.0.113.1"), ("[::1]", "203.0.113.2")):
            headers = {"x-forwarded-for": address}
            async with httpx.AsyncClient(base_url=f"http://{host}:{port}", headers=headers) as rest:
                assert (await rest.post("/api/guests", json={})).status_code == 200
        assert list(app.services.limits._buckets["guests"]._by_key) == ["203.0.113.1", "203.0.113.2"]
        server.should_exit = True
        await task


@pytest.mark.parametrize(
    ("named", "believed"),
    [
        (None, "127.0.0.1,::1,::ffff:127.0.0.1/128"),
        ("10.0.0.1, proxy,2001:db8::1", "10.0.0.1,proxy,2001:db8::1,::ffff:10.0.0.1/128"),
        ("172.16.0.0/12", "172.16.0.0/12,::ffff:172.16.0.0/108"),
        ("*", "*"),
        ("", ""),
    ],
)
def test_the_proxies_that_are_named_are_believed_in_both_forms(named: str | None, believed: str) -> None:
    assert trusted_proxies(named) == believed


@pytest.mark.parametrize(
    ("wanted", "is_one"),
    [({"public": True}, True), ({"one_seat": True}, True), ({"public": True, "one_seat": False}, False)],
)
async def test_a_table_may_give_each_address_one_seat(
    tmp_path: Path, wanted: dict[str, bool], is_one: bool
) -> None:
    async with running(tmp_path, pace=3600.0) as server:
        ada, ben, eve = [
            await server.guest(name, address)
            for name, address in (("Ada", HOME), ("Ben", ELSEWHERE), ("Eve", HOME))
        ]
        table = await ada.open_table(**wanted)
        async with ada.join(table) as first, ben.join(table) as second, eve.join(table) as third:
            assert first.welcome.one_seat == is_one
            answer = await third.ask("sit", seat=2)
            assert isinstance(answer, Refused) == is_one
            if isinstance(answer, Refused):
                assert answer.why.reason == "SAME_ADDRESS"
            assert isinstance(await second.ask("sit", seat=1), Done)
            # Changing seats doesn't count as a second seat. After the deal, the same holds for newcomers.
            assert isinstance(await first.ask("sit", seat=3), Done)
            assert isinstance(await first.ask("start"), Done)
            again = await third.ask("sit", seat=0)
            assert isinstance(again, Refused)
            assert again.why.reason == ("SAME_ADDRESS" if is_one else "SEATED")


async def test_behind_a_proxy_that_tells_no_addresses_nobody_is_taken_for_another(tmp_path: Path) -> None:
    """Everyone seems to connect from this machine, which proves nothing."""
    async with running(tmp_path) as server:
        ada, ben = await server.guest("Ada"), await server.guest("Ben")
        table = await ada.open_table(public=True)
        async with ada.join(table) as first, ben.join(table) as second:
            assert isinstance(await second.ask("sit", seat=1), Done)
            assert sharing(await first.until(lambda state: state.seats[1].who == "person")) == []


@pytest.mark.parametrize(
    ("one", "same", "other"),
    [
        ("::ffff:203.0.113.7", "203.0.113.7", "::ffff:203.0.113.8"),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:db8:1:3::1"),
    ],
)
async def test_seats_are_given_to_addresses_as_households_have_them(
    tmp_path: Path, one: str, same: str, other: str
) -> None:
    """An IPv4 address on an IPv6 socket counts as itself, and a /64 counts as one household."""
    async with running(tmp_path, pace=3600.0) as server:
        ada, eve, ben = [
            await server.guest(name, address)
            for name, address in (("Ada", one), ("Eve", same), ("Ben", other))
        ]
        table = await ada.open_table(public=True)
        async with ada.join(table), eve.join(table) as second, ben.join(table) as third:
            assert isinstance(await second.ask("sit"), Refused)
            assert isinstance(await third.ask("sit"), Done)
