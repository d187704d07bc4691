"""How long a table waits for the seeds of its people: clocks for `shuffling`."""

from collections.abc import Collection, Sequence
from typing import Final

from canasta.table.log import Entry, RoundVoided
from canasta.table.shuffling import new_seed
from canasta.table.table import Table

_FOR_THE_LOST: Final = 3
"""So many times longer a closed list waits for somebody whose connection broke: they will come back. No round
waits longer for anybody."""


class Patience:
    """When the list of commitments is closed without somebody, and when a round is void."""

    def __init__(self, table: Table, seconds: float, now: float) -> None:
        self._table = table
        self._seconds = seconds
        self._since = now
        """When the round came to where it is; after a start of the server, when the table was read."""
        self._came: dict[int, float] = {}
        """When somebody connected, by seat: they cannot have known of the round before."""
        self._stage = self._where()

    def _where(self) -> tuple[int, int, bool, bool]:
        shuffling = self._table.shuffling
        return (shuffling.hand, shuffling.number, shuffling.asked, shuffling.closed)

    def look(self, now: float) -> None:
        """The table has changed."""
        if self._where() != self._stage:
            self._stage, self._since = self._where(), now
            self._came.clear()

    def came(self, seat: int, now: float) -> None:
        """Somebody has just connected."""
        self._came[seat] = now

    def what_follows(self, entries: Sequence[Entry], present: Collection[int], now: float) -> list[Entry]:
        """What the log says after these entries, which are about to be written."""
        shuffling = self._table.shuffling
        for entry in entries:
            shuffling = shuffling.after(entry)
        begins_now = shuffling.asked and not self._table.shuffling.asked

        def is_awaited(seat: int) -> bool:
            if begins_now:
                return self._seconds > 0
            return self._until(seat, present) > now

        return self._table.what_follows(entries, is_awaited)

    def _until(self, seat: int, present: Collection[int]) -> float:
        """How long the round, as it stands, waits for this seat."""
        longest = self._since + self._seconds * _FOR_THE_LOST
        if seat in present:
            # Whoever connects again and again must not hold up the deal for ever.
            return min(max(self._since, self._came.get(seat, self._since)) + self._seconds, longest)
        return longest if self._table.shuffling.closed else self._since + self._seconds

    def _awaited(self) -> list[int]:
        shuffling = self._table.shuffling
        return shuffling.unrevealed if shuffling.closed else shuffling.missing(self._table.people)

    def due(self, present: Collection[int]) -> float | None:
        """When the round goes on by itself; None while nobody wants cards."""
        if not self._table.is_dealing:
            return None
        return max((self._until(seat, present) for seat in self._awaited()), default=self._since)

    def next_entries(self, present: Collection[int], now: float) -> list[Entry]:
        """What the log says once it is due."""
        if self._table.shuffling.closed and self._table.shuffling.unrevealed:
            voided: list[Entry] = [RoundVoided(next_seed=new_seed())]
            return [*voided, *self._after_void(voided)]
        return self.what_follows([], present, now)

    def _after_void(self, voided: Sequence[Entry]) -> list[Entry]:
        """Where nobody is left the server deals alone, at once."""
        return self._table.what_follows(voided, lambda _: self._seconds > 0)
