"""The luck and play of a hand: they add up, and the same seed gives the same review."""

import pytest
from hands import begin_record, play_hand

from canasta.engine.match import Match
from canasta.engine.moves.types import Undo
from canasta.i18n.events import Speaker
from canasta.notation.moves import parse_move
from canasta.review.data import as_data
from canasta.review.evaluation import DecisionPoint, choices_of
from canasta.review.hand import (
    _MOST_STEPS,
    Change,
    HandReview,
    LuckTracker,
    Review,
    affordable,
    hands_of,
    review_hand,
)
from canasta.rules import load_ruleset, preset_names
from canasta.scenarios.positions import match_from_position

NORMAL = {"two-player": 2, "caliente": 3}
"""Games with their number of players; the long run reviews the others."""


def reviewed(
    rules: str, players: int | None = None, *, seed: str = "review", level: str = "novice"
) -> HandReview:
    match = Match.new(load_ruleset(rules, players, {}), "luck and play")
    record = begin_record(match, seed="luck and play")
    play_hand(match, record, level)
    record.note_left()
    replay, (hand,) = hands_of(record.text())
    assert replay.is_good
    return review_hand(hand, worlds=2, seed=seed)


def check_sums(hand: HandReview) -> None:
    sides = range(len(hand.points))
    shares = [hand.shares(side) for side in sides]
    assert hand.choices == len(hand.changes) or any(hand.rest)
    for side, each in zip(sides, shares, strict=True):
        others = [points for other, points in enumerate(hand.points) if other != side]
        assert each.margin == hand.points[side] - sum(others) / len(others)
        assert abs(each.luck + each.play + each.others - each.margin) < 1
        if hand.choices == len(hand.changes):
            assert tuple(map(round, hand.changes[-1].expected)) == hand.points
            assert not any(map(round, hand.rest))
    if len(shares) == 2:  # the good or bad play of one side is part of the other's `others`
        assert abs(shares[0].play + shares[1].others) < 1
        assert abs(shares[0].luck + shares[1].luck) < 1
    # The course of the score by itself, without the decisions: change by change from the deal on.
    for side in sides:
        course = hand.dealt[side] + sum(change.decided[side] + change.drawn[side] for change in hand.changes)
        assert abs(course + hand.rest[side] - hand.points[side]) < 1


@pytest.mark.parametrize("rules", NORMAL)
def test_luck_and_play_add_up_to_the_result(rules: str) -> None:
    check_sums(reviewed(rules, NORMAL[rules]))


@pytest.mark.long
@pytest.mark.parametrize("level", ["random", "club"])
@pytest.mark.parametrize("rules", preset_names())
def test_luck_and_play_add_up_in_every_game(rules: str, level: str) -> None:
    check_sums(reviewed(rules, level=level))


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 5, 6])
def test_luck_and_play_add_up_for_other_numbers_of_players(players: int) -> None:
    check_sums(reviewed("caliente", players))


def test_the_same_seed_gives_the_same_review() -> None:
    speaker = Speaker(["South", "North"])
    told = [
        as_data(Review(2, 2, seed, [reviewed("two-player", seed=seed)]), speaker) for seed in ("a", "a", "b")
    ]
    assert told[0] == told[1]
    assert told[0]["hands"] != told[2]["hands"]


def test_a_hand_is_cut_into_what_its_players_decided() -> None:
    match, _ = match_from_position(
        "{rules: original, players: 4, options: {turn.undo: true}, turn: 0, "
        "hands: {0: K K K 9 5}, melds: {0: [Q Q Q]}, pile: 7}"
    )
    moves = [parse_move(text) for text in ("draw", "meld K K K", "undo", "meld K K K", "discard 9")]
    choices = choices_of(match.hand, moves)
    assert [[str(move) for move in choice.moves] for choice in choices] == [
        ["draw"],
        ["meld K K K"],
        ["discard 9"],
    ]
    assert [choice.number for choice in choices] == [0, 1, 4]
    assert [choice.drew for choice in choices] == [True, False, False]
    assert not any(isinstance(move, Undo) for choice in choices for move in choice.moves)


def test_who_lays_nothing_has_decided_that() -> None:
    match, _ = match_from_position(
        "{rules: original, players: 4, turn: 0, hands: {0: K K K 9 5}, melds: {0: [Q Q Q]}, pile: 7}"
    )
    choices = choices_of(match.hand, [parse_move("draw"), parse_move("discard 9")])
    assert [len(choice.moves) for choice in choices] == [1, 0, 1]
    assert [choice.lays for choice in choices] == [False, True, False]


def test_a_long_hand_is_judged_in_fewer_deals() -> None:
    """The work is bounded, whatever house rules do to a hand."""
    assert affordable(96, 100, 130) == (96, 100)
    assert affordable(96, 400, 900)[0] < 10
    # A request for fewer or more deals is granted.
    assert affordable(2, 100, 130) == (2, 100)
    assert affordable(960, 400, 900)[0] >= 10 * affordable(96, 400, 900)[0]


def test_the_bound_on_the_work_holds_however_long_a_hand_is() -> None:
    for worlds in (1, 2, 8, 96, 960):
        for choices in (1, 70, 400, 1_717, 9_000):
            for steps in (1, 130, 1_360, 8_160, 18_000):
                deals, judged = affordable(worlds, choices, steps)
                assert 1 <= judged <= choices
                assert 2 <= deals <= max(2, worlds)
                assert deals * judged * steps <= _MOST_STEPS * max(1, worlds / 96)


def test_of_a_hand_that_takes_too_long_the_first_choices_are_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Luck and play still add up, and the course isn't computed beyond the last decision."""
    followed: list[int] = []
    follow = LuckTracker.follow

    def noted(course: LuckTracker, choice: DecisionPoint) -> Change:
        followed.append(choice.number)
        return follow(course, choice)

    monkeypatch.setattr(LuckTracker, "follow", noted)
    monkeypatch.setattr("canasta.review.hand._MOST_STEPS", 2_000)
    hand = reviewed("two-player")
    assert (hand.worlds, len(hand.changes)) == (2, len(followed))
    assert 0 < len(followed) < hand.choices
    assert max(decision.number for decision in hand.decisions) <= max(followed)
    check_sums(hand)
    told = as_data(Review(2, 2, "review", [hand]), Speaker(["South", "North"]))["hands"][0]
    assert (told["judged"], told["choices"]) == (len(followed), hand.choices)
