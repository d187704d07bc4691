"""Statistics of hands under one ruleset, recorded by watching a bot play many hands against itself."""

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from statistics import fmean, median
from typing import Final

from canasta.arena.executors import Executor
from canasta.arena.intervals import Estimate, percentiles, ratio_with_interval, wilson
from canasta.arena.play import BotSpec, GameSpec, play_match
from canasta.bots.protocol import BotError
from canasta.engine.actions.codec import PUT_BACK
from canasta.engine.play.scoring import score_hand
from canasta.engine.seating import sides_of_seats
from canasta.engine.state import OVER, HandState


@dataclass(frozen=True)
class HandRecord:
    """The facts of one hand as it was played. Lists are by side or by seat."""

    turns: int
    steps: int
    first: int
    """The seat that plays first, to the dealer's left."""
    order: tuple[int, ...]
    out: int
    """The seat that went out; -1 if the stock ended the hand."""
    points: tuple[int, ...]
    by_seat: tuple[float, ...]
    """Points that each seat contributed to its side; they add up to the side's points."""
    canastas: tuple[tuple[int, int, int, int], ...]
    """Natural, mixed and wild canastas and sambas of each side."""
    red_threes: tuple[int, ...]
    opened: tuple[int, ...]
    """By side, the turn of the first meld, counting the turns of all players from 1; 0 if there was none."""
    taken: tuple[tuple[int, int], ...]
    """Each time the pile was taken: the seat and the number of cards."""
    special: bool
    """Whether a special hand ended the hand."""
    feet: tuple[int, ...]
    """By seat, the turn in which the foot was picked up, counted
    like `opened`; empty in a game without feet."""


class HandWatcher:
    """Records every hand that it sees to its end."""

    def __init__(self) -> None:
        self.records: list[HandRecord] = []
        self._state: HandState | None = None
        self._first: int = 0
        self._turn: int = 0
        self._turns: int = 0
        self._steps: int = 0
        self._by_seat: list[float] = []
        self._opened: list[int] = []
        self._taken: list[tuple[int, int]] = []
        self._feet: list[int] = []
        self._taking: int = 0
        """Cards of the pile taken this turn and not put back."""
        self._points_before: int = 0
        self._canastas_before: list[int] = []

    def before_step(self, state: HandState, seat: int, step: int) -> None:
        if state is not self._state:
            self._begin(state)
        if state.compiled.layout.decoded[step].takes:
            self._taking = state.pile_size()
        elif step == PUT_BACK:
            self._taking = 0
        side = state.side_of[seat]
        self._points_before = state.points(side)
        self._canastas_before = state.canasta_counts(side)

    def after_step(self, state: HandState, seat: int) -> None:
        self._steps += 1
        side = state.side_of[seat]
        brought = state.points(side) - self._points_before
        for now, before, bonus in zip(
            state.canasta_counts(side), self._canastas_before, state.compiled.canasta_bonus, strict=True
        ):
            brought += (now - before) * bonus
        self._by_seat[seat] += brought
        for other in range(state.sides):
            if state.opened(other) and not self._opened[other]:
                self._opened[other] = self._turns
        if self._feet and not self._feet[seat] and not state.foot_waits(seat):
            self._feet[seat] = self._turns
        if state.turn != self._turn or state.phase == OVER:
            if self._taking:
                self._taken.append((self._turn, self._taking))
                self._taking = 0
            if state.phase != OVER:
                self._turns += 1
                self._turn = state.turn
        if state.phase == OVER:
            self._finish(state)

    def _begin(self, state: HandState) -> None:
        self._state = state
        self._first = self._turn = state.turn
        self._turns = 1
        self._steps = 0
        self._by_seat = [0.0] * len(state.side_of)
        self._opened = [0] * state.sides
        self._taken = []
        self._taking = 0
        self._feet = [0] * len(state.side_of) if state.compiled.has_foot else []

    def _finish(self, state: HandState) -> None:
        sheets = score_hand(state)
        by_seat = self._by_seat
        if state.out >= 0:
            lines = sheets[state.side_of[state.out]].lines
            by_seat[state.out] += lines["going_out"] + lines["concealed"]
        # Points that no single player earned (red threes, leftover cards, penalties) are shared by the side.
        for side, sheet in enumerate(sheets):
            team = [seat for seat in state.order if state.side_of[seat] == side]
            rest = sheet.total - sum(by_seat[seat] for seat in team)
            for seat in team:
                by_seat[seat] += rest / len(team)
        self.records.append(
            HandRecord(
                turns=self._turns,
                steps=self._steps,
                first=self._first,
                order=tuple(state.order),
                out=state.out,
                points=tuple(sheet.total for sheet in sheets),
                by_seat=tuple(by_seat),
                canastas=tuple(
                    (kinds[0], kinds[1], kinds[2], kinds[3])
                    for kinds in map(state.canasta_counts, range(state.sides))
                ),
                red_threes=tuple(len(cards) for cards in state.bonus),
                opened=tuple(self._opened),
                taken=tuple(self._taken),
                special=state.special_by >= 0,
                feet=tuple(self._feet),
            )
        )
        self._state = None


@dataclass(frozen=True)
class MatchTask:
    """A match of a bot against itself, in a form that can be sent to another process."""

    game: GameSpec
    bot: BotSpec
    seed: str


def watch_match(task: MatchTask) -> list[HandRecord]:
    """Play the match and return the record of each hand."""
    rules = task.game.rules()
    watcher = HandWatcher()
    bots = [task.bot.create(task.seed, seat) for seat in range(len(sides_of_seats(rules)))]
    try:
        play_match(rules, bots, task.seed, watcher)
    except BotError as failure:
        raise BotError(
            f"{failure} ({task.game.preset} with {task.game.players} players, seed {task.seed!r})"
        ) from None
    return watcher.records


FORMAT: Final = "canasta-stats-1"
CANASTAS: Final = ("natural", "mixed", "wild", "samba")
WIDTH: Final = 10
"""Number of turns that share a bar of the histogram."""


@dataclass(frozen=True)
class StatsPlan:
    game: GameSpec
    bot: BotSpec
    hands: int
    seed: str


@dataclass(frozen=True)
class StatComparison:
    """A comparison of two sides or two seats that should do equally well."""

    what: str
    """`side` or `seat`."""
    one: int
    other: int
    points: Estimate
    """Lead of the first over the other, in points per hand."""

    @property
    def is_chance(self) -> bool:
        return not (self.points.is_above_zero or self.points.is_below_zero)


@dataclass(frozen=True)
class HandStats:
    plan: StatsPlan
    matches: list[list[HandRecord]]
    """The hands of each match. The last match may be cut off."""
    finished: bool

    @property
    def hands(self) -> list[HandRecord]:
        return [hand for match in self.matches for hand in match]


def watch(plan: StatsPlan, executor: Executor, progress: Callable[[int], None] | None = None) -> HandStats:
    """Play matches until there are enough hands. Ctrl-C stops early and returns the results so far."""
    # A match has at least one hand, so this is enough; unneeded matches are never started.
    tasks = (MatchTask(plan.game, plan.bot, f"{plan.seed}/{number}") for number in range(plan.hands))
    matches: list[list[HandRecord]] = []
    count = 0
    with suppress(KeyboardInterrupt), closing(executor.map(watch_match, tasks)) as results:
        for records in results:
            matches.append(records[: plan.hands - count])
            count += len(matches[-1])
            if progress is not None:
                progress(count)
            if count >= plan.hands:
                break
    return HandStats(plan, matches, finished=count >= plan.hands)


# -- summaries ----------------------------------------------------------------------------------------------


def histogram(turns: Sequence[int]) -> list[tuple[int, int]]:
    """Return the number of hands by length, as (fewest turns, hands) in steps of ten, without gaps.

    >>> histogram([41, 44, 67])
    [(40, 2), (50, 0), (60, 1)]
    """
    bars = Counter(turn // WIDTH for turn in turns)
    if not bars:
        return []
    return [(bar * WIDTH, bars[bar]) for bar in range(min(bars), max(bars) + 1)]


def comparisons(stats: HandStats) -> list[StatComparison]:
    """Compare every side with every other, and each seat with the next seat of its side.

    The deal rotates and everyone plays alike, so nobody should do better by more than chance. The 95%
    intervals hold for all comparisons together. If players are on their own, seats are sides and are compared
    only once.
    """
    side_of = sides_of_seats(stats.plan.game.rules())
    sides = max(side_of) + 1
    twins = [
        (seat, next((other for other in range(seat + 1, len(side_of)) if side_of[other] == side), -1))
        for seat, side in enumerate(side_of)
    ]
    pairs = [("side", one, other) for one in range(sides) for other in range(one + 1, sides)]
    pairs += [("seat", seat, twin) for seat, twin in twins if twin >= 0]
    results = []
    for what, one, other in pairs:
        differences = [_differences(match, what, one, other) for match in stats.matches]
        # Resample whole matches, because the hands of a match depend on each other through the scores.
        points = ratio_with_interval(
            [sum(match) for match in differences],
            [float(len(match)) for match in differences],
            f"{stats.plan.seed}/{what}/{one}/{other}",
            comparisons=len(pairs),
        )
        results.append(StatComparison(what, one, other, points))
    return results


def _differences(match: Sequence[HandRecord], what: str, one: int, other: int) -> list[float]:
    """Return the lead of `one` over `other` in each hand that both played, in points."""
    if what == "side":
        return [float(hand.points[one] - hand.points[other]) for hand in match]
    return [
        hand.by_seat[one] - hand.by_seat[other] for hand in match if one in hand.order and other in hand.order
    ]


def going_out_by_seat(stats: HandStats) -> list[Estimate]:
    """Return how often each seat goes out in the hands that it plays."""
    seats = range(stats.plan.game.players)
    return [
        wilson(sum(hand.out == seat for hand in stats.hands), sum(seat in hand.order for hand in stats.hands))
        for seat in seats
    ]


def mean_length(stats: HandStats) -> Estimate:
    """Return the mean number of turns with its interval."""
    return ratio_with_interval(
        [float(sum(hand.turns for hand in match)) for match in stats.matches],
        [float(len(match)) for match in stats.matches],
        f"{stats.plan.seed}/turns",
    )


def mean_by_place(stats: HandStats) -> list[float]:
    """Return the mean points contributed by the first player, the next one, and so on round the table."""
    places = min((len(hand.order) for hand in stats.hands), default=0)
    sums = [0.0] * places
    for hand in stats.hands:
        start = hand.order.index(hand.first)
        for place in range(places):
            sums[place] += hand.by_seat[hand.order[(start + place) % len(hand.order)]]
    return [total / len(stats.hands) for total in sums]


def as_json(stats: HandStats) -> dict[str, object]:
    """Return all statistics, for other programs and for printing."""
    plan = stats.plan
    hands = stats.hands
    count = len(hands)
    side_of = sides_of_seats(plan.game.rules())
    sides = max(side_of) + 1
    head: dict[str, object] = {
        "format": FORMAT,
        "rules": plan.game.preset,
        "players": plan.game.players,
        "options": dict(plan.game.options),
        "bot": plan.bot.name,
        "seed": plan.seed,
        "hands": count,
        "matches": len(stats.matches),
        "finished": stats.finished,
    }
    if not count:
        return head
    turns = [hand.turns for hand in hands]
    taken = [size for hand in hands for _, size in hand.taken]
    opened = [turn for hand in hands for turn in hand.opened if turn > 0]
    rounds = [(turn - 1) // len(hand.order) + 1 for hand in hands for turn in hand.opened if turn > 0]
    outs = sum(hand.out >= 0 for hand in hands)
    specials = sum(hand.special for hand in hands)
    low, high = percentiles([float(turn) for turn in turns])
    return head | {
        "turns": {
            "mean": mean_length(stats).as_json(2),
            "median": median(turns),
            "most_are_from": low,
            "to": high,
            "shortest": min(turns),
            "longest": max(turns),
            "from_40_to_90": wilson(sum(40 <= turn <= 90 for turn in turns), count).as_json(4),
            "histogram": [
                {"from": bar, "to": bar + WIDTH - 1, "hands": number} for bar, number in histogram(turns)
            ],
        },
        "steps": round(fmean(hand.steps for hand in hands), 2),
        "ended": {
            "going_out": outs,
            "special_hand": specials,
            "stock": count - outs - specials,
            "share_going_out": wilson(outs, count).as_json(4),
        },
        "canastas_per_side": {
            name: round(sum(kinds[at] for hand in hands for kinds in hand.canastas) / (count * sides), 4)
            for at, name in enumerate(CANASTAS)
        },
        "sides_without_canasta": round(
            sum(sum(kinds) == 0 for hand in hands for kinds in hand.canastas) / (count * sides), 4
        ),
        "pile": {
            "taken_per_hand": round(len(taken) / count, 3),
            "share_of_turns": round(len(taken) / sum(turns), 4),
            "cards": round(fmean(taken), 2) if taken else None,
            "most_cards": max(taken, default=0),
            "hands_without": round(sum(not hand.taken for hand in hands) / count, 4),
        },
        "red_threes_per_hand": round(sum(sum(hand.red_threes) for hand in hands) / count, 3),
        "first_meld": {
            "share_of_sides": round(len(opened) / (count * sides), 4),
            "turn": round(fmean(opened), 2) if opened else None,
            "round": round(fmean(rounds), 2) if rounds else None,
        },
        **_feet(hands),
        "points_per_side": [
            round(sum(hand.points[side] for hand in hands) / count, 1) for side in range(sides)
        ],
        "seats": [
            {
                "seat": seat,
                "side": side,
                "hands": sum(seat in hand.order for hand in hands),
                "points": round(_mean([hand.by_seat[seat] for hand in hands if seat in hand.order]), 1),
                "goes_out": out.as_json(4),
                **_foot_of_seat(hands, seat),
                "takes_pile": round(
                    sum(taker == seat for hand in hands for taker, _ in hand.taken)
                    / max(1, sum(seat in hand.order for hand in hands)),
                    3,
                ),
            }
            for (seat, side), out in zip(enumerate(side_of), going_out_by_seat(stats), strict=True)
        ],
        "points_by_place": [round(points, 1) for points in mean_by_place(stats)],
        "fairness": [
            {
                "what": comparison.what,
                "one": comparison.one,
                "other": comparison.other,
                "points_per_hand": comparison.points.as_json(2),
                "within_chance": comparison.is_chance,
            }
            for comparison in comparisons(stats)
        ],
    }


def _feet(hands: Sequence[HandRecord]) -> dict[str, object]:
    """Return how often and when feet are picked up; empty if the game has none."""
    if not hands[0].feet:
        return {}
    turns = [hand.feet[seat] for hand in hands for seat in hand.order]
    picked_up = [turn for turn in turns if turn > 0]
    every = sum(all(hand.feet[seat] > 0 for seat in hand.order) for hand in hands)
    rounds = [
        (hand.feet[seat] - 1) // len(hand.order) + 1
        for hand in hands
        for seat in hand.order
        if hand.feet[seat]
    ]
    return {
        "foot": {
            "share_of_seats": wilson(len(picked_up), len(turns)).as_json(4),
            "every_seat": wilson(every, len(hands)).as_json(4),
            "turn": round(fmean(picked_up), 2) if picked_up else None,
            "round": round(fmean(rounds), 2) if rounds else None,
        }
    }


def _foot_of_seat(hands: Sequence[HandRecord], seat: int) -> dict[str, object]:
    played = [hand for hand in hands if seat in hand.order and hand.feet]
    if not played:
        return {}
    return {"picks_up_foot": wilson(sum(hand.feet[seat] > 0 for hand in played), len(played)).as_json(4)}


def _mean(values: Sequence[float]) -> float:
    return fmean(values) if values else 0.0
