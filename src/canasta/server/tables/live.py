"""A table in play: who is connected, what is due next, and the one order in which things happen.

A command is checked against the rules, written into the log, applied, shown to everyone and then
acknowledged, in this order and one after the other: nothing that was acknowledged can be lost, and what was
refused has changed nothing.
"""

import asyncio
import contextlib
import time
from collections.abc import Sequence
from typing import Final

import structlog

from canasta.server.people.push import Pusher
from canasta.server.settings import Settings
from canasta.server.store.store import Conflict, Store, StoredEntry, TableToOpen, Unavailable
from canasta.server.tables.bell import Bell
from canasta.server.tables.brains import Brains
from canasta.server.tables.fanout import Fanout
from canasta.server.tables.neighbours import Neighbours
from canasta.server.tables.patience import Patience
from canasta.server.tables.times import Times
from canasta.server.thinking.pool import Busy, Thinkers
from canasta.table.chairs import Person
from canasta.table.day import SEAT, points_of
from canasta.table.due import Turn
from canasta.table.evening import goes_on, next_table
from canasta.table.frames import Change, Frames, encode_frame, welcome
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
from canasta.table.orders import NotNow, farewell, names_to_look_up, not_now
from canasta.table.played import level_of, played_game
from canasta.table.problems import problem_of
from canasta.table.same_address import place_of, places_at, sharing
from canasta.table.table import Table
from canasta.table.viewers import Viewer
from canasta.table.wire import AnyFrame, ClockView, Done, Hints, Refused
from canasta.table.wire_commands import AnyCommand, AskHint, CheckMove, Ping, TakeSeat

_logger = structlog.get_logger()

LONGEST_ID: Final = 40
"""Characters of a client's name for a command."""

_TRIES: Final = 5
"""For a command that meets what other processes write."""

NOT_ALLOWED: Final = 4403

_ASKED_AGAIN: Final = 1.0
"""Seconds."""


class LiveTable:
    def __init__(
        self,
        table: Table,
        store: Store,
        fanout: Fanout,
        thinkers: Thinkers,
        settings: Settings,
        neighbours: Neighbours,
        pusher: Pusher | None = None,
    ) -> None:
        self.table = table
        self._store = store
        self._fanout = fanout
        self._neighbours = neighbours
        self._wall_clock = settings.wall_clock
        self._lock = asyncio.Lock()
        self._viewers: set[Viewer] = set()
        self._brains = Brains(table, thinkers, settings.expert_budget)
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._tick_task: asyncio.Task[None] | None = None
        self._keeping: asyncio.Task[None] | None = None
        self._closed = False
        now = self._loop.time()
        self.empty_since: float = now
        self._times = Times(table, settings, now)
        self._status = table.status
        self._game = table.created
        """The game that people here were told of."""
        self._patience = Patience(table, settings.fair_patience, now)
        told = None if table.created.practice else pusher
        self._bell = Bell(table, told, settings.push_after, lambda: self.present)
        self._plan()

    # -- who is here -----------------------------------------------------------------------------------------

    @property
    def _here(self) -> set[int]:
        """Seats whose people are connected to this process."""
        return self.table.seats_of({viewer.player for viewer in self._viewers})

    @property
    def present(self) -> set[int]:
        """Seats whose people are connected, to this process or another."""
        return self._here | self.table.seats_of(self._neighbours.elsewhere(self.table.name))

    def _note_gone(self) -> None:
        self._times.note_gone(self.present, self._loop.time())

    async def people_moved(self) -> None:
        """To another process, or away from it."""
        async with self._lock:
            self._note_gone()
            self.table.unlogged += 1
            self._show([])
            self._plan()

    @property
    def watching(self) -> int:
        return sum(self.table.viewing_seat(viewer.player) is None for viewer in self._viewers)

    @property
    def is_idle(self) -> bool:
        return not self._viewers and not self._lock.locked()

    async def enter(self, viewer: Viewer) -> None:
        """Show the table to somebody who has just connected; a player who was away has the seat back."""
        async with self._lock:
            if not self._viewers:
                self._times.go_on(self._loop.time())
            self._viewers.add(viewer)
            self._neighbours.came(self.table.name, viewer.player)
            viewer.answer(encode_frame(welcome(self.table, viewer.name)))
            seat = self.table.seat_of(viewer.player)
            if seat is not None:
                self._times.came(seat)
                self._patience.came(seat, self._loop.time())
            self.table.unlogged += 1
            change: Change = []
            if seat is not None and self.table.chairs[seat].away:
                try:
                    change = await self._commit([CameBack(seat=seat)], None, show=False)
                except Conflict:
                    await self._catch_up()
                except Unavailable as problem:
                    _logger.error("not_stored", table=self.table.name, problem=str(problem))
            if self.table.may_look(viewer.player):  # the game may have begun since they knocked
                viewer.show(encode_frame(self._frames([]).first_state_for(viewer.player)))
            self._show(change, without=viewer)
            self._plan()

    async def leave(self, viewer: Viewer) -> None:
        """The connection is gone."""
        async with self._lock:
            if viewer in self._viewers:
                self._viewers.discard(viewer)
                self._neighbours.went(self.table.name, viewer.player)
            await self._withdraw(viewer.player)
            self._note_gone()
            self._bell.look()
            if not self._viewers:
                self.empty_since = self._loop.time()
            self.table.unlogged += 1
            self._show([])
            self._plan()

    async def _withdraw(self, player: str) -> None:
        """Who was to join at the next deal and is gone does not join: the seat is there for others."""
        seat = self.table.joining_seat(player)
        if seat is None or self._closed or any(viewer.player == player for viewer in self._viewers):
            return
        if player in self._neighbours.elsewhere(self.table.name):
            return
        await self._try_commit([Withdrew(seat=seat)])

    # -- commands --------------------------------------------------------------------------------------------

    async def handle(self, viewer: Viewer, command: AnyCommand) -> AnyFrame:
        """Carry out a command; what it led to has been shown to everyone before the answer is returned."""
        match command:
            case Ping():
                return Done(id=command.id, state=self.table.state)
            case CheckMove():
                return self.table.check(viewer.player, command)
            case AskHint():
                return await self._hints(viewer, command)
        key = f"{viewer.player}:{command.id}"
        async with self._lock:
            try:
                for _ in range(_TRIES):
                    answer = await self._carry_out(viewer, command, key)
                    if answer is not None:
                        return answer
                    # Another process wrote first, or this command had been written before a crash. What the
                    # command leads to is asked anew of the table as it is now: a move may be stale by that.
                    await self._catch_up()
            except NotNow as refusal:
                state = self.table.state
                return Refused(id=command.id, state=state, why=refusal.why, stale=refusal.stale)
            except Unavailable as error:
                _logger.error("not_stored", table=self.table.name, problem=str(error))
                return problem_of("server_error", "NOT_STORED", answers=command.id)
            why = not_now("STALE").why
            return Refused(id=command.id, state=self.table.state, why=why, stale=True)

    async def _carry_out(self, viewer: Viewer, command: AnyCommand, key: str) -> AnyFrame | None:
        """None when somebody else was quicker; raises `NotNow` or `Unavailable`."""
        known = self.table.commands.get(key)
        if known is not None:
            return Done(id=command.id, state=known)
        table = self.table
        if isinstance(command, TakeSeat) and table.match is not None and viewer not in self._viewers:
            # Who has no connection cannot lose it: nothing would ever withdraw the promise of a seat.
            raise not_now("STARTED")
        who = Person(viewer.player, viewer.name, viewer.account, place_of(table, viewer.home))
        names = names_to_look_up(table, who, command)
        entries = table.order(
            who,
            command,
            present=self.present,
            places=places_at(table, self._viewers),
            owners=await self._store.owners_of(names) if names else {},
        )
        if entries:
            try:
                await self._commit(self._with_seeds(entries), key)
            except Conflict:
                return None
            await self._note_sitting(entries)
        return Done(id=command.id, state=self.table.commands.get(key, self.table.state))

    async def _hints(self, viewer: Viewer, command: AskHint) -> AnyFrame:
        seat = self.table.viewing_seat(viewer.player)
        if seat is None or self.table.to_act != seat:
            return Hints(id=command.id, hints=[])
        if (why := self.table.why_no_hint()) is not None:
            return Refused(id=command.id, state=self.table.state, why=why, stale=False)
        try:
            return Hints(id=command.id, hints=await self._brains.hints(seat))
        except Busy:
            return problem_of("busy", "BUSY", answers=command.id)

    # -- the log ---------------------------------------------------------------------------------------------

    async def _commit(self, entries: Sequence[Entry], command: str | None, *, show: bool = True) -> Change:
        """Write, apply, show. Raises `Conflict` or `Unavailable`, and then nothing has changed here."""
        table = self.table
        rows: list[tuple[str | None, bytes]] = [(None, encode_entry(entry)) for entry in entries]
        rows[-1] = (command, rows[-1][1])
        following = next((entry.table for entry in entries if isinstance(entry, Continued)), "")
        if following:
            begins = next_table(table, entries, time.time())
            payloads = [encode_entry(entry) for entry in begins]
            new = TableToOpen(following, table.created.public, payloads, people_in(begins))
            await self._store.go_on(table.name, table.length, rows, new)
        else:
            await self._store.append(table.name, table.length, rows)
        change = self._apply(entries, command)
        self._fanout.publish(table.name, table.length - 1)
        if show:
            self._show(change)
            self._plan()
        if table.status != self._status and not table.created.practice:
            await self._note_status()
        return change

    async def _note_sitting(self, entries: Sequence[Entry]) -> None:
        """So that people can be told of their tables, and forgotten there."""
        for entry in entries:
            if isinstance(entry, (Joins, Seated)) and not self.table.created.practice:
                with contextlib.suppress(Conflict, Unavailable):
                    await self._store.note_sitting(entry.player, self.table.name)

    async def forget(self, player: str) -> None:
        """This player's account is deleted: the seat goes to a computer player, and no name is left. Raises
        `Unavailable`."""
        async with self._lock:
            try:
                await self._commit_any(farewell(self.table, player))
            except Conflict:
                await self._catch_up()
                await self._commit_any(farewell(self.table, player))
            stored = await self._store.entries(self.table.name)
            await self._store.write_anew(self.table.name, nameless(stored, player))
            self.table.forget(player)
            self._show([])

    async def _commit_any(self, entries: Sequence[Entry]) -> None:
        if entries:
            await self._commit(entries, None)

    def _with_seeds(self, entries: Sequence[Entry]) -> list[Entry]:
        """These entries and what follows from them for the cards: a closed list, a deal."""
        now = self._loop.time()
        return [*entries, *self._patience.what_follows(entries, self.present, now)]

    async def _note_status(self) -> None:
        """For the lobby; the log knows it anyway."""
        self._status = self.table.status
        _logger.info("table_status", table=self.table.name, status=self._status)
        try:
            await self._store.set_status(self.table.name, self._status)
        except Unavailable as problem:
            _logger.error("not_stored", table=self.table.name, problem=str(problem))
        if self._status == "over":
            keeping = self._keep_try() if self.table.created.day else self._keep_games()
            self._keeping = self._loop.create_task(keeping)

    async def _keep_try(self) -> None:
        """The deal of a day is in no list of games; a try that counts is compared with others."""
        created, points, chair = self.table.created, points_of(self.table), self.table.chairs[SEAT]
        if not created.counts or points is None or not chair.player:
            return
        try:
            await self._store.end_try(created.day, chair.player, points, self._wall_clock())
        except (Conflict, Unavailable) as problem:
            # The page of the day looks at the table where nothing was noted.
            _logger.error("not_stored", table=self.table.name, problem=str(problem))

    async def _keep_games(self) -> None:
        """For the lists of those who have played. It takes a moment, and nobody waits for it."""
        chairs, record = self.table.chairs, self.table.written()
        seats = await asyncio.to_thread(lambda: played_game(record.text(), lambda: False))
        if seats is None:
            return
        people = [chair.player for chair in chairs]
        for game in seats:
            game.people, game.level = people, level_of(chairs, game.seat)
        try:
            await self._store.keep_games(
                self.table.name, {game.people[game.seat]: game for game in seats if people[game.seat]}
            )
        except (Conflict, Unavailable) as problem:
            _logger.error("not_stored", table=self.table.name, problem=str(problem))

    def _apply(self, entries: Sequence[Entry], command: str | None) -> Change:
        change = self.table.apply(entries, command)
        now = self._loop.time()
        self._patience.look(now)
        self._times.look(entries, now)
        self._note_gone()
        self._bell.look()
        return change

    async def _try_commit(self, entries: Sequence[Entry]) -> None:
        """For what the house does itself: when somebody else was first, it is done already."""
        try:
            await self._commit(entries, None)
        except Conflict:
            await self._catch_up()
        except Unavailable as problem:
            _logger.error("not_stored", table=self.table.name, problem=str(problem))
            self._plan(after=1.0)

    async def _catch_up(self) -> None:
        """Read what another process has written."""
        change: Change = []
        for stored in await self._store.entries(self.table.name, self.table.length):
            change += self._apply([decode_entry(stored.payload)], stored.command)
        self._show(change)
        self._plan()
        # Another process has lost sight of somebody who is connected to this one.
        missed = [
            seat for seat in self._here if self.table.chairs[seat].away and not self.table.chairs[seat].left
        ]
        if missed:
            await self._try_commit([CameBack(seat=seat) for seat in missed])

    async def heard(self, seq: int) -> None:
        """Another process says that the log is that long; -1: it may be longer."""
        async with self._lock:
            if seq < 0 or seq >= self.table.length:
                await self._catch_up()

    # -- showing ---------------------------------------------------------------------------------------------

    def _frames(self, change: Change) -> Frames:
        return self.table.frames(
            change,
            present=self.present,
            watching=self.watching,
            clock=self._clock_view(),
            same_address=sharing(places_at(self.table, self._viewers)),
        )

    def _show(self, change: Change, without: Viewer | None = None) -> None:
        self._tell_of_another_game()
        if not self._viewers:
            return
        frames = self._frames(change)
        for viewer in self._viewers:
            if not self.table.may_look(viewer.player):
                viewer.close(NOT_ALLOWED, problem_of("not_allowed", "NO_SPECTATORS").message)
            elif viewer is not without:
                viewer.show(frames.text_for(viewer.player))

    def _tell_of_another_game(self) -> None:
        if self._game is self.table.created:
            return
        self._game = self.table.created
        for viewer in self._viewers:
            viewer.answer(encode_frame(welcome(self.table, viewer.name)))

    def _clock_view(self) -> ClockView | None:
        due = self._times.clock_due()
        if due is None:
            return None
        return ClockView(seat=self.table.to_act, left=round(max(0.0, due - self._loop.time()), 1))

    # -- what the house does by itself -----------------------------------------------------------------------

    def _plan(self, after: float | None = None) -> None:
        """Set the timer for what is due next. At a table that nobody looks at, nothing is."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._closed:
            return
        if self._viewers and self.table.match is not None:
            self._brains.warm()
        present = self.present
        # A deal that was asked for is not left half made, whoever looks.
        dues = [self._patience.due(present), self._times.soonest(present, watched=bool(self._viewers))]
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
            gone = self._times.gone(now)
            if gone and self._viewers:
                await self._give_away(gone)
            next_due = self._times.next_due(self.present)
            if next_due is not None and next_due <= now:
                await self._try_commit(self._with_seeds(self.table.deal()))
            seeds_due = self._patience.due(self.present)
            if seeds_due is not None and seeds_due <= now:
                await self._try_commit(self._patience.next_entries(self.present, now))
            runs_out = self._times.runs_out(now)
        bot_due = self._times.bot_due()
        # While nobody looks, cards that were asked for are dealt, and no more.
        if self._viewers and (runs_out or (bot_due is not None and bot_due <= now)):
            await self._move_for_seat(by="clock" if runs_out else "bot")
        self._plan_if_idle()

    async def _give_away(self, seats: Sequence[int]) -> None:
        """Computer players take over, unless somebody has come to another process in the meantime."""
        try:
            await self._neighbours.ask_elsewhere(self.table.name)
        except Unavailable as problem:
            _logger.error("neighbours_unknown", table=self.table.name, problem=str(problem))
            self._times.keep_seats(self._loop.time())
            return
        self._note_gone()
        if gone := self._times.still_gone(seats):
            entries: list[Entry] = [WentAway(seat=seat, left=False) for seat in gone]
            await self._try_commit([*entries, *goes_on(self.table, entries)])

    def _plan_if_idle(self) -> None:
        if self._timer is None:
            self._plan()

    async def _move_for_seat(self, by: str) -> None:
        """A computer player thinks, without holding up the table, and moves if nobody has moved meanwhile."""
        table = self.table
        match, seen = table.match, table.move_state
        turn = table.next_due((), out_of_time=by == "clock" or self._times.out_of_time)
        if match is None or not isinstance(turn, Turn) or not turn.level:
            return
        seat = turn.seat
        chosen = await self._brains.choose(match, seat, turn.level)
        if chosen is None:
            return
        if chosen.hurried and table.created.day:
            self._plan(after=_ASKED_AGAIN)  # the same moves meet the same answers, however long it takes
            return
        async with self._lock:
            still_due = by == "clock" or self._times.out_of_time or table.chairs[seat].plays_itself
            if table.move_state == seen and table.to_act == seat and still_due and not self._closed:
                if by == "clock":
                    self._times.out_of_time = True
                move = str(chosen.move)
                await self._try_commit([Moved(seat=seat, move=move, by=by, hurried=chosen.hurried)])

    async def close(self) -> None:
        """Stop; what is being written is written to its end."""
        self._closed = True
        self._bell.stop()
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


def nameless(stored: Sequence[StoredEntry], player: str) -> dict[int, bytes]:
    """Entries of a log that name this player, by number, as they are without the name."""
    rows = {row.seq: without_name(row.payload, player) for row in stored}
    return {seq: payload for seq, payload in rows.items() if payload is not None}
