"""All tables of this process. A table is read from its log when somebody wants it, and forgotten when nobody
has looked at it for a while."""

import asyncio
import secrets
import time
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import structlog

from canasta.rules import resolve_ruleset
from canasta.server.people.accounts import GUEST
from canasta.server.people.sessions import Player
from canasta.server.settings import Settings
from canasta.server.store.store import Store, StoredEntry, Unavailable
from canasta.server.tables.fanout import Fanout
from canasta.server.tables.live import LiveRoom
from canasta.server.tables.neighbours import Neighbours
from canasta.server.tables.sitting import without_name
from canasta.server.thinking.pool import Thinkers
from canasta.table.log import Created, Entry, Option, Seated, decode_entry, encode_entry
from canasta.table.names import name_keys
from canasta.table.orders import start_entries
from canasta.table.room import STAND_IN, Room, WrongLog
from canasta.table.shuffling import what_follows

_logger = structlog.get_logger()

_LETTERS: Final = "23456789abcdefghjkmnpqrstuvwxyz"
"""Of a table's name: none that could be read as another."""
_NAME_LENGTH: Final = 14
_AT_ONCE: Final = 40
"""Entries of a log that are applied before other tables have their turn."""
_LISTED: Final = 60
_SWEEP: Final = 30.0
_RECENT: Final = 900.0
"""Seconds that a public table is listed with nobody at it."""


@dataclass
class Wish:
    """What somebody wants of a new table."""

    rules: str
    players: int | None = None
    """None: as many as usual."""
    options: dict[str, Option] = field(default_factory=dict)
    public: bool = False
    level: str = STAND_IN
    clock: int = 0
    spectators: bool = True
    one_seat: bool | None = None
    """People of one address get one seat between them; None: at a public table."""
    start: bool = False


class House:
    def __init__(self, store: Store, fanout: Fanout, settings: Settings, neighbours: Neighbours) -> None:
        self._store = store
        self._fanout = fanout
        self._settings = settings
        self._neighbours = neighbours
        self._thinkers = Thinkers()
        self._rooms: dict[str, LiveRoom] = {}
        self._loading: dict[str, asyncio.Task[LiveRoom | None]] = {}
        self._missed: dict[str, int] = {}
        """What was heard of tables while they were being read."""
        self._tasks: set[asyncio.Task[None]] = set()
        self.began: float = time.monotonic()

    async def open(self) -> None:
        self._fanout.subscribe(self._heard)
        self._neighbours.tell(lengths=self._lengths, heard=self._heard, moved=self._moved)
        self._start(self._sweep())

    async def close(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(room.close() for room in self._rooms.values()))
        await self._thinkers.close()

    @property
    def open_tables(self) -> int:
        return len(self._rooms)

    # -- finding tables --------------------------------------------------------------------------------------

    async def find(self, table: str) -> LiveRoom | None:
        found = self._rooms.get(table)
        if found is not None:
            if found.is_idle:
                # Nobody here has followed it, and another process may have played on.
                await self._refresh([found])
            return found
        if len(table) != _NAME_LENGTH or not set(table) <= set(_LETTERS):
            return None
        task = self._loading.get(table)
        if task is None:
            task = self._loading[table] = asyncio.create_task(self._load(table))
            task.add_done_callback(lambda _: self._loaded(table))
        # Whoever asked first may go away: the others still want the table.
        return await asyncio.shield(task)

    def _loaded(self, table: str) -> None:
        """What came while it was read is not lost."""
        self._loading.pop(table, None)
        missed = self._missed.pop(table, None)
        if missed is not None:
            self._heard(table, missed)

    async def _refresh(self, rooms: Sequence[LiveRoom]) -> None:
        """Read what other processes have written at tables that nobody here looks at."""
        lengths = {live.room.table: live.room.length for live in rooms}
        for table, seq in (await self._neighbours.longer(lengths)).items():
            if (live := self._rooms.get(table)) is not None:
                await live.heard(seq)

    async def _load(self, table: str) -> LiveRoom | None:
        stored = await self._store.entries(table)
        if not stored:
            return None
        try:
            return self._take_in(await _replayed(table, stored))
        except Exception:  # one table that cannot be read must not trouble the others
            _logger.exception("table_unreadable", table=table)
            return None

    def _take_in(self, room: Room) -> LiveRoom:
        live = LiveRoom(room, self._store, self._fanout, self._thinkers, self._settings, self._neighbours)
        self._rooms[room.table] = live
        return live

    async def public_tables(self) -> list[LiveRoom]:
        """Those that a lobby shows: not over, the ones with people at them first."""
        rows = await self._store.lobby(_LISTED)
        since = time.time() - _RECENT
        known = [live for row in rows if (live := self._rooms.get(row.id)) is not None and live.is_idle]
        await self._refresh(known)
        occupied = await self._neighbours.occupied([row.id for row in rows])
        listed: list[LiveRoom] = []
        for row in rows:
            is_recent = row.updated > since or row.id in occupied
            live = self._rooms.get(row.id)
            if live is None and is_recent:
                live = await self.find(row.id)
            if live is not None and live.room.status != "over" and (is_recent or live.present):
                listed.append(live)
        return sorted(listed, key=lambda live: (not live.present, live.room.status != "waiting"))

    # -- opening tables --------------------------------------------------------------------------------------

    async def open_table(self, host: Player, wish: Wish, address: str = "") -> LiveRoom:
        """A new table with its host, who comes from `address`, on the first seat; raises `RulesetError`."""
        chosen = resolve_ruleset(wish.rules, wish.players, wish.options)
        table = "".join(secrets.choice(_LETTERS) for _ in range(_NAME_LENGTH))
        created = Created(
            rules=wish.rules,
            version=chosen.version,
            players=chosen.seats.players,
            options=wish.options,
            public=wish.public,
            level=wish.level,
            clock=wish.clock,
            spectators=wish.spectators,
            seed=secrets.token_hex(32),
            made=time.time(),
            one_seat=wish.public if wish.one_seat is None else wish.one_seat,
            secret=secrets.token_hex(16),
        )
        room = Room(table, created)
        # Somebody may have made an account of a name that a guest has had for long.
        owners = {} if host.account else await self._store.owners_of(name_keys(host.name))
        name = GUEST if owners else host.name
        place = room.place_of(address)
        entries: list[Entry] = [Seated(seat=0, player=host.id, name=name, account=host.account, place=place)]
        await self._store.create_table(table, public=wish.public, payload=encode_entry(created))
        room.apply(entries)
        if wish.start:
            begin = start_entries(room)
            # People who connect at once take part in the first deal.
            begin += what_follows(
                room.shuffling, begin, room.people, lambda _: self._settings.fair_patience > 0
            )
            room.apply(begin)
            entries += begin
        await self._store.append(table, 1, [(None, encode_entry(entry)) for entry in entries])
        await self._store.note_sitting(host.id, table)
        if wish.start:
            await self._store.set_status(table, room.status)
        _logger.info(
            "table_opened", table=table, rules=wish.rules, players=created.players, public=wish.public
        )
        return self._take_in(room)

    async def forget(self, player: str, table: str, *, is_over: bool) -> None:
        """Somebody deletes their account: the table knows them no longer."""
        # A table that is over and that nobody looks at need not be played through for that.
        live = self._rooms.get(table) if is_over else await self.find(table)
        if live is not None:
            await live.forget(player)
        else:
            stored = await self._store.entries(table)
            await self._store.write_anew(table, without_name(stored, player))

    # -- by itself -------------------------------------------------------------------------------------------

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _heard(self, table: str | None, seq: int) -> None:
        """A log has grown; None: any may have."""
        for name in self._loading if table is None else [table]:
            if name in self._loading:
                self._missed[name] = -1 if table is None else max(seq, self._missed.get(name, 0))
        rooms = list(self._rooms.values()) if table is None else [self._rooms.get(table)]
        for room in rooms:
            if room is not None:
                self._start(self._catch_up(room, -1 if table is None else seq))

    async def _catch_up(self, room: LiveRoom, seq: int) -> None:
        try:
            await room.heard(seq)
        except Unavailable as problem:
            # Whoever looks at the table asks again soon, and so does whoever comes to it.
            _logger.warning("not_followed", table=room.room.table, problem=str(problem))

    def _lengths(self) -> dict[str, int]:
        return {table: live.room.length for table, live in self._rooms.items() if not live.is_idle}

    def _moved(self, table: str) -> None:
        """People of this table came to another process, or went from it."""
        room = self._rooms.get(table)
        if room is not None:
            self._start(room.people_moved())

    async def _sweep(self) -> None:
        """Forget tables that nobody looks at."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(min(_SWEEP, self._settings.idle_after))
            before = loop.time() - self._settings.idle_after
            for table, room in list(self._rooms.items()):
                if room.is_idle and room.empty_since < before:
                    del self._rooms[table]
                    await room.close()


async def _replayed(table: str, stored: Sequence[StoredEntry]) -> Room:
    """The table that its log tells of."""
    first = decode_entry(stored[0].payload)
    if not isinstance(first, Created):
        raise WrongLog("the log does not begin with the opening of the table")
    room = Room(table, first)
    for at, row in enumerate(stored[1:], 1):
        if row.seq != at:
            raise WrongLog(f"entry {at} of the log is missing")
        room.apply([decode_entry(row.payload)], row.command)
        if at % _AT_ONCE == 0:
            await asyncio.sleep(0)
    return room
