"""Learning from decisions that were tried out: each candidate gains or loses by what came of it.

A copy of the network plays, tries out and judges; the network learns to choose better than that copy, and is
held to it where nothing was tried out. Now and then the copy is made anew.
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

from canasta.bots.learned.plans import LEAST
from training.learner import BELIEF, belief_loss, passed_after, take_over
from training.log import Entry, Over, Telling
from training.network import Network
from training.trials import MOST, NONE, Board, Trials

_NEVER: Final = -1e9
_LEAST: Final = 1e-4
"""Chances below this are as good as none."""
MEASURED: Final = ("shift", "judge_loss", "strayed")
"""What is told of learning: how far the choices have moved from the copy's, in nats; how far off the judge
is; and how far the choices have moved where the copy was sure."""


@dataclass(frozen=True)
class Plan:
    """What can be tuned."""

    seconds: float = 300.0
    stretch: int = 131_072
    """Decisions between two times of learning."""
    passes: int = 2
    batch: int = 16_384
    rate: float = 1e-4
    final_rate: float = 0.1
    """Of the rate, at the end."""
    hold: float = 0.3
    """The part of the time before the rate begins to fall."""
    caution: float = 0.6
    """What speaks for a candidate that the copy finds e times as likely as another; gains from deal to deal
    are 1 or so."""
    others: float = 0.25
    """Rows at which it is held to the copy, for each that was tried out."""
    generation: float = 40.0
    """Seconds after which the copy is made anew."""


@dataclass
class Told(Telling):
    """How far it has come; the steps are looks of the network at a table or at a line."""

    decisions: int = 0
    """That were tried out."""
    generations: int = 1
    gained: dict[str, Over] = field(default_factory=dict)
    """By game: points that a decision gains over the network of the beginning, in the last stretch, before it
    was learned from. Both make what they find likeliest, and the judge says what it brings."""

    def entry(self) -> Entry:
        """For the log."""
        gained, self.gained = self.gained, {}
        return self.next_entry(MEASURED, decisions=self.decisions, gained=gained)


class Tried:
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
        """Copy what is done; how many that was."""
        begun = self.count
        for process, count in enumerate(board.counts[:, 1].tolist()):
            part = slice(self.count, self.count + count)
            for here, there in (
                *((self.seen, board.seen), (self.tried, board.tried), (self.before, board.before)),
                *((self.values, board.values), (self.chosen, board.chosen), (self.games, board.games)),
            ):
                here[part].copy_(torch.from_numpy(there[process, :count]), non_blocking=True)
            self.count += count
        return self.count - begun


class Improver:
    def __init__(
        self,
        network: Network,
        optimiser: torch.optim.Optimizer,
        trials: Trials,
        games: list[str],
        units: list[float],
        plan: Plan,
    ) -> None:
        """`units`: by game, the points that the network calls one."""
        self.network = network
        self.first = copy.deepcopy(network).eval().requires_grad_(False)
        """As it was at the beginning."""
        self.player = copy.deepcopy(self.first)
        self.optimiser = optimiser
        self.trials = trials
        self.plan = plan
        self.device = next(network.parameters()).device
        self.told = Told(games)
        self._units = torch.tensor(units, device=self.device)
        most = plan.stretch + trials.most_done
        self._tried = [Tried(most, trials.row, self.device) for _ in range(2)]
        """What is filled, and what is learned from meanwhile."""
        processes, rows, _ = trials.boards[0].asked.shape
        self._asked = torch.empty((processes * rows, trials.row), dtype=torch.uint8, device=self.device)
        self._others = torch.empty(
            (max(1, int(plan.stretch * plan.others)), trials.row), dtype=torch.uint8, device=self.device
        )
        """Rows of all sorts that were asked, and how many there have been."""
        self._others_seen = 0
        if self.device.type == "cuda":
            for board in trials.boards:
                done = torch.cuda.cudart().cudaHostRegister(board.counts.ctypes.data, board.size, 0)
                assert int(done) == 0, f"cudaHostRegister: {done}"
        self.updates = 0

    def run(self, tell: Callable[[Told], None]) -> None:
        learning: Iterator[None] = iter(())
        while self.told.seconds < self.plan.seconds:
            for number, board in enumerate(self.trials.boards):
                self.trials.wait(number)
                filled = self._tried[0]
                self.told.decisions += filled.take(board)
                self._answer(board)
                self.trials.go(number)
                begun = time.monotonic()
                next(learning, None)
                if filled.count >= self.plan.stretch:
                    for _ in learning:
                        pass
                    self._tried.reverse()
                    self._tried[0].count = 0
                    self._measure(filled)
                    self._renew()
                    learning = self._learn(filled)
                self.told.learning += time.monotonic() - begun
            tell(self.told)
        for _ in learning:
            pass

    def _renew(self) -> None:
        """Have the copy play as the network does by now, when it is time."""
        if self.told.seconds >= self.plan.generation * self.told.generations:
            self.told.generations += 1
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
            logits, _, judged, _ = self.player.judged(self._asked[: ends[-1]])
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
        self.told.steps += ends[-1]

    def _keep_others(self, count: int) -> None:
        """Some of the rows that were asked, in place of the oldest."""
        most = len(self._others)
        some = min(most, max(1, count // 32))
        drawn = torch.randint(count, (some,), device=self.device)
        places = torch.arange(self._others_seen, self._others_seen + some, device=self.device) % most
        self._others[places] = self._asked[drawn]
        self._others_seen += some

    def _measure(self, tried: Tried) -> None:
        """What the present network gains over that of the beginning, in decisions that neither has learned
        from: those who choose alike gain nothing."""
        parts = []
        with torch.no_grad(), self._autocast():
            for at in range(0, tried.count, self.plan.batch):
                rows = slice(at, min(at + self.plan.batch, tried.count))
                best = []
                for network in (self.network, self.first):
                    logits = network.judged(tried.seen[rows])[0]
                    found = logits.gather(1, tried.tried[rows].clamp(min=0))
                    best.append(found.masked_fill(tried.tried[rows] == NONE, _NEVER).argmax(1, keepdim=True))
                values = tried.values[rows]
                parts.append((values.gather(1, best[0]) - values.gather(1, best[1])).squeeze(1))
        gains = torch.cat(parts) * self._units[tried.games[: tried.count]]
        for number, name in enumerate(self.told.games):
            of = gains[tried.games[: tried.count] == number]
            if len(of):
                self.told.gained[name] = Over(float(of.mean()), len(of))

    def _learn(self, tried: Tried) -> Iterator[None]:
        """One batch for each time that it is asked to go on."""
        plan = self.plan
        fallen = passed_after(plan.hold, self.told.seconds / plan.seconds)
        count = tried.count
        gains = gains_of(tried.before[:count], tried.values[:count], tried.tried[:count] != NONE)
        gains = scaled(gains, tried.before[:count], tried.games[:count], len(self.told.games))
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
        self.told.measured.append(torch.stack(measures).mean(0).tolist())


def gains_of(before: Tensor, values: Tensor, is_there: Tensor) -> Tensor:
    """How much better each candidate did than the network can expect that chooses among them; 0 where there
    is none."""
    chances = before.masked_fill(~is_there, _NEVER).softmax(1)
    values = torch.where(is_there, values, torch.zeros_like(values))
    return torch.where(is_there, values - (chances * values).sum(1, keepdim=True), torch.zeros_like(values))


def scaled(gains: Tensor, before: Tensor, games: Tensor, count: int) -> Tensor:
    """Gains on one scale: in every game as far from nothing as in the others."""
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
    """What is to be made small, and the first two of `MEASURED`."""
    logits, value, judged, believed = network.judged(rows)
    is_there = tried != NONE
    nothing = torch.zeros_like(gains)
    logs = torch.where(is_there, functional.log_softmax(logits, 1).gather(1, tried.clamp(min=0)), nothing)
    known = torch.where(is_there, before, nothing)
    chances = torch.where(is_there, logs.exp(), nothing)
    # What was not tried counts as one candidate more, of which nothing is known.
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
    """Where nothing was tried out, it shall say what the copy says: what to do where the copy is sure, and
    what the hand will bring. What the others hold is known everywhere. With it, the last of `MEASURED`."""
    with torch.no_grad():
        logits, value, judged, _ = player.judged(rows)
        known = functional.log_softmax(logits, 1)
        likeliest = known.topk(2, 1).values
        is_sure = likeliest[:, 1] - likeliest[:, 0] < LEAST
    now, own, said, believed = network.judged(rows)
    moved = (known.exp() * (known.clamp(min=-50) - functional.log_softmax(now, 1).clamp(min=-50))).sum(1)
    strayed = (moved * is_sure).sum() / is_sure.sum().clamp(min=1)
    loss = (
        strayed
        + 0.5 * (functional.smooth_l1_loss(own, value) + functional.smooth_l1_loss(said, judged))
        + BELIEF * belief_loss(believed, rows)
    )
    return loss, strayed.detach()[None]
