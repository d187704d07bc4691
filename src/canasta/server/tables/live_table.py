"""A table in play: connections, timers, and the order of events.

A command is checked against the rules, written to the log, applied, shown to everyone and then acknowledged.
Commands never overlap. So an acknowledged move can't be lost, and a refused command changes nothing.
"""

import asyncio
import contextlib
import time
from asyncio import QueueFull
from collections.abc import Sequence
from datetime import date
from typing import Final

import structlog

from canasta.engine.hand import TriedMove
from canasta.server.accounts.push import Pusher, TurnAlerts
from canasta.server.fair_queue import Asker
from canasta.server.settings import Settings
from canasta.server.store import ConflictError, DatabaseError
from canasta.server.store.store import Store, StoredEntry, TableToOpen
from canasta.server.tables.cluster import Cluster
from canasta.server.tables.pubsub import Fanout
from canasta.server.tables.results import keep_day_result, keep_games, note_new_players
from canasta.server.tables.timers import SeedTimeouts, TableTimers
from canasta.server.tables.viewers import Viewer, ViewerLimits, place_of, places_at, seats_sharing_address
from canasta.server.workers.pool import BotPool, TableBots
from canasta.table.commands import (
    CommandError,
    check_move,
    entries_for_deletion,
    names_to_look_up,
    not_now,
    propose,
    start_entries,
    why_no_hint,
)
from canasta.table.day import revealed_at
from canasta.table.errors import problem_of
from canasta.table.event_views import Change
from canasta.table.frames import Frames, encode_frame, welcome
from canasta.table.log import (
    CameBack,
    Continued,
    Entry,
    Joins,
    Moved,
    Seated,
    WentAway,
    Withdrew,
    decode_entry,
    encode_entry,
    people_in,
    without_name,
)
from canasta.table.next_action import Turn, next_action
from canasta.table.rematch import next_table, rematch_entries
from canasta.table.seats import Person
from canasta.table.table import Table
from canasta.table.wire import AnyFrame, ClockView, Done, Hints, Refused
from canasta.table.wire_commands import AnyCommand, AskHint, CheckMove, Ping, TakeSeat

_logger = structlog.get_logger()

LONGEST_ID: Final = 40
"""Maximum length of a client's command id, in characters."""

_TRIES: Final = 5
"""Attempts at a command that conflicts with writes of other processes."""

NOT_ALLOWED: Final = 4403

_BY_PEOPLE: Final = (Seated, Joins, CameBack, WentAway, Withdrew)
_NOTED_EVERY: Final = 2.0
"""Minimum seconds between two updates of a table's activity."""

_ASKED_AGAIN: Final = 1.0
"""Seconds until a slow bot is asked again at a deal of the day; no simple move may replace its own."""


class LiveTable:
    def __init__(
        self,
        table: Table,
        store: Store,
        fanout: Fanout,
        bot_pool: BotPool,
        settings: Settings,
        cluster: Cluster,
        pusher: Pusher | None = None,
    ) -> None:
        self.table = table
        self._store = store
        self._fanout = fanout
        self._cluster = cluster
        self._wall_clock = settings.wall_clock
        self._lock = asyncio.Lock()
        self._viewers: set[Viewer] = set()
        self._left: list[str] = []
        """Players of ended connections that the table hasn't been updated for."""
        self.viewer_limits = ViewerLimits(settings.limits)
        self._bots = TableBots(table, bot_pool, settings.expert_budget)
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._tick_task: asyncio.Task[None] | None = None
        self._keeping: asyncio.Task[None] | None = None
        self._closed = False
        now = self._loop.time()
        self.empty_since: float = now
        self.opener = Asker(table.host)
        """The player who opened the table; the address is known only to the process where they did."""
        self.active: float = table.created.made
        """Unix time at which a player last took or left a seat."""
        self._timers = TableTimers(table, settings, now)
        self._status = table.status
        self._game = table.created
        """The game that was last announced to the viewers."""
        self._seed_timeouts = SeedTimeouts(table, settings.fair_patience, now)
        alerter = None if table.created.practice else pusher
        self._turn_alerts = TurnAlerts(table, alerter, settings.push_after, lambda: self.present)
        self._plan()

    # -- connections -----------------------------------------------------------------------------------------

    @property
    def _here(self) -> set[int]:
        """Seats whose players are connected to this process."""
        return self.table.seats_of({viewer.player for viewer in self._viewers})

    @property
    def present(self) -> set[int]:
        """Seats whose players are connected to this process or another one."""
        return self._here | self.table.seats_of(self._cluster.players_elsewhere(self.table.name))

    def _note_gone(self) -> None:
        self._timers.note_gone(self.present, self._loop.time())

    async def on_presence_change(self) -> None:
        """Update the table after players have connected to or left another process."""
        async with self._lock:
            self._note_gone()
            self.table.unlogged += 1
            self._show([])
            self._plan()

    @property
    def asker(self) -> Asker:
        """The player in whose name this table's own requests are queued (see `fair_queue`).

        This is the host, another player or a spectator, in this order, if connected; otherwise the player who
        opened the table.
        """
        host, seat_of = self.table.host, self.table.seat_of
        viewer = min(
            self._viewers,
            key=lambda viewer: (viewer.player != host, seat_of(viewer.player) is None, viewer.player),
            default=None,
        )
        return self.opener if viewer is None else Asker(viewer.player, viewer.home)

    @property
    def watching(self) -> int:
        return sum(self.table.viewing_seat(viewer.player) is None for viewer in self._viewers)

    @property
    def is_idle(self) -> bool:
        return not self._viewers and not self._left and not self._lock.locked()

    async def enter(self, viewer: Viewer) -> None:
        """Add a viewer and show them the table. A player who was away gets the seat back."""
        async with self._lock:
            if not self._viewers:
                self._timers.resume(self._loop.time())
            self._viewers.add(viewer)
            self._cluster.connected(self.table.name, viewer.player)
            viewer.answer(encode_frame(welcome(self.table, viewer.name)))
            seat = self.table.seat_of(viewer.player)
            if seat is not None:
                self._timers.connected(seat)
                self._seed_timeouts.connected(seat, self._loop.time())
            self.table.unlogged += 1
            change: Change = []
            if seat is not None and self.table.chairs[seat].away:
                try:
                    change = await self._commit([CameBack(seat=seat)], None, show=False)
                except ConflictError:
                    await self._catch_up()
                except DatabaseError as problem:
                    _logger.error("not_stored", table=self.table.name, problem=str(problem))
            if self.table.may_watch(viewer.player):  # the game may have started since they were admitted
                viewer.show(encode_frame(self._frames([]).first_state_for(viewer.player)))
            self._show(change, without=viewer)
            self._plan()

    def drop(self, viewer: Viewer) -> None:
        """Remove a viewer at once, without updating the table; see `leave`."""
        if viewer in self._viewers:
            self._viewers.discard(viewer)
            self._left.append(viewer.player)
            self._cluster.disconnected(self.table.name, viewer.player)

    async def leave(self, viewer: Viewer) -> None:
        """Remove a viewer whose connection has ended, and update the table once for all who have left."""
        self.drop(viewer)
        async with self._lock:
            players, self._left = dict.fromkeys(self._left), []
            if not players:
                return  # another call has updated the table for this viewer, too
            for player in players:
                await self._withdraw(player)
            self._note_gone()
            self._turn_alerts.update()
            if not self._viewers:
                self.empty_since = self._loop.time()
            self.table.unlogged += 1
            self._show([])
            self._plan()

    async def _withdraw(self, player: str) -> None:
        """Cancel the seat promised to a player for the next deal, unless they are still connected."""
        seat = self.table.joining_seat(player)
        if seat is None or self._closed or any(viewer.player == player for viewer in self._viewers):
            return
        if player in self._cluster.players_elsewhere(self.table.name):
            return
        await self._try_commit([Withdrew(seat=seat)])

    # -- commands --------------------------------------------------------------------------------------------

    async def handle(self, viewer: Viewer, command: AnyCommand) -> AnyFrame:
        """Carry out a command and return the answer. By then, everyone has been shown the effects."""
        match command:
            case Ping():
                return Done(id=command.id, state=self.table.state)
            case CheckMove():
                return check_move(self.table, viewer.player, command)
            case AskHint():
                return await self._hints(viewer, command)
        key = f"{viewer.player}:{command.id}"
        async with self._lock:
            try:
                for _ in range(_TRIES):
                    answer = await self._carry_out(viewer, command, key)
                    if answer is not None:
                        return answer
                    # Another process wrote first, or this command had been written before a crash. Check the
                    # command again: the move may be stale by now.
                    await self._catch_up()
            except CommandError as refusal:
                state = self.table.state
                return Refused(id=command.id, state=state, why=refusal.why, stale=refusal.stale)
            except DatabaseError as error:
                _logger.error("not_stored", table=self.table.name, problem=str(error))
                return problem_of("server_error", "NOT_STORED", answers=command.id)
            why = not_now("STALE").why
            return Refused(id=command.id, state=self.table.state, why=why, stale=True)

    async def _carry_out(self, viewer: Viewer, command: AnyCommand, key: str) -> AnyFrame | None:
        """Try a command once; return `None` after a conflict. Raise `CommandError` or `DatabaseError`."""
        known = self.table.commands.get(key)
        if known is not None:
            return Done(id=command.id, state=known)
        table = self.table
        if isinstance(command, TakeSeat) and table.match is not None and viewer not in self._viewers:
            # Nothing would ever withdraw a seat promised to a player without a connection.
            raise not_now("STARTED")
        who = Person(viewer.player, viewer.name, viewer.account, place_of(table, viewer.home))
        names = names_to_look_up(table, who, command)
        proposal = propose(
            table,
            who,
            command,
            present=self.present,
            places=places_at(table, self._viewers),
            owners=await self._store.owners_of(names) if names else {},
        )
        if proposal.entries:
            try:
                await self._commit(self._with_seeds(proposal.entries), key, tried=proposal.move)
            except ConflictError:
                return None
            await note_new_players(self._store, self.table, proposal.entries)
        return Done(id=command.id, state=self.table.commands.get(key, self.table.state))

    async def _hints(self, viewer: Viewer, command: AskHint) -> AnyFrame:
        seat = self.table.viewing_seat(viewer.player)
        if seat is None or self.table.to_act != seat:
            return Hints(id=command.id, hints=[])
        if (why := why_no_hint(self.table)) is not None:
            return Refused(id=command.id, state=self.table.state, why=why, stale=False)
        try:
            return Hints(id=command.id, hints=await self._bots.hints(seat, Asker(viewer.player, viewer.home)))
        except QueueFull:
            return problem_of("busy", "BUSY", answers=command.id)

    # -- the log ---------------------------------------------------------------------------------------------

    async def _commit(
        self,
        entries: Sequence[Entry],
        command: str | None,
        *,
        tried: TriedMove | None = None,
        show: bool = True,
    ) -> Change:
        """Write the entries to the log, apply them, and show the table.

        If this raises `ConflictError` or `DatabaseError`, nothing has changed here. tried: the move among the
        entries.
        """
        table = self.table
        rows: list[tuple[str | None, bytes]] = [(None, encode_entry(entry)) for entry in entries]
        rows[-1] = (command, rows[-1][1])
        following = next((entry.table for entry in entries if isinstance(entry, Continued)), "")
        if following:
            begins = next_table(table, entries, time.time())
            payloads = [encode_entry(entry) for entry in begins]
            new = TableToOpen(following, table.created.public, payloads, people_in(begins))
            await self._store.append_and_open(table.name, table.length, rows, new)
        else:
            await self._store.append(table.name, table.length, rows)
        change = self._apply(entries, command, tried)
        self._fanout.publish(table.name, table.length - 1)
        if show:
            self._show(change)
            self._plan()
        if not table.created.practice:
            if table.status != self._status:
                await self._note_status()
            elif any(isinstance(entry, _BY_PEOPLE) for entry in entries):
                await self._note_activity()
        return change

    async def _note_activity(self) -> None:
        """Update the time of the latest activity, by which the lobby sorts."""
        before, self.active = self.active, time.time()
        if self.table.created.public and self.active > before + _NOTED_EVERY:
            with contextlib.suppress(DatabaseError):
                await self._store.set_status(self.table.name, self._status)

    async def forget(self, player: str) -> None:
        """Remove a deleted player: their seat goes to a computer player, and the name is erased. Raise
        `DatabaseError`."""
        async with self._lock:
            try:
                await self._commit_any(entries_for_deletion(self.table, player))
            except ConflictError:
                await self._catch_up()
                await self._commit_any(entries_for_deletion(self.table, player))
            stored = await self._store.entries(self.table.name)
            await self._store.rewrite_entries(self.table.name, entries_without_name(stored, player))
            self.table.forget(player)
            self._show([])

    async def _commit_any(self, entries: Sequence[Entry]) -> None:
        if entries:
            await self._commit(entries, None)

    def _with_seeds(self, entries: Sequence[Entry]) -> list[Entry]:
        """Return these entries, followed by the seed-round entries they trigger (closing the commitment list,
        dealing)."""
        now = self._loop.time()
        return [*entries, *self._seed_timeouts.following_entries(entries, self.present, now)]

    async def _note_status(self) -> None:
        """Store the status, which the lobby reads without loading the log."""
        self._status = self.table.status
        _logger.info("table_status", table=self.table.name, status=self._status)
        try:
            await self._store.set_status(self.table.name, self._status)
        except DatabaseError as problem:
            _logger.error("not_stored", table=self.table.name, problem=str(problem))
        if self._status == "over":
            if self.table.created.day:
                keeping = keep_day_result(self._store, self.table, self._wall_clock())
            else:
                keeping = keep_games(self._store, self.table)
            self._keeping = self._loop.create_task(keeping)

    def _apply(self, entries: Sequence[Entry], command: str | None, tried: TriedMove | None = None) -> Change:
        change = self.table.apply(entries, command, tried=tried)
        now = self._loop.time()
        self._seed_timeouts.update(now)
        self._timers.update(entries, now)
        self._note_gone()
        self._turn_alerts.update()
        return change

    async def _try_commit(self, entries: Sequence[Entry], tried: TriedMove | None = None) -> None:
        """Commit the server's own entries. On a conflict, another process has already done the same."""
        try:
            await self._commit(entries, None, tried=tried)
        except ConflictError:
            await self._catch_up()
        except DatabaseError as problem:
            _logger.error("not_stored", table=self.table.name, problem=str(problem))
            self._plan(after=1.0)

    async def _catch_up(self) -> None:
        """Read and apply what other processes have written."""
        change: Change = []
        for stored in await self._store.entries(self.table.name, self.table.length):
            change += self._apply([decode_entry(stored.payload)], stored.command)
        self._show(change)
        self._plan()
        # Another process has marked a player as away who is connected to this one.
        missed = [
            seat for seat in self._here if self.table.chairs[seat].away and not self.table.chairs[seat].left
        ]
        if missed:
            await self._try_commit([CameBack(seat=seat) for seat in missed])

    async def on_new_entries(self, seq: int) -> None:
        """Handle an announcement that the log has reached this number; -1: it may have grown."""
        async with self._lock:
            if seq < 0 or seq >= self.table.length:
                await self._catch_up()

    # -- showing ---------------------------------------------------------------------------------------------

    def _frames(self, change: Change) -> Frames:
        return Frames(
            self.table,
            change,
            present=self.present,
            watching=self.watching,
            clock=self._clock_view(),
            same_address=seats_sharing_address(places_at(self.table, self._viewers)),
            withholds_deal=self._withholds_deal,
            open_for=lambda seat: self._seed_timeouts.open_for(seat, self.present, self._loop.time()),
        )

    @property
    def _withholds_deal(self) -> bool:
        """Whether the cards must stay hidden after the hand, because others may still play them: a deal of
        the day that isn't revealed."""
        day = self.table.created.day
        return bool(day) and self._wall_clock() < revealed_at(date.fromisoformat(day))

    def _show(self, change: Change, without: Viewer | None = None) -> None:
        self._tell_of_another_game()
        if not self._viewers:
            return
        frames = self._frames(change)
        complete: Frames | None = None
        for viewer in self._viewers:
            if viewer.is_closing:
                continue
            if not self.table.may_watch(viewer.player):
                viewer.close(NOT_ALLOWED, problem_of("not_allowed", "NO_SPECTATORS").message)
            elif viewer is without:
                continue
            elif viewer.is_behind:
                # The pending state will never be sent, so this one must include its events.
                complete = complete or self._frames([])
                viewer.show(complete.first_text_for(viewer.player))
            else:
                viewer.show(frames.text_for(viewer.player))

    def _tell_of_another_game(self) -> None:
        if self._game is self.table.created:
            return
        self._game = self.table.created
        for viewer in self._viewers:
            viewer.answer(encode_frame(welcome(self.table, viewer.name)))

    def _clock_view(self) -> ClockView | None:
        due = self._timers.clock_due()
        if due is None:
            return None
        return ClockView(seat=self.table.to_act, left=round(max(0.0, due - self._loop.time()), 1))

    # -- timers ----------------------------------------------------------------------------------------------

    def _plan(self, after: float | None = None) -> None:
        """Set the timer for the next due time. At a table without viewers, only a pending deal has one."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._closed:
            return
        if self._viewers and self.table.match is not None:
            self._bots.warm()
        present = self.present
        # A pending deal is completed even if nobody is watching.
        dues = [self._seed_timeouts.due(present), self._timers.next_due(present, watched=bool(self._viewers))]
        times = [due for due in dues if due is not None]
        if times:
            when = min(times) if after is None else self._loop.time() + after
            self._timer = self._loop.call_at(when, self._begin_tick)

    def _begin_tick(self) -> None:
        self._timer = None
        if self._tick_task is None or self._tick_task.done():
            self._tick_task = self._loop.create_task(self._tick())

    async def _tick(self) -> None:
        try:
            await self._do_what_is_due()
        except Exception:
            _logger.exception("tick_failed", table=self.table.name)
            self._plan(after=1.0)

    async def _do_what_is_due(self) -> None:
        now = self._loop.time() + 0.001
        async with self._lock:
            gone = self._timers.absent_seats(now)
            if gone and self._viewers:
                await self._give_away(gone)
            if idle := self._timers.idle_seats():
                entries: list[Entry] = [WentAway(seat=seat, left=True) for seat in idle]
                await self._try_commit([*entries, *rematch_entries(self.table, entries)])
            deal_due = self._timers.deal_due(self.present)
            if deal_due is not None and deal_due <= now:
                await self._try_commit(self._with_seeds(start_entries(self.table)))
            seeds_due = self._seed_timeouts.due(self.present)
            if seeds_due is not None and seeds_due <= now:
                await self._try_commit(self._seed_timeouts.next_entries(self.present, now))
            runs_out = self._timers.runs_out(now)
        bot_due = self._timers.bot_due()
        # Without viewers, only pending deals continue.
        if self._viewers and (runs_out or (bot_due is not None and bot_due <= now)):
            await self._move_for_seat(by="clock" if runs_out else "bot")
        self._plan_if_idle()

    async def _give_away(self, seats: Sequence[int]) -> None:
        """Give these seats to computer players, unless the player has connected to another process."""
        try:
            await self._cluster.refresh_players_elsewhere(self.table.name)
        except DatabaseError as problem:
            _logger.error("neighbours_unknown", table=self.table.name, problem=str(problem))
            self._timers.keep_seats(self._loop.time())
            return
        self._note_gone()
        if gone := self._timers.still_absent(seats):
            entries: list[Entry] = [WentAway(seat=seat, left=False) for seat in gone]
            await self._try_commit([*entries, *rematch_entries(self.table, entries)])

    def _plan_if_idle(self) -> None:
        if self._timer is None:
            self._plan()

    def _bot_turn(self, by: str) -> Turn | None:
        """Return the turn that a computer player is to play now; `None` if it isn't a bot's turn."""
        turn = next_action(self.table, (), out_of_time=by == "clock" or self._timers.out_of_time)
        return turn if isinstance(turn, Turn) and turn.level else None

    async def _move_for_seat(self, by: str) -> None:
        """Let a computer player choose a move without blocking the table, and make it if it is still due."""
        table = self.table
        match, seen, turn = table.match, table.move_state, self._bot_turn(by)
        if match is None or turn is None:
            return
        bot_move = await self._bots.choose(match, turn.seat, turn.level, self.asker)
        if bot_move is None:
            return
        if bot_move.hurried and table.created.day:
            self._plan(after=_ASKED_AGAIN)  # every player must meet the same replies, however long they take
            return
        async with self._lock:
            if table.move_state == seen and self._bot_turn(by) == turn and not self._closed:
                if by == "clock":
                    self._timers.out_of_time = True
                moved = Moved(seat=turn.seat, move=str(bot_move.tried.move), by=by, hurried=bot_move.hurried)
                await self._try_commit([moved], bot_move.tried)

    async def close(self) -> None:
        """Close the table after pending writes."""
        self._closed = True
        self._turn_alerts.stop()
        if self._timer is not None:
            self._timer.cancel()
        if self._tick_task is not None and not self._tick_task.done():
            self._tick_task.cancel()
            await asyncio.gather(self._tick_task, return_exceptions=True)
        if self._keeping is not None:
            await asyncio.gather(self._keeping, return_exceptions=True)
        async with self._lock:
            for viewer in self._viewers:
                viewer.close(1012, "The server restarts.")


def entries_without_name(stored: Sequence[StoredEntry], player: str) -> dict[int, bytes]:
    """Return the entries that name this player, by number, without the name."""
    rows = {row.seq: without_name(row.payload, player) for row in stored}
    return {seq: payload for seq, payload in rows.items() if payload is not None}
