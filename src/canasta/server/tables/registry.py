"""The registry of tables that are open in this process.

A table is loaded from its log on demand, and unloaded when nobody has been connected for a while.
"""

import asyncio
import contextlib
import secrets
import time
from collections.abc import Coroutine, Iterator, Sequence
from itertools import chain, islice
from typing import Annotated, Any, Final

import structlog
from msgspec import Meta, Struct, field

from canasta.rules import resolve_ruleset
from canasta.server.accounts.accounts import GUEST, Player
from canasta.server.accounts.push import Pusher
from canasta.server.addresses import site_of
from canasta.server.fair_queue import SERVER, Asker, FairQueue
from canasta.server.settings import Settings
from canasta.server.store import DatabaseError
from canasta.server.store.days import TryRow
from canasta.server.store.store import Store, StoredEntry, TableToOpen
from canasta.server.tables.cluster import Cluster
from canasta.server.tables.live_table import LiveTable, entries_without_name
from canasta.server.tables.pubsub import Fanout
from canasta.server.tables.viewers import place_of
from canasta.server.workers.pool import BotPool, TableBots
from canasta.table.commands import start_entries
from canasta.table.log import (
    Created,
    Entry,
    LogError,
    Moved,
    Option,
    decode_entry,
    encode_entry,
    people_in,
)
from canasta.table.names import name_keys
from canasta.table.next_action import Turn, next_action
from canasta.table.practice import Practice
from canasta.table.rematch import LETTERS, NAME_LENGTH, new_table_name
from canasta.table.seats import STAND_IN, Person
from canasta.table.seed_rounds import new_seed
from canasta.table.table import Table

_logger = structlog.get_logger()

_AT_ONCE: Final = 40
"""Number of log entries applied before yielding to other tables."""
PUBLIC_CLOCK: Final = 60
"""Seconds per turn at a public table, unless its host chooses otherwise."""
_LISTED: Final = 60
_SWEEP: Final = 30.0
_PRACTICE_KEPT: Final = 86_400.0
"""Seconds that a practice table is kept."""
_FORGET_EVERY: Final = 3_600.0
_CONSIDERED: Final = 500
"""Maximum number of tables occupied only in other processes that the lobby considers. The tables open in this
process are all considered."""
_RECENT: Final = 120.0
"""Seconds for which a public table without connections stays at the end of the list."""


Players = Annotated[int, Meta(ge=2, le=6)]

Options = Annotated[
    dict[str, Option], Meta(max_length=200, description="Option values by name, at most 200.")
]

LONGEST_CLOCK: Final = 3600


class NewTable(Struct, kw_only=True, forbid_unknown_fields=True):
    """The settings of a new table."""

    rules: Annotated[str, Meta(max_length=100)] = "caliente"
    players: Players | None = None
    options: Options = field(default_factory=dict)
    public: bool = False
    bots: Annotated[str, Meta(max_length=100, description="Level of the computer players in free seats.")] = (
        STAND_IN
    )
    clock: (
        Annotated[int, Meta(ge=0, le=LONGEST_CLOCK, description="Seconds per turn; 0: no clock.")] | None
    ) = None
    """`None`: 60 at a public table, otherwise no clock."""
    spectators: bool = True
    """False: once the game starts, only seated players may enter."""
    one_seat: bool | None = None
    """Allow only one seat per network address. Default: only at a public table."""
    start: bool = False
    """Start at once, with computer players in all other seats."""


class TableRegistry:
    def __init__(
        self, store: Store, fanout: Fanout, settings: Settings, cluster: Cluster, pusher: Pusher | None = None
    ) -> None:
        self._store = store
        self._fanout = fanout
        self._settings = settings
        self._cluster = cluster
        self._pusher = pusher
        self._bot_pool = BotPool()
        self._open: dict[str, LiveTable] = {}
        self._loading: dict[str, asyncio.Task[LiveTable | None]] = {}
        self._missed: dict[str, int] = {}
        """Latest log numbers announced for tables while they were loading."""
        self._tasks: set[asyncio.Task[None]] = set()
        self.began: float = time.monotonic()

    async def open(self) -> None:
        self._fanout.subscribe(self._on_new_entries)
        self._cluster.subscribe(
            open_logs=self._open_logs,
            on_new_entries=self._on_new_entries,
            on_presence_change=self._on_presence_change,
        )
        self._start(self._sweep())

    async def close(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(live.close() for live in self._open.values()))
        await self._bot_pool.close()

    @property
    def open_tables(self) -> int:
        return len(self._open)

    # -- finding tables --------------------------------------------------------------------------------------

    async def find(self, name: str) -> LiveTable | None:
        """Return a table, loading it if needed; `None` if it doesn't exist.

        The table stays open at least until the caller yields to the event loop.
        """
        while True:
            live = await self._find(name)
            if live is None or self._open.get(name) is live:
                return live
            # It was being unloaded because nobody was connected.

    async def _find(self, name: str) -> LiveTable | None:
        live = self._open.get(name)
        if live is not None:
            if live.is_idle:
                # Nobody here was following it; another process may have played on.
                await self._refresh([live])
            return live
        if len(name) != NAME_LENGTH or not set(name) <= set(LETTERS):
            return None
        task = self._loading.get(name)
        if task is None:
            task = self._loading[name] = asyncio.create_task(self._load(name))
            task.add_done_callback(lambda _: self._loaded(name))
        # If the first caller is cancelled, the others still need the table.
        return await asyncio.shield(task)

    def _loaded(self, name: str) -> None:
        """Handle announcements of new entries that arrived while the table was loading."""
        self._loading.pop(name, None)
        missed = self._missed.pop(name, None)
        if missed is not None:
            self._on_new_entries(name, missed)

    async def _refresh(self, tables: Sequence[LiveTable]) -> None:
        """Read the entries that other processes have written at tables where nobody is connected to this
        process."""
        lengths = {live.table.name: live.table.length for live in tables}
        for name, seq in (await self._cluster.logs_with_new_entries(lengths)).items():
            if (live := self._open.get(name)) is not None:
                await live.on_new_entries(seq)

    async def _load(self, name: str) -> LiveTable | None:
        stored = await self._store.entries(name)
        if not stored:
            return None
        try:
            return self._take_in(await _replayed(name, stored))
        except Exception:  # an unreadable table must not affect the others
            _logger.exception("table_unreadable", table=name)
            return None

    def _take_in(self, table: Table) -> LiveTable:
        live = LiveTable(
            table, self._store, self._fanout, self._bot_pool, self._settings, self._cluster, self._pusher
        )
        self._open[table.name] = live
        return live

    async def public_tables(self, player: str = "") -> list[LiveTable]:
        """Return the tables that the lobby shows to this player.

        Tables with somebody connected come first, then recently left ones. In both groups networks and
        players take turns; within a turn, tables that wait for players come first, then the most recently
        active.
        """
        rows = await self._lobby_rows()
        known = [live for name in rows if (live := self._open.get(name)) is not None and live.is_idle]
        await self._refresh(known)
        # Players connected to this process make a table occupied whatever the other processes know.
        elsewhere = [name for name in rows if name not in self._open or not self._open[name].present]
        people = await self._cluster.players_at(elsewhere)
        since = time.time() - _RECENT
        occupied: list[LiveTable] = []
        empty: list[LiveTable] = []
        for name, active in sorted(rows.items(), key=lambda row: -row[1]):
            if active < since and name not in people and name not in self._open:
                continue
            live = await self.find(name)
            if live is None or live.table.status == "over" or not live.table.may_watch(player):
                continue
            if live.present or live.table.seats_of(people.get(name, ())):
                occupied.append(live)
            elif active > since:
                empty.append(live)
        return list(islice(chain(_fairly(occupied), _fairly(empty)), _LISTED))

    async def _lobby_rows(self) -> dict[str, float]:
        """Return the tables that could be listed, with the time of their latest activity."""
        elsewhere = await self._store.occupied_elsewhere(self._cluster.name, _CONSIDERED)
        stored = [*elsewhere, *await self._store.lobby(_LISTED)]
        rows = {row.id: row.updated for row in stored}
        for name, live in self._open.items():
            if live.present and live.table.created.public and live.table.status != "over":
                rows[name] = max(rows.get(name, 0.0), live.active)
        return rows

    def waiting_tables(self, asker: Asker) -> tuple[int, int, int]:
        """Return how many public tables of this player, from this address, and from its IPv6 /48 are waiting
        for players and could be listed."""
        since = time.time() - _RECENT
        openers = [
            live.opener
            for live in self._open.values()
            if live.table.created.public
            and live.table.status == "waiting"
            and (live.present or live.active > since)
        ]
        by_person = sum(opener.person == asker.person for opener in openers)
        by_address = sum(opener.address == asker.address for opener in openers) if asker.address else 0
        site = site_of(asker.address)
        by_site = sum(site_of(opener.address) == site for opener in openers) if site else 0
        return by_person, by_address, by_site

    # -- opening tables --------------------------------------------------------------------------------------

    async def open_table(self, host: Player, wish: NewTable, address: str = "") -> LiveTable:
        """Open a table with the host, who connects from `address`, in the first seat; raise
        `RulesetError`."""
        ruleset = resolve_ruleset(wish.rules, wish.players, wish.options)
        created = Created(
            rules=wish.rules,
            version=ruleset.version,
            players=ruleset.seats.players,
            options=wish.options,
            public=wish.public,
            level=wish.bots,
            clock=(PUBLIC_CLOCK if wish.public else 0) if wish.clock is None else wish.clock,
            spectators=wish.spectators,
            seed=new_seed(),
            made=time.time(),
            one_seat=wish.public if wish.one_seat is None else wish.one_seat,
            secret=secrets.token_hex(16),
        )
        table = Table(new_table_name(), created)
        # Someone may have registered an account under a name that a guest has long used.
        owners = {} if host.account else await self._store.owners_of(name_keys(host.name))
        name = GUEST if owners else host.name
        who = Person(host.id, name, account=host.account, place=place_of(table, address))
        entries: list[Entry] = [who.sits(0)]
        await self._store.create_table(table.name, public=wish.public, payload=encode_entry(created))
        table.apply(entries)
        if wish.start:
            begin = start_entries(table)
            # Players who connect right away take part in the first deal.
            begin += table.following_entries(begin, lambda _: self._settings.fair_patience > 0)
            table.apply(begin)
            entries += begin
        await self._store.append(table.name, 1, [(None, encode_entry(entry)) for entry in entries])
        await self._store.note_sitting(host.id, table.name)
        if wish.start:
            await self._store.set_status(table.name, table.status)
        _logger.info(
            "table_opened", table=table.name, rules=wish.rules, players=created.players, public=wish.public
        )
        live = self._take_in(table)
        live.opener = Asker(host.id, address)
        return live

    async def open_practice(self, player: Player, practice: Practice) -> LiveTable:
        """Open a table with a prepared position for this player and computer players.

        The log contains no names, so deletions needn't touch it. Raise `PositionError` or `RulesetError`.
        """
        entries = practice.entries(player.id, made=time.time())
        table = Table.opened(new_table_name(), entries[0])
        table.apply(entries[1:])
        await self._store.create_practice_table(table.name, [encode_entry(entry) for entry in entries])
        _logger.info("practice_opened", table=table.name, thing=practice.thing)
        return self._take_in(table)

    async def open_day_table(
        self, table: Table, begins: Sequence[Entry], first: TryRow | None, limits: tuple[int, int]
    ) -> LiveTable:
        """Open a table with a deal of the day, already dealt; raise `ConflictError` as the store does."""
        log = [encode_entry(entry) for entry in (table.created, *begins)]
        new = TableToOpen(table.name, False, log, people_in(begins))
        await self._store.open_day_table(new, first, limits)
        await self._store.set_status(table.name, table.status)
        return self._take_in(table)

    async def played_out(self, table: Table, budget: float) -> bool:
        """Play a hidden table to its end with computer players; return False if one didn't answer in time."""
        bots = TableBots(table, self._bot_pool, budget)
        while isinstance(turn := next_action(table, ()), Turn):
            assert table.match is not None, "somebody is to move"
            bot_move = await bots.choose(table.match, turn.seat, turn.level, SERVER)
            if bot_move is None or bot_move.hurried:
                return False
            moved = Moved(seat=turn.seat, move=str(bot_move.tried.move), by="bot")
            table.apply([moved], tried=bot_move.tried)
        return True

    async def forget(self, player: str, name: str, *, is_over: bool) -> None:
        """Remove a player who deletes their account from a table."""
        await self._store.forget_in_games(player, name)
        was_open = name in self._open
        # A finished table needn't be loaded for this if it isn't open.
        live = self._open.get(name) if is_over else await self.find(name)
        if live is not None:
            await live.forget(player)
            if not was_open and live.is_idle and self._open.get(name) is live:
                # One player may have thousands of tables, which must not fill the memory.
                del self._open[name]
                await live.close()
        else:
            stored = await self._store.entries(name)
            await self._store.rewrite_entries(name, entries_without_name(stored, player))

    # -- background tasks ------------------------------------------------------------------------------------

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _on_new_entries(self, name: str | None, seq: int) -> None:
        """Handle an announcement that a table's log has grown; `None`: any log may have."""
        for loading in self._loading if name is None else [name]:
            if loading in self._loading:
                self._missed[loading] = -1 if name is None else max(seq, self._missed.get(loading, 0))
        for live in list(self._open.values()) if name is None else [self._open.get(name)]:
            if live is not None:
                self._start(self._catch_up(live, -1 if name is None else seq))

    async def _catch_up(self, live: LiveTable, seq: int) -> None:
        try:
            await live.on_new_entries(seq)
        except DatabaseError as problem:
            # Clients at the table retry soon, and new ones load it again.
            _logger.warning("not_followed", table=live.table.name, problem=str(problem))

    def _open_logs(self) -> dict[str, int]:
        return {name: live.table.length for name, live in self._open.items() if not live.is_idle}

    def _on_presence_change(self, name: str) -> None:
        """Handle a change of this table's connections to other processes."""
        live = self._open.get(name)
        if live is not None:
            self._start(live.on_presence_change())

    async def _sweep(self) -> None:
        """Unload idle tables and delete expired practice tables."""
        loop = asyncio.get_running_loop()
        forget_at = loop.time()
        while True:
            await asyncio.sleep(min(_SWEEP, self._settings.idle_after))
            before = loop.time() - self._settings.idle_after
            for name, live in list(self._open.items()):
                # A practice table is unloaded at once; a player who returns gets it from the log.
                if live.is_idle and (live.empty_since < before or live.table.created.practice):
                    del self._open[name]
                    await live.close()
            if loop.time() >= forget_at:
                forget_at = loop.time() + _FORGET_EVERY
                with contextlib.suppress(DatabaseError):
                    await self._store.forget_practice(time.time() - _PRACTICE_KEPT)


async def _replayed(name: str, stored: Sequence[StoredEntry]) -> Table:
    """Rebuild a table from its log."""
    table = Table.opened(name, decode_entry(stored[0].payload))
    for at, row in enumerate(stored[1:], 1):
        if row.seq != at:
            raise LogError(f"entry {at} of the log is missing")
        table.apply([decode_entry(row.payload)], row.command)
        if at % _AT_ONCE == 0:
            await asyncio.sleep(0)
    return table


def _fairly(tables: Sequence[LiveTable]) -> Iterator[LiveTable]:
    """Iterate over tables in a fair order: nobody's second table comes before another's first."""
    queue: FairQueue[LiveTable] = FairQueue()
    for live in sorted(tables, key=lambda live: live.table.status != "waiting"):
        queue.put(live, live.asker)
    return iter(queue)


# -- deletion of players -------------------------------------------------------------------------------------

BATCH: Final = 20
"""Number of tables or listed games to read at a time."""
_CHECK_EVERY: Final = 600.0
"""Seconds between checks for deletions that another process left unfinished."""
_RETRY_AFTER: Final = 5.0
"""Seconds to wait while the database is unavailable."""


class Deletions:
    """The background task that removes the names of deleted players from all tables.

    A player who deletes their account is signed out at once. Their tables are processed one by one, with
    pauses, so that even thousands of them don't slow down the server. Progress is recorded for each table, so
    a restarted server continues.
    """

    def __init__(self, store: Store, registry: TableRegistry) -> None:
        self._store = store
        self._registry = registry
        self._asked = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._idle = asyncio.Event()
        self._failed: set[tuple[str, str]] = set()
        """Pairs of player and table that failed; the next start retries them."""

    async def open(self) -> None:
        self._asked.set()
        self._task = asyncio.create_task(self._work())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def wake(self) -> None:
        """Process a new deletion now."""
        self._idle.clear()
        self._asked.set()

    async def finished(self) -> None:
        """Wait until nothing is left to delete."""
        await self._idle.wait()

    async def _work(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._asked.wait(), _CHECK_EVERY)
            self._asked.clear()
            try:
                for player in await self._store.started_deletions():
                    await self._delete(player)
            except DatabaseError as problem:
                _logger.warning("deletion_interrupted", problem=str(problem))
                await asyncio.sleep(_RETRY_AFTER)
                self._asked.set()
            except Exception:  # one failure must not stop the other deletions
                _logger.exception("deletion_interrupted")
            if not self._asked.is_set():
                self._idle.set()

    async def _delete(self, player: str) -> None:
        is_done = True
        while sittings := await self._store.sittings_of(player, BATCH + len(self._failed)):
            left = [each for each in sittings if (player, each.table) not in self._failed]
            if not left:
                is_done = False
                break
            for sitting in left[:BATCH]:
                await self._leave(player, sitting.table, is_over=sitting.status == "over")
        has_more = True
        while has_more:
            has_more = await self._store.drop_some_games(player, BATCH)
        if is_done:
            await self._store.drop_player(player)
            _logger.info("player_deleted")

    async def _leave(self, player: str, table: str, *, is_over: bool) -> None:
        loop = asyncio.get_running_loop()
        started = loop.time()
        try:
            await self._registry.forget(player, table, is_over=is_over)
            await self._store.drop_sitting(player, table)
        except DatabaseError:
            raise
        except Exception:  # one table must not block the others
            _logger.exception("table_not_cleared", table=table)
            self._failed.add((player, table))
        # Pause for as long as that took, to leave half of the CPU and database time to others.
        await asyncio.sleep(loop.time() - started)
