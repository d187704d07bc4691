"""The pool of worker processes in which computer players think, off the server's loop.

Guests choose house rules, so they can make bots slow. So each request has a deadline, each queue is bounded
and fair, and slow tables use a separate queue. Tables with house rules start in the slow queue until they
have proved quick.

Checking and applying a single move stay on the loop: the engine bounds that work by a number of nodes.
"""

import asyncio
import contextlib
import os
from asyncio import QueueFull
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

import msgspec
import structlog

from canasta.bots import SEARCHERS
from canasta.server.fair_queue import SERVER, Asker, FairQueue
from canasta.server.workers.bot_worker import BotQuestion, BotReply
from canasta.server.workers.worker import Worker
from canasta.table.log import Option, Step

_logger = structlog.get_logger()

V = TypeVar("V")

MOST_WAITING: Final = 200
"""Maximum number of waiting requests per queue, for people and for bots each."""
_SLOW: Final = 0.25
"""CPU seconds after which a table is moved to the slow queue."""
MOST_QUICK: Final = 2.0
"""Limit in CPU seconds for a request in the quick queue."""
MOST_DEEP: Final = 4.0
"""Limit in CPU seconds in the slow queue, in addition to the search budget."""
_HUNG: Final = 30.0
"""Seconds without an answer, in addition to the budget, after which the process is considered stuck."""
PEOPLE_IN_TURN: Final = 4
"""Maximum number of people's requests in a row while a bot's request waits."""
PROVED_QUICK: Final = 20
"""Number of quick answers after which house rules use the quick queue."""
_BARRED: Final = -1
"""Value in place of the count of quick answers once there was a slow one."""
_MOST_REMEMBERED: Final = 10_000


@dataclass(frozen=True)
class BotRequest:
    """A request for a move or a hint for this seat, after the first `length` steps of the game."""

    table: str
    rules: str
    version: int
    players: int
    options: dict[str, Option]
    steps: Sequence[Step]
    """Steps of the whole game; the list may grow while the request waits."""
    length: int
    seat: int
    level: str
    """Level of the bot; empty for a person who wants a hint."""
    budget: float
    seed: str = ""
    """Seed of the bot's random choices; see `BotQuestion`."""
    from_record: bool = False
    """True if the position comes from a player's record: it may be deliberately hard, so it always uses the
    slow queue."""
    asker: Asker = SERVER
    """The player whose share of the queue the request uses."""

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
        self._told: dict[str, int] = {}
        """Number of steps that the process knows, by table."""

    async def start(self) -> None:
        if not self._worker.is_running:
            self._told = {}
        await self._worker.start()

    async def answer(self, ask: BotRequest, most: float) -> BotReply:
        """Return the worker's reply; raise `OSError` or `EOFError` if the process has ended, by its deadline
        or otherwise."""
        await self.start()
        said = await self._exchange(ask, self._told.get(ask.table, 0), most)
        if said.is_behind:
            said = await self._exchange(ask, 0, most)
        return said

    async def _exchange(self, ask: BotRequest, since: int, most: float) -> BotReply:
        since = since if since <= ask.length else 0
        question = BotQuestion(
            table=ask.table,
            rules=ask.rules,
            version=ask.version,
            players=ask.players,
            options=ask.options,
            since=since,
            steps=list(ask.steps[since : ask.length]),
            seat=ask.seat,
            level=ask.level,
            budget=ask.budget,
            seed=ask.seed,
            most=most,
        )
        said = await self._worker.exchange(question, BotReply)
        if said.is_behind or said.problem:
            self._told.pop(ask.table, None)
        else:
            self._told[ask.table] = ask.length
        return said

    async def end(self) -> None:
        await self._worker.end()


class _QueuedRequest:
    """A request in a queue, with the future of its answer."""

    def __init__(self, ask: BotRequest, most: float) -> None:
        self.ask = ask
        self.most = most
        self.answer: asyncio.Future[BotReply | None] = asyncio.get_running_loop().create_future()


class _Row:
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

    async def answer(self, ask: BotRequest, most: float) -> BotReply | None:
        """Return the answer; `None` if it doesn't come in time.

        Raise `QueueFull`, even while waiting, if another player's first request needs the place.
        """
        self.open()
        waiting = _QueuedRequest(ask, most)
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
            said: BotReply | None = None
            try:
                async with asyncio.timeout(waiting.ask.budget + _HUNG):
                    said = await process.answer(waiting.ask, waiting.most)
            except (OSError, EOFError, TimeoutError, msgspec.MsgspecError) as error:
                _logger.warning("thinker_ended", table=waiting.ask.table, problem=type(error).__name__)
                await process.end()
            if said is not None and said.problem:
                _logger.error("thinker_failed", table=waiting.ask.table, problem=said.problem)
                said = None
            if not waiting.answer.done():
                waiting.answer.set_result(said)


class Thinkers:
    """The pool: one process for quick requests, and several low-priority ones for slow requests.

    The processes start when the first table needs them.
    """

    def __init__(self) -> None:
        self._quick = _Row(1, nice=0)
        self._deep = _Row(max(1, (os.cpu_count() or 2) - 1), nice=5)
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
            said = await self._quick.answer(ask, MOST_QUICK)
            if said is None or said.took > _SLOW:
                self._note_slow(ask)
            if said is not None:
                return said
        said = await self._deep.answer(ask, ask.budget + MOST_DEEP)
        self._note_answer(ask, said)
        return said

    def _is_proved(self, house_rules: str) -> bool:
        return not house_rules or self._quick_answers.get(house_rules, 0) >= PROVED_QUICK

    def _note_answer(self, ask: BotRequest, said: BotReply | None) -> None:
        """Count quick answers for house rules in the slow queue."""
        if not ask.house_rules or ask.table in self._slow:
            return
        if said is None or said.took > _SLOW:
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
