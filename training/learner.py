"""Self-play with PPO: while one stretch is played, the network learns from the previous one.

The tables are played by a copy of the network that is one stretch old. At first the network may imitate
`club` for a while, so that it plays sensibly in every game.
"""

import copy
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional

from canasta.engine.cards import RANKS
from canasta.engine.determinize import NUMBERS
from canasta.engine.observation.encoder import HIDDEN_NUMBERS
from training.log import Entry, Over, RunningStats
from training.network import HELD, Diverged, Network, Weights, are_finite
from training.rollout import PinnedBuffers, RolloutBuffer, by_game
from training.sampler import Sampler

MEASURED: Final = ("entropy", "shift", "value_loss", "judge_loss", "belief_loss")
"""The measures that `_loss` returns besides the loss."""

BELIEF: Final = 0.1
"""Weight of the belief loss; small, so that it does not distort the shared trunk."""


@dataclass(frozen=True)
class Plan:
    """Tunable parameters of PPO."""

    seconds: float = 300.0
    imitate: float = 0.0
    """Seconds at the start during which the network imitates `club`, at the tables where `club` plays."""
    stretch: int = 128
    """Number of steps per table between updates."""
    passes: int = 2
    imitation_passes: int = 4
    """Passes over the imitated steps. These tables are slower, and repeating their data does no harm."""
    batch: int = 32_768
    rate: float = 4e-4
    final_rate: float = 0.1
    """Final learning rate, as a fraction of the initial one."""
    hold: float = 0.0
    """Fraction of the time before the learning rate starts to fall."""
    entropy: float = 0.01
    trace: float = 0.97
    clip: float = 0.2
    keep_every: float = 90.0
    """Seconds between additions to the league."""


@dataclass
class LearnerStats(RunningStats):
    """Progress of the run."""

    hands: int = 0
    stepping: float = 0.0
    """Seconds spent waiting for the tables."""
    looking: float = 0.0
    """Seconds spent choosing actions."""
    over_club: dict[str, tuple[float, int]] = field(default_factory=dict)
    """Points and hands against `club` since the last entry, with sampled rather than greedy actions."""
    over_earlier: dict[str, tuple[float, int]] = field(default_factory=dict)
    """The same against earlier versions of the network."""

    def entry(self) -> Entry:
        """Return the next entry of the log."""
        over_club, over_earlier = _a_hand(self.over_club), _a_hand(self.over_earlier)
        self.over_club, self.over_earlier = {}, {}
        return self.next_entry(
            MEASURED,
            hands=self.hands,
            stepping=self.stepping,
            looking=self.looking,
            over_club=over_club,
            over_earlier=over_earlier,
        )


def _a_hand(over: dict[str, tuple[float, int]]) -> dict[str, Over]:
    return {game: Over(points / hands, hands) for game, (points, hands) in over.items()}


def _copied(network: Network) -> Weights:
    return {name: value.detach().clone() for name, value in network.state_dict().items()}


def take_over(player: Network, network: Network) -> None:
    """Update the player to the current network. Raise `Diverged` if its weights are not finite."""
    if not are_finite(network.state_dict().values()):
        raise Diverged
    player.load_state_dict(network.state_dict())


def passed_after(hold: float, passed: float) -> float:
    """Return the share of the time after the fraction `hold` that has passed."""
    return max(0.0, min(1.0, passed) - hold) / (1 - hold) if hold < 1 else 0.0


class Learner:
    def __init__(
        self,
        network: Network,
        optimiser: torch.optim.Optimizer,
        sampler: Sampler,
        games: list[str],
        plan: Plan,
        named: Sequence[Weights] = (),
        league: list[Weights] | None = None,
    ) -> None:
        """Set up learning. `named` are weights to play against besides those of the `league`, which grows
        during the run.
        """
        self.network = network
        self.player = copy.deepcopy(network).eval().requires_grad_(False)
        self._named = named
        self.league: list[Weights] = [] if league is None else league
        self.league.append(_copied(network))
        self.earlier = copy.deepcopy(self.player)
        """The opponent at the league tables in the current stretch."""
        self.optimiser = optimiser
        self.sampler = sampler
        self.plan = plan
        self.device = next(network.parameters()).device
        self.stats = LearnerStats(games)
        pinned = [PinnedBuffers(group, self.device) for group in sampler.groups]
        self.stretches = [RolloutBuffer(sampler.groups, pinned, plan.stretch, self.device) for _ in range(2)]
        self.updates = 0
        self._kept = 0
        self._stream = torch.cuda.Stream() if self.device.type == "cuda" else None
        if self._stream is not None:
            # The tables wait for the player, so its work takes priority over the learner's.
            torch.cuda.set_stream(torch.cuda.Stream(priority=-5))
        self._loss = _loss
        if self._stream is not None:
            self._loss = torch.compile(_loss, dynamic=False)
            self.player.judged = torch.compile(self.player.judged, dynamic=False)

    def run(self, tell: Callable[[LearnerStats], None]) -> None:
        learning: Iterator[None] = iter(())
        number = 0
        while self.stats.seconds < self.plan.seconds:
            imitates = self.stats.seconds < self.plan.imitate
            stretch = self.stretches[number % 2]
            self._meet(number)
            self._play(stretch, imitates, learning)
            self._finish(learning)
            self._count(stretch)
            learning = self._learn(stretch)
            tell(self.stats)
            number += 1
        self._finish(learning)

    def _meet(self, number: int) -> None:
        """Add the current network to the league if it is due, and seat the league's networks in rotation."""
        if self.stats.seconds >= self.plan.keep_every * (1 + self._kept):
            self._kept += 1
            self.league.append(_copied(self.player))
        selves = [*self._named, *self.league]
        self.earlier.load_state_dict(selves[number % len(selves)])

    def _finish(self, learning: Iterator[None]) -> None:
        """Finish learning from the stretch, and update the player."""
        start = time.monotonic()
        for _ in learning:
            pass
        if self._stream is not None:
            torch.cuda.current_stream().wait_stream(self._stream)
        take_over(self.player, self.network)
        if self._stream is not None:
            self._stream.wait_stream(torch.cuda.current_stream())
            torch.cuda.synchronize()
        self.stats.learning += time.monotonic() - start

    def _beside(self) -> AbstractContextManager[object]:
        """Return a context for GPU work that runs in parallel with the player's."""
        return torch.cuda.stream(self._stream) if self._stream is not None else nullcontext()

    def _autocast(self) -> torch.autocast:
        return torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda")

    def _play(self, stretch: RolloutBuffer, imitates: bool, learning: Iterator[None]) -> None:
        groups = range(len(self.sampler.groups))
        if not imitates:
            self.sampler.advise(False)
        stats = self.stats
        for at in range(self.plan.stretch):
            for number in groups:
                start = time.monotonic()
                self.sampler.wait(number)
                shown = time.monotonic()
                with torch.no_grad(), self._autocast():
                    if at > 0:
                        stretch.note(at - 1, number)
                    stretch.choose(at, number, self.player, self.earlier, advised=imitates)
                self.sampler.go(number)
                acted = time.monotonic()
                next(learning, None)
                stats.stepping += shown - start
                stats.looking += acted - shown
                stats.learning += time.monotonic() - acted
        for number in groups:
            self.sampler.wait(number)
            stretch.note(self.plan.stretch - 1, number)

    def _count(self, stretch: RolloutBuffer) -> None:
        stats = self.stats
        stats.steps += stretch.actions.numel()
        stats.hands += int(stretch.ended.sum())
        for tables, over in (
            (stretch.against_club, stats.over_club),
            (stretch.in_league, stats.over_earlier),
        ):
            points, games = stretch.over(tables)
            for game, point in zip(games.tolist(), points.tolist(), strict=True):
                name = stats.games[game]
                had, hands = over.get(name, (0.0, 0))
                over[name] = (had + point, hands + 1)

    def _learn(self, stretch: RolloutBuffer) -> Iterator[None]:
        """Learn from a stretch, one batch per `next`, provided there are enough of them."""
        plan = self.plan
        self.network.train()
        fallen = passed_after(plan.hold, self.stats.seconds / plan.seconds)
        entropy = torch.tensor(plan.entropy * (1 - 0.8 * fallen), device=self.device)
        with self._beside(), torch.no_grad():
            gains, is_known = stretch.gains(plan.trace)
            keep = (is_known & stretch.choices).reshape(-1).nonzero().squeeze(1)
            games = stretch.games.repeat(plan.stretch)[keep]
            gains = gains.reshape(-1)[keep]
            targets = gains + stretch.values.reshape(-1)[keep]
            gains = by_game(gains, games, len(self.stats.games))
            actions = stretch.actions.reshape(-1)[keep]
            chances = stretch.chances.reshape(-1)[keep]
            shown = stretch.shown.reshape(-1, stretch.shown.shape[2])
            imitated = stretch.imitated.reshape(-1)[keep]
            again = imitated.nonzero().squeeze(1).repeat(max(0, plan.imitation_passes - plan.passes))
            order = torch.cat([torch.arange(len(keep), device=self.device).repeat(plan.passes), again])
            order = order[torch.randperm(len(order), device=self.device)]
        batches = [part for part in order.split(plan.batch) if len(part) == min(plan.batch, len(order))]
        turns = 0.9 * plan.stretch * len(self.sampler.groups)
        count = 0
        measures: list[Tensor] = []
        for number, part in enumerate(batches):
            while count * len(batches) < number * turns:
                count += 1
                yield
            self.updates += 1
            for settings in self.optimiser.param_groups:
                settings["lr"] = plan.rate * (1 - (1 - plan.final_rate) * fallen) * min(1, self.updates / 50)
            with self._beside():
                with self._autocast():
                    loss, measured = self._loss(
                        self.network, shown[keep[part]], actions[part], chances[part], gains[part],
                        targets[part], entropy, plan.clip, imitated[part],
                    )  # fmt: skip
                self.optimiser.zero_grad(set_to_none=True)
                loss.backward()
                nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
                self.optimiser.step()
                measures.append(measured)
        if measures:
            with self._beside():
                means = torch.stack(measures).mean(0).tolist()
            self.stats.measured.append(means)


def _loss(
    network: Network,
    rows: Tensor,
    actions: Tensor,
    chances: Tensor,
    gains: Tensor,
    targets: Tensor,
    entropy_worth: Tensor,
    clip: float,
    imitated: Tensor,
) -> tuple[Tensor, Tensor]:
    """Return the loss, and the numbers to log in the order of `MEASURED`."""
    logits, value, judged, believed = network.with_critic(rows)
    logs = functional.log_softmax(logits, 1)
    log = logs.gather(1, actions[:, None]).squeeze(1)
    entropy = -(logs.exp() * logs.clamp(min=-50)).sum(1)
    ratio = (log - chances).exp()
    held = ratio.clamp(1 - clip, 1 + clip)
    worth = torch.min(ratio * gains, held * gains) + entropy_worth * entropy
    policy_loss = -torch.where(imitated, log, worth).mean()
    value_loss = functional.smooth_l1_loss(value, targets)
    judge_loss = functional.smooth_l1_loss(judged, targets)
    surprise = belief_loss(believed, rows)
    loss = policy_loss + 0.5 * (value_loss + judge_loss) + BELIEF * surprise
    measured = torch.stack([entropy.mean(), (chances - log).mean(), value_loss, judge_loss, surprise])
    return loss, measured.detach()


def belief_loss(believed: Tensor, rows: Tensor) -> Tensor:
    """Return the cross-entropy of the other hands: the mean over the ranks of all players who hold cards."""
    hands = rows[:, -HIDDEN_NUMBERS:][:, :HELD]
    counts = hands.clamp(max=NUMBERS - 1).long()
    surprise = -functional.log_softmax(believed, 2).gather(2, counts[:, :, None]).squeeze(2)
    plays = (hands.reshape(len(hands), -1, RANKS) > 0).any(2).repeat_interleave(RANKS, 1)
    return (surprise * plays).sum() / plays.sum()
