"""Decisions that are tried out while tables play.

Every candidate that the network finds likely is made in the same deal, the true one; the network plays on
there to the end of the next player's turn, and the judge speaks. One deal says little of a decision. But it
is a fair draw from all that the player could not see, and who learns from millions of decisions cannot learn
more of a deal than a player sees of it. So no deals have to be imagined, and a decision costs some fifteen
looks at a table, where a search costs hundreds.
"""

import random
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from librt.strings import BytesWriter

from canasta.bots.expert.playing_out import seat_to_act
from canasta.bots.learned.judged import TURNS, Line, for_side, margin
from canasta.bots.learned.plans import LEAST
from canasta.bots.learned.trained import unit_of
from canasta.engine.observing.observer import Observer
from canasta.engine.state import OVER, HandState
from canasta.research.batch import Batch
from canasta.research.episode import Episode, Game
from canasta.research.workers import Memory
from training.mixture import Sort
from training.sampler import game_of
from training.signals import Orders, Signals

MOST: Final = 4
"""Candidates of a decision."""
NONE: Final = -1
"""In place of an action: there are fewer candidates."""
_ROOT: Final = -1
"""In place of the number of a line: the table itself asks."""


class Board:
    """What the processes ask and the network answers, and the decisions that were tried out: for each process
    as many as `counts` says."""

    def __init__(self, processes: int, tables: int, row: int, name: str | None = None) -> None:
        """`tables`: in each process. `name`: of memory that another has made."""
        rows = tables * MOST
        shapes: list[tuple[str, Any, tuple[int, ...]]] = [
            ("counts", np.int64, (2,)),
            *(("chances", np.float32, (rows, MOST)), ("judged", np.float32, (rows,))),
            *(("actions", np.int32, (rows, MOST)), ("tried", np.int32, (tables, MOST))),
            *(("before", np.float32, (tables, MOST)), ("values", np.float32, (tables, MOST))),
            *(("chosen", np.int32, (tables,)), ("games", np.int32, (tables,))),
            *(("asked", np.uint8, (rows, row)), ("seen", np.uint8, (tables, row))),
        ]
        sizes = [processes * int(np.prod(shape)) * np.dtype(kind).itemsize for _, kind, shape in shapes]
        self.size = sum(sizes)
        self.memory = Memory(name) if name else Memory(create=True, size=self.size)
        found: dict[str, npt.NDArray[Any]] = {}
        at = 0
        for (what, kind, shape), size in zip(shapes, sizes, strict=True):
            whole = np.frombuffer(self.memory.bytes(), np.uint8, size, at)
            found[what] = whole.view(kind).reshape(processes, *shape)
            at += size
        self.counts: npt.NDArray[np.int64] = found["counts"]
        """Rows that are asked, and decisions that are done."""
        self.asked: npt.NDArray[np.uint8] = found["asked"]
        """Rows: an observation, the mask, what is hidden."""
        self.actions: npt.NDArray[np.int32] = found["actions"]
        """The answer: the likeliest actions, the best one first,"""
        self.chances: npt.NDArray[np.float32] = found["chances"]
        """the logarithms of their chances,"""
        self.judged: npt.NDArray[np.float32] = found["judged"]
        """and what the judge says, in units."""
        self.seen: npt.NDArray[np.uint8] = found["seen"]
        """Rows at which decisions were tried out."""
        self.tried: npt.NDArray[np.int32] = found["tried"]
        """The actions of the candidates,"""
        self.before: npt.NDArray[np.float32] = found["before"]
        """the logarithms of their chances as they were,"""
        self.values: npt.NDArray[np.float32] = found["values"]
        """and what came of them, in units."""
        self.chosen: npt.NDArray[np.int32] = found["chosen"]
        """Which candidate the table went on with."""
        self.games: npt.NDArray[np.int32] = found["games"]

    def close(self) -> None:
        self.memory.close()
        self.memory.unlink()


class Table:
    """A match in progress, and the decision that is tried out there."""

    def __init__(self, sort: Sort, game: Game, seed: str) -> None:
        self.game = game
        self.number = sort.game
        self._unit = unit_of(sort.rules)
        self.episode = Episode(game)
        self.episode.begin(seed)
        self.lines: list[Line] = []
        self.values: list[float | None] = []
        """What came of each line; None as long as it is played."""
        self.actions: list[int] = []
        self.chances: list[float] = []
        self.chosen = 0
        self.root = b""
        self._side = 0
        self._find_choice()

    def _find_choice(self) -> None:
        """Play on to where there is one."""
        episode = self.episode
        while episode.over or episode.legal_count() == 1:
            if episode.over:
                episode.begin_next()
            else:
                episode.step(episode.legal_at(0))
        state = episode.state
        self._side = state.side_of[seat_to_act(state)]
        self.lines = []
        self.root = row_of(self.game, state, episode.observer, episode.legal)

    def decide(self, actions: list[int], chances: list[float], rng: random.Random) -> None:
        """The network has said what it finds likely."""
        likely = [at for at, chance in enumerate(chances) if chance - chances[0] >= LEAST]
        self.actions = actions[: len(likely)]
        self.chances = chances[: len(likely)]
        self.chosen = rng.choices(likely, np.exp(self.chances).tolist())[0]
        if len(likely) == 1:
            self.go_on()
            return
        episode = self.episode
        self.values = [None] * len(likely)
        # The present turn is the first.
        self.lines = [Line(episode.state.copy(), episode.observer.copy(), TURNS + 1) for _ in likely]
        for at, action in enumerate(self.actions):
            self._play(at, action)

    def answer(self, at: int, action: int, judged: float) -> None:
        """The network has looked at a line: it plays on, or the judge has spoken."""
        line = self.lines[at]
        if line.is_played(self._side):
            self.values[at] = for_side(line.state, self._side, judged)
        else:
            self._play(at, action)

    def _play(self, at: int, action: int) -> None:
        line = self.lines[at]
        line.make(self.game.steps[action])
        line.go_on()
        if line.state.phase == OVER:
            self.values[at] = margin(line.state, self._side) / self._unit

    def is_tried(self) -> bool:
        """The decision has been tried out."""
        return bool(self.lines) and None not in self.values

    def go_on(self) -> None:
        """Make the step that was chosen, and go to the next choice."""
        self.episode.step(self.game.steps[self.actions[self.chosen]])
        self._find_choice()

    def questions(self) -> list[tuple[int, bytes]]:
        """Rows to look at: the table's own, or those of the lines that are still played."""
        if not self.lines:
            return [(_ROOT, self.root)]
        return [
            (at, row_of(self.game, line.state, line.observer, line.legal))
            for at, line in enumerate(self.lines)
            if self.values[at] is None
        ]


def row_of(game: Game, state: HandState, observer: Observer, legal: list[int]) -> bytes:
    """As a batch shows it: an observation, the mask, what is hidden."""
    row = BytesWriter()
    seat = seat_to_act(state)
    observer.write_to(row, state, seat)
    first = len(row)
    row.write(game.no_actions)
    for step in legal:
        row[first + game.action_of[step]] = 1
    observer.write_hidden_to(row, state, seat)
    return row.getvalue()


class Share:
    """The tables of one process and group."""

    def __init__(self, board: Board, number: int, sorts: list[Sort], games: list[Game], seed: str) -> None:
        self._board = board
        self._number = number
        self._rng = random.Random(seed)
        self.tables = [
            Table(sort, game, f"{seed}/{at}/{table}")
            for at, (sort, game) in enumerate(zip(sorts, games, strict=True))
            for table in range(sort.count)
        ]
        self._asked: list[tuple[Table, int]] = []

    def step(self) -> None:
        """Read the answers to what was asked, play on, and ask anew."""
        board, mine = self._board, self._number
        count = len(self._asked)
        for (table, line), actions, chances, judged in zip(
            self._asked,
            board.actions[mine, :count].tolist(),
            board.chances[mine, :count].tolist(),
            board.judged[mine, :count].tolist(),
            strict=True,
        ):
            if line == _ROOT:
                table.decide(actions, chances, self._rng)
            else:
                table.answer(line, actions[0], judged)
        self._asked = []
        done = 0
        for table in self.tables:
            if table.is_tried():
                self._tell(done, table)
                done += 1
                table.go_on()
            for line, row in table.questions():
                board.asked[mine, len(self._asked)] = np.frombuffer(row, np.uint8)
                self._asked.append((table, line))
        board.counts[mine] = len(self._asked), done

    def _tell(self, at: int, table: Table) -> None:
        board, mine = self._board, self._number
        count = len(table.actions)
        board.seen[mine, at] = np.frombuffer(table.root, np.uint8)
        board.tried[mine, at] = NONE
        board.tried[mine, at, :count] = table.actions
        board.before[mine, at, :count] = table.chances
        board.values[mine, at, :count] = table.values
        board.chosen[mine, at] = table.chosen
        board.games[mine, at] = table.number


class Trials:
    """`wait(g)` until group g asks, then answer on its board and `go(g)`."""

    def __init__(self, sorts: list[list[Sort]], groups: int, seed: str) -> None:
        """`sorts`: the tables of each process."""
        tables = max(sum(sort.count for sort in each) for each in sorts)
        row = Batch.row_size(game_of(sorts[0][0]), hidden=True)
        self.boards = [Board(len(sorts), tables, row) for _ in range(groups)]
        self.row = row
        self.most_done = len(sorts) * tables
        """Decisions that can be done at a time, in a group."""
        self._signals = Signals(len(sorts), groups)
        names = [board.memory.name for board in self.boards]
        size = (len(sorts), tables, row)
        self._signals.start(
            _work,
            ((number, self._signals.name, names, size, each, seed) for number, each in enumerate(sorts)),
        )

    def go(self, group: int) -> None:
        self._signals.go(group)

    def wait(self, group: int) -> None:
        """Until every process has played on; raises `CanastaError` when one has ended."""
        self._signals.wait(group)

    def close(self) -> None:
        self._signals.close()
        for board in self.boards:
            board.close()


def _work(
    number: int, signals: str, names: list[str], size: tuple[int, int, int], sorts: list[Sort], seed: str
) -> None:
    orders = Orders(signals, len(names), number)
    games = [game_of(sort) for sort in sorts]
    shares = [
        Share(Board(*size, name=name), number, sorts, games, f"{seed}/{group}/{number}")
        for group, name in enumerate(names)
    ]
    for group, _ in orders:
        shares[group].step()
