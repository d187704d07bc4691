"""Whether the rounds of seeds that a record tells of can have led to its cards."""

from collections.abc import Sequence
from itertools import pairwise

from canasta.engine.fair import FairRound


def why_not_a_round(fair: FairRound, players: int, *, void: bool = False) -> str:
    """What is wrong with a round by itself; empty when nothing is."""
    unknown = [seat for seat in fair.contributors if seat >= players]
    if unknown:
        return f"there is no seat {unknown[0]}, {players} play"
    if fair.unrevealed and not void:
        return f"seat {fair.unrevealed[0]} did not reveal its seed, so the round is void and deals no cards"
    return fair.wrong()


def why_not_after(fair: FairRound, voids: Sequence[FairRound]) -> str:
    """What is wrong with a round that follows these ones, which were void. Nobody joins in after the first:
    otherwise somebody could try again and again."""
    rounds = [*voids, fair]
    for number, one in enumerate(rounds, 1):
        if one.hand != fair.hand or one.number != number:
            return f"round {number} of hand {fair.hand} is not told"
    for before, after in pairwise(rounds):
        if not set(after.contributors) <= set(before.contributors) - set(before.unrevealed):
            return "only who revealed in the round before may take part in the next one"
    return ""
