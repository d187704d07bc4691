"""A round robin of bots: duplicate pairs for every pairing, then intervals and ratings.

Ratings are Bradley–Terry strengths, which make the results most likely: bot a beats bot b with probability
s(a) / (s(a) + s(b)). They are fitted by minorisation and maximisation (Hunter 2004), which improves the
likelihood in every iteration, and shown on the usual scale, on which 400 points mean odds of ten to one.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import combinations
from math import log10
from typing import Final

from canasta.arena.executors import Executor
from canasta.arena.intervals import Estimate, percentiles, ratio_with_interval, wilson
from canasta.arena.play import BotSpec, GameSpec, PairResult, duplicate_pair
from canasta.bots.protocol import BotError

MEAN: Final = 1500.0
SCALE: Final = 400.0
PRIOR: Final = 0.5
"""Games that every bot is assumed to have won and lost against each opponent. Without them, the rating of a
bot that wins every game would be infinite.
"""
ROUNDS: Final = 10_000
CLOSE: Final = 1e-8


def bradley_terry(wins: Sequence[Sequence[float]], prior: float = PRIOR) -> list[float]:
    """Return ratings with mean 1500. `wins[a][b]` are the games that a won against b; a draw is half a game
    each.

    Pairings without games are ignored.

    >>> [round(rating) for rating in bradley_terry([[0, 10], [1, 0]], prior=0)]
    [1700, 1300]
    """
    count = len(wins)
    pairs = [[a != b and wins[a][b] + wins[b][a] > 0 for b in range(count)] for a in range(count)]
    won = [sum(wins[a][b] + prior for b in range(count) if pairs[a][b]) for a in range(count)]
    games = [[wins[a][b] + wins[b][a] + 2 * prior for b in range(count)] for a in range(count)]
    strengths = [1.0] * count
    for _ in range(ROUNDS):
        fitted = [
            won[a] / sum(games[a][b] / (strengths[a] + strengths[b]) for b in range(count) if pairs[a][b])
            if any(pairs[a])
            else strengths[a]
            for a in range(count)
        ]
        level = sum(fitted) / count
        fitted = [strength / level for strength in fitted]
        change = max(abs(new - old) / max(old, CLOSE) for new, old in zip(fitted, strengths, strict=True))
        strengths = fitted
        if change < CLOSE:
            break
    # Without a prior, a bot that never won has strength 0; give it a very low rating instead of none.
    logs = [SCALE * log10(max(strength, CLOSE)) for strength in strengths]
    middle = sum(logs) / count
    return [MEAN + value - middle for value in logs]


RATING_RESAMPLES: Final = 400
FORMAT: Final = "canasta-arena-1"


@dataclass(frozen=True)
class TournamentPlan:
    """The games to play. The same plan gives the same result, however many processes share the work."""

    game: GameSpec
    bots: tuple[BotSpec, ...]
    pairs: int
    seed: str

    def matchups(self) -> list[tuple[int, int]]:
        return list(combinations(range(len(self.bots)), 2))

    def tasks(self) -> Iterator["PairTask"]:
        """Yield one pair of every match-up, then the next pair of each, so that a run that is cut off is
        balanced.

        All match-ups play the same cards. Tasks are created on demand.
        """
        return (
            PairTask(self.game, self.bots[a], self.bots[b], f"{self.seed}/{number}")
            for number in range(self.pairs)
            for a, b in self.matchups()
        )

    def labels(self) -> list[str]:
        """Return the bots' names, numbered if a name occurs twice."""
        names = [bot.name for bot in self.bots]
        return [
            name if names.count(name) == 1 else f"{name} {names[: at + 1].count(name)}"
            for at, name in enumerate(names)
        ]


@dataclass(frozen=True)
class PairTask:
    game: GameSpec
    first: BotSpec
    second: BotSpec
    seed: str


def play_pair(task: PairTask) -> PairResult:
    try:
        return duplicate_pair(task.game, task.first, task.second, task.seed)
    except BotError as failure:
        raise BotError(
            f"{failure} ({task.first.name} against {task.second.name}, {task.game.preset} with "
            f"{task.game.players} players, seed {task.seed!r})"
        ) from None


@dataclass(frozen=True)
class Matchup:
    """Two bots against each other, the one with more points first. All numbers are from its point of view."""

    a: int
    b: int
    pairs: tuple[PairResult, ...]
    points: Estimate
    """Lead in points per hand."""
    won: int
    drawn: int
    lost: int
    share: Estimate
    """Share of games won, a draw counting half. The interval treats the tables of a
    pair as independent although they share cards with the seats swapped, so that luck
    at one is bad luck at the other; it is therefore too wide."""

    @property
    def hands(self) -> int:
        return sum(pair.hands for pair in self.pairs)


@dataclass(frozen=True)
class ArenaResult:
    plan: TournamentPlan
    matchups: list[Matchup]
    ratings: list[Estimate]
    """Ratings by bot, in the order given."""
    finished: bool
    """Whether the run was completed. If not, only the pairs that all match-ups have played count."""

    @property
    def pairs(self) -> int:
        return len(self.matchups[0].pairs) if self.matchups else 0


@dataclass
class TournamentProgress:
    """The pairs played so far, in the order of the plan."""

    results: list[PairResult] = field(default_factory=list)
    interrupted: bool = False
    failure: str = ""
    """The failure of a player that stopped the run: who, how, and how to reproduce it."""


def play(
    plan: TournamentPlan, executor: Executor, progress: Callable[[int], None] | None = None
) -> TournamentProgress:
    """Play the plan. An interruption (Ctrl-C) or a failing player stops early with the results so far.

    `progress` is called with the number of finished pairs.
    """
    played = TournamentProgress()
    try:
        with closing(executor.map(play_pair, plan.tasks())) as results:
            for result in results:
                played.results.append(result)
                if progress is not None:
                    progress(len(played.results))
    except KeyboardInterrupt:
        played.interrupted = True
    except BotError as failed:
        played.failure = f"{failed}."
    return played


def judge(plan: TournamentPlan, played: TournamentProgress) -> ArenaResult:
    """Return intervals and ratings for as many pairs as every match-up has played."""
    matchups = plan.matchups()
    whole = len(played.results) // len(matchups)
    judged = [
        _matchup(plan, a, b, [played.results[number * len(matchups) + at] for number in range(whole)])
        for at, (a, b) in enumerate(matchups)
    ]
    return ArenaResult(plan, judged, _ratings(plan, judged), finished=whole == plan.pairs)


def run(
    plan: TournamentPlan, executor: Executor, progress: Callable[[int], None] | None = None
) -> ArenaResult:
    return judge(plan, play(plan, executor, progress))


def _matchup(plan: TournamentPlan, a: int, b: int, pairs: Sequence[PairResult]) -> Matchup:
    if sum(pair.difference for pair in pairs) < 0:
        return _matchup(plan, b, a, [pair.turned() for pair in pairs])
    won = sum(pair.won for pair in pairs)
    drawn = sum(pair.drawn for pair in pairs)
    lost = sum(pair.lost for pair in pairs)
    points = ratio_with_interval(
        [pair.difference for pair in pairs],
        [float(pair.hands) for pair in pairs],
        f"{plan.seed}/{min(a, b)}/{max(a, b)}",
    )
    return Matchup(a, b, tuple(pairs), points, won, drawn, lost, wilson(won + drawn / 2, won + drawn + lost))


def _ratings(plan: TournamentPlan, matchups: Sequence[Matchup]) -> list[Estimate]:
    """Return ratings with intervals from resampling pair numbers, each with the results of all match-ups."""
    count = len(plan.bots)
    wins = [[pair.won + pair.drawn / 2 for pair in matchup.pairs] for matchup in matchups]
    losses = [[pair.lost + pair.drawn / 2 for pair in matchup.pairs] for matchup in matchups]
    pairs = len(matchups[0].pairs)

    def fitted(drawn: Sequence[int]) -> list[float]:
        table = [[0.0] * count for _ in range(count)]
        for at, matchup in enumerate(matchups):
            table[matchup.a][matchup.b] = sum([wins[at][number] for number in drawn])
            table[matchup.b][matchup.a] = sum([losses[at][number] for number in drawn])
        return bradley_terry(table)

    ratings = fitted(range(pairs))
    if pairs < 2:
        return [Estimate(rating, None, None) for rating in ratings]
    rng = random.Random(f"{plan.seed}/ratings")
    again = [fitted(rng.choices(range(pairs), k=pairs)) for _ in range(RATING_RESAMPLES)]
    intervals = [percentiles([ratings_[bot] for ratings_ in again]) for bot in range(count)]
    return [Estimate(rating, low, high) for rating, (low, high) in zip(ratings, intervals, strict=True)]


def as_json(result: ArenaResult) -> dict[str, object]:
    """Return all measurements for other programs; `docs/command-line.md` explains the entries."""
    plan = result.plan
    labels = plan.labels()
    return {
        "format": FORMAT,
        "rules": plan.game.preset,
        "players": plan.game.players,
        "options": dict(plan.game.options),
        "by": plan.game.by,
        "seed": plan.seed,
        "pairs": result.pairs,
        "finished": result.finished,
        "bots": [
            {
                "label": label,
                "name": bot.name,
                "budget": bot.budget,
                "worlds": bot.worlds,
                "rating": rating.as_json(1),
            }
            for label, bot, rating in zip(labels, plan.bots, result.ratings, strict=True)
        ],
        "matchups": [
            {
                "a": labels[matchup.a],
                "b": labels[matchup.b],
                "points_per_hand": matchup.points.as_json(2),
                "games": {
                    "won": matchup.won,
                    "drawn": matchup.drawn,
                    "lost": matchup.lost,
                    "share": matchup.share.as_json(4),
                },
                "hands": matchup.hands,
                "differences": [round(pair.difference, 3) for pair in matchup.pairs],
                "hands_by_pair": [pair.hands for pair in matchup.pairs],
            }
            for matchup in result.matchups
        ],
    }
