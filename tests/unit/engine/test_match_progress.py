"""The course of a match, without its cards."""

from itertools import pairwise

import pytest

from canasta.engine.match import Match, MatchProgress
from canasta.engine.seating import order_of_hand
from canasta.rules import load_ruleset

pytestmark = pytest.mark.interpreted


def test_a_match_ends_with_a_single_side_on_top() -> None:
    course = MatchProgress(load_ruleset("caliente", 4, {"target": 500}))
    course.begin(0)
    course.settle([500, 500])
    assert (course.scores, course.over, course.winner) == ([500, 500], False, None)
    course.go_on()
    course.settle([-5, 0])
    assert (course.hand_number, course.scores, course.over, course.winner) == (2, [495, 500], True, 1)


def test_after_the_last_round_equal_totals_are_a_draw() -> None:
    rules = load_ruleset("hand-and-foot", 4)
    course = MatchProgress(rules)
    course.begin(0)
    for _ in range(rules.match.rounds - 1):
        course.settle([10, 10])
        assert not course.over
        course.go_on()
    course.settle([10, 10])
    assert course.over
    assert course.winner is None


@pytest.mark.parametrize("players", [4, 5])
def test_the_deal_goes_round_among_those_who_play(players: int) -> None:
    rules = load_ruleset("caliente", players)
    course = MatchProgress(rules)
    course.begin(2)
    dealers = [course.dealer]
    for _ in range(9):
        course.go_on()
        assert course.dealer in order_of_hand(rules, course.hand_number)
        dealers.append(course.dealer)
    assert set(dealers) == set(range(players))
    assert all(one != other for one, other in pairwise(dealers))


def test_a_copy_goes_its_own_way() -> None:
    match = Match.new(load_ruleset("jaques"), "course")
    other = match.copy()
    other.course.settle([100, 0])
    other.course.go_on()
    assert (match.scores, match.hand_number) == ([0, 0], 1)
    assert (other.scores, other.hand_number) == ([100, 0], 2)
