"""The minimum value of a side's first meld."""

from canasta.rules.model import Ruleset


def minimum_for(rules: Ruleset, score: int, round_number: int) -> int:
    """Return the first-meld minimum of a side with this score at the start of the hand (OPEN-1)."""
    opening = rules.opening
    if opening.by_round:
        return opening.minimums[min(round_number, len(opening.minimums)) - 1]
    if score < 0:
        return opening.below_zero
    minimum = opening.minimums[0]
    for from_score, needed in zip(opening.scores[1:], opening.minimums[1:], strict=True):
        if score > from_score or (score == from_score and not opening.above_score):
            minimum = needed
    return minimum
