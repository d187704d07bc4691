"""Searching computer players think in processes of their own, so that no table waits for another.

A process rebuilds the match from its deals and moves, as anybody could from the record, and shows the player
the view of its seat.
"""

import asyncio
import contextlib
import multiprocessing
import os
import signal
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Final

import structlog

from canasta.bots import Bot, get_bot
from canasta.engine.match import Match
from canasta.engine.shuffle import FairDeal
from canasta.notation.moves import format_move, parse_move
from canasta.rules import resolve_ruleset
from canasta.server.room_log import Option
from canasta.server.rooms import Step

_logger = structlog.get_logger()

_MOST_TABLES: Final = 50
_PATIENCE: Final = 10.0
"""Seconds beyond the budget: the first time, the process has to start."""


@dataclass(frozen=True)
class Question:
    """What to do at this table? In plain values: compiled classes do not travel between processes."""

    table: str
    rules: str
    players: int
    options: dict[str, Option]
    steps: list[Step]
    seat: int
    level: str
    budget: float


class Thinkers:
    """A few processes, started when the first one is needed."""

    def __init__(self, most: int | None = None) -> None:
        self._most = most or max(1, (os.cpu_count() or 2) - 1)
        self._pool: ProcessPoolExecutor | None = None

    async def move_for(self, question: Question) -> str | None:
        """The text of a move; None when there was no answer."""
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self._most, context, initializer=_begin, initargs=(os.getpid(),))
        answer = asyncio.get_running_loop().run_in_executor(self._pool, think, question)
        try:
            return await asyncio.wait_for(answer, question.budget + _PATIENCE)
        except BrokenProcessPool:
            _logger.warning("thinker_died", table=question.table)
            self.close()
        except TimeoutError:
            _logger.warning("thinker_too_slow", table=question.table)
        return None

    def close(self) -> None:
        if self._pool is None:
            return
        pool, self._pool = self._pool, None
        processes = list((pool._processes or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            with contextlib.suppress(OSError, ValueError):
                process.terminate()


# -- in the other process ------------------------------------------------------------------------------------

_tables: dict[str, tuple[Match, int]] = {}
"""Matches, with the number of steps that they have gone."""
_bots: dict[tuple[str, int, str], Bot] = {}


def _begin(parent: int) -> None:
    """Ctrl-C is for the server, which ends this process when it is done; and nobody outlives it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(0)


def think(question: Question) -> str:
    match = _match(question)
    key = (question.table, question.seat, question.level)
    if key not in _bots:
        _bots[key] = get_bot(question.level, f"{question.table}/{question.seat}", question.budget)
    return format_move(_bots[key].choose(match.hand.view(question.seat)))


def _match(question: Question) -> Match:
    match, gone = _tables.get(question.table, (None, 0))
    steps = question.steps
    if len(_tables) >= _MOST_TABLES:
        _tables.clear()
        _bots.clear()
    if match is None:
        first = steps[0]
        assert not isinstance(first, str), "a game begins with a deal"
        rules = resolve_ruleset(question.rules, question.players, question.options)
        match, gone = Match.new(rules, question.table, fair=FairDeal(*first)), 1
    # Should a step fail, the next question begins anew.
    _tables.pop(question.table, None)
    for step in steps[gone:]:
        if isinstance(step, str):
            match.apply(parse_move(step))
        else:
            match.deal_next(FairDeal(*step))
    _tables[question.table] = (match, len(steps))
    return match
