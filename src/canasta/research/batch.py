"""Many tables stepped together, what they show written into memory that is given."""

from typing import Final

from librt.strings import BytesWriter
from mypy_extensions import i64

from canasta.bots.club.policy import club_step, weights_for
from canasta.bots.club.weights import Weights
from canasta.engine.observing.observer import HIDDEN_NUMBERS
from canasta.engine.rng import Rng
from canasta.errors import CanastaError
from canasta.research.episode import NO_STEP, Episode, Game
from canasta.research.opponents import Opponents
from canasta.research.rewards import side_rewards

TOGETHER: Final = 16
"""So many tables are stepped together, one part of the step after the other, and then shown: that part of the
program, and what it writes, stay in the processor's cache meanwhile."""
MANY: Final = 512
"""From so many tables on they do not all stay there from one step to the next: the next are read ahead."""
LINE: Final = 64
"""Bytes that the memory brings at a time."""


class IllegalAction(CanastaError, ValueError):
    """An action was chosen that the mask rules out."""


def not_legal(action: int, table: int) -> str:
    return f"action {action} is not legal at table {table}; see its mask"


class Batch:
    """Tables numbered from `first`; each is dealt anew as soon as its episode is over.

    `shown` holds a row for each table: the observation of the seat to act, then the mask of its actions.
    `acting` holds the seat to act, `done` 1 where the last step ended an episode; `rewards` has a number for
    each seat where one or more hands ended, zeros otherwise.
    """

    def __init__(
        self,
        game: Game,
        count: int,
        rewards_as: str,
        shown: memoryview,
        acting: memoryview,
        done: memoryview,
        rewards: "memoryview[float]",
        opponents: Opponents | None = None,
        hidden: bool = False,
    ) -> None:
        """Nothing is shown of the turns of `opponents`, who sit at these tables only. `hidden` adds what the
        seat to act does not see to each row, for a judge in training."""
        self.game: Game = game
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
    def row_size(game: Game, hidden: bool = False) -> int:
        """Bytes of a row of `shown`."""
        return game.marks.layout.size + game.actions + (HIDDEN_NUMBERS if hidden else 0)

    def reset(self, seed: str, first: int) -> None:
        """Deal everywhere; the tables keep to their own seeds however they are spread over processes."""
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
        # Hands that ended before a learner was to act for the first time are nobody's doing.
        self._clear_done()

    def step(self, actions: list[int], are_legal: bool = False) -> None:
        """Make an action at every table; where one of them is not legal, none is made. Whoever has asked the
        masks already says so: then the tables are asked in their turn, and not all fetched beforehand. Should
        a mask have been written over, those that came before have moved."""
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
                    raise IllegalAction(not_legal(actions[first + index], self._first + first + index))
                chosen.append(step)
            self._make(first, tables, chosen)
        self._after_steps(self.count)

    def step_randomly(self) -> None:
        """The same as `step(sample())`; every table is fetched from memory once, not three times."""
        rng = self._rng
        self._before_steps()
        for first in range(0, self.count, TOGETHER):
            tables = self._next_tables(first)
            chosen = [table.legal_at(rng.below(table.legal_count())) for table in tables]
            self._make(first, tables, chosen)
        self._after_steps(self.count)

    def _next_tables(self, first: int) -> list[Episode]:
        """Those that are stepped together, from this one on."""
        tables = self.tables[first : first + TOGETHER]
        if self.count >= MANY:
            self._read_ahead(tables)
        return tables

    def _read_ahead(self, tables: list[Episode]) -> None:
        """Read something of every line of memory that the next steps will ask for. First of all tables what
        leads to more, then that: so the memory brings what all of them need at once, where each step on its
        own would wait for one thing after the other. The sum means nothing."""
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
        """So many tables have been stepped."""
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
        """Until a learner is to act, or a network has a choice."""
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
        """Let networks play, at all tables together, until a learner is to act everywhere."""
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
        """What `club` would do at every table."""
        action_of = self.game.action_of
        found: list[int] = []
        for table in self.tables:
            step = table.legal_at(0)
            if table.legal_count() > 1:
                wanted = club_step(table.state, table.to_act(), self._club)
                if table.is_legal(wanted):
                    step = wanted
            found.append(action_of[step])
        return found

    def _check(self, actions: list[int]) -> None:
        if len(actions) != self.count:
            raise IllegalAction(f"{len(actions)} actions were given for {self.count} tables")
        steps = self.game.steps
        for index in range(self.count):
            action = actions[index]
            if not (0 <= action < len(steps) and self.tables[index].is_legal(steps[action])):
                raise IllegalAction(not_legal(action, self._first + index))

    def sample(self) -> list[int]:
        """A uniformly random legal action for every table."""
        actions: list[int] = []
        action_of = self.game.action_of
        rng = self._rng
        for table in self.tables:
            actions.append(action_of[table.legal_at(rng.below(table.legal_count()))])
        return actions

    def _go_on_and_show(self, first: int, tables: list[Episode]) -> None:
        """Let opponents play until a learner is to act, and write the rows of these tables. Where networks
        have to be asked, that comes after the steps of all tables."""
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
        """A hand has ended. Where opponents sit at the table, more than one can end before a learner is to
        act again; those of another episode than the one it has acted in are nobody's doing."""
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
    """A byte of every line of memory."""
    read: i64 = 0
    at: i64
    for at in range(0, len(row), LINE):
        read += i64(row[at])
    return read
