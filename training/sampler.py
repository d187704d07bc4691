"""Tables that are stepped by processes while the network thinks about other tables.

There are groups of tables. Every process has a share of each group, so while one group is on the GPU all
processes step the other.
"""

from array import array
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from canasta.engine.observing.observer import HIDDEN_NUMBERS
from canasta.research.batch import Batch
from canasta.research.episode import Game
from canasta.research.opponents import Opponents
from canasta.research.workers import Memory, Plan
from training.mixture import Sort
from training.signals import Orders, Signals


def game_of(sort: Sort) -> Game:
    return Game(
        sort.rules,
        whole_match=sort.whole_match,
        random_scores=not sort.whole_match,
        universal=True,
    )


class Group:
    """Tables of all sorts, in memory that the processes share: those of a process lie together."""

    def __init__(self, sorts: list[list[Sort]]) -> None:
        """`sorts` by process."""
        game = game_of(sorts[0][0])
        self.seats = game.marks.layout.seats
        self.observation_size = game.marks.layout.size
        self.action_count = game.actions
        self.hidden_size = HIDDEN_NUMBERS
        self.sorts = [sort for each in sorts for sort in each]
        """That of each share."""
        self.plan = Plan(
            list(accumulate((sort.count for sort in self.sorts), initial=0)),
            Batch.row_size(game, hidden=True),
            self.seats,
        )
        self.count = count = self.plan.shares[-1]
        row = self.plan.row
        self.memory = Memory(create=True, size=self.plan.size)
        buffer = self.memory.bytes()
        self.shown: npt.NDArray[np.uint8] = np.frombuffer(buffer, np.uint8, count * row).reshape(count, row)
        self.acting: npt.NDArray[np.uint8] = np.frombuffer(buffer, np.uint8, count, self.plan.at_acting)
        self.done: npt.NDArray[np.uint8] = np.frombuffer(buffer, np.uint8, count, self.plan.at_done)
        self.rewards: npt.NDArray[np.float32] = np.frombuffer(
            buffer, np.float32, count * self.seats, self.plan.at_rewards
        ).reshape(count, self.seats)
        self.actions: npt.NDArray[np.int32] = np.frombuffer(buffer, np.int32, count, self.plan.at_actions)


class Sampler:
    """`wait(g)` until group g shows its tables, then write `groups[g].actions` and `go(g)`.

    At tables where it is shown, the actions that `club` would choose are there already, until
    `advise(False)`.
    """

    def __init__(self, sorts: list[list[Sort]], groups: int, seed: str, *, advised: bool = False) -> None:
        """`sorts`: the tables of each process."""
        self.groups = [Group(sorts) for _ in range(groups)]
        self._signals = Signals(len(sorts), groups)
        """The flag: `club` gives advice."""
        self.advise(advised)
        parts = [(group.memory.name, group.plan) for group in self.groups]
        self._signals.start(
            _work,
            (
                (number, sum(map(len, sorts[:number])), self._signals.name, parts, each, seed)
                for number, each in enumerate(sorts)
            ),
        )

    def advise(self, wanted: bool) -> None:
        self._signals.set_flag(wanted)

    def go(self, group: int) -> None:
        self._signals.go(group)

    def wait(self, group: int) -> None:
        """Until every process has stepped its share; raises `CanastaError` when one has ended."""
        self._signals.wait(group)

    def close(self) -> None:
        self._signals.close()
        for group in self.groups:
            group.memory.close()
            group.memory.unlink()


def _work(
    number: int, first: int, signals: str, parts: list[tuple[str, Plan]], sorts: list[Sort], seed: str
) -> None:
    """What a process does: the first order of a group deals, the others step. `first` is its first share."""
    orders = Orders(signals, len(parts), number)
    opened = [Memory(name) for name, _ in parts]
    games = [game_of(sort) for sort in sorts]
    batches = [
        [
            plan.batch(
                games[at],
                "margin",
                memory.bytes(),
                first + at,
                Opponents(games[at], sort.opponents) if sort.opponents else None,
                hidden=True,
            )
            for at, sort in enumerate(sorts)
        ]
        for memory, (_, plan) in zip(opened, parts, strict=True)
    ]
    actions = [
        [plan.actions(memory.bytes(), first + at) for at in range(len(sorts))]
        for memory, (_, plan) in zip(opened, parts, strict=True)
    ]
    for group, is_first in orders:
        shares = parts[group][1].shares
        for at, (batch, chosen) in enumerate(zip(batches[group], actions[group], strict=True)):
            if is_first:
                batch.reset(f"{seed}/{group}", shares[first + at])
            else:
                batch.step(chosen.tolist())
            if orders.flag(group) and sorts[at].is_shown:
                chosen[:] = array("i", batch.advice())
