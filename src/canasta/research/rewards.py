"""What an episode pays."""

from typing import Final

REWARDS: Final = ("points", "margin", "result")
"""points: what the side scored in the hand; margin: less the mean of the other sides; result: at the end of
the episode 1 for the side that is ahead, -1 for the others, 0 where several lead."""


def side_rewards(kind: str, points: list[int], scores: list[int], over: bool) -> list[float]:
    """The reward of each side when a hand ends; `scores` are the totals including it."""
    sides = len(points)
    if kind == "points":
        return [float(own) for own in points]
    if kind == "margin":
        whole = sum(points)
        return [own - (whole - own) / (sides - 1) for own in points]
    if not over:
        return [0.0] * sides
    best = max(scores)
    if scores.count(best) > 1:
        return [0.0 if score == best else -1.0 for score in scores]
    return [1.0 if score == best else -1.0 for score in scores]
