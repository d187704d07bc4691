"""Whether the rounds of seeds that a record tells of can have led to its cards."""

from collections.abc import Sequence
from itertools import pairwise

from canasta.engine.fair import SERVER, FairRound
from canasta.notation.wrong import Wrong


def why_not_a_round(fair: FairRound, players: int, *, void: bool = False) -> Wrong | None:
    """What is wrong with a round by itself."""
    unknown = [seat for seat in fair.contributors if seat >= players]
    if unknown:
        return Wrong("NO_SEAT", {"number": unknown[0], "players": players})
    if fair.unrevealed and not void:
        return Wrong("NOT_REVEALED", {"number": fair.unrevealed[0]})
    if not fair.is_in_order:
        return Wrong("ROUND_NOT_IN_ORDER")
    part = fair.wrong_part()
    if part is None:
        return None
    return Wrong("OTHER_SERVER_SEED") if part.seat == SERVER else Wrong("OTHER_SEED", {"number": part.seat})


def why_not_after(fair: FairRound, voids: Sequence[FairRound]) -> Wrong | None:
    """What is wrong with a round that follows these ones, which were void. Nobody joins in after the first:
    otherwise somebody could try again and again."""
    rounds = [*voids, fair]
    for number, one in enumerate(rounds, 1):
        if one.hand != fair.hand or one.number != number:
            return Wrong("ROUND_MISSING", {"round": number, "number": fair.hand})
    for before, after in pairwise(rounds):
        if not set(after.contributors) <= set(before.contributors) - set(before.unrevealed):
            return Wrong("LATE_IN_ROUND")
    return None
