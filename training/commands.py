"""The commands that need PyTorch: they play, train and measure."""

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
    Checkpoint,
    fresh_network,
    load_earlier,
    load_league,
    load_memory,
    load_network,
    save,
    save_league,
)
from training.evaluate import DuelRequest, Duels, check_opponent
from training.expert_iteration import ExpertIteration, ExpertIterationStats
from training.expert_iteration import Plan as ImproverPlan
from training.export import export
from training.learner import Learner, LearnerStats, Plan
from training.log import Log
from training.lookahead import Lookahead
from training.network import Network, Weights
from training.sampler import Sampler
from training.self_play import self_play
from training.task_mix import Mix, TableSet, distribute_tables, parse_games, rules_of

GROUPS = 2
"""Number of groups of tables: one is stepped while the network evaluates the other."""
SAVING = 120.0
"""Seconds between saves of the weights."""


class Start:
    """The network to continue from, loaded onto the device, and the state of its optimiser."""

    def __init__(self, arguments: argparse.Namespace, fresh: Network | None = None) -> None:
        """Load the network. Raise `WeightsError` if there are no weights and no `fresh` network is given."""
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        torch.set_float32_matmul_precision("high")
        self.file = Path(arguments.weights)
        begin = Path(arguments.begin_from) if arguments.begin_from and not self.file.exists() else self.file
        if fresh is None or arguments.begin_from or begin.exists():
            self.before = load_network(begin)
        else:
            self.before = Checkpoint(fresh, [], 0, False)
        self.network = self.before.network.to(self.device)
        self.optimiser = torch.optim.AdamW(
            self.network.parameters(), lr=arguments.rate, betas=(0.9, 0.99), eps=1e-6, weight_decay=1e-4,
            fused=self.device.type == "cuda",
        )  # fmt: skip
        load_memory(begin, self.optimiser)
        self.seed = f"{arguments.seed}/{self.before.steps}"
        """Seed for the cards. It depends on the steps so far, so a continued run gets different cards."""


class Course:
    """Reports progress, and saves the weights at intervals."""

    def __init__(self, arguments: argparse.Namespace, start: Start, games: list[str], tables: int) -> None:
        self._log = Log(Path(arguments.log) if arguments.log else start.file.with_suffix(".log.jsonl"))
        self._start = start
        self._games = games
        self.league: list[Weights] = []
        """Earlier versions of the network, saved with the weights."""
        self._house_rules = start.before.house_rules or arguments.house_rules > 0
        self._every = arguments.every
        self._next_word = self._next_save = 0.0
        count = sum(parameter.numel() for parameter in start.network.parameters())
        print(f"{start.device}: {count:,} parameters, {tables} tables of {len(games)} games", flush=True)
        self._log.begin(
            start.before.steps, games=games, parameters=count, tables=tables,
            device=torch.cuda.get_device_name() if start.device.type == "cuda" else "cpu",
            arguments={name: value for name, value in vars(arguments).items() if name != "do"},
        )  # fmt: skip

    def tell(self, stats: LearnerStats | ExpertIterationStats) -> None:
        if stats.seconds >= self._next_word:
            self._say(stats)
            self._next_word = stats.seconds + self._every
        if stats.seconds >= self._next_save:
            self._keep(stats.steps)
            self._next_save = stats.seconds + SAVING

    def end(self, stats: LearnerStats | ExpertIterationStats) -> None:
        self._say(stats)
        self._keep(stats.steps)

    def _say(self, stats: LearnerStats | ExpertIterationStats) -> None:
        entry = stats.entry()
        self._log.add(entry)
        print(entry.line(), flush=True)

    def _keep(self, steps: int) -> None:
        start = self._start
        kept = Checkpoint(start.network, self._games, start.before.steps + steps, self._house_rules)
        save(start.file, kept, start.optimiser)
        if self.league:
            save_league(start.file, self.league)

    @contextmanager
    def until_stopped(self) -> Iterator[None]:
        """Let Ctrl-C end the training and keep what has been learned."""
        try:
            yield
        except KeyboardInterrupt:
            print("stopped; what was learned is kept", flush=True)


def spread(
    arguments: argparse.Namespace, seed: str, weights: dict[str, float], mix: Mix, shown: Collection[str] = ()
) -> list[list[TableSet]]:
    """Return the tables of one group, by process."""
    tables = arguments.tables // GROUPS // arguments.processes
    return [
        distribute_tables(weights, tables, mix, f"{seed}/{number}", shown)
        for number in range(arguments.processes)
    ]


def train(arguments: argparse.Namespace) -> None:
    weights = parse_games(arguments.games)
    shown = parse_games(arguments.imitated) if arguments.imitate > 0 else {}
    mix = Mix(club=arguments.club, league=arguments.league, house_rules=arguments.house_rules)
    start = Start(arguments, fresh_network(arguments.width, arguments.depth))
    table_sets = spread(arguments, start.seed, weights, mix, shown)
    named = [load_earlier(Path(name), start.network) for name in arguments.earlier]
    league = load_league(start.file, start.network)
    course = Course(arguments, start, list(weights), GROUPS * count_of(table_sets))
    course.league = league
    plan = Plan(
        seconds=arguments.seconds, imitate=arguments.imitate, rate=arguments.rate,
        final_rate=arguments.final_rate, hold=arguments.hold, stretch=arguments.stretch,
        batch=arguments.batch, entropy=arguments.entropy, passes=arguments.passes,
    )  # fmt: skip
    sampler = Sampler(table_sets, GROUPS, start.seed, advised=arguments.imitate > 0)
    try:
        learner = Learner(start.network, start.optimiser, sampler, list(weights), plan, named, course.league)
        with course.until_stopped():
            learner.run(course.tell)
    finally:
        sampler.close()
    course.end(learner.stats)


def improve(arguments: argparse.Namespace) -> None:
    weights = parse_games(arguments.games)
    start = Start(arguments)
    table_sets = spread(arguments, start.seed, weights, Mix(club=0.0, house_rules=arguments.house_rules))
    course = Course(arguments, start, list(weights), GROUPS * count_of(table_sets))
    plan = ImproverPlan(
        seconds=arguments.seconds, rate=arguments.rate, final_rate=arguments.final_rate, hold=arguments.hold,
        stretch=arguments.stretch, batch=arguments.batch, passes=arguments.passes, caution=arguments.caution,
        generation=arguments.generation,
    )  # fmt: skip
    units = [unit_of(load_ruleset(*rules_of(game))) for game in weights]
    lookahead = Lookahead(table_sets, GROUPS, start.seed)
    try:
        improver = ExpertIteration(start.network, start.optimiser, lookahead, list(weights), units, plan)
        with course.until_stopped():
            improver.run(course.tell)
    finally:
        lookahead.close()
    course.end(improver.stats)


def count_of(table_sets: list[list[TableSet]]) -> int:
    return sum(table_set.count for each in table_sets for table_set in each)


def measure(arguments: argparse.Namespace) -> None:
    games, opponents = parse_games(arguments.games), arguments.opponents.split(",")
    for opponent in opponents:
        check_opponent(opponent)
    load_network(Path(arguments.weights))
    duels = Duels(arguments.processes)
    try:
        for game in games:
            for opponent in opponents:
                start = time.monotonic()
                what = DuelRequest(Path(arguments.weights), game, opponent, house_rules=arguments.house_rules)
                result = duels.play(what, pairs=arguments.pairs, seed=arguments.seed)
                print(f"{result.line()}  [{time.monotonic() - start:.0f} s]", flush=True)
    finally:
        duels.close()


def play(arguments: argparse.Namespace) -> None:
    for line in self_play(
        Path(arguments.weights),
        arguments.games,
        arguments.hands,
        arguments.tables,
        arguments.processes,
        arguments.seed,
    ):
        print(line, flush=True)


def write(arguments: argparse.Namespace) -> None:
    size = export(
        Path(arguments.weights),
        Path(arguments.to),
        parse_games(arguments.without) if arguments.without else (),
    )
    print(f"{arguments.to}: {size:,} bytes")


COMMANDS: Final = {"train": train, "improve": improve, "duel": measure, "self-play": play, "export": write}
