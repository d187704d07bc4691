"""Checks of seed rounds: their contents, and whether the viewer could take part in them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from canasta.engine.fairness import CUT, SERVER, Contribution, FairRound, is_seed
from canasta.notation.record_fairness import why_not_after
from canasta.table.wire import FairRoundView, TableState

# -- the contents of a round -------------------------------------------------------------------------------


@dataclass
class OwnContribution:
    """The viewer's contribution to a round of seeds, and what the server has acknowledged of it."""

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


def as_round(table: str, view: FairRoundView) -> FairRound:
    """Return a round in the wire format as a `FairRound`."""
    parts = [Contribution(part.seat, part.commitment, part.seed) for part in view.seats]
    server = Contribution(SERVER, view.commitment, view.server_seed)
    return FairRound(table, view.hand, view.round, server, tuple(parts))


def fault_in_rounds(fair: FairRound, voids: Sequence[FairRound], players: int) -> str:
    """Return the first fault in the round that the cards came from, or in its void rounds; empty if there is
    none."""
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


def conflict_with(kept: OwnContribution, fair: FairRound, *, is_void: bool, stayed: bool) -> str:
    """Return how a round contradicts what the viewer contributed to it; empty if it doesn't.

    stayed: the viewer has kept the same seat. Changing seats would require another commitment.
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


# -- the viewer's participation ----------------------------------------------------------------------------


SHORTEST_PROMISE: Final = 2.0
"""Minimum time in seconds that a list has to stay open to a player who was connected when it was opened."""

_NO_ROUND: Final = -1


@dataclass(frozen=True)
class _Promise:
    """The time for which the server keeps a list open, as promised when it first showed the round."""

    shown: float
    seconds: float

    def covers(self, sent: float) -> bool:
        """Return whether a commitment sent now must be in time. Half of the promised time is left for the
        network."""
        return sent - self.shown <= self.seconds / 2


@dataclass(frozen=True)
class _Arrival:
    """The first state in which the viewer had a seat, since connecting or since the server last sent the
    whole log."""

    hand: int
    phase: str
    round: int
    """The hand that a round of seeds was shown for; `_NO_ROUND` if there was none."""
    has_cut: bool

    def precedes(self, hand: int) -> bool:
        """Return whether the viewer had a seat before the seed round of this hand was opened."""
        if hand == CUT:
            return self.hand == 0 and not self.has_cut and self.round != CUT
        if hand == 1:
            return self.hand == 0 and self.round != 1
        return self.hand < hand - 1 or (self.hand == hand - 1 and self.phase != "over")


class Participation:
    """The seed rounds that the server showed to a viewer, and when."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self.link = 0
        """The number of the connection."""
        self.is_first = True
        """Whether no state has arrived on this connection yet."""
        self.was_fair = False
        """Whether the table has shown a round of seeds."""
        self.was_seated = False
        self._seat = -1
        """The last seat of the viewer on this connection."""
        self._arrival: _Arrival | None = None
        self._had_cut = False
        self._dealt_to_nobody = _NO_ROUND
        """The hand whose deal this connection showed while the viewer had no seat."""
        self._promises: dict[tuple[int, int, int], _Promise] = {}
        """Promises by hand, round and seat."""
        self._closed_on: dict[tuple[int, int], int] = {}
        """The connection on which a round was first seen closed, by hand and round."""

    def connect(self) -> None:
        """Note that a new connection starts."""
        self.link += 1
        self.is_first = True
        self._arrival = None
        self._seat = -1
        self._dealt_to_nobody = _NO_ROUND

    def is_in_time(self, hand: int, number: int, seat: int) -> bool:
        """Return whether a commitment sent now must be in time."""
        promise = self._promises.get((hand, number, seat))
        return promise is not None and promise.covers(self._clock())

    def note_rounds(self, state: TableState) -> None:
        """Record how long the list of the next round stays open, and on which connection each round was
        closed."""
        self.was_seated |= state.seat >= 0
        fair = state.fair
        if fair is None:
            return
        now = fair.next
        if fair.version == 2:
            self.was_fair |= now is not None or fair.dealt is not None
        closed = [now] if now is not None and now.closed else []
        closed += [one for one in (fair.dealt, *fair.void) if one is not None]
        for one in closed:
            self._closed_on.setdefault((one.hand, one.round), self.link)
        if now is None or now.closed or state.seat < 0:
            return
        if now.allowed is None or state.seat in now.allowed:
            seconds = now.seconds if self.is_first else max(now.seconds, SHORTEST_PROMISE)
            place = (now.hand, now.round, state.seat)
            self._promises.setdefault(place, _Promise(self._clock(), seconds))

    def is_refused(self, closed: FairRoundView, seat: int, kept: Sequence[OwnContribution]) -> bool:
        """Return whether a closed list lacks a commitment of this seat that was sent in time."""
        if seat < 0 or (closed.allowed is not None and seat not in closed.allowed):
            return False
        if any(part.seat == seat for part in closed.seats):
            return False
        link = self._closed_on.get((closed.hand, closed.round), self.link)
        place = (closed.hand, closed.round, seat, closed.commitment)
        return any(
            one.in_time and one.link == link
            for one in kept
            if (one.hand, one.round, one.seat, one.server) == place
        )

    def hand_not_asked(self, state: TableState) -> int | None:
        """Return the hand (or `CUT`) that was dealt without asking the viewer for a seed, although they were
        seated; `None` if there is none."""
        arrival, hand = self._arrival, self._new_cards(state)
        # The commitment for the cut was for the seat before it.
        seat = self._seat if hand == CUT else state.seat
        self._note_arrival(state)
        if arrival is None or hand is None or seat < 0 or not self.was_fair or not arrival.precedes(hand):
            return None
        return None if any((place[0], place[2]) == (hand, seat) for place in self._promises) else hand

    def _new_cards(self, state: TableState) -> int | None:
        """Return the hand whose deal the viewer sees from a seat for the first time; `CUT` for the cut."""
        if state.log:
            return None
        if state.cut is not None and not self._had_cut:
            return CUT if state.seat >= 0 else None
        if any(event.what == "dealt" for event in state.events):
            if state.seat >= 0:
                return state.hand
            self._dealt_to_nobody = state.hand
        elif self._dealt_to_nobody == state.hand and state.seat >= 0 and state.you is not None:
            # The viewer sees the hand's cards, so the seat was theirs at the deal.
            self._dealt_to_nobody = _NO_ROUND
            return state.hand
        return None

    def _note_arrival(self, state: TableState) -> None:
        self._had_cut |= state.cut is not None
        if state.seat < 0:
            return
        self._seat = state.seat
        if self._arrival is None or state.log:
            coming = state.fair.next if state.fair is not None else None
            number = _NO_ROUND if coming is None else coming.hand
            self._arrival = _Arrival(state.hand, state.phase, number, state.cut is not None)
