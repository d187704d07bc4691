"""Train a small policy by self-play on one CPU and measure it against the computer player `novice`.

    pip install '.[research]'
    python examples/train_policy.py --minutes 4 --rules two-player

It needs only NumPy: a network with one hidden layer, trained by proximal policy optimisation with whole hands
as samples, and all tables stepped together by `canasta.research.vector_env`. The policy plays every seat
against itself; it never meets the opponent it is measured against during training.
"""

import argparse
import time

import numpy as np
import numpy.typing as npt

from canasta import research
from canasta.bots import get_bot
from canasta.engine.view import View
from canasta.research.episode import Episode, EpisodeGame
from canasta.rules import load_ruleset

Floats = npt.NDArray[np.float32]

UNIT = 300.0
"""Points that count as one unit of reward."""


class Policy:
    """Maps an observation to a probability for each action and the expected reward."""

    def __init__(self, inputs: int, actions: int, hidden: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.actions = actions
        self.weights: list[Floats] = [
            (rng.standard_normal((inputs, hidden)) * np.sqrt(1.0 / inputs)).astype(np.float32),
            np.zeros(hidden, np.float32),
            np.zeros((hidden, actions + 1), np.float32),
            np.zeros(actions + 1, np.float32),
        ]
        self._mean = [np.zeros_like(weight) for weight in self.weights]
        self._spread = [np.zeros_like(weight) for weight in self.weights]
        self._updates = 0

    def forward(
        self, observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.uint8]
    ) -> tuple[Floats, Floats, Floats, Floats]:
        """Return the inputs, the hidden layer, the action probabilities and the expected rewards."""
        first, bias, second, shift = self.weights
        inputs = np.minimum(observations, 16).astype(np.float32) * np.float32(0.25)
        hidden = np.maximum(inputs @ first + bias, 0)
        out = hidden @ second + shift
        scores = np.where(masks > 0, out[:, :-1], np.float32(-1e9))
        scores -= scores.max(1, keepdims=True)
        chances = np.exp(scores)
        chances /= chances.sum(1, keepdims=True)
        return inputs, hidden, chances, out[:, -1]

    def learn(
        self,
        observations: npt.NDArray[np.uint8],
        masks: npt.NDArray[np.uint8],
        actions: npt.NDArray[np.int64],
        old: Floats,
        returns: Floats,
        advantages: Floats,
        rate: float,
    ) -> None:
        """Make one step of proximal policy optimisation."""
        inputs, hidden, chances, values = self.forward(observations, masks)
        rows = np.arange(len(actions))
        chosen = chances[rows, actions]
        ratio = chosen / old
        clipped = ((ratio > 1.2) & (advantages > 0)) | ((ratio < 0.8) & (advantages < 0))
        push = np.where(clipped, 0, -advantages * ratio)[:, None].astype(np.float32)
        out = -push * chances
        out[rows, actions] += push[:, 0]
        # A small entropy bonus keeps the policy from converging too early.
        logs = np.log(np.maximum(chances, 1e-9))
        entropy = -(chances * logs).sum(1, keepdims=True)
        out += 0.01 * chances * (logs + entropy)
        value = 0.5 * (values - returns)
        out = np.concatenate([out, value[:, None]], 1).astype(np.float32) / len(actions)
        back = (out @ self.weights[2].T) * (hidden > 0)
        slopes = [inputs.T @ back, back.sum(0), hidden.T @ out, out.sum(0)]
        self._adam(slopes, rate)

    def _adam(self, slopes: list[Floats], rate: float) -> None:
        self._updates += 1
        fix = np.sqrt(1 - 0.999**self._updates) / (1 - 0.9**self._updates)
        for at, slope in enumerate(slopes):
            self._mean[at] += 0.1 * (slope - self._mean[at])
            self._spread[at] += 0.001 * (slope * slope - self._spread[at])
            self.weights[at] -= rate * fix * self._mean[at] / (np.sqrt(self._spread[at]) + 1e-8)


def choose(chances: Floats, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    heights = chances.cumsum(1)
    # In the range (0, 1]: exactly 0 would select an action of probability zero.
    at = (1 - rng.random((len(chances), 1), np.float32)) * heights[:, -1:]
    found: npt.NDArray[np.int64] = np.minimum((heights < at).sum(1), chances.shape[1] - 1)
    return found


def train(rules: str, players: int | None, seconds: float, tables: int, hidden: int, seed: int) -> Policy:
    tables_env = research.vector_env(tables, rules, players, rewards="margin")
    tables_env.reset(seed)
    policy = Policy(tables_env.observation_size, tables_env.action_count, hidden, seed)
    rng = np.random.default_rng(seed)
    begun = time.monotonic()
    made = hands = rounds = 0
    told = begun
    while (passed := time.monotonic() - begun) < seconds:
        rounds += 1
        steps = 256
        seen = np.empty((steps, tables, tables_env.observation_size), np.uint8)
        allowed = np.empty((steps, tables, tables_env.action_count), np.uint8)
        acts = np.empty((steps, tables), np.int64)
        chance = np.empty((steps, tables), np.float32)
        value = np.empty((steps, tables), np.float32)
        seats = np.empty((steps, tables), np.uint8)
        done = np.empty((steps, tables), np.uint8)
        paid = np.empty((steps, tables, tables_env.players), np.float32)
        for step in range(steps):
            seen[step], allowed[step] = tables_env.observations, tables_env.masks
            seats[step] = tables_env.seats
            _, _, chances, value[step] = policy.forward(seen[step], allowed[step])
            actions = choose(chances, rng)
            acts[step] = actions
            chance[step] = chances[np.arange(tables), actions]
            tables_env.step(actions)
            done[step], paid[step] = tables_env.done, tables_env.rewards
        made += steps * tables
        hands += int(done.sum())
        returns, advantages = _returns(seats, done, paid / UNIT, value, tables_env.players)
        _update(policy, seen, allowed, acts, chance, returns, advantages, rng, 1 - 0.8 * passed / seconds)
        if time.monotonic() - told > 20:
            told = time.monotonic()
            print(f"{passed:4.0f} s, {made:,} actions, {hands:,} hands", flush=True)
    print(f"trained on {made:,} actions, {hands:,} hands in {seconds:.0f} s")
    return policy


def _returns(
    seats: npt.NDArray[np.uint8], done: npt.NDArray[np.uint8], paid: Floats, value: Floats, players: int
) -> tuple[Floats, Floats]:
    """Return the return and advantage of each action, by generalised
    advantage estimation over each seat's actions."""
    steps, tables = seats.shape
    returns = np.zeros((steps, tables), np.float32)
    later = np.zeros((tables, players), np.float32)
    """The value of each seat's next action, and its advantage; rewards in between."""
    ahead = np.zeros((tables, players), np.float32)
    rows = np.arange(tables)
    known = np.zeros((tables, players), bool)
    advantages = np.zeros((steps, tables), np.float32)
    for step in range(steps - 1, -1, -1):
        over = done[step] > 0
        later[over] = paid[step][over]
        ahead[over] = 0
        known[over] = True
        seat = seats[step]
        delta = later[rows, seat] - value[step]
        gain = np.where(known[rows, seat], delta + 0.97 * ahead[rows, seat], 0)
        advantages[step] = gain
        returns[step] = value[step] + gain
        later[rows, seat] = value[step]
        ahead[rows, seat] = gain
        known[rows, seat] = True
    return returns, advantages


def _update(
    policy: Policy,
    seen: npt.NDArray[np.uint8],
    allowed: npt.NDArray[np.uint8],
    acts: npt.NDArray[np.int64],
    chance: Floats,
    returns: Floats,
    advantages: Floats,
    rng: np.random.Generator,
    fade: float,
) -> None:
    flat = seen.reshape(-1, seen.shape[2])
    masks = allowed.reshape(-1, allowed.shape[2])
    free = np.flatnonzero(masks.sum(1) > 1)
    gains = advantages.reshape(-1)
    gains = (gains - gains[free].mean()) / (gains[free].std() + 1e-6)
    for _ in range(2):
        rng.shuffle(free)
        for part in np.array_split(free, max(1, len(free) // 2048)):
            policy.learn(
                flat[part],
                masks[part],
                acts.reshape(-1)[part],
                chance.reshape(-1)[part],
                returns.reshape(-1)[part],
                gains[part],
                1e-3 * fade,
            )


def duel(policy: Policy | None, opponent: str, rules: str, players: int | None, deals: int) -> Floats:
    """Return margins per hand of the policy's side over the opponent's, playing each deal from both sides.

    Without a policy, measure random legal play.
    """
    game = EpisodeGame(load_ruleset(rules, players), whole_match=False)
    margins = []
    rng = np.random.default_rng(1)
    for deal in range(deals):
        both = 0.0
        for side in range(2):
            bots = [get_bot(opponent, f"{deal}/{seat}") for seat in range(game.seats)]
            table = Episode(game)
            table.begin(f"duel/{deal}")
            while not table.over:
                seat = table.to_act()
                if game.side_of[seat] != side:
                    step = bots[seat].step(View(table.state, seat, table.scores))
                elif policy is None:
                    step = table.legal[int(rng.integers(len(table.legal)))]
                else:
                    seen = np.frombuffer(table.observe(seat), np.uint8)[None]
                    mask = np.frombuffer(table.mask(), np.uint8)[None]
                    step = game.steps[int(policy.forward(seen, mask)[2].argmax())]
                table.step(step)
            both += table.points[side] - table.points[1 - side]
        margins.append(both / 2)
    return np.array(margins, np.float32)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rules", default="two-player")
    parser.add_argument("--players", type=int)
    parser.add_argument("--minutes", type=float, default=4.0)
    parser.add_argument("--tables", type=int, default=64)
    parser.add_argument("--hidden", type=int, default=128)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--deals", type=int, default=300, help="duplicate deals to measure with")
    parser.add_argument("--opponent", default="novice")
    asked = parser.parse_args()
    policy = train(asked.rules, asked.players, 60 * asked.minutes, asked.tables, asked.hidden, asked.seed)
    for name, player in (("random play", None), ("the policy", policy)):
        margins = duel(player, asked.opponent, asked.rules, asked.players, asked.deals)
        spread = 1.96 * margins.std() / np.sqrt(len(margins))
        print(
            f"{name} against {asked.opponent}: {margins.mean():+.0f} ± {spread:.0f} points a hand, "
            f"ahead in {(margins > 0).mean():.0%} of {len(margins)} duplicate deals"
        )


if __name__ == "__main__":
    main()
