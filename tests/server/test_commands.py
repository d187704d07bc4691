"""Commands: refused, stale, duplicate and malformed ones."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from server.running_server import AtTable, running

from canasta.server.accounts.accounts import Player
from canasta.server.http.websocket import Connection, carry_out, read_command
from canasta.server.settings import Settings
from canasta.server.store import ConflictError, DatabaseError
from canasta.server.store.store import StoredEntry, TableToOpen
from canasta.server.tables.cluster import Cluster
from canasta.server.tables.live_table import LiveTable
from canasta.server.tables.pubsub import NoFanout
from canasta.server.tables.registry import NewTable, TableRegistry
from canasta.table.seats import LEVELS
from canasta.table.wire import PHRASES, AnyFrame, Checked, Done, Hints, Problem, Refused, TableState


class Shelf:
    """A store in memory for one table after another; it can be made to fail."""

    def __init__(self) -> None:
        self.logs: dict[str, list[StoredEntry]] = {}
        self.failing: Exception | None = None

    async def create_table(self, table: str, *, public: bool, payload: bytes) -> None:
        self.logs[table] = [StoredEntry(0, None, payload)]

    async def append(self, table: str, seq: int, entries: Sequence[tuple[str | None, bytes]]) -> None:
        await asyncio.sleep(0)
        if self.failing is not None:
            raise self.failing
        log = self.logs[table]
        if seq != len(log):
            raise ConflictError
        log += [StoredEntry(number, *entry) for number, entry in enumerate(entries, seq)]

    async def append_and_open(
        self, table: str, seq: int, entries: Sequence[tuple[str | None, bytes]], following: TableToOpen
    ) -> None:
        await self.append(table, seq, entries)
        self.logs[following.id] = [StoredEntry(at, None, text) for at, text in enumerate(following.payloads)]

    async def entries(self, table: str, since: int = 0) -> list[StoredEntry]:
        return self.logs.get(table, [])[since:]

    async def set_status(self, table: str, status: str) -> None:
        """Do nothing; no test here needs the status."""

    async def owners_of(self, keys: object) -> dict[str, str]:
        return {}

    async def create_practice_table(self, table: str, payloads: Sequence[bytes]) -> None: ...

    async def forget_practice(self, before: float) -> None: ...

    async def note_sitting(self, player: str, table: str) -> None:
        """Do nothing, as above."""


class Onlooker:
    """A `Viewer` that keeps everything it is sent."""

    def __init__(self, player: str, name: str) -> None:
        self.player, self.name = player, name
        self.account, self.home = False, ""
        self.is_behind = self.is_closing = False
        self.texts: list[str] = []

    def show(self, text: str) -> None:
        self.texts.append(text)

    def answer(self, text: str) -> None:
        self.texts.append(text)

    def close(self, code: int, reason: str) -> None:
        self.texts.append(f"{code} {reason}")

    @property
    def state(self) -> TableState:
        return next(
            msgspec.json.decode(text, type=TableState)
            for text in reversed(self.texts)
            if '"t":"state"' in text
        )


HOST = Player("ada", "Ada", account=False)


async def answer_to(message: bytes, viewer: Onlooker, live: LiveTable) -> AnyFrame:
    command = read_command(message)
    return command if isinstance(command, Problem) else await carry_out(command, viewer, live)


class Alone(Cluster):
    """A cluster without peers, or without news from them."""

    async def longer(self, lengths: Mapping[str, int]) -> dict[str, int]:
        return {}


OPENED: list[TableRegistry] = []
"""Registries to close after each test, so that a failing test ends too."""


def a_house(shelf: Shelf, **changes: Any) -> TableRegistry:
    store: Any = shelf
    usual = {"pace": 3600.0, "fair_patience": 0.0}
    house = TableRegistry(store, NoFanout(), Settings(**(usual | changes)), Alone(store))
    OPENED.append(house)
    return house


async def test_a_refused_move_names_the_rule_and_changes_nothing(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        ada = await server.guest("Ada")
        table = await ada.open_table(start=True, options={"hand_size": 13})
        async with ada.join(table) as seat:
            before = await seat.my_turn()
            assert before.you is not None
            answer = await seat.move(f"discard {before.you.cards[0]}")
            assert isinstance(answer, Refused)
            assert answer.why.clause == "TURN-1"
            assert answer.why.remedy
            assert answer.why.reason == "NOT_IN_THIS_PHASE"
            assert not answer.stale
            assert answer.state == before.state
            answer = await seat.move("discrad 7")
            assert isinstance(answer, Refused)
            assert answer.why.clause == "NOTATION"
            assert "discard" in answer.why.message + answer.why.remedy
            check = await seat.ask("check", move="draw")
            assert isinstance(check, Checked)
            assert check.why is None
            assert isinstance(await seat.move("draw"), Done)
            assert (await seat.until(lambda state: state.phase == "play")).you is not None
            check = await seat.ask("check", move="draw")
            assert isinstance(check, Checked)
            assert check.why is not None
            assert check.why.clause


async def test_a_stale_move_is_refused_and_a_repeated_one_is_made_once(tmp_path: Path) -> None:
    async with running(tmp_path, pace=3600.0) as server:
        ada = await server.guest("Ada")
        ben = await server.guest("Ben")
        table = await ada.open_table(players=2, rules="two-player")
        async with ada.join(table) as first, ben.join(table) as second:
            await second.ask("sit")
            await first.ask("start")
            await second.until(lambda state: state.hand == 1)
            mover = first if first.state.turn == 0 else second
            old = mover.state.state
            done = await mover.move("draw", id="one")
            assert isinstance(done, Done)
            # A phrase or a new connection doesn't make a move stale.
            await mover.ask("say", phrase="hello")
            cards = len((await mover.until(lambda state: state.phase == "play")).you.cards)  # type: ignore[union-attr]
            assert isinstance(again := await mover.move("draw", id="one"), Done)
            assert again.state == done.state
            stale = await mover.move("discard 4", state=old)
            assert isinstance(stale, Refused)
            assert stale.stale
            assert stale.why.reason == "STALE"
            assert stale.state == mover.state.state
            assert mover.state.you is not None
            assert len(mover.state.you.cards) == cards
            card = next(card for card in mover.state.you.cards if card[0] not in "23J")
            assert isinstance(await mover.move(f"discard {card}", state=done.state), Done)


async def test_a_command_is_done_once_across_restarts(tmp_path: Path) -> None:
    async with running(tmp_path, pace=3600.0) as server:
        ada = await server.guest("Ada")
        table = await ada.open_table(start=True, rules="two-player")
        cookies = ada.rest.cookies
        async with ada.join(table) as seat:
            if not (seat.state.you and seat.state.you.turn):
                await seat.ask("bot", seat=1, level="novice")
            assert seat.state.you is not None
            state = seat.state
            done = await seat.ask("say", phrase="hello", id="greeting")
            assert isinstance(done, Done)
    async with running(tmp_path, pace=3600.0) as server:
        back = await server.guest("Nobody")
        back.rest.cookies = cookies
        async with back.join(table) as seat:
            assert seat.welcome.you == "Ada"
            assert seat.state.you is not None
            assert state.you is not None
            assert seat.state.you.cards == state.you.cards
            assert seat.state.state >= done.state
            again = await seat.ask("say", phrase="hello", id="greeting")
            assert again == done
            rows = await server.services.store.entries(table)
            assert sum(row.command is not None and row.command.endswith(":greeting") for row in rows) == 1


async def test_what_the_house_refuses(tmp_path: Path) -> None:
    async with running(tmp_path, pace=3600.0) as server:
        ada, ben, eve = [await server.guest(name) for name in ("Ada", "Ben", "Eve")]
        table = await ada.open_table(players=2, rules="two-player")

        async def reason(at: AtTable, kind: str, **parts: Any) -> str:
            answer = await at.ask(kind, **parts)
            assert isinstance(answer, Refused), answer
            assert answer.why.message.endswith(".")
            return answer.why.reason

        async with ada.join(table) as first, ben.join(table) as second, eve.join(table) as third:
            assert await reason(second, "start") == "NOT_HOST"
            assert await reason(first, "move", move="draw", state=10**9) == "NOT_STARTED"
            assert await reason(second, "move", move="draw", state=10**9) == "WATCHING"
            assert await reason(second, "leave") == "WATCHING"
            assert await reason(second, "sit", seat=0) == "TAKEN"
            assert await reason(second, "sit", seat=7) == "NO_SUCH_SEAT"
            assert await reason(second, "sit", seat=-1) == "NO_SUCH_SEAT"
            assert await reason(second, "sit", name=" \n ") == "BAD_NAME"
            assert await reason(first, "bot", seat=1, level="genius") == "NO_SUCH_LEVEL"
            assert await reason(first, "bot", seat=0, level="club") == "OWN_SEAT"
            assert await reason(first, "bot", seat=9, level="club") == "NO_SUCH_SEAT"
            assert await reason(first, "say", phrase="you cheat") == "NO_SUCH_PHRASE"
            assert await reason(first, "commit", hand=1, round=1, commitment="two words") == "BAD_SEED"
            assert await reason(first, "commit", hand=2, round=1, commitment="ab" * 32) == "LATE_SEED"
            assert await reason(first, "reveal", hand=1, round=1, seed="ab" * 32) == "EARLY_SEED"
            assert await reason(first, "next") == "NOT_BETWEEN_HANDS"
            assert isinstance(await second.ask("sit"), Done)
            assert await reason(third, "sit") == "FULL"
            assert await reason(first, "bot", seat=1, level="club") == "STILL_THERE"
            assert await reason(second, "start") == "NOT_HOST"
            assert isinstance(await first.ask("start"), Done)
            assert await reason(first, "start") == "STARTED"
            waiting = second if first.state.turn == 0 else first
            await waiting.until(lambda state: state.hand == 1)
            assert await reason(waiting, "move", move="draw", state=10**9) == "NOT_YOUR_TURN"
            hints = await waiting.ask("hint")
            assert isinstance(hints, Hints)
            assert hints.hints == []
            assert await reason(second, "sit", seat=0) == "SEATED"


# -- the log and the table stay in step ----------------------------------------------------------------------


async def test_what_could_not_be_stored_has_not_happened() -> None:
    shelf = Shelf()
    house = a_house(shelf)
    live = await house.open_table(HOST, NewTable(rules="two-player", start=True))
    viewer = Onlooker("ada", "Ada")
    await live.enter(viewer)
    length = live.table.length
    shelf.failing = DatabaseError("the disk is full")
    answer = await answer_to(b'{"t":"say","id":"1","phrase":"hello"}', viewer, live)
    assert isinstance(answer, Problem)
    assert answer.code == "server_error"
    assert answer.id == "1"
    assert live.table.length == length == len(shelf.logs[live.table.name])
    shelf.failing = None
    answer = await answer_to(b'{"t":"say","id":"1","phrase":"hello"}', viewer, live)
    assert isinstance(answer, Done)
    await live.leave(viewer)
    await house.close()


async def test_a_command_that_was_written_before_a_crash_is_not_written_again() -> None:
    """Another process, or this one before an interruption, has appended entries: the table catches up."""
    shelf = Shelf()
    house, other_house = a_house(shelf), a_house(shelf)
    live = await house.open_table(HOST, NewTable(rules="two-player", start=True))
    other = await other_house.find(live.table.name)
    assert other is not None
    viewer, elsewhere = Onlooker("ada", "Ada"), Onlooker("ada", "Ada")
    await live.enter(viewer)
    await other.enter(elsewhere)
    hello = b'{"t":"say","id":"1","phrase":"hello"}'
    first = await answer_to(hello, viewer, live)
    second = await answer_to(hello, elsewhere, other)
    assert isinstance(first, Done)
    assert first == second
    assert elsewhere.state.events[-1].phrase == "hello"
    await answer_to(b'{"t":"say","id":"2","phrase":"oops"}', viewer, live)
    # Commands that don't depend on the cards are carried out after the other process's entries.
    late = await answer_to(b'{"t":"say","id":"3","phrase":"thanks"}', elsewhere, other)
    assert isinstance(late, Done)
    await live.on_new_entries(-1)
    assert live.table.length == other.table.length == len(shelf.logs[live.table.name])
    for table, one in ((live, viewer), (other, elsewhere)):
        await table.leave(one)
    await house.close()
    await other_house.close()


async def test_a_change_that_comes_while_a_table_is_read_is_not_lost() -> None:
    class SlowShelf(Shelf):
        may = asyncio.Event()

        async def entries(self, table: str, since: int = 0) -> list[StoredEntry]:
            found = await super().entries(table, since)
            if since == 0:
                await self.may.wait()
            return found

    shelf = SlowShelf()
    house, other_house = a_house(shelf), a_house(shelf)
    live = await house.open_table(HOST, NewTable(rules="two-player", start=True))
    viewer = Onlooker("ada", "Ada")
    await live.enter(viewer)
    table = live.table.name
    reading = asyncio.create_task(other_house.find(table))
    await asyncio.sleep(0)  # it has read the log but not yet rebuilt the table
    assert isinstance(await answer_to(b'{"t":"say","id":"1","phrase":"hello"}', viewer, live), Done)
    other_house._on_new_entries(table, live.table.length - 1)
    shelf.may.set()
    other = await reading
    assert other is not None
    await asyncio.gather(*other_house._tasks)
    assert other.table.length == live.table.length
    await live.leave(viewer)
    await house.close()
    await other_house.close()


# -- messages of every kind ----------------------------------------------------------------------------------

_words = st.sampled_from(
    ["move", "check", "hint", "sit", "leave", "bot", "start", "next", "say", "commit", "reveal", "ping"]
)
_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
_moves = st.sampled_from(
    ["draw", "discard 4", "meld K K K", "take Q Q + A A Jo", "undo", "pass", "take onto K"]
)
_near = st.fixed_dictionaries(
    {"t": _words | st.text(max_size=6)},
    optional={
        "id": st.text(max_size=50) | _values,
        "state": st.integers() | _values,
        "move": _moves | st.text(max_size=60) | _values,
        "seat": st.integers(-3, 9) | _values,
        "level": st.sampled_from([*LEVELS, "", "random"]) | _values,
        "phrase": st.sampled_from(PHRASES) | _values,
        "hand": st.integers(0, 3) | _values,
        "round": st.integers(0, 3) | _values,
        "commitment": st.just("ab" * 32) | st.text(max_size=70) | _values,
        "seed": st.just("ab" * 32) | st.text(max_size=70) | _values,
        "name": st.text(max_size=40) | _values,
        "more": _values,
    },
)
_right = st.fixed_dictionaries(
    {"t": st.just("move"), "id": st.uuids().map(str), "state": st.just(10**9), "move": _moves}
) | st.fixed_dictionaries({"t": _words, "id": st.uuids().map(lambda name: name.hex)})


def _as_json(value: object) -> bytes:
    try:
        return msgspec.json.encode(value)
    except (msgspec.MsgspecError, UnicodeEncodeError, OverflowError):
        return repr(value).encode(errors="replace")


@settings(max_examples=150, deadline=None)
@given(
    messages=st.lists(
        st.binary(max_size=200) | _near.map(_as_json) | _right.map(_as_json) | _values.map(_as_json),
        min_size=1,
        max_size=12,
    )
)
def test_no_message_brings_a_table_down(messages: list[bytes]) -> None:
    asyncio.run(_send_all(messages))


async def _send_all(messages: list[bytes]) -> None:
    shelf = Shelf()
    house = a_house(shelf)
    live = await house.open_table(HOST, NewTable(rules="caliente", start=len(messages) % 2 == 0))
    viewer, stranger = Onlooker("ada", "Ada"), Onlooker("", "")
    await live.enter(viewer)
    await live.enter(stranger)
    for message in messages:
        for one in (viewer, stranger):
            before = live.table.length
            answer = await answer_to(message, one, live)
            if isinstance(answer, (Problem, Refused, Checked, Hints)):
                assert live.table.length == before
            if isinstance(answer, Problem):
                assert answer.code in ("bad_message", "too_long")
            if one is stranger:
                assert not isinstance(answer, Done) or live.table.length == before
    assert live.table.length == len(shelf.logs[live.table.name])
    assert isinstance((await answer_to(b'{"t":"ping","id":"p"}', viewer, live)), Done)
    again = await a_house(shelf).find(live.table.name)
    assert again is not None
    assert again.table.steps == live.table.steps
    assert again.table.chairs == live.table.chairs
    await live.leave(viewer)
    await live.leave(stranger)
    await house.close()


UNREADABLE: list[tuple[str | bytes, str]] = [
    ("", "bad_message"),
    ("[[[[", "bad_message"),
    ("[" * 1999, "bad_message"),
    ('{"t":"move"}', "bad_message"),
    ('{"t":"dance","id":"1"}', "bad_message"),
    ('{"t":"ping","id":""}', "bad_message"),
    ('{"t":"ping","id":"' + "x" * 41 + '"}', "bad_message"),
    ('{"t":"say","id":"1","phrase":"hello","extra":1}', "bad_message"),
    ('{"t":"move","id":"1","state":1e999,"move":"draw"}', "bad_message"),
    ("x" * 2001, "too_long"),
    (b"\xff\xfe\x00", "bad_message"),
]


async def test_a_message_that_cannot_be_read_is_answered(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        ada = await server.guest("Ada")
        table = await ada.open_table()
        async with ada.join(table) as seat:
            for message, code in UNREADABLE:
                await seat.socket.send(message)
                answer = await seat.receive()
                assert isinstance(answer, Problem), message
                assert answer.code == code, message
                assert isinstance(await seat.ask("ping"), Done)


async def test_a_client_that_does_not_read_gets_the_newest_state_only() -> None:
    sent: list[Any] = []
    gate, all_sent = asyncio.Event(), asyncio.Event()

    async def send(message: Any) -> None:
        await gate.wait()
        sent.append(message)
        if len(sent) == 3:
            all_sent.set()

    connection = Connection(send, HOST)
    writer = asyncio.create_task(connection.write())
    for number in range(50):
        connection.show(f"state {number}")
        if number == 20:
            connection.answer("done")
        await asyncio.sleep(0)
    gate.set()
    await all_sent.wait()
    assert [message["text"] for message in sent] == ["state 0", "done", "state 49"]
    for _ in range(300):
        connection.answer("done")
    await writer
    assert sent[-1]["type"] == "websocket.close"
