"""The store keeps everything it has acknowledged, exactly once, on SQLite and on PostgreSQL."""

import asyncio
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest
from sqlalchemy import Connection, insert, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import create_async_engine

from canasta.server.store import ConflictError, DatabaseError, schema
from canasta.server.store.backends import LogRow, SqliteRunner
from canasta.server.store.schema import presence
from canasta.server.store.store import Store, StoredEntry, make_store

T = TypeVar("T")


async def test_a_table_starts_with_its_first_entry(store: Store) -> None:
    await store.create_table("t", public=True, payload=b'{"rules":"caliente"}')
    assert await store.entries("t") == [StoredEntry(0, None, b'{"rules":"caliente"}')]
    row = await store.table("t")
    assert row is not None
    assert (row.id, row.public, row.status) == ("t", True, "waiting")
    assert row.created == row.updated


async def test_a_second_table_of_the_same_name_leaves_the_first_as_it_is(store: Store) -> None:
    await store.create_table("t", public=True, payload=b"first")
    with pytest.raises(ConflictError):
        await store.create_table("t", public=False, payload=b"second")
    assert await store.entries("t") == [StoredEntry(0, None, b"first")]


async def test_entries_come_back_in_order(store: Store) -> None:
    await store.create_table("t", public=False, payload=b"0")
    await store.append("t", 1, [("a", b"1"), (None, b"2")])
    await store.append("t", 3, [("b", b"\x00\xff")])
    assert [entry.seq for entry in await store.entries("t")] == [0, 1, 2, 3]
    assert await store.entries("t", since=2) == [StoredEntry(2, None, b"2"), StoredEntry(3, "b", b"\x00\xff")]
    assert await store.entries("nowhere") == []


async def test_appending_nothing_is_nothing(store: Store) -> None:
    await store.append("t", 0, [])
    assert await store.entries("t") == []


async def test_a_taken_number_is_a_conflict_and_nothing_of_it_stays(store: Store) -> None:
    await store.append("t", 0, [("a", b"0"), ("b", b"1")])
    with pytest.raises(ConflictError):
        await store.append("t", 1, [("c", b"other"), ("d", b"2")])
    assert [(entry.command, entry.payload) for entry in await store.entries("t")] == [
        ("a", b"0"),
        ("b", b"1"),
    ]


async def test_a_repeated_command_is_a_conflict_at_its_own_table_only(store: Store) -> None:
    await store.append("t", 0, [("a", b"0")])
    with pytest.raises(ConflictError):
        await store.append("t", 1, [("a", b"again")])
    await store.append("u", 0, [("a", b"0")])
    await store.append("t", 1, [(None, b"1"), (None, b"2")])
    assert [entry.command for entry in await store.entries("t")] == ["a", None, None]
    assert [entry.payload for entry in await store.entries("u")] == [b"0"]


async def test_a_conflict_does_not_touch_what_is_written_with_it(store: Store) -> None:
    await store.append("busy", 0, [("first", b"0")])
    results = await asyncio.gather(
        store.append("one", 0, [("a", b"0"), ("b", b"1")]),
        store.append("busy", 0, [("late", b"0")]),
        store.create_table("two", public=True, payload=b"0"),
        store.append("busy", 1, [("first", b"repeated")]),
        store.append("three", 0, [("a", b"0")]),
        return_exceptions=True,
    )
    assert [type(result) for result in results] == [
        type(None),
        ConflictError,
        type(None),
        ConflictError,
        type(None),
    ]
    assert len(await store.entries("one")) == 2
    assert len(await store.entries("two")) == 1
    assert len(await store.entries("three")) == 1
    assert [entry.command for entry in await store.entries("busy")] == ["first"]


@pytest.mark.parametrize("command", ["\ud800", "x" * 3_000, "a\x00b"])
async def test_a_strange_command_id_hurts_nobody_else(store: Store, command: str) -> None:
    results = await asyncio.gather(
        store.append("t", 0, [("a", b"0")]),
        store.append("u", 0, [(command, b"0")]),
        store.append("v", 0, [("a", b"0")]),
        return_exceptions=True,
    )
    assert (results[0], results[2]) == (None, None)
    assert results[1] is None or isinstance(results[1], DatabaseError)
    assert [entry.command for entry in await store.entries("t")] == ["a"]
    await store.append("u", 1, [("b", b"1")])


async def test_what_cannot_be_a_key_is_not_found(store: Store) -> None:
    for key in ("\x00", "a\ud800", "x" * 5_000, "' OR 1=1 --"):
        assert await store.table(key) is None
        assert await store.player_by_name(key) is None


async def test_of_many_who_want_the_same_number_one_has_it(store: Store) -> None:
    async def want(who: int) -> bool:
        try:
            await store.append("t", 0, [(f"c{who}", str(who).encode())])
        except ConflictError:
            return False
        return True

    had = await asyncio.gather(*(want(who) for who in range(20)))
    assert sum(had) == 1
    assert [entry.payload for entry in await store.entries("t")] == [str(had.index(True)).encode()]


async def test_two_processes_share_a_log(store: Store, database_url: str) -> None:
    other = make_store(database_url)
    await other.open()
    try:
        await store.append("t", 0, [("a", b"0")])
        with pytest.raises(ConflictError):
            await other.append("t", 0, [("b", b"0")])
        assert [entry.command for entry in await other.entries("t")] == ["a"]
        await other.append("t", 1, [("b", b"1")])
        assert [entry.command for entry in await store.entries("t")] == ["a", "b"]
    finally:
        await other.close()


async def test_everything_is_there_after_closing_and_opening(database_url: str) -> None:
    first = make_store(database_url)
    await first.open()
    await first.create_table("t", public=True, payload=b"0")
    waiting = [asyncio.create_task(first.append("t", seq, [(f"c{seq}", b"x")])) for seq in range(1, 50)]
    await asyncio.sleep(0)
    await first.close()
    await asyncio.gather(*waiting)
    second = make_store(database_url)
    await second.open()
    assert [entry.seq for entry in await second.entries("t")] == list(range(50))
    await second.close()
    with pytest.raises(DatabaseError):
        await second.append("t", 50, [(None, b"too late")])


async def test_the_lobby_shows_the_latest_public_tables_first(store: Store) -> None:
    for name, public in (("a", True), ("b", False), ("c", True), ("d", True)):
        await store.create_table(name, public=public, payload=b"0")
    await store.set_status("a", "playing")
    assert [row.id for row in await store.lobby(2)] == ["a", "d"]
    assert [(row.id, row.status) for row in await store.lobby(10)] == [
        ("a", "playing"),
        ("d", "waiting"),
        ("c", "waiting"),
    ]
    assert await store.table("nowhere") is None
    await store.set_status("a", "over")
    assert [row.id for row in await store.lobby(1)] == ["d"]


async def test_tables_occupied_elsewhere_are_chosen_fairly(store: Store) -> None:
    people = {"a": "ada", "b": "eve", "c": "eve", "d": "eve", "e": "here"}
    for name in people:
        await store.create_table(name, public=True, payload=b"0")
    rows = [
        {"table_id": table, "player_id": player, "process": "here" if player == "here" else "there"}
        for table, player in people.items()
    ]
    # A spectator changes nothing.
    rows += [{"table_id": table, "player_id": "fay", "process": "there"} for table in "abcd"]
    await store.write(lambda connection: connection.execute(insert(presence), rows))
    assert [row.id for row in await store.occupied_elsewhere("here", 2)] == ["d", "a"]
    assert [row.id for row in await store.occupied_elsewhere("here", 9)] == ["d", "a", "c", "b"]


async def test_the_lobby_does_not_look_through_all_tables(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database's own query plan shows that it uses the index and doesn't sort."""
    store = make_store(database_url)
    await store.open()
    asked: list[Any] = []

    async def note(_: Store, statement: Any) -> list[Any]:
        asked.append(statement)
        return []

    with monkeypatch.context() as patched:
        patched.setattr(Store, "_rows", note)
        await store.lobby(60)
    runner = store._runner

    def plan(connection: Connection) -> str:
        words = str(asked[0].compile(connection, compile_kwargs={"literal_binds": True}))
        if connection.dialect.name == "sqlite":
            return str(connection.execute(text(f"EXPLAIN QUERY PLAN {words}")).all())
        # An empty table would be scanned sequentially despite the index.
        connection.execute(text("SET LOCAL enable_seqscan = off"))
        connection.execute(text("SET LOCAL enable_bitmapscan = off"))
        return str(connection.execute(text(f"EXPLAIN {words}")).all())

    told = await runner.read(plan)
    await store.close()
    assert "tables_in_lobby" in told
    assert "SORT" not in told.upper().replace("SORTED", "")
    assert "TEMP B-TREE" not in told


async def test_sessions_belong_to_players_and_end(store: Store) -> None:
    await store.add_player("p", "Guest")
    await store.add_session("hash", "p", 60)
    await store.add_session("old", "p", -1)
    found = await store.session("hash")
    assert found is not None
    assert (found[0].id, found[0].name, found[0].account) == ("p", "Guest", None)
    assert found[1].expires - found[1].created == pytest.approx(60)
    assert await store.session("old") is None
    await store.drop_session("hash")
    assert await store.session("hash") is None
    with pytest.raises(ConflictError):
        await store.add_session("hash", "nobody", 60)


async def test_guests_share_a_name_and_accounts_do_not(store: Store) -> None:
    await store.add_player("p", "South")
    await store.add_player("q", "South")
    await store.make_account("p", "South", "hash")
    for taken in ("SOUTH", "S0uth"):
        with pytest.raises(ConflictError):
            await store.make_account("q", taken, "hash")
    await store.rename("q", "North", is_account=False)
    guest, account = await store.player("q"), await store.player_by_name("south")
    assert guest is not None
    assert (guest.name, guest.account) == ("North", None)
    assert account is not None
    assert (account.id, account.password_hash) == ("p", "hash")
    assert await store.player_by_name("north") is None


async def test_a_cancelled_caller_does_not_disturb_the_others(store: Store) -> None:
    first = asyncio.create_task(store.append("t", 0, [("a", b"0")]))
    second = asyncio.create_task(store.append("u", 0, [("a", b"0")]))
    await asyncio.sleep(0)
    first.cancel()
    await second
    assert first.cancelled()
    assert len(await store.entries("u")) == 1


class CountingRunner(SqliteRunner):
    commits = 0

    async def append(self, rows: Sequence[LogRow]) -> None:
        self.commits += 1
        await super().append(rows)


async def test_appends_of_one_moment_share_a_commit(tmp_path: Path) -> None:
    runner = CountingRunner(make_url(f"sqlite:///{tmp_path / 'canasta.db'}"))
    store = Store(runner)
    await store.open()
    await asyncio.gather(*(store.append(f"t{number}", 0, [("a", b"x" * 200)]) for number in range(300)))
    assert runner.commits <= 3
    assert len(await store.entries("t299")) == 1
    await store.close()


class FullDisk(SqliteRunner):
    """A store whose disk is full for a while."""

    is_full = False

    async def write(self, work: Callable[[Connection], T]) -> T:
        if self.is_full:
            raise OperationalError("INSERT", None, sqlite3.OperationalError("database or disk is full"))
        return await super().write(work)

    async def append(self, rows: Sequence[LogRow]) -> None:
        if self.is_full:
            raise sqlite3.OperationalError("database or disk is full")
        await super().append(rows)


async def test_a_full_disk_is_told_and_the_store_works_again_afterwards(tmp_path: Path) -> None:
    runner = FullDisk(make_url(f"sqlite:///{tmp_path / 'canasta.db'}"))
    store = Store(runner)
    await store.open()
    runner.is_full = True
    with pytest.raises(DatabaseError, match=r"cannot be written: database or disk is full\."):
        await store.append("t", 0, [("a", b"0")])
    runner.is_full = False
    await store.append("t", 0, [("a", b"0")])
    assert len(await store.entries("t")) == 1
    await store.close()


async def test_more_rows_than_a_statement_takes(tmp_path: Path) -> None:
    store = make_store(f"sqlite:///{tmp_path / 'canasta.db'}")
    await store.open()
    await store.append("t", 0, [(None, b"x")] * 9_000)
    assert len(await store.entries("t")) == 9_000
    await store.close()


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("nonsense", "Not the address of a database"),
        ("mysql://host/name", "SQLite in a file or PostgreSQL"),
        ("sqlite://", "SQLite in a file"),
        ("sqlite:///:memory:", "SQLite in a file"),
    ],
)
def test_an_address_that_will_not_do_is_explained(url: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        make_store(url)


async def test_what_cannot_be_opened_is_explained(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(DatabaseError, match=r"cannot be opened: .*Not a directory"):
        await make_store(f"sqlite:///{tmp_path / 'file' / 'deeper' / 'canasta.db'}").open()
    (tmp_path / "text.db").write_text("this is no database, only a long enough text" * 40)
    store = make_store(f"sqlite:///{tmp_path / 'text.db'}")
    with pytest.raises(DatabaseError, match=r"cannot be opened: file is not a database\."):
        await store.open()
    nobody = make_store("postgresql://127.0.0.1:9/none")
    with pytest.raises(DatabaseError, match="cannot be opened"):
        await nobody.open()


WRITER = """
import asyncio, sys
from canasta.server.store.store import make_store

async def table(store, name):
    await store.create_table(name, public=False, payload=b"0")
    for seq in range(1, 100_000):
        await store.append(name, seq, [(f"{name}-{seq}", b"x" * 100)])
        print(name, seq, flush=True)

async def main():
    store = make_store(sys.argv[1])
    await store.open()
    await asyncio.gather(*(table(store, f"t{number}") for number in range(5)))

asyncio.run(main())
"""


def lines_until_killed(url: str) -> list[str]:
    with subprocess.Popen([sys.executable, "-c", WRITER, url], stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        lines = [writer.stdout.readline() for _ in range(200)]
        writer.kill()
        return lines + writer.stdout.readlines()


async def test_a_killed_process_has_lost_nothing_that_it_acknowledged(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'canasta.db'}"
    acknowledged: Counter[str] = Counter()
    for line in await asyncio.to_thread(lines_until_killed, url):
        if line.endswith("\n"):
            name, seq = line.split()
            acknowledged[name] = max(acknowledged[name], int(seq))
    assert len(acknowledged) == 5
    store = make_store(url)
    await store.open()
    for name, last in acknowledged.items():
        entries = await store.entries(name)
        assert [entry.seq for entry in entries] == list(range(len(entries)))
        assert len(entries) > last
    await store.close()


async def test_a_new_file_opens_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"sqlite:///{tmp_path / 'deeper' / 'canasta.db'}"
    # Alembic takes most of a second to load, and a new file needs no migration.
    monkeypatch.setattr(schema, "migrate", lambda connection: pytest.fail("a new file was migrated"))
    store = make_store(url)
    await store.open()
    assert await store.entries("none") == []
    await store.close()


async def test_a_lost_connection_to_postgresql_is_made_anew(postgres: str) -> None:
    store = make_store(f"{postgres}/postgres")
    await store.open()
    await store.append("t", 0, [("a", b"0")])
    engine = create_async_engine(f"{postgres.replace('postgresql', 'postgresql+asyncpg')}/postgres")
    async with engine.connect() as connection:
        await connection.execute(
            text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
        )
    await engine.dispose()
    await store.append("t", 1, [("b", b"1")])
    assert [entry.command for entry in await store.entries("t")] == ["a", "b"]
    await store.close()
