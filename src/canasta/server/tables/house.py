"""All tables of this process. A table is read from its log when somebody wants it, and forgotten when nobody
has looked at it for a while."""

import asyncio
import contextlib
import secrets
import time
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import structlog

from canasta.rules import resolve_ruleset
from canasta.server.people.accounts import GUEST
from canasta.server.people.push import Pusher
from canasta.server.people.sessions import Player
from canasta.server.settings import Settings
from canasta.server.store.days import TryRow
from canasta.server.store.store import Store, StoredEntry, TableToOpen, Unavailable
from canasta.server.tables.brains import Brains
from canasta.server.tables.fanout import Fanout
from canasta.server.tables.live import LiveTable, nameless
from canasta.server.tables.neighbours import Neighbours
from canasta.server.thinking.pool import Thinkers
from canasta.table.chairs import STAND_IN, Person
from canasta.table.due import Turn
from canasta.table.evening import LETTERS, NAME_LENGTH, new_table_name
from canasta.table.log import (
    Created,
    Entry,
    Moved,
    Option,
    WrongLog,
    decode_entry,
    encode_entry,
    people_in,
)
from canasta.table.names import name_keys
from canasta.table.practice import Practice
from canasta.table.same_address import place_of
from canasta.table.shuffling import new_seed
from canasta.table.table import Table

_logger = structlog.get_logger()

_AT_ONCE: Final = 40
"""Entries of a log that are applied before other tables have their turn."""
_LISTED: Final = 60
_SWEEP: Final = 30.0
_PRACTICE_KEPT: Final = 86_400.0
"""Seconds that a table for practice is kept."""
_FORGET_EVERY: Final = 3_600.0
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
    def __init__(
        self,
        store: Store,
        fanout: Fanout,
        settings: Settings,
        neighbours: Neighbours,
        pusher: Pusher | None = None,
    ) -> None:
        self._store = store
        self._fanout = fanout
        self._settings = settings
        self._neighbours = neighbours
        self._pusher = pusher
        self._thinkers = Thinkers()
        self._open: dict[str, LiveTable] = {}
        self._loading: dict[str, asyncio.Task[LiveTable | None]] = {}
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
        await asyncio.gather(*(live.close() for live in self._open.values()))
        await self._thinkers.close()

    @property
    def open_tables(self) -> int:
        return len(self._open)

    # -- finding tables --------------------------------------------------------------------------------------

    async def find(self, name: str) -> LiveTable | None:
        """Whoever enters it at once finds it open."""
        while True:
            found = await self._find(name)
            if found is None or self._open.get(name) is found:
                return found
            # It was put away at this very moment, since nobody looked at it.

    async def _find(self, name: str) -> LiveTable | None:
        found = self._open.get(name)
        if found is not None:
            if found.is_idle:
                # Nobody here has followed it, and another process may have played on.
                await self._refresh([found])
            return found
        if len(name) != NAME_LENGTH or not set(name) <= set(LETTERS):
            return None
        task = self._loading.get(name)
        if task is None:
            task = self._loading[name] = asyncio.create_task(self._load(name))
            task.add_done_callback(lambda _: self._loaded(name))
        # Whoever asked first may go away: the others still want the table.
        return await asyncio.shield(task)

    def _loaded(self, name: str) -> None:
        """What came while it was read is not lost."""
        self._loading.pop(name, None)
        missed = self._missed.pop(name, None)
        if missed is not None:
            self._heard(name, missed)

    async def _refresh(self, tables: Sequence[LiveTable]) -> None:
        """Read what other processes have written at tables that nobody here looks at."""
        lengths = {live.table.name: live.table.length for live in tables}
        for name, seq in (await self._neighbours.longer(lengths)).items():
            if (live := self._open.get(name)) is not None:
                await live.heard(seq)

    async def _load(self, name: str) -> LiveTable | None:
        stored = await self._store.entries(name)
        if not stored:
            return None
        try:
            return self._take_in(await _replayed(name, stored))
        except Exception:  # one table that cannot be read must not trouble the others
            _logger.exception("table_unreadable", table=name)
            return None

    def _take_in(self, table: Table) -> LiveTable:
        live = LiveTable(
            table,
            self._store,
            self._fanout,
            self._thinkers,
            self._settings,
            self._neighbours,
            self._pusher,
        )
        self._open[table.name] = live
        return live

    async def public_tables(self) -> list[LiveTable]:
        """Those that a lobby shows: not over, the ones with people at them first."""
        rows = await self._store.lobby(_LISTED)
        since = time.time() - _RECENT
        known = [live for row in rows if (live := self._open.get(row.id)) is not None and live.is_idle]
        await self._refresh(known)
        occupied = await self._neighbours.occupied([row.id for row in rows])
        listed: list[LiveTable] = []
        for row in rows:
            is_recent = row.updated > since or row.id in occupied
            live = self._open.get(row.id)
            if live is None and is_recent:
                live = await self.find(row.id)
            if live is not None and live.table.status != "over" and (is_recent or live.present):
                listed.append(live)
        return sorted(listed, key=lambda live: (not live.present, live.table.status != "waiting"))

    # -- opening tables --------------------------------------------------------------------------------------

    async def open_table(self, host: Player, wish: Wish, address: str = "") -> LiveTable:
        """A new table with its host, who comes from `address`, on the first seat; raises `RulesetError`."""
        chosen = resolve_ruleset(wish.rules, wish.players, wish.options)
        created = Created(
            rules=wish.rules,
            version=chosen.version,
            players=chosen.seats.players,
            options=wish.options,
            public=wish.public,
            level=wish.level,
            clock=wish.clock,
            spectators=wish.spectators,
            seed=new_seed(),
            made=time.time(),
            one_seat=wish.public if wish.one_seat is None else wish.one_seat,
            secret=secrets.token_hex(16),
        )
        table = Table(new_table_name(), created)
        # Somebody may have made an account of a name that a guest has had for long.
        owners = {} if host.account else await self._store.owners_of(name_keys(host.name))
        name = GUEST if owners else host.name
        who = Person(host.id, name, account=host.account, place=place_of(table, address))
        entries: list[Entry] = [who.sits(0)]
        await self._store.create_table(table.name, public=wish.public, payload=encode_entry(created))
        table.apply(entries)
        if wish.start:
            begin = table.deal()
            # People who connect at once take part in the first deal.
            begin += table.what_follows(begin, lambda _: self._settings.fair_patience > 0)
            table.apply(begin)
            entries += begin
        await self._store.append(table.name, 1, [(None, encode_entry(entry)) for entry in entries])
        await self._store.note_sitting(host.id, table.name)
        if wish.start:
            await self._store.set_status(table.name, table.status)
        _logger.info(
            "table_opened", table=table.name, rules=wish.rules, players=created.players, public=wish.public
        )
        return self._take_in(table)

    async def open_practice(self, player: Player, practice: Practice) -> LiveTable:
        """A table whose cards are laid out for this one person, who plays there with computer players; raises
        `PositionError` or `RulesetError`. It names nobody, so that there is nothing to forget in it."""
        entries = practice.entries(player.id, made=time.time())
        table = Table.opened(new_table_name(), entries[0])
        table.apply(entries[1:])
        await self._store.lay_out(table.name, [encode_entry(entry) for entry in entries])
        _logger.info("practice_opened", table=table.name, thing=practice.thing)
        return self._take_in(table)

    async def open_day_table(
        self, table: Table, begins: Sequence[Entry], counted: TryRow | None
    ) -> LiveTable:
        """A table with the cards of a day, dealt; raises `Conflict`."""
        log = [encode_entry(entry) for entry in (table.created, *begins)]
        await self._store.open_day_table(TableToOpen(table.name, False, log, people_in(begins)), counted)
        await self._store.set_status(table.name, table.status)
        return self._take_in(table)

    async def played_out(self, table: Table, budget: float) -> bool:
        """Computer players alone play a table that nobody sees to its end; False where one did not answer."""
        brains = Brains(table, self._thinkers, budget)
        while isinstance(turn := table.next_due(()), Turn):
            assert table.match is not None, "somebody is to move"
            chosen = await brains.choose(table.match, turn.seat, turn.level)
            if chosen is None or chosen.hurried:
                return False
            table.apply([Moved(seat=turn.seat, move=str(chosen.move), by="bot")])
        return True

    async def forget(self, player: str, name: str, *, is_over: bool) -> None:
        """Somebody deletes their account: the table knows them no longer."""
        await self._store.forget_in_games(player, name)
        # A table that is over and that nobody looks at need not be played through for that.
        live = self._open.get(name) if is_over else await self.find(name)
        if live is not None:
            await live.forget(player)
        else:
            stored = await self._store.entries(name)
            await self._store.write_anew(name, nameless(stored, player))

    # -- by itself -------------------------------------------------------------------------------------------

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _heard(self, name: str | None, seq: int) -> None:
        """A log has grown; None: any may have."""
        for loading in self._loading if name is None else [name]:
            if loading in self._loading:
                self._missed[loading] = -1 if name is None else max(seq, self._missed.get(loading, 0))
        for live in list(self._open.values()) if name is None else [self._open.get(name)]:
            if live is not None:
                self._start(self._catch_up(live, -1 if name is None else seq))

    async def _catch_up(self, live: LiveTable, seq: int) -> None:
        try:
            await live.heard(seq)
        except Unavailable as problem:
            # Whoever looks at the table asks again soon, and so does whoever comes to it.
            _logger.warning("not_followed", table=live.table.name, problem=str(problem))

    def _lengths(self) -> dict[str, int]:
        return {name: live.table.length for name, live in self._open.items() if not live.is_idle}

    def _moved(self, name: str) -> None:
        """People of this table came to another process, or went from it."""
        live = self._open.get(name)
        if live is not None:
            self._start(live.people_moved())

    async def _sweep(self) -> None:
        """Forget tables that nobody looks at."""
        loop = asyncio.get_running_loop()
        forget_at = loop.time()
        while True:
            await asyncio.sleep(min(_SWEEP, self._settings.idle_after))
            before = loop.time() - self._settings.idle_after
            for name, live in list(self._open.items()):
                # Practice is over when one goes; whoever comes back finds it in the log.
                if live.is_idle and (live.empty_since < before or live.table.created.practice):
                    del self._open[name]
                    await live.close()
            if loop.time() >= forget_at:
                forget_at = loop.time() + _FORGET_EVERY
                with contextlib.suppress(Unavailable):
                    await self._store.forget_practice(time.time() - _PRACTICE_KEPT)


async def _replayed(name: str, stored: Sequence[StoredEntry]) -> Table:
    """The table that its log tells of."""
    table = Table.opened(name, decode_entry(stored[0].payload))
    for at, row in enumerate(stored[1:], 1):
        if row.seq != at:
            raise WrongLog(f"entry {at} of the log is missing")
        table.apply([decode_entry(row.payload)], row.command)
        if at % _AT_ONCE == 0:
            await asyncio.sleep(0)
    return table
