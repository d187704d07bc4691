"""Intervals on numbers whose true value is known."""

import random

import pytest

from canasta.arena.intervals import percentiles, ratio_with_interval, wilson


def test_the_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    rng = random.Random("synthetic")
    held = 0
    for number in range(100):
        values = [rng.gauss(30, 400) for _ in range(80)]
        estimate = ratio_with_interval(values, [1.0] * 80, f"set {number}", resamples=400)
        assert estimate.low is not None
        assert estimate.high is not None
        assert estimate.low < estimate.value < estimate.high
        held += estimate.low <= 30 <= estimate.high
    assert 87 <= held <= 99


def test_it_is_the_ratio_of_sums() -> None:
    estimate = ratio_with_interval([100.0, 200.0, -60.0], [2.0, 8.0, 2.0], "r")
    assert estimate.value == pytest.approx(20.0)


def test_the_interval_narrows_with_more_pairs() -> None:
    rng = random.Random("narrow")
    values = [rng.gauss(0, 100) for _ in range(800)]

    def width(count: int) -> float:
        estimate = ratio_with_interval(values[:count], [1.0] * count, "w")
        assert estimate.low is not None
        assert estimate.high is not None
        return estimate.high - estimate.low

    # four times the pairs give half the width
    assert width(800) / width(200) == pytest.approx(0.5, abs=0.1)
    assert width(400) == pytest.approx(2 * 1.96 * 100 / 20, rel=0.15)


def test_the_same_seed_gives_the_same_interval() -> None:
    values = [float(n % 17) for n in range(100)]
    weights = [1.0] * 100
    assert ratio_with_interval(values, weights, "a") == ratio_with_interval(values, weights, "a")
    assert ratio_with_interval(values, weights, "a") != ratio_with_interval(values, weights, "b")


def test_many_comparisons_make_wider_intervals() -> None:
    rng = random.Random("many")
    values = [rng.gauss(0, 100) for _ in range(200)]
    one = ratio_with_interval(values, [1.0] * 200, "c")
    many = ratio_with_interval(values, [1.0] * 200, "c", comparisons=5)
    assert one.low is not None
    assert many.low is not None
    assert many.low < one.low


def test_too_little_to_tell() -> None:
    assert ratio_with_interval([], [], "x").value == 0
    assert ratio_with_interval([5.0], [2.0], "x").low is None
    assert wilson(0, 0).low is None


def test_equal_pairs_leave_no_doubt() -> None:
    estimate = ratio_with_interval([0.0] * 50, [2.0] * 50, "zero")
    assert (estimate.value, estimate.low, estimate.high) == (0.0, 0.0, 0.0)
    assert not estimate.is_above_zero
    assert not estimate.is_below_zero


def test_percentiles_leave_a_fortieth_outside() -> None:
    assert percentiles([float(n) for n in range(1, 1001)]) == (25.0, 976.0)
    assert percentiles([3.0, 1.0, 2.0]) == (1.0, 3.0)


def test_wilson_by_hand() -> None:
    # 8 of 10, as in the tables of textbooks
    estimate = wilson(8, 10)
    assert estimate.value == 0.8
    assert estimate.low == pytest.approx(0.4902, abs=5e-5)
    assert estimate.high == pytest.approx(0.9433, abs=5e-5)
    none = wilson(0, 10)
    assert none.low == 0
    assert none.high == pytest.approx(0.2775, abs=5e-5)
    assert wilson(10, 10).high == pytest.approx(1)
