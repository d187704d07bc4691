"""The seeds of the next deal: commitments, reveals, and the resulting deal. Time limits are the host's
concern.

See `docs/fair-cards.md`. Everything is in the log, so a restarted server continues with the same round.
"""

import secrets
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace

from canasta.engine.fairness import CUT, SERVER, Contribution, FairRound, commit_to
from canasta.table import log
from canasta.table.log import Entry


@dataclass
class SeedRound:
    """The seed round of one deal, or of the cut."""

    table: str
    hand: int
    """The number of the hand; `CUT` before the players have cut."""
    server_seed: str
    number: int = 1
    asked: bool = False
    """Whether the deal has been requested."""
    closed: bool = False
    commitments: dict[int, str] = field(default_factory=dict)
    """Commitments by seat."""
    seeds: dict[int, str] = field(default_factory=dict)
    """Revealed seeds by seat."""
    allowed: frozenset[int] | None = None
    """The seats that may take part; None for all. After a void round nobody can join."""
    voids: tuple[FairRound, ...] = ()

    @property
    def server_commitment(self) -> str:
        return self._commitment_to(self.server_seed, SERVER)

    def _commitment_to(self, seed: str, seat: int) -> str:
        return commit_to(seed, table=self.table, hand=self.hand, number=self.number, seat=seat)

    def may_commit(self, seat: int) -> bool:
        return not self.closed and (self.allowed is None or seat in self.allowed)

    def missing(self, people: Sequence[int]) -> list[int]:
        """Return the given seats that could still commit."""
        return [seat for seat in people if self.may_commit(seat) and seat not in self.commitments]

    def fits(self, seat: int, seed: str) -> bool:
        """Return whether this is the seed that the seat has committed to."""
        return self.commitments.get(seat) == self._commitment_to(seed, seat)

    @property
    def unrevealed(self) -> list[int]:
        """The seats in the closed list that have not revealed their seeds."""
        return [seat for seat in self.commitments if seat not in self.seeds] if self.closed else []

    def without(self, seats: Collection[int]) -> "SeedRound":
        """Return the round without the commitments of seats with a new player. A closed list stays
        unchanged."""
        if self.closed or not seats:
            return self
        kept = {seat: text for seat, text in self.commitments.items() if seat not in seats}
        return replace(self, commitments=kept)

    def fair_round(self) -> FairRound:
        """Return the round as input for the deal. The list must be closed."""
        server = Contribution(SERVER, self.server_commitment, self.server_seed)
        parts = [
            Contribution(seat, commitment, self.seeds.get(seat, ""))
            for seat, commitment in sorted(self.commitments.items())
        ]
        return FairRound(self.table, self.hand, self.number, server, tuple(parts))

    def after(self, entry: Entry) -> "SeedRound":
        """Return the round after a log entry; unchanged if the entry isn't about seeds."""
        match entry:
            case log.DealAsked():
                return replace(self, asked=True)
            case log.Committed(seat=seat, commitment=commitment):
                return replace(self, commitments=self.commitments | {seat: commitment})
            case log.ListClosed():
                return replace(self, closed=True)
            case log.Revealed(seat=seat, seed=seed):
                return replace(self, seeds=self.seeds | {seat: seed})
            case log.RoundVoided(next_seed=next_seed):
                return SeedRound(
                    self.table,
                    self.hand,
                    next_seed,
                    number=self.number + 1,
                    asked=True,
                    allowed=frozenset(self.seeds),
                    voids=(*self.voids, self.fair_round()),
                )
            case log.SeatsCut(next_seed=next_seed) | log.FairDealt(next_seed=next_seed):
                return SeedRound(self.table, self.hand + 1, next_seed)
        return self


def following_entries(
    shuffling: SeedRound, entries: Sequence[Entry], people: Sequence[int], is_awaited: Callable[[int], bool]
) -> list[Entry]:
    """Return the entries that must follow these in the log.

    people: the seats that could commit. is_awaited: returns whether the table is still waiting for a seat's
    seed.
    """
    for entry in entries:
        shuffling = shuffling.after(entry)
    if not shuffling.asked:
        return []
    more: list[Entry] = []
    if not shuffling.closed:
        if any(map(is_awaited, shuffling.missing(people))):
            return []
        more.append(log.ListClosed())
        shuffling = shuffling.after(more[-1])
    if not shuffling.unrevealed:
        next_seed = new_seed()
        more.append(
            log.SeatsCut(next_seed=next_seed) if shuffling.hand == CUT else log.FairDealt(next_seed=next_seed)
        )
    return more


def new_seed() -> str:
    """Return a random seed for the server."""
    return secrets.token_hex(32)
