"""Two seats and one network address: told to everyone, and refused where the table wants it so."""

from pathlib import Path

import pytest
from server.playing import running

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
            live = await server.services.house.find(table)
            assert live is not None
            place = live.table.chairs[0].place
            assert place == live.table.chairs[2].place != ""
            for secret in (HOME, ELSEWHERE, place, live.table.created.secret):
                assert secret not in seen
            assert HOME.encode() not in stored
            assert ELSEWHERE.encode() not in stored
        other = await server.services.house.find(await ada.open_table())
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
            # Changing one's own seat is no second one; and after the deal the same holds for newcomers.
            assert isinstance(await first.ask("sit", seat=3), Done)
            assert isinstance(await first.ask("start"), Done)
            again = await third.ask("sit", seat=0)
            assert isinstance(again, Refused)
            assert again.why.reason == ("SAME_ADDRESS" if is_one else "SEATED")


async def test_behind_a_proxy_that_tells_no_addresses_nobody_is_taken_for_another(tmp_path: Path) -> None:
    """All seem to come from this machine: that says nothing."""
    async with running(tmp_path) as server:
        ada, ben = await server.guest("Ada"), await server.guest("Ben")
        table = await ada.open_table(public=True)
        async with ada.join(table) as first, ben.join(table) as second:
            assert isinstance(await second.ask("sit", seat=1), Done)
            assert sharing(await first.until(lambda state: state.seats[1].who == "person")) == []
