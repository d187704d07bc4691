"""The network, which maps an observation to a number for each action and to the expected margin."""

from collections.abc import Iterable
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional

from canasta.engine.cards import RANKS
from canasta.engine.determinize import NUMBERS
from canasta.engine.observation.encoder import HIDDEN_NUMBERS
from canasta.engine.observation.layout import MOST_SEATS, pieces, universal_layout
from canasta.errors import CanastaError

Weights = dict[str, Tensor]

MOST_SMALL: Final = 16
"""Largest number that is resolved well; larger ones are input a second time, on another scale."""
NEVER: Final = -1e9
HELD: Final = (MOST_SEATS - 1) * RANKS
"""Number of counts of the other hands, by player and rank, at the start of the hidden numbers."""


def large_numbers() -> list[int]:
    """Return the indexes of the inputs that may be large: all except counts of cards."""
    small = [piece for piece in pieces(universal_layout()) if piece.length <= 2]
    return [piece.offset + at for piece in small for at in range(piece.length)]


class Diverged(CanastaError):
    """Raised if the weights are no longer finite."""

    def __init__(self) -> None:
        super().__init__("the weights are no numbers any more; lower --rate.")


def are_finite(tensors: Iterable[Tensor]) -> bool:
    """Return whether the tensors contain only finite numbers."""
    return all(bool(tensor.isfinite().all()) for tensor in tensors)


class Block(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.first = nn.Linear(width, width)
        self.second = nn.Linear(width, width)
        nn.init.zeros_(self.second.weight)
        nn.init.zeros_(self.second.bias)

    def forward(self, x: Tensor) -> Tensor:
        change: Tensor = self.second(functional.gelu(self.first(self.norm(x)), approximate="tanh"))
        return x + change


class Network(nn.Module):
    """A policy with a belief about the other hands, and a critic that also sees hidden cards."""

    large: Tensor

    def __init__(self, inputs: int, actions: int, width: int = 512, depth: int = 3) -> None:
        super().__init__()
        large = large_numbers()
        self.register_buffer("large", torch.tensor(large), persistent=False)
        self.inputs = inputs
        self.enter = nn.Linear(2 * inputs + len(large), width)
        self.blocks = nn.ModuleList(Block(width) for _ in range(depth))
        self.norm = nn.LayerNorm(width)
        self.policy = nn.Linear(width, actions)
        self.value = nn.Linear(width, 1)
        self.belief = nn.Linear(width, HELD * NUMBERS)
        self.hidden = nn.Linear(HIDDEN_NUMBERS, width)
        self.judge_block = Block(width)
        self.judge_norm = nn.LayerNorm(width)
        self.judge_value = nn.Linear(width, 1)
        for head in (self.policy, self.value, self.belief, self.judge_value):
            nn.init.normal_(head.weight, std=0.01)
            nn.init.zeros_(head.bias)

    def _trunk(self, seen: Tensor) -> Tensor:
        x = seen.float()
        x = torch.cat([x.clamp(max=MOST_SMALL) * 0.25, (x > 0).float(), x[:, self.large] * (1 / 64)], 1)
        x = self.enter(x)
        for block in self.blocks:
            x = block(x)
        return x

    def forward(self, seen: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return the logits of the legal actions, and the value in units."""
        return self._heads(self._thought(self._trunk(seen)), mask)

    def _thought(self, x: Tensor) -> Tensor:
        return functional.gelu(self.norm(x), approximate="tanh")

    def _heads(self, thought: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        logits: Tensor = self.policy(thought).float().masked_fill(mask == 0, NEVER)
        value: Tensor = self.value(thought).float().squeeze(1)
        return logits, value

    def with_critic(self, row: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Evaluate rows in the sampler's format.

        Return logits, value, the critic's value, and the belief about the number of cards of each rank that
        the other players hold.
        """
        seen, mask, hidden = row.split([self.inputs, self.policy.out_features, HIDDEN_NUMBERS], 1)
        x = self._trunk(seen)
        thought = self._thought(x)
        logits, value = self._heads(thought, mask)
        y = self.judge_norm(self.judge_block(x + self.hidden(hidden.float() * 0.25)))
        said: Tensor = self.judge_value(functional.gelu(y, approximate="tanh")).float().squeeze(1)
        believed: Tensor = self.belief(thought).float().reshape(-1, HELD, NUMBERS)
        return logits, value, said, believed
