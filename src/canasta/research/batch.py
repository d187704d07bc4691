"""Many tables stepped together, what they show written into memory that is given."""

from typing import Final

from librt.strings import BytesWriter
from mypy_extensions import i64

from canasta.bots.club.policy import club_step, weights_for
from canasta.bots.club.weights import Weights
from canasta.engine.observing.observer import HIDDEN_NUMBERS
from canasta.engine.rng import Rng
from canasta.errors import CanastaError
from canasta.research.episode import Episode, Game
from canasta.research.rewards import side_rewards

FLUSH: Final = 16
"""Rows are copied to where they are shown by so many: they and their copy stay in the processor's cache."""

MANY: Final = 512
"""From so many tables on they do not all stay in the processor's cache from one step to the next, and are
read ahead …"""
AHEAD: Final = 8
"""… by so many."""
LINE: Final = 64
"""Bytes that the memory brings at a time."""


class IllegalAction(CanastaError, ValueError):
    """An action was chosen that the mask rules out."""


def not_legal(action: int, table: int) -> str:
    return f"action {action} is not legal at table {table}; see its mask"


class Batch:
    """Tables numbered from `first`; each is dealt anew as soon as its episode is over.

    `shown` holds a row for each table: the observation of the seat to act, then the mask of its actions.
    `acting` holds the seat to act, `done` 1 where the last step ended an episode; `rewards` then has a number
    for each seat, zeros otherwise.
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
        club_sides: int = 0,
        hidden: bool = False,
    ) -> None:
        """`club_sides` has a bit for each side that `club` plays here: nothing is shown of its turns.
        `hidden` adds what the seat to act does not see to each row, for a judge in training."""
        self.game: Game = game
        self.count: int = count
        self.tables: list[Episode] = [Episode(game) for _ in range(count)]
        self._rewards_as: str = rewards_as
        self._club_sides: int = club_sides
        self._club: Weights = weights_for(game.tables)
        self._hidden: bool = hidden
        row = self.row_size(game, hidden)
        self._seats_paid: int = game.marks.layout.seats
        self._shown: list[memoryview] = [
            shown[first * row : min(first + FLUSH, count) * row] for first in range(0, count, FLUSH)
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
            table = self.tables[index]
            table.begin(f"{seed}/{first + index}")
            if self._club_sides > 0:
                self._play_club(index, table)
            self._show(index, table)
        self._acting[:] = self._seats.getvalue()

    def step(self, actions: list[int], are_legal: bool = False) -> None:
        """Make an action at every table; where one of them is not legal, none is made. Whoever has asked the
        masks already says so: then each table is asked in its turn, and not all of them fetched from memory
        before."""
        if not are_legal:
            self._check(actions)
        steps = self.game.steps
        self._before_steps()
        for index in range(self.count):
            table = self._next_table(index)
            step = steps[actions[index]]
            if are_legal and not table.is_legal(step):
                raise IllegalAction(not_legal(actions[index], self._first + index))
            self._make(index, table, step)
        self._acting[:] = self._seats.getvalue()

    def step_randomly(self) -> None:
        """The same as `step(sample())`; every table is fetched from memory once, not three times."""
        rng = self._rng
        self._before_steps()
        for index in range(self.count):
            table = self._next_table(index)
            self._make(index, table, table.legal_at(rng.below(table.legal_count())))
        self._acting[:] = self._seats.getvalue()

    def _next_table(self, index: int) -> Episode:
        if index % AHEAD == 0 and self.count >= MANY:
            self._read_ahead(index, min(index + AHEAD, self.count))
        return self.tables[index]

    def _read_ahead(self, first: int, end: int) -> None:
        """Read something of every line of memory that the next steps will ask for. First of all tables what
        leads to more, then that: so the memory brings what all of them need at once, where each step on its
        own would wait for one thing after the other. The sum means nothing."""
        tables = self.tables
        read: i64 = 0
        for index in range(first, end):
            read += tables[index].legal_from
        for index in range(first, end):
            state = tables[index].state
            read += state.turn + state.asked
        for index in range(first, end):
            read += len(tables[index].state.packed) + len(tables[index].observer.blocks)
        for index in range(first, end):
            read += _lines(tables[index].state.packed) + _lines(tables[index].observer.blocks)
        self._read = read

    def _before_steps(self) -> None:
        if len(self._was_done) > 0:
            self._clear_done()
        self._seats.truncate(0)

    def _make(self, index: int, table: Episode, step: int) -> None:
        table.step(step)
        if table.hand_ended:
            self._pay(index)
        if self._club_sides > 0:
            self._play_club(index, table)
        # At once, while all that it reads is still in the processor's cache.
        self._show(index, table)

    def _play_club(self, index: int, table: Episode) -> None:
        """Until another than `club` is to act."""
        side_of = self.game.side_of
        while (self._club_sides >> side_of[table.to_act()]) & 1:
            table.step(club_step(table.state, table.to_act(), self._club))
            if table.hand_ended:
                self._pay(index)

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

    def _show(self, index: int, table: Episode) -> None:
        """Write the row of a table; called for each of them in turn."""
        rows = self._rows
        seat = table.to_act()
        self._seats.append(seat)
        if index % FLUSH == 0:
            rows.truncate(0)
        table.observer.write_to(rows, table.state, seat)
        table.write_mask_to(rows)
        if self._hidden:
            table.observer.write_hidden_to(rows, table.state, seat)
        if index % FLUSH == FLUSH - 1 or index == self.count - 1:
            self._shown[index // FLUSH][:] = rows.getvalue()

    def _pay(self, index: int) -> None:
        table = self.tables[index]
        game = self.game
        by_side = side_rewards(self._rewards_as, table.points, table.standing(), table.over)
        for seat in range(game.seats):
            at = index * self._seats_paid + seat
            # More than one hand can end before a learner is to act again, where others sit at the table.
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
