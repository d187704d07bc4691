"""Self-play by PPO: a stretch of play at all tables, then some passes over it."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn
from torch.nn import functional

from training.network import UNIT, Network
from training.sampler import Group, Sampler


@dataclass(frozen=True)
class Plan:
    """What can be tuned."""

    seconds: float = 300.0
    stretch: int = 128
    """Steps of each table between two times of learning."""
    passes: int = 2
    batch: int = 32_768
    rate: float = 4e-4
    final_rate: float = 0.1
    """Of the rate, at the end."""
    entropy: float = 0.01
    trace: float = 0.97
    clip: float = 0.2


@dataclass
class Told:
    """How far it has come."""

    steps: int = 0
    hands: int = 0
    playing: float = 0.0
    learning: float = 0.0
    entropy: float = 0.0
    shift: float = 0.0
    value_loss: float = 0.0
    spread: float = 0.0
    begun: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.begun

    def line(self) -> str:
        return (
            f"{self.seconds:6.0f} s  {self.steps / 1e6:7.1f} M steps  "
            f"{self.steps / self.seconds / 1e6:.2f} M/s  "
            f"{self.hands:,} hands  playing {self.playing:.0f} s  learning {self.learning:.0f} s  "
            f"entropy {self.entropy:.3f}  shift {self.shift:.4f}  value loss {self.value_loss:.4f}  "
            f"spread {self.spread:.0f}"
        )


class Stretch:
    """What was seen, done and paid in a stretch of play of one group."""

    def __init__(self, group: Group, number: int, length: int, device: torch.device) -> None:
        count = group.count
        self.group = group
        self.length = length
        shape = (length, count)
        width = group.observation_size + group.action_count
        self.shown = torch.empty((*shape, width), dtype=torch.uint8, device=device)
        self.actions = torch.empty(shape, dtype=torch.int64, device=device)
        self.chances = torch.empty(shape, device=device)
        self.values = torch.empty(shape, device=device)
        self.seats = torch.empty(shape, dtype=torch.int64, device=device)
        self.paid = torch.empty((*shape, group.seats), device=device)
        self.ended = torch.empty(shape, dtype=torch.bool, device=device)
        self.game = torch.full((count,), number, dtype=torch.int64, device=device)
        self.rows = torch.arange(count, device=device)
        pin(group, device)
        self._shown = torch.from_numpy(group.shown)
        self._seats = torch.from_numpy(group.acting)
        self._rewards = torch.from_numpy(group.rewards)
        self._done = torch.from_numpy(group.done)
        self._choices = torch.from_numpy(group.actions)

    def split(self, shown: Tensor) -> tuple[Tensor, Tensor]:
        size = self.group.observation_size
        return shown[..., :size], shown[..., size:]

    def choose(self, at: int, network: Network) -> None:
        """Look at the tables, and write an action for each."""
        self.shown[at].copy_(self._shown, non_blocking=True)
        self.seats[at].copy_(self._seats, non_blocking=True)
        seen, mask = self.split(self.shown[at])
        logits, value = network(seen, mask, self.game)
        noise = torch.rand_like(logits).clamp_(1e-9, 1 - 1e-7)
        chosen = (logits - torch.log(-torch.log(noise))).argmax(1)
        self._choices.copy_(chosen)
        self.actions[at] = chosen
        self.chances[at] = functional.log_softmax(logits, 1).gather(1, chosen[:, None]).squeeze(1)
        self.values[at] = value

    def note(self, at: int) -> None:
        """What the actions of that step have led to."""
        self.paid[at].copy_(self._rewards, non_blocking=True)
        self.paid[at] /= UNIT
        self.ended[at] = (self.paid[at] != 0).any(1) | self._done.to(self.ended.device).bool()

    def gains(self, trace: float) -> tuple[Tensor, Tensor]:
        """How much better than expected each action was, and where that is known: by seat, since the others'
        actions come in between."""
        count, seats = self.group.count, self.group.seats
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


def pin(group: Group, device: torch.device) -> None:
    """Have the GPU read the shared memory directly."""
    if device.type == "cuda":
        done = torch.cuda.cudart().cudaHostRegister(group.shown.ctypes.data, group.plan.size, 0)
        assert int(done) == 0, f"cudaHostRegister: {done}"


class Learner:
    def __init__(
        self,
        network: Network,
        optimiser: torch.optim.Optimizer,
        sampler: Sampler,
        numbers: list[int],
        plan: Plan,
    ) -> None:
        """`numbers` are those of the groups' games, as the network knows them."""
        self.network = network
        self.optimiser = optimiser
        self.sampler = sampler
        self.plan = plan
        self.device = next(network.parameters()).device
        self.told = Told()
        self.stretches = [
            Stretch(group, number, plan.stretch, self.device)
            for group, number in zip(sampler.groups, numbers, strict=True)
        ]

    def run(self, tell: Callable[[Told], None]) -> None:
        while self.told.seconds < self.plan.seconds:
            self._play()
            self._learn(min(1.0, self.told.seconds / self.plan.seconds))
            tell(self.told)

    def _autocast(self) -> torch.autocast:
        return torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda")

    def _play(self) -> None:
        begun = time.monotonic()
        last = self.plan.stretch - 1
        self.network.eval()
        with torch.inference_mode(), self._autocast():
            for at in range(self.plan.stretch):
                for number, stretch in enumerate(self.stretches):
                    self.sampler.wait(number)
                    if at > 0:
                        stretch.note(at - 1)
                    stretch.choose(at, self.network)
                    self.sampler.go(number)
            for number, stretch in enumerate(self.stretches):
                self.sampler.wait(number)
                stretch.note(last)
        self.told.steps += self.plan.stretch * sum(stretch.group.count for stretch in self.stretches)
        self.told.hands += sum(int(stretch.ended.sum()) for stretch in self.stretches)
        self.told.playing += time.monotonic() - begun

    def _learn(self, passed: float) -> None:
        begun = time.monotonic()
        plan = self.plan
        shown, actions, chances, games, gains, values = self._gathered()
        self.told.spread = float(gains.std()) * UNIT
        targets = gains + values
        gains = (gains - gains.mean()) / (gains.std() + 1e-6)
        for settings in self.optimiser.param_groups:
            settings["lr"] = plan.rate * (1 - (1 - plan.final_rate) * passed)
        self.network.train()
        seen_size = self.stretches[0].group.observation_size
        measures: list[Tensor] = []
        for _ in range(plan.passes):
            order = torch.randperm(len(actions), device=self.device)
            for part in order.split(plan.batch):
                if len(part) < plan.batch // 2 and len(order) > plan.batch:
                    continue
                rows = shown[part]
                with self._autocast():
                    logits, value = self.network(rows[:, :seen_size], rows[:, seen_size:], games[part])
                logs = functional.log_softmax(logits, 1)
                log = logs.gather(1, actions[part][:, None]).squeeze(1)
                ratio = (log - chances[part]).exp()
                held = ratio.clamp(1 - plan.clip, 1 + plan.clip)
                policy_loss = -torch.min(ratio * gains[part], held * gains[part]).mean()
                entropy = -(logs.exp() * logs.clamp(min=-50)).sum(1).mean()
                value_loss = functional.smooth_l1_loss(value, targets[part])
                loss = policy_loss + 0.5 * value_loss - plan.entropy * (1 - 0.8 * passed) * entropy
                self.optimiser.zero_grad(set_to_none=True)
                loss.backward()
                nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
                self.optimiser.step()
                measures.append(torch.stack([entropy, (chances[part] - log).mean(), value_loss]).detach())
        means = torch.stack(measures).mean(0).tolist()
        self.told.entropy, self.told.shift, self.told.value_loss = means
        self.told.learning += time.monotonic() - begun

    def _gathered(self) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
        """All decisions worth learning from: those with a choice, whose outcome is known."""
        found: list[tuple[Tensor, ...]] = []
        for stretch in self.stretches:
            gains, is_known = stretch.gains(self.plan.trace)
            _, mask = stretch.split(stretch.shown)
            keep = (is_known & (mask.sum(2) > 1)).reshape(-1).nonzero().squeeze(1)
            game = stretch.game.expand(self.plan.stretch, -1)
            parts = (stretch.actions, stretch.chances, game, gains, stretch.values)
            shown = stretch.shown.reshape(-1, stretch.shown.shape[2])
            found.append((shown[keep], *(part.reshape(-1)[keep] for part in parts)))
        shown, actions, chances, games, gains, values = (
            torch.cat(column) for column in zip(*found, strict=True)
        )
        return shown, actions, chances, games, gains, values
