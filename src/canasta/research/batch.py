"""Many tables stepped together, what they show written into memory that is given."""

from canasta.engine.rng import Rng
from canasta.research.episode import NO_ACTION, Episode, Game
from canasta.research.observer import Part
from canasta.research.rewards import side_rewards


class IllegalAction(ValueError):
    """An action was chosen that the mask rules out."""


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
    ) -> None:
        self.game: Game = game
        self.count: int = count
        self.tables: list[Episode] = [Episode(game) for _ in range(count)]
        self._rewards_as: str = rewards_as
        self._shown: memoryview = shown
        self._acting: memoryview = acting
        self._done: memoryview = done
        self._rewards: memoryview[float] = rewards
        self._was_done: list[int] = []
        self._rng: Rng = Rng("")

    @staticmethod
    def row_size(game: Game) -> int:
        """Bytes of a row of `shown`."""
        return game.marks.layout.size + game.actions

    def reset(self, seed: str, first: int) -> None:
        """Deal everywhere; the tables keep to their own seeds however they are spread over processes."""
        self._rng = Rng(f"{seed}/sample/{first}")
        for index in range(self.count):
            self.tables[index].begin(f"{seed}/{first + index}")
            self._was_done.append(index)
        self._clear_done()
        self._show()

    def step(self, actions: list[int]) -> None:
        """Make an action at every table."""
        if len(self._was_done) > 0:
            self._clear_done()
        steps = self.game.steps
        if len(actions) != self.count:
            raise IllegalAction(f"{len(actions)} actions were given for {self.count} tables")
        for index in range(self.count):
            table = self.tables[index]
            action = actions[index]
            step = steps[action] if 0 <= action < len(steps) else NO_ACTION
            for legal in table.legal:
                if legal == step:
                    break
            else:
                raise IllegalAction(f"action {action} is not legal at table {index}; see its mask")
            table.step(step)
            if table.hand_ended:
                self._pay(index)
        self._show()

    def sample(self) -> list[int]:
        """A uniformly random legal action for every table."""
        actions: list[int] = []
        action_of = self.game.action_of
        rng = self._rng
        for table in self.tables:
            legal = table.legal
            actions.append(action_of[legal[rng.below(len(legal))]])
        return actions

    def release(self) -> None:
        """Let go of the memory, so that it can be given back."""
        for view in (self._shown, self._acting, self._done):
            view.release()
        self._rewards.release()

    def _show(self) -> None:
        """Write all rows at once: one long join costs less than many short ones."""
        parts: list[Part] = []
        acting: list[int] = []
        for table in self.tables:
            seat = table.to_act()
            acting.append(seat)
            table.observer.add_to(parts, table.state, seat)
            parts.append(table.mask())
        self._shown[:] = b"".join(parts)
        self._acting[:] = bytes(acting)

    def _pay(self, index: int) -> None:
        table = self.tables[index]
        game = self.game
        by_side = side_rewards(self._rewards_as, table.points, table.scores, table.over)
        for seat in range(game.seats):
            self._rewards[index * game.seats + seat] = by_side[game.side_of[seat]]
        self._was_done.append(index)
        if table.over:
            self._done[index] = 1
            table.begin_next()

    def _clear_done(self) -> None:
        seats = self.game.seats
        for index in self._was_done:
            self._done[index] = 0
            for seat in range(seats):
                self._rewards[index * seats + seat] = 0.0
        self._was_done = []
