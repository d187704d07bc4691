"""Statistics of hands: the numbers add up."""

import json
from dataclasses import replace
from typing import Any

import pytest

from canasta.arena.executors import InProcess, ProcessPool
from canasta.arena.hand_stats import (
    HandStats,
    MatchTask,
    StatsPlan,
    as_json,
    comparisons,
    histogram,
    watch,
    watch_match,
)
from canasta.arena.play import BotSpec, GameSpec, play_match
from canasta.commands.stats import how_ended
from canasta.rules import preset_names

PLAN = StatsPlan(GameSpec("caliente", 4), BotSpec("random"), 40, "test")


@pytest.fixture(scope="module")
def seen() -> HandStats:
    return watch(PLAN, InProcess())


@pytest.fixture(scope="module")
def facts(seen: HandStats) -> dict[str, Any]:
    return dict(as_json(seen))


@pytest.mark.parametrize("name", preset_names())
def test_records_agree_with_the_score_sheets(name: str) -> None:
    players = 2 if name == "two-player" else 4
    task = MatchTask(
        GameSpec(name, players, (("target", 1500),) if name != "hand-and-foot" else ()),
        BotSpec("novice"),
        "r",
    )
    records = watch_match(task)
    bots = [task.bot.create("r", seat) for seat in range(players)]
    result = play_match(task.game.rules(), bots, "r")
    assert len(records) == result.hands
    sides = range(task.game.rules().seats.sides)
    assert tuple(sum(record.points[side] for record in records) for side in sides) == result.points
    for record in records:
        for side in sides:
            brought = sum(record.by_seat[seat] for seat in range(players) if seat % len(sides) == side)
            assert brought == pytest.approx(record.points[side])
        assert record.steps >= record.turns
        assert record.out in (-1, *record.order)
        assert len(record.taken) <= record.turns
        assert all(size > 0 for _, size in record.taken)
        assert all(0 <= turn <= record.turns for turn in record.opened)
        deck = task.game.rules().deck
        assert sum(record.red_threes) <= (4 if deck.threes == "bonus" else 2) * deck.decks
        for side in sides:
            if any(record.canastas[side]):
                assert record.opened[side] > 0


def test_as_many_hands_as_asked(seen: HandStats) -> None:
    assert len(seen.hands) == 40
    assert seen.finished
    assert sum(len(match) for match in seen.matches[:-1]) < 40


def test_the_number_of_processes_changes_nothing(facts: dict[str, Any]) -> None:
    assert as_json(watch(PLAN, ProcessPool(2))) == facts


def test_it_adds_up(seen: HandStats, facts: dict[str, Any]) -> None:
    assert json.loads(json.dumps(facts)) == facts
    assert facts["format"] == "canasta-stats-1"
    assert facts["ended"]["going_out"] + facts["ended"]["stock"] == facts["hands"] == 40
    assert sum(bar["hands"] for bar in facts["turns"]["histogram"]) == 40
    assert facts["turns"]["shortest"] <= facts["turns"]["median"] <= facts["turns"]["longest"]
    by_seat = sum(seat["goes_out"]["value"] for seat in facts["seats"])
    assert by_seat == pytest.approx(facts["ended"]["share_going_out"]["value"], abs=1e-3)
    for side in (0, 1):
        seats = sum(seat["points"] for seat in facts["seats"] if seat["side"] == side)
        assert seats == pytest.approx(facts["points_per_side"][side], abs=0.2)
    assert sum(facts["points_by_place"]) == pytest.approx(sum(facts["points_per_side"]), abs=0.3)
    takes = sum(seat["takes_pile"] for seat in facts["seats"])
    assert takes == pytest.approx(facts["pile"]["taken_per_hand"], abs=0.01)


def test_hands_that_end_with_a_special_hand_are_told_apart(seen: HandStats, facts: dict[str, Any]) -> None:
    assert facts["ended"]["special_hand"] == 0
    assert "special" not in how_ended(facts["ended"])
    first, *others = seen.matches[0]
    special = replace(first, out=-1, special=True)
    with_it = replace(seen, matches=[[special, *others], *seen.matches[1:]])
    told = dict[str, Any](as_json(with_it))["ended"]
    assert told["special_hand"] == 1
    assert told["special_hand"] + told["going_out"] + told["stock"] == len(seen.hands) == 40
    assert "2.5% by a special hand" in how_ended(told)


def test_feet_are_counted() -> None:
    seen = watch(StatsPlan(GameSpec("hand-and-foot", 5), BotSpec("club"), 6, "feet"), InProcess())
    facts: dict[str, Any] = as_json(seen)
    feet = [hand.feet[seat] for hand in seen.hands for seat in hand.order]
    assert all(0 <= turn <= hand.turns for hand in seen.hands for turn in hand.feet)
    assert all(hand.feet[seat] == 0 for hand in seen.hands for seat in range(5) if seat not in hand.order)
    picked_up = [turn for turn in feet if turn > 0]
    assert facts["foot"]["share_of_seats"]["value"] == pytest.approx(len(picked_up) / len(feet), abs=1e-4)
    assert facts["foot"]["turn"] == pytest.approx(sum(picked_up) / len(picked_up), abs=0.01)
    by_seat = sum(seat["picks_up_foot"]["value"] * seat["hands"] for seat in facts["seats"])
    assert by_seat == pytest.approx(len(picked_up), abs=0.01)
    for hand in seen.hands:
        if hand.out >= 0:
            assert hand.feet[hand.out] > 0, "nobody goes out from the Hand"


def test_no_feet_where_there_are_none(facts: dict[str, Any]) -> None:
    assert "foot" not in facts
    assert "picks_up_foot" not in facts["seats"][0]


def test_twins_are_compared(seen: HandStats) -> None:
    found = comparisons(seen)
    assert [(entry.what, entry.one, entry.other) for entry in found] == [
        ("side", 0, 1),
        ("seat", 0, 2),
        ("seat", 1, 3),
    ]
    for entry in found:
        assert entry.points.low is not None
        assert entry.points.high is not None
        assert entry.points.low <= entry.points.value <= entry.points.high
    side = found[0].points.value
    assert side == pytest.approx(sum(hand.points[0] - hand.points[1] for hand in seen.hands) / 40)


def test_players_alone_are_compared_once() -> None:
    alone = watch(StatsPlan(GameSpec("caliente", 3), BotSpec("random"), 5, "three"), InProcess())
    assert {entry.what for entry in comparisons(alone)} == {"side"}
    assert len(comparisons(alone)) == 3


def test_those_who_sit_out_are_not_counted() -> None:
    five = watch(StatsPlan(GameSpec("caliente", 5), BotSpec("random"), 6, "five"), InProcess())
    facts: dict[str, Any] = as_json(five)
    assert [seat["hands"] for seat in facts["seats"]] == [4, 6, 4, 6, 4]


def test_bars_have_no_gaps() -> None:
    assert histogram([41, 44, 67]) == [(40, 2), (50, 0), (60, 1)]
    assert histogram([]) == []
