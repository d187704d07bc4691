"""Worker processes that each step a share of the tables in shared memory."""

import multiprocessing
import os
import signal
import time
from array import array
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.shared_memory import SharedMemory
from typing import Any, Final

from canasta.errors import InputError
from canasta.research.batch import Batch
from canasta.research.episode import EpisodeGame
from canasta.research.opponents import OpponentMix, Opponents
from canasta.rules import Ruleset

FLOAT: Final = 4
"""Size of a reward and of an action in bytes."""

PATIENCE: Final = 0.0002
"""Seconds to poll before sleeping: waking up takes as long as a step."""

ORDERS: Final = 0
ANSWERS: Final = 1
SIGNALS: Final = 2
"""Number of counter bytes that a worker shares with its parent: orders sent and answers sent."""


@dataclass(frozen=True)
class WorkerSetup:
    """The setup of all processes: the game, the opponents, and the data to show."""

    rules: Ruleset
    whole_match: bool
    random_scores: bool
    idle_questions: bool
    universal: bool
    company: OpponentMix
    hidden: bool

    def game(self) -> EpisodeGame:
        return EpisodeGame(
            self.rules, self.whole_match, self.random_scores, self.idle_questions, self.universal
        )


def even_shares(count: int, processes: int) -> list[int]:
    """Return the first table of each process, followed by the number of tables."""
    return [count * number // processes for number in range(processes + 1)]


class MemoryLayout:
    """The layout of the shared memory, and each process's part of it."""

    def __init__(self, shares: list[int], row: int, seats: int) -> None:
        """`shares` contains the first table of each share, followed by the number of tables."""
        count = shares[-1]
        self.row = row
        self.seats = seats
        self.shares = shares
        self.at_rewards = -(-count * row // FLOAT) * FLOAT
        self.at_actions = self.at_rewards + FLOAT * count * seats
        self.at_acting = self.at_actions + FLOAT * count
        self.at_done = self.at_acting + count
        self.at_signals = self.at_done + count
        self.size = self.at_signals + SIGNALS * (len(shares) - 1)

    def batch(
        self,
        game: EpisodeGame,
        rewards: str,
        buffer: memoryview,
        number: int,
        opponents: Opponents | None = None,
        hidden: bool = False,
    ) -> Batch:
        """Return the tables of a share, which write to their part of the memory."""
        first, last = self.shares[number], self.shares[number + 1]
        paid = buffer[
            self.at_rewards + FLOAT * first * self.seats : self.at_rewards + FLOAT * last * self.seats
        ]
        return Batch(
            game,
            last - first,
            rewards,
            buffer[first * self.row : last * self.row],
            buffer[self.at_acting + first : self.at_acting + last],
            buffer[self.at_done + first : self.at_done + last],
            paid.cast("f"),
            opponents,
            hidden,
        )

    def actions(self, buffer: memoryview, number: int) -> "memoryview[int]":
        """Return the actions chosen for the tables of a share."""
        first, last = self.shares[number], self.shares[number + 1]
        return buffer[self.at_actions + FLOAT * first : self.at_actions + FLOAT * last].cast("i")

    def signals(self, buffer: memoryview, number: int) -> memoryview:
        at = self.at_signals + SIGNALS * number
        return buffer[at : at + SIGNALS]


class WorkerMemory(SharedMemory):
    """Shared memory that may be closed while arrays in it are still in use; it is freed afterwards."""

    def close(self) -> None:
        with suppress(BufferError):
            super().close()

    def bytes(self) -> memoryview:
        buffer = self.buf
        assert buffer is not None, "the memory is open"
        return buffer


class TableWorker:
    """A process with a share of the tables, from its parent's side. Methods raise `ConnectionError` or
    `EOFError` if the process has died.
    """

    def __init__(
        self, memory: WorkerMemory, plan: MemoryLayout, number: int, asked: WorkerSetup, rewards: str
    ) -> None:
        context = multiprocessing.get_context("spawn")
        # On Windows the class is another one with the same methods.
        pipe: Any
        pipe, there = context.Pipe()
        self._pipe: Connection[Any, Any] = pipe
        self._signals = plan.signals(memory.bytes(), number)
        self._ordered = 0
        self._answered = 0
        self._process = context.Process(
            target=_work,
            args=(there, memory.name, plan, number, rewards),
            daemon=True,
        )
        self._process.start()
        there.close()
        # Sent separately: if the process dies before it reads these arguments, `start` would not report it.
        self._pipe.send(asked)

    def order(self, words: str) -> None:
        self._pipe.send_bytes(words.encode())
        self._ordered += 1
        self._signals[ORDERS] = self._ordered % 256

    def answer(self) -> str:
        """Wait until every order has been executed. Return the first error message, or an empty string."""
        first_problem = ""
        while self._answered < self._ordered:
            _look_out(self._signals, ANSWERS, self._answered)
            problem = self._pipe.recv_bytes().decode()
            self._answered += 1
            first_problem = first_problem or problem
        return first_problem

    def has_answered(self) -> bool:
        return self._answered > 0

    def end(self) -> None:
        with suppress(ConnectionError):  # the process may have died
            self._pipe.send_bytes(b"close")
        self._process.join()
        self._pipe.close()
        self._signals.release()


def dismiss(workers: list[TableWorker], memory: WorkerMemory) -> None:
    """Stop the workers and free the memory."""
    while workers:
        workers.pop().end()
    memory.close()
    memory.unlink()


def _look_out(signals: memoryview, at: int, seen: int) -> None:
    """Return when a new signal has arrived, or when it is time to sleep."""
    until = time.perf_counter() + PATIENCE
    while signals[at] == seen % 256 and time.perf_counter() < until:
        _give_way()


_give_way = getattr(os, "sched_yield", int)
"""Yields the processor: with fewer cores than processes, the others need it."""


def _work(
    pipe: "Connection[Any, Any]",
    name: str,
    plan: MemoryLayout,
    number: int,
    rewards: str,
) -> None:
    """Run a worker: wait for an order, execute it, answer with the error message if any."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    memory = WorkerMemory(name)
    buffer = memory.bytes()
    asked: WorkerSetup = pipe.recv()
    game = asked.game()
    batch = plan.batch(game, rewards, buffer, number, asked.company.at(game), asked.hidden)
    actions = plan.actions(buffer, number)
    signals = plan.signals(buffer, number)
    carried_out = 0
    while True:
        _look_out(signals, ORDERS, carried_out)
        try:
            order, _, words = pipe.recv_bytes().decode().partition(" ")
        except (EOFError, ConnectionError):
            break
        if order == "close":
            break
        problem = ""
        try:
            _carry_out(batch, actions, plan.shares[number], order, words)
        except InputError as error:
            problem = str(error)
        pipe.send_bytes(problem.encode())
        carried_out += 1
        signals[ANSWERS] = carried_out % 256


def _carry_out(batch: Batch, actions: "memoryview[int]", first: int, order: str, words: str) -> None:
    if order == "reset":
        batch.reset(words, first)
    elif order == "step":
        batch.step(actions.tolist(), are_legal=True)
    elif order == "sample":
        actions[:] = array("i", batch.sample())
    else:
        for _ in range(int(words)):
            batch.step_randomly()
