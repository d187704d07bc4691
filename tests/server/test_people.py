"""People at a table: joining by link, leaving, returning, watching, and time limits."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from server.running_server import Person, running
from services import PATIENCE, wait_until
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from canasta.server.settings import Limits
from canasta.table.wire import Done, Problem, Refused


async def test_two_people_meet_by_link_and_play_a_hand(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        ada, ben = await server.guest("Ada"), await server.guest("Ada")
        table = await ada.open_table(rules="hand-and-foot", players=2)
        async with ada.join(table) as first:
            assert first.state.status == "waiting"
            assert first.state.host
            assert first.state.fair is not None
            coming = first.state.fair.next
            assert coming is not None
            assert len(coming.commitment) == 64
            async with ben.join(f"{table}") as second:
                assert second.state.watching == 1
                assert isinstance(await second.ask("sit"), Done)
                state = await first.until(lambda state: state.seats[1].who == "person")
                assert [seat.name for seat in state.seats] == ["Ada", "Ada 2"]
                assert state.events[-1].what == "sat_down"
                assert isinstance(await first.ask("start"), Done)
                await asyncio.gather(first.play_hand(), second.play_hand())
                fair = first.state.fair
                assert fair is not None
                assert fair.dealt is not None
                assert fair.dealt.commitment == coming.commitment
                assert first.state.sheet == second.state.sheet
                # The next hand waits for both.
                assert isinstance(await first.ask("next"), Done)
                state = await second.until(lambda state: state.seats[0].ready)
                assert state.hand == 1
                assert isinstance(await second.ask("next"), Done)
                await first.until(lambda state: state.hand == 2)


async def test_who_leaves_is_replaced_and_can_return(tmp_path: Path) -> None:
    async with running(tmp_path, away_after=0.2) as server:
        ada, ben = await server.guest("Ada"), await server.guest("Ben")
        table = await ada.open_table(players=2, rules="two-player")
        async with ben.join(table) as second:
            async with ada.join(table) as first:
                await second.ask("sit")
                await first.ask("start")
                await second.until(lambda state: state.hand == 1)
            # Ada's connection is gone: at first the seat waits, then a computer player takes over.
            await second.until(lambda state: not state.seats[0].connected)
            state = await second.until(lambda state: state.seats[0].away)
            assert state.seats[0].name == "Ada"
            assert state.seats[0].level == "club"
            assert state.seats[1].host
            await second.my_turn()
            async with ada.join(table) as first:
                assert first.state.you is not None
                assert not first.state.seats[0].away
                state = await second.until(lambda state: not state.seats[0].away)
                assert state.events[-1].what == "came_back"
                # A voluntary departure takes effect at once, and the leaver sees the table as a spectator.
                assert isinstance(await first.ask("leave"), Done)
                state = await first.until(lambda state: state.seats[0].away)
                assert state.you is None
                assert state.seat == 0
                refused = await first.move("draw")
                assert isinstance(refused, Refused)
                assert refused.why.reason == "LEFT"
                assert isinstance(await first.ask("sit"), Done)
                assert (await first.until(lambda state: not state.seats[0].away)).you is not None


async def test_the_table_waits_for_its_people(tmp_path: Path) -> None:
    """The host adds computer players; anyone who leaves before the game frees the seat."""
    async with running(tmp_path) as server:
        ada, ben = await server.guest("Ada"), await server.guest("Ben")
        table = await ada.open_table(public=True)
        async with ada.join(table) as first, ben.join(table) as second:
            await first.ask("bot", seat=1, level="casual")
            await second.ask("sit", seat=2)
            state = await second.until(lambda state: state.seats[2].who == "person")
            assert [seat.who for seat in state.seats] == ["person", "bot", "person", "free"]
            assert state.seats[1].level == "casual"
            # A person may take a computer player's seat, and change seats before the game starts.
            await second.ask("sit", seat=1)
            state = await second.until(lambda state: state.seats[1].who == "person")
            assert state.seats[2].who == "free"
            lobby = (await ada.rest.get("/api/tables")).json()
            assert [row["id"] for row in lobby] == [table]
            assert lobby[0]["free"] == 2
            await first.ask("leave")
            state = await second.until(lambda state: state.host)
            assert state.seats[0].who == "free"
            assert isinstance(await second.ask("start"), Done)
            state = await second.until(lambda state: state.hand == 1)
            assert [seat.who for seat in state.seats] == ["bot", "person", "bot", "bot"]


async def test_spectators_watch_and_without_them_a_full_table_is_closed(tmp_path: Path) -> None:
    async with running(tmp_path, pace=3600.0) as server:
        ada, ben = await server.guest("Ada"), await server.guest("Ben")
        stranger = Person(server, "")
        open_table = await ada.open_table(rules="two-player", start=True)
        async with ada.join(open_table) as first, stranger.join(open_table) as watcher:
            assert watcher.state.you is None
            assert watcher.state.seat == -1
            assert first.state.seat == 0
            assert watcher.welcome.you == ""
            assert (await first.until(lambda state: state.watching == 1)).watching == 1
            for kind in ("start", "leave", "next"):
                assert isinstance(await watcher.ask(kind), Refused)
            assert isinstance(await watcher.ask("sit"), Refused)
        closed = await ada.open_table(rules="two-player", spectators=False)
        async with ada.join(closed), ben.join(closed) as second:
            await second.ask("sit")
            assert await _turned_away(stranger, closed) == ("not_allowed", 4403)


async def test_without_spectators_only_those_who_sit_see_the_cards_on_the_table(tmp_path: Path) -> None:
    """This also holds if a computer player has a seat that a person could take."""
    async with running(tmp_path, pace=3600.0) as server:
        ada, ben = await server.guest("Ada"), await server.guest("Ben")
        table = await ada.open_table(spectators=False)
        async with ada.join(table) as first, ben.join(table) as second:
            assert (await ada.rest.get(f"/api/tables/{table}")).json()["free"] == 3
            assert isinstance(await first.ask("start"), Done)
            assert await second.end() == 4403
            assert second.state.hand == 0
            assert await _turned_away(ben, table) == ("not_allowed", 4403)
            row = (await ada.rest.get(f"/api/tables/{table}")).json()
            assert (row["status"], row["free"]) == ("playing", 0)
            for what in ("", "/record", "/scores", "/replay"):
                address = f"/api/tables/{table}{what}"
                for person in (ben, Person(server, "")):
                    answer = await person.rest.get(address)
                    assert (answer.status_code, answer.json()["reason"]) == (403, "NO_SPECTATORS")
                assert (await ada.rest.get(address)).status_code != 403
        async with ada.join(table) as first:
            assert first.state.you is not None


async def test_a_table_that_does_not_exist(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        ada = await server.guest("Ada")
        for table in ("nosuchtable222", "..", "x" * 500, "é"):
            assert await _turned_away(ada, table) == ("unknown_table", 4404)


async def _turned_away(person: Person, table: str) -> tuple[str, int]:
    """Return the problem code and the close code of the connection."""
    with pytest.raises(AssertionError, match="Problem") as raised:
        async with person.join(table):
            pass
    address = f"ws://{person.server.host}/ws/tables/{table if table.isascii() else '%C3%A9'}"
    async with connect(
        address, additional_headers=person.headers(), compression=None, open_timeout=PATIENCE
    ) as socket:
        await socket.recv()
        with pytest.raises(ConnectionClosed) as closed:
            await socket.recv()
    assert closed.value.rcvd is not None
    code = "unknown_table" if "unknown_table" in str(raised.value) else "not_allowed"
    return code, closed.value.rcvd.code


async def test_time_runs_out(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        ada = await server.guest("Ada")
        table = await ada.open_table(rules="two-player", start=True, clock=1)
        async with ada.join(table) as seat:
            state = await seat.my_turn()
            assert state.clock is not None
            assert state.clock.seat == 0
            assert 0 < state.clock.left <= 1
            state = await seat.until(
                lambda state: any(event.what == "time_ran_out" for event in state.events)
            )
            assert state.events[0].seat == 0
            # The whole turn is played, then the clock restarts.
            await seat.until(lambda state: state.turn != 0 or state.phase == "over")


async def test_no_time_passes_while_nobody_is_there(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        ada = await server.guest("Ada")
        table = await ada.open_table(rules="two-player", start=True, clock=600)
        async with ada.join(table) as seat:
            await seat.my_turn()
        live = await server.services.registry.find(table)
        assert live is not None
        for _ in range(10_000):
            await asyncio.sleep(0.01)
            if live.is_idle:
                break  # the server has noticed that she is gone
        live._timers._turn_since -= 500.0
        async with ada.join(table) as seat:
            assert seat.state.clock is not None
            assert seat.state.clock.left > 300


async def test_the_next_hand_comes_by_itself(tmp_path: Path) -> None:
    async with running(tmp_path, next_after=0.3) as server:
        ada = await server.guest("Ada")
        table = await ada.open_table(rules="two-player", start=True)
        async with ada.join(table) as seat:
            await seat.play_hand()
            await seat.until(lambda state: state.hand == 2)


async def test_nobody_plays_on_while_nobody_is_there(tmp_path: Path) -> None:
    async with running(tmp_path, away_after=0.0) as server:
        ada = await server.guest("Ada")
        table = await ada.open_table(rules="two-player", start=True)
        async with ada.join(table):
            pass
        live = await server.services.registry.find(table)
        assert live is not None
        # Work started while Ada was there may still finish; after that nothing more is scheduled.
        for _ in range(10_000):
            await asyncio.sleep(0.01)
            if live.is_idle and live._timer is None and (live._tick_task is None or live._tick_task.done()):
                break
        assert live._timer is None
        assert live._timers.next_due(live.present, watched=False) is None
        assert live._timers.next_due(live.present, watched=True) is not None, "for anyone who looked"


async def test_quick_phrases_are_heard_and_limited(tmp_path: Path) -> None:
    limits = Limits(phrases=(2.0, 0.001), commands=(30.0, 0.001))
    async with running(tmp_path, limits=limits, pace=3600.0) as server:
        ada, ben = await server.guest("Ada"), await server.guest("Ben")
        table = await ada.open_table()
        async with ada.join(table) as first, ben.join(table) as second:
            assert isinstance(await first.ask("say", phrase="good_luck"), Done)
            state = await second.until(lambda state: bool(state.events) and state.events[-1].what == "said")
            assert (state.events[-1].seat, state.events[-1].phrase) == (0, "good_luck")
            await first.ask("say", phrase="hello")
            answer = await first.ask("say", phrase="hello")
            assert isinstance(answer, Problem)
            assert answer.code == "too_fast"
            answers = [await first.ask("ping") for _ in range(40)]
            assert isinstance(answers[-1], Problem)
            assert answers[-1].code == "too_fast"
            assert isinstance(await second.ask("ping"), Done)


async def test_an_expert_moves_in_a_process_of_its_own(tmp_path: Path) -> None:
    async with running(tmp_path, expert_budget=0.05) as server:
        ada = await server.guest("Ada")
        table = await ada.open_table(rules="two-player", start=True, bots="expert")
        async with ada.join(table) as seat:
            await seat.my_turn()
            await seat.move("draw")
            state = await seat.until(lambda state: state.phase == "play")
            assert state.you is not None
            hints = await seat.hints()
            while hints and not hints[0].move.startswith("discard"):
                await seat.move(hints[0].move)
                hints = await seat.hints()
            if hints:
                await seat.move(hints[0].move)
            await seat.until(lambda state: state.turn == 1)
            await seat.my_turn()
            rows = await server.services.store.entries(table)
            assert sum(b'"by":"bot"' in row.payload for row in rows) >= 2
            assert not any(b"hurried" in row.payload for row in rows)


async def test_a_table_that_was_forgotten_is_read_again(tmp_path: Path) -> None:
    async with running(tmp_path, idle_after=0.05, pace=3600.0) as server:
        ada = await server.guest("Ada")
        table = await ada.open_table(start=True, rules="two-player")
        async with ada.join(table) as seat:
            before = seat.state.you
        await wait_until(lambda: not server.services.registry.open_tables)
        async with ada.join(table) as seat:
            assert seat.state.you == before
            assert isinstance(await seat.ask("ping"), Done)


async def test_a_log_with_a_gap_is_not_played_on(tmp_path: Path) -> None:
    """Other tables in the same database are unaffected."""
    async with running(tmp_path) as server:
        ada = await server.guest("Ada")
        whole, torn = [await ada.open_table(start=True, rules="two-player") for _ in range(2)]
    with closing(sqlite3.connect(tmp_path / "tables.db")) as database, database:
        changed = database.execute("DELETE FROM log WHERE table_id = ? AND seq = 2", (torn,))
        assert changed.rowcount == 1
    async with running(tmp_path) as server:
        guest = Person(server, "")
        assert await _turned_away(guest, torn) == ("unknown_table", 4404)
        assert (await guest.rest.get(f"/api/tables/{torn}")).status_code == 404
        assert (await guest.rest.get(f"/api/tables/{whole}")).json()["status"] == "playing"
