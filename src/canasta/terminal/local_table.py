"""A table in this process: one person, computer players, and a log in memory or in a file.

`canasta tui` and `canasta play --text` are two interfaces to its `Host`. The rules of a table are in `Table`,
as on a server. For the full screen, `LocalTable` shows moves at a readable pace.
"""

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal, Protocol, TextIO

import msgspec

from canasta.bots import get_bot
from canasta.bots.protocol import BotError, Listeners, SeatedBot
from canasta.engine.events import Event
from canasta.engine.hand import TriedMove
from canasta.engine.moves.refusals import RefusedMove
from canasta.i18n.safe_text import short
from canasta.i18n.voice import reason_fact
from canasta.notation.record import GameLeft, MoveMade, RecordWriter, options_to_record
from canasta.rules import Ruleset, RulesetError
from canasta.table.commands import CommandError, check_move, propose, why_no_hint
from canasta.table.errors import problem_of
from canasta.table.event_views import MOVE_STARTS, Change, hint_view
from canasta.table.frames import Frames, welcome
from canasta.table.log import BotSeated, Created, Entry, FairDealt, LogError, Moved, Option, RoundVoided
from canasta.table.next_action import BotMove, Deal, NextAction, Turn, next_action, simple_move
from canasta.table.seats import Person
from canasta.table.seed_rounds import new_seed
from canasta.table.table import Table
from canasta.table.wire import (
    AnyFrame,
    Done,
    EventView,
    Hints,
    HintView,
    Problem,
    Refused,
    TableState,
    Welcome,
)
from canasta.table.wire_commands import AnyCommand, AskHint, CheckMove, NextHand, Ping, StartGame, new_id
from canasta.terminal.fairness import ChooseSeed, FairnessClient, any_seed
from canasta.terminal.game_file import GameFile, unusable_game

YOU: Final = "you"
"""The person's id."""
_OPEN_FOR: Final = 3600.0
"""Seconds for which the list of commitments stays open, since a local table waits for its player's seed."""

OnChange = Callable[[TableState, Change], None]
"""A callback for each new state and the changes that led to it."""


def _is_at_table(part: EventView | Event) -> bool:
    """Return whether the event belongs to the table rather than to a move: a deal, or a player sitting
    down.
    """
    return isinstance(part, EventView) and part.what != MOVE_STARTS


def new_table(rules: Ruleset, level: str, seed: str | None = None) -> Table:
    """Return a table for one person and computer players of this level. Without a seed the cards are fair."""
    created = Created(
        rules=rules.name,
        version=rules.version,
        players=rules.seats.players,
        options=msgspec.convert(options_to_record(rules), dict[str, Option]),
        public=False,
        level=level,
        clock=0,
        spectators=False,
        seed=new_seed(),
        made=time.time(),
        cards=seed or "",
    )
    return Table(secrets.token_hex(8) if seed is None else seed, created)


class Host:
    """Carries out the person's commands and the computer players' moves, writing each to the log first."""

    def __init__(
        self,
        table: Table,
        file: GameFile | None = None,
        *,
        names: Sequence[str] = (),
        choose_seed: ChooseSeed = any_seed,
    ) -> None:
        """Host a new table. `names` are by seat before the cut, the person's first; later names may be
        missing.
        """
        self.table = table
        self.file = file
        self.on_change: OnChange = lambda frame, change: None
        self.on_problem: Callable[[Problem], None] = lambda problem: None
        """Called on a problem: a file that can't be written, or a computer player that fails."""
        self.witness = FairnessClient(table.bound_to, choose_seed, alone=True)
        self._names = [*names, *[""] * (len(table.chairs) - len(names))]
        self._player = YOU
        self._bots: dict[int, SeatedBot] = {}
        self._listeners = Listeners({})
        self._adviser = get_bot("club")
        self._record: TextIO | None = None
        self._writer: RecordWriter | None = None
        self._recorded = 0
        """Number of record entries that have been written."""
        self._unseen: Change = []
        """Events since the person's last move in an earlier session."""
        self._write_log([table.created])

    @classmethod
    def reopened(cls, path: Path, choose_seed: ChooseSeed = any_seed) -> "Host":
        """Return the host of a saved table. Raises `InputError`."""
        file, name, log = GameFile.open(path)
        try:
            host = cls(Table.opened(name, log[0]), None, choose_seed=choose_seed)
            for entry in log[1:]:
                host._note_unseen(entry, host._apply([entry]))
        except BotError as error:
            file.close()
            raise unusable_game("no_player", path, {"text": str(error)}) from None
        except LogError as error:
            file.close()
            if error.has_newer_rules:
                raise unusable_game("newer", path, {"text": str(error)}) from None
            raise unusable_game("impossible", path) from error
        except RulesetError as error:
            file.close()
            raise unusable_game("other_rules", path, {"text": str(error)}) from None
        except Exception as error:  # a file of another program, or a damaged one, can fail in any way
            file.close()
            raise unusable_game("impossible", path) from error
        if len(host.table.people) > 1:
            file.close()
            raise unusable_game("of_several", path)
        host.file = file
        host._player = host.table.host or YOU
        host._remember()
        return host

    def _note_unseen(self, entry: Entry, change: Change) -> None:
        if isinstance(entry, FairDealt) or (isinstance(entry, Moved) and entry.by == "person"):
            self._unseen = change if isinstance(entry, FairDealt) else []
        elif isinstance(entry, Moved):
            # The cards have changed since the deal.
            self._unseen = [part for part in self._unseen if not _is_at_table(part)] + change

    def _remember(self) -> None:
        """Restore the person's seeds, which were revealed in an earlier session, from the log."""
        seat, cut = self.seat, self.table.cut
        if seat is None:
            return
        if self.table.fair is not None:
            self.witness.remember(self.table.fair, seat)
        if cut is not None and self.table.cut_round is not None:
            self.witness.remember(self.table.cut_round, cut.seating.players[seat])
        self.witness.hear(self.welcome())
        self.witness.examine(self.frame([], first=True))
        self.witness.new_verdicts()

    # -- status ----------------------------------------------------------------------------------------------

    @property
    def seat(self) -> int | None:
        """The person's seat."""
        return self.table.seat_of(self._player)

    @property
    def moves(self) -> int:
        """Number of moves made so far, by all players."""
        return sum(isinstance(entry, MoveMade) for entry in self.table.record_entries)

    @property
    def own_moves(self) -> int:
        """Number of moves made by the person."""
        made = (entry for entry in self.table.record_entries if isinstance(entry, MoveMade))
        return sum(entry.seat == self.seat for entry in made)

    def welcome(self) -> Welcome:
        return welcome(self.table, "" if self.seat is None else self.table.names[self.seat])

    def frame(self, change: Change, *, first: bool = False) -> TableState:
        """Return the person's frame. The `first` one contains all events of the hand."""
        frames = Frames(self.table, change, present=self._present, open_for=lambda _: _OPEN_FOR)
        return frames.first_state_for(self._player) if first else frames.state_for(self._player)

    @property
    def _present(self) -> set[int]:
        return self.table.seats_of({self._player})

    def due(self) -> NextAction | None:
        """Return the next action of the table, or None if the game is over."""
        return next_action(self.table, self._present)

    # -- the person ------------------------------------------------------------------------------------------

    def enter(self) -> None:
        """Show the table. If it is new, set it up and deal the first cards."""
        self.witness.hear(self.welcome())
        if self.seat is None:
            bots = [
                BotSeated(seat=seat, level=self.table.created.level, name=name)
                for seat, name in enumerate(self._names)
                if seat
            ]
            self._commit([Person(self._player, self._names[0]).sits(0), *bots])
        else:
            self._show(self._unseen, first=True)
        if self.table.shuffling.unrevealed:
            # The program ended in the middle of a round, and the person's seed is lost.
            self._commit([RoundVoided(next_seed=new_seed())])
        if self.table.match is None and not self.table.is_dealing:
            self.handle(NextHand(id=new_id()) if self.table.cut else StartGame(id=new_id()))

    def handle(self, command: AnyCommand) -> AnyFrame:
        """Carry out a command and return the answer. The resulting frames are sent first."""
        match command:
            case Ping():
                return Done(id=command.id, state=self.table.state)
            case CheckMove():
                return check_move(self.table, self._player, command)
            case AskHint():
                if (why := why_no_hint(self.table)) is not None:
                    return Refused(id=command.id, state=self.table.state, why=why, stale=False)
                return Hints(id=command.id, hints=self._hints())
        seat = self.seat
        name = "" if seat is None else self.table.chairs[seat].name
        try:
            proposal = propose(self.table, Person(self._player, name), command, present=self._present)
        except CommandError as refusal:
            return Refused(id=command.id, state=self.table.state, why=refusal.why, stale=refusal.stale)
        if proposal.entries:
            self._commit(proposal.entries, proposal.move)
        return Done(id=command.id, state=self.table.state)

    def _hints(self) -> list[HintView]:
        match, seat = self.table.match, self.seat
        if match is None or seat is None or self.table.to_act != seat:
            return []
        return [hint_view(hint) for hint in self._adviser.hint(match.hand.view(seat))]

    # -- computer players ------------------------------------------------------------------------------------

    def choose(self, turn: Turn) -> BotMove:
        """Return the move of the computer player whose turn it is.

        Nothing is changed, so this can run in a thread.
        """
        match = self.table.match
        assert match is not None
        # A computer player replaces a person who has left the seat.
        bot = self._bots.get(turn.seat) or get_bot(turn.level, f"{self.table.name}/{turn.seat}")
        try:
            move = bot.choose(match.hand.view(turn.seat))
        except BotError as failed:
            why = problem_of("server_error", "PLAYER_FAILED", {"text": str(failed)})
            return BotMove(simple_move(match), hurried=True, problem=why)
        try:
            return BotMove(match.try_move(move))
        except RefusedMove:
            pass
        facts: dict[str, int | str] = {"name": bot.name, "written": short(str(move))}
        why = problem_of("server_error", "MOVE_NOT_ALLOWED", facts)
        return BotMove(simple_move(match), hurried=True, problem=why)

    def play(self, turn: Turn, chosen: BotMove) -> None:
        if chosen.problem is not None:
            self.on_problem(chosen.problem)
        moved = Moved(seat=turn.seat, move=str(chosen.tried.move), by="bot", hurried=chosen.hurried)
        self._commit([moved], chosen.tried)

    def _seat_bots(self) -> None:
        """Start the computer players of seats that have none yet."""
        for seat, chair in enumerate(self.table.chairs):
            if chair.level and not chair.player and seat not in self._bots:
                self._bots[seat] = get_bot(chair.level, f"{self.table.name}/{seat}")
        self._listeners = Listeners(self._bots)

    # -- the log ---------------------------------------------------------------------------------------------

    def _commit(self, entries: Sequence[Entry], tried: TriedMove | None = None) -> None:
        """Write entries to the log, apply them, and show the result."""
        whole = [*entries, *self.table.following_entries(entries, lambda _: True)]
        self._write_log(whole)
        self._show(self._apply(whole, tried))

    def _apply(self, entries: Sequence[Entry], tried: TriedMove | None = None) -> Change:
        change: Change = []
        for entry in entries:
            part = self.table.apply([entry], tried=tried)
            match = self.table.match
            if isinstance(entry, FairDealt) and match is not None:
                self._seat_bots()
                self._listeners.deal(match.hand.state, match.hand.scores)
            self._listeners.tell([event for event in part if not isinstance(event, EventView)])
            change += part
        self._write_record()
        return change

    def _show(self, change: Change, *, first: bool = False) -> None:
        frame = self.frame(change, first=first)
        self.witness.examine(frame)
        frame.events += [verdict.event() for verdict in self.witness.new_verdicts()]
        self.on_change(frame, change)
        for command in self.witness.take_part(frame):
            self.witness.hear(self.handle(command))

    # -- files -----------------------------------------------------------------------------------------------

    def _write_log(self, entries: Sequence[Entry]) -> None:
        if self.file is None:
            return
        try:
            self.file.append(entries)
        except (OSError, ValueError) as error:  # the game continues without its file
            self.file.close()
            self.file = None
            self.on_problem(problem_of("server_error", "GAME_NOT_SAVED", {"why": reason_fact(error)}))

    def record_to(self, stream: TextIO) -> None:
        """Write the record to a stream as the game proceeds."""
        self._record = stream
        self._write_record()

    def _write_record(self, *, at_the_end: bool = False) -> None:
        if self._record is None or (self.table.match is None and not at_the_end):
            return  # before the first cards, the seats are not final
        entries = self.table.record_entries[self._recorded :]
        self._recorded += len(entries)
        try:
            if self._writer is None:
                self._writer = RecordWriter(self._record, self.table.header())
            self._writer.write([*entries, GameLeft()] if at_the_end else entries)
        except (OSError, ValueError) as error:
            self._record = None
            self.on_problem(problem_of("server_error", "RECORD_NOT_WRITTEN", {"why": reason_fact(error)}))

    def close(self, *, keep: bool = True) -> None:
        """Leave the table; `keep` keeps its file."""
        if self.table.status != "over":
            self._write_record(at_the_end=True)
        self._record = None
        if self.file is not None:
            self.file.close(remove=not keep)
            self.file = None


# -- sources of frames -------------------------------------------------------------------------------------


LinkState = Literal["here", "connecting", "connected", "lost", "ended"]
"""`here` is a table in this process; `ended` is a connection that won't be restored."""

OnFrame = Callable[[AnyFrame], None]

OnLink = Callable[[LinkState, str], None]
"""A callback for the state of the connection, with an error message if something is wrong."""


class TableSource(Protocol):
    """Sends frames to `on_frame` while `run` runs, and accepts the commands of one player."""

    async def run(self, on_frame: OnFrame, on_link: OnLink) -> None: ...

    def send(self, command: AnyCommand) -> None: ...

    def hurry(self) -> None:
        """Skip the pause for computer players' moves."""

    @property
    def is_local(self) -> bool: ...

    @property
    def witness(self) -> FairnessClient:
        """The fairness client of the present table."""


PACE: Final = 0.7
"""Seconds between the moves of computer players."""


class LocalTable:
    """The frames of a local table's host."""

    is_local = True

    def __init__(self, host: Host, *, pace: float = PACE) -> None:
        self.host = host
        self._pace = pace
        self._on_frame: OnFrame = lambda frame: None
        self._acted = asyncio.Event()
        """Set when the person has moved or is ready for the next hand."""
        self._hurry = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def witness(self) -> FairnessClient:
        return self.host.witness

    async def run(self, on_frame: OnFrame, on_link: OnLink) -> None:
        """Play until the match is over."""
        self._on_frame = on_frame
        self.host.on_change = lambda frame, _: on_frame(frame)
        self.host.on_problem = on_frame
        on_link("here", "")
        on_frame(self.host.welcome())
        self.host.enter()
        while (due := self.host.due()) is not None:
            if isinstance(due, Turn) and due.level:
                await self._bot_moves(due)
            elif due is Deal.AFTER_THE_CUT:
                self.host.handle(NextHand(id=new_id()))
            else:
                await self._until_acted()

    async def _until_acted(self) -> None:
        # Clear `_acted` after waiting, so as not to lose a command sent before the wait.
        self._hurry.clear()
        await self._acted.wait()
        self._acted.clear()

    async def _bot_moves(self, turn: Turn) -> None:
        start = asyncio.get_running_loop().time()
        # Think in a thread, so that the screen stays responsive.
        chosen = await asyncio.to_thread(self.host.choose, turn)
        rest = self._pace - (asyncio.get_running_loop().time() - start)
        if rest > 0 and not self._hurry.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._hurry.wait(), rest)
        self.host.play(turn, chosen)

    def hurry(self) -> None:
        self._hurry.set()

    def send(self, command: AnyCommand) -> None:
        if isinstance(command, AskHint):
            task = asyncio.get_running_loop().create_task(self._think(command))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        else:
            self._on_frame(self.host.handle(command))
            self._acted.set()

    async def _think(self, command: AskHint) -> None:
        self._on_frame(await asyncio.to_thread(self.host.handle, command))
