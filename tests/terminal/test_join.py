"""Joining a table on a real server: by its link, with a connection that breaks and comes back."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from finished_games import finished_table
from server.running_server import Person, running
from services import PATIENCE, wait_until
from terminal.person import screen_text
from websockets.asyncio.client import ClientConnection, connect
from witnessed_table import WitnessedTable, decoded

from canasta.bots import get_bot
from canasta.engine.fairness import FairRound
from canasta.errors import InputError
from canasta.table.fairness.transcript import FAIR, Verdict
from canasta.table.wire import AgainView, AnyFrame, EventView, TableState
from canasta.table.wire_commands import MakeMove, TakeSeat
from canasta.terminal import remote
from canasta.terminal.dialogs import Chooser, TextDialog
from canasta.terminal.fairness import CHECKED
from canasta.terminal.remote import Link, RemoteTable, SavedSessions
from canasta.terminal.table_screen import TableScreen, TerminalTable
from canasta.terminal.theme import TextStyle


async def _until(holds: Callable[[], bool], app: TerminalTable) -> None:
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, f"the table hangs:\n{screen_text(app)}"
        await asyncio.sleep(0.01)


@pytest.mark.parametrize(
    ("text", "base", "table"),
    [
        ("http://127.0.0.1:8000/t/abc", "http://127.0.0.1:8000", "abc"),
        ("canasta.example/t/a-b_C/", "http://canasta.example", "a-b_C"),
        (" https://canasta.example/t/x?from=mail ", "https://canasta.example", "x"),
        ("http://[::1]:8000/t/abc", "http://[::1]:8000", "abc"),
    ],
)
def test_a_link_is_read_as_it_stands_in_a_browser(text: str, base: str, table: str) -> None:
    assert Link.parse(text) == Link(base, table)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "abc",
        "ftp://host/t/abc",
        "http://host/",
        "http://host:port/t/abc",
        "http:///t/abc",
        "http://[/t/x",
    ],
)
def test_what_is_no_link_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        Link.parse(text)
    assert Link.parse(Link.EXAMPLE).table == "abc"


def test_a_secure_link_has_a_secure_socket() -> None:
    assert Link.parse("https://host/t/abc").socket == "wss://host/ws/tables/abc"


async def test_a_guest_sits_down_plays_and_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines: list[ClientConnection] = []

    class Line(connect):
        async def __aenter__(self) -> ClientConnection:
            lines.append(await super().__aenter__())
            return lines[-1]

    monkeypatch.setattr(remote, "connect", Line)
    async with running(tmp_path) as server:
        host = Person(server, "South")
        await host.come_in()
        table = await host.open_table(rules="caliente", players=2, bots="novice")
        source = RemoteTable(Link.parse(f"{server.url}/t/{table}"))
        screen = TableScreen(source, TextStyle())
        app = TerminalTable(screen)
        async with app.run_test(size=(80, 24)) as pilot, host.join(table) as seat:
            await _until(lambda: screen.model.state is not None, app)
            assert screen.model.your_seat == -1
            await pilot.press("enter")
            await _until(lambda: screen.model.your_seat == 1, app)
            await seat.ask("start")
            await _until(lambda: screen.model.state is not None and screen.model.state.phase == "draw", app)
            playing = asyncio.create_task(seat.play_hand())
            await _until(lambda: screen.model.is_your_turn, app)
            assert "Your turn" in screen_text(app)
            before = len(screen.model.hand)
            await pilot.press("d")
            await _until(lambda: len(screen.model.hand) > before, app)
            # The connection breaks in the middle of the turn; the hand is there again afterwards.
            held = list(screen.model.hand)
            await lines[-1].close()
            await _until(lambda: source.connections == 2, app)
            await _until(lambda: screen.model.is_your_turn, app)
            assert screen.model.hand == held
            await pilot.press("h")
            await _until(lambda: isinstance(app.screen, Chooser), app)
            state = screen.model.state
            await pilot.press("1")
            await _until(lambda: screen.model.state is not state, app)
            playing.cancel()


async def test_who_sits_down_in_mid_hand_is_told_when_they_join(tmp_path: Path) -> None:
    async with running(tmp_path, pace=3600.0) as server:
        host = await server.guest("South")
        table = await host.open_table(rules="two-player", start=True)
        screen = TableScreen(RemoteTable(Link.parse(f"{server.url}/t/{table}"), name="Guest"), TextStyle())
        app = TerminalTable(screen)
        async with app.run_test(size=(80, 24)) as pilot, host.join(table) as seat:
            await _until(lambda: screen.model.state is not None, app)
            assert "Sit down" in screen_text(app)
            await pilot.press("enter")
            await _until(lambda: screen.model.state is not None and screen.model.state.joins == 1, app)
            await _until(lambda: "You join at the next deal" in screen_text(app), app)
            assert "→ Guest" in screen_text(app)
            assert "Guest takes over Celia’s seat" in " ".join(screen_text(app).split())
            assert "Sit down" not in screen_text(app)
            assert screen.model.hand == []
            assert seat.state.you is not None


async def test_whoever_comes_back_later_has_the_same_session(tmp_path: Path) -> None:
    sessions = SavedSessions(tmp_path / "kept" / "sessions.json")
    async with running(tmp_path) as server:
        host = Person(server, "South")
        await host.come_in()
        table = await host.open_table(rules="caliente", players=2, bots="novice")
        link = Link.parse(f"{server.url}/t/{table}")
        for visit in range(2):
            screen = TableScreen(RemoteTable(link, sessions=sessions), TextStyle())
            app = TerminalTable(screen)
            async with app.run_test(size=(80, 24)) as pilot:
                await _until(lambda: screen.model.state is not None, app)  # noqa: B023 - awaited here
                if visit == 0:
                    assert screen.model.your_seat == -1
                    await pilot.press("enter")
                await _until(lambda: screen.model.your_seat == 1, app)  # noqa: B023 - awaited here


@pytest.mark.parametrize("kept", ["", "no json", "[]", '{"http://a": 3}', '{"http://a": "x\\r\\ny: z"}'])
def test_a_spoilt_file_of_sessions_is_like_none(kept: str, tmp_path: Path) -> None:
    file = tmp_path / "sessions.json"
    file.write_text(kept)
    sessions = SavedSessions(file)
    assert not sessions.load("http://a")
    sessions.save("http://a", "abc")
    assert sessions.load("http://a") == "abc"


async def test_a_table_that_is_not_there_is_told_in_a_sentence(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        screen = TableScreen(RemoteTable(Link.parse(f"{server.url}/t/nothere")), TextStyle())
        app = TerminalTable(screen)
        async with app.run_test(size=(80, 24)):
            await _until(lambda: "no table nothere" in screen_text(app), app)


async def test_a_server_that_does_not_answer_is_told_and_tried_again() -> None:
    screen = TableScreen(RemoteTable(Link.parse("http://127.0.0.1:9/t/abc")), TextStyle())
    app = TerminalTable(screen)
    async with app.run_test(size=(80, 24)):
        await _until(lambda: "isn’t answering" in screen_text(app), app)
        assert "Trying again in" in screen_text(app)


async def test_the_terminal_goes_on_with_the_others(tmp_path: Path) -> None:
    """One person in the terminal and one elsewhere accept the rematch; the next table appears."""
    sessions = SavedSessions(tmp_path / "sessions.json")
    async with running(tmp_path) as server:
        ada, tess = await server.guest("Ada"), await server.guest("Tess")
        table = await finished_table(server.services.store, [ada, tess])
        sessions.save(server.url, str(tess.rest.cookies["canasta_session"]))
        source = RemoteTable(Link.parse(f"{server.url}/t/{table}"), sessions=sessions)
        screen = TableScreen(source, TextStyle())
        app = TerminalTable(screen)
        async with app.run_test(size=(80, 24)) as pilot, ada.join(table) as seat:
            await _until(lambda: isinstance(app.screen, TextDialog), app)
            await pilot.press("escape")
            await _until(lambda: "Rematch" in screen_text(app), app)
            await seat.ask("again")
            await _until(lambda: "Ready for a rematch: Ada" in screen_text(app), app)
            await pilot.press("enter")
            await _until(lambda: source.link.table != table, app)
            await _until(
                lambda: screen.model.state is not None and screen.model.state.status == "waiting", app
            )
            assert screen.model.state is not None
            assert screen.model.state.seat == 1
            assert seat.state.again is not None
            await seat.until(lambda state: state.again.next == source.link.table)
            assert not screen.model.log, "what was told belongs to the game before"
        watching = RemoteTable(Link.parse(f"{server.url}/t/{table}"))
        frames: list[AnyFrame] = []
        task = asyncio.create_task(watching.run(frames.append, lambda *_: None))
        await _until(lambda: any(isinstance(frame, TableState) for frame in frames), app)
        assert watching.link.table == source.link.table, "and who comes by the old link"
        task.cancel()


async def test_the_terminal_takes_part_in_the_shuffle_and_checks_the_cards(tmp_path: Path) -> None:
    async with running(tmp_path, fair_patience=3600.0) as server:
        ada = await server.guest("Ada")
        table = await ada.open_table(rules="two-player")
        remote = RemoteTable(Link.parse(f"{server.url}/t/{table}"), name="Tess")
        frames: list[AnyFrame] = []
        running_table = asyncio.create_task(remote.run(frames.append, lambda *_: None))
        remote.send(TakeSeat(id="sit"))
        async with ada.join(table, fair=True) as seat:
            await seat.until(lambda state: state.fair is not None and len(state.fair.next.seats) == 2)
            await seat.ask("start")
            await seat.until(lambda state: state.hand == 1)
            live = await server.services.registry.find(table)
            assert live is not None
            assert isinstance(live.table.fair, FairRound)
            assert live.table.fair.contributors == (0, 1)
            bot = get_bot("novice")
            match = live.table.match
            assert match is not None
            while not match.hand.over:
                turn = match.hand.turn
                move = str(bot.choose(match.hand.view(turn)))
                if turn == 0:
                    await seat.move(move, state=10**12)
                else:
                    before = live.table.length
                    remote.send(MakeMove(id=f"m{before}", state=10**12, move=move))
                    await seat.until(lambda _, room=live.table, was=before: room.length > was)
            await seat.until(lambda state: state.phase == "over")
            await wait_until(lambda: bool(remote.witness.verdicts))
        assert [verdict.result for verdict in remote.witness.verdicts] == [CHECKED]
        told = [event for frame in frames if isinstance(frame, TableState) for event in frame.events]
        assert EventView(what=FAIR, count=1, phrase=CHECKED) in told
        assert remote.witness.verify_options().startswith("--seed ")
        running_table.cancel()


@pytest.mark.parametrize("is_over", [False, True])
def test_nobody_is_led_away_from_a_hand(is_over: bool) -> None:
    """Another table is followed when the game is over. Until then the witness keeps what it has seen."""
    watched = WitnessedTable("two-player", 2, 1, options={"hand_size": 4, "canastas_to_go_out": 0})
    watched.start()
    state = decoded(watched._state(watched.viewings[0], []))
    assert isinstance(state, TableState)
    state.again = AgainView(yes=[0], next="elsewhere")
    if is_over:
        state.status = state.phase = "over"
    source = RemoteTable(Link.parse("http://127.0.0.1:9/t/abc"))
    witness = source.witness
    assert source._follow(state, is_new=True) == is_over
    assert (source.witness is not witness) == is_over
    if is_over:
        state.events = [Verdict(1, "gap").event()]
        assert not source._follow(state, is_new=True), "the alarm is shown first"
