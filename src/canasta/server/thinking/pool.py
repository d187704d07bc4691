"""Computer players think in processes of their own: nothing that thinks runs on the server's loop.

What a guest can set, a guest can make slow. So each question has a deadline, each row of questions has a
bound, and a table whose questions take long asks in another row than those that are answered at once.
Checking and applying one move stay on the loop: the engine bounds each such question by a number of nodes.
"""

import asyncio
import contextlib
import os
import sys
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import msgspec
import structlog

from canasta.bots import SEARCHERS
from canasta.server.thinking.thinker import HEAD, Answer, Question, length_of, packed
from canasta.table.deals_and_moves import Step
from canasta.table.log import Option

_logger = structlog.get_logger()

MOST_WAITING: Final = 200
"""Questions in a row; whoever comes then is told to wait."""
_SLOW: Final = 0.25
"""Seconds of the processor's time, after which a table asks in the row of those that take long."""
MOST_QUICK: Final = 2.0
"""Seconds of the processor's time for a question in the quick row."""
MOST_DEEP: Final = 4.0
"""… in the other one, beyond the budget of a player who searches."""
_HUNG: Final = 30.0
"""Seconds, beyond the budget, without an answer: the process is stuck, or the machine is."""
PEOPLE_IN_TURN: Final = 4
"""So many people's questions are taken in turn while a computer player's waits."""
_MOST_SLOW: Final = 10_000


class Busy(Exception):
    """There are too many questions already."""


@dataclass(frozen=True)
class Ask:
    """What should this seat do, at the table as it stands after so many steps?"""

    table: str
    rules: str
    version: int
    players: int
    options: dict[str, Option]
    steps: Sequence[Step]
    """Of the whole game; it may grow while the question waits."""
    length: int
    seat: int
    level: str
    """Empty for a person who wants a hint."""
    budget: float
    seed: str = ""
    """See `Question`."""
    from_record: bool = False
    """The cards lie as somebody's record has them, and may be chosen to be hard: those who play wait for
    nothing of the kind."""

    @property
    def of_person(self) -> bool:
        return not self.level


class _Process:
    """One process that thinks, started when it is needed."""

    def __init__(self, nice: int) -> None:
        self._nice = nice
        self._process: asyncio.subprocess.Process | None = None
        self._told: dict[str, int] = {}
        """How many steps of each table it knows."""

    async def start(self) -> asyncio.subprocess.Process:
        if self._process is None:
            self._told = {}
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-P", "-m", "canasta.server.thinking.thinker", str(self._nice),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
                # Ctrl-C is for the server, at whose end the questions end.
                start_new_session=True,
            )  # fmt: skip
        return self._process

    async def answer(self, ask: Ask, most: float) -> Answer:
        """Raises `OSError` or `EOFError` when the process has ended, by its deadline or otherwise."""
        said = await self._exchange(ask, self._told.get(ask.table, 0), most)
        if said.is_behind:
            said = await self._exchange(ask, 0, most)
        return said

    async def _exchange(self, ask: Ask, since: int, most: float) -> Answer:
        process = await self.start()
        since = since if since <= ask.length else 0
        assert process.stdin is not None
        assert process.stdout is not None
        question = Question(
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
        process.stdin.write(packed(question))
        await process.stdin.drain()
        head = await process.stdout.readexactly(HEAD)
        said = msgspec.msgpack.decode(await process.stdout.readexactly(length_of(head)), type=Answer)
        if said.is_behind or said.problem:
            self._told.pop(ask.table, None)
        else:
            self._told[ask.table] = ask.length
        return said

    async def end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        assert process.stdin is not None
        process.stdin.close()
        await process.wait()


class _Waiting:
    """A question in a row, and whoever waits for its answer."""

    def __init__(self, ask: Ask, most: float) -> None:
        self.ask = ask
        self.most = most
        self.answer: asyncio.Future[Answer | None] = asyncio.get_running_loop().create_future()


class _Row:
    """Questions that wait, and the processes that take them: people's first, each kind in the order in which
    they came. A table asks one question at a time, so this is fair between tables.
    """

    def __init__(self, processes: int, nice: int) -> None:
        self._people: deque[_Waiting] = deque()
        self._players: deque[_Waiting] = deque()
        self._in_turn = 0
        """People's questions since a computer player's was last taken."""
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

    def __len__(self) -> int:
        return sum(not waiting.answer.done() for waiting in (*self._people, *self._players))

    async def answer(self, ask: Ask, most: float) -> Answer | None:
        """None when there is none; raises `Busy`."""
        if len(self._people) + len(self._players) >= MOST_WAITING and len(self) >= MOST_WAITING:
            raise Busy
        self.open()
        waiting = _Waiting(ask, most)
        (self._people if ask.of_person else self._players).append(waiting)
        self._wake.set()
        return await waiting.answer

    async def _next(self) -> _Waiting:
        while True:
            while not self._people and not self._players:
                self._wake.clear()
                await self._wake.wait()
            players_first = self._players and (not self._people or self._in_turn >= PEOPLE_IN_TURN)
            self._in_turn = 0 if players_first else self._in_turn + 1
            waiting = (self._players if players_first else self._people).popleft()
            if not waiting.answer.done():  # whoever asked may have lost patience
                return waiting

    async def _work(self, process: _Process) -> None:
        # There before it is needed: the first question should not wait for a process to start.
        with contextlib.suppress(OSError):
            await process.start()
        while True:
            waiting = await self._next()
            said: Answer | None = None
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
    """Two rows: one process for what is answered at once, and some for what takes long, which give way to
    everything else on the machine. Each is started when the first table needs it."""

    def __init__(self) -> None:
        self._quick = _Row(1, nice=0)
        self._deep = _Row(max(1, (os.cpu_count() or 2) - 1), nice=5)
        self._slow: dict[str, None] = {}
        """Tables whose questions take long, the newest last."""

    def warm(self) -> None:
        """Somebody will ask soon."""
        self._quick.open()

    async def answer(self, ask: Ask) -> Answer | None:
        """None when there is none in time; raises `Busy`."""
        if ask.level not in SEARCHERS and ask.table not in self._slow and not ask.from_record:
            said = await self._quick.answer(ask, MOST_QUICK)
            if said is None or said.took > _SLOW:
                self._note_slow(ask.table)
            if said is not None:
                return said
        return await self._deep.answer(ask, ask.budget + MOST_DEEP)

    def _note_slow(self, table: str) -> None:
        _logger.info("slow_table", table=table)
        self._slow[table] = None
        if len(self._slow) > _MOST_SLOW:
            del self._slow[next(iter(self._slow))]

    async def close(self) -> None:
        await asyncio.gather(self._quick.close(), self._deep.close())
