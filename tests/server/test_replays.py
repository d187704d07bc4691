"""Games looked at again: what each seat saw then, over REST, and the log of who comes back to a hand."""

from pathlib import Path

import pytest
from server.playing import Person, running

from canasta.engine.match import Match
from canasta.notation.replay import Replayer
from canasta.table.happenings import happened
from canasta.table.replaying import Positions, as_seen_by
from canasta.table.views import Seen, Sitting, table_state
from canasta.table.wire import TableState

GOLDEN = sorted((Path(__file__).resolve().parents[1] / "golden").glob("*.record"))


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_a_position_is_what_each_seat_saw_then(file: Path) -> None:
    """Beside a match that is played along: nothing is shown to a seat that its own view had not."""
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
        match, Seen([Sitting(name=one.name, who=one.who) for one in shown.seats], seat), state=0
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
        told = [(event.what, event.seat, event.cards) for event in happened(beside.events, seat, names)]
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
