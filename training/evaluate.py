"""Duels of the network with scripted players and other networks: duplicate pairs of matches, with greedy
play.
"""

import multiprocessing
import random
from argparse import ArgumentTypeError
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import torch

from canasta.bots import SeatedBot, get_bot
from canasta.engine.view import View
from canasta.errors import CanastaError
from canasta.research.episode import Episode, EpisodeGame
from canasta.rules import load_ruleset
from training.arguments import whole
from training.checkpoints import load_network
from training.network import Network
from training.task_mix import drawn_rules, rules_of


@dataclass(frozen=True)
class Duel:
    """The result of a duel: points per hand over the opponent, with a 95% interval over the pairs."""

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


OVER: Final = -1
"""Returned in place of a network's number: the match is over and nobody has a choice."""


class DuelTable:
    """One match: a network on one side, its opponents on the others."""

    def __init__(self, game: EpisodeGame, seed: str, side: int, opponent: str) -> None:
        self.game = game
        self.side = side
        self.episode = Episode(game)
        self.episode.begin(seed)
        self.others: list[SeatedBot] = []
        if not is_weights(opponent):
            name, budget = scripted(opponent)
            self.others = [get_bot(name, f"{seed}/{seat}", budget) for seat in range(game.seats)]
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

    def go_on(self) -> int:
        """Play until a network has a choice. Return that network's number, or `OVER`."""
        episode = self.episode
        while not episode.over:
            seat = episode.to_act()
            is_own = self.game.side_of[seat] == self.side
            if len(episode.legal) == 1:
                self.step(episode.legal[0])
            elif is_own or not self.others:
                return int(not is_own)
            else:
                self.step(self.others[seat].step(View(episode.state, seat, episode.scores)))
        return OVER


def is_weights(opponent: str) -> bool:
    return opponent.endswith(".pt")


def scripted(opponent: str) -> tuple[str, float | None]:
    """Parse a player with an optional number of deals, such as `expert:16`.

    The number is returned as a negative budget. Raise `CanastaError` if the text is invalid.
    """
    name, is_limited, worlds = opponent.partition(":")
    if not is_limited:
        return name, None
    try:
        return name, -float(whole(worlds))
    except ArgumentTypeError as error:
        raise CanastaError(f"{opponent!r} is no opponent: {error}, for the deals that it tries.") from error


def check_opponent(opponent: str) -> None:
    """Raise `CanastaError` if the opponent cannot be created."""
    if is_weights(opponent):
        load_network(Path(opponent))
    else:
        name, budget = scripted(opponent)
        get_bot(name, budget=budget)


@dataclass(frozen=True)
class DuelRequest:
    """The duel to play."""

    weights: Path
    game: str
    opponent: str
    """A file of weights, or a scripted player; `expert:16` tries that many deals per decision."""
    house_rules: bool = False
    """Whether each pair plays with different house rules."""


def _play(asked: DuelRequest, seeds: list[str]) -> list[tuple[float, int, float]]:
    """Return the margin, the number of hands and the share of games won, for each pair.

    All tables of a pair have the same cards.
    """
    torch.set_num_threads(1)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    files = [asked.weights, *([Path(asked.opponent)] if is_weights(asked.opponent) else [])]
    networks = [load_network(file).network.to(device) for file in files]
    usual = load_ruleset(*rules_of(asked.game))
    pairs: list[list[DuelTable]] = []
    for seed in seeds:
        rules = drawn_rules(asked.game, random.Random(seed)) if asked.house_rules else usual
        game = EpisodeGame(rules, whole_match=True, universal=True)
        pairs.append([DuelTable(game, seed, side, asked.opponent) for side in range(game.sides)])
    playing = [table for tables in pairs for table in tables]
    while playing:
        choosing: list[list[DuelTable]] = [[] for _ in networks]
        for table in playing:
            number = table.go_on()
            if number != OVER:
                choosing[number].append(table)
        for network, tables in zip(networks, choosing, strict=True):
            if tables:
                _choose(network, tables, device)
        playing = [table for tables in choosing for table in tables]
    found: list[tuple[float, int, float]] = []
    for tables in pairs:
        won = [table.episode.scores[table.side] == max(table.episode.scores) for table in tables]
        margin = sum(table.margin for table in tables)
        found.append((margin, sum(table.hands for table in tables), sum(won) / len(won)))
    return found


def _choose(network: Network, playing: list[DuelTable], device: torch.device) -> None:
    episodes = [table.episode for table in playing]
    seen = np.stack([np.frombuffer(one.observe(one.to_act()), np.uint8) for one in episodes])
    masks = np.stack([np.frombuffer(one.mask(), np.uint8) for one in episodes])
    with torch.inference_mode():
        logits, _ = network(torch.from_numpy(seen).to(device), torch.from_numpy(masks).to(device))
    for table, action in zip(playing, logits.argmax(1).tolist(), strict=True):
        table.step(table.game.steps[action])


class Duels:
    """A pool of processes, started once, that play duels."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._pool = ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"))

    def play(self, asked: DuelRequest, *, pairs: int, seed: str = "duel") -> Duel:
        seeds = [f"{seed}/{number}" for number in range(pairs)]
        shares = [seeds[number :: self._processes] for number in range(self._processes)]
        try:
            running = [self._pool.submit(_play, asked, share) for share in shares if share]
            results = [pair for share in running for pair in share.result()]
        except BrokenProcessPool as error:
            raise CanastaError("a process that plays has ended by itself.") from error
        margins, hands, won = (np.array(column, float) for column in zip(*results, strict=True))
        low, high = _interval(margins, hands)
        margin = float(margins.sum() / hands.sum())
        game = asked.game + (" with house rules" if asked.house_rules else "")
        return Duel(asked.opponent, game, pairs, margin, low, high, float(won.mean()), int(hands.sum()))

    def close(self) -> None:
        self._pool.shutdown()


def _interval(margins: npt.NDArray[np.float64], hands: npt.NDArray[np.float64]) -> tuple[float, float]:
    """Return a 95% bootstrap interval over the pairs."""
    rng = np.random.default_rng(0)
    drawn = rng.integers(0, len(margins), (2000, len(margins)))
    means = margins[drawn].sum(1) / hands[drawn].sum(1)
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)
