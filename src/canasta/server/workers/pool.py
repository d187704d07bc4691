"""Moves and hints of computer players, from a pool of worker processes off the server's loop.

Guests choose house rules, so they can make bots slow. So each request has a time limit, each queue is bounded
and fair, and slow tables use a separate queue. Tables with house rules start in the slow queue and leave it
after a number of quick answers. Checking and applying a single move stay on the loop: the engine bounds that
work by a number of nodes.
"""

import asyncio
import contextlib
import os
from asyncio import QueueFull
from collections.abc import Sequence
from typing import Final, TypeVar

import msgspec
import structlog

from canasta.bots import MAY_SEARCH, SEARCHERS
from canasta.engine.match import Match
from canasta.engine.moves.refusals import RefusedMove
from canasta.notation.errors import NotationError
from canasta.notation.moves import parse_move
from canasta.server.fair_queue import SERVER, Asker, FairQueue
from canasta.server.workers.bot_worker import BotQuestion, BotReply, BotTask
from canasta.table.log import Step
from canasta.table.next_action import BotMove, simple_move
from canasta.table.practice import FROM_RECORD
from canasta.table.table import Table
from canasta.table.wire import HintView
from canasta.worker_process import Worker

_logger = structlog.get_logger()

V = TypeVar("V")

MOST_WAITING: Final = 200
"""Maximum number of waiting requests per queue, separately for people and for bots."""
_SLOW: Final = 0.25
"""CPU seconds after which a table is moved to the slow queue."""
MOST_QUICK: Final = 2.0
"""Time limit in CPU seconds for a request in the quick queue."""
MOST_DEEP: Final = 4.0
"""Time limit in CPU seconds for a request in the slow queue, in addition to the search budget."""
_HUNG: Final = 30.0
"""Seconds without an answer, in addition to the budget, after which the process is considered stuck."""
PEOPLE_IN_TURN: Final = 4
"""Maximum number of consecutive requests for people while a bot's request waits."""
PROVED_QUICK: Final = 20
"""Number of quick answers after which a set of house rules uses the quick queue."""
_BARRED: Final = -1
"""Replaces the count of quick answers after a slow one."""
_MOST_REMEMBERED: Final = 10_000


class BotRequest(BotTask, kw_only=True):
    """A task for this seat, after the first `length` steps of the game."""

    steps: Sequence[Step]
    """Steps of the whole game; the list may grow while the request waits."""
    length: int
    from_record: bool = False
    """True if the position comes from a player's record: it may be deliberately hard, so it always uses the
    slow queue."""
    asker: Asker = SERVER
    """The player in whose name the request is queued."""

    @property
    def house_rules(self) -> str:
        """A key for the game with its house rules; empty without house rules."""
        if not self.options:
            return ""
        return repr((self.rules, self.version, self.players, sorted(self.options.items())))

    @property
    def of_person(self) -> bool:
        return not self.level


class _Process:
    """One worker process, started on demand."""

    def __init__(self, nice: int) -> None:
        self._worker = Worker("canasta.server.workers.bot_worker", str(nice))
        self._known_steps: dict[str, int] = {}
        """Number of steps that the process knows, by table."""

    async def start(self) -> None:
        if not self._worker.is_running:
            self._known_steps = {}
        await self._worker.start()

    async def answer(self, ask: BotRequest, time_limit: float) -> BotReply:
        """Return the worker's reply.

        time_limit: CPU seconds after which the worker process is killed. Raise `OSError` or `EOFError` if the
        process has ended, at its time limit or otherwise.
        """
        await self.start()
        reply = await self._exchange(ask, self._known_steps.get(ask.table, 0), time_limit)
        if reply.is_behind:
            reply = await self._exchange(ask, 0, time_limit)
        return reply

    async def _exchange(self, ask: BotRequest, since: int, time_limit: float) -> BotReply:
        since = since if since <= ask.length else 0
        task = {name: getattr(ask, name) for name in BotTask.__struct_fields__}
        question = BotQuestion(
            **task, since=since, steps=list(ask.steps[since : ask.length]), time_limit=time_limit
        )
        reply = await self._worker.exchange(question, BotReply)
        if reply.is_behind or reply.problem:
            self._known_steps.pop(ask.table, None)
        else:
            self._known_steps[ask.table] = ask.length
        return reply

    async def end(self) -> None:
        await self._worker.end()


class _QueuedRequest:
    """A request in a queue, with the future of its answer."""

    def __init__(self, ask: BotRequest, time_limit: float) -> None:
        self.ask = ask
        self.time_limit = time_limit
        self.answer: asyncio.Future[BotReply | None] = asyncio.get_running_loop().create_future()


class _RequestQueue:
    """A queue of requests and its worker processes. People's requests come first; each kind takes fair
    turns."""

    def __init__(self, processes: int, nice: int) -> None:
        self._people: FairQueue[_QueuedRequest] = FairQueue(MOST_WAITING)
        self._players: FairQueue[_QueuedRequest] = FairQueue(MOST_WAITING)
        self._in_turn = 0
        """Number of people's requests since the last bot's request."""
        self._wake = asyncio.Event()
        self._processes = [_Process(nice) for _ in range(processes)]
        self._tasks: list[asyncio.Task[None]] = []

    def open(self) -> None:
        if not self._tasks:
            self._tasks = [asyncio.create_task(self._work(process)) for process in self._processes]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for waiting in (*self._people, *self._players):
            waiting.answer.cancel()
        await asyncio.gather(*(process.end() for process in self._processes))

    async def answer(self, ask: BotRequest, time_limit: float) -> BotReply | None:
        """Return the answer; `None` if it doesn't arrive within `time_limit` CPU seconds.

        Raise `QueueFull`, possibly while already waiting, if another player's first request takes the place.
        """
        self.open()
        waiting = _QueuedRequest(ask, time_limit)
        queue = self._people if ask.of_person else self._players
        replaced = queue.put(waiting, ask.asker)
        if replaced is not None and not replaced.answer.done():
            replaced.answer.set_exception(QueueFull())
        self._wake.set()
        try:
            return await waiting.answer
        finally:
            queue.remove(waiting)

    async def _next(self) -> _QueuedRequest:
        while True:
            while not self._people and not self._players:
                self._wake.clear()
                await self._wake.wait()
            players_first = self._players and (not self._people or self._in_turn >= PEOPLE_IN_TURN)
            self._in_turn = 0 if players_first else self._in_turn + 1
            waiting = (self._players if players_first else self._people).take()
            if not waiting.answer.done():  # cancelled a moment ago
                return waiting

    async def _work(self, process: _Process) -> None:
        # Start early, so that the first request doesn't wait for a process to start.
        with contextlib.suppress(OSError):
            await process.start()
        while True:
            waiting = await self._next()
            reply: BotReply | None = None
            try:
                async with asyncio.timeout(waiting.ask.budget + _HUNG):
                    reply = await process.answer(waiting.ask, waiting.time_limit)
            except (OSError, EOFError, TimeoutError, msgspec.MsgspecError) as error:
                _logger.warning("thinker_ended", table=waiting.ask.table, problem=type(error).__name__)
                await process.end()
            if reply is not None and reply.problem:
                _logger.error("thinker_failed", table=waiting.ask.table, problem=reply.problem)
                reply = None
            if not waiting.answer.done():
                waiting.answer.set_result(reply)


class BotPool:
    """The pool: one process for quick requests, and several low-priority processes for slow ones.

    The processes start when the first table needs them.
    """

    def __init__(self) -> None:
        self._quick = _RequestQueue(1, nice=0)
        self._deep = _RequestQueue(max(1, (os.cpu_count() or 2) - 1), nice=5)
        self._slow: dict[str, None] = {}
        """Slow tables, latest last."""
        self._quick_answers: dict[str, int] = {}
        """Number of quick answers by house rules."""

    def warm(self) -> None:
        """Start the quick process ahead of the first request."""
        self._quick.open()

    async def answer(self, ask: BotRequest) -> BotReply | None:
        """Return an answer; `None` if it doesn't come in time. Raise `QueueFull`."""
        if ask.level in SEARCHERS or ask.from_record:
            return await self._deep.answer(ask, ask.budget + MOST_DEEP)
        if ask.table not in self._slow and self._is_proved(ask.house_rules):
            reply = await self._quick.answer(ask, MOST_QUICK)
            if reply is None or reply.took > _SLOW:
                self._note_slow(ask)
            if reply is not None:
                return reply
        reply = await self._deep.answer(ask, ask.budget + MOST_DEEP)
        self._note_answer(ask, reply)
        return reply

    def _is_proved(self, house_rules: str) -> bool:
        return not house_rules or self._quick_answers.get(house_rules, 0) >= PROVED_QUICK

    def _note_answer(self, ask: BotRequest, reply: BotReply | None) -> None:
        """Count quick answers for house rules in the slow queue."""
        if not ask.house_rules or ask.table in self._slow:
            return
        if reply is None or reply.took > _SLOW:
            self._note_slow(ask)
        elif (count := self._quick_answers.get(ask.house_rules, 0)) != _BARRED:
            _remember(self._quick_answers, ask.house_rules, count + 1)

    def _note_slow(self, ask: BotRequest) -> None:
        """Move a table, and all new tables with the same house rules, to the slow queue."""
        _logger.info("slow_table", table=ask.table)
        _remember(self._slow, ask.table, None)
        if ask.house_rules:
            _remember(self._quick_answers, ask.house_rules, _BARRED)

    async def close(self) -> None:
        await asyncio.gather(self._quick.close(), self._deep.close())


def _remember(known: dict[str, V], key: str, value: V) -> None:
    """Set a value; drop the oldest entry if there are too many."""
    known[key] = value
    if len(known) > _MOST_REMEMBERED:
        del known[next(iter(known))]


# -- the computer players of a table -------------------------------------------------------------------------

ANSWER_TIMEOUT_S: Final = 10.0
"""Seconds for which a table waits for a move or hint, in addition to the search budget."""


class TableBots:
    """The computer players of one table. They see only the view of their seat."""

    def __init__(self, table: Table, bot_pool: BotPool, budget: float) -> None:
        self._table = table
        self._bot_pool = bot_pool
        self._budget = budget

    def warm(self) -> None:
        self._bot_pool.warm()

    async def choose(self, match: Match, seat: int, level: str, asker: Asker) -> BotMove | None:
        """Return a move for the seat to act; `None` if the cards have changed in the meantime.

        The request is queued in the name of `asker`.
        """
        seen = self._table.move_state
        try:
            reply = await self._ask(seat, level, asker)
        except QueueFull:
            reply = None
        if self._table.move_state != seen:
            return None
        if reply is not None:
            try:
                return BotMove(match.try_move(parse_move(reply.move)))
            except (NotationError, RefusedMove) as error:
                _logger.error(
                    "bot_move_refused",
                    table=self._table.name,
                    level=level,
                    move=reply.move,
                    problem=str(error),
                )
        return BotMove(simple_move(match), hurried=True)

    async def hints(self, seat: int, asker: Asker) -> list[HintView]:
        """Return hints; empty if the cards have changed in the meantime or none came in time.

        Raise `QueueFull`.
        """
        seen = self._table.move_state
        reply = await self._ask(seat, "", asker)
        if reply is None or self._table.move_state != seen:
            return []
        return reply.advice

    async def _ask(self, seat: int, level: str, asker: Asker) -> BotReply | None:
        created = self._table.created
        ask = BotRequest(
            table=self._table.name,
            rules=created.rules,
            version=created.version,
            players=created.players,
            options=created.options,
            steps=self._table.steps,
            length=len(self._table.steps),
            seat=seat,
            level=level,
            budget=self._budget if level in MAY_SEARCH else 0.0,
            # Everyone who practises the same position gets the same moves.
            seed=created.practice,
            from_record=created.practice.startswith(FROM_RECORD),
            asker=asker,
        )
        try:
            async with asyncio.timeout(ask.budget + ANSWER_TIMEOUT_S):
                return await self._bot_pool.answer(ask)
        except TimeoutError:
            _logger.warning("thinker_too_slow", table=self._table.name)
            return None
