"""The advice with its positions: the advised moves are legal, reach the goals, and rank best."""

import json
from pathlib import Path
from typing import Final

import pytest

from canasta.engine.cards import RANK_OF
from canasta.engine.match import Match
from canasta.engine.moves.types import Discard, Move
from canasta.errors import UnknownNameError
from canasta.lessons import Tip, tip_to_try, tips
from canasta.notation.cards import any_of, format_card
from canasta.notation.moves import parse_move
from canasta.review.puzzles import look_at
from canasta.rules import preset_names
from canasta.scenarios.positions import after_moves, match_from_position
from canasta.table.practice import GoalAttempt, practice_view

MESSAGES: Final = Path(__file__).parents[2] / "web" / "src" / "messages" / "advice"
TRIED: Final = [tip for tip in tips().values() if tip.position]
GROUPS: Final = {"hand", "discards", "pile", "freezing", "partnership", "going_out"}
"""The groups that every game shares; each family has a group besides."""


def laid_out(tip: Tip) -> Match:
    return after_moves(*match_from_position(tip.position))


def comes_of(tip: Tip, moves: list[Move]) -> tuple[bool, bool]:
    """Return whether these moves reach the goals, and whether the goals are out of reach afterwards."""
    match = laid_out(tip)
    seat = match.hand.turn
    events = [event for move in moves for event in match.apply(move)]
    told = practice_view(
        "advice", tip.goals, tip.avoid, tip.practice().turns, GoalAttempt(match, seat, events)
    )
    return told.done, told.lost


def test_there_is_advice_in_every_group_and_much_of_it_can_be_tried() -> None:
    assert {tip.group for tip in tips().values()} > GROUPS
    assert {tip.rules for tip in tips().values()} <= set(preset_names())
    assert len(TRIED) >= 10


@pytest.mark.parametrize("tip", TRIED, ids=lambda tip: tip.id)
def test_what_is_advised_is_lawful_and_reaches_the_goal(tip: Tip) -> None:
    assert tip.ahead > 0
    assert comes_of(tip, []) == (False, False)
    for text in tip.best:
        match = laid_out(tip)
        move = parse_move(text)
        assert match.check(move) is None, text
        match.apply(move)
        # The goal may be reached only by the discard that follows.
        last = [] if match.hand.turn != laid_out(tip).hand.turn or match.hand.over else _discards(match)
        ways = [[move], *([move, each] for each in last)]
        assert any(comes_of(tip, way)[0] for way in ways), text


def _discards(match: Match) -> list[Discard]:
    hand = match.hand
    cards = sorted(set(hand.hand_cards(hand.turn)))
    return [move for move in map(Discard, cards) if match.check(move) is None]


@pytest.mark.parametrize("tip", TRIED, ids=lambda tip: tip.id)
def test_something_else_does_not_reach_it(tip: Tip) -> None:
    discards = _discards(laid_out(tip))
    others = [
        move for move in discards if f"discard {format_card(any_of(RANK_OF[move.card]))}" not in tip.best
    ]
    ways: list[Move] = [*others] or [parse_move("draw")]
    assert not all(comes_of(tip, [other])[0] for other in ways)


@pytest.mark.parametrize("lang", ["en", "de", "es", "fr", "it", "pt"])
def test_each_tip_is_told(lang: str) -> None:
    texts = json.loads((MESSAGES / f"{lang}.json").read_text("utf-8"))
    told = {key for key in texts if key.startswith("tip.")}
    parts = [
        (tip.id, ("", ".text", *((".question", ".answer") if tip.position else ())))
        for tip in tips().values()
    ]
    assert told == {f"tip.{name}{part}" for name, all_parts in parts for part in all_parts}
    assert {tip.group for tip in tips().values()} == {
        key.removeprefix("advice.group.") for key in texts if key.startswith("advice.group.")
    }


def test_nothing_else_can_be_tried() -> None:
    for name in ("", "no-such-tip", "share", "lesson:aim"):
        with pytest.raises(UnknownNameError):
            tip_to_try(name)


@pytest.mark.long
@pytest.mark.parametrize("tip", TRIED, ids=lambda tip: tip.id)
def test_the_estimator_of_the_review_advises_the_same(tip: Tip) -> None:
    look = look_at(laid_out(tip), [parse_move(tip.best[0])], f"anew/{tip.id}")
    look.go_on(128)
    best, *others = look.puzzle_options()
    assert best.moves[0] in tip.best
    rest = [each.behind for each in others if not each.moves or each.moves[0] not in tip.best]
    assert rest
    assert min(rest) > 0
