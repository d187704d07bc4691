"""A table in play: who is connected, what is due next, and the one order in which things happen.

A command is checked against the rules, written into the log, applied, shown to everyone and then
acknowledged, in this order and one after the other: nothing that was acknowledged can be lost, and what was
refused has changed nothing.
"""

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Final

import structlog

from canasta.notation.moves import format_move
from canasta.server.settings import Settings
from canasta.server.store.store import Conflict, Store, Unavailable
from canasta.server.tables.brains import Brains
from canasta.server.tables.fanout import Fanout
from canasta.server.tables.neighbours import Neighbours
from canasta.server.tables.patience import Patience
from canasta.server.tables.sitting import farewell, places_at, sharing, sitter, without_name
from canasta.server.tables.times import Times
from canasta.server.thinking.pool import Busy, Thinkers
from canasta.table.frames import Frames, encode_frame, welcome
from canasta.table.log import (
    CameBack,
    Entry,
    Joins,
    Moved,
    Seated,
    WentAway,
    Withdrew,
    decode_entry,
    encode_entry,
)
from canasta.table.orders import (
    NotNow,
    not_now,
    orders_of,
    read_move,
    start_entries,
    why_not_move,
)
from canasta.table.room import STAND_IN, Change, Room
from canasta.table.viewers import Viewer
from canasta.table.wire import (
    AnyCommand,
    AnyFrame,
    AskHint,
    Checked,
    CheckMove,
    ClockView,
    Done,
    Hints,
    Ping,
    Problem,
    Refused,
)

_logger = structlog.get_logger()

LONGEST_ID: Final = 40
"""Characters of a client's name for a command."""

_TRIES: Final = 5
"""For a command that meets what other processes write."""

NOT_ALLOWED: Final = 4403
NO_SPECTATORS: Final = "This table does not want spectators. Open a table of your own."


class LiveRoom:
    def __init__(
        self,
        room: Room,
        store: Store,
        fanout: Fanout,
        thinkers: Thinkers,
        settings: Settings,
        neighbours: Neighbours,
    ) -> None:
        self.room = room
        self._store = store
        self._fanout = fanout
        self._neighbours = neighbours
        self._lock = asyncio.Lock()
        self._viewers: set[Viewer] = set()
        self._brains = Brains(room, thinkers, settings.expert_budget)
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._tick_task: asyncio.Task[None] | None = None
        self._closed = False
        now = self._loop.time()
        self.empty_since: float = now
        self._times = Times(room, settings, now)
        self._status = room.status
        self._patience = Patience(room, settings.fair_patience, now)
        self._plan()

    # -- who is here -----------------------------------------------------------------------------------------

    @property
    def _here(self) -> set[int]:
        """Seats whose people are connected to this process."""
        here = {viewer.player for viewer in self._viewers}
        return {seat for seat, chair in enumerate(self.room.chairs) if chair.player and chair.player in here}

    @property
    def present(self) -> set[int]:
        """Seats whose people are connected, to this process or another."""
        elsewhere = self._neighbours.elsewhere(self.room.table)
        if not elsewhere:
            return self._here
        return self._here | {seat for seat, chair in enumerate(self.room.chairs) if chair.player in elsewhere}

    def _note_gone(self) -> None:
        self._times.note_gone(self.present, self._loop.time())

    async def people_moved(self) -> None:
        """To another process, or away from it."""
        async with self._lock:
            self._note_gone()
            self.room.unlogged += 1
            self._show([])
            self._plan()

    @property
    def watching(self) -> int:
        return sum(self.room.viewing_seat(viewer.player) is None for viewer in self._viewers)

    @property
    def is_idle(self) -> bool:
        return not self._viewers and not self._lock.locked()

    def may_look(self, player: str) -> bool:
        """Spectators where the table wants them, players always, and before the first deal whoever could
        still sit down: after it nobody can look first and then sit."""
        room = self.room
        if room.created.spectators or room.seat_of(player) is not None:
            return True
        return room.match is None and any(not chair.player for chair in room.chairs)

    async def enter(self, viewer: Viewer) -> None:
        """Show the table to somebody who has just connected; a player who was away has the seat back."""
        async with self._lock:
            if not self._viewers:
                self._times.go_on(self._loop.time())
            self._viewers.add(viewer)
            self._neighbours.came(self.room.table, viewer.player)
            viewer.answer(encode_frame(welcome(self.room, viewer.name)))
            seat = self.room.seat_of(viewer.player)
            if seat is not None:
                self._times.came(seat)
                self._patience.came(seat, self._loop.time())
            self.room.unlogged += 1
            change: Change = []
            if seat is not None and self.room.chairs[seat].away:
                try:
                    change = await self._commit([CameBack(seat=seat)], None, show=False)
                except Conflict:
                    await self._catch_up()
                except Unavailable as problem:
                    _logger.error("not_stored", table=self.room.table, problem=str(problem))
            if self.may_look(viewer.player):  # the game may have begun since they knocked
                viewer.show(self._frames([]).text_for(viewer.player))
            self._show(change, without=viewer)
            self._plan()

    async def leave(self, viewer: Viewer) -> None:
        """The connection is gone."""
        async with self._lock:
            if viewer in self._viewers:
                self._viewers.discard(viewer)
                self._neighbours.went(self.room.table, viewer.player)
            await self._withdraw(viewer.player)
            self._note_gone()
            if not self._viewers:
                self.empty_since = self._loop.time()
            self.room.unlogged += 1
            self._show([])
            self._plan()

    async def _withdraw(self, player: str) -> None:
        """Who was to join at the next deal and is gone does not join: the seat is there for others."""
        seat = self.room.joining_seat(player)
        if seat is None or self._closed or any(viewer.player == player for viewer in self._viewers):
            return
        if player in self._neighbours.elsewhere(self.room.table):
            return
        await self._try_commit([Withdrew(seat=seat)])

    # -- commands --------------------------------------------------------------------------------------------

    async def handle(self, viewer: Viewer, command: AnyCommand) -> AnyFrame:
        """Carry out a command; what it led to has been shown to everyone before the answer is returned."""
        match command:
            case Ping():
                return Done(id=command.id, state=self.room.state)
            case CheckMove():
                return self._check(viewer, command)
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
                state = self.room.state
                return Refused(id=command.id, state=state, why=refusal.why, stale=refusal.stale)
            except Unavailable as problem:
                _logger.error("not_stored", table=self.room.table, problem=str(problem))
                message = "The table could not write this down. Try again: it will not be done twice."
                return Problem(code="server_error", message=message, id=command.id)
            message = "Others were quicker; nothing was changed."
            why = not_now("STALE", message, "Look at the table as it is now and try again.").why
            return Refused(id=command.id, state=self.room.state, why=why, stale=True)

    async def _carry_out(self, viewer: Viewer, command: AnyCommand, key: str) -> AnyFrame | None:
        """None when somebody else was quicker; raises `NotNow` or `Unavailable`."""
        known = self.room.commands.get(key)
        if known is not None:
            return Done(id=command.id, state=known)
        who, owned = await sitter(self.room, viewer, command, self._store)
        places = places_at(self.room, self._viewers)
        entries = orders_of(self.room, who, command, self.present, places, owned)
        if entries:
            try:
                await self._commit(self._with_seeds(entries), key)
            except Conflict:
                return None
            await self._note_sitting(entries)
        return Done(id=command.id, state=self.room.commands.get(key, self.room.state))

    def _check(self, viewer: Viewer, command: CheckMove) -> AnyFrame:
        seat = self.room.viewing_seat(viewer.player)
        if seat is None:
            why = not_now("WATCHING", "You are watching this table.", "Sit down on a seat first.").why
            return Checked(id=command.id, why=why)
        try:
            move = read_move(command.move)
        except NotNow as refusal:
            return Checked(id=command.id, why=refusal.why)
        return Checked(id=command.id, why=why_not_move(self.room, seat, move))

    async def _hints(self, viewer: Viewer, command: AskHint) -> AnyFrame:
        seat = self.room.viewing_seat(viewer.player)
        if seat is None or self.room.to_act != seat:
            return Hints(id=command.id, hints=[])
        try:
            return Hints(id=command.id, hints=await self._brains.hints(seat))
        except Busy:
            message = "The computer players have much to think about now. Wait a moment and ask again."
            return Problem(code="busy", message=message, id=command.id)

    # -- the log ---------------------------------------------------------------------------------------------

    async def _commit(self, entries: Sequence[Entry], command: str | None, *, show: bool = True) -> Change:
        """Write, apply, show. Raises `Conflict` or `Unavailable`, and then nothing has changed here."""
        room = self.room
        rows: list[tuple[str | None, bytes]] = [(None, encode_entry(entry)) for entry in entries]
        rows[-1] = (command, rows[-1][1])
        await self._store.append(room.table, room.length, rows)
        change = self._apply(entries, command)
        self._fanout.publish(room.table, room.length - 1)
        if show:
            self._show(change)
            self._plan()
        if room.status != self._status:
            await self._note_status()
        return change

    async def _note_sitting(self, entries: Sequence[Entry]) -> None:
        """So that people can be told of their tables, and forgotten there."""
        for entry in entries:
            if isinstance(entry, (Joins, Seated)):
                with contextlib.suppress(Conflict, Unavailable):
                    await self._store.note_sitting(entry.player, self.room.table)

    async def forget(self, player: str) -> None:
        """This player's account is deleted: the seat goes to a computer player, and no name is left. Raises
        `Unavailable`."""
        async with self._lock:
            try:
                await self._commit_any(farewell(self.room, player))
            except Conflict:
                await self._catch_up()
                await self._commit_any(farewell(self.room, player))
            stored = await self._store.entries(self.room.table)
            await self._store.write_anew(self.room.table, without_name(stored, player))
            self.room.forget(player)
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
        self._status = self.room.status
        _logger.info("table_status", table=self.room.table, status=self._status)
        try:
            await self._store.set_status(self.room.table, self._status)
        except Unavailable as problem:
            _logger.error("not_stored", table=self.room.table, problem=str(problem))

    def _apply(self, entries: Sequence[Entry], command: str | None) -> Change:
        change = self.room.apply(entries, command)
        now = self._loop.time()
        self._patience.look(now)
        self._times.look(entries, now)
        self._note_gone()
        return change

    async def _try_commit(self, entries: Sequence[Entry]) -> None:
        """For what the house does itself: when somebody else was first, it is done already."""
        try:
            await self._commit(entries, None)
        except Conflict:
            await self._catch_up()
        except Unavailable as problem:
            _logger.error("not_stored", table=self.room.table, problem=str(problem))
            self._plan(after=1.0)

    async def _catch_up(self) -> None:
        """Read what another process has written."""
        change: Change = []
        for stored in await self._store.entries(self.room.table, self.room.length):
            change += self._apply([decode_entry(stored.payload)], stored.command)
        self._show(change)
        self._plan()
        # Another process has lost sight of somebody who is connected to this one.
        missed = [
            seat for seat in self._here if self.room.chairs[seat].away and not self.room.chairs[seat].left
        ]
        if missed:
            await self._try_commit([CameBack(seat=seat) for seat in missed])

    async def heard(self, seq: int) -> None:
        """Another process says that the log is that long; -1: it may be longer."""
        async with self._lock:
            if seq < 0 or seq >= self.room.length:
                await self._catch_up()

    # -- showing ---------------------------------------------------------------------------------------------

    def _frames(self, change: Change) -> Frames:
        return Frames(
            self.room,
            change,
            present=self.present,
            watching=self.watching,
            clock=self._clock_view(),
            same_address=sharing(places_at(self.room, self._viewers)),
        )

    def _show(self, change: Change, without: Viewer | None = None) -> None:
        if not self._viewers:
            return
        frames = self._frames(change)
        for viewer in self._viewers:
            if not self.may_look(viewer.player):
                viewer.close(NOT_ALLOWED, NO_SPECTATORS)
            elif viewer is not without:
                viewer.show(frames.text_for(viewer.player))

    def _clock_view(self) -> ClockView | None:
        due = self._times.clock_due()
        if due is None:
            return None
        return ClockView(seat=self.room.to_act, left=round(max(0.0, due - self._loop.time()), 1))

    # -- what the house does by itself -----------------------------------------------------------------------

    def _plan(self, after: float | None = None) -> None:
        """Set the timer for what is due next. At a table that nobody looks at, nothing is."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._closed:
            return
        if self._viewers and self.room.match is not None:
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
            _logger.exception("tick_failed", table=self.room.table)
            self._plan(after=1.0)

    async def _do_what_is_due(self) -> None:
        now = self._loop.time() + 0.001
        async with self._lock:
            gone = self._times.gone(now)
            if gone and self._viewers:
                await self._give_away(gone)
            next_due = self._times.next_due(self.present)
            if next_due is not None and next_due <= now:
                await self._try_commit(self._with_seeds(start_entries(self.room)))
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
            await self._neighbours.ask_elsewhere(self.room.table)
        except Unavailable as problem:
            _logger.error("neighbours_unknown", table=self.room.table, problem=str(problem))
            self._times.keep_seats(self._loop.time())
            return
        self._note_gone()
        if gone := self._times.still_gone(seats):
            await self._try_commit([WentAway(seat=seat, left=False) for seat in gone])

    def _plan_if_idle(self) -> None:
        if self._timer is None:
            self._plan()

    async def _move_for_seat(self, by: str) -> None:
        """A computer player thinks, without holding up the table, and moves if nobody has moved meanwhile."""
        room = self.room
        match, seat, seen = room.match, room.to_act, room.move_state
        if match is None or seat < 0:
            return
        chair = room.chairs[seat]
        level = chair.level if not chair.player else STAND_IN
        chosen = await self._brains.choose(match, seat, level)
        if chosen is None:
            return
        async with self._lock:
            still_due = by == "clock" or self._times.out_of_time or room.chairs[seat].plays_itself
            if room.move_state == seen and room.to_act == seat and still_due and not self._closed:
                if by == "clock":
                    self._times.out_of_time = True
                move = format_move(chosen.move)
                await self._try_commit([Moved(seat=seat, move=move, by=by, hurried=chosen.hurried)])

    async def close(self) -> None:
        """Stop; what is being written is written to its end."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        if self._tick_task is not None and not self._tick_task.done():
            self._tick_task.cancel()
            await asyncio.gather(self._tick_task, return_exceptions=True)
        async with self._lock:
            for viewer in self._viewers:
                viewer.close(1012, "The server restarts.")
