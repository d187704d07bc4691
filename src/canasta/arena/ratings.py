"""Bradley–Terry ratings: the strengths that make the results of a round robin most likely.

Bot a beats bot b with probability s(a) / (s(a) + s(b)). Strengths are fitted by minorisation and maximisation
(Hunter 2004), which improves the likelihood in every iteration. They are shown on the usual scale, on which
400 points mean odds of ten to one.
"""

from collections.abc import Sequence
from math import log10
from typing import Final

MEAN: Final = 1500.0
SCALE: Final = 400.0
PRIOR: Final = 0.5
"""Games that every bot is assumed to have won and lost against each opponent. Without
them, a bot that wins every game would be infinitely strong."""
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
