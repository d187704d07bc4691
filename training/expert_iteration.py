"""Learn from decisions that were tried out: a candidate's probability rises or falls with its outcome.

A copy of the network plays, tries out candidates and evaluates them. The network learns to choose better than
the copy, and is kept close to it for decisions that were not tried out. The copy is updated at intervals.
"""

import copy
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from canasta.bots.learned.search import LEAST
from training.learner import BELIEF, belief_loss, passed_after, take_over
from training.log import Entry, Over, RunningStats
from training.lookahead import MOST, NONE, Board, Lookahead
from training.network import Network

_NEVER: Final = -1e9
_LEAST: Final = 1e-4
"""Probabilities below this are treated as zero."""
MEASURED: Final = ("shift", "judge_loss", "strayed")
"""Logged measures: the shift of the choices from the copy's, in nats; the critic's loss; and the shift for
decisions in which the copy was certain.
"""


@dataclass(frozen=True)
class Plan:
    """Tunable parameters of expert iteration."""

    seconds: float = 300.0
    stretch: int = 131_072
    """Number of decisions between updates."""
    passes: int = 2
    batch: int = 16_384
    rate: float = 1e-4
    final_rate: float = 0.1
    """Final learning rate, as a fraction of the initial one."""
    hold: float = 0.3
    """Fraction of the time before the learning rate starts to fall."""
    caution: float = 0.6
    """Gain that makes up for the copy finding another candidate e times as likely; typical gains per deal
    are around 1.
    """
    others: float = 0.25
    """Number of rows on which the network is kept close to the copy, per decision tried out."""
    generation: float = 40.0
    """Seconds between updates of the copy."""


@dataclass
class ExpertIterationStats(RunningStats):
    """Progress of the run. A step is the evaluation of one table or one line by the network."""

    decisions: int = 0
    """Number of decisions tried out."""
    generations: int = 1
    gained: dict[str, Over] = field(default_factory=dict)
    """Points per decision gained over the initial network in the last stretch, by game.

    They are measured before learning from that stretch. Both networks choose greedily, and the critic
    evaluates the results.
    """

    def entry(self) -> Entry:
        """Return the next entry of the log."""
        gained, self.gained = self.gained, {}
        return self.next_entry(MEASURED, decisions=self.decisions, gained=gained)


class TriedDecisions:
    """Decisions that were tried out, on the device."""

    def __init__(self, most: int, row: int, device: torch.device) -> None:
        self.seen = torch.empty((most, row), dtype=torch.uint8, device=device)
        self.tried = torch.empty((most, MOST), dtype=torch.int64, device=device)
        self.before = torch.empty((most, MOST), device=device)
        self.values = torch.empty((most, MOST), device=device)
        self.chosen = torch.empty(most, dtype=torch.int64, device=device)
        self.games = torch.empty(most, dtype=torch.int64, device=device)
        self.count = 0

    def take(self, board: Board) -> int:
        """Copy the finished decisions and return their number."""
        first = self.count
        for process, count in enumerate(board.counts[:, 1].tolist()):
            part = slice(self.count, self.count + count)
            for here, there in (
                *((self.seen, board.seen), (self.tried, board.tried), (self.before, board.before)),
                *((self.values, board.values), (self.chosen, board.chosen), (self.games, board.games)),
            ):
                here[part].copy_(torch.from_numpy(there[process, :count]), non_blocking=True)
            self.count += count
        return self.count - first


class ExpertIteration:
    def __init__(
        self,
        network: Network,
        optimiser: torch.optim.Optimizer,
        lookahead: Lookahead,
        games: list[str],
        units: list[float],
        plan: Plan,
    ) -> None:
        """Set up learning. `units` are the points per unit of the network's values, by game."""
        self.network = network
        self.first = copy.deepcopy(network).eval().requires_grad_(False)
        """The initial network."""
        self.player = copy.deepcopy(self.first)
        self.optimiser = optimiser
        self.lookahead = lookahead
        self.plan = plan
        self.device = next(network.parameters()).device
        self.stats = ExpertIterationStats(games)
        self._units = torch.tensor(units, device=self.device)
        most = plan.stretch + lookahead.most_done
        self._tried = [TriedDecisions(most, lookahead.row, self.device) for _ in range(2)]
        """Two buffers: one is filled while the network learns from the other."""
        processes, rows, _ = lookahead.boards[0].asked.shape
        self._asked = torch.empty((processes * rows, lookahead.row), dtype=torch.uint8, device=self.device)
        self._others = torch.empty(
            (max(1, int(plan.stretch * plan.others)), lookahead.row), dtype=torch.uint8, device=self.device
        )
        """A sample of all rows that were evaluated, and the number of rows sampled so far."""
        self._others_seen = 0
        if self.device.type == "cuda":
            for board in lookahead.boards:
                done = torch.cuda.cudart().cudaHostRegister(board.counts.ctypes.data, board.size, 0)
                assert int(done) == 0, f"cudaHostRegister: {done}"
        self.updates = 0

    def run(self, tell: Callable[[ExpertIterationStats], None]) -> None:
        learning: Iterator[None] = iter(())
        while self.stats.seconds < self.plan.seconds:
            for number, board in enumerate(self.lookahead.boards):
                self.lookahead.wait(number)
                filled = self._tried[0]
                self.stats.decisions += filled.take(board)
                self._answer(board)
                self.lookahead.go(number)
                start = time.monotonic()
                next(learning, None)
                if filled.count >= self.plan.stretch:
                    for _ in learning:
                        pass
                    self._tried.reverse()
                    self._tried[0].count = 0
                    self._measure(filled)
                    self._renew()
                    learning = self._learn(filled)
                self.stats.learning += time.monotonic() - start
            tell(self.stats)
        for _ in learning:
            pass

    def _renew(self) -> None:
        """Update the copy to the current network, if it is due."""
        if self.stats.seconds >= self.plan.generation * self.stats.generations:
            self.stats.generations += 1
            take_over(self.player, self.network)

    def _autocast(self) -> torch.autocast:
        return torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda")

    def _answer(self, board: Board) -> None:
        counts = board.counts[:, 0].tolist()
        ends = np.cumsum(counts).tolist()
        for process, (count, end) in enumerate(zip(counts, ends, strict=True)):
            rows = torch.from_numpy(board.asked[process, :count])
            self._asked[end - count : end].copy_(rows, non_blocking=True)
        with torch.no_grad(), self._autocast():
            logits, _, judged, _ = self.player.with_critic(self._asked[: ends[-1]])
            chances, actions = functional.log_softmax(logits, 1).topk(MOST, 1)
        answers = (
            (board.actions, actions.int().cpu().numpy()),
            (board.chances, chances.cpu().numpy()),
            (board.judged, judged.cpu().numpy()),
        )
        for process, (count, end) in enumerate(zip(counts, ends, strict=True)):
            for there, here in answers:
                there[process, :count] = here[end - count : end]
        self._keep_others(ends[-1])
        self.stats.steps += ends[-1]

    def _keep_others(self, count: int) -> None:
        """Add a sample of the evaluated rows, replacing the oldest."""
        most = len(self._others)
        some = min(most, max(1, count // 32))
        drawn = torch.randint(count, (some,), device=self.device)
        places = torch.arange(self._others_seen, self._others_seen + some, device=self.device) % most
        self._others[places] = self._asked[drawn]
        self._others_seen += some

    def _measure(self, tried: TriedDecisions) -> None:
        """Measure the gain of the current network over the initial one, in decisions that neither has learned
        from.

        If both choose the same action, the gain is zero.
        """
        parts = []
        with torch.no_grad(), self._autocast():
            for at in range(0, tried.count, self.plan.batch):
                rows = slice(at, min(at + self.plan.batch, tried.count))
                best = []
                for network in (self.network, self.first):
                    logits = network.with_critic(tried.seen[rows])[0]
                    tried_logits = logits.gather(1, tried.tried[rows].clamp(min=0))
                    best.append(
                        tried_logits.masked_fill(tried.tried[rows] == NONE, _NEVER).argmax(1, keepdim=True)
                    )
                values = tried.values[rows]
                parts.append((values.gather(1, best[0]) - values.gather(1, best[1])).squeeze(1))
        gains = torch.cat(parts) * self._units[tried.games[: tried.count]]
        for number, name in enumerate(self.stats.games):
            of = gains[tried.games[: tried.count] == number]
            if len(of):
                self.stats.gained[name] = Over(float(of.mean()), len(of))

    def _learn(self, tried: TriedDecisions) -> Iterator[None]:
        """Learn from the decisions, one batch per `next`."""
        plan = self.plan
        fallen = passed_after(plan.hold, self.stats.seconds / plan.seconds)
        count = tried.count
        gains = gains_of(tried.before[:count], tried.values[:count], tried.tried[:count] != NONE)
        gains = scaled(gains, tried.before[:count], tried.games[:count], len(self.stats.games))
        targets = tried.values[:count].gather(1, tried.chosen[:count, None]).squeeze(1)
        order = torch.cat([torch.randperm(count, device=self.device) for _ in range(plan.passes)])
        known = min(self._others_seen, len(self._others))
        measures: list[Tensor] = []
        for part in order.split(plan.batch):
            self.updates += 1
            for settings in self.optimiser.param_groups:
                settings["lr"] = plan.rate * (1 - (1 - plan.final_rate) * fallen) * min(1, self.updates / 20)
            others = torch.randint(known, (max(1, int(len(part) * plan.others)),), device=self.device)
            with self._autocast():
                loss, measured = _loss(
                    self.network, tried.seen[part], tried.tried[part], tried.before[part], gains[part],
                    targets[part], plan.caution,
                )  # fmt: skip
                held, strayed = _held(self.network, self.player, self._others[others])
            self.optimiser.zero_grad(set_to_none=True)
            (loss + held).backward()
            nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
            self.optimiser.step()
            measures.append(torch.cat([measured, strayed]))
            yield
        self.stats.measured.append(torch.stack(measures).mean(0).tolist())


def gains_of(before: Tensor, values: Tensor, is_there: Tensor) -> Tensor:
    """Return the gain of each candidate over the network's expectation for all of them; 0 for empty slots."""
    chances = before.masked_fill(~is_there, _NEVER).softmax(1)
    values = torch.where(is_there, values, torch.zeros_like(values))
    return torch.where(is_there, values - (chances * values).sum(1, keepdim=True), torch.zeros_like(values))


def scaled(gains: Tensor, before: Tensor, games: Tensor, count: int) -> Tensor:
    """Normalise gains, so that they have the same spread in every game."""
    squares = (torch.where(gains != 0, before.exp(), torch.zeros_like(gains)) * gains * gains).sum(1)
    sums = torch.zeros((2, count), device=gains.device)
    sums.index_add_(1, games, torch.stack([torch.ones_like(squares), squares]))
    spread = (sums[1] / sums[0].clamp(min=1)).clamp(min=1e-8).sqrt()
    return gains / spread[games][:, None]


def _loss(
    network: Network,
    rows: Tensor,
    tried: Tensor,
    before: Tensor,
    gains: Tensor,
    targets: Tensor,
    caution: float,
) -> tuple[Tensor, Tensor]:
    """Return the loss, and the first two of `MEASURED`."""
    logits, value, judged, believed = network.with_critic(rows)
    is_there = tried != NONE
    nothing = torch.zeros_like(gains)
    logs = torch.where(is_there, functional.log_softmax(logits, 1).gather(1, tried.clamp(min=0)), nothing)
    known = torch.where(is_there, before, nothing)
    chances = torch.where(is_there, logs.exp(), nothing)
    # All actions that weren't tried count as one more candidate with an unknown outcome.
    rest = (1 - chances.sum(1)).clamp(min=_LEAST)
    rest_known = (1 - torch.where(is_there, before.exp(), nothing).sum(1)).clamp(min=_LEAST)
    shift = ((chances * (logs - known)).sum(1) + rest * (rest.log() - rest_known.log())).mean()
    worth = (chances * gains).sum(1).mean()
    judge_loss = functional.smooth_l1_loss(judged, targets)
    loss = (
        caution * shift
        - worth
        + 0.5 * (functional.smooth_l1_loss(value, targets) + judge_loss)
        + BELIEF * belief_loss(believed, rows)
    )
    return loss, torch.stack([shift, judge_loss]).detach()


def _held(network: Network, player: Network, rows: Tensor) -> tuple[Tensor, Tensor]:
    """Return the loss that keeps the network close to the copy, and the last of `MEASURED`.

    For rows that were not tried out, the network should choose like the copy if the copy is certain, and
    predict the same value. The belief is trained on all rows, since the other hands are always known.
    """
    with torch.no_grad():
        logits, value, judged, _ = player.with_critic(rows)
        known = functional.log_softmax(logits, 1)
        likeliest = known.topk(2, 1).values
        is_sure = likeliest[:, 1] - likeliest[:, 0] < LEAST
    now, own, said, believed = network.with_critic(rows)
    moved = (known.exp() * (known.clamp(min=-50) - functional.log_softmax(now, 1).clamp(min=-50))).sum(1)
    strayed = (moved * is_sure).sum() / is_sure.sum().clamp(min=1)
    loss = (
        strayed
        + 0.5 * (functional.smooth_l1_loss(own, value) + functional.smooth_l1_loss(said, judged))
        + BELIEF * belief_loss(believed, rows)
    )
    return loss, strayed.detach()[None]
