"""Replays: what each seat saw at the time, over REST, and the log sent to players who reconnect."""

import asyncio
import socket
from asyncio import QueueFull
from contextlib import ExitStack
from pathlib import Path

import msgspec
import pytest
from server.running_server import Person, Running, running
from services import wait_until

from canasta.engine.match import Match
from canasta.notation.replay import Replayer
from canasta.server.fair_queue import Asker
from canasta.server.http.rest import records
from canasta.server.workers.replays import (
    MOST_FROM,
    MOST_UNREAD,
    MOST_WAITING,
    ReplayReply,
    ReplayRequest,
    Replays,
)
from canasta.table.event_views import events_for
from canasta.table.replay_frames import Positions, as_seen_by
from canasta.table.views import table_state
from canasta.table.wire import SeatView, TableState
from canasta.worker_process import Worker

GOLDEN = sorted((Path(__file__).resolve().parents[1] / "golden").glob("*.record"))


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_a_position_is_what_each_seat_saw_then(file: Path) -> None:
    """A match is played alongside: no seat is shown anything that its own view didn't show."""
    text = file.read_text()
    match_beside = Replayer(text)
    match = match_beside.replay.match
    assert match is not None
    pages = Positions(text).pages()
    for _ in range(40):
        page = next(pages)
        assert page is not None
        if page.seat >= 0:
            match_beside.step()
        for seat in range(len(match.side_of)):
            _compare(as_seen_by(page.state, seat), match, match_beside, seat)


def _compare(shown: TableState, match: Match, beside: Replayer, seat: int) -> None:
    names = [one.name for one in shown.seats]
    then = table_state(
        match, [SeatView(name=one.name, who=one.who) for one in shown.seats], state=0, viewer=seat
    )
    assert shown.seats == then.seats
    assert (shown.sides, shown.pile, shown.stock, shown.turn) == (
        then.sides,
        then.pile,
        then.stock,
        then.turn,
    )
    assert (shown.you is None) == (then.you is None)
    assert shown.you is None or then.you is None or shown.you.cards == then.you.cards
    if beside.replay.moves and shown.events[0].what != "dealt":
        told = [(event.what, event.seat, event.cards) for event in events_for(beside.events, seat, names)]
        assert [(event.what, event.seat, event.cards) for event in shown.events] == told


async def test_a_hand_of_a_table_and_of_a_record(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        ada = await server.guest("Ada")
        table = await ada.open_table(rules="two-player", start=True)
        rest = Person(server, "").rest
        async with ada.join(table) as seat:
            early = await rest.get(f"/api/tables/{table}/replay")
            assert early.status_code == 404, "cards of a hand in play are nobody's to see"
            assert early.json()["reason"] == "NOTHING_TO_REPLAY"
            await seat.play_hand()
            await seat.ask("next")
            await seat.my_turn()
            found = (await rest.get(f"/api/tables/{table}/replay")).json()
            assert found["history"] == seat.state.history
            assert found["frames"][0]["events"][0]["what"] == "dealt"
            assert found["frames"][-1]["sheet"]["scores"] == seat.state.history[0]
            assert len(found["frames"]) == len(found["moves"]) == len(found["movers"]) == found["lengths"][0]
            assert {one["name"] for one in found["frames"][0]["seats"]} >= {"Ada"}
            later = await rest.get(f"/api/tables/{table}/replay", params={"hand": 2})
            assert later.status_code == 404
            assert later.json()["facts"] == {"count": 1}
            record = (await rest.get(f"/api/tables/{table}/record")).text
            dropped = await rest.post("/api/replays", json={"text": record})
            assert dropped.headers["content-encoding"] == "gzip"
            assert dropped.json()["frames"] == found["frames"]


NO_RECORDS = (
    ("", "line 1"),
    ("no record\n", "line 1"),
    ("format: canasta 1\nrules: caliente\nversion: 999\nplayers: 4\nseed: x\n\nhand 1\n", "versions"),
    ("\0" * 40, "line 1"),
)


async def test_what_is_no_record_is_told(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        rest = Person(server, "").rest
        for text, says in NO_RECORDS:
            answer = await rest.post("/api/replays", json={"text": text})
            assert answer.status_code == 400
            assert says in answer.json()["detail"]


async def test_a_record_that_stops_is_shown_up_to_there_and_a_large_one_refused(tmp_path: Path) -> None:
    lines = (GOLDEN[0].parent / "jaques.record").read_text().splitlines()
    at = lines.index(next(line for line in lines if line.startswith("hand 1"))) + 4
    broken = "\n".join([*lines[:at], "0: meld K K K", *lines[at:], ""])
    async with running(tmp_path) as server:
        rest = Person(server, "").rest
        shown = (await rest.post("/api/replays?lang=de", json={"text": broken})).json()
        assert shown["line"] == at + 1
        assert shown["problem"].startswith("Die Aufzeichnung endet hier")
        assert len(shown["frames"]) == 4
        large = await rest.post("/api/replays", json={"text": "#" * 900_000})
        assert large.status_code == 413
        long = await rest.post("/api/replays", json={"text": "#" * 500_000})
        assert long.status_code == 400


async def test_who_comes_back_hears_what_has_happened_in_this_hand(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        ada = await server.guest("Ada")
        table = await ada.open_table(rules="two-player", start=True)
        async with ada.join(table) as seat:
            assert seat.state.log[0].what == "dealt"
            await seat.my_turn()
            await seat.move("draw")
            own = [event.cards for event in seat.state.events if event.what == "drew" and event.seat == 0]
            assert own
            assert own[0]
            assert seat.state.log == []
        async with ada.join(table) as again, Person(server, "").join(table) as spectator:
            mine = [event for event in again.state.log if event.what == "drew" and event.seat == 0]
            assert mine[-1].cards == own[0]
            theirs = [event for event in again.state.log if event.what == "drew" and event.seat == 1]
            assert not any(event.cards for event in theirs)
            watched = [event for event in spectator.state.log if event.what == "drew"]
            assert len(watched) >= len(mine)
            assert not any(event.cards for event in watched)


async def test_an_answer_that_would_be_too_large_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = next(file for file in GOLDEN if file.stem == "two-player").read_text()
    async with running(tmp_path) as server:
        rest = Person(server, "").rest
        shown = await rest.post("/api/replays", json={"text": text})
        assert shown.status_code == 200
        monkeypatch.setattr(records, "MOST_BYTES", len(shown.content) - 1)
        for coding in ("gzip", "identity"):
            refused = await rest.post(
                "/api/replays", json={"text": text}, headers={"Accept-Encoding": coding}
            )
            assert (refused.status_code, refused.json()["reason"]) == (400, "REPLAY_TOO_LARGE")


def a_loop(times: int) -> str:
    """Return a record in which somebody melds and undoes repeatedly: a short text with a long response."""
    lines = next(file for file in GOLDEN if file.stem == "two-player").read_text().splitlines()
    at = next(number for number, line in enumerate(lines) if " meld " in line)
    seat = lines[at].partition(":")[0]
    return "\n".join([*lines[:at], *[lines[at], f"{seat}: undo"] * times, *lines[at:], ""])


def _asks_and_never_reads(server: Running, address: str, text: str) -> socket.socket:
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
    client.connect(("127.0.0.1", server.port))
    body = msgspec.json.encode({"text": text})
    head = f"POST /api/replays HTTP/1.1\r\nHost: {server.host}\r\nContent-Type: application/json\r\n"
    head += f"X-Forwarded-For: {address}\r\nContent-Length: {len(body)}\r\n\r\n"
    client.sendall(head.encode() + body)
    return client


async def test_an_address_that_does_not_read_its_answers_gets_no_more(tmp_path: Path) -> None:
    text = a_loop(150)
    async with running(tmp_path) as server:
        server.server.servers[0].sockets[0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8192)
        eve = [_asks_and_never_reads(server, "198.51.100.1", text) for _ in range(MOST_FROM)]
        unread = server.services.replays
        await wait_until(lambda: unread.unread_from("198.51.100.1") == MOST_FROM)
        again = await Person(server, "", "198.51.100.1").rest.post("/api/replays", json={"text": text})
        assert (again.status_code, again.json()["reason"]) == (429, "MANY_REPLAYS")
        ada = Person(server, "", "203.0.113.1").rest
        for coding in ("gzip", "identity"):
            answer = await ada.post("/api/replays", json={"text": text}, headers={"Accept-Encoding": coding})
            assert len(answer.json()["frames"]) > 300
        assert unread.unread_from("203.0.113.1") == 0
        for client in eve:
            client.close()
        await wait_until(lambda: unread.unread_from("198.51.100.1") == 0)
        assert (await ada.post("/api/replays", json={"text": text})).status_code == 200


async def test_an_ipv6_site_that_does_not_read_its_answers_gets_no_more() -> None:
    queue = Replays()
    with ExitStack() as held:
        for number in range(MOST_UNREAD):
            held.enter_context(queue.hold(f"2001:db8:0:{number:x}::/64"))
        with pytest.raises(QueueFull):
            held.enter_context(queue.hold("2001:db8:0:ffff::/64"))
        held.enter_context(queue.hold("2001:db8:1::/64"))
    assert queue.unread_from("2001:db8:1::/64") == 0


async def test_replays_are_made_by_another_process_and_one_that_ends_is_replaced(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        rest = Person(server, "").rest
        assert (await rest.post("/api/replays", json={"text": a_loop(1)})).status_code == 200
        worker = await server.services.replays._worker.start()
        worker.kill()
        await worker.wait()
        ended = await rest.post("/api/replays", json={"text": a_loop(1)})
        assert (ended.status_code, ended.json()["reason"]) == (400, "RECORD_TAKES_LONG")
        assert (await rest.post("/api/replays", json={"text": a_loop(1)})).status_code == 200


async def test_the_replays_of_one_address_wait_behind_the_first_of_everyone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[str] = []
    gate = asyncio.Semaphore(0)

    async def exchange(_: object, wanted: ReplayRequest, answer: type[ReplayReply]) -> ReplayReply:
        made.append(wanted.text)
        await gate.acquire()
        return answer()

    monkeypatch.setattr(Worker, "exchange", exchange)
    queue, waiting = Replays(), []
    eve = [(f"eve {number}", "198.51.100.1") for number in range(1 + MOST_WAITING)]
    for name, address in (*eve, ("ada", "203.0.113.1")):
        wanted = ReplayRequest(text=name, hand=1, language="en", instead=None, seconds=1, most=1)
        waiting.append(asyncio.create_task(queue.make(wanted, Asker(name, address))))
        await asyncio.sleep(0)
    for _ in waiting:
        gate.release()
    answers = await asyncio.gather(*waiting, return_exceptions=True)
    assert made[:3] == ["eve 0", "ada", "eve 1"]
    assert [type(answer) for answer in answers].count(QueueFull) == 1
    assert isinstance(answers[-2], QueueFull)
