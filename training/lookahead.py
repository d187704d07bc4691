"""Try out decisions while tables play.

Every candidate that the network finds likely is played in the same deal, the true one. The network continues
to the end of the next player's turn, and the critic evaluates the result. A single deal says little about one
decision. But it is an unbiased sample of everything the player couldn't see, and over millions of decisions
the learner can only learn what a player can see. So no deals have to be sampled, and a decision costs about
fifteen evaluations instead of the hundreds that a search needs.
"""

import random
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from librt.strings import BytesWriter

from canasta.bots.expert.rollouts import seat_to_act
from canasta.bots.learned.coverage import unit_of
from canasta.bots.learned.search import LEAST, TURNS, CandidateRollout, margin, value_for_side
from canasta.engine.observation.encoder import Observer
from canasta.engine.state import OVER, HandState
from canasta.research.batch import Batch
from canasta.research.episode import Episode, EpisodeGame
from canasta.research.workers import WorkerMemory
from training.sampler import game_of
from training.shm_sync import Orders, Signals
from training.task_mix import TableSet

MOST: Final = 4
"""Maximum number of candidates of a decision."""
NONE: Final = -1
"""Action number of an empty slot."""
_ROOT: Final = -1
"""Line number that means the table itself."""


class Board:
    """The requests of the processes, the network's answers, and the decisions tried out, in shared memory.

    `counts` contains the number of each, by process.
    """

    def __init__(self, processes: int, tables: int, row: int, name: str | None = None) -> None:
        """Create the arrays, with this many tables in each process, or open the shared memory `name`."""
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
        self.memory = WorkerMemory(name) if name else WorkerMemory(create=True, size=self.size)
        found: dict[str, npt.NDArray[Any]] = {}
        at = 0
        for (what, kind, shape), size in zip(shapes, sizes, strict=True):
            whole = np.frombuffer(self.memory.bytes(), np.uint8, size, at)
            found[what] = whole.view(kind).reshape(processes, *shape)
            at += size
        self.counts: npt.NDArray[np.int64] = found["counts"]
        """Number of requested rows, and number of finished decisions."""
        self.asked: npt.NDArray[np.uint8] = found["asked"]
        """Requested rows: an observation, the mask and the hidden cards."""
        self.actions: npt.NDArray[np.int32] = found["actions"]
        """Answer: the likeliest actions, best first."""
        self.chances: npt.NDArray[np.float32] = found["chances"]
        """Answer: the log probabilities of these actions."""
        self.judged: npt.NDArray[np.float32] = found["judged"]
        """Answer: the critic's values, in units."""
        self.seen: npt.NDArray[np.uint8] = found["seen"]
        """Decisions tried out: their rows."""
        self.tried: npt.NDArray[np.int32] = found["tried"]
        """Decisions tried out: the actions of the candidates."""
        self.before: npt.NDArray[np.float32] = found["before"]
        """Decisions tried out: the original log probabilities of the candidates."""
        self.values: npt.NDArray[np.float32] = found["values"]
        """Decisions tried out: the outcomes of the candidates, in units."""
        self.chosen: npt.NDArray[np.int32] = found["chosen"]
        """Decisions tried out: the candidate with which the table continued."""
        self.games: npt.NDArray[np.int32] = found["games"]

    def close(self) -> None:
        self.memory.close()
        self.memory.unlink()


class Table:
    """A match in progress, and the decision being tried out there."""

    def __init__(self, table_set: TableSet, game: EpisodeGame, seed: str) -> None:
        self.game = game
        self.number = table_set.game
        self._unit = unit_of(table_set.rules)
        self.episode = Episode(game)
        self.episode.begin(seed)
        self.lines: list[CandidateRollout] = []
        self.values: list[float | None] = []
        """The outcome of each line; `None` while it is being played."""
        self.actions: list[int] = []
        self.chances: list[float] = []
        self.chosen = 0
        self.root = b""
        self._side = 0
        self._find_choice()

    def _find_choice(self) -> None:
        """Play on to the next choice."""
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
        """Start trying out the actions that the network finds likely."""
        likely = [at for at, chance in enumerate(chances) if chance - chances[0] >= LEAST]
        self.actions = actions[: len(likely)]
        self.chances = chances[: len(likely)]
        self.chosen = rng.choices(likely, np.exp(self.chances).tolist())[0]
        if len(likely) == 1:
            self.go_on()
            return
        episode = self.episode
        self.values = [None] * len(likely)
        # The present turn counts as the first.
        self.lines = [
            CandidateRollout(episode.state.copy(), episode.observer.copy(), TURNS + 1) for _ in likely
        ]
        for at, action in enumerate(self.actions):
            self._play(at, action)

    def answer(self, at: int, action: int, judged: float) -> None:
        """Continue a line with the network's action. If the line is finished, record the critic's value."""
        line = self.lines[at]
        if line.is_played(self._side):
            self.values[at] = value_for_side(line.state, self._side, judged)
        else:
            self._play(at, action)

    def _play(self, at: int, action: int) -> None:
        line = self.lines[at]
        line.make(self.game.steps[action])
        line.go_on()
        if line.state.phase == OVER:
            self.values[at] = margin(line.state, self._side) / self._unit

    def is_tried(self) -> bool:
        """Return whether the decision has been tried out completely."""
        return bool(self.lines) and None not in self.values

    def go_on(self) -> None:
        """Make the chosen step, and continue to the next choice."""
        self.episode.step(self.game.steps[self.actions[self.chosen]])
        self._find_choice()

    def questions(self) -> list[tuple[int, bytes]]:
        """Return the rows to evaluate, with the line of each: the table's own row, or those of unfinished
        lines.
        """
        if not self.lines:
            return [(_ROOT, self.root)]
        return [
            (at, row_of(self.game, line.state, line.observer, line.legal))
            for at, line in enumerate(self.lines)
            if self.values[at] is None
        ]


def row_of(game: EpisodeGame, state: HandState, observer: Observer, legal: list[int]) -> bytes:
    """Return a row in the format of `Batch`: an observation, the mask, the hidden cards."""
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

    def __init__(
        self, board: Board, number: int, table_sets: list[TableSet], games: list[EpisodeGame], seed: str
    ) -> None:
        self._board = board
        self._number = number
        self._rng = random.Random(seed)
        self.tables = [
            Table(table_set, game, f"{seed}/{at}/{table}")
            for at, (table_set, game) in enumerate(zip(table_sets, games, strict=True))
            for table in range(table_set.count)
        ]
        self._asked: list[tuple[Table, int]] = []

    def step(self) -> None:
        """Read the answers, play on, and write new requests."""
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


class Lookahead(Signals):
    """Tries out decisions in worker processes.

    Call `wait(g)` until group g has requests, answer them on its board, then call `go(g)`.
    """

    def __init__(self, table_sets: list[list[TableSet]], groups: int, seed: str) -> None:
        """Start the processes. `table_sets` contains the tables of each process."""
        super().__init__(len(table_sets), groups)
        tables = max(sum(table_set.count for table_set in each) for each in table_sets)
        row = Batch.row_size(game_of(table_sets[0][0]), hidden=True)
        self.boards = [Board(len(table_sets), tables, row) for _ in range(groups)]
        self.row = row
        self.most_done = len(table_sets) * tables
        """Maximum number of decisions of a group that can finish in one step."""
        names = [board.memory.name for board in self.boards]
        size = (len(table_sets), tables, row)
        self.start(
            _work,
            ((number, self.name, names, size, each, seed) for number, each in enumerate(table_sets)),
        )

    def close(self) -> None:
        super().close()
        for board in self.boards:
            board.close()


def _work(
    number: int,
    signals: str,
    names: list[str],
    size: tuple[int, int, int],
    table_sets: list[TableSet],
    seed: str,
) -> None:
    orders = Orders(signals, len(names), number)
    games = [game_of(table_set) for table_set in table_sets]
    shares = [
        Share(Board(*size, name=name), number, table_sets, games, f"{seed}/{group}/{number}")
        for group, name in enumerate(names)
    ]
    for group, _ in orders:
        shares[group].step()
