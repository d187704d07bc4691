"""People who spoil a table for others: the host can remove them, and nobody has to wait for them."""

from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from server.running_server import AtTable, Person, running

from canasta.i18n.events import Speaker
from canasta.server.tables.live_table import NOT_ALLOWED
from canasta.server.tables.registry import PUBLIC_CLOCK
from canasta.server.tables.timers import IDLE_TURNS
from canasta.table.wire import Done, Refused

ELSEWHERE = "198.51.100.20"


async def reason(at: AtTable, kind: str, **parts: Any) -> str:
    answer = await at.ask(kind, **parts)
    return answer.why.reason if isinstance(answer, Refused) else ""


async def remove(seat: AtTable, at: int) -> str:
    return await reason(seat, "remove", seat=at, state=seat.state.state)


async def test_the_host_removes_somebody_from_the_waiting_room(tmp_path: Path) -> None:
    async with running(tmp_path, pace=3600.0) as server:
        ada = await server.guest("Ada", "203.0.113.1")
        eve = await server.guest("Eve", ELSEWHERE)
        table = await ada.open_table(public=True)
        async with ada.join(table) as host, eve.join(table) as other:
            assert await reason(other, "sit", seat=2) == ""
            await host.until(lambda state: state.seats[2].who == "person")
            assert await remove(other, 0) == "NOT_HOST"
            assert await remove(host, 0) == "OWN_SEAT"
            assert await remove(host, 1) == "NOBODY_THERE"
            assert await remove(host, 9) == "NO_SUCH_SEAT"
            before = host.state.state
            assert await remove(host, 2) == ""
            told = await other.until(lambda state: state.seats[2].who == "free")
            assert [(event.what, event.seat, event.phrase) for event in told.events] == [
                ("removed", 2, "Eve")
            ]
            assert Speaker([""] * 4).phrase(told.events[0]) == "The host removed Eve from the table."
            assert told.seat == -1
            assert await reason(other, "sit") == "REMOVED"
            # Another name from the same address doesn't help if each address has one seat.
            again = await server.guest("Eva", ELSEWHERE)
            async with again.join(table) as third:
                assert await reason(third, "sit") == "REMOVED"
            # The host's view is out of date: somebody else may have that seat by now.
            assert await reason(host, "remove", seat=2, state=before) == "STALE"
        stored = [row.payload for row in await server.services.store.entries(table)]
        assert b"Eve" not in stored[-1]


async def test_a_computer_player_plays_on_for_somebody_who_was_removed(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        ada, eve = await server.guest("Ada"), await server.guest("Eve")
        table = await ada.open_table(rules="two-player")
        async with ada.join(table) as host, eve.join(table) as other:
            await other.ask("sit", seat=1)
            await host.ask("start")
            await other.until(lambda state: state.you is not None and state.hand == 1)
            assert await remove(host, 1) == ""
            seen = await other.until(lambda state: state.seats[1].who == "bot")
            assert seen.you is None
            assert await reason(other, "sit", seat=1) == "REMOVED"
            assert await reason(other, "move", move="draw", state=other.state.state) == "WATCHING"
            hints = await (await _on_turn(host)).hints()
            await host.move(hints[0].move)
            assert (await host.my_turn()).seats[1].who == "bot"


async def _on_turn(seat: AtTable) -> AtTable:
    await seat.my_turn()
    return seat


async def test_who_is_removed_from_a_table_without_spectators_sees_no_more_of_it(tmp_path: Path) -> None:
    async with running(tmp_path, pace=3600.0) as server:
        ada, eve = await server.guest("Ada"), await server.guest("Eve")
        table = await ada.open_table(rules="two-player", spectators=False)
        async with ada.join(table) as host, eve.join(table) as other:
            await other.ask("sit", seat=1)
            await host.ask("start")
            await host.until(lambda state: state.hand == 1)
            assert await remove(host, 1) == ""
            assert await other.end() == NOT_ALLOWED


async def test_who_was_to_join_at_the_next_deal_can_be_removed(tmp_path: Path) -> None:
    async with running(tmp_path, pace=3600.0) as server:
        ada, eve = await server.guest("Ada"), await server.guest("Eve")
        table = await ada.open_table(rules="two-player", start=True)
        async with ada.join(table) as host, eve.join(table) as other:
            await host.until(lambda state: state.hand == 1)
            assert isinstance(await other.ask("sit", seat=1), Done)
            await host.until(lambda state: state.seats[1].joins == "Eve")
            assert await remove(host, 1) == ""
            state = await other.until(lambda state: not state.seats[1].joins)
            assert state.events[-1].what == "removed"
            assert state.seats[1].who == "bot"
            assert await reason(other, "sit", seat=1) == "REMOVED"


async def test_the_removed_stay_removed_after_a_restart(tmp_path: Path) -> None:
    async with running(tmp_path, pace=3600.0) as server:
        ada, eve = await server.guest("Ada"), await server.guest("Eve")
        table = await ada.open_table()
        async with ada.join(table) as host, eve.join(table) as other:
            await other.ask("sit", seat=1)
            await host.until(lambda state: state.seats[1].who == "person")
            await remove(host, 1)
        cookies = eve.rest.cookies
    async with running(tmp_path, pace=3600.0) as server:
        back = Person(server, "Eve")
        back.rest.cookies = cookies
        async with back.join(table) as other:
            assert await reason(other, "sit", seat=1) == "REMOVED"


@pytest.mark.parametrize(
    ("wanted", "clock"),
    [({}, 0), ({"public": True}, PUBLIC_CLOCK), ({"public": True, "clock": 0}, 0), ({"clock": 30}, 30)],
)
async def test_public_tables_have_a_clock_by_default(
    tmp_path: Path, wanted: dict[str, Any], clock: int
) -> None:
    async with running(tmp_path) as server:
        ada = await server.guest("Ada")
        async with ada.join(await ada.open_table(**wanted)) as seat:
            assert seat.welcome.clock == clock


async def test_at_a_public_table_without_a_clock_nobody_waits_for_ever(tmp_path: Path) -> None:
    async with running(tmp_path, public_turn=0.2) as server:
        people = [await server.guest(name, f"203.0.113.{at}") for at, name in enumerate(("Ada", "Eve"), 1)]
        table = await people[0].open_table(rules="two-player", public=True, clock=0)
        async with AsyncExitStack() as stack:
            ada, eve = [await stack.enter_async_context(person.join(table)) for person in people]
            await eve.ask("sit", seat=1)
            await ada.ask("start")
            # Neither of them ever moves: after a few turns a computer player takes over one of their seats.
            turns = 0
            while not any(seat.away for seat in ada.state.seats):
                await ada.receive()
                turns += sum(event.what == "time_ran_out" for event in ada.state.events)
            assert turns >= IDLE_TURNS
            # Returning takes one command.
            gone = next(seat.seat for seat in ada.state.seats if seat.away)
            back = (ada, eve)[gone]
            assert isinstance(await back.ask("sit", seat=gone), Done)
            await back.until(lambda state: not state.seats[gone].away)


async def test_who_plays_alone_with_computers_at_a_public_table_has_all_the_time(tmp_path: Path) -> None:
    async with running(tmp_path, public_turn=0.01) as server:
        ada = await server.guest("Ada")
        table = await ada.open_table(rules="two-player", public=True, clock=0, start=True)
        async with ada.join(table) as seat:
            assert (await seat.my_turn()).clock is None
