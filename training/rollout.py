"""A stretch of play at all tables: observations, actions, rewards, and advantages."""

import torch
from torch import Tensor
from torch.nn import functional

from canasta.bots.learned.coverage import unit_of
from canasta.engine.seating import sides_of_seats
from training.network import Network
from training.sampler import Group
from training.task_mix import TableSet


class PinnedBuffers:
    """The arrays of a group in pinned memory, which the GPU reads and writes."""

    def __init__(self, group: Group, device: torch.device) -> None:
        if device.type == "cuda":
            done = torch.cuda.cudart().cudaHostRegister(group.shown.ctypes.data, group.plan.size, 0)
            assert int(done) == 0, f"cudaHostRegister: {done}"
        self.shown = torch.from_numpy(group.shown)
        self.seats = torch.from_numpy(group.acting)
        self.rewards = torch.from_numpy(group.rewards)
        self.done = torch.from_numpy(group.done)
        self.actions = torch.from_numpy(group.actions)


class RolloutBuffer:
    """The stretch of all groups' tables, step by step."""

    def __init__(
        self, groups: list[Group], pinned: list[PinnedBuffers], length: int, device: torch.device
    ) -> None:
        first = groups[0]
        self.length = length
        self.pinned = pinned
        self.size = group_size = first.count
        count = group_size * len(groups)
        shape = (length, count)
        self.shown = torch.empty((*shape, first.plan.row), dtype=torch.uint8, device=device)
        self.actions = torch.empty(shape, dtype=torch.int64, device=device)
        self.chances = torch.empty(shape, device=device)
        self.values = torch.empty(shape, device=device)
        self.seats = torch.empty(shape, dtype=torch.int64, device=device)
        self.paid = torch.empty((*shape, first.seats), device=device)
        self.ended = torch.empty(shape, dtype=torch.bool, device=device)
        self.choices = torch.empty(shape, dtype=torch.bool, device=device)
        """Whether a learning seat had more than one legal action."""
        table_sets = [table_set for table_set in first.table_sets for _ in range(table_set.count)] * len(
            groups
        )
        self.units = torch.tensor([unit_of(table_set.rules) for table_set in table_sets], device=device)
        self.games = torch.tensor([table_set.game for table_set in table_sets], device=device)
        self.against_club = torch.tensor(
            [bool(table_set.opponents) for table_set in table_sets], device=device
        )
        self.in_league = torch.tensor(
            [table_set.earlier_sides > 0 for table_set in table_sets], device=device
        )
        self.learns = torch.tensor([table_set.learns for table_set in table_sets], device=device)
        """A seat of each table that learns."""
        self.is_shown = torch.tensor([table_set.is_shown for table_set in table_sets], device=device)
        """The tables at which `club` plays while it is imitated."""
        self.imitated = torch.empty(shape, dtype=torch.bool, device=device)
        self.meets = self.in_league[:group_size].nonzero().squeeze(1)
        """The tables of a group at which an earlier version plays."""
        self.earlier_seats = torch.tensor(
            [
                _earlier_seats(table_set, first.seats)
                for table_set in first.table_sets
                for _ in range(table_set.count)
            ],
            device=device,
        )[self.meets]
        self.rows = torch.arange(count, device=device)
        self._masks = slice(first.observation_size, first.observation_size + first.action_count)
        self._rest = (first.action_count, first.hidden_size)

    def part(self, number: int) -> slice:
        return slice(number * self.size, (number + 1) * self.size)

    def choose(self, at: int, number: int, network: Network, earlier: Network, advised: bool) -> None:
        """Evaluate the tables of a group and write an action for each: that of `club` if it is being
        imitated there.
        """
        pinned, part = self.pinned[number], self.part(number)
        row = self.shown[at, part]
        row.copy_(pinned.shown, non_blocking=True)
        self.seats[at, part].copy_(pinned.seats, non_blocking=True)
        logits, _, value, _ = network.with_critic(row)
        actions = _drawn(logits)
        choices = row[:, self._masks].sum(1, dtype=torch.int32) > 1
        if len(self.meets):
            theirs = self._theirs(at, part)
            older, _ = earlier(*row[self.meets].split([self._masks.start, *self._rest], 1)[:2])
            actions[self.meets] = torch.where(theirs, _drawn(older), actions[self.meets])
            choices[self.meets] &= ~theirs
        imitated = self.is_shown[part] & advised
        if advised:
            actions = torch.where(imitated, pinned.actions.to(row.device, torch.int64), actions)
        pinned.actions.copy_(actions)
        self.imitated[at, part] = imitated
        self.actions[at, part] = actions
        self.chances[at, part] = functional.log_softmax(logits, 1).gather(1, actions[:, None]).squeeze(1)
        self.values[at, part] = value
        self.choices[at, part] = choices

    def _theirs(self, at: int, part: slice) -> Tensor:
        """Return, for each league table, whether an earlier version is to act."""
        return self.earlier_seats.gather(1, self.seats[at, part][self.meets][:, None]).squeeze(1)

    def note(self, at: int, number: int) -> None:
        """Record the results of the actions of this step."""
        pinned, part = self.pinned[number], self.part(number)
        paid = self.paid[at, part]
        paid.copy_(pinned.rewards, non_blocking=True)
        self.ended[at, part] = (paid != 0).any(1) | pinned.done.to(paid.device).bool()
        paid /= self.units[part, None]

    def over(self, tables: Tensor) -> tuple[Tensor, Tensor]:
        """Return the learner's points for each hand that ended at these tables, and its game."""
        at, table = (self.ended & tables).nonzero(as_tuple=True)
        return self.paid[at, table, self.learns[table]] * self.units[table], self.games[table]

    def gains(self, trace: float) -> tuple[Tensor, Tensor]:
        """Return the advantage of each action, and whether it is known.

        Advantages are computed by seat, because the other players' actions come in between.
        """
        count, seats = self.paid.shape[1:]
        device = self.values.device
        gains = torch.zeros((self.length, count), device=device)
        is_known = torch.zeros((self.length, count), dtype=torch.bool, device=device)
        later = torch.zeros((count, seats), device=device)
        ahead = torch.zeros((count, seats), device=device)
        known = torch.zeros((count, seats), dtype=torch.bool, device=device)
        for at in range(self.length - 1, -1, -1):
            ended = self.ended[at][:, None]
            later = torch.where(ended, self.paid[at], later)
            ahead = torch.where(ended, torch.zeros_like(ahead), ahead)
            known = known | ended
            place = (self.rows, self.seats[at])
            is_known[at] = known[place]
            gain = later[place] - self.values[at] + trace * ahead[place]
            gains[at] = torch.where(is_known[at], gain, torch.zeros_like(gain))
            later[place] = self.values[at]
            ahead[place] = gains[at]
            known[place] = True
        return gains, is_known


def _drawn(logits: Tensor) -> Tensor:
    """Sample an action from the policy."""
    noise = torch.rand_like(logits).clamp_(1e-9, 1 - 1e-7)
    return (logits - torch.log(-torch.log(noise))).argmax(1)


def _earlier_seats(table_set: TableSet, seats: int) -> list[bool]:
    sides = sides_of_seats(table_set.rules)
    return [seat < len(sides) and bool(table_set.earlier_sides >> sides[seat] & 1) for seat in range(seats)]


def by_game(gains: Tensor, games: Tensor, count: int) -> Tensor:
    """Normalise advantages, so that they have the same mean and spread in every game."""
    sums = torch.zeros((3, count), device=gains.device)
    sums.index_add_(1, games, torch.stack([torch.ones_like(gains), gains, gains * gains]))
    mean = sums[1] / sums[0].clamp(min=1)
    spread = (sums[2] / sums[0].clamp(min=1) - mean * mean).clamp(min=1e-8).sqrt()
    return (gains - mean[games]) / spread[games]
