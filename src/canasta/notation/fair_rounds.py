"""Check the seed rounds of a record: whether they could have led to its cards."""

from collections.abc import Sequence
from itertools import pairwise

from canasta.engine.fairness import SERVER, FairRound
from canasta.notation.file_errors import FileProblem


def why_not_a_round(fair: FairRound, players: int, *, void: bool = False) -> FileProblem | None:
    """Return what is wrong with a round on its own, or `None`."""
    unknown = [seat for seat in fair.contributors if seat >= players]
    if unknown:
        return FileProblem("NO_SEAT", {"number": unknown[0], "players": players})
    if fair.unrevealed and not void:
        return FileProblem("NOT_REVEALED", {"number": fair.unrevealed[0]})
    if not fair.is_in_order:
        return FileProblem("ROUND_NOT_IN_ORDER")
    part = fair.wrong_part()
    if part is None:
        return None
    return (
        FileProblem("OTHER_SERVER_SEED")
        if part.seat == SERVER
        else FileProblem("OTHER_SEED", {"number": part.seat})
    )


def why_not_after(fair: FairRound, voids: Sequence[FairRound]) -> FileProblem | None:
    """Return what is wrong with a round that follows these void rounds, or `None`.

    No player may join after the first round; otherwise somebody could retry until the cards suit them.
    """
    rounds = [*voids, fair]
    for number, one in enumerate(rounds, 1):
        if one.hand != fair.hand or one.number != number:
            return FileProblem("ROUND_MISSING", {"round": number, "number": fair.hand})
    for before, after in pairwise(rounds):
        if not set(after.contributors) <= set(before.contributors) - set(before.unrevealed):
            return FileProblem("LATE_IN_ROUND")
    return None
