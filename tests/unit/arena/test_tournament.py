"""Round robins are repeatable, ordered, and fully reported even when interrupted."""

import importlib.util
import json
import os
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from xml.etree import ElementTree as ET

import pytest

from canasta.arena.executors import (
    Answer,
    ExecutorError,
    InProcess,
    OnRay,
    ProcessPool,
    Task,
    cores,
    local_executor,
)
from canasta.arena.intervals import interval_text, signed
from canasta.arena.play import BotSpec, GameSpec
from canasta.arena.plots import ticks
from canasta.arena.report import command, html_report, verdict
from canasta.arena.tournament import (
    ArenaResult,
    PairTask,
    TournamentPlan,
    as_json,
    judge,
    play,
    play_pair,
    run,
)
from canasta.bots.protocol import BotError

LADDER = TournamentPlan(
    GameSpec("two-player", 2, by="hand"), (BotSpec("random"), BotSpec("novice"), BotSpec("casual")), 6, "test"
)


class CutOff:
    """Simulates Ctrl+C after a number of answers."""

    def __init__(self, after: int) -> None:
        self.after = after

    def map(self, work: Callable[[Task], Answer], tasks: Iterable[Task]) -> Generator[Answer, None, None]:
        for task in islice(tasks, self.after):
            yield work(task)
        raise KeyboardInterrupt


@pytest.fixture(scope="module")
def result() -> ArenaResult:
    return run(LADDER, InProcess())


def test_the_number_of_processes_changes_nothing(result: ArenaResult) -> None:
    told: list[int] = []
    assert as_json(run(LADDER, ProcessPool(2), told.append)) == as_json(result)
    assert told == list(range(1, 19))


def test_leaving_early_ends_the_processes() -> None:
    answers = ProcessPool(2).map(play_pair, LADDER.tasks())
    first = next(answers)
    assert first == play_pair(next(LADDER.tasks()))
    answers.close()
    with pytest.raises(StopIteration):
        next(answers)


def dies(task: PairTask) -> int:
    os._exit(task.game.players)


def test_a_process_that_dies_is_told() -> None:
    with pytest.raises(ExecutorError, match="a process that played games has died"):
        next(ProcessPool(2).map(dies, LADDER.tasks()))


def test_cut_off_it_is_the_same_run_with_fewer_pairs() -> None:
    # seven answers are two complete pairs of each of the three match-ups, and one of a third pair
    played = play(LADDER, CutOff(7))
    assert played.interrupted
    cut = as_json(judge(LADDER, played))
    assert cut["finished"] is False
    fewer = as_json(run(replace(LADDER, pairs=2), InProcess()))
    assert cut | {"finished": True} == fewer


def test_cut_off_at_once() -> None:
    cut = judge(LADDER, play(LADDER, CutOff(0)))
    assert cut.pairs == 0
    assert [matchup.points.low for matchup in cut.matchups] == [None] * 3
    assert "cut off" in html_report(cut)


def test_all_meet_all_with_the_same_cards() -> None:
    tasks = list(LADDER.tasks())
    assert len(tasks) == 18
    assert {task.seed for task in tasks[:3]} == {"test/0"}
    assert [(task.first.name, task.second.name) for task in tasks[:3]] == [
        ("random", "novice"),
        ("random", "casual"),
        ("novice", "casual"),
    ]


def test_a_long_run_makes_its_tasks_one_by_one() -> None:
    endless = replace(LADDER, pairs=10**15)
    made: list[PairTask] = []

    def counted() -> Iterator[PairTask]:
        for task in endless.tasks():
            made.append(task)
            yield task

    for executor, most in ((InProcess(), 2), (ProcessPool(2), 8)):
        made.clear()
        answers = executor.map(seed_of, counted())
        assert list(islice(answers, 2)) == ["test/0", "test/0"]
        assert len(made) <= most + 2
        close = getattr(answers, "close", None)
        assert close is not None
        close()


def seed_of(task: PairTask) -> str:
    return task.seed


def test_the_better_one_stands_first(result: ArenaResult) -> None:
    labels = LADDER.labels()
    for matchup in result.matchups:
        assert matchup.points.value >= 0
    assert [labels[matchup.b] for matchup in result.matchups[:2]] == ["random", "random"]
    assert result.ratings[0].value == min(rating.value for rating in result.ratings)


def test_equal_names_are_numbered() -> None:
    twins = replace(LADDER, bots=(BotSpec("club"), BotSpec("random"), BotSpec("club")))
    assert twins.labels() == ["club 1", "random", "club 2"]


def test_a_bot_that_fails_is_named_with_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise BotError("club chose step 3")

    monkeypatch.setattr("canasta.arena.tournament.duplicate_pair", fails)
    task = PairTask(GameSpec("caliente", 4), BotSpec("club"), BotSpec("novice"), "s/7")
    with pytest.raises(BotError, match=r"club against novice, caliente with 4 players, seed 's/7'"):
        play_pair(task)


def test_the_result_as_data(result: ArenaResult) -> None:
    data = json.loads(json.dumps(as_json(result)))
    assert {key: data[key] for key in ("format", "rules", "players", "by", "seed", "pairs", "finished")} == {
        "format": "canasta-arena-1",
        "rules": "two-player",
        "players": 2,
        "by": "hand",
        "seed": "test",
        "pairs": 6,
        "finished": True,
    }
    assert [bot["label"] for bot in data["bots"]] == ["random", "novice", "casual"]
    assert sum(bot["rating"]["value"] for bot in data["bots"]) == pytest.approx(4500, abs=0.2)
    for matchup in data["matchups"]:
        assert set(matchup) == {
            "a",
            "b",
            "points_per_hand",
            "games",
            "hands",
            "differences",
            "hands_by_pair",
        }
        games = matchup["games"]
        assert games["won"] + games["drawn"] + games["lost"] == 12
        assert games["share"]["value"] == pytest.approx((games["won"] + games["drawn"] / 2) / 12, abs=1e-4)
        assert len(matchup["differences"]) == len(matchup["hands_by_pair"]) == 6
        assert sum(matchup["hands_by_pair"]) == matchup["hands"] == 12
        points = matchup["points_per_hand"]
        assert points["value"] == pytest.approx(sum(matchup["differences"]) / 12, abs=0.01)
        assert points["low"] <= points["value"] <= points["high"]


def test_running_means_end_at_the_result(result: ArenaResult) -> None:
    for matchup in result.matchups:
        assert len(matchup.pairs) == 6


def test_the_report_stands_alone(result: ArenaResult) -> None:
    page = html_report(result)
    assert "<script" not in page
    for word in ("http", "src=", "href=", "url(", "@import"):
        assert word not in page
    assert "prefers-color-scheme: dark" in page
    for matchup in result.matchups:
        assert interval_text(matchup.points) in page
    assert "canasta arena random novice casual --rules two-player --players 2 --by hand" in page
    drawings = page.split("<svg")[1:]
    assert len(drawings) == 3
    for drawing in drawings:
        root = ET.fromstring("<svg" + drawing.split("</svg>")[0] + "</svg>")  # noqa: S314 - our own
        assert root.get("aria-label")
        for element in root.iter():
            for place in ("x", "x1", "x2", "cx"):
                assert 0 <= float(element.get(place, "0")) <= 860


def test_two_bots_need_no_ratings() -> None:
    page = html_report(run(replace(LADDER, bots=LADDER.bots[:2], pairs=1), InProcess()))
    assert "Ratings" not in page
    assert page.count("<svg") == 2


def test_words(result: ArenaResult) -> None:
    minus = "\N{MINUS SIGN}"
    assert (signed(-12.4), signed(7), signed(-0.2)) == (f"{minus}12", "+7", "0")
    assert verdict(LADDER, result.matchups[0]).startswith("novice beats random by ")
    even = judge(replace(LADDER, bots=(BotSpec("random"),) * 2), play(replace(LADDER, pairs=0), InProcess()))
    assert verdict(even.plan, even.matchups[0]).startswith("Between random 1 and random 2 nothing is decided")
    house = replace(LADDER, game=GameSpec("caliente", 4, (("hand_size", 13),)), seed="two words")
    assert command(house).endswith("--option hand_size=13 --by match --pairs 6 --seed 'two words'")


def test_ticks_are_round_and_cover() -> None:
    for low, high in ((-3.0, 57.0), (0.0, 0.0), (1460.2, 1530.9), (-0.31, 0.02), (0.0, 123456.0)):
        marks = ticks(low, high)
        assert marks[0] <= low
        assert marks[-1] >= high
        assert 3 <= len(marks) <= 11


def test_cores() -> None:
    assert cores() >= 1
    assert isinstance(local_executor(1), InProcess)
    assert isinstance(local_executor(3), ProcessPool)


@pytest.mark.parametrize("address", ["nonsense", "", "host:port", "http://"])
def test_what_is_no_address_of_a_cluster(address: str) -> None:
    with pytest.raises(ExecutorError, match="--ray takes HOST:PORT"):
        next(OnRay(address).map(play_pair, LADDER.tasks()))


def test_nobody_answers() -> None:
    with pytest.raises(ExecutorError, match=r"no Ray cluster answers at 127\.0\.0\.1:1: "):
        next(OnRay("127.0.0.1:1").map(play_pair, LADDER.tasks()))


def test_without_ray_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr("canasta.arena.executors.import_module", missing)
    with pytest.raises(ExecutorError, match="needs ray, which is not here; install the extra"):
        next(OnRay("local").map(play_pair, LADDER.tasks()))


@pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="Ray is an extra and is not installed")
@pytest.mark.filterwarnings("ignore")
def test_a_local_ray_plays_the_same(result: ArenaResult) -> None:
    assert as_json(run(LADDER, OnRay("local"))) == as_json(result)
