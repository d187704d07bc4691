"""Bradley–Terry ratings on cases that can be computed by hand."""

from math import log10

import pytest

from canasta.arena.tournament import MEAN, bradley_terry


def test_two_players() -> None:
    # ten wins to one are 400 points
    assert bradley_terry([[0, 10], [1, 0]], prior=0) == pytest.approx([1700, 1300])


def test_three_players_whose_results_fit_exactly() -> None:
    # strengths 4 : 2 : 1, so 4/6, 4/5 and 2/3 of the games are won
    wins = [[0, 40, 48], [20, 0, 40], [12, 20, 0]]
    a, b, c = bradley_terry(wins, prior=0)
    assert a - b == pytest.approx(400 * log10(2), abs=0.01)
    assert b - c == pytest.approx(400 * log10(2), abs=0.01)
    assert (a + b + c) / 3 == pytest.approx(MEAN)


def test_results_that_go_round_make_equals() -> None:
    assert bradley_terry([[0, 7, 3], [3, 0, 7], [7, 3, 0]]) == pytest.approx([MEAN] * 3)


def test_ratings_predict_the_wins() -> None:
    # the fit's own condition: each player is expected to win as often as it did
    wins = [[0, 13, 22, 9], [7, 0, 11, 16], [8, 9, 0, 12], [1, 14, 8, 0]]
    ratings = bradley_terry(wins, prior=0)
    for a in range(4):
        expected = sum(
            (wins[a][b] + wins[b][a]) / (1 + 10 ** ((ratings[b] - ratings[a]) / 400))
            for b in range(4)
            if b != a
        )
        assert expected == pytest.approx(sum(wins[a]), rel=1e-4)


def test_a_player_who_always_wins_is_not_infinitely_strong() -> None:
    best, other = bradley_terry([[0, 20], [0, 0]])
    # with half a game for each: 20.5 to 0.5
    assert best - other == pytest.approx(400 * log10(41))


def test_pairings_that_never_met() -> None:
    # a and c are compared through b alone
    a, b, c = bradley_terry([[0, 2, 0], [1, 0, 2], [0, 1, 0]], prior=0)
    assert a - b == pytest.approx(400 * log10(2), abs=0.01)
    assert b - c == pytest.approx(400 * log10(2), abs=0.01)
    assert bradley_terry([[0, 0], [0, 0]]) == [MEAN, MEAN]
