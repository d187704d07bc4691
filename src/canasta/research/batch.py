"""A batch of tables stepped together, whose observations are written into given memory."""

from typing import Final

from librt.strings import BytesWriter
from mypy_extensions import i64

from canasta.bots.club.policy import club_step
from canasta.bots.club.weights import Weights, weights_for
from canasta.engine.observation.encoder import HIDDEN_NUMBERS
from canasta.engine.rng import Rng
from canasta.errors import InputError
from canasta.research.episode import NO_STEP, Episode, EpisodeGame, side_rewards
from canasta.research.opponents import Opponents

TOGETHER: Final = 16
"""Number of tables that are stepped and shown together, one phase at a time. This keeps the code of a
phase and its output in the processor's cache.
"""
MANY: Final = 512
"""Number of tables from which they don't fit into the cache, so the next ones are prefetched."""
LINE: Final = 64
"""Size of a cache line in bytes."""


def not_legal(action: int, table: int) -> str:
    return f"action {action} is not legal at table {table}; see its mask"


class Batch:
    """Tables numbered from `first`, each dealt again as soon as its episode ends.

    `shown` has a row for each table: the observation of the seat to act, followed by the mask of its actions.
    `acting` contains the seat to act, and `done` is 1 if the last step ended an episode. `rewards` has a
    number for each seat: nonzero only if a hand ended.
    """

    def __init__(
        self,
        game: EpisodeGame,
        count: int,
        rewards_as: str,
        shown: memoryview,
        acting: memoryview,
        done: memoryview,
        rewards: "memoryview[float]",
        opponents: Opponents | None = None,
        hidden: bool = False,
    ) -> None:
        """Create the tables. The turns of `opponents`, who sit only at these tables, are not shown.

        `hidden` adds to each row what the seat to act cannot see, for a critic in training.
        """
        self.game: EpisodeGame = game
        self.count: int = count
        self.tables: list[Episode] = [Episode(game) for _ in range(count)]
        self._rewards_as: str = rewards_as
        self._opponents: Opponents | None = opponents
        self._some_think: bool = opponents is not None and opponents.have_learned
        self._club: Weights = weights_for(game.tables)
        self._hidden: bool = hidden
        row = self.row_size(game, hidden)
        self._seats_paid: int = game.marks.layout.seats
        self._shown: list[memoryview] = [
            shown[first * row : min(first + TOGETHER, count) * row] for first in range(0, count, TOGETHER)
        ]
        self._acting: memoryview = acting
        self._done: memoryview = done
        self._rewards: memoryview[float] = rewards
        self._rows: BytesWriter = BytesWriter()
        self._seats: BytesWriter = BytesWriter()
        self._was_done: list[int] = []
        self._first: int = 0
        self._read: i64 = 0
        self._rng: Rng = Rng("")

    @staticmethod
    def row_size(game: EpisodeGame, hidden: bool = False) -> int:
        """Return the number of bytes in a row of `shown`."""
        return game.marks.layout.size + game.actions + (HIDDEN_NUMBERS if hidden else 0)

    def reset(self, seed: str, first: int) -> None:
        """Deal all tables. Each has its own seed, however the tables are spread over processes."""
        self._first = first
        self._rng = Rng(f"{seed}/sample/{first}")
        self._was_done = list(range(self.count))
        self._before_steps()
        for index in range(self.count):
            self.tables[index].begin(f"{seed}/{first + index}")
        if self._opponents is not None:
            self._opponents.begin(seed, first, self.count)
        for index in range(0, self.count, TOGETHER):
            self._go_on_and_show(index, self.tables[index : index + TOGETHER])
        self._after_steps(self.count)
        # Hands that ended before a learner first acts earn no rewards.
        self._clear_done()

    def step(self, actions: list[int], are_legal: bool = False) -> None:
        """Make an action at every table, or none at all if one of them is illegal.

        `are_legal` means that the caller has checked the masks, so tables are not all checked in advance. If
        a mask was overwritten, the tables before the illegal action have then already moved.
        """
        if not are_legal:
            self._check(actions)
        steps = self.game.steps
        self._before_steps()
        for first in range(0, self.count, TOGETHER):
            tables = self._next_tables(first)
            chosen: list[int] = []
            for index in range(len(tables)):
                step = steps[actions[first + index]]
                if are_legal and not tables[index].is_legal(step):
                    self._after_steps(first)
                    raise InputError(not_legal(actions[first + index], self._first + first + index))
                chosen.append(step)
            self._make(first, tables, chosen)
        self._after_steps(self.count)

    def step_randomly(self) -> None:
        """Make a random legal action at every table. Equal to `step(sample())`, but each table is fetched
        from memory once instead of three times.
        """
        rng = self._rng
        self._before_steps()
        for first in range(0, self.count, TOGETHER):
            tables = self._next_tables(first)
            chosen = [table.legal_at(rng.below(table.legal_count())) for table in tables]
            self._make(first, tables, chosen)
        self._after_steps(self.count)

    def _next_tables(self, first: int) -> list[Episode]:
        """Return the tables that are stepped together, starting with this one."""
        tables = self.tables[first : first + TOGETHER]
        if self.count >= MANY:
            self._read_ahead(tables)
        return tables

    def _read_ahead(self, tables: list[Episode]) -> None:
        """Read a byte from every cache line that the next steps will need.

        The pointers of all tables are read first, then the data. Memory can then serve all tables in
        parallel, while a single step would wait for one access after another. The sum has no meaning.
        """
        read: i64 = 0
        for table in tables:
            read += table.legal_from
        for table in tables:
            read += table.state.turn + table.state.asked
        for table in tables:
            read += len(table.state.packed) + len(table.observer.blocks)
        for table in tables:
            read += _lines(table.state.packed) + _lines(table.observer.blocks)
        self._read = read

    def _before_steps(self) -> None:
        if len(self._was_done) > 0:
            self._clear_done()
        self._seats.truncate(0)

    def _after_steps(self, count: int) -> None:
        """Finish a step of the first `count` tables."""
        if self._some_think:
            self._think(count)
            for first in range(0, count, TOGETHER):
                self._show(first, self.tables[first : first + TOGETHER])
        seats = self._seats.getvalue()
        self._acting[: len(seats)] = seats

    def _make(self, first: int, tables: list[Episode], steps: list[int]) -> None:
        """Make a step at each of these tables."""
        for index in range(len(tables)):
            tables[index].make(steps[index])
        for index in range(len(tables)):
            tables[index].go_on()
            if tables[index].hand_ended:
                self._pay(first + index)
        self._go_on_and_show(first, tables)

    def _play_on(self, index: int, opponents: Opponents) -> None:
        """Play until a learner is to act, or a network has a choice."""
        table = self.tables[index]
        step = opponents.step(index, table)
        while step != NO_STEP:
            self._play(index, table, step)
            step = opponents.step(index, table)

    def _play(self, index: int, table: Episode, step: int) -> None:
        table.step(step)
        if table.hand_ended:
            self._pay(index)

    def _think(self, count: int) -> None:
        """Play the networks' turns at all tables together, until a learner is to act at each."""
        opponents = self._opponents
        assert opponents is not None, "somebody sits there"
        tables = self.tables
        waiting = [index for index in range(count) if opponents.must_think(tables[index])]
        while waiting:
            steps = opponents.thought_out([tables[index] for index in waiting])
            for place in range(len(waiting)):
                index = waiting[place]
                self._play(index, tables[index], steps[place])
                self._play_on(index, opponents)
            waiting = [index for index in waiting if opponents.must_think(tables[index])]

    def advice(self) -> list[int]:
        """Return the action that `club` would choose at every table."""
        action_of = self.game.action_of
        found: list[int] = []
        for table in self.tables:
            step = table.legal_at(0)
            if table.legal_count() > 1:
                choice = club_step(table.state, table.to_act(), self._club)
                if table.is_legal(choice):
                    step = choice
            found.append(action_of[step])
        return found

    def _check(self, actions: list[int]) -> None:
        if len(actions) != self.count:
            raise InputError(f"{len(actions)} actions were given for {self.count} tables")
        steps = self.game.steps
        for index in range(self.count):
            action = actions[index]
            if not (0 <= action < len(steps) and self.tables[index].is_legal(steps[action])):
                raise InputError(not_legal(action, self._first + index))

    def sample(self) -> list[int]:
        """Return a uniformly random legal action for every table."""
        actions: list[int] = []
        action_of = self.game.action_of
        rng = self._rng
        for table in self.tables:
            actions.append(action_of[table.legal_at(rng.below(table.legal_count()))])
        return actions

    def _go_on_and_show(self, first: int, tables: list[Episode]) -> None:
        """Play the opponents' turns until a learner is to act at each table, then write the observations.

        All tables are stepped first, so that each network is evaluated once, for all of them.
        """
        opponents = self._opponents
        if opponents is not None:
            for index in range(first, first + len(tables)):
                self._play_on(index, opponents)
        if not self._some_think:
            self._show(first, tables)

    def _show(self, first: int, tables: list[Episode]) -> None:
        rows = self._rows
        rows.truncate(0)
        for table in tables:
            seat = table.to_act()
            self._seats.append(seat)
            table.observer.write_to(rows, table.state, seat)
            table.write_mask_to(rows)
            if self._hidden:
                table.observer.write_hidden_to(rows, table.state, seat)
        self._shown[first // TOGETHER][:] = rows.getvalue()

    def _pay(self, index: int) -> None:
        """Pay the rewards of a hand that ended.

        With opponents, several hands can end before a learner acts again. Hands of an episode in which the
        learner hasn't acted earn nothing.
        """
        table = self.tables[index]
        game = self.game
        if self._done[index] == 0:
            by_side = side_rewards(self._rewards_as, table.points, table.standing(), table.over)
            for seat in range(game.seats):
                at = index * self._seats_paid + seat
                self._rewards[at] = self._rewards[at] + by_side[game.side_of[seat]]
            self._was_done.append(index)
        if table.over:
            self._done[index] = 1
            table.begin_next()

    def _clear_done(self) -> None:
        seats = self._seats_paid
        for index in self._was_done:
            self._done[index] = 0
            for seat in range(seats):
                self._rewards[index * seats + seat] = 0.0
        self._was_done = []


def _lines(row: BytesWriter) -> i64:
    """Return a sum over one byte of every cache line."""
    read: i64 = 0
    at: i64
    for at in range(0, len(row), LINE):
        read += i64(row[at])
    return read
