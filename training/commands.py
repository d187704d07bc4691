"""The commands that need PyTorch: they play, learn and measure."""

import argparse
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import torch

from canasta.bots.learned.coverage import unit_of
from canasta.rules import load_ruleset
from training.checkpoints import (
    Kept,
    fresh_network,
    load_earlier,
    load_league,
    load_memory,
    load_network,
    save,
    save_league,
)
from training.evaluate import Asked, Duels, check_opponent
from training.expert_iteration import Improver
from training.expert_iteration import Plan as ImproverPlan
from training.expert_iteration import Told as Improved
from training.export import export
from training.learner import Learner, Plan, Told
from training.log import Log
from training.lookahead import Trials
from training.network import Network, Weights
from training.sampler import Sampler
from training.self_play import self_play
from training.task_mix import Mix, Sort, rules_of, sorts_of, weighed

GROUPS = 2
"""One group is stepped while the network evaluates the other."""
SAVING = 120.0
"""Seconds between saves of the weights."""


class Start:
    """The network to continue from, on the device, with the state of its optimiser."""

    def __init__(self, asked: argparse.Namespace, fresh: Network | None = None) -> None:
        """Load the network. Raise `WeightsError` if there are no weights and no `fresh` network."""
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        torch.set_float32_matmul_precision("high")
        self.file = Path(asked.weights)
        begin = Path(asked.begin_from) if asked.begin_from and not self.file.exists() else self.file
        if fresh is None or asked.begin_from or begin.exists():
            self.before = load_network(begin)
        else:
            self.before = Kept(fresh, [], 0, False)
        self.network = self.before.network.to(self.device)
        self.optimiser = torch.optim.AdamW(
            self.network.parameters(), lr=asked.rate, betas=(0.9, 0.99), eps=1e-6, weight_decay=1e-4,
            fused=self.device.type == "cuda",
        )  # fmt: skip
        load_memory(begin, self.optimiser)
        self.seed = f"{asked.seed}/{self.before.steps}"
        """Seed for the cards; continuing a run uses different ones."""


class Course:
    """Reports progress, and saves the weights at intervals."""

    def __init__(self, asked: argparse.Namespace, start: Start, games: list[str], tables: int) -> None:
        self._log = Log(Path(asked.log) if asked.log else start.file.with_suffix(".log.jsonl"))
        self._start = start
        self._games = games
        self.league: list[Weights] = []
        """Earlier selves, saved with the weights."""
        self._house_rules = start.before.house_rules or asked.house_rules > 0
        self._every = asked.every
        self._next_word = self._next_save = 0.0
        count = sum(parameter.numel() for parameter in start.network.parameters())
        print(f"{start.device}: {count:,} parameters, {tables} tables of {len(games)} games", flush=True)
        self._log.begin(
            start.before.steps, games=games, parameters=count, tables=tables,
            device=torch.cuda.get_device_name() if start.device.type == "cuda" else "cpu",
            arguments={name: value for name, value in vars(asked).items() if name != "do"},
        )  # fmt: skip

    def tell(self, told: Told | Improved) -> None:
        if told.seconds >= self._next_word:
            self._say(told)
            self._next_word = told.seconds + self._every
        if told.seconds >= self._next_save:
            self._keep(told.steps)
            self._next_save = told.seconds + SAVING

    def end(self, told: Told | Improved) -> None:
        self._say(told)
        self._keep(told.steps)

    def _say(self, told: Told | Improved) -> None:
        entry = told.entry()
        self._log.add(entry)
        print(entry.line(), flush=True)

    def _keep(self, steps: int) -> None:
        start = self._start
        kept = Kept(start.network, self._games, start.before.steps + steps, self._house_rules)
        save(start.file, kept, start.optimiser)
        if self.league:
            save_league(start.file, self.league)

    @contextmanager
    def until_stopped(self) -> Iterator[None]:
        """Let Ctrl-C end learning, keeping what has been learned."""
        try:
            yield
        except KeyboardInterrupt:
            print("stopped; what was learned is kept", flush=True)


def spread(
    asked: argparse.Namespace, seed: str, weights: dict[str, float], mix: Mix, shown: Collection[str] = ()
) -> list[list[Sort]]:
    """Return the tables of each process, for one group."""
    tables = asked.tables // GROUPS // asked.processes
    return [sorts_of(weights, tables, mix, f"{seed}/{number}", shown) for number in range(asked.processes)]


def train(asked: argparse.Namespace) -> None:
    weights = weighed(asked.games)
    shown = weighed(asked.imitated) if asked.imitate > 0 else {}
    mix = Mix(club=asked.club, league=asked.league, house_rules=asked.house_rules)
    start = Start(asked, fresh_network(asked.width, asked.depth))
    sorts = spread(asked, start.seed, weights, mix, shown)
    named = [load_earlier(Path(name), start.network) for name in asked.earlier]
    league = load_league(start.file, start.network)
    course = Course(asked, start, list(weights), GROUPS * count_of(sorts))
    course.league = league
    plan = Plan(
        seconds=asked.seconds, imitate=asked.imitate, rate=asked.rate, final_rate=asked.final_rate,
        hold=asked.hold, stretch=asked.stretch, batch=asked.batch, entropy=asked.entropy, passes=asked.passes,
    )  # fmt: skip
    sampler = Sampler(sorts, GROUPS, start.seed, advised=asked.imitate > 0)
    try:
        learner = Learner(start.network, start.optimiser, sampler, list(weights), plan, named, course.league)
        with course.until_stopped():
            learner.run(course.tell)
    finally:
        sampler.close()
    course.end(learner.told)


def improve(asked: argparse.Namespace) -> None:
    weights = weighed(asked.games)
    start = Start(asked)
    sorts = spread(asked, start.seed, weights, Mix(club=0.0, house_rules=asked.house_rules))
    course = Course(asked, start, list(weights), GROUPS * count_of(sorts))
    plan = ImproverPlan(
        seconds=asked.seconds, rate=asked.rate, final_rate=asked.final_rate, hold=asked.hold,
        stretch=asked.stretch, batch=asked.batch, passes=asked.passes, caution=asked.caution,
        generation=asked.generation,
    )  # fmt: skip
    units = [unit_of(load_ruleset(*rules_of(game))) for game in weights]
    trials = Trials(sorts, GROUPS, start.seed)
    try:
        improver = Improver(start.network, start.optimiser, trials, list(weights), units, plan)
        with course.until_stopped():
            improver.run(course.tell)
    finally:
        trials.close()
    course.end(improver.told)


def count_of(sorts: list[list[Sort]]) -> int:
    return sum(sort.count for each in sorts for sort in each)


def measure(asked: argparse.Namespace) -> None:
    games, opponents = weighed(asked.games), asked.opponents.split(",")
    for opponent in opponents:
        check_opponent(opponent)
    load_network(Path(asked.weights))
    duels = Duels(asked.processes)
    try:
        for game in games:
            for opponent in opponents:
                start = time.monotonic()
                what = Asked(Path(asked.weights), game, opponent, house_rules=asked.house_rules)
                result = duels.play(what, pairs=asked.pairs, seed=asked.seed)
                print(f"{result.line()}  [{time.monotonic() - start:.0f} s]", flush=True)
    finally:
        duels.close()


def play(asked: argparse.Namespace) -> None:
    for line in self_play(
        Path(asked.weights), asked.games, asked.hands, asked.tables, asked.processes, asked.seed
    ):
        print(line, flush=True)


def write(asked: argparse.Namespace) -> None:
    size = export(Path(asked.weights), Path(asked.to), weighed(asked.without) if asked.without else ())
    print(f"{asked.to}: {size:,} bytes")


COMMANDS: Final = {"train": train, "improve": improve, "duel": measure, "self-play": play, "export": write}
