"""The network against scripted players: duplicate pairs of matches, greedy play, no search."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch

from canasta.bots import get_bot
from canasta.engine.view import View
from canasta.research.episode import Episode, Game
from canasta.rules import load_ruleset
from training.keeping import load_network
from training.network import Network


@dataclass(frozen=True)
class Duel:
    """Points a hand over the opponent, with a 95% interval from the pairs."""

    opponent: str
    game: str
    pairs: int
    margin: float
    low: float
    high: float
    won: float
    hands: int

    def line(self) -> str:
        return (
            f"{self.game}: over {self.opponent} {self.margin:+.0f} "
            f"({self.low:+.0f} to {self.high:+.0f}) a hand, "
            f"{self.won:.1%} of games won, {self.pairs} pairs, {self.hands} hands"
        )


class Seated:
    """One match: the network on a side, scripted players on the others."""

    def __init__(self, game: Game, seed: str, side: int, opponent: str) -> None:
        self.game = game
        self.side = side
        self.episode = Episode(game)
        self.episode.begin(seed)
        self.others = [get_bot(opponent, f"{seed}/{seat}") for seat in range(game.seats)]
        self.margin = 0.0
        self.hands = 0

    def step(self, step: int) -> None:
        episode = self.episode
        episode.step(step)
        if episode.hand_ended:
            points = episode.points
            rest = sum(points) - points[self.side]
            self.margin += points[self.side] - rest / (len(points) - 1)
            self.hands += 1

    def go_on(self) -> bool:
        """Play until the network has a choice; False when the match is over."""
        episode = self.episode
        while not episode.over:
            seat = episode.to_act()
            if self.game.side_of[seat] != self.side:
                self.step(self.others[seat].step(View(episode.state, seat, episode.scores)))
            elif len(episode.legal) == 1:
                self.step(episode.legal[0])
            else:
                return True
        return False


def _play(
    file: Path, rules: str, players: int, opponent: str, seeds: list[str]
) -> list[tuple[float, int, float]]:
    """Margin, hands and games won of each pair."""
    torch.set_num_threads(1)
    network, _, _ = load_network(file)
    game = Game(load_ruleset(rules, players), whole_match=True, universal=True)
    tables = [Seated(game, seed, side, opponent) for seed in seeds for side in (0, 1)]
    playing = [table for table in tables if table.go_on()]
    while playing:
        _choose(network, playing)
        playing = [table for table in playing if table.go_on()]
    found: list[tuple[float, int, float]] = []
    for first, second in zip(tables[::2], tables[1::2], strict=True):
        won = [table.episode.scores[table.side] == max(table.episode.scores) for table in (first, second)]
        found.append((first.margin + second.margin, first.hands + second.hands, sum(won) / 2))
    return found


def _choose(network: Network, playing: list[Seated]) -> None:
    episodes = [table.episode for table in playing]
    seen = np.stack([np.frombuffer(one.observe(one.to_act()), np.uint8) for one in episodes])
    masks = np.stack([np.frombuffer(one.mask(), np.uint8) for one in episodes])
    with torch.inference_mode():
        logits, _ = network(torch.from_numpy(seen), torch.from_numpy(masks))
    for table, action in zip(playing, logits.argmax(1).tolist(), strict=True):
        table.step(table.game.steps[action])


def duel(
    file: Path, rules: str, players: int, opponent: str, *, pairs: int, processes: int, seed: str = "duel"
) -> Duel:
    seeds = [f"{seed}/{number}" for number in range(pairs)]
    shares = [seeds[number::processes] for number in range(processes)]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, context) as pool:
        running = [pool.submit(_play, file, rules, players, opponent, share) for share in shares if share]
        found = [pair for share in running for pair in share.result()]
    margins, hands, won = (np.array(column, float) for column in zip(*found, strict=True))
    low, high = _interval(margins, hands)
    margin = float(margins.sum() / hands.sum())
    game = f"{rules}/{players}"
    return Duel(opponent, game, pairs, margin, low, high, float(won.mean()), int(hands.sum()))


def _interval(margins: npt.NDArray[np.float64], hands: npt.NDArray[np.float64]) -> tuple[float, float]:
    """By drawing the pairs anew."""
    rng = np.random.default_rng(0)
    drawn = rng.integers(0, len(margins), (2000, len(margins)))
    means = margins[drawn].sum(1) / hands[drawn].sum(1)
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)
