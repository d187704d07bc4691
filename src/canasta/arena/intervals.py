"""Confidence intervals: bootstrap over pairs, Wilson's interval for shares, and how to write them."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

RESAMPLES: Final = 2000
Z95: Final = 1.959964
"""Standard deviations on either side of the mean that contain 95% of a normal distribution."""


@dataclass(frozen=True)
class Estimate:
    """A measured number with its 95% interval; the bounds are `None` if there is too little data."""

    value: float
    low: float | None
    high: float | None

    @property
    def is_above_zero(self) -> bool:
        return self.low is not None and self.low > 0

    @property
    def is_below_zero(self) -> bool:
        return self.high is not None and self.high < 0

    def as_json(self, digits: int) -> dict[str, float | None]:
        """Return the numbers rounded, for JSON."""
        low = None if self.low is None else round(self.low, digits)
        high = None if self.high is None else round(self.high, digits)
        return {"value": round(self.value, digits), "low": low, "high": high}


def ratio_with_interval(
    amounts: Sequence[float],
    weights: Sequence[float],
    seed: str,
    *,
    resamples: int = RESAMPLES,
    comparisons: int = 1,
) -> Estimate:
    """Return the sum of the amounts divided by the sum of the weights, with a percentile bootstrap over the
    entries.

    An entry is a whole duplicate pair. Results that depend on the same cards are drawn together, so the
    interval is valid although the tables of a pair and the hands of a match are not independent. With several
    comparisons, each gets a wider interval (Bonferroni), so that the 95% holds for all of them together.
    """
    total = sum(weights)
    if total == 0:
        return Estimate(0.0, None, None)
    value = sum(amounts) / total
    count = len(amounts)
    if count < 2:
        return Estimate(value, None, None)
    rng = random.Random(seed)
    entries = range(count)
    ratios = []
    for _ in range(resamples):
        drawn = rng.choices(entries, k=count)
        weight = sum([weights[entry] for entry in drawn])
        ratios.append(sum([amounts[entry] for entry in drawn]) / weight if weight else value)
    low, high = percentiles(ratios, comparisons)
    return Estimate(value, low, high)


def percentiles(values: Sequence[float], comparisons: int = 1) -> tuple[float, float]:
    """Return the bounds that leave 2.5% of the values, divided by the number of comparisons, outside at each
    end.

    >>> percentiles([float(n) for n in range(1, 1001)])
    (25.0, 976.0)
    """
    ordered = sorted(values)
    outside = len(ordered) // (40 * comparisons)
    at = max(outside - 1, 0)
    return ordered[at], ordered[len(ordered) - 1 - at]


def wilson(successes: float, trials: int) -> Estimate:
    """Return a share with Wilson's 95% interval, which stays between 0 and 1 and is accurate near them."""
    if trials == 0:
        return Estimate(0.0, None, None)
    share = successes / trials
    spread = Z95 * Z95 / trials
    centre = (share + spread / 2) / (1 + spread)
    half = Z95 * sqrt(share * (1 - share) / trials + spread / (4 * trials)) / (1 + spread)
    return Estimate(share, max(0.0, centre - half), min(1.0, centre + half))


# -- as text -------------------------------------------------------------------------------------------------

MINUS: Final = "\N{MINUS SIGN}"


def number(value: float) -> str:
    """Format a number without needless digits and with a true minus sign."""
    text = f"{value:,.0f}" if value == round(value) else f"{value:,.4g}"
    return text.replace("-", MINUS)


def signed(value: float, digits: int = 0) -> str:
    """Format a number with its sign; zero has none."""
    text = f"{value:+,.{digits}f}"
    return text.lstrip("+-") if float(text.replace(",", "")) == 0 else text.replace("-", MINUS)


def interval_text(estimate: Estimate, to: str = "to") -> str:
    """Format points with their interval, as in `+143 (+121 to +165)`. `to` may be in another language."""
    return _with_bounds(estimate, signed(estimate.value), signed, to)


def share_text(estimate: Estimate, to: str = "to") -> str:
    """Format a share with its interval, as in `62.5% (59.1 to 65.8)`."""
    return _with_bounds(estimate, f"{estimate.value:.1%}", lambda bound: f"{100 * bound:.1f}", to)


def rating_text(estimate: Estimate, to: str = "to") -> str:
    return _with_bounds(estimate, f"{estimate.value:.0f}", lambda bound: f"{bound:.0f}", to)


def _with_bounds(estimate: Estimate, value: str, show: Callable[[float], str], to: str) -> str:
    if estimate.low is None or estimate.high is None:
        return value
    return f"{value} ({show(estimate.low)} {to} {show(estimate.high)})"
