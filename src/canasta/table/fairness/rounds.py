"""Checks of the rounds of seeds that a server shows: the list, the seeds, and the void rounds before it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from canasta.engine.fairness import SERVER, Contribution, FairRound, is_seed
from canasta.notation.record_fairness import why_not_after
from canasta.table.wire_fairness import FairRoundView


@dataclass
class Kept:
    """The viewer's knowledge of a round that they take part in."""

    hand: int
    round: int
    seat: int
    seed: str
    commitment: str
    server: str
    """The server's commitment, as shown before the viewer's own was sent."""
    taken: bool = False
    """Whether the server has acknowledged the commitment."""
    listed: str = ""
    """The digest of the closed list for which the seed was revealed."""
    acknowledged: bool = False
    """Whether the server has acknowledged the seed."""
    in_time: bool = False
    """Whether the commitment was sent while the server had promised to keep the list open."""
    link: int = 0
    """The number of the connection that the commitment was sent on."""
    game: dict[str, Any] = field(default_factory=dict)
    """The rules as shown when the seed was revealed; empty if that isn't known."""


def as_round(table: str, told: FairRoundView) -> FairRound:
    """Return a round in the wire format as a `FairRound`."""
    parts = [Contribution(part.seat, part.commitment, part.seed) for part in told.seats]
    server = Contribution(SERVER, told.commitment, told.server_seed)
    return FairRound(table, told.hand, told.round, server, tuple(parts))


def fault_in_rounds(fair: FairRound, voids: Sequence[FairRound], players: int) -> str:
    """Return the first fault in a round that cards came from and its void rounds; empty if there is none."""
    for one in (fair, *voids):
        fault = _fault_in_round(one, players, is_void=one is not fair)
        if fault:
            return fault
    if why_not_after(fair, voids) is not None or any(not void.unrevealed for void in voids):
        return "restarted"
    return ""


def _fault_in_round(one: FairRound, players: int, *, is_void: bool) -> str:
    are_seats = one.is_in_order and all(0 <= seat < players for seat in one.contributors)
    if not are_seats or not all(is_seed(part.commitment) for part in one.parts):
        return "list_changed"
    if not is_seed(one.server_seed):
        return "server_changed"
    if any(not is_seed(part.seed) and (part.seed or not is_void) for part in one.parts):
        return "seed_changed"
    wrong = one.wrong_part()
    if wrong is None:
        return ""
    return "server_changed" if wrong.seat == SERVER else "seed_changed"


def conflict_with(kept: Kept, fair: FairRound, *, is_void: bool, stayed: bool) -> str:
    """Return the conflict of a round with the viewer's knowledge; empty if there is none.

    stayed: the viewer has not changed seats, which would require another commitment.
    """
    part = next((part for part in fair.parts if part.seat == kept.seat), None)
    if kept.server != fair.commitment:
        return "server_changed"
    if kept.listed and kept.listed != fair.list_digest():
        return "list_changed"
    if part is None or part.commitment != kept.commitment:
        return "left_out" if kept.taken and stayed else ""
    if is_void and not part.seed and kept.acknowledged:
        return "blamed"
    return ""
