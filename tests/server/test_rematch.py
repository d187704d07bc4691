"""Rematches: who is waited for, who moves on, and that nothing is lost on the way."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from finished_games import finished_log, finished_table, id_of
from server.running_server import running

from canasta.server.store import ConflictError
from canasta.server.store.store import Store, TableToOpen
from canasta.table.commands import CommandError, entries_for_deletion, propose
from canasta.table.frames import Frames
from canasta.table.log import (
    Agreed,
    Continued,
    Created,
    Entry,
    Faced,
    WentAway,
    decode_entry,
    encode_entry,
    people_in,
    without_name,
)
from canasta.table.rematch import next_table
from canasta.table.seats import Person
from canasta.table.table import Table
from canasta.table.wire import Done, Refused
from canasta.table.wire_commands import LeaveSeat, PlayAgain

ADA, BEN, EVE = (Person(name.lower(), name) for name in ("Ada", "Ben", "Eve"))
AGAIN, LEAVE = PlayAgain(id="1"), LeaveSeat(id="2")


@pytest.fixture(scope="module")
def played() -> tuple[str, list[Entry]]:
    """Return the log of a finished game of three people and a computer player."""
    return finished_log([(who.player, who.name) for who in (ADA, BEN, EVE)], "caliente", 4)


@pytest.fixture
def table(played: tuple[str, list[Entry]]) -> Table:
    return read(*played)


def read(name: str, log: Sequence[Entry]) -> Table:
    copies = [decode_entry(encode_entry(entry)) for entry in log]
    table = Table.opened(name, copies[0])
    table.apply(copies[1:])
    return table


def order(table: Table, who: Person, command: PlayAgain | LeaveSeat = AGAIN) -> list[str]:
    """Carry out a command and return the names of its log entries."""
    entries = propose(table, who, command).entries
    table.apply(entries)
    return [type(entry).__name__ for entry in entries]


def following(table: Table, entries: Sequence[Entry]) -> Table:
    log = next_table(table, entries, 1.0)
    return read("b" * 14, log)


def sitting(table: Table) -> list[str]:
    return [chair.name for chair in table.chairs]


def test_the_next_table_opens_when_all_have_said_yes(table: Table) -> None:
    assert order(table, BEN) == ["Agreed"]
    assert order(table, BEN) == [], "once is enough"
    assert order(table, EVE) == ["Agreed"]
    table.apply([Faced(seat=1, face="club-2")])
    view = Frames(table, [], present={0, 1, 2}).state_for("ada")
    assert view.again is not None
    assert (view.again.yes, view.again.next) == ([1, 2], "")
    entries = propose(table, ADA, AGAIN).entries
    assert [type(entry) for entry in entries] == [Agreed, Continued]
    new = following(table, entries)
    assert sitting(new) == ["Ada", "Ben", "Eve", "East"]
    assert [chair.face for chair in new.chairs] == ["", "club-2", "", ""]
    assert (new.host, new.chairs[3].level, new.created.after) == ("ada", "novice", table.name)
    assert new.shuffling.server_commitment != table.shuffling.server_commitment
    table.apply(entries)
    assert order(table, EVE) == [], "whoever asks again is led there"
    view = Frames(table, [], present=()).state_for("")
    assert view.again is not None
    assert view.again.next == table.next_table, "and so are those who watch"


def test_nobody_waits_for_who_is_gone_or_does_not_want(table: Table) -> None:
    table.apply([WentAway(seat=0, left=False)])
    assert order(table, BEN) == ["Agreed"]
    entries = propose(table, EVE, LEAVE).entries
    assert [type(entry) for entry in entries] == [WentAway, Continued]
    new = following(table, entries)
    assert sitting(new) == ["", "Ben", "", "East"], "their seats are free"
    assert new.host == "ben"


def test_who_said_yes_may_go_on_at_once(table: Table) -> None:
    entries = propose(table, EVE, PlayAgain(id="1", now=True)).entries
    assert [type(entry) for entry in entries] == [Agreed, Continued]
    assert sitting(following(table, entries)) == ["", "", "Eve", "East"]


def test_who_said_yes_and_lost_the_line_has_the_seat(table: Table) -> None:
    order(table, ADA)
    table.apply([WentAway(seat=0, left=False)])
    order(table, BEN)
    entries = propose(table, EVE, AGAIN).entries
    assert sitting(following(table, entries)) == ["Ada", "Ben", "Eve", "East"]


def test_who_said_yes_and_left_goes_along_no_more(table: Table) -> None:
    order(table, ADA)
    assert order(table, ADA, LEAVE) == ["WentAway"], "nobody else has said yes"
    with pytest.raises(CommandError) as refused:
        propose(table, ADA, AGAIN)
    assert refused.value.why.reason == "LEFT"
    order(table, BEN)
    entries = propose(table, EVE, AGAIN).entries
    assert sitting(following(table, entries)) == ["", "Ben", "Eve", "East"]


def test_only_who_has_played_says_yes(table: Table) -> None:
    for who, reason in ((Person("eva", "Eva"), "WATCHING"), (Person("", ""), "WATCHING")):
        with pytest.raises(CommandError) as refused:
            propose(table, who, AGAIN)
        assert refused.value.why.reason == reason


def test_the_evening_is_counted(table: Table) -> None:
    assert table.match is not None
    sides = [table.match.side_of[seat] for seat in range(3)]
    points = [table.match.scores[side] for side in sides]
    won = [int(table.match.winner == side) for side in sides]
    rows = {row.name: row for row in Frames(table, [], present=()).state_for("").evening}
    assert [(rows[name].games, rows[name].won, rows[name].points) for name in ("Ada", "Ben", "Eve")] == [
        (1, one, count) for one, count in zip(won, points, strict=True)
    ]
    new = following(table, propose(table, ADA, PlayAgain(id="1", now=True)).entries)
    waiting = {row.name: row for row in Frames(new, [], present=()).state_for("").evening}
    assert {name: row.seat for name, row in waiting.items()} == {"Ada": 0, "Ben": -1, "Eve": -1}
    again = finished_log(
        [("ada", "Ada"), ("eve", "Eve")], "two-player", 2, evening=new.created.evening, after=table.name
    )
    both = read(*again)
    assert both.match is not None
    rows = {row.name: row for row in Frames(both, [], present=()).state_for("").evening}
    assert [(rows[name].games, rows[name].points) for name in ("Ada", "Ben", "Eve")] == [
        (2, points[0] + both.match.scores[both.match.side_of[0]]),
        (1, points[1]),
        (2, points[2] + both.match.scores[both.match.side_of[1]]),
    ]
    assert sum(row.won for row in rows.values()) == sum(won) + 1


def test_who_wants_to_be_forgotten_is_in_no_tally(table: Table) -> None:
    order(table, BEN)
    entries = entries_for_deletion(table, "ben")
    assert [type(entry) for entry in entries] == [WentAway], "and does not go along"
    first, *_ = next_table(table, propose(table, ADA, PlayAgain(id="1", now=True)).entries, 1.0)
    assert isinstance(first, Created)
    assert people_in([first]) == {"ada", "ben", "eve"}
    without = without_name(encode_entry(first), "ben")
    assert without is not None
    assert b"Ben" not in without
    assert without_name(encode_entry(first), "somebody") is None
    new = Table("b" * 14, first)
    new.forget("ben")
    assert sorted(row.name for row in Frames(new, [], present=()).state_for("").evening) == ["", "Ada", "Eve"]


def test_who_has_been_forgotten_takes_no_seat_at_the_next_table(table: Table) -> None:
    """The log of a finished table that nobody has open is only anonymised."""
    order(table, ADA)
    table.forget("ada")
    assert order(table, BEN) == ["Agreed"]
    assert order(table, EVE) == ["Agreed", "Continued"]
    new = following(table, [Continued(table="c" * 14)])
    assert sitting(new)[:3] == ["", "Ben", "Eve"]
    assert new.host == "ben"


async def test_both_tables_are_written_or_neither(store: Store) -> None:
    await store.add_player("ada", "Ada")
    await store.create_table("a", public=False, payload=b"0")
    new = TableToOpen("b", public=True, payloads=[b"0", b"1"], people=["ada", "gone"])
    await store.append_and_open("a", 1, [("x", b"1"), (None, b"2")], new)
    assert [row.payload for row in await store.entries("a")] == [b"0", b"1", b"2"]
    assert [row.payload for row in await store.entries("b")] == [b"0", b"1"]
    row = await store.table("b")
    assert row is not None
    assert (row.public, row.status) == (True, "waiting")
    assert [sitting.table for sitting in await store.sittings_of("ada")] == ["b"]
    with pytest.raises(ConflictError):
        await store.append_and_open("a", 2, [(None, b"2")], TableToOpen("c", public=False, payloads=[b"0"]))
    assert await store.table("c") is None
    assert await store.entries("c") == []


async def test_the_company_goes_on_at_another_table(tmp_path: Path) -> None:
    async with running(tmp_path) as server, AsyncExitStack() as stack:
        ada, ben, eve = [await server.guest(name) for name in ("Ada", "Ben", "Eve")]
        table = await finished_table(server.services.store, [ada, ben])
        one, two, watching = [await stack.enter_async_context(who.join(table)) for who in (ada, ben, eve)]
        refused = await watching.ask("again")
        assert isinstance(refused, Refused)
        answers = await asyncio.gather(one.ask("again"), two.ask("again"))
        assert [type(answer) for answer in answers] == [Done, Done], "two at the same moment"
        for seat in (one, two, watching):
            await seat.until(lambda state: bool(state.again and state.again.next))
        (new,) = {seat.state.again.next for seat in (one, two, watching) if seat.state.again}
        assert (await eve.rest.get(f"/api/tables/{table}")).json()["next"] == new
        late = await stack.enter_async_context(ben.join(table))
        assert late.state.again is not None
        assert late.state.again.next == new, "the old link still leads there"
        there = await stack.enter_async_context(ben.join(new))
        assert [view.name for view in there.state.seats] == ["Ada", "Ben"]
        assert (there.state.status, there.state.seat, there.state.host) == ("waiting", 1, False)
        assert [row.games for row in there.state.evening] == [1, 1]
        record = (await ada.rest.get(f"/api/tables/{table}/record")).text
        assert "result: side" in record, "the game before stays as it was"
        mine = (await ada.rest.get("/api/me/games")).json()
        assert [row["id"] for row in mine["open"]] == [new]
        host = await stack.enter_async_context(ada.join(new))
        assert isinstance(await there.ask("leave"), Done)
        await host.until(lambda state: state.seats[1].who == "free")


async def test_who_is_away_too_long_is_not_waited_for(tmp_path: Path) -> None:
    async with running(tmp_path, away_after=0.0) as server:
        ada, ben = await server.guest("Ada"), await server.guest("Ben")
        table = await finished_table(server.services.store, [ada, ben])
        async with ada.join(table) as seat:
            assert isinstance(await seat.ask("again"), Done)
            await seat.until(lambda state: bool(state.again and state.again.next))


async def test_a_server_that_dies_in_between_has_lost_nothing(tmp_path: Path) -> None:
    """The log is the only state: everything acknowledged is there when it is read again."""
    async with running(tmp_path) as server:
        ada, ben = await server.guest("Ada"), await server.guest("Ben")
        cookies = [dict(person.rest.cookies) for person in (ada, ben)]
        table = await finished_table(server.services.store, [ada, ben])
        ids = [await id_of(server.services.store, person) for person in (ada, ben)]
        async with ada.join(table) as seat:
            assert isinstance(await seat.ask("again", id="yes"), Done)
    async with running(tmp_path) as server:
        ada, ben = await server.guest("Nobody"), await server.guest("Nobody")
        for person, kept in zip((ada, ben), cookies, strict=True):
            person.rest.cookies.clear()
            person.rest.cookies.update(kept)
        async with ada.join(table) as one, ben.join(table) as two:
            assert one.state.again is not None
            assert one.state.again.yes == [0]
            assert isinstance(await one.ask("again", id="yes"), Done)
            assert isinstance(await two.ask("again"), Done)
            assert two.state.again is not None
            new = two.state.again.next
    async with running(tmp_path) as server:
        live = await server.services.registry.find(new)
        assert live is not None
        assert [chair.player for chair in live.table.chairs] == ids
        old = await server.services.registry.find(table)
        assert old is not None
        assert old.table.next_table == new
