"""The network: bytes of an observation in, a number for each action and the expected margin out."""

import torch
from torch import Tensor, nn
from torch.nn import functional

UNIT = 500.0
"""Points that the network calls one."""


class Block(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.first = nn.Linear(width, width)
        self.second = nn.Linear(width, width)
        nn.init.zeros_(self.second.weight)
        nn.init.zeros_(self.second.bias)

    def forward(self, x: Tensor) -> Tensor:
        change: Tensor = self.second(functional.gelu(self.first(self.norm(x))))
        return x + change


class Network(nn.Module):
    def __init__(self, inputs: int, actions: int, games: int = 1, width: int = 512, depth: int = 3) -> None:
        super().__init__()
        self.enter = nn.Linear(3 * inputs, width)
        self.game = nn.Embedding(games, width)
        self.blocks = nn.ModuleList(Block(width) for _ in range(depth))
        self.norm = nn.LayerNorm(width)
        self.policy = nn.Linear(width, actions)
        self.value = nn.Linear(width, 1)
        nn.init.zeros_(self.game.weight)
        for head in (self.policy, self.value):
            nn.init.normal_(head.weight, std=0.01)
            nn.init.zeros_(head.bias)

    def forward(self, seen: Tensor, mask: Tensor, game: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of the legal actions and the value, in units; `game` is the number of the game by row."""
        x = seen.float()
        x = torch.cat([x.clamp(max=16) * 0.25, x * (1 / 64), (x > 0).float()], 1)
        x = self.enter(x) + self.game(game)
        for block in self.blocks:
            x = block(x)
        x = functional.gelu(self.norm(x))
        logits: Tensor = self.policy(x).float().masked_fill(mask == 0, -1e9)
        value: Tensor = self.value(x).float().squeeze(1)
        return logits, value
